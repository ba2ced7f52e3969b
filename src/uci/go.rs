//! The words of `go`.

use super::command::{Words, quote};
use crate::chess::perft::DEPTH_MAX;
use crate::time::Limits;

/// Milliseconds for a move whose only limit was none that can be understood: less than any clock that may be running.
const UNKNOWN_LIMIT_MS: u64 = 100;

/// Longer mates than this are not asked for.
const MATE_MAX: i64 = 1_000;

/// The arguments of `go`, before the side to move is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoRequest {
    /// Milliseconds on White's and on Black's clock.
    pub clocks_ms: [Option<i64>; 2],
    /// Increments of White and of Black, in milliseconds.
    pub increments_ms: [u64; 2],
    /// Limits that do not depend on the side to move.
    pub limits: Limits,
    /// Only these moves, if there are any.
    pub search_moves: Vec<String>,
    /// Count move sequences of this length instead of searching.
    pub perft: Option<u32>,
    /// Messages about invalid arguments that were ignored.
    pub complaints: Vec<String>,
    /// A limit was given but invalid.
    has_unknown_limit: bool,
}

impl GoRequest {
    /// Parses the arguments of `go`. Invalid arguments are reported: numbers out of range are clamped, others are
    /// ignored.
    pub fn parse(text: &str) -> Self {
        let mut go = Self::default();
        let mut words = Words::new(text);
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.limits.infinite = true,
                "ponder" => go.limits.ponder = true,
                "searchmoves" => go.search_moves = moves(&mut words),
                word if KEYWORDS.contains(&word) => match number(word, &mut words) {
                    Ok(number) => {
                        let sensible = clamped(word, number);
                        if sensible != number {
                            go.complaints.push(strange(word, number, sensible));
                        }
                        go.set(word, number, sensible);
                    }
                    Err(complaint) => {
                        go.complaints.push(complaint);
                        go.has_unknown_limit = true;
                    }
                },
                other => {
                    go.complaints
                        .push(format!("unknown word '{}' after go", quote(other)));
                    go.has_unknown_limit = true;
                }
            }
        }
        go.miss_clock();
        go
    }

    /// Arguments about a clock mean nothing without one, and start no infinite search.
    fn miss_clock(&mut self) {
        let has_part = self.increments_ms != [0, 0] || self.limits.moves_to_go.is_some();
        if has_part && self.clocks_ms == [None, None] {
            self.complaints
                .push("winc, binc and movestogo have no effect without wtime or btime".to_owned());
            self.has_unknown_limit |= !self.limits.infinite;
        }
    }

    fn set(&mut self, word: &str, number: i64, sensible: i64) {
        let limits = &mut self.limits;
        match word {
            // How far an empty clock was overdrawn is worth knowing: moves are later than they should be.
            "wtime" => self.clocks_ms[0] = Some(number),
            "btime" => self.clocks_ms[1] = Some(number),
            "winc" => self.increments_ms[0] = sensible as u64,
            "binc" => self.increments_ms[1] = sensible as u64,
            "movestogo" => limits.moves_to_go = (number > 0).then_some(sensible as u32),
            "movetime" => limits.move_time_ms = Some(sensible as u64),
            "depth" => limits.depth = Some(sensible as u16),
            "nodes" => limits.nodes = Some(sensible as u64),
            "mate" => limits.mate = Some(sensible as u16),
            "perft" => self.perft = Some(sensible as u32),
            _ => {}
        }
    }

    /// The limits for the side to move. If only the opponent's clock is given, the own clock counts as zero: an
    /// immediate answer is better than a late one.
    pub fn limits_for(&self, is_black: bool) -> Limits {
        let [white, black] = self.clocks_ms;
        let [white_increment, black_increment] = self.increments_ms;
        let (own, other) = if is_black {
            (black, white)
        } else {
            (white, black)
        };
        let limits = Limits {
            clock_ms: own.or(other.map(|_| 0)),
            increment_ms: if is_black {
                black_increment
            } else {
                white_increment
            },
            ..self.limits.clone()
        };
        let is_lost = self.has_unknown_limit && !has_end(&limits);
        let limits = Limits {
            move_time_ms: limits.move_time_ms.or(is_lost.then_some(UNKNOWN_LIMIT_MS)),
            ..limits
        };
        // Without any limit only the user knows the end, even if the search believes to have come to one.
        Limits {
            infinite: limits.infinite || !has_end(&limits),
            ..limits
        }
    }
}

/// Whether a search within these limits ends by itself.
pub fn is_finite(limits: &Limits) -> bool {
    has_end(limits) && !limits.infinite && !limits.ponder
}

/// Whether only a proof ends a search within these limits, which may never happen.
pub fn is_proof(limits: &Limits) -> bool {
    limits.mate.is_some() && !is_bounded(limits)
}

