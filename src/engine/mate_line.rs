//! The rest of a variation whose score announces a mate: a search knows the distance before its tree holds the moves.

use crate::chess::{Line, Move};
use crate::game::{Game, Score};

/// Positions visited to find the rest; about two milliseconds. Longer mates stay shown by their beginning.
const NODES_MAX: u32 = 15_000;

/// The variation with its forced end, if a short search finds one of exactly the announced length; else as it was.
pub fn completed(line: &Line, variation: Vec<Move>, score: Score) -> Vec<Move> {
    let plies = score.mate_distance().map_or(0, i32::unsigned_abs) as usize;
    if plies <= variation.len() {
        return variation;
    }
    let mut line = line.clone();
    for &mv in &variation {
        line.play(mv);
    }
    let rest = (plies - variation.len()) as u32;
    let is_mating = (score > Score::DRAW) == variation.len().is_multiple_of(2);
    let mut solver = Solver {
        line,
        nodes_left: NODES_MAX,
    };
    let end = if is_mating {
        solver.attack(rest)
    } else {
        solver.defend(rest)
    };
    match end {
        Some(end) if end.len() == rest as usize => [variation, end].concat(),
        _ => variation,
    }
}

struct Solver {
    line: Line,
    nodes_left: u32,
}

impl Solver {
    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.line.legal_moves(&mut moves);
        moves
    }

    /// The quickest mate within `plies` (odd) by the side to move.
    fn attack(&mut self, plies: u32) -> Option<Vec<Move>> {
        let moves = self.moves();
        (1..=plies)
            .step_by(2)
            .find_map(|plies| moves.iter().find_map(|&mv| self.tried(mv, plies)))
    }

    /// The variation that begins with this move, if it mates within `plies`.
    fn tried(&mut self, mv: Move, plies: u32) -> Option<Vec<Move>> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        self.line.play(mv);
        // The last move of a mate gives check.
        let can_mate = plies > 1 || self.line.position().is_check();
        let rest = if can_mate {
            self.defend(plies - 1)
        } else {
            None
        };
        self.line.undo();
        rest.map(|rest| [vec![mv], rest].concat())
    }

    /// The longest resistance of the side to move, if it is mated within `plies` (even) whatever it does.
    fn defend(&mut self, plies: u32) -> Option<Vec<Move>> {
        let moves = self.moves();
        if moves.is_empty() {
            return self.line.position().is_check().then(Vec::new);
        }
        if plies == 0 || self.line.end_score().is_some() {
            return None;
        }
        let mut longest = Vec::new();
        for mv in moves {
            self.line.play(mv);
            let answer = self.attack(plies - 1);
            self.line.undo();
            let variation = [vec![mv], answer?].concat();
            if variation.len() > longest.len() {
                longest = variation;
            }
        }
        Some(longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::{parse_fen, parse_uci_move, san};

    fn complete(fen: &str, moves: &[&str], score: Score) -> String {
        let root = parse_fen(fen).unwrap();
        let mut position = root.clone();
        let mut variation = Vec::new();
        for text in moves {
            let mv = parse_uci_move(&position, text).unwrap();
            variation.push(mv);
            position = position.after(mv);
        }
        let mut position = root.clone();
        let mut words = Vec::new();
        for mv in completed(&Line::new(root), variation, score) {
            words.push(san(&position, mv));
            position = position.after(mv);
        }
        words.join(" ")
    }

    #[test]
    fn mates_of_both_sides_are_completed() {
        let rooks = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
        assert_eq!(complete(rooks, &[], Score::mate_in(3)), "Rg1 Kh7 Rh2#");
        assert_eq!(
            complete(rooks, &["b1b7"], Score::mate_in(3)),
            "Rb7 Kg8 Ra8#"
        );
        let black = "7k/1R6/8/8/8/8/R7/7K b - - 0 1";
        assert_eq!(complete(black, &[], Score::mated_in(2)), "Kg8 Ra8#");
        assert_eq!(complete(black, &["h8g8"], Score::mated_in(2)), "Kg8 Ra8#");
    }

    #[test]
    fn what_is_not_found_or_no_mate_stays_as_it_was() {
        let rooks = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
        assert_eq!(complete(rooks, &["b1g1"], Score::centipawns(900)), "Rg1");
        assert_eq!(complete(rooks, &["h1h2"], Score::mate_in(3)), "Kh2");
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(complete(start, &["e2e4"], Score::mate_in(21)), "e4");
    }
}
