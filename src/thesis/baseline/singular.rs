//! Singular extensions (Anantharaman, Campbell, Hsu 1988): a move much better than all others is searched one ply
//! deeper.

use super::{Explorer, explorer::above};
use crate::game::{Evaluator, Game, Score, Window};

/// The conditions for a singular move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Singularity {
    /// The margin by which all other moves must be worse, in centipawns.
    pub margin_cp: i16,
    /// The minimum remaining depth of an examined node; at least 1.
    pub depth_min: u16,
    /// The depth reduction of the examining searches compared with the search itself, at least 1.
    pub reduction: u16,
    /// The maximum number of extensions in a line.
    pub extensions_max: u16,
}

impl<G: Game, E: Evaluator<G>> Explorer<'_, G, E> {
    /// [`Explorer::alphabeta`] with singular moves extended by one ply each.
    pub fn singular(&mut self, singularity: Singularity, window: Window, depth: u16) -> Score {
        if let Some(score) = self.visit(window, depth) {
            return score;
        }
        let moves = self.moves();
        let singular = self.singular_move(singularity, &moves, depth);
        let mut best = Score::MIN;
        for &mv in &moves {
            let open = above(window, best).to_successor();
            let (rule, depth) = if singular == Some(mv) {
                (
                    Singularity {
                        extensions_max: singularity.extensions_max - 1,
                        ..singularity
                    },
                    depth,
                )
            } else {
                (singularity, depth - 1)
            };
            best = best.max(self.after(mv, |explorer| explorer.singular(rule, open, depth)));
            if best >= window.beta() {
                break;
            }
        }
        best
    }

    /// Returns the move that a shallower search finds better than all others by more than the margin.
    fn singular_move(
        &mut self,
        singularity: Singularity,
        moves: &[G::Move],
        depth: u16,
    ) -> Option<G::Move> {
        if singularity.extensions_max == 0 || depth < singularity.depth_min {
            return None;
        }
        let shallow = depth.saturating_sub(1 + singularity.reduction);
        let mut ranked: Vec<_> = moves
            .iter()
            .map(|&mv| {
                (
                    self.after(mv, |explorer| explorer.alphabeta(Window::FULL, shallow)),
                    mv,
                )
            })
            .collect();
        ranked.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
        let (best, mv) = ranked[0];
        let alone = ranked
            .get(1)
            .is_none_or(|&(second, _)| second < best - singularity.margin_cp);
        alone.then_some(mv)
    }
}
