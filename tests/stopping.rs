//! Every search polls often for a stop, and does not continue after it.

use cc2s::chess::notation::parse_fen;
use cc2s::chess::{Line, Move, Position};
use cc2s::engine::registry::SEARCHES;
use cc2s::engine::search::{Question, RootUpdate, SearchListener, decide};
use cc2s::game::Progress;
use cc2s::settings::config::Config;

/// Maximum nodes of a single-threaded search between two polls.
const NODES_PER_QUESTION: u64 = 2_048;

/// Counts polls and stops at the last one allowed.
struct Counter {
    questions_max: u64,
    questions: u64,
    nodes: u64,
    /// Maximum nodes between two polls.
    longest: u64,
}

impl SearchListener<Move> for Counter {
    fn proceed(&mut self, progress: &Progress) -> bool {
        self.questions += 1;
        self.longest = self.longest.max(progress.nodes - self.nodes);
        self.nodes = progress.nodes;
        self.questions < self.questions_max
    }

    fn report(&mut self, _: &RootUpdate) {}
}

/// Stops each search in distinct profiles and passes its name and counter to `check`.
fn stopped_after(questions_max: u64, threads: i32, mut check: impl FnMut(&str, &Counter)) {
    let config = Config::built_in().unwrap();
    let middle_game = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7";
    for profile in ["safe", "alone", "thesis"] {
        for entry in SEARCHES {
            let mut params = config.profile(profile).unwrap().clone();
            params.engine.threads = threads;
            params.engine.hash_mib = 4;
            let mut search = (entry.build)(&params).unwrap();
            for position in [Position::initial(), parse_fen(middle_game).unwrap()] {
                let question = Question::about(Line::new(position));
                let mut counter = Counter {
                    questions_max,
                    questions: 0,
                    nodes: 0,
                    longest: 0,
                };
                let answer = decide(search.as_mut(), &question, &mut counter);
                let name = format!("{} {profile}, {questions_max} questions", entry.name);
                assert!(question.moves.contains(&answer.best), "{name}");
                check(&name, &counter);
            }
        }
    }
}

#[test]
fn one_thread_asks_often_and_stops_at_once() {
    for questions_max in [1, 2, 20] {
        stopped_after(questions_max, 1, |name, counter| {
            assert_eq!(counter.questions, questions_max, "{name}");
            assert!(
                counter.longest <= NODES_PER_QUESTION,
                "{name}: {}",
                counter.longest
            );
        });
    }
}

/// The results of a helper may be reported after the end, which is another poll.
#[test]
fn several_threads_stop_at_once() {
    for questions_max in [1, 2, 20] {
        stopped_after(questions_max, 3, |name, counter| {
            let questions = counter.questions;
            let is_over = (questions_max..=questions_max + 1).contains(&questions);
            assert!(is_over, "{name}: {questions}");
        });
    }
}
