//! What another search says of the root, taken over and put to the test.

use super::decide::Director;
use super::recursive::Searcher;
use super::root::{Decision, Monitor};
use super::target::{Requirement, Schedule};
use super::tree::Tree;
use super::value::Value;
use crate::game::{Evaluator, Game, Score};

/// The best moves as another search sees them, best first, each with its score in the root's view; at least one.
pub type Belief<M> = Vec<(M, Score)>;

impl<G: Game, E: Evaluator<G>, W: Monitor<G::Move>> Searcher<'_, G, E, W> {
    /// [`Searcher::analyse`] from the requirement that follows `met` on, with hypotheses that are believed at first: the
    /// moves of `belief` are worth their scores, all others at most the last of these. What the tree holds against it is
    /// forgotten. The decision shows what became of it; without a met requirement beyond `met` it is the belief itself.
    pub fn secure(
        &mut self,
        moves: &[G::Move],
        belief: &[(G::Move, Score)],
        (schedule, met, depth_max): (Schedule, Requirement, u16),
    ) -> Decision<G::Move> {
        assert!(!belief.is_empty(), "a belief names a move");
        self.status.met = met;
        let director = Director::new(moves, schedule, depth_max, belief.len());
        self.direct(director.believing(belief, met))
    }

    /// Gives the root's moves the values they are believed to have.
    pub(super) fn believe(&mut self, belief: &[(G::Move, Score)]) {
        let root = Tree::<G::Move>::ROOT;
        let Some(&(_, last)) = belief.last() else {
            return;
        };
        for index in 0..self.tree[root].kid_count() {
            let kid = self.tree.kid(root, index);
            if self.tree[kid].is_end() {
                continue;
            }
            let mv = self.tree[kid].mv();
            let own = belief.iter().find(|&&(believed, _)| believed == mv);
            let value = own.map_or(Value::at_most(last), |&(_, score)| Value::exact(score));
            self.tree.forget_below(kid);
            self.tree[kid].set_value(value.to_parent());
        }
        self.tree.update_value(root);
    }
}
