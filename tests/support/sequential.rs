//! One worker and nobody to talk to: Cc2s on one thread.

use cc2s::game::{Evaluator, Game, SearchListener};
use cc2s::thesis::{Activity, Worker};

/// Lets a lone worker that leads an analysis work until it is done, halts, or the listener says stop. The listener is
/// asked after every step, the size of a valuation.
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
