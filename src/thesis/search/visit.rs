//! The beginning and the end of a visit of a node, for every driver of the search (Fig. 2.7).

use super::searcher::Searcher;
use crate::game::{Evaluator, Game};
use crate::thesis::tree::search_tree::NodeId;
use crate::thesis::tree::target::{Target, Verdict};

/// The maximum number of passes through expansion and split. Without the accelerations every pass settles a
/// successor for good (Theorem 2.2-4); with them the value of a node may change for ever.
pub(crate) const PASSES_MAX: u16 = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visit {
    /// There is nothing to do.
    Settled(Verdict),
    /// This target, perhaps at less depth than required, is to be worked on.
    Open(Target),
}

impl<G: Game, E: Evaluator<G>> Searcher<'_, G, E> {
    /// Begins to work on `target` at `v`, where the game is, `level` plies from the root.
    pub(crate) fn enter(&mut self, v: NodeId, target: Target, level: usize) -> Visit {
        self.state.counters.visits += 1;
        self.state.counters.level_max = self.state.counters.level_max.max(level as u16);
        if self.tree[v].is_end() {
            return Visit::Settled(self.verdict(v, target));
        }
        if target.bound.is_certain()
            || target.is_trivial() && self.tree[v].value().supports(target.bound)
        {
            return Visit::Settled(Verdict::Met);
        }
        if level >= self.state.level_limit {
            self.state.counters.given_up += 1;
            return Visit::Settled(self.verdict(v, target));
        }
        if self.params.target_tables
            && self.is_remembered(target)
            && !self.is_off_target(v, target.bound)
        {
            self.state.counters.table_hits += 1;
            return Visit::Settled(Verdict::Met);
        }
        let reduced = self.reduced_by_fail_high(v, target);
        if reduced.is_trivial() && self.tree[v].value().supports(reduced.bound) {
            self.remember(target, Verdict::Met);
            return Visit::Settled(Verdict::Met);
        }
        Visit::Open(reduced)
    }

    /// Stores the outcome of a target in the tables; the game is at its node.
    pub(crate) fn remember(&mut self, target: Target, verdict: Verdict) {
        if !self.params.target_tables {
            return;
        }
        let key = self.game.key();
        self.targets.note(key, target, verdict);
    }

    /// Whether the tables contain the target as met at the current position.
    pub(crate) fn is_remembered(&mut self, target: Target) -> bool {
        self.targets.is_met(self.game.key(), target)
    }

    fn verdict(&self, v: NodeId, target: Target) -> Verdict {
        if self.is_off_target(v, target.bound) {
            Verdict::Missed
        } else {
            Verdict::Met
        }
    }
}