fn has_end(limits: &Limits) -> bool {
    is_bounded(limits) || limits.mate.is_some()
}

fn is_bounded(limits: &Limits) -> bool {
    limits.clock_ms.is_some()
        || limits.move_time_ms.is_some()
        || limits.depth.is_some()
        || limits.nodes.is_some()
}

const KEYWORDS: [&str; 13] = [
    "infinite",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "perft",
    "searchmoves",
];

/// The number nearest to one behind a keyword that makes sense there.
fn clamped(word: &str, number: i64) -> i64 {
    // Longer numbers than i64 holds are read as its ends, which are no sensible numbers then.
    let max = i64::MAX - 1;
    match word {
        "depth" => number.clamp(1, u16::MAX.into()),
        "mate" => number.clamp(1, MATE_MAX),
        // Some hosts send 0 where no number of moves is agreed on.
        "movestogo" => number.clamp(0, u32::MAX.into()),
        "movetime" | "nodes" => number.clamp(1, max),
        "perft" => number.clamp(0, DEPTH_MAX.into()),
        _ => number.clamp(0, max),
    }
}

/// The complaint of a number that makes no sense.
fn strange(word: &str, number: i64, sensible: i64) -> String {
    match (word, number) {
        ("movestogo", ..0) => format!("'{word}' cannot be {number}; ignored"),
        (_, i64::MIN | i64::MAX) => format!("'{word}' is out of range; using {sensible}"),
        _ => format!("'{word}' cannot be {number}; using {sensible}"),
    }
}

/// All words up to the next keyword.
fn moves(words: &mut Words) -> Vec<String> {
    let mut moves = Vec::new();
    while let Some(word) = words.peek().filter(|word| !KEYWORDS.contains(word)) {
        moves.push(word.to_owned());
        words.next();
    }
    moves
}

/// Words with milliseconds, of which some hosts write fractions.
const TIMES: [&str; 5] = ["wtime", "btime", "winc", "binc", "movetime"];

