//! What has grown at a position moves to where the position is asked about next.
//!
//! The tree knows no positions, only ways to them: where two ways lead to one position, each has a node of its own. A single
//! worker comes to them in the same order at every depth, so that one of them grows and the other finds in the tables what
//! was met there. Of many workers now one comes first and now another, and each node would grow anew.

use super::worker::Worker;
use crate::cc2s::tree::node::Node;
use crate::game::{Game, Score};
use crate::parallel::task::in_progress::Admission;
use crate::parallel::task::problem::TaskId;

impl<G: Game> Worker<G> {
    /// Lets the node of a problem that is to begin have what has grown before at the position of that key, where the game
    /// stands, if it has nothing itself and nobody works there.
    ///
    /// As with target tables it is the position that counts, not the way to it, except where a move leads to a draw: that may
    /// be one by repetition.
    pub(crate) fn take_over(&mut self, id: TaskId, key: u64) -> Admission {
        let is_free = !self.tasks.is_in_progress_at(key);
        let task = self.tasks.get_mut(id);
        let is_sent =
            (task.client).is_some_and(|client| client.employer != self.sharing.pending.id);
        if !is_sent || !self.search.params.target_tables || !self.sharing.team.subtree_reuse {
            return Admission::Begins;
        }
        let frame = &mut task.frames[0];
        let node = frame.node;
        let before = self.reusable.replace(key, node);
        let is_draw =
            |successor: &Node<_>| successor.is_end() && successor.value().score == Score::DRAW;
        let tree = &mut self.search.tree;
        let Some(before) = before.filter(|&before| {
            is_free
                && before != node
                && tree.is_leaf(node)
                && !tree.is_leaf(before)
                && !tree.successors(before).iter().any(is_draw)
        }) else {
            return Admission::Begins;
        };
        let (own, sent) = (tree[before].value(), tree[node].value());
        let bound = frame.demanded.bound;
        tree.move_below(before, node);
        tree[node].set_value(own);
        match self.reconcile(node, sent, bound) {
            Some(state) => {
                self.tasks.get_mut(id).frames[0].state = state;
                Admission::Begins
            }
            None => Admission::Missed,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cc2s::NodeAddress;
    use crate::parallel::cluster::admission::tests::{
        EMPLOYER, LEFT, RIGHT, TestHost, place, problem,
    };
    use crate::parallel::{Message, ProblemCode};

    /// How many successors are stored where the two problems have begun.
    fn grown(host: &TestHost) -> [usize; 2] {
        [0, 1].map(|address| {
            let node = host.worker.node_at(EMPLOYER, NodeAddress(address));
            host.worker.tree().successors(node.unwrap()).len()
        })
    }

    #[test]
    fn a_problem_finds_what_another_has_left() {
        let mut host = TestHost::with([problem(0, LEFT, place(1), 3)]);
        host.handed_out();
        host.take(Message::Stop(ProblemCode(0)));
        host.take(Message::Problem(problem(1, RIGHT, place(2), 4)));
        let successors = grown(&host)[0];
        assert!(successors > 20);
        host.handed_out();
        assert_eq!(grown(&host), [0, successors]);
    }

    #[test]
    fn what_somebody_works_on_stays() {
        let left = problem(0, LEFT, place(1), 3);
        let right = problem(1, RIGHT, place(2), 4);
        let mut host = TestHost::with([left, right]);
        host.handed_out();
        let [left, right] = grown(&host);
        assert!(left > 20 && left == right);
    }

    #[test]
    fn what_was_given_back_is_not_looked_for() {
        let mut host = TestHost::with([problem(0, LEFT, place(1), 3)]);
        host.handed_out();
        host.take(Message::Stop(ProblemCode(0)));
        host.take(Message::Forget(NodeAddress(0)));
        host.take(Message::Problem(problem(1, RIGHT, place(2), 3)));
        assert!(!host.handed_out().is_empty());
    }
}
