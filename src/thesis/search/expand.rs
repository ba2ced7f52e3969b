//! Partial expansion: the evaluation of successors, as exactly as needed (Figs. 2.14, 2.15).
//!
//! The figure is a loop over all successors. Here those with a node come first, then the moves without one, and
//! each part is a phase:
//!
//! | the figure | phase |
//! |---|---|
//! | every successor whose examination is useful: evaluated again | [`Phase::Known`] |
//! | not evaluated yet: evaluated in a null window | [`Phase::New`] |
//! | all node off target: that successor becomes exact, and return | [`Phase::Settling`] |
//! | cut node off target in the end: all successors become exact | [`Phase::EveryKnown`], or [`Phase::Failed`] |
//!
//! An expansion asks one question after another, each depending on the answers before, and can be suspended at any
//! of them. [`Searcher::next_question`] returns the question, [`Searcher::answer`] asks it and stores the answer.

use std::cmp::Reverse;

use super::searcher::Searcher;
use super::split::supporters_needed;
use super::stop_rule::StopRule;
use super::valuation::{EvaluatorQuestion, Goal, Pursuit, SuccessorRef};
use crate::game::{Evaluator, Game, Relation, Score, TargetBound, Value, Window};
use crate::thesis::tree::search_tree::NodeId;
use crate::thesis::tree::target::{NodeKind, Target};

/// An expansion in progress (Fig. 2.14).
#[derive(Clone, Debug)]
pub(crate) struct Expansion<M> {
    target: Target,
    phase: Phase,
    /// The known successor being evaluated again, if any.
    pursuit: Option<Pursuit>,
    /// The number of known successors examined in this phase.
    looked_at: usize,
    /// The number of known successors when the phase began.
    known: usize,
    /// Moves without a node, the next one first, once they are generated.
    unvalued: Option<std::vec::IntoIter<M>>,
    /// Whether the last question was about a move without a node.
    is_new_answered: bool,
    /// The number of supporters at a cut node, until it may have changed.
    supporters: Option<usize>,
}

/// The next input that an expansion needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need<M> {
    Answer(EvaluatorQuestion<M>),
    /// The moves without a node, in the order in which to try them: [`Expansion::supply`].
    Moves,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// All known successors get point values, either for the target or because it has failed.
    EveryKnown {
        is_failure: bool,
    },
    /// The moves without a node get point values, too.
    EveryNew {
        is_failure: bool,
    },
    /// Known successors are decided with regard to the target.
    Known,
    /// The other successors are evaluated with regard to the target.
    New,
    /// The successor that put an all node off target becomes exact, or nearly so.
    Settling,
    /// The greatest successor of a failed cut node becomes exact.
    Failed,
    Over,
}

