//! The words of `go`.

use super::command::{CommandError, Words, quote};
use crate::chess::perft::DEPTH_MAX;
use crate::time::Limits;

/// What `go` asks for, before the position says whose clock is the own one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoRequest {
    /// Milliseconds on White's and on Black's clock.
    pub clocks_ms: [Option<i64>; 2],
    /// Increments of White and of Black, in milliseconds.
    pub increments_ms: [u64; 2],
    /// Limits that do not depend on the side to move.
    pub limits: Limits,
    /// Only these moves, if given.
    pub search_moves: Option<Vec<String>>,
    /// Count move sequences of this length instead of searching.
    pub perft: Option<u32>,
    /// Words nobody knows. They are reported, not obeyed.
    pub unknown: Vec<String>,
}

impl GoRequest {
    /// Reads what follows `go`. Numbers beyond sense are clamped; what is no number is an error.
    ///
    /// # Errors
    /// A word lacks its number.
    pub fn parse(text: &str) -> Result<Self, CommandError> {
        let mut go = Self::default();
        let mut words = Words::new(text);
        while let Some(word) = words.next() {
            let limits = &mut go.limits;
            match word {
                "infinite" => limits.infinite = true,
                "ponder" => limits.ponder = true,
                "wtime" => go.clocks_ms[0] = Some(number(word, &mut words)?),
                "btime" => go.clocks_ms[1] = Some(number(word, &mut words)?),
                "winc" => go.increments_ms[0] = number(word, &mut words)?.max(0) as u64,
                "binc" => go.increments_ms[1] = number(word, &mut words)?.max(0) as u64,
                "movestogo" => {
                    limits.moves_to_go =
                        counter(word, &mut words, u32::MAX.into())?.map(|n| n as u32);
                }
                "movetime" => limits.move_time_ms = Some(number(word, &mut words)?.max(1) as u64),
                "depth" => {
                    limits.depth = Some(number(word, &mut words)?.clamp(1, u16::MAX.into()) as u16);
                }
                "nodes" => limits.nodes = Some(number(word, &mut words)?.max(1) as u64),
                "mate" => limits.mate = Some(number(word, &mut words)?.clamp(1, 1_000) as u16),
                "perft" => {
                    go.perft = Some(number(word, &mut words)?.clamp(0, DEPTH_MAX.into()) as u32);
                }
                "searchmoves" => go.search_moves = Some(moves(&mut words)),
                other => go.unknown.push(quote(other)),
            }
        }
        Ok(go)
    }

    /// The limits for the side to move. Where only the opponent's clock is known, the own one is taken to be empty: an
    /// answer at once is better than one too late.
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

fn has_end(limits: &Limits) -> bool {
    limits.clock_ms.is_some()
        || limits.move_time_ms.is_some()
        || limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.mate.is_some()
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

/// All words up to the next keyword.
fn moves(words: &mut Words) -> Vec<String> {
    let mut moves = Vec::new();
    while let Some(word) = words.peek().filter(|word| !KEYWORDS.contains(word)) {
        moves.push(word.to_owned());
        words.next();
    }
    moves
}

/// A positive number up to `max`; zero and less mean none.
fn counter(word: &str, words: &mut Words, max: i64) -> Result<Option<i64>, CommandError> {
    Ok(Some(number(word, words)?)
        .filter(|&count| count > 0)
        .map(|count| count.min(max)))
}

/// A whole number of any length, clamped to what fits.
fn number(word: &str, words: &mut Words) -> Result<i64, CommandError> {
    let missing = || CommandError::MissingNumber {
        word: word.to_owned(),
    };
    let text = words
        .peek()
        .filter(|text| !KEYWORDS.contains(text))
        .ok_or_else(missing)?;
    words.next();
    parse_number(text).ok_or_else(|| CommandError::NotANumber {
        word: word.to_owned(),
        text: quote(text),
    })
}

/// A whole number of any length, clamped to what fits; `None` for anything else.
pub fn parse_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
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
        GoRequest::parse(text).unwrap()
    }

    #[test]
    fn words_come_in_any_order() {
        let go = parse(
            "searchmoves e2e4 d2d4 depth 3 ponder wtime 1000 btime 2000 winc 10 movestogo 5 nodes 7",
        );
        assert_eq!(
            go.search_moves,
            Some(vec!["e2e4".to_owned(), "d2d4".to_owned()])
        );
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
            (Some(i64::MAX as u64), None)
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
    fn missing_and_wrong_numbers_are_named() {
        let wrong = |text: &str| GoRequest::parse(text).unwrap_err().to_string();
        assert_eq!(wrong("depth"), "'depth' needs a number");
        assert_eq!(wrong("wtime btime 100"), "'wtime' needs a number");
        assert_eq!(wrong("depth five"), "'depth' needs a number, not 'five'");
        assert_eq!(wrong("nodes 1e6"), "'nodes' needs a number, not '1e6'");
        assert_eq!(
            wrong("movetime 1.5"),
            "'movetime' needs a number, not '1.5'"
        );
        assert_eq!(parse("depth 3 deeply").unknown, ["deeply"]);
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
