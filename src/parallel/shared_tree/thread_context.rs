//! One tree, many hands: how threads that share a memory work on the tree of a single worker.
//!
//! ```text
//!                 one hand at a time                          all hands at once
//!  worker: tasks, tree, tables  -- lend(hand) --> hand: game, evaluator -- look() --> what the evaluator says
//!                               <---------------- next lend(hand) ----------------
//! ```
//!
//! A task is worked on by one hand, which leaves the worker to others while the evaluator thinks. A hand without a task
//! takes a successor that waits for its turn, wherever it has grown: it becomes a task whose employer is the worker itself.
//! With a single hand the search is that of [`Searcher::analyse`](super::Searcher::analyse), valuation by valuation, as long as
//! no problem solved apart is given back half done.

use std::sync::Arc;

use super::batch::Looks;
use super::subtree_job::{Bench, Bundle, Grown, Item};
use crate::cc2s::tree::value::Value;
use crate::game::{Evaluator, Game};
use crate::parallel::cluster::message::Answer;
use crate::parallel::cluster::pending::{Errand, Purpose};
use crate::parallel::cluster::work_stealing::Spare;
use crate::parallel::cluster::worker::{Work, Worker};
use crate::parallel::task::cursor::Walker;
use crate::parallel::task::frame::{AssignmentState, Client, Frame, FrameState, Task, TaskId};
use crate::parallel::task::step::{Chore, Flow};

/// Leads a game of its own through the tree of a worker.
#[derive(Clone, Debug)]
pub struct Hand<G: Game> {
    walker: Box<Walker<G>>,
    /// What it is to do.
    assigned: Option<Assigned<G::Move>>,
    /// There was nothing for it to do.
    is_waiting: bool,
    bench: Bench<G::Move>,
}

/// What is to be done for a task.
#[derive(Clone, Debug)]
struct Assigned<M> {
    task: TaskId,
    chore: Chore<M>,
}

impl<G: Game> Hand<G> {
    /// Finds out what [`Worker::lend`] wants to know, if it wants anything, and says how much work that was. Nobody else needs
    /// to wait meanwhile.
    pub fn look<E: Evaluator<G>>(&mut self, evaluator: &mut E) -> Work {
        let Some(assigned) = &mut self.assigned else {
            return Work::default();
        };
        let (bench, game) = (&mut self.bench, &mut self.walker.game);
        let done = match &mut assigned.chore {
            Chore::Look(looks) => {
                looks.put_to(game, evaluator, &bench.params);
                &looks.counters
            }
            Chore::Solve(bundle) => {
                bench.solve(bundle, game, evaluator);
                &bundle.counters
            }
        };
        Work {
            tree_nodes: done.tree_nodes,
            leaf_nodes: done.leaf_nodes,
            far_looks: done.far_looks,
        }
    }
}

impl<G: Game> Worker<G> {
    /// A hand with nothing to do, for one analysis. `game` stands at its root.
    pub fn new_hand(&self, game: G) -> Hand<G> {
        Hand {
            walker: Box::new(Walker::new(game)),
            assigned: None,
            is_waiting: false,
            bench: Bench::new(Arc::clone(&self.tables), self.params.clone(), &self.team),
        }
    }

    /// Takes in what the hand has found out, and works with it until the evaluator is to be asked; false if there is nothing
    /// for this hand to do until another has worked.
    pub fn lend<E: Evaluator<G>>(&mut self, hand: &mut Hand<G>, evaluator: &mut E) -> bool {
        std::mem::swap(&mut self.walker, &mut hand.walker);
        self.waiting_hands -= usize::from(hand.is_waiting);
        let done = hand.assigned.take();
        hand.assigned = self.work_with(done, evaluator);
        hand.is_waiting = hand.assigned.is_none();
        self.waiting_hands += usize::from(hand.is_waiting);
        std::mem::swap(&mut self.walker, &mut hand.walker);
        !hand.is_waiting
    }

