//! Internal iterative deepening: a cut node about which little is known is asked for less before it is asked for all.
//!
//! Who goes through the requirements one by one comes to nearly every node with what a target a ply less deep has taught about
//! it. Who leaves requirements out does not, and hands a deep target to a successor that only looks good. Where that one fails,
//! much has been done in vain. With iterations each cut node finds out by itself which of its successors is good, and, unlike
//! between requirements, no worker has to wait until all others have done so too.

use super::problem::Task;
use super::step::StepContext;
use crate::cc2s::search::monitor::Monitor;
use crate::cc2s::search::searcher::Searcher;
use crate::cc2s::tree::target::{NodeKind, Target, Verdict};
use crate::game::{Evaluator, Game};

impl<G: Game, E: Evaluator<G>, W: Monitor<G::Move>> StepContext<'_, G, E, W> {
    /// Begins with what a node is to show by its successors.
    pub(crate) fn begin_deepening(&mut self, task: &mut Task<G::Move>) {
        let goal = task.tip().goal;
        task.tip().target = match self.deepening_plies() {
            0 => goal,
            plies => first_iteration(&mut self.searcher, goal, plies),
        };
        self.begin_pass(task.tip());
    }

    /// A node has shown what this iteration asks for, and there is a further one.
    pub(crate) fn deepen(&mut self, task: &mut Task<G::Move>) {
        let frame = task.tip();
        self.sharing
            .pending
            .release_successors(frame, self.searcher.tree);
        self.searcher.remember(frame.target, Verdict::Met);
        frame.target.depth = (frame.target.depth + self.deepening_plies()).min(frame.goal.depth);
        frame.passes = 0;
        self.begin_pass(frame);
    }

    /// By how much iterations differ; 0 if there are none.
    fn deepening_plies(&self) -> u16 {
        let is_large = self
            .sharing
            .team
            .is_large(self.sharing.pending.placement.workers);
        if is_large && self.searcher.params.target_tables {
            self.sharing.team.deepening_plies as u16
        } else {
            0
        }
    }
}

/// The first iteration on the way to the goal of the node worked on: the deepest before which as much has been met there already as
/// the iteration before would ask for.
fn first_iteration<G: Game, E: Evaluator<G>, W: Monitor<G::Move>>(
    searcher: &mut Searcher<'_, G, E, W>,
    goal: Target,
    plies: u16,
) -> Target {
    let mut iteration = goal;
    while goal.kind() == NodeKind::Cut && iteration.depth >= 2 * plies {
        let before = Target {
            depth: iteration.depth - plies,
            ..goal
        };
        if searcher.is_remembered(before) {
            break;
        }
        iteration = before;
    }
    iteration
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::cc2s::{Bound, Cc2sParams, TargetTables, Tree, WorkerId};
    use crate::chess::{Line, Position};
    use crate::game::Score;
    use crate::parallel::cluster::admission::tests::{LEFT, TestHost, met, place, problem};
    use crate::parallel::{Message, Problem, Progress, TeamParams, Worker};

    /// How deep the successor of a cut node is asked for its target, with six plies to go there, by the second of two workers.
    /// The first one meets all targets.
    fn depths(deepening_plies: i32, met_before: Option<u16>) -> Vec<u16> {
        let root = problem(0, LEFT, place(1), 6);
        let root = Problem {
            target: Target {
                bound: Bound::AtLeast(Score::centipawns(-200)),
                ..root.target
            },
            ..root
        };
        let tables = Arc::new(TargetTables::with_entries(1 << 10).unwrap());
        let mut line = Line::new(Position::initial());
        root.path.iter().for_each(|step| line.play(step.unwrap()));
        if let Some(depth) = met_before {
            let target = Target {
                depth,
                ..root.target
            };
            tables.note(line.key(), target, Verdict::Met);
        }
        let params = Cc2sParams {
            null_move: false,
            fail_high_reduction: false,
            ..Cc2sParams::default()
        };
        let start = Line::new(Position::initial());
        let tree = Tree::with_capacity(1 << 16).unwrap();
        let worker = Worker::new(WorkerId(1), 2, params, start, tree, tables);
        let worker = worker.sharing(TeamParams {
            prefetch: false,
            deepening_plies,
            large_team_min: 2,
            ..TeamParams::default()
        });
        let level = root.path.len() + 1;
        let mut host = TestHost::of(worker);
        host.take(Message::Problem(root));
        let mut depths = Vec::new();
        loop {
            let progress = host.step();
            for sent in host.worker.take_outbox() {
                let Message::Problem(problem) = sent.message else {
                    continue;
                };
                if problem.path.len() == level {
                    depths.push(problem.target.depth);
                }
                host.take(Message::Answer(met(&problem)));
            }
            if progress == Progress::Idle {
                return depths;
            }
        }
    }

    #[test]
    fn a_cut_node_is_asked_for_less_first() {
        assert_eq!(depths(0, None), [5]);
        assert_eq!(depths(2, None), [1, 3, 5]);
        assert_eq!(depths(3, None), [2, 5]);
        assert_eq!(depths(4, None), [5]);
    }

    #[test]
    fn what_has_been_met_is_not_asked_for_again() {
        assert_eq!(depths(2, Some(2)), [3, 5]);
        assert_eq!(depths(2, Some(4)), [5]);
    }
}
