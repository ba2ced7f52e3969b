//! What moves at the root are asked for before it is their turn.
//!
//! A requirement is met when the last move has shown what it must, and until then all others have nothing to do. So a move
//! that has shown its part goes on with what it will be asked for if all hypotheses hold: the best one with its upper bound, the
//! others with the next requirement. Whoever has something to do for the present requirement does that first. What comes out is
//! taken note of when the root asks for something new; what it does not ask for then is given up.

use super::assignment::AssignmentState;
use super::pending::{Handout, RequestKind};
use super::problem::Task;
use super::speculation::{SpeculationState, SpeculativeTarget};
use super::step::StepContext;
use crate::cc2s::search::monitor::Monitor;
use crate::cc2s::search::split::Share;
use crate::cc2s::tree::search_tree::NodeId;
use crate::cc2s::tree::target::Verdict;
use crate::game::{Evaluator, Game};

impl<G: Game, E: Evaluator<G>, W: Monitor<G::Move>> StepContext<'_, G, E, W> {
    /// Asks moves that have shown their part for what will be wanted of them next.
    pub(crate) fn speculate(&mut self, task: &mut Task<G::Move>) {
        let director = self.sharing.director();
        if !self.sharing.team.root_speculation || self.sharing.pending.placement.workers == 1 {
            return;
        }
        let plies_ahead = self.searcher.plies_to_next(director);
        for share in self.searcher.foreseeable_shares(director) {
            let node = self.searcher.tree.successor(NodeId::ROOT, share.index);
            let mv = self.searcher.tree[node].mv();
            let mut assignments = task.tip().assignments.iter();
            let is_over = assignments.all(|one| {
                one.share.index != share.index || one.state == AssignmentState::Done(Verdict::Met)
            });
            if !is_over || self.sharing.root_speculation.is_about(mv) {
                continue;
            }
            let owner = self.owner(NodeId::ROOT, share, false);
            if owner == self.sharing.pending.id || self.is_known_met(NodeId::ROOT, share) {
                continue;
            }
            let handout = Handout {
                node,
                mv,
                target: share.target,
                kind: RequestKind::RootSpeculation(share.index),
                is_stolen: false,
                is_postponed: false,
                plies_ahead,
            };
            let code = self.send_problem(task, owner, handout);
            let state = SpeculationState::Sent(owner, code);
            let target = share.target;
            self.sharing
                .root_speculation
                .targets
                .push(SpeculativeTarget { mv, target, state });
        }
    }

    /// A round is over: what others still work on counts as asked for ahead of the next one.
    pub(crate) fn keep_round(&mut self, task: &mut Task<G::Move>) {
        for assignment in &mut task.tip().assignments {
            let AssignmentState::Sent(owner, code) = assignment.state else {
                continue;
            };
            if owner == self.sharing.pending.id || !self.sharing.team.root_speculation {
                continue;
            }
            assignment.state = AssignmentState::Open;
            let successor = self
                .searcher
                .tree
                .successor(NodeId::ROOT, assignment.share.index);
            self.sharing
                .pending
                .set_kind(code, RequestKind::RootSpeculation(assignment.share.index));
            self.sharing
                .root_speculation
                .targets
                .push(SpeculativeTarget {
                    mv: self.searcher.tree[successor].mv(),
                    target: assignment.asked,
                    state: SpeculationState::Sent(owner, code),
                });
        }
    }

    /// Takes note of what has been found out ahead of time, before a round is planned.
    pub(crate) fn note_speculation(&mut self) {
        if self.sharing.root_speculation.targets.is_empty() {
            return;
        }
        let tree = &mut *self.searcher.tree;
        self.sharing.root_speculation.targets.retain_mut(|one| {
            let SpeculationState::Answered(verdict, value) = one.state else {
                return true;
            };
            let successor = tree.root_successor(one.mv).expect("moves at the root stay");
            tree[successor].set_value(value);
            tree[successor].set_unsure(false);
            one.state = SpeculationState::Met;
            verdict == Verdict::Met
        });
        tree.update_value(NodeId::ROOT);
    }

    /// A round begins: what it asks for is worked on already, or has been met, where as much was asked for ahead of time. Bounds
    /// may be a little sharper than needed: a hypothesis that was overturned often comes back. What is less is given up.
    pub(crate) fn adopt(&mut self, task: &mut Task<G::Move>) {
        let mut first_of = None;
        for place in 0..task.tip().assignments.len() {
            let assignment = &mut task.tip().assignments[place];
            let Share { index, target } = assignment.share;
            if first_of.replace(index) == Some(index) {
                continue;
            }
            let successor = self.searcher.tree.successor(NodeId::ROOT, index);
            let mv = self.searcher.tree[successor].mv();
            let Some(found) = self
                .sharing
                .root_speculation
                .targets
                .iter()
                .position(|one| one.mv == mv)
            else {
                continue;
            };
            let speculative = self.sharing.root_speculation.targets.swap_remove(found);
            let is_enough = speculative.target.is_as_demanding_as(target);
            let scores = [speculative.target, target].map(|it| i32::from(it.bound.score().raw()));
            let excess = (scores[0] - scores[1]).abs();
            match speculative.state {
                SpeculationState::Sent(owner, code)
                    if is_enough && excess <= self.sharing.team.root_speculation_excess_cp =>
                {
                    self.sharing
                        .pending
                        .set_kind(code, RequestKind::Assignment(place));
                    assignment.asked = speculative.target;
                    assignment.state = AssignmentState::Sent(owner, code);
                }
                SpeculationState::Sent(owner, code) => {
                    self.sharing
                        .pending
                        .relieve(&mut self.searcher.tree[successor], owner, code);
                }
                SpeculationState::Met => {
                    let value = self.searcher.tree[successor].value();
                    if is_enough && value.supports(target.bound) {
                        assignment.state = AssignmentState::Answered(Verdict::Met);
                    }
                }
                SpeculationState::Answered(..) => unreachable!("note was taken of all answers"),
            }
        }
    }

    /// Gives up all that was asked for ahead of time.
    pub(crate) fn give_up_speculation(&mut self) {
        for one in self.sharing.root_speculation.targets.drain(..) {
            if let SpeculationState::Sent(owner, code) = one.state {
                let successor = self.searcher.tree.root_successor(one.mv);
                let successor = successor.expect("moves at the root stay");
                self.sharing
                    .pending
                    .relieve(&mut self.searcher.tree[successor], owner, code);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cc2s::{Bound, Cc2sParams, TargetTables, Tree, WorkerId};
    use crate::chess::{Line, Move, notation};
    use crate::leaf::{LeafEvaluator, LeafParams};
    use crate::parallel::cluster::admission::tests::met;
    use crate::parallel::{Envelope, Message, Problem, Progress, TeamParams, Worker};

    const OTHER: WorkerId = WorkerId(1);
    const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    /// The one at leader of two workers; the other does nothing by itself.
    struct Leader {
        worker: Worker<Line>,
        evaluator: LeafEvaluator,
    }

    impl Leader {
        fn new(root_speculation: bool) -> Self {
            let line = Line::new(notation::parse_fen(FEN).unwrap());
            let tree = Tree::with_capacity(1 << 18).unwrap();
            let tables = TargetTables::with_entries(1 << 10).unwrap();
            let params = Cc2sParams::default();
            let schedule = params.middle_game_schedule();
            let worker = Worker::new(WorkerId(0), 2, params, line.clone(), tree, tables);
            let mut worker = worker.sharing(TeamParams {
                prefetch: false,
                root_speculation,
                ..TeamParams::default()
            });
            let mut moves = Vec::new();
            line.legal_moves(&mut moves);
            worker.lead(&moves, schedule, 5, 1);
            let evaluator = LeafEvaluator::new(LeafParams::default(), 1).unwrap();
            Self { worker, evaluator }
        }

        /// The other one has met its target.
        fn meet(&mut self, problem: &Problem<Move>) {
            self.worker.receive(Envelope {
                from: OTHER,
                to: self.worker.id(),
                message: Message::Answer(met(problem)),
            });
        }

        /// Works until there is nothing to do but wait, while the other one meets all its targets but those to withhold.
        /// What the moves at the root that belong to the other one were asked for meanwhile.
        fn work(&mut self, is_withheld: impl Fn(&Problem<Move>) -> bool) -> Vec<Problem<Move>> {
            let mut asked = Vec::new();
            loop {
                let progress = self.worker.step(&mut self.evaluator);
                for envelope in self.worker.take_outbox() {
                    let Message::Problem(problem) = envelope.message else {
                        continue;
                    };
                    if !is_withheld(&problem) {
                        self.meet(&problem);
                    }
                    if problem.path.len() == 1 {
                        asked.push(problem);
                    }
                }
                if progress == Progress::Idle {
                    return asked;
                }
            }
        }
    }

    /// What a move is asked for under the third requirement that is not believed to be the best.
    fn is_other_move(problem: &Problem<Move>) -> bool {
        let is_no_better = matches!(problem.target.bound, Bound::AtLeast(_));
        problem.path.len() == 1 && problem.priority.requirement == 3 && is_no_better
    }

    #[test]
    fn who_has_shown_its_part_goes_on_and_is_not_asked_again() {
        let mut leader = Leader::new(true);
        let before = leader.work(is_other_move);
        let withheld: Vec<_> = before.iter().filter(|&one| is_other_move(one)).collect();
        assert!(
            withheld.len() > 5,
            "{} moves at the other one",
            withheld.len()
        );
        for problem in &withheld[1..] {
            leader.meet(problem);
        }
        let ahead = leader.work(|_| false);
        let is_next = |one: &Problem<Move>| one.priority.requirement == 4;
        assert!(ahead.len() >= withheld.len() - 1 && ahead.iter().all(is_next));
        leader.meet(withheld[0]);
        let after = leader.work(|_| false);
        assert!(leader.worker.is_done() && leader.worker.is_at_rest());
        let same = |one: &Problem<Move>, other: &Problem<Move>| {
            (&one.path, one.target) == (&other.path, other.target)
        };
        let is_new = |one: &Problem<Move>| !ahead.iter().any(|other| same(one, other));
        assert!(!after.is_empty() && after.iter().all(is_new));
    }

    #[test]
    fn nobody_goes_on_where_that_is_switched_off() {
        let mut leader = Leader::new(false);
        let before = leader.work(is_other_move);
        let withheld: Vec<_> = before.iter().filter(|&one| is_other_move(one)).collect();
        for problem in &withheld[1..] {
            leader.meet(problem);
        }
        assert_eq!(leader.work(|_| false), []);
    }
}
