//! No sequence of bytes makes the engine panic, hang or lose its position.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use cc2s::game::SplitMix64;
use cc2s::uci;
use proptest::prelude::*;

use super::gui::PATIENCE;
use super::{arbitrary, mock};
use crate::environment::number;

/// Lines per conversation of the long test, after which the front end is restarted.
const LINES_PER_CONVERSATION: u64 = 10_000;
/// Lines per progress report of the long test.
const LINES_PER_REPORT: u64 = 1_000_000;

/// One in this number of lines with a mate search is kept.
const LINES_PER_PROOF: u64 = 32;

/// Produces lines on reading, so that millions need no memory.
struct Nonsense {
    rng: SplitMix64,
    lines_left: u64,
    buffer: Vec<u8>,
}

impl Nonsense {
    /// A mate search runs until it is stopped and costs as much as hundreds of other lines, so most are skipped.
    fn next_line(&mut self) -> Vec<u8> {
        loop {
            let line = arbitrary::line(&mut self.rng);
            let has = |word: &[u8]| line.windows(word.len()).any(|part| part == word);
            if !(has(b"go") && has(b"mate")) || self.rng.below(LINES_PER_PROOF) == 0 {
                return line;
            }
        }
    }
}

impl Read for Nonsense {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.buffer.is_empty() && self.lines_left > 0 {
            self.lines_left -= 1;
            self.buffer = self.next_line();
            self.buffer.push(b'\n');
            if self.rng.below(16) == 0 {
                self.buffer.extend(b"stop\n");
            }
        }
        Ok(take(&mut self.buffer, into))
    }
}

/// Moves as many bytes as fit from the front of one buffer to another.
fn take(from: &mut Vec<u8>, into: &mut [u8]) -> usize {
    let count = from.len().min(into.len());
    into[..count].copy_from_slice(&from[..count]);
    from.drain(..count);
    count
}

/// When this is answered, all input before it has been processed.
const LAST_QUESTION: &[u8] = b"\nsetoption name UCI_Opponent value the last question\nd\n";
const LAST_ANSWER: &str = "\nOpponent: the last question\n";
/// After this the position is known, whatever was sent before.
const LAST_WORDS: &[u8] = b"position startpos moves e2e4\nd\ngo depth 1\n";
/// Time between two `stop`.
const REST: Duration = Duration::from_millis(1);

/// Some input, then the last question with `stop` until it is answered, then the last words.
struct Conversation<R> {
    input: R,
    answers: Tail,
    rest: Vec<u8>,
    stage: Stage,
}

#[derive(Clone, Copy)]
enum Stage {
    Input,
    LastQuestion(Instant),
    LastWords,
}

impl<R: Read> Read for Conversation<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            match self.stage {
                Stage::Input => {
                    let count = self.input.read(into)?;
                    if count > 0 {
                        return Ok(count);
                    }
                    self.stage = Stage::LastQuestion(Instant::now());
                    self.rest = LAST_QUESTION.to_vec();
                }
                Stage::LastQuestion(since) => {
                    if self.answers.text().contains(LAST_ANSWER) || since.elapsed() > PATIENCE {
                        self.stage = Stage::LastWords;
                        self.rest = LAST_WORDS.to_vec();
                    } else {
                        thread::sleep(REST);
                        self.rest = b"stop\n".to_vec();
                    }
                }
                Stage::LastWords => {}
            }
        }
        Ok(take(&mut self.rest, into))
    }
}

/// More than the answers to [`LAST_WORDS`].
const TAIL_BYTES: usize = 4_000;

/// Stores the end of the output.
#[derive(Clone, Default)]
struct Tail(Arc<Mutex<Vec<u8>>>);

impl Tail {
    /// The end of the output; it may begin within a character.
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }

    /// Whether [`LAST_WORDS`] have been answered: the position after 1. e4, then a move.
    fn has_last_words(&self) -> bool {
        let text = self.text();
        text.rsplit_once("\nFen: ").is_some_and(|(_, last)| {
            last.starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n")
                && last.contains("\nbestmove ")
        })
    }
}

impl Write for Tail {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut kept = self.0.lock().unwrap();
        kept.extend(bytes);
        // Not with every line, because the rest must be moved.
        if kept.len() > 2 * TAIL_BYTES {
            let surplus = kept.len() - TAIL_BYTES;
            kept.drain(..surplus);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs the front end with this input and checks its last answers.
fn survive(name: &str, input: impl Read + Send + 'static) {
    let answers = Tail::default();
    let conversation = Conversation {
        input,
        answers: answers.clone(),
        rest: Vec::new(),
        stage: Stage::Input,
    };
    let engine = mock::engine("Brief");
    uci::run(conversation, answers.clone(), engine, mock::TOOLS).unwrap();
    assert!(answers.has_last_words(), "{name}: {}", answers.text());
}

/// One conversation; the number of its first line is its seed.
fn survive_conversation(first: u64, lines: u64) {
    let name = format!("{lines} lines from {first}");
    let nonsense = Nonsense {
        rng: SplitMix64::new(SplitMix64::mix(first)),
        lines_left: lines,
        buffer: Vec::new(),
    };
    survive(&name, nonsense);
}

/// Runs `at_a_time` conversations in parallel; their number does not affect the lines. The threads of one
/// conversation mostly wait for each other on a busy machine.
fn survive_lines(lines: u64, at_a_time: usize) {
    let start = Instant::now();
    let next = AtomicU64::new(0);
    let survived = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..at_a_time {
            scope.spawn(|| {
                loop {
                    let first = next.fetch_add(LINES_PER_CONVERSATION, Ordering::Relaxed);
                    if first >= lines {
                        break;
                    }
                    let count = LINES_PER_CONVERSATION.min(lines - first);
                    survive_conversation(first, count);
                    let before = survived.fetch_add(count, Ordering::Relaxed);
                    let so_far = before + count;
                    if before / LINES_PER_REPORT != so_far / LINES_PER_REPORT {
                        eprintln!("{so_far} lines survived after {:.0?}", start.elapsed());
                    }
                }
            });
        }
    });
    let survived = survived.into_inner();
    assert_eq!(survived, lines);
    eprintln!(
        "{survived} lines of nonsense survived in {:.1?}",
        start.elapsed()
    );
}

#[test]
fn thirty_thousand_lines_of_nonsense() {
    survive_lines(30_000, 1);
}

/// `CC2S_NONSENSE_LINES=10000000 CC2S_JOBS=2 cargo test --release --test uci -- --ignored --nocapture millions`
#[test]
#[ignore = "takes minutes; run with CC2S_NONSENSE_LINES lines, ten million unless told otherwise, CC2S_JOBS conversations at a time"]
fn millions_of_lines_of_nonsense() {
    survive_lines(
        number("CC2S_NONSENSE_LINES", 10_000_000),
        number("CC2S_JOBS", 1),
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Arbitrary bytes, except those that quit, open a log file or start a long perft.
    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        prop_assume!(!text.contains("quit") && !text.contains("log") && !text.contains("perft"));
        survive("any bytes", io::Cursor::new(bytes));
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
    // Everything that still waits ends with a stop; then the last question follows.
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
