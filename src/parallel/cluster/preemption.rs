//! Valuations that are put aside for tasks that come first.
//!
//! Most valuations are over in a few microseconds, but a few in a thousand take a hundred times as long, and who is in the
//! middle of such a one keeps everybody waiting who needs this worker. So whoever drives the worker looks for messages meanwhile,
//! and lets it turn to what comes first. How long a valuation will take is the driver's business; here it is kept which tasks
//! wait for theirs.

use super::worker::Worker;
use crate::game::Game;
use crate::parallel::task::valuations::{Preempted, PreemptionState};

impl<G: Game> Worker<G> {
    /// The valuation of the last step takes longer: its task does not go on before [`Worker::finish`]. `None` if there was none,
    /// or it must not be preempted.
    pub fn preempt(&mut self) -> Option<Preempted> {
        let id = self.valued.take()?;
        let may_wait = self.sharing.team.preemption
            && self.tasks.contains(id)
            && !self.tasks.get_mut(id).is_root();
        may_wait.then(|| self.tasks.preempt(id))
    }

    /// What is to be done about a valuation, of several about that which was preempted last.
    pub fn preemption_state(&self, preempted: &Preempted) -> PreemptionState {
        let job = self.jobs.front().map(|job| &job.packet.priority);
        match self.tasks.preemption_state(preempted) {
            PreemptionState::Next if job.is_some_and(|job| *job <= preempted.priority) => {
                PreemptionState::Later
            }
            state => state,
        }
    }

    /// The valuation is over.
    pub fn finish(&mut self, preempted: &Preempted) {
        self.tasks.finish(preempted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Window;
    use crate::parallel::cluster::admission::tests::{LEFT, RIGHT, TestHost, place, problem};
    use crate::parallel::{Message, Packet, ProblemCode, Progress};

    const ELSEWHERE: &str = "e2e4 e7e5 g1f3";

    /// A worker in the middle of a valuation for the problem on the right.
    fn valuing() -> (TestHost, Preempted) {
        let mut host = TestHost::with([problem(0, RIGHT, place(2), 3)]);
        loop {
            let progress = host.step();
            assert_ne!(progress, Progress::Idle, "nothing was valued");
            if let Some(preempted) = host.worker.preempt() {
                return (host, preempted);
            }
        }
    }

    #[test]
    fn a_task_goes_on_when_its_valuation_is_over() {
        let (mut host, preempted) = valuing();
        assert_eq!(
            host.worker.preemption_state(&preempted),
            PreemptionState::Next
        );
        assert_eq!(host.step(), Progress::Idle);
        host.worker.finish(&preempted);
        assert_eq!(
            host.worker.preemption_state(&preempted),
            PreemptionState::Dropped
        );
        assert_ne!(host.step(), Progress::Idle);
    }

    #[test]
    fn what_comes_first_does_not_wait_for_a_valuation() {
        let (mut host, preempted) = valuing();
        host.take(Message::Problem(problem(1, ELSEWHERE, place(3), 3)));
        assert_eq!(
            host.worker.preemption_state(&preempted),
            PreemptionState::Next
        );
        host.take(Message::Problem(problem(2, ELSEWHERE, place(1), 3)));
        assert_eq!(
            host.worker.preemption_state(&preempted),
            PreemptionState::Later
        );
        host.take(Message::Stop(ProblemCode(2)));
        assert_eq!(
            host.worker.preemption_state(&preempted),
            PreemptionState::Next
        );
    }

    #[test]
    fn packets_come_by_their_priority_too() {
        let (mut host, preempted) = valuing();
        let packet = |code, tree_order| {
            let source = problem(code, ELSEWHERE, tree_order, 3);
            let mv = source.path[2].unwrap();
            Message::Evaluate(Packet {
                code: source.code,
                path: source.path[..2].to_vec(),
                questions: vec![(mv, Window::FULL)],
                priority: source.priority,
                is_stolen: false,
            })
        };
        host.take(packet(1, place(3)));
        assert_eq!(
            host.worker.preemption_state(&preempted),
            PreemptionState::Next
        );
        host.take(Message::Stop(ProblemCode(1)));
        host.take(packet(2, place(1)));
        assert_eq!(
            host.worker.preemption_state(&preempted),
            PreemptionState::Later
        );
        assert_ne!(host.step(), Progress::Idle);
        assert_eq!(
            host.worker.preemption_state(&preempted),
            PreemptionState::Next
        );
    }

    #[test]
    fn a_valuation_that_nobody_waits_for_is_dropped() {
        let (mut host, preempted) = valuing();
        host.take(Message::Stop(ProblemCode(0)));
        assert_eq!(
            host.worker.preemption_state(&preempted),
            PreemptionState::Dropped
        );
        assert!(host.worker.is_at_rest());
    }

    #[test]
    fn a_problem_that_begins_anew_does_not_go_on_with_its_valuation() {
        let (mut host, preempted) = valuing();
        host.take(Message::Problem(problem(1, LEFT, place(1), 3)));
        assert_ne!(host.step(), Progress::Idle);
        assert_eq!(
            host.worker.preemption_state(&preempted),
            PreemptionState::Dropped
        );
    }
}
