//! Variations against the rules.

use crate::chess::{Line, Move};
use crate::game::Game;

/// The moves up to the first illegal one, or up to the end of the game by mate, stalemate, third repetition or 50
/// moves.
pub(super) fn legal_part(line: &Line, moves: &[Move]) -> Vec<Move> {
    let mut line = line.clone();
    let mut kept = Vec::new();
    let mut legal = Vec::new();
    for &mv in moves {
        legal.clear();
        line.legal_moves(&mut legal);
        if !legal.contains(&mv) {
            break;
        }
        kept.push(mv);
        line.play(mv);
        if line.position().end_score().is_some() || line.repetitions() > 1 {
            break;
        }
    }
    kept
}

/// Whether the game is over after these legal moves.
pub(super) fn ends_game(line: &Line, moves: &[Move]) -> bool {
    let mut line = line.clone();
    for &mv in moves {
        line.play(mv);
    }
    line.position().end_score().is_some() || line.repetitions() > 1
}
