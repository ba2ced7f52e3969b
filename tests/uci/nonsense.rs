//! No sequence of bytes makes the engine panic, hang or lose its position.

use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cc2s::game::SplitMix64;
use cc2s::uci;
use proptest::prelude::*;

use super::{arbitrary, mock};

/// Lines for one conversation of the great trial; so often the front end is started anew.
const LINES_PER_CONVERSATION: u64 = 10_000;

/// Produces lines as they are read, so that millions need no memory; then asks for a sign of life.
struct Nonsense {
    rng: SplitMix64,
    lines_left: u64,
    buffer: Vec<u8>,
    is_ended: bool,
}

/// Whatever was sent before, after this the position is known.
const LAST_WORDS: &[u8] =
    b"\nstop\nstop\nstop\nposition startpos moves e2e4\nd\ngo depth 1\nisready\n";

impl Read for Nonsense {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.buffer.is_empty() {
            if self.lines_left > 0 {
                self.lines_left -= 1;
                self.buffer = arbitrary::line(&mut self.rng);
                self.buffer.push(b'\n');
                if self.rng.below(16) == 0 {
                    self.buffer.extend(b"stop\n");
                }
            } else if !self.is_ended {
                self.is_ended = true;
                self.buffer = LAST_WORDS.to_vec();
            }
        }
        let count = self.buffer.len().min(into.len());
        into[..count].copy_from_slice(&self.buffer[..count]);
        self.buffer.drain(..count);
        Ok(count)
    }
}

/// Keeps the end of what is written.
#[derive(Clone, Default)]
struct Tail(Arc<Mutex<Vec<u8>>>);

impl Write for Tail {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut kept = self.0.lock().unwrap();
        kept.extend(bytes);
        let surplus = kept.len().saturating_sub(4_000);
        kept.drain(..surplus);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Lets the front end read all that and checks its last words.
fn survive(input: impl Read + Send + 'static) {
    let tail = Tail::default();
    uci::run(input, tail.clone(), mock::engine("Hasty"), mock::TOOLS).unwrap();
    let text = String::from_utf8(tail.0.lock().unwrap().clone()).unwrap();
    assert!(
        text.contains("\nFen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n"),
        "{text}"
    );
    assert!(text.contains("\nbestmove "), "{text}");
}

fn survive_lines(lines: u64) {
    let start = Instant::now();
    let mut sent = 0;
    while sent < lines {
        let count = LINES_PER_CONVERSATION.min(lines - sent);
        let rng = SplitMix64::new(SplitMix64::mix(sent));
        survive(Nonsense {
            rng,
            lines_left: count,
            buffer: Vec::new(),
            is_ended: false,
        });
        sent += count;
    }
    eprintln!(
        "{sent} lines of nonsense survived in {:.1?}",
        start.elapsed()
    );
}

#[test]
fn thirty_thousand_lines_of_nonsense() {
    survive_lines(30_000);
}

/// `CC2S_NONSENSE_LINES=10000000 cargo test --release --test uci -- --ignored millions`
#[test]
#[ignore = "takes minutes; run with CC2S_NONSENSE_LINES lines, ten million unless told otherwise"]
fn millions_of_lines_of_nonsense() {
    let lines =
        std::env::var("CC2S_NONSENSE_LINES").map_or(10_000_000, |count| count.parse().unwrap());
    survive_lines(lines);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Any bytes at all, as long as they do not say goodbye, open a log file, or count for ever.
    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        prop_assume!(!text.contains("quit") && !text.contains("log") && !text.contains("perft"));
        let mut input = bytes;
        input.extend(LAST_WORDS);
        survive(io::Cursor::new(input));
    }
}

#[test]
fn nonsense_with_the_real_search_is_survived_as_well() {
    let mut gui = super::gui::Gui::ready();
    let mut rng = SplitMix64::new(11);
    for _ in 0..300 {
        let mut line = arbitrary::line(&mut rng);
        // The real benchmark takes seconds.
        if String::from_utf8_lossy(&line)
            .to_lowercase()
            .contains("bench")
        {
            continue;
        }
        line.push(b'\n');
        gui.send_bytes(&line);
        gui.send("stop");
    }
    // Whatever still waits for its turn ends at a stop; then comes the last word.
    gui.send("setoption name UCI_Opponent value the last word\nd");
    while !gui
        .ask("stop")
        .contains(&"Opponent: the last word".to_owned())
    {}
    gui.send("position startpos");
    assert!(
        gui.search("go movetime 50")
            .last()
            .unwrap()
            .starts_with("bestmove ")
    );
    gui.assert_no_best_move(Duration::from_millis(50));
    gui.quit();
}
