//! Threads in one tree in virtual time: what threads that share a memory would do if each had a processor of its own.

use super::events::Events;
use super::{Conditions, Measures};
use crate::cc2s::Monitor;
use crate::game::{Evaluator, Game, SplitMix64};
use crate::parallel::{ThreadContext, Worker};

/// Lets so many threads work for a worker that leads an analysis, until the decision is taken, its memory is full or the
/// monitor says stop. A thread has the worker to itself for as long as the overhead of a message, which is what is counted as
/// one; work costs what it costs on a machine of workers, and up to `jitter` times as much beside. `game` stands at the
/// root; `evaluators` holds one for each thread, or a single one whose memory they share. The monitor is asked after every
/// turn.
pub fn run_threads<G: Game + Clone, E: Evaluator<G>>(
    worker: &mut Worker<G>,
    game: &G,
    evaluators: &mut [E],
    (count, conditions): (usize, Conditions),
    monitor: &mut impl Monitor<G::Move>,
) -> Measures {
    assert!(evaluators.len() == 1 || evaluators.len() == count);
    let mut contexts: Vec<ThreadContext<G>> = (0..count)
        .map(|_| worker.new_context(game.clone()))
        .collect();
    let costs = conditions.costs;
    let mut rng = SplitMix64::new(conditions.seed);
    let mut measures = Measures::default();
    let mut events = Events::new();
    (0..count).for_each(|place| events.plan(0, place));
    let mut idle = Vec::new();
    let mut free_ns = 0;
    while let Some((now_ns, place)) = events.next() {
        let own = place.min(evaluators.len() - 1);
        let evaluator = &mut evaluators[own];
        let before = worker.counters().tree_nodes;
        let begin_ns = now_ns.max(free_ns);
        let is_busy = worker.advance(&mut contexts[place], evaluator);
        free_ns = begin_ns + costs.overhead_ns;
        measures.messages += 1;
        measures.tree_nodes += worker.counters().tree_nodes - before;
        measures.elapsed_ns = free_ns;
        for report in worker.take_reports() {
            monitor.report(&report);
        }
        if worker.is_done() || worker.halted().is_some() || !monitor.proceed(&worker.status()) {
            break;
        }
        if is_busy {
            let work = contexts[place].evaluate(evaluator);
            let factor = 1 + rng.below(conditions.jitter + 1);
            let end_ns = free_ns + factor * costs.of_work(work);
            measures.busy_ns += end_ns - begin_ns;
            events.plan(end_ns, place);
        } else {
            idle.push(place);
        }
        if worker.has_stealable_work()
            && let Some(place) = idle.pop()
        {
            events.plan(free_ns, place);
        }
    }
    measures.nodes = worker.counters().nodes();
    measures
}