/// A whole number of any length, clamped to what fits; of times, fractions of a millisecond are dropped. Otherwise
/// what is wrong with it.
fn number(word: &str, words: &mut Words) -> Result<i64, String> {
    let text = words
        .peek()
        .filter(|text| !KEYWORDS.contains(text))
        .ok_or_else(|| format!("'{word}' needs a number"))?;
    words.next();
    let whole = match text.split_once('.') {
        Some((whole, fraction)) if TIMES.contains(&word) && is_digits(fraction) => whole,
        _ => text,
    };
    parse_number(whole).ok_or_else(|| format!("'{word}' needs a number, not '{}'", quote(text)))
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A whole number of any length, clamped to what fits; `None` for anything else.
pub fn parse_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !is_digits(digits) {
        return None;
    }
    let end = if text.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    Some(text.parse().unwrap_or(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> GoRequest {
        GoRequest::parse(text)
    }

    #[test]
    fn parts_of_a_clock_that_is_not_there_are_no_order_to_search_for_ever() {
        for text in ["winc 100", "movestogo 40", "binc 1 movestogo 3"] {
            let go = parse(text);
            assert_eq!(go.complaints.len(), 1, "{text}");
            assert!(is_finite(&go.limits_for(false)), "{text}");
        }
        for text in ["infinite winc 100", "ponder winc 100"] {
            assert!(!is_finite(&parse(text).limits_for(false)), "{text}");
        }
        assert_eq!(
            parse("depth 3 winc 100").limits_for(false).move_time_ms,
            None
        );
    }

    #[test]
    fn words_come_in_any_order() {
        let go = parse(
            "searchmoves e2e4 d2d4 depth 3 ponder wtime 1000 btime 2000 winc 10 movestogo 5 nodes 7",
        );
        assert_eq!(go.search_moves, ["e2e4", "d2d4"]);
        let limits = go.limits_for(false);
        assert_eq!(
            (limits.depth, limits.nodes, limits.ponder),
            (Some(3), Some(7), true)
        );
        assert_eq!(
            (limits.clock_ms, limits.increment_ms, limits.moves_to_go),
            (Some(1_000), 10, Some(5))
        );
        assert_eq!(
            (
                go.limits_for(true).clock_ms,
                go.limits_for(true).increment_ms
            ),
            (Some(2_000), 0)
        );
    }

    #[test]
    fn strange_numbers_are_clamped() {
        let limits =
            parse("depth 1000 mate 256 nodes 99999999999999999999 movestogo 0 movetime -5").limits;
        assert_eq!((limits.depth, limits.mate), (Some(1_000), Some(256)));
        assert_eq!(
            (limits.nodes, limits.moves_to_go),
            (Some(i64::MAX as u64 - 1), None)
        );
        assert_eq!(limits.move_time_ms, Some(1));
        assert_eq!(parse("depth 0").limits.depth, Some(1));
        assert_eq!(parse("depth 70000").limits.depth, Some(u16::MAX));
        assert_eq!(
            parse("wtime -300 btime 5").limits_for(false).clock_ms,
            Some(-300)
        );
        assert_eq!(parse("btime 5").limits_for(false).clock_ms, Some(0));
    }

    #[test]
    fn numbers_out_of_range_are_told() {
        for (text, complaint) in [
            ("depth -3", "'depth' cannot be -3; using 1"),
            ("depth 70000", "'depth' cannot be 70000; using 65535"),
            ("nodes 0", "'nodes' cannot be 0; using 1"),
            ("mate 0", "'mate' cannot be 0; using 1"),
            ("movetime -5", "'movetime' cannot be -5; using 1"),
            ("wtime -100", "'wtime' cannot be -100; using 0"),
            ("wtime 9 winc -1", "'winc' cannot be -1; using 0"),
            ("wtime 9 movestogo -1", "'movestogo' cannot be -1; ignored"),
            ("perft -2", "'perft' cannot be -2; using 0"),
            (
                "movetime 99999999999999999999",
                "'movetime' is out of range; using 9223372036854775806",
            ),
        ] {
            let go = parse(text);
            assert_eq!(go.complaints, [complaint], "{text}");
            assert!(
                is_finite(&go.limits_for(false)) || go.perft.is_some(),
                "{text}"
            );
        }
        for text in [
            "depth 1 nodes 1 mate 1 movetime 1",
            "wtime 0 btime 0 winc 0 movestogo 1",
            "perft 0",
        ] {
            assert_eq!(parse(text).complaints, [""; 0], "{text}");
        }
    }

    #[test]
    fn missing_and_wrong_numbers_are_named_and_left_out() {
        let wrong = |text: &str| parse(text).complaints.join(", ");
        assert_eq!(wrong("depth"), "'depth' needs a number");
        assert_eq!(wrong("wtime btime 100"), "'wtime' needs a number");
        assert_eq!(wrong("depth five"), "'depth' needs a number, not 'five'");
        assert_eq!(wrong("nodes 1e6"), "'nodes' needs a number, not '1e6'");
        assert_eq!(wrong("depth 1.5"), "'depth' needs a number, not '1.5'");
        assert_eq!(
            wrong("movetime 1.x"),
            "'movetime' needs a number, not '1.x'"
        );
        assert_eq!(wrong("depth 3 deeply"), "unknown word 'deeply' after go");
        let limits = parse("movestogo x wtime 700 btime 900 winc").limits_for(true);
        assert_eq!((limits.clock_ms, limits.moves_to_go), (Some(900), None));
        assert_eq!(limits.move_time_ms, None);
    }

    #[test]
    fn fractions_of_a_millisecond_are_dropped() {
        let limits = parse("wtime 60000.0 btime 59999.75 winc 0.9 binc 10.").limits_for(true);
        assert_eq!((limits.clock_ms, limits.increment_ms), (Some(59_999), 10));
        assert_eq!(parse("movetime 0.25").limits.move_time_ms, Some(1));
        assert_eq!(parse("wtime -3.5").clocks_ms[0], Some(-3));
    }

    #[test]
    fn a_limit_that_is_not_understood_is_still_a_limit() {
        for text in [
            "movetime",
            "nodes many",
            "depth x searchmoves e2e4",
            "mate",
            "movestogo x",
            "time 100",
            "depth=3",
        ] {
            let limits = parse(text).limits_for(false);
            assert_eq!(limits.move_time_ms, Some(UNKNOWN_LIMIT_MS), "{text}");
            assert!(is_finite(&limits), "{text}");
        }
        for text in ["infinite movetime x", "infinite please", "ponder please"] {
            assert!(!is_finite(&parse(text).limits_for(false)), "{text}");
        }
    }

    #[test]
    fn proofs_without_another_limit_are_known() {
        assert!(is_proof(&parse("mate 30").limits_for(false)));
        for text in [
            "mate 3 nodes 9",
            "mate 3 movetime 9",
            "mate 3 depth 9",
            "wtime 9 mate 3",
            "depth 3",
            "",
        ] {
            assert!(!is_proof(&parse(text).limits_for(false)), "{text}");
        }
    }

    #[test]
    fn searches_without_end_are_known() {
        for endless in [
            "",
            "infinite",
            "infinite depth 3",
            "ponder wtime 1000",
            "searchmoves e2e4",
        ] {
            assert!(!is_finite(&parse(endless).limits_for(false)), "{endless}");
        }
        for finite in [
            "depth 1",
            "nodes 5",
            "movetime 10",
            "mate 3",
            "wtime 100",
            "btime 100",
        ] {
            assert!(is_finite(&parse(finite).limits_for(false)), "{finite}");
        }
    }
}
