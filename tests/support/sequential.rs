//! A single worker: Cc2s on one thread.

use cc2s::game::{Evaluator, Game, SearchListener};
use cc2s::thesis::{Activity, Worker};

/// Runs a single worker that leads an analysis until it is done, halts, or is stopped. The listener is polled
/// after every step, which is about one evaluation.
pub fn run<G: Game, E: Evaluator<G>>(
    worker: &mut Worker<G>,
    evaluator: &mut E,
    listener: &mut dyn SearchListener<G::Move>,
) {
    while let Activity::Worked(_) = worker.step(evaluator) {
        for report in worker.take_reports() {
            listener.report(&report);
        }
        if !listener.proceed(&worker.status()) {
            break;
        }
    }
    assert!(
        worker.take_outbox().is_empty(),
        "a lone worker has nobody to write to"
    );
}
