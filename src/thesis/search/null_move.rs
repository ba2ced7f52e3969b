//! Null move and fail-high reduction at cut nodes (thesis 2.3, A8).

use super::searcher::{Searcher, Stopped};
use crate::game::{Evaluator, Game, Relation, Score, Value, Window};
use crate::thesis::tree::forget::ATTEMPTS;
use crate::thesis::tree::node::TreeNode;
use crate::thesis::tree::search_tree::NodeId;
use crate::thesis::tree::target::{NodeKind, Target};

/// At a lower remaining depth, a null move would only repeat the work of the evaluator.
const NULL_MOVE_DEPTH_MIN: u16 = 2;

/// The knowledge about a null move before it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PassQuestion {
    /// The node after it, and its target; `None` if a null move is not allowed or hopeless.
    Decided(Option<(NodeId, Target)>),
    /// The node after it is to be evaluated, and has this target.
    Open(Target),
}

impl<G: Game, E: Evaluator<G>> Searcher<'_, G, E> {
    /// Returns the target, one ply less deep if `v` is a cut node whose value meets the bound even after the
    /// opponent's threat [Feldmann 96].
    pub(crate) fn reduced_by_fail_high(&mut self, v: NodeId, target: Target) -> Target {
        let value = self.tree[v].value();
        if !self.params.fail_high_reduction
            || target.kind() == NodeKind::All
            || target.depth == 0
            || !value.supports(target.bound)
        {
            return target;
        }
        let threat = self.evaluator.threat(self.game);
        if threat >= Score::CENTIPAWNS_MAX || value.score - threat.raw() < target.bound.score() {
            return target;
        }
        Target {
            depth: target.depth - 1,
            ..target
        }
    }

    /// Returns the node after a null move at `v`, a cut node, and its target: the bound, at reduced depth, by a
    /// single strategy. If it is fulfilled, `v` has met its own target [Donninger 93]. `None` if a null move is
    /// not allowed or hopeless. The game is at `v`.
    pub(crate) fn pass_share(
        &mut self,
        v: NodeId,
        target: Target,
    ) -> Result<Option<(NodeId, Target)>, Stopped> {
        match self.pass_question(v, target) {
            PassQuestion::Decided(promising) => Ok(promising),
            PassQuestion::Open(share) => self.ask_pass(v, share),
        }
    }

    /// Returns the first question about a null move at `v`.
    pub(crate) fn pass_question(&self, v: NodeId, target: Target) -> PassQuestion {
        match self.pass_target(v, target) {
            None => PassQuestion::Decided(None),
            Some(share) if self.is_pass_decided(v, share) => {
                PassQuestion::Decided(self.supporting_pass(v, share))
            }
            Some(share) => PassQuestion::Open(share),
        }
    }

    /// Evaluates the node after a null move at `v`. Returns it with its target if it supports it.
    pub(crate) fn ask_pass(
        &mut self,
        v: NodeId,
        share: Target,
    ) -> Result<Option<(NodeId, Target)>, Stopped> {
        let window = self.params.window(share.bound.null_window());
        let (value, nodes) = evaluate_after_pass(self.game, self.evaluator, window);
        self.state.counters.count(nodes);
        self.take_pass(v, share, value)
    }

    /// Returns the target of the node after a null move at `v`; `None` if a null move is not allowed.
    fn pass_target(&self, v: NodeId, target: Target) -> Option<Target> {
        let allowed = self.params.null_move
            && target.kind() == NodeKind::Cut
            && target.depth >= NULL_MOVE_DEPTH_MIN
            && !target.bound.score().is_decisive()
            && self.tree[v].value().supports(target.bound);
        let reduction = self.params.null_move_reduction as u16;
        allowed.then(|| Target {
            depth: target.depth.saturating_sub(1 + reduction),
            conspiracy: 1,
            bound: target.bound.to_successor(),
        })
    }

    /// Whether the node after a null move at `v` need not be evaluated.
    fn is_pass_decided(&self, v: NodeId, share: Target) -> bool {
        let pass_successor = self.tree.pass_successor(v);
        pass_successor.is_some_and(|successor| {
            self.tree[successor].value().relation_to(share.bound) != Relation::Undecided
        })
    }

    /// Returns the node after a null move at `v` if it supports its target.
    fn supporting_pass(&self, v: NodeId, share: Target) -> Option<(NodeId, Target)> {
        let pass_successor = self.tree.pass_successor(v);
        let supporting =
            pass_successor.filter(|&successor| self.tree[successor].value().supports(share.bound));
        supporting.map(|successor| (successor, share))
    }

    /// Stores the value of the position after a null move at `v`, if a null move is possible there.
    pub(crate) fn take_pass(
        &mut self,
        v: NodeId,
        share: Target,
        value: Option<Value>,
    ) -> Result<Option<(NodeId, Target)>, Stopped> {
        let Some(value) = value else {
            return Ok(None);
        };
        match self.tree.pass_successor(v) {
            Some(pass_successor) => self.set_value_again(pass_successor, value),
            None => self.store_pass_successor(v, value)?,
        }
        self.poll()?;
        Ok(self.supporting_pass(v, share))
    }

    fn store_pass_successor(&mut self, v: NodeId, value: Value) -> Result<(), Stopped> {
        // The move stored with a pass is never read; that of `v` is at hand.
        let node = TreeNode::new(self.tree[v].mv(), value);
        let mut attempts = 0..ATTEMPTS;
        while self.tree.set_pass_successor(v, node).is_err() {
            self.make_room(&mut attempts)?;
        }
        Ok(())
    }
}

