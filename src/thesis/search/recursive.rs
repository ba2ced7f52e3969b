//! The search procedure (Fig. 2.7).

use super::searcher::{Searcher, Stopped};
use super::split::{self, SuccessorTarget};
use super::visit::{PASSES_MAX, Visit};
use crate::game::{Evaluator, Game};
use crate::thesis::tree::search_tree::NodeId;
use crate::thesis::tree::target::{Target, Verdict};

impl<G: Game, E: Evaluator<G>> Searcher<'_, G, E> {
    /// Tries to fulfil `target` at `v`, where the game is (Fig. 2.7).
    ///
    /// `Met`: the target is fulfilled. `Missed`: the value of `v` has changed and contradicts the bound.
    pub(crate) fn search(&mut self, v: NodeId, target: Target) -> Result<Verdict, Stopped> {
        self.state.path.push(v);
        let verdict = match self.enter(v, target, self.state.path.len() - 1) {
            Visit::Settled(verdict) => Ok(verdict),
            Visit::Open(reduced) => self.search_anew(v, reduced).inspect(|&verdict| {
                self.remember(target, verdict);
            }),
        };
        self.state.path.pop();
        verdict
    }

    fn search_anew(&mut self, v: NodeId, target: Target) -> Result<Verdict, Stopped> {
        if self.holds_after_pass(v, target)? {
            return Ok(Verdict::Met);
        }
        let mut shares = Vec::new();
        for _ in 0..PASSES_MAX {
            self.partial_expansion(v, target)?;
            if self.is_off_target(v, target.bound) {
                return Ok(Verdict::Missed);
            }
            shares.clear();
            split::split(self.tree, v, target, self.params, &mut shares);
            if let Some(verdict) = self.visit(v, target, &shares)? {
                return Ok(verdict);
            }
        }
        self.state.counters.given_up += 1;
        Ok(Verdict::Met)
    }

    /// Whether `v`, a cut node, holds its bound after a null move, and so has met its target.
    fn holds_after_pass(&mut self, v: NodeId, target: Target) -> Result<bool, Stopped> {
        let Some((pass_successor, share)) = self.pass_share(v, target)? else {
            return Ok(false);
        };
        let has_passed = self.game.pass();
        assert!(has_passed, "a null move was possible a moment ago");
        let verdict = self.search(pass_successor, share);
        self.game.undo();
        Ok(verdict? == Verdict::Met)
    }

    fn partial_expansion(&mut self, v: NodeId, target: Target) -> Result<(), Stopped> {
        let mut expansion = self.begin_expansion(v, target);
        while let Some(question) = self.next_question(v, &mut expansion) {
            if let Err(stopped) = self.answer(v, question) {
                self.tree.update_value(v);
                return Err(stopped);
            }
        }
        Ok(())
    }

    /// Works on the shares in order. Returns `None` if one was missed but `v` is still on target, so its target
    /// must be split anew.
    fn visit(
        &mut self,
        v: NodeId,
        target: Target,
        shares: &[SuccessorTarget],
    ) -> Result<Option<Verdict>, Stopped> {
        for share in shares {
            let successor = self.tree.successor(v, share.index);
            let verdict = self.descend(successor, share.target);
            self.tree.update_value(v);
            let verdict = verdict?;
            if self.is_off_target(v, target.bound) {
                return Ok(Some(Verdict::Missed));
            }
            if verdict == Verdict::Missed {
                return Ok(None);
            }
        }
        Ok(Some(Verdict::Met))
    }

    /// Plays the move to `successor`, searches there, and undoes the move.
    pub(crate) fn descend(
        &mut self,
        successor: NodeId,
        target: Target,
    ) -> Result<Verdict, Stopped> {
        self.game.play(self.tree[successor].mv());
        let verdict = self.search(successor, target);
        self.game.undo();
        verdict
    }
}