    /// Whether a free hand could do something.
    pub fn has_spare_work(&self) -> bool {
        self.tasks.ready_count() > 0 || self.spare_for_hand().is_some()
    }

    fn work_with<E: Evaluator<G>>(
        &mut self,
        done: Option<Assigned<G::Move>>,
        evaluator: &mut E,
    ) -> Option<Assigned<G::Move>> {
        let mut held = done.and_then(|Assigned { task, chore }| {
            let goes_on = match chore {
                Chore::Look(looks) => self.take_found(looks),
                Chore::Solve(bundle) => {
                    self.take_solved(&bundle);
                    false
                }
            };
            goes_on.then_some(task)
        });
        while self.halted().is_none() {
            let task = held.take().or_else(|| self.take_up())?;
            if let Some(chore) = self.work_on(task, evaluator) {
                return Some(Assigned { task, chore });
            }
        }
        None
    }

    /// Whether the task that wanted to know still does: it can go on in the same hand.
    fn take_found(&mut self, looks: Looks<G::Move>) -> bool {
        self.counters.add(&looks.counters);
        let Some(errand) = self.office.close_errand(looks.code) else {
            return false;
        };
        let tip = self.tasks.get_mut(errand.task).tip();
        tip.asked = None;
        tip.found = looks.found;
        true
    }

    fn take_solved(&mut self, bundle: &Bundle<G::Move>) {
        self.counters.add(&bundle.counters);
        bundle.measure(&mut self.sizes);
        for item in &bundle.items {
            self.take_item(item, bundle);
        }
        self.drop_tasks();
    }

    /// Grafts what has grown and takes note of the verdict, if anybody still wants to know.
    fn take_item(&mut self, item: &Item<G::Move>, bundle: &Bundle<G::Move>) {
        let Some(errand) = self.office.errand(item.code) else {
            return;
        };
        let Purpose::Assignment(place) = errand.purpose else {
            unreachable!("a problem is an assignment");
        };
        if let Some(grown) = &item.grown {
            let value = self.graft(errand, place, grown, bundle);
            if let Some(verdict) = grown.verdict {
                let answer = Answer {
                    code: item.code,
                    verdict,
                    value,
                    line: Vec::new(),
                };
                return self.take_answer(self.office.id, answer);
            }
        }
        self.office.close_errand(item.code);
        let task = self.tasks.get_mut(errand.task);
        let frame = &mut task.frames[errand.frame];
        frame.assignments[place].state = AssignmentState::Own;
        if item.grown.is_some() {
            self.tree.update_value(frame.node);
        }
        // Else a hand is at work further up.
        if task.frames.len() == errand.frame + 1 {
            self.tasks.wake(errand.task);
        }
    }

    /// Lets a successor be what it has become elsewhere. Its value.
    fn graft(
        &mut self,
        errand: Errand,
        place: usize,
        grown: &Grown,
        bundle: &Bundle<G::Move>,
    ) -> Value {
        self.keep_room();
        let frame = &self.tasks.get_mut(errand.task).frames[errand.frame];
        let kid = self
            .tree
            .kid(frame.node, frame.assignments[place].share.index);
        self.tree.graft(kid, &bundle.grown[grown.nodes.clone()]);
        for &(key, target, verdict) in &bundle.log[grown.log.clone()] {
            self.tables.note(key, target, verdict);
        }
        self.tree[kid].value()
    }

    /// Works on a task until it asks, waits or ends.
    fn work_on<E: Evaluator<G>>(
        &mut self,
        id: TaskId,
        evaluator: &mut E,
    ) -> Option<Chore<G::Move>> {
        while self.tasks.contains(id) {
            self.keep_room();
            match self.step_task_once(id, evaluator, true)? {
                Flow::Ready => {}
                Flow::Asks(chore) => {
                    let is_apart = matches!(chore, Chore::Solve(_));
                    if is_apart && self.tasks.get_mut(id).has_own_work() {
                        // Another hand may go on with the task meanwhile.
                        self.tasks.wake(id);
                    }
                    return Some(chore);
                }
                Flow::Waits | Flow::Ended(_) => return None,
            }
        }
        None
    }

