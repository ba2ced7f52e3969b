//! Valuations that are put aside for more urgent tasks.
//!
//! Most valuations are over in a few microseconds, but a few in a thousand take a hundred times as long, and who is in the
//! middle of such a one keeps everybody waiting who needs this worker. So whoever drives the worker looks for letters meanwhile,
//! and lets it turn to what comes first. How long a valuation will take is the driver's business; here it is kept which tasks
//! wait for theirs.

use std::collections::BTreeMap;

use super::worker::Worker;
use crate::game::Game;
use crate::parallel::task::frame::TaskId;
use crate::parallel::task::priority::Urgency;

/// A valuation that is under way, and for whose task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interrupted {
    pub(crate) task: TaskId,
    pub(crate) urgency: Urgency,
    serial: u64,
}

/// What is to be done about a valuation under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// To go on with it.
    Next,
    /// To do something else before.
    Later,
    /// To drop it: nobody wants to know any more.
    Dropped,
}

/// Tasks that wait for their own valuations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Valuations {
    /// The valuation of each, and whether the task can go on then.
    tasks: BTreeMap<TaskId, (u64, bool)>,
    next: u64,
}

impl Valuations {
    pub(crate) fn interrupt(
        &mut self,
        task: TaskId,
        urgency: Urgency,
        goes_on: bool,
    ) -> Interrupted {
        let serial = self.next;
        self.next += 1;
        let older = self.tasks.insert(task, (serial, goes_on));
        assert!(older.is_none(), "a task values one thing at a time");
        Interrupted {
            task,
            urgency,
            serial,
        }
    }

    pub(crate) fn are_wanted(&self, interrupted: &Interrupted) -> bool {
        let current = self.tasks.get(&interrupted.task);
        current.is_some_and(|&(serial, _)| serial == interrupted.serial)
    }

    /// Notes whether the task can go on after its valuation; false if none is under way.
    pub(crate) fn note(&mut self, task: TaskId, goes_on: bool) -> bool {
        let current = self.tasks.get_mut(&task);
        current.map(|(_, noted)| *noted = goes_on).is_some()
    }

    /// The valuation is over. Whether the task can go on; `None` if there was no valuation.
    pub(crate) fn end(&mut self, task: TaskId) -> Option<bool> {
        self.tasks.remove(&task).map(|(_, goes_on)| goes_on)
    }
}

impl<G: Game> Worker<G> {
    /// The valuation of the last step takes longer: its task does not go on before [`Worker::finish`]. `None` if there was none,
    /// or it must not be interrupted.
    pub fn interrupt(&mut self) -> Option<Interrupted> {
        let id = self.valued.take()?;
        let may_wait =
            self.team.interruptible && self.tasks.contains(id) && !self.tasks.get_mut(id).is_root();
        may_wait.then(|| self.tasks.interrupt(id))
    }

    /// What is to be done about a valuation, of several about that which was interrupted last.
    pub fn standing(&self, interrupted: &Interrupted) -> Standing {
        let job = self.jobs.front().map(|job| &job.packet.urgency);
        match self.tasks.standing(interrupted) {
            Standing::Next if job.is_some_and(|job| *job <= interrupted.urgency) => Standing::Later,
            standing => standing,
        }
    }

    /// The valuation is over.
    pub fn finish(&mut self, interrupted: &Interrupted) {
        self.tasks.finish(interrupted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Window;
    use crate::parallel::task::in_progress::tests::{Desk, LEFT, RIGHT, place, problem};
    use crate::parallel::{Message, Packet, ProblemCode, Progress};

    const ELSEWHERE: &str = "e2e4 e7e5 g1f3";

    /// A worker in the middle of a valuation for the problem on the right.
    fn valuing() -> (Desk, Interrupted) {
        let mut desk = Desk::with([problem(0, RIGHT, place(2), 3)]);
        loop {
            let progress = desk.step();
            assert_ne!(progress, Progress::Idle, "nothing was valued");
            if let Some(interrupted) = desk.worker.interrupt() {
                return (desk, interrupted);
            }
        }
    }

    #[test]
    fn a_task_goes_on_when_its_valuation_is_over() {
        let (mut desk, interrupted) = valuing();
        assert_eq!(desk.worker.standing(&interrupted), Standing::Next);
        assert_eq!(desk.step(), Progress::Idle);
        desk.worker.finish(&interrupted);
        assert_eq!(desk.worker.standing(&interrupted), Standing::Dropped);
        assert_ne!(desk.step(), Progress::Idle);
    }

    #[test]
    fn what_comes_first_does_not_wait_for_a_valuation() {
        let (mut desk, interrupted) = valuing();
        desk.take(Message::Problem(problem(1, ELSEWHERE, place(3), 3)));
        assert_eq!(desk.worker.standing(&interrupted), Standing::Next);
        desk.take(Message::Problem(problem(2, ELSEWHERE, place(1), 3)));
        assert_eq!(desk.worker.standing(&interrupted), Standing::Later);
        desk.take(Message::Stop(ProblemCode(2)));
        assert_eq!(desk.worker.standing(&interrupted), Standing::Next);
    }

    #[test]
    fn packets_come_by_their_urgency_too() {
        let (mut desk, interrupted) = valuing();
        let packet = |code, turn| {
            let source = problem(code, ELSEWHERE, turn, 3);
            let mv = source.path[2].unwrap();
            Message::Evaluate(Packet {
                code: source.code,
                path: source.path[..2].to_vec(),
                looks: vec![(mv, Window::FULL)],
                urgency: source.urgency,
                is_sought: false,
            })
        };
        desk.take(packet(1, place(3)));
        assert_eq!(desk.worker.standing(&interrupted), Standing::Next);
        desk.take(Message::Stop(ProblemCode(1)));
        desk.take(packet(2, place(1)));
        assert_eq!(desk.worker.standing(&interrupted), Standing::Later);
        assert_ne!(desk.step(), Progress::Idle);
        assert_eq!(desk.worker.standing(&interrupted), Standing::Next);
    }

    #[test]
    fn a_valuation_that_nobody_waits_for_is_dropped() {
        let (mut desk, interrupted) = valuing();
        desk.take(Message::Stop(ProblemCode(0)));
        assert_eq!(desk.worker.standing(&interrupted), Standing::Dropped);
        assert!(desk.worker.is_at_rest());
    }

    #[test]
    fn a_problem_that_begins_anew_does_not_go_on_with_its_valuation() {
        let (mut desk, interrupted) = valuing();
        desk.take(Message::Problem(problem(1, LEFT, place(1), 3)));
        assert_ne!(desk.step(), Progress::Idle);
        assert_eq!(desk.worker.standing(&interrupted), Standing::Dropped);
    }
}
