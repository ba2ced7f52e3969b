//! The admission of a problem: it begins, or waits for another at the same position.

use super::worker::Worker;
use crate::game::Game;
use crate::thesis::tasks::in_progress::Admission;
use crate::thesis::tasks::problem::TaskId;

impl<G: Game> Worker<G> {
    /// Begins with a problem at the current position.
    pub(crate) fn begin(&mut self, id: TaskId) -> Admission {
        let key = self.search.cursor.game.key();
        if let Some(other) = self.tasks.forerunner(id, key) {
            self.tasks.follow(id, other);
            return Admission::Waits;
        }
        for other in self.tasks.overtaken(id, key) {
            // It may have been part of one that was overtaken before.
            if self.tasks.contains(other) {
                let frames = self.tasks.take_back(other);
                self.tasks.follow(other, id);
                self.abandon(frames);
            }
        }
        self.tasks.begin(id, key);
        Admission::Begins
    }
}

#[cfg(test)]
mod tests {
    use crate::chess::{Line, Move, notation};
    use crate::game::{Game, Score, TargetBound, Value};
    use crate::search::{LeafEvaluator, LeafParams};
    use crate::thesis::messages::waste_risk::FailureRisk;
    use crate::thesis::tree::target::Target;
    use crate::thesis::{
        Activity, Cc2sParams, Envelope, Message, NodeAddress, Priority, Problem, ProblemCode,
        TargetTables, TeamParams, Tree, TreeOrder, WasteRisk, Worker, WorkerId,
    };

    const EMPLOYER: WorkerId = WorkerId(0);
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// A problem after these moves with `depth` plies to go.
    fn problem(code: u32, moves: &str, tree_order: TreeOrder, depth: u16) -> Problem<Move> {
        let mut line = Line::new(notation::parse_fen(START).unwrap());
        for text in moves.split(' ') {
            line.play(notation::parse_uci_move(line.position(), text).unwrap());
        }
        Problem {
            code: ProblemCode(code),
            address: NodeAddress(code),
            path: line.moves().to_vec(),
            value: Value::exact(Score::centipawns(0)),
            target: Target {
                bound: TargetBound::AtMost(Score::centipawns(200)),
                depth,
                conspiracy: 1,
            },
            level_limit: 100,
            priority: Priority {
                requirement: 1,
                waste_risk: WasteRisk::default(),
                tree_order,
            },
            is_replacement: false,
        }
    }

    /// One of two workers, so that it soon has to wait for the other.
    struct TestHost {
        worker: Worker<Line>,
        evaluator: LeafEvaluator,
    }

    impl TestHost {
        fn with<const N: usize>(problems: [Problem<Move>; N]) -> Self {
            let line = Line::new(notation::parse_fen(START).unwrap());
            let tree = Tree::with_capacity(1 << 16).unwrap();
            let tables = TargetTables::with_entries(1 << 10).unwrap();
            let params = Cc2sParams::default();
            let worker = Worker::new(WorkerId(1), 2, params, line, tree, tables);
            // Questions to the evaluator are not answered.
            let team = TeamParams {
                prefetch: false,
                ..TeamParams::default()
            };
            let mut host = Self {
                worker: worker.sharing(team),
                evaluator: LeafEvaluator::new(LeafParams::default(), 1).unwrap(),
            };
            for problem in problems {
                host.take(Message::Problem(problem));
            }
            host
        }

        fn take(&mut self, message: Message<Move>) {
            let (from, to) = (EMPLOYER, self.worker.id());
            self.worker.receive(Envelope { from, to, message });
        }

        /// The first moves to the nodes handed out until the worker must wait.
        fn handed_out(&mut self) -> Vec<Move> {
            while let Activity::Worked(_) = self.worker.step(&mut self.evaluator) {}
            let problem = |envelope: Envelope<Move>| match envelope.message {
                Message::Problem(problem) => problem.path[0],
                _ => None,
            };
            let messages = self.worker.take_outbox();
            let mut first: Vec<_> = messages.into_iter().filter_map(problem).collect();
            first.dedup();
            first
        }
    }

    const LEFT: &str = "g1f3 g8f6 b1c3";
    const RIGHT: &str = "b1c3 g8f6 g1f3";

    fn place(place: usize) -> TreeOrder {
        TreeOrder::default().below([place].into_iter())
    }

    fn first(moves: &str) -> Vec<Move> {
        problem(0, moves, TreeOrder::default(), 0).path[..1]
            .iter()
            .map(|step| step.unwrap())
            .collect()
    }

    #[test]
    fn the_later_problem_waits_until_the_other_is_over() {
        let left = problem(0, LEFT, place(1), 3);
        let right = problem(1, RIGHT, place(2), 3);
        let mut host = TestHost::with([left, right]);
        assert_eq!(host.handed_out(), first(LEFT));
        host.take(Message::Stop(ProblemCode(0)));
        assert_eq!(host.handed_out(), first(RIGHT));
    }

    #[test]
    fn the_earlier_problem_does_not_wait_until_the_other_is_over() {
        let (left, right) = (
            problem(0, LEFT, place(1), 3),
            problem(1, RIGHT, place(2), 3),
        );
        let mut host = TestHost::with([right]);
        assert_eq!(host.handed_out(), first(RIGHT));
        host.take(Message::Problem(left));
        assert_eq!(host.handed_out(), first(LEFT));
        host.take(Message::Stop(ProblemCode(0)));
        assert_eq!(host.handed_out(), first(RIGHT));
    }

    #[test]
    fn successors_that_have_met_their_targets_are_not_sent() {
        // After 1.Nf3 Nf6 2.Nc3 nothing is threatened, whatever Black plays: with two plies to go Black's moves
        // meet their targets by their values.
        let mut host = TestHost::with([problem(0, LEFT, place(1), 2)]);
        assert_eq!(host.handed_out(), []);
        assert!(host.worker.is_at_rest());
    }

    #[test]
    fn nobody_waits_for_less_than_is_asked_for() {
        let left = problem(0, LEFT, place(1), 3);
        let right = problem(1, RIGHT, place(2), 4);
        let both = [first(LEFT), first(RIGHT)].concat();
        assert_eq!(TestHost::with([left, right]).handed_out(), both);
    }

    #[test]
    fn nobody_waits_for_what_is_more_likely_to_be_wasted() {
        let mut left = problem(0, LEFT, place(1), 3);
        left.priority.waste_risk = WasteRisk::default().of_successor(1, FailureRisk::ROOT);
        let right = problem(1, RIGHT, place(2), 3);
        let both = [first(RIGHT), first(LEFT)].concat();
        assert_eq!(TestHost::with([left, right]).handed_out(), both);
    }
}