impl<G: Game, E: Evaluator<G>> Searcher<'_, G, E> {
    /// Begins to evaluate successors of `v` until its target can be split or its value contradicts the target
    /// (Fig. 2.14).
    pub(crate) fn begin_expansion(&mut self, v: NodeId, target: Target) -> Expansion<G::Move> {
        self.tree.update_value(v);
        Expansion {
            target,
            phase: if self.params.value_all {
                Phase::EveryKnown { is_failure: false }
            } else {
                Phase::Known
            },
            pursuit: None,
            looked_at: 0,
            known: self.tree[v].successor_count(),
            unvalued: None,
            is_new_answered: false,
            supporters: None,
        }
    }

    /// Returns the next question at `v`, where the game is, after the answer to the previous one; `None` when the
    /// expansion is over.
    pub(crate) fn next_question(
        &mut self,
        v: NodeId,
        expansion: &mut Expansion<G::Move>,
    ) -> Option<EvaluatorQuestion<G::Move>> {
        loop {
            match self.next_need(v, expansion)? {
                Need::Answer(question) => return Some(question),
                Need::Moves => expansion.supply(self.unvalued_moves(v)),
            }
        }
    }

    /// Returns the next need of the expansion of `v`, after the previous one was fulfilled; `None` when it is
    /// over.
    pub(crate) fn next_need(
        &mut self,
        v: NodeId,
        expansion: &mut Expansion<G::Move>,
    ) -> Option<Need<G::Move>> {
        while expansion.phase != Phase::Over {
            if expansion.needs_moves() {
                return Some(Need::Moves);
            }
            if let Some(question) = self.pursue(v, expansion) {
                return Some(Need::Answer(question));
            }
            let question = match expansion.phase {
                Phase::EveryKnown { is_failure } => Self::every_known(expansion, is_failure),
                Phase::EveryNew { is_failure } => self.every_new(v, expansion, is_failure),
                Phase::Known => self.decide_known(v, expansion),
                Phase::New => self.value_others(v, expansion),
                Phase::Failed => self.settle_failed_cut_node(v, expansion),
                Phase::Settling | Phase::Over => {
                    expansion.phase = Phase::Over;
                    None
                }
            };
            if let Some(question) = question {
                return Some(Need::Answer(question));
            }
        }
        None
    }

    /// Returns the condition on an answer under which the next foreseeable question follows; `None` if there is no
    /// such condition.
    pub(crate) fn stop_rule(&self, v: NodeId, expansion: &Expansion<G::Move>) -> Option<StopRule> {
        let is_steady = matches!(expansion.phase, Phase::Known | Phase::New);
        let probe = expansion.target.bound.to_successor();
        is_steady.then(|| match expansion.target.kind() {
            NodeKind::All => StopRule::WhileSupporting(probe),
            NodeKind::Cut => {
                let wanted = supporters_needed(expansion.target, self.params);
                StopRule::UntilSupported(probe, wanted.saturating_sub(self.supporters(v, probe)))
            }
        })
    }

    /// Returns the questions that follow if the answers are as expected, the likeliest first.
    pub(crate) fn foreseeable_questions(
        &self,
        v: NodeId,
        expansion: &Expansion<G::Move>,
    ) -> Vec<EvaluatorQuestion<G::Move>> {
        let Expansion { target, phase, .. } = expansion;
        let probe = target.bound.to_successor();
        let known = |goal| {
            let pursuits =
                (expansion.looked_at..expansion.known).map(move |index| Pursuit::new(index, goal));
            let questions = pursuits.filter_map(|mut pursuit| {
                let window = self.next_window(v, &mut pursuit)?;
                let subject = SuccessorRef::Known(pursuit.index);
                Some(EvaluatorQuestion { subject, window })
            });
            questions.collect()
        };
        let new = |window| {
            let moves = (expansion.unvalued.iter()).flat_map(std::vec::IntoIter::as_slice);
            let question = |&mv| EvaluatorQuestion {
                subject: SuccessorRef::New(mv),
                window,
            };
            moves.map(question).collect()
        };
        match phase {
            Phase::EveryKnown { .. } => known(Goal::Exact),
            Phase::EveryNew { .. } => new(Window::FULL),
            Phase::Known => known(Goal::Decided(probe)),
            Phase::New => new(probe.null_window()),
            Phase::Failed | Phase::Settling | Phase::Over => Vec::new(),
        }
    }

    /// Returns the score of the best successor with an exact value, in the view of `v`.
    fn greatest_exact(&self, v: NodeId) -> Option<Score> {
        let exact = self.values(v).filter(|value| value.is_exact());
        exact.map(|value| value.score).max()
    }

    /// Returns the values of the successors, in the view of `v`.
    fn values(&self, v: NodeId) -> impl Iterator<Item = Value> {
        let successors = self.tree.successors(v).iter();
        successors.map(|successor| successor.value().to_parent())
    }

    /// Returns the next question about the pursued successor; updates `v` once the goal is reached.
    fn pursue(
        &mut self,
        v: NodeId,
        expansion: &mut Expansion<G::Move>,
    ) -> Option<EvaluatorQuestion<G::Move>> {
        let pursuit = expansion.pursuit.as_mut()?;
        if let Some(window) = self.next_window(v, pursuit) {
            let subject = SuccessorRef::Known(pursuit.index);
            return Some(EvaluatorQuestion { subject, window });
        }
        let was_asked = pursuit.tries > 1;
        expansion.pursuit = None;
        let is_every = matches!(expansion.phase, Phase::EveryKnown { .. });
        if !is_every && (was_asked || expansion.phase != Phase::Known) {
            self.tree.update_value(v);
            expansion.supporters = None;
        }
        None
    }

    /// Makes every successor with a node exact.
    fn every_known(
        expansion: &mut Expansion<G::Move>,
        is_failure: bool,
    ) -> Option<EvaluatorQuestion<G::Move>> {
        if expansion.looked_at < expansion.known {
            expansion.look_at_next(Goal::Exact);
        } else {
            (expansion.unvalued, expansion.phase) = (None, Phase::EveryNew { is_failure });
        }
        None
    }

    /// Evaluates every move without a node exactly, too, and then turns to the target, unless it has failed
    /// before.
    fn every_new(
        &mut self,
        v: NodeId,
        expansion: &mut Expansion<G::Move>,
        is_failure: bool,
    ) -> Option<EvaluatorQuestion<G::Move>> {
        if let Some(mv) = expansion.next_unvalued() {
            return Some(EvaluatorQuestion {
                subject: SuccessorRef::New(mv),
                window: expansion.new_window(),
            });
        }
        self.tree.update_value(v);
        (expansion.looked_at, expansion.known) = (0, self.tree[v].successor_count());
        expansion.phase = if is_failure {
            Phase::Over
        } else {
            Phase::Known
        };
        None
    }

    /// Decides known successors. Every successor of an all node must comply, and the first that does not ends the
    /// expansion with a (nearly) exact value. At a cut node enough supporters for a split are enough.
    fn decide_known(
        &mut self,
        v: NodeId,
        expansion: &mut Expansion<G::Move>,
    ) -> Option<EvaluatorQuestion<G::Move>> {
        let bound = expansion.target.bound;
        let is_over = match expansion.target.kind() {
            NodeKind::All => expansion.known > 0 && self.is_off_target(v, bound),
            NodeKind::Cut => self.has_supporters(v, expansion),
        };
        if is_over {
            expansion.phase = Phase::Over;
            // If the value of `v` was off target from the beginning, no successor is the cause.
            if expansion.target.kind() == NodeKind::All && expansion.looked_at > 0 {
                expansion.settle(expansion.looked_at - 1);
            }
        } else if expansion.looked_at < expansion.known {
            expansion.look_at_next(Goal::Decided(bound.to_successor()));
        } else {
            (expansion.unvalued, expansion.phase) = (None, Phase::New);
        }
        None
    }

    /// Does the same for successors without a node. The value of a cut node without any supporter falls to that of
    /// its successors.
    fn value_others(
        &mut self,
        v: NodeId,
        expansion: &mut Expansion<G::Move>,
    ) -> Option<EvaluatorQuestion<G::Move>> {
        let Target { bound, .. } = expansion.target;
        let kind = expansion.target.kind();
        if std::mem::take(&mut expansion.is_new_answered) {
            self.tree.update_value(v);
            expansion.supporters = None;
            if kind == NodeKind::All && self.is_off_target(v, bound) {
                expansion.settle(self.tree[v].successor_count() - 1);
                return None;
            }
        }
        if kind == NodeKind::Cut && self.has_supporters(v, expansion) {
            expansion.phase = Phase::Over;
            return None;
        }
        if let Some(mv) = expansion.next_unvalued() {
            expansion.is_new_answered = true;
            return Some(EvaluatorQuestion {
                subject: SuccessorRef::New(mv),
                window: expansion.new_window(),
            });
        }
        let has_failed = kind == NodeKind::Cut && self.is_off_target(v, bound);
        (expansion.looked_at, expansion.known) = (0, self.tree[v].successor_count());
        expansion.phase = match has_failed {
            true if self.params.exact_on_failure => Phase::EveryKnown { is_failure: true },
            true => Phase::Failed,
            false => Phase::Over,
        };
        None
    }

    /// Gives a cut node without a supporter a point value: that of its greatest successor. Once one successor is
    /// exact, the others need only be shown to be no greater. Null windows do not always show it where an open one
    /// would. In some positions one successor after another seems greater and, once exact, is not.
    ///
    /// Departs from Fig. 2.14 unless `exact_on_failure`: the others keep upper bounds. The node's value is the
    /// same, at a fraction of the cost.
    fn settle_failed_cut_node(
        &mut self,
        v: NodeId,
        expansion: &mut Expansion<G::Move>,
    ) -> Option<EvaluatorQuestion<G::Move>> {
        let no_more = self.greatest_exact(v).map(TargetBound::AtMost);
        // An exact one supports that bound, too.
        let is_open = |value: Value| no_more.is_none_or(|bound| !value.supports(bound));
        let open = self.values(v).enumerate();
        let open = open.filter(|&(_, value)| is_open(value));
        let Some((index, value)) = open.max_by_key(|&(index, value)| (value.score, Reverse(index)))
        else {
            self.tree.update_value(v);
            expansion.phase = Phase::Over;
            return None;
        };
        expansion.pursuit = Some(match no_more {
            Some(bound) if value.relation_to(bound) == Relation::Undecided => {
                Pursuit::new(index, Goal::Decided(bound.to_successor()))
            }
            _ => Pursuit::at_once(index),
        });
        None
    }

    /// Whether enough successors for a split support the target.
    fn has_supporters(&self, v: NodeId, expansion: &mut Expansion<G::Move>) -> bool {
        let probe = expansion.target.bound.to_successor();
        let supporters = *expansion
            .supporters
            .get_or_insert_with(|| self.supporters(v, probe));
        supporters >= supporters_needed(expansion.target, self.params)
    }

    /// Returns the number of successors that support the bound; the value of an end node is final and counts for
    /// any number.
    fn supporters(&self, v: NodeId, probe: TargetBound) -> usize {
        let supporting = self
            .tree
            .successors(v)
            .iter()
            .filter(|successor| successor.value().supports(probe));
        supporting.fold(0, |count, successor| {
            if successor.is_end() {
                usize::MAX
            } else {
                count.saturating_add(1)
            }
        })
    }

    pub(crate) fn is_off_target(&self, v: NodeId, bound: TargetBound) -> bool {
        !self.tree[v].value().is_on_target(bound)
    }
}

