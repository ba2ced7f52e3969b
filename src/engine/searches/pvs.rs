//! Classical alpha-beta (PVS, or MTD(f) over it) with the leaf evaluator's own techniques at full depth: the opponent
//! Cc2s is measured by.

use super::lazy_smp::ThreadPool;
use crate::chess::Move;
use crate::engine::search::{BestMove, MemoryError, Question, RootUpdate, Search, SearchListener};
use crate::game::{Progress, Requirement, Score};
use crate::search::{DeepenRequest, Iteration, LeafParams, Observer, RootWindow};

/// Iterative deepening on the whole memory bound, by one thread or several.
pub struct PvsSearch {
    pool: ThreadPool,
    window: RootWindow,
    mebibytes: usize,
}

impl PvsSearch {
    /// A search with these windows at the root and these parameters, by `threads` threads within `mebibytes` of memory.
    ///
    /// # Errors
    /// The memory cannot be had.
    pub fn new(
        window: RootWindow,
        params: &LeafParams,
        threads: usize,
        mebibytes: usize,
    ) -> Result<Self, MemoryError> {
        let pool = ThreadPool::new(params, threads, mebibytes)?;
        Ok(Self {
            pool,
            window,
            mebibytes,
        })
    }
}

impl Search for PvsSearch {
    fn think(&mut self, question: &Question, listener: &mut dyn SearchListener) {
        self.pool.set_tablebase(question.tables.as_ref());
        let mut line = question.line.clone();
        let request = DeepenRequest {
            depth_max: question.depth.unwrap_or(u16::MAX),
            pv_count: question.multi_pv,
            window: self.window,
            place: 0,
        };
        let mut translator = Translator::new(question, listener);
        let pv = self
            .pool
            .deepen(&mut line, &question.moves, request, &mut translator);
        listener.answer(&BestMove::of(&question.line, &pv));
    }

    fn new_game(&mut self) {
        self.pool.clear();
    }

    fn set_memory(&mut self, mebibytes: usize) -> Result<(), MemoryError> {
        self.pool = self
            .pool
            .resized(mebibytes)
            .map_err(|error| error.keeping(self.mebibytes))?;
        self.mebibytes = mebibytes;
        Ok(())
    }
}

/// Tells the listener what the iterations say. An iteration is a requirement with conspiracy 1.
pub(crate) struct Translator<'a> {
    listener: &'a mut dyn SearchListener,
    progress: Progress,
    best: Option<Move>,
    is_forced: bool,
    mate: Option<u16>,
    pv_count: usize,
    /// The best move of the iteration under way and its score.
    leader: Option<(Move, Score)>,
}

impl<'a> Translator<'a> {
    pub(crate) fn new(question: &Question, listener: &'a mut dyn SearchListener) -> Self {
        Self {
            listener,
            progress: Progress::default(),
            best: None,
            is_forced: question.moves.len() == 1,
            mate: question.mate,
            pv_count: question.multi_pv.min(question.moves.len()),
            leader: None,
        }
    }
}

impl Observer for Translator<'_> {
    fn proceed(&mut self, nodes: u64) -> bool {
        self.progress.nodes = nodes;
        self.listener.proceed(&self.progress)
    }

    fn iteration(&mut self, iteration: &Iteration<'_>) -> bool {
        let safety = Requirement {
            depth: iteration.depth,
            conspiracy: 1,
        };
        self.listener.report(&report(iteration, Some(safety)));
        let (best, score) = match self.leader {
            Some(leader) if iteration.multi_pv > 1 => leader,
            _ => *self.leader.insert((iteration.pv[0], iteration.score)),
        };
        // The requirement is met when all of the moves wanted are known to this depth.
        if iteration.multi_pv < self.pv_count {
            return self.proceed(iteration.nodes);
        }
        if iteration.multi_pv == 1 {
            self.progress.effort_permille = iteration.effort_permille;
        }
        self.settle(iteration.nodes, best, score, safety);
        let is_found = self.mate.is_some_and(|moves| score.is_mate_within(moves));
        !is_found && self.proceed(iteration.nodes)
    }

    fn changed(&mut self, iteration: &Iteration<'_>) {
        self.listener.report(&report(iteration, None));
    }
}

