//! One worker and nobody to talk to: Cc2s on one thread.

use cc2s::game::{Evaluator, Game};
use cc2s::thesis::{Activity, Monitor, Worker};

/// Lets a lone worker that leads an analysis work until it is done, halts, or the monitor says stop. The monitor is
/// asked after every step, the size of a valuation.
pub fn run<G: Game, E: Evaluator<G>>(
    worker: &mut Worker<G>,
    evaluator: &mut E,
    monitor: &mut impl Monitor<G::Move>,
) {
    while let Activity::Worked(_) = worker.step(evaluator) {
        for report in worker.take_reports() {
            monitor.report(&report);
        }
        if !monitor.proceed(&worker.status()) {
            break;
        }
    }
    assert!(
        worker.take_outbox().is_empty(),
        "a lone worker has nobody to write to"
    );
}
