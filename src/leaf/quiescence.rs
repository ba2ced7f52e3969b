//! Quiescence: plays out captures and promotions, and answers every check, until standing still is safe.

use super::alphabeta::{INFINITE, MATE, Searcher, is_noisy};
use crate::chess::Line;
use crate::eval;
use crate::game::{Game, Score};

/// Deeper than any sensible exchange; ends series of checks.
const PLY_MAX: i32 = 96;

impl Searcher {
    pub(super) fn quiescence(&mut self, line: &mut Line, ply: i32, alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if let Some(score) = line.end_score() {
            return if score == Score::MATED { ply - MATE } else { 0 };
        }
        let in_check = line.position().is_check();
        let mut best = if in_check {
            -INFINITE
        } else {
            eval::evaluate(line.position())
        };
        if best >= beta || ply >= PLY_MAX {
            return if in_check && best == -INFINITE {
                eval::evaluate(line.position())
            } else {
                best
            };
        }
        let mut floor = alpha.max(best);
        let moves = self.ordered_moves(line, None, |mv| in_check || is_noisy(line.position(), mv));
        for mv in moves {
            line.play(mv);
            let score = -self.quiescence(line, ply + 1, -beta, -floor);
            line.undo();
            best = best.max(score);
            floor = floor.max(score);
            if floor >= beta {
                break;
            }
        }
        best
    }
}
