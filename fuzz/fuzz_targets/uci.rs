//! Any bytes on the input of the front end, with a search that ends quickly.
//!
//! `cargo fuzz run uci --sanitizer none` (works with a stable compiler).
#![no_main]

#[path = "../../tests/uci/mock.rs"]
#[allow(dead_code)]
mod mock;

use std::io;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes).to_lowercase();
    // A log file litters the disk, and a count of move sequences may outlast the fuzzer.
    if text.contains("log") || text.contains("perft") {
        return;
    }
    let mut input = bytes.to_vec();
    input.extend(b"\nstop\nstop\nposition startpos\nd\n");
    let mut output = Vec::new();
    cc2s::uci::run(
        io::Cursor::new(input),
        &mut output,
        mock::engine("Hasty"),
        mock::TOOLS,
    )
    .expect("a buffer takes everything");
    let said = String::from_utf8(output).expect("text only");
    // `quit` may end the conversation before the position is shown.
    assert!(
        text.contains("quit")
            || said.contains("Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    );
});
