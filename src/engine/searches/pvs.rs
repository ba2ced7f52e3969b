//! Classical alpha-beta (PVS, or MTD(f) over it) with the leaf evaluator's own techniques at full depth: the opponent
//! Cc2s is measured by.

use super::lazy_smp::ThreadPool;
use crate::chess::Move;
use crate::engine::search::{BestMove, MemoryError, Question, Report, ScoreBound, Search, Watch};
use crate::game::Score;
use crate::search::{self, Iteration, LeafParams, Observer, Plan, RootWindow};
use crate::time::{Progress, Safety};

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
        let pool = ThreadPool::new(params, threads, mebibytes).map_err(|_| MemoryError {
            mebibytes,
            kept_mebibytes: 0,
        })?;
        Ok(Self {
            pool,
            window,
            mebibytes,
        })
    }
}

impl Search for PvsSearch {
    fn think(&mut self, question: &Question, watch: &mut dyn Watch) -> BestMove {
        self.pool.set_tablebase(question.tables.as_ref());
        let mut line = question.line.clone();
        let plan = Plan {
            depth_max: question.depth.unwrap_or(u16::MAX),
            pv_count: question.multi_pv,
            window: self.window,
            place: 0,
        };
        let mut translator = Translator::new(question, watch);
        let pv = self
            .pool
            .deepen(&mut line, &question.moves, plan, &mut translator);
        BestMove::of(&question.line, &pv)
    }

    fn new_game(&mut self) {
        self.pool.clear();
    }

    fn set_memory(&mut self, mebibytes: usize) -> Result<(), MemoryError> {
        self.pool = self.pool.resized(mebibytes).map_err(|_| MemoryError {
            mebibytes,
            kept_mebibytes: self.mebibytes,
        })?;
        self.mebibytes = mebibytes;
        Ok(())
    }
}

/// Tells the watch what the iterations say. An iteration is a requirement with conspiracy 1.
pub(crate) struct Translator<'a> {
    watch: &'a mut dyn Watch,
    progress: Progress,
    best: Option<Move>,
    is_forced: bool,
    mate_plies: Option<i32>,
    pv_count: usize,
    /// The best move of the iteration under way and its score.
    leader: Option<(Move, Score)>,
}

impl<'a> Translator<'a> {
    pub(crate) fn new(question: &Question, watch: &'a mut dyn Watch) -> Self {
        Self {
            watch,
            progress: Progress::default(),
            best: None,
            is_forced: question.moves.len() == 1,
            mate_plies: question.mate.map(|moves| 2 * i32::from(moves) - 1),
            pv_count: question.multi_pv.min(question.moves.len()),
            leader: None,
        }
    }
}

impl Observer for Translator<'_> {
    fn proceed(&mut self, nodes: u64) -> bool {
        self.progress.nodes = nodes;
        self.watch.proceed(&self.progress)
    }

    fn iteration(&mut self, iteration: &Iteration<'_>) -> bool {
        let safety = Safety {
            depth: iteration.depth,
            conspiracy: 1,
        };
        self.watch.report(&report(iteration, Some(safety)));
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
        self.settle(iteration.nodes, (best, score), safety);
        let is_found = |plies: i32| score.mate_distance().is_some_and(|d| d > 0 && d <= plies);
        !self.mate_plies.is_some_and(is_found) && self.proceed(iteration.nodes)
    }

    fn changed(&mut self, iteration: &Iteration<'_>) {
        self.watch.report(&report(iteration, None));
    }
}

fn report(iteration: &Iteration<'_>, safety: Option<Safety>) -> Report {
    Report {
        depth: iteration.depth,
        selective_depth: iteration.selective_depth,
        multi_pv: iteration.multi_pv,
        score: iteration.score,
        bound: match iteration.bound {
            search::BoundType::Exact => ScoreBound::Exact,
            search::BoundType::Lower => ScoreBound::AtLeast,
            search::BoundType::Upper => ScoreBound::AtMost,
        },
        nodes: iteration.nodes,
        tablebase_hits: 0,
        memory_permille: iteration.table_permille,
        pv: iteration.pv.to_vec(),
        safety,
        claim: None,
    }
}

impl Translator<'_> {
    fn settle(&mut self, nodes: u64, (best, score): (Move, Score), safety: Safety) {
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
            demanded: Safety {
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
    use crate::game::Game as _;

    /// Stops after a number of calls; remembers the reports.
    struct Patience {
        calls: usize,
        reports: Vec<Report>,
    }

    impl Watch for Patience {
        fn proceed(&mut self, _: &Progress) -> bool {
            self.calls = self.calls.saturating_sub(1);
            self.calls > 0
        }
        fn report(&mut self, report: &Report) {
            self.reports.push(report.clone());
        }
    }

    #[test]
    fn answers_even_when_stopped_at_once() {
        let mut search =
            PvsSearch::new(RootWindow::Aspiration, &LeafParams::default(), 1, 1).unwrap();
        let mut watch = Patience {
            calls: 0,
            reports: Vec::new(),
        };
        let question = Question::initial(1, None);
        assert!(
            question
                .moves
                .contains(&search.think(&question, &mut watch).best)
        );
    }

    #[test]
    fn separates_the_best_moves_and_plays_legal_lines() {
        let mut search =
            PvsSearch::new(RootWindow::Aspiration, &LeafParams::default(), 1, 1).unwrap();
        let mut watch = Patience {
            calls: usize::MAX,
            reports: Vec::new(),
        };
        let question = Question::initial(3, Some(6));
        let answer = search.think(&question, &mut watch);
        let last: Vec<_> = watch
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
        for report in &watch.reports {
            let mut line = question.line.clone();
            for &mv in &report.pv {
                assert!(line.position().is_legal(mv), "{mv:?} in {:?}", report.pv);
                line.play(mv);
            }
        }
    }
}
