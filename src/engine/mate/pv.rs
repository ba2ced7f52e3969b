//! Completes a variation whose score announces a mate: a search finds the distance before its tree has the moves.

use super::prover::forced_end;
use crate::chess::{Line, Move, Position};
use crate::game::{Score, Tablebase};

/// Nodes for the rest of one variation, in any case; about ten milliseconds.
const NODES_MIN: u64 = 20_000;
/// Beyond that, one node for so many of the search.
const SEARCH_SHARE: u64 = 8;

/// Completes the variations of one search and stores them, because the same mate is announced repeatedly.
#[derive(Debug, Default)]
pub(crate) struct MateLines {
    complete: Vec<Vec<Move>>,
    /// Spent on proofs so far.
    nodes: u64,
}

impl MateLines {
    /// Gives the variation (legal, at least one move) its forced end if it announces a mate and the end can be proved,
    /// with what `tablebase` knows, within a share of the work of a search of `search_nodes` nodes so far. If the
    /// variation leaves the mate, only its first move is kept. A shorter mate is announced with its true distance.
    pub(crate) fn complete(
        &mut self,
        line: &Line,
        variation: Vec<Move>,
        score: Score,
        tablebase: Option<&dyn Tablebase<Position>>,
        search_nodes: u64,
    ) -> (Vec<Move>, Score) {
        let plies = score.mate_distance().map_or(0, i32::unsigned_abs) as usize;
        if plies == 0 || variation.len() == plies && ends_in_mate(line.position(), &variation) {
            return (variation, score);
        }
        let known = (self.complete.iter())
            .find(|known| known.len() == plies && known.starts_with(&variation));
        if let Some(known) = known {
            return (known.clone(), score);
        }
        let allowed = NODES_MIN.max((search_nodes / SEARCH_SHARE).saturating_sub(self.nodes));
        let root = line.position();
        let whole = self.end_of(root, &variation, plies, tablebase, allowed);
        let is_right = |found: &Vec<Move>| found.len() == plies;
        let found = whole.filter(is_right).or_else(|| {
            let first = &variation[..variation.len().min(1)];
            self.end_of(root, first, plies, tablebase, allowed)
        });
        let Some(found) = found else {
            return (variation, score);
        };
        let score = if score > Score::DRAW {
            Score::mate_in(found.len() as u16)
        } else {
            Score::mated_in(found.len() as u16)
        };
        self.complete.push(found.clone());
        (found, score)
    }

    /// These moves with a forced end to mate in at most `plies` plies from the root.
    fn end_of(
        &mut self,
        root: &Position,
        moves: &[Move],
        plies: usize,
        tablebase: Option<&dyn Tablebase<Position>>,
        nodes_max: u64,
    ) -> Option<Vec<Move>> {
        let position = moves.iter().fold(root.clone(), |at, &mv| at.after(mv));
        let rest = u16::try_from(plies.checked_sub(moves.len())?).ok()?;
        let end = forced_end(&position, rest, tablebase, nodes_max, &mut self.nodes)?;
        let all = [moves, &end].concat();
        ends_in_mate(root, &all).then_some(all)
    }
}

/// A mate is announced with all its moves. If they are not known yet, the score is a win (or loss) of unknown distance,
/// as from tables without distances.
pub(crate) fn as_far_as_shown(root: &Position, score: Score, variation: &[Move]) -> Score {
    let plies = score.mate_distance().map_or(0, i32::unsigned_abs) as usize;
    if plies == 0 || plies == variation.len() && ends_in_mate(root, variation) {
        score
    } else if score > Score::DRAW {
        Score::tablebase_win_in(plies as u16)
    } else {
        -Score::tablebase_win_in(plies as u16)
    }
}