fn report(iteration: &Iteration<'_>, safety: Option<Requirement>) -> RootUpdate {
    RootUpdate {
        depth: iteration.depth,
        selective_depth: iteration.selective_depth,
        multi_pv: iteration.multi_pv,
        score: iteration.score,
        bound: iteration.bound,
        nodes: iteration.nodes,
        tablebase_hits: 0,
        memory_permille: iteration.table_permille,
        pv: iteration.pv.to_vec(),
        safety,
        claim: None,
    }
}

impl Translator<'_> {
    fn settle(&mut self, nodes: u64, best: Move, score: Score, safety: Requirement) {
        let best = Some(best);
        let stable = if self.best == best {
            self.progress.stable_requirements + 1
        } else {
            0
        };
        let overturned = u16::from(self.best.is_some() && self.best != best);
        self.best = best;
        self.progress = Progress {
            nodes,
            met: safety,
            demanded: Requirement {
                depth: safety.depth + 1,
                conspiracy: 1,
            },
            stable_requirements: stable,
            overturned,
            hypothesis: Some(score),
            settled: Some(score),
            effort_permille: self.progress.effort_permille,
            exhausted: self.is_forced || is_proven(score, safety.depth),
            ..Progress::default()
        };
    }
}

/// Whether deeper search cannot shorten the mate: it was looked for at least that deep.
fn is_proven(score: Score, depth: u16) -> bool {
    score
        .mate_distance()
        .is_some_and(|plies| plies.unsigned_abs() <= u32::from(depth))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::search::decide;
    use crate::game::Game as _;

    /// Stops after a number of calls; remembers the reports.
    struct Patience {
        calls: usize,
        reports: Vec<RootUpdate>,
    }

    impl SearchListener for Patience {
        fn proceed(&mut self, _: &Progress) -> bool {
            self.calls = self.calls.saturating_sub(1);
            self.calls > 0
        }
        fn report(&mut self, report: &RootUpdate) {
            self.reports.push(report.clone());
        }
    }

    #[test]
    fn answers_even_when_stopped_at_once() {
        let mut search =
            PvsSearch::new(RootWindow::Aspiration, &LeafParams::default(), 1, 1).unwrap();
        let mut listener = Patience {
            calls: 0,
            reports: Vec::new(),
        };
        let question = Question::initial(1, None);
        assert!(
            question
                .moves
                .contains(&decide(&mut search, &question, &mut listener).best)
        );
    }

    #[test]
    fn separates_the_best_moves_and_plays_legal_lines() {
        let mut search =
            PvsSearch::new(RootWindow::Aspiration, &LeafParams::default(), 1, 1).unwrap();
        let mut listener = Patience {
            calls: usize::MAX,
            reports: Vec::new(),
        };
        let question = Question::initial(3, Some(6));
        let answer = decide(&mut search, &question, &mut listener);
        let last: Vec<_> = listener
            .reports
            .iter()
            .filter(|report| report.depth == 6)
            .collect();
        assert_eq!(
            last.iter()
                .map(|report| report.multi_pv)
                .collect::<Vec<_>>(),
            [1, 2, 3]
        );
        assert!(last[0].score >= last[1].score && last[1].score >= last[2].score);
        assert_eq!(answer.best, last[0].pv[0]);
        assert!(answer.ponder.is_some());
        for report in &listener.reports {
            let mut line = question.line.clone();
            for &mv in &report.pv {
                assert!(line.position().is_legal(mv), "{mv:?} in {:?}", report.pv);
                line.play(mv);
            }
        }
    }
}