    /// A task that needs a hand.
    fn take_up(&mut self) -> Option<TaskId> {
        if self.tasks.ready_count() == 0 {
            let found = self.spare_for_hand()?;
            self.employ(found);
        }
        let id = self.tasks.activate()?;
        self.tasks.put_aside(id);
        Some(id)
    }

    /// Something that waits for its turn.
    fn spare_for_hand(&self) -> Option<Spare> {
        self.greatest_spare(self.tasks.all(), |kid| !self.tree[kid].is_end())
    }

    /// Makes a task of a successor.
    fn employ(&mut self, found: Spare) {
        let Spare {
            task: id,
            frame,
            place,
        } = found;
        let purpose = Purpose::Assignment(place);
        let code = self.office.open_errand(Errand {
            task: id,
            frame,
            purpose,
        });
        let employer = self.office.id;
        let task = self.tasks.get_mut(id);
        task.frames[frame].assignments[place].state = AssignmentState::Sent(employer, code);
        let share = task.frames[frame].assignments[place].share;
        let node = self.tree.kid(task.frames[frame].node, share.index);
        let step = Some(self.tree[node].mv());
        let urgency = purpose.urgency(task, frame);
        let work = Task {
            client: Some(Client { employer, code }),
            requirement: urgency.requirement,
            prefix: task.path_to(frame).chain([step]).collect(),
            turn: urgency.turn,
            frames: vec![Frame {
                doubt: urgency.doubt,
                is_replacement: purpose.is_replacement(&task.frames[frame]),
                ..Frame::new(node, None, share.target, FrameState::Start)
            }],
            level_limit: task.level_limit,
            returned: None,
        };
        self.tasks.add(work);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cc2s::tree::invariants::stale_values;
    use crate::cc2s::{Cc2sParams, Schedule, TargetTables, Tree, WorkerId};
    use crate::game::HeuristicEvaluator;
    use crate::game::synthetic::{GrownGame, Shape};

    fn led_worker(game: &GrownGame) -> Worker<GrownGame> {
        let tree = Tree::with_capacity(1 << 16).unwrap();
        let tables = TargetTables::with_entries(1 << 10).unwrap();
        let params = Cc2sParams::default();
        let mut worker = Worker::new(WorkerId(0), 1, params, game.clone(), tree, tables);
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let schedule = Schedule {
            conspiracy_max: 2,
            rise_depth: 2,
            elementary: false,
        };
        worker.lead(&moves, schedule, 9, 1);
        worker
    }

    /// The tree is kept: what was found out when the analysis was stopped must not be hidden by older values.
    #[test]
    fn a_stopped_analysis_leaves_no_stale_value() {
        let mut stale = 0;
        for seed in 0..60 {
            let game = GrownGame::new(Shape {
                order: 0.6,
                noise_cp: 400,
                ..Shape::uniform(seed, 12, 12)
            });
            let mut worker = led_worker(&game);
            let mut evaluator = HeuristicEvaluator::default();
            let mut hands = [0, 1, 2].map(|_| worker.new_hand(game.clone()));
            for turn in 0..100 + 37 * seed as usize {
                let hand = &mut hands[turn % 3];
                if worker.lend(hand, &mut evaluator) {
                    hand.look(&mut evaluator);
                }
            }
            stale += stale_values(&worker.tree);
            worker.prepare(game, true);
            assert_eq!(stale_values(&worker.tree), 0, "seed {seed}");
        }
        assert!(stale > 0, "nothing was half done");
    }

    #[test]
    fn an_analysis_may_be_given_up_before_it_begins() {
        let game = GrownGame::new(Shape::uniform(1, 3, 3));
        let mut worker = led_worker(&game);
        worker.prepare(game, true);
        assert!(worker.is_at_rest());
    }
}
