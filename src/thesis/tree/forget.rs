//! Forgetting of nodes when the tree is full: refuted lines, then the deepest levels.

use std::collections::BTreeSet;

use super::search_tree::{NodeId, Tree};

/// Successors of a refuting node whose subtrees are kept: the two strategies of a conspiracy.
const KEPT_SUCCESSORS: usize = 2;
/// The number of attempts to make room for one node, each more radical than the last.
pub(crate) const ATTEMPTS: usize = 4;

impl<M: Copy + Eq> Tree<M> {
    /// Frees more slots the greater `attempt`, of [`ATTEMPTS`], is; the nodes of `path` and their successors are
    /// spared.
    pub(crate) fn make_room(&mut self, path: &[NodeId], attempt: usize) {
        let goal = self.capacity() / 4 * (ATTEMPTS - 1 - attempt);
        // A set: with many tasks there are thousands, and every node of the tree is looked up in it.
        let spared = path.iter().copied().collect();
        let levels = self.forget_refuted(&spared);
        if self.used() > goal {
            self.forget_deep(&spared, &levels, goal);
        }
    }

    /// Forgets the subtrees of successors that do not support the lower bound of their parent. Returns the number
    /// of nodes left on each level. O(nodes log spared).
    fn forget_refuted(&mut self, spared: &BTreeSet<NodeId>) -> Vec<usize> {
        let mut levels = Vec::new();
        let mut open = self.open_roots();
        while let Some((v, level)) = open.pop() {
            if levels.len() <= level {
                levels.resize(level + 1, 0);
            }
            levels[level] += 1;
            if !spared.contains(&v) && self[v].value().bounds_below() {
                self.forget_all_but_the_best(v);
            }
            self.open_successors(v, level, &mut open);
        }
        levels
    }

    fn forget_all_but_the_best(&mut self, v: NodeId) {
        let mut by_score: Vec<usize> = (0..self[v].successor_count()).collect();
        by_score.sort_by_key(|&index| {
            std::cmp::Reverse(self.successors(v)[index].value().to_parent().score)
        });
        for &index in by_score.iter().skip(KEPT_SUCCESSORS) {
            self.forget_below(self.successor(v, index));
        }
    }

    /// Forgets whole levels, the deepest first, until at most `goal` slots are used. O(nodes log spared).
    fn forget_deep(&mut self, spared: &BTreeSet<NodeId>, levels: &[usize], goal: usize) {
        let mut excess = self.used().saturating_sub(goal);
        let mut cut = levels.len();
        while cut > 1 && excess > 0 {
            cut -= 1;
            excess = excess.saturating_sub(levels[cut]);
        }
        let mut open = self.open_roots();
        while let Some((v, level)) = open.pop() {
            if level + 1 >= cut && !spared.contains(&v) {
                self.forget_below(v);
            } else {
                self.open_successors(v, level, &mut open);
            }
        }
    }

    fn open_roots(&self) -> Vec<(NodeId, usize)> {
        let roots = self.roots();
        roots
            .map(|(root, level)| (root, usize::from(level)))
            .collect()
    }

    fn open_successors(&self, v: NodeId, level: usize, open: &mut Vec<(NodeId, usize)>) {
        open.extend(
            (0..self[v].successor_count()).map(|index| (self.successor(v, index), level + 1)),
        );
        open.extend(self.pass_successor(v).map(|pass| (pass, level + 1)));
    }
}
