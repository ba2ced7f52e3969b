//! Reports of iterative deepening to its listener: an iteration is a requirement with conspiracy number 1.

use crate::chess::Move;
use crate::game::{Progress, Requirement, RootUpdate, Score, SearchListener};

/// Reports iterations and their results to a listener.
pub struct IterationReporter<'a> {
    listener: &'a mut dyn SearchListener<Move>,
    progress: Progress,
    best: Option<Move>,
    is_forced: bool,
}

impl<'a> IterationReporter<'a> {
    /// A reporter of a search that has a choice of `moves` moves.
    pub fn new(moves: usize, listener: &'a mut dyn SearchListener<Move>) -> Self {
        Self {
            listener,
            progress: Progress::default(),
            best: None,
            is_forced: moves == 1,
        }
    }

    /// Asks whether to go on after so many nodes.
    pub fn proceed(&mut self, nodes: u64) -> bool {
        self.progress.nodes = nodes;
        self.listener.proceed(&self.progress)
    }

    /// Reports an unfinished iteration that has found another best move.
    pub fn changed(&mut self, update: &RootUpdate<Move>) {
        self.listener.report(update);
    }

    /// Reports a finished iteration with its best moves in order; false: it is the last one. `effort_permille` is the
    /// share of nodes spent on the best move, if it is counted.
    pub fn finished(
        &mut self,
        updates: impl IntoIterator<Item = RootUpdate<Move>>,
        effort_permille: Option<u16>,
    ) -> bool {
        let mut first = None;
        for mut update in updates {
            update.safety = Some(Requirement {
                depth: update.depth,
                conspiracy: 1,
            });
            self.listener.report(&update);
            first.get_or_insert(update);
        }
        let first = first.expect("an iteration has a best move");
        self.settle(&first, effort_permille);
        self.proceed(first.nodes)
    }

    fn settle(&mut self, update: &RootUpdate<Move>, effort_permille: Option<u16>) {
        let best = Some(update.pv[0]);
        let is_stable = self.best == best;
        self.progress = Progress {
            nodes: update.nodes,
            met: Requirement {
                depth: update.depth,
                conspiracy: 1,
            },
            demanded: Requirement {
                depth: update.depth + 1,
                conspiracy: 1,
            },
            stable_requirements: if is_stable {
                self.progress.stable_requirements + 1
            } else {
                0
            },
            overturned: u16::from(self.best.is_some() && !is_stable),
            hypothesis: Some(update.score),
            settled: Some(update.score),
            effort_permille,
            exhausted: self.is_forced || is_proven(update.score, update.depth),
            ..Progress::default()
        };
        self.best = best;
    }
}

/// Whether deeper search cannot shorten the mate, because the search was at least that deep.
fn is_proven(score: Score, depth: u16) -> bool {
    score
        .mate_distance()
        .is_some_and(|plies| plies.unsigned_abs() <= u32::from(depth))
}
