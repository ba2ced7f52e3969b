//! The root loop of a search that works alone: the director's rounds, until it plans no more.

use super::decision::Decision;
use super::director::Director;
use crate::game::{Evaluator, Game};
use crate::thesis::search::searcher::{Searcher, Stopped};
use crate::thesis::search::split::SuccessorTarget;
use crate::thesis::tree::search_tree::Tree;
use crate::thesis::tree::target::Schedule;

impl<G: Game, E: Evaluator<G>> Searcher<'_, G, E> {
    /// Follows the schedule until the requirement of depth `depth_max` with the schedule's conspiracy is met. It
    /// ends earlier if the decision cannot change any more or the listener stops the search. Only `moves` (some
    /// legal moves, at least one) count.
    pub fn analyse(
        &mut self,
        moves: &[G::Move],
        schedule: Schedule,
        depth_max: u16,
    ) -> Decision<G::Move> {
        self.direct(Director::new(moves, schedule, depth_max, self.pv_count))
    }

    /// Works on the director's targets until it plans no more or the listener stops the search.
    pub(crate) fn direct(&mut self, mut director: Director<G::Move>) -> Decision<G::Move> {
        while let Ok(Some(shares)) = self.plan(&mut director) {
            if self.work_through(&mut director, &shares).is_err() {
                break;
            }
        }
        director.decision(self.tree)
    }

    /// Works on the targets of one round at the root until one is missed.
    fn work_through(
        &mut self,
        director: &mut Director<G::Move>,
        shares: &[SuccessorTarget],
    ) -> Result<(), Stopped> {
        let root = Tree::<G::Move>::ROOT;
        for (place, share) in shares.iter().enumerate() {
            let verdict = self.descend(self.tree.successor(root, share.index), share.target);
            self.tree.update_value(root);
            self.note(director, place, verdict?);
            if director.is_missed() {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Patience;
    use crate::game::synthetic::{GrownGame, Shape};
    use crate::thesis::search::searcher::TestSearch;
    use crate::thesis::tree::invariants::stale_values;

    /// The tree is kept: results from before the stop must not be hidden by older values.
    #[test]
    fn a_stopped_analysis_leaves_no_stale_value() {
        for seed in 0..300 {
            let mut game = GrownGame::new(Shape {
                order: 0.6,
                noise_cp: 400,
                ..Shape::uniform(seed, 12, 12)
            });
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            let mut listener = Patience(20 + 13 * seed as usize);
            let mut search = TestSearch::new(1 << 16);
            let mut searcher = search.searcher(&mut game, &mut listener);
            let schedule = Schedule {
                conspiracy_max: 2,
                rise_depth: 2,
                elementary: false,
            };
            searcher.analyse(&moves, schedule, 9);
            assert_eq!(stale_values(&search.tree), 0, "seed {seed}");
        }
    }
}
