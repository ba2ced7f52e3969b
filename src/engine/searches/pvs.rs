//! Classical alpha-beta (PVS, or MTD(f)) with the techniques of the leaf evaluator at full depth: the reference
//! opponent of Cc2s.

use super::lazy_smp::ThreadPool;
use crate::chess::Move;
use crate::engine::search::{BestMove, MemoryError, Question, Search, SearchListener};
use crate::search::{DeepenRequest, LeafParams, RootWindow};

/// Iterative deepening on the whole memory bound, by one thread or several.
pub struct PvsSearch {
    pool: ThreadPool,
    window: RootWindow,
}

impl PvsSearch {
    /// A search with these windows at the root and these parameters, by `threads` threads within `mebibytes` of memory.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn new(
        window: RootWindow,
        params: &LeafParams,
        threads: usize,
        mebibytes: usize,
    ) -> Result<Self, MemoryError> {
        let pool = ThreadPool::new(params, threads, mebibytes)?;
        Ok(Self { pool, window })
    }
}

impl Search for PvsSearch {
    fn think(&mut self, question: &Question, listener: &mut dyn SearchListener<Move>) {
        self.pool.set_tablebase(question.tables.as_ref());
        let mut line = question.line.clone();
        let request = DeepenRequest {
            depth_max: question.depth.unwrap_or(u16::MAX),
            pv_count: question.multi_pv,
            window: self.window,
            place: 0,
        };
        let pv = self
            .pool
            .deepen(&mut line, &question.moves, request, listener);
        listener.answer(&BestMove::of(&question.line, &pv));
    }

    fn new_game(&mut self) {
        self.pool.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::search::{RootUpdate, decide};
    use crate::game::{Game as _, Progress};

    /// Stops after a number of calls; remembers the reports.
    struct StopAfterCalls {
        calls: usize,
        reports: Vec<RootUpdate>,
    }

    impl SearchListener<Move> for StopAfterCalls {
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
        let mut listener = StopAfterCalls {
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
        let mut listener = StopAfterCalls {
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