fn ends_in_mate(root: &Position, moves: &[Move]) -> bool {
    let last = moves.iter().fold(root.clone(), |at, &mv| at.after(mv));
    last.end_score() == Some(Score::MATED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::{parse_fen, parse_uci_move, san};
    use crate::endgame::probe::{Own, TableParams, Tables};
    use std::sync::Arc;

    fn complete(fen: &str, moves: &[&str], score: Score) -> (String, Score) {
        complete_with(None, fen, moves, score)
    }

    fn complete_with(
        tablebase: Option<&dyn Tablebase<Position>>,
        fen: &str,
        moves: &[&str],
        score: Score,
    ) -> (String, Score) {
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
        let (found, score) =
            MateLines::default().complete(&Line::new(root), variation, score, tablebase, 1_000);
        for mv in found {
            words.push(san(&position, mv));
            position = position.after(mv);
        }
        (words.join(" "), score)
    }

    fn line(text: &str, score: Score) -> (String, Score) {
        (text.to_owned(), score)
    }

    #[test]
    fn mates_of_both_sides_are_completed() {
        let rooks = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
        let mate = Score::mate_in(3);
        assert_eq!(complete(rooks, &["b1g1"], mate), line("Rg1 Kh7 Rh2#", mate));
        assert_eq!(complete(rooks, &["b1b7"], mate), line("Rb7 Kg8 Ra8#", mate));
        let black = "7k/1R6/8/8/8/8/R7/7K b - - 0 1";
        let mated = Score::mated_in(2);
        assert_eq!(complete(black, &["h8g8"], mated), line("Kg8 Ra8#", mated));
    }

    #[test]
    fn a_mate_that_is_nearer_is_announced_as_such() {
        let rooks = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
        assert_eq!(
            complete(rooks, &["b1b7"], Score::mate_in(9)),
            line("Rb7 Kg8 Ra8#", Score::mate_in(3))
        );
    }

    #[test]
    fn what_is_not_found_or_no_mate_stays_as_it_was() {
        let rooks = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
        for (fen, mv, score) in [
            (rooks, "b1g1", Score::centipawns(900)),
            (rooks, "h1h2", Score::mate_in(3)),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "e2e4",
                Score::mate_in(21),
            ),
        ] {
            let (found, kept) = complete(fen, &[mv], score);
            assert_eq!((found.split(' ').count(), kept), (1, score), "{fen}");
        }
    }

    /// Tables with three men know the mate after the pawn is taken, which is far beyond the nodes of a proof.
    #[test]
    fn what_tables_know_ends_a_variation() {
        let tables = Tables::new(
            Some(Arc::new(Own::built_in())),
            None,
            TableParams::default(),
        );
        let taken = parse_fen("8/1k6/8/8/8/8/K7/7R b - - 0 2").unwrap();
        let score = tables.score(&taken, 0).unwrap().to_parent().to_parent();
        let plies = score.mate_distance().unwrap().unsigned_abs() as usize;
        assert!(plies > 20, "{score}");
        let fen = "k7/8/8/8/8/8/p7/K6R b - - 0 1";
        for moves in [&["a8b7"][..], &["a8b7", "a1a2"]] {
            let (words, found) = complete_with(Some(&tables), fen, moves, score);
            assert!(words.starts_with("Kb7 Kxa2"), "{words}");
            assert_eq!(words.split(' ').count(), plies, "{words}");
            assert!(words.ends_with('#'), "{words}");
            assert_eq!(found, score);
            assert_eq!(
                complete(fen, moves, score).0.split(' ').count(),
                moves.len()
            );
        }
    }

    #[test]
    fn a_mate_that_cannot_be_shown_is_a_win_of_unknown_length() {
        let root = parse_fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1").unwrap();
        let moves = ["b1g1", "h8h7", "a2h2"];
        let mut position = root.clone();
        let mut variation = Vec::new();
        for text in moves {
            variation.push(parse_uci_move(&position, text).unwrap());
            position = position.after(*variation.last().unwrap());
        }
        let shown = |plies: u16, moves: usize| {
            as_far_as_shown(&root, Score::mate_in(plies), &variation[..moves])
        };
        assert_eq!(shown(3, 3), Score::mate_in(3));
        assert_eq!(shown(3, 2), Score::tablebase_win_in(3));
        assert_eq!(shown(1, 1), Score::tablebase_win_in(1), "no mate");
        let lost = as_far_as_shown(&root, Score::mated_in(4), &variation);
        assert_eq!(lost, -Score::tablebase_win_in(4));
        let even = Score::centipawns(-300);
        assert_eq!(as_far_as_shown(&root, even, &variation), even);
    }
}