impl<M> Expansion<M> {
    fn needs_moves(&self) -> bool {
        matches!(self.phase, Phase::New | Phase::EveryNew { .. }) && self.unvalued.is_none()
    }

    /// Supplies the moves without a node, in the order in which to try them.
    pub(crate) fn supply(&mut self, unvalued: Vec<M>) {
        self.unvalued = Some(unvalued.into_iter());
    }

    /// Returns the window of the first evaluation of moves without a node.
    pub(crate) fn new_window(&self) -> Window {
        match self.phase {
            Phase::EveryNew { .. } => Window::FULL,
            _ => self.target.bound.to_successor().null_window(),
        }
    }

    fn next_unvalued(&mut self) -> Option<M> {
        self.unvalued.as_mut()?.next()
    }

    fn look_at_next(&mut self, goal: Goal) {
        self.pursuit = Some(Pursuit::new(self.looked_at, goal));
        self.looked_at += 1;
    }

    /// Ends the expansion, after the successor at this place, which put the node off target, becomes exact or far
    /// enough beyond the target.
    fn settle(&mut self, index: usize) {
        self.pursuit = Some(Pursuit::new(index, Goal::Near));
        self.phase = Phase::Settling;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::explicit::{Sketch, TreeGame};
    use crate::game::{Bound, Patience, Precision};
    use crate::thesis::search::searcher::TestSearch;
    use crate::thesis::{Cc2sParams, TreeNode};

    /// The questions about the successors of a node, given their heuristic scores in the node's view: place and
    /// window, the window in the successor's view. By the rules of the thesis, without any acceleration.
    fn questions(scores: &[i32], bound: TargetBound, conspiracy: u16) -> Vec<(u16, Window)> {
        let successors = scores.iter().map(|score| {
            let after = Sketch::end(*score);
            Sketch::inner(-score, vec![after])
        });
        let mut game = TreeGame::new(&Sketch::inner(0, successors.collect()));
        let mut search = thesis_search();
        let supporting = match bound {
            TargetBound::AtLeast(score) => Value::at_least(score),
            TargetBound::AtMost(score) => Value::at_most(score),
        };
        search.tree.reset(TreeNode::new(0, supporting));
        let mut listener = Patience(usize::MAX);
        let mut searcher = search.searcher(&mut game, &mut listener);
        let target = Target {
            bound,
            depth: 1,
            conspiracy,
        };
        let mut expansion = searcher.begin_expansion(NodeId::ROOT, target);
        let mut asked = Vec::new();
        while let Some(question) = searcher.next_question(NodeId::ROOT, &mut expansion) {
            asked.push((searcher.move_of(NodeId::ROOT, question), question.window));
            searcher.answer(NodeId::ROOT, question).unwrap();
        }
        asked
    }

    fn thesis_search() -> TestSearch<u16> {
        let mut search = TestSearch::new(1 << 10);
        search.evaluator.precision = Precision::Clipped;
        search.params = Cc2sParams {
            presort: false,
            revaluation_window_cp: 0,
            sparing_revaluation: false,
            split_depth_max: 128,
            exact_on_failure: true,
            ..Cc2sParams::default()
        };
        search
    }

    const OPEN: Window = Window::FULL;

    /// Successors are evaluated until one breaks the bound; that one then becomes exact.
    #[test]
    fn figure_2_14_expansion_of_an_all_node() {
        let at_most = TargetBound::AtMost(Score::centipawns(5));
        let probe = at_most.to_successor().null_window();
        assert_eq!(
            questions(&[3, 5, -2], at_most, 2),
            [0, 1, 2].map(|mv| (mv, probe))
        );
        let failing = questions(&[3, 8, -2], at_most, 2);
        assert_eq!(failing, [(0, probe), (1, probe), (1, OPEN)]);
    }

    /// Successors are evaluated until as many keep the bound as strategies are required. If none does, all become
    /// exact in the end; if one does, the target can still be split.
    #[test]
    fn figure_2_14_expansion_of_a_cut_node() {
        let at_least = TargetBound::AtLeast(Score::centipawns(5));
        let probe = at_least.to_successor().null_window();
        let first = |count: u16| (0..count).map(|mv| (mv, probe)).collect::<Vec<_>>();
        assert_eq!(questions(&[3, 5, 9, 7], at_least, 1), first(2));
        assert_eq!(questions(&[3, 5, 9, 7], at_least, 2), first(3));
        assert_eq!(questions(&[3, 5, 2], at_least, 2), first(3));
        let all = [
            (0, probe),
            (1, probe),
            (2, probe),
            (0, OPEN),
            (1, OPEN),
            (2, OPEN),
        ];
        assert_eq!(questions(&[3, 4, 2], at_least, 1), all);
    }

    /// `ExaminationUseful`: a successor with a value is evaluated again only if its value neither supports nor
    /// contradicts.
    #[test]
    fn figure_2_15_who_is_valued_again() {
        let score = Score::centipawns;
        let values = |number| {
            let score = score(number);
            [
                Value::at_least(score),
                Value::at_most(score),
                Value::exact(score),
            ]
        };
        for value in [-1, 0, 1].into_iter().flat_map(values) {
            for bound in [
                TargetBound::AtLeast(score(0)),
                TargetBound::AtMost(score(0)),
            ] {
                let z = value.score;
                let (supports, is_on_target) = match bound {
                    TargetBound::AtLeast(beta) => (
                        value.bounds_below() && z >= beta,
                        value.bound == Bound::Lower || z >= beta,
                    ),
                    TargetBound::AtMost(beta) => (
                        value.bounds_above() && z <= beta,
                        value.bound == Bound::Upper || z <= beta,
                    ),
                };
                assert_eq!(
                    is_asked_again(value, bound),
                    !supports && is_on_target,
                    "{value:?}, {bound:?}"
                );
            }
        }
    }

    /// Whether a successor with this value, in its parent's view, is evaluated again when the parent is to show
    /// the bound by two strategies.
    fn is_asked_again(value: Value, bound: TargetBound) -> bool {
        let mut game = TreeGame::new(&"0 (0 (0) 0 (0))".parse().unwrap());
        let mut search = thesis_search();
        search
            .tree
            .reset(TreeNode::new(0, Value::exact(bound.score())));
        search
            .tree
            .add_successor(NodeId::ROOT, TreeNode::new(0, value.to_parent()))
            .unwrap();
        let mut listener = Patience(usize::MAX);
        let mut searcher = search.searcher(&mut game, &mut listener);
        let target = Target {
            bound,
            depth: 1,
            conspiracy: 2,
        };
        let mut expansion = searcher.begin_expansion(NodeId::ROOT, target);
        let question = searcher.next_question(NodeId::ROOT, &mut expansion);
        question.is_some_and(|question| question.subject == SuccessorRef::Known(0))
    }
}
