//! The parts of an engine's search info that the referee needs.

use std::fmt;

/// A score as given by the protocol, from the engine's own view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Announced {
    Centipawns(i32),
    /// Moves to mate, negative if the engine is mated.
    Mate(i32),
}

impl Announced {
    /// A number for comparisons; mates are beyond all centipawns.
    pub fn centipawns(self) -> i32 {
        match self {
            Self::Centipawns(score) => score,
            Self::Mate(moves) if moves > 0 => 100_000,
            Self::Mate(_) => -100_000,
        }
    }
}

impl fmt::Display for Announced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(score) => write!(f, "{:+.2}", f64::from(*score) / 100.0),
            Self::Mate(moves) if *moves > 0 => write!(f, "+M{moves}"),
            Self::Mate(moves) => write!(f, "-M{}", moves.abs()),
        }
    }
}

/// The last search info of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The score of the first line.
    pub score: Option<Announced>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
}

impl Info {
    /// Parses a line of xboard's thinking output: depth, score, centiseconds, nodes, moves. Other lines are
    /// ignored.
    pub fn hear_xboard(&mut self, line: &str) {
        let mut numbers = line.split_whitespace().map(str::parse::<i64>);
        let mut next = || numbers.next().and_then(Result::ok);
        if let (Some(depth), Some(score), Some(_), Some(nodes)) = (next(), next(), next(), next()) {
            self.depth = depth.try_into().ok();
            self.score = i32::try_from(score).ok().map(Announced::Centipawns);
            self.nodes = nodes.try_into().ok();
        }
    }

    /// Parses an `info` line of UCI. Other lines and lines of lesser variations are ignored.
    pub fn hear_uci(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let after = |key: &str| {
            let at = words.iter().position(|word| *word == key)?;
            words.get(at + 1).copied()
        };
        let is_first = after("multipv").is_none_or(|rank| rank == "1");
        if words.first() != Some(&"info") || after("string").is_some() || !is_first {
            return;
        }
        let number = |key: &str| after(key).and_then(|word| word.parse().ok());
        let score = number("cp")
            .map(Announced::Centipawns)
            .or_else(|| number("mate").map(Announced::Mate));
        if score.is_some() {
            self.score = score;
            self.depth = after("depth")
                .and_then(|word| word.parse().ok())
                .or(self.depth);
        }
        self.nodes = after("nodes")
            .and_then(|word| word.parse().ok())
            .or(self.nodes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_counts() {
        let mut info = Info::default();
        info.hear_uci("info depth 7 seldepth 9 multipv 1 score cp -31 nodes 900 pv e2e4");
        info.hear_uci("info depth 7 multipv 2 score cp -50 nodes 950 pv d2d4");
        info.hear_uci("info depth 8 currmove e2e4 nodes 1000");
        info.hear_uci("info string score cp 77");
        info.hear_uci("bestmove e2e4");
        assert_eq!(info.score, Some(Announced::Centipawns(-31)));
        assert_eq!((info.depth, info.nodes), (Some(7), Some(1000)));
        info.hear_uci("info depth 9 score mate -3 nodes 2000");
        assert_eq!(info.score.unwrap().to_string(), "-M3");
        assert_eq!(info.score.unwrap().centipawns(), -100_000);
    }

    #[test]
    fn thinking_output_of_xboard_is_understood() {
        let mut info = Info::default();
        info.hear_xboard("8     23    18    79094  d3xe4  Nb8-c6");
        info.hear_xboard("move d3e4");
        info.hear_xboard("4 illegal lines");
        assert_eq!(info.score, Some(Announced::Centipawns(23)));
        assert_eq!((info.depth, info.nodes), (Some(8), Some(79094)));
    }
}