/// Returns the value of the position after a null move, and the nodes that the evaluator has searched, if it was
/// called. The value is `None` if no null move is possible, or if the game ends by it: an illegal move proves
/// nothing.
pub(crate) fn evaluate_after_pass<G: Game>(
    game: &mut G,
    evaluator: &mut impl Evaluator<G>,
    window: Window,
) -> (Option<Value>, Option<u64>) {
    if !game.pass() {
        return (None, None);
    }
    let valuation = match game.end_score() {
        Some(_) => None,
        None => Some(evaluator.evaluate(game, window)),
    };
    game.undo();
    let nodes = valuation.map(|it| it.nodes);
    (valuation.map(|it| Value::of(it, window)), nodes)
}

#[cfg(test)]
mod tests {
    use crate::game::synthetic::{GrownGame, Shape};
    use crate::game::{Game, Heuristic, Patience, Score};
    use crate::thesis::search::searcher::TestSearch;

    /// A grown tree in which the side to move has no move after a pass, as in a chess stalemate.
    struct PassEnds {
        inner: GrownGame,
        passed: bool,
    }

    impl Game for PassEnds {
        type Move = <GrownGame as Game>::Move;

        fn key(&self) -> u64 {
            self.inner.key()
        }
        fn legal_moves(&self, moves: &mut Vec<Self::Move>) {
            if !self.passed {
                self.inner.legal_moves(moves);
            }
        }
        fn play(&mut self, mv: Self::Move) {
            assert!(!self.passed, "the game is over");
            self.inner.play(mv);
        }
        fn undo(&mut self) {
            if !std::mem::take(&mut self.passed) {
                self.inner.undo();
            }
        }
        fn end_score(&self) -> Option<Score> {
            if self.passed {
                Some(Score::MATED)
            } else {
                self.inner.end_score()
            }
        }
        fn pass(&mut self) -> bool {
            self.passed = true;
            true
        }
    }

    impl Heuristic for PassEnds {
        fn heuristic(&self) -> Score {
            self.inner.heuristic()
        }
    }

    #[test]
    fn a_pass_that_ends_the_game_proves_nothing() {
        let decide = |null_move| {
            let inner = GrownGame::new(Shape {
                order: 0.5,
                ..Shape::uniform(3, 4, 7)
            });
            let mut game = PassEnds {
                inner,
                passed: false,
            };
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            let mut search = TestSearch::new(1 << 16);
            search.params.null_move = null_move;
            let schedule = search.params.middle_game_schedule();
            let mut listener = Patience(usize::MAX);
            let mut searcher = search.searcher(&mut game, &mut listener);
            (searcher.analyse(&moves, schedule, 6), searcher.counters())
        };
        assert_eq!(decide(true), decide(false));
    }
}
