//! Cc2s with a scout: PVS proposes the best move at every depth, Cc2s secures it a few plies behind.
//!
//! Alpha-beta sees further than Cc2s for the same work, but it believes every evaluation. So the two share the work: the
//! scout deepens ply by ply; after each ply Cc2s takes the scout's move and score as its hypothesis and tries to meet the
//! next requirements of its schedule. Where it meets one with another move, that move is played; where it only fails, the
//! doubt is told to the clock. Both use one evaluation and one table.

use super::cc2s_search::{bound, safety};
use super::lazy_smp::ThreadPool;
use super::pvs::Translator;
use super::search::{BestMove, MemoryError, Question, Report, ScoreBound, Search, Watch};
use super::securer::{Proposal, Securer};
use crate::cc2s::{Cc2sParams, Decision, Requirement};
use crate::chess::Move;
use crate::game::Score;
use crate::leaf::{Iteration, LeafParams, Observer, Plan, RootWindow};

crate::parameters! {
    /// How a scout and Cc2s share the work.
    pub struct ScoutParams {
        scout: bool = true, 0..=1, "", "docs/experiments.md", "Let PVS propose the best move at every depth and Cc2s secure it; off, Cc2s works alone as in the thesis.";
        scout_lead: i32 = 4, 0..=64, "plies", "docs/experiments.md", "How much deeper than what is to be secured the scout looks first.";
        securing_permille: i32 = 60, 1..=10_000, "thousandths", "docs/experiments.md", "Work for securing, of the work of the scout.";
        scout_overruled: bool = true, 0..=1, "", "docs/experiments.md", "Play the move Cc2s has found safe instead of the one proposed; off, the doubt only costs time.";
    }
}

/// Parts of the memory bound, in eighths, for the stored tree and the target tables; the shared table gets the rest.
const SECURER_EIGHTHS: usize = 2;

/// PVS by one thread or several, and Cc2s.
pub struct ScoutedSearch {
    params: ScoutParams,
    pool: ThreadPool,
    securer: Securer,
    mebibytes: usize,
}

impl ScoutedSearch {
    /// A search with these parameters within `mebibytes` of memory; the scout uses `threads` threads.
    ///
    /// # Errors
    /// The memory cannot be had.
    pub fn new(
        params: ScoutParams,
        cc2s: Cc2sParams,
        leaf: LeafParams,
        threads: usize,
        mebibytes: usize,
    ) -> Result<Self, MemoryError> {
        let error = MemoryError {
            mebibytes,
            kept_mebibytes: 0,
        };
        let (shared, own) = shares(mebibytes);
        let pool = ThreadPool::new(&leaf, threads, shared).map_err(|_| error.clone())?;
        let securer = Securer::new(cc2s, leaf, pool.table(), own).ok_or(error)?;
        Ok(Self {
            params,
            pool,
            securer,
            mebibytes,
        })
    }
}

/// How much of the memory bound is for the shared table, and how much for what Cc2s needs beside it, in MiB.
fn shares(mebibytes: usize) -> (usize, usize) {
    let own = SECURER_EIGHTHS * mebibytes / 8;
    (mebibytes - own, own.max(1))
}

impl Search for ScoutedSearch {
    fn think(&mut self, question: &Question, watch: &mut dyn Watch) -> BestMove {
        self.pool.set_truth(question.tables.as_ref());
        self.securer.turn_to_new_position(question.tables.clone());
        let plan = Plan {
            depth_max: question.depth.unwrap_or(u16::MAX),
            ranks: question.multi_pv,
            window: RootWindow::Aspiration,
            place: 0,
        };
        let mut observer = ScoutObserver {
            params: &self.params,
            question,
            translator: Translator::new(question, watch).secured_by_others(),
            securer: &mut self.securer,
            ranking: Vec::new(),
            variations: Vec::new(),
            secured: None,
            scout_nodes: 0,
            nodes: 0,
            overruled: None,
        };
        let mut line = question.line.clone();
        let pv = self
            .pool
            .deepen(&mut line, &question.moves, plan, &mut observer);
        let pv = match observer.overruled {
            Some((proposed, better)) if proposed == pv[0] => better,
            _ => pv,
        };
        BestMove::of(&question.line, &pv)
    }

    fn new_game(&mut self) {
        self.pool.clear();
        self.securer.forget();
    }

    fn set_memory(&mut self, mebibytes: usize) -> Result<(), MemoryError> {
        let error = MemoryError {
            mebibytes,
            kept_mebibytes: self.mebibytes,
        };
        let (shared, own) = shares(mebibytes);
        let pool = self.pool.resized(shared).map_err(|_| error.clone())?;
        let securer = self.securer.resized(pool.table(), own).ok_or(error)?;
        (self.pool, self.securer, self.mebibytes) = (pool, securer, mebibytes);
        Ok(())
    }
}

/// Hears the scout, lets Cc2s secure what it proposes, and tells the watch of both.
struct ScoutObserver<'a> {
    params: &'a ScoutParams,
    question: &'a Question,
    translator: Translator<'a>,
    securer: &'a mut Securer,
    /// The best moves of the iteration under way.
    ranking: Vec<(Move, Score)>,
    /// Their variations.
    variations: Vec<Vec<Move>>,
    /// The move secured last, and what it meets.
    secured: Option<(Move, Requirement)>,
    /// Nodes of the scout.
    scout_nodes: u64,
    /// Nodes of Cc2s.
    nodes: u64,
    /// The scout's last proposal and the line that Cc2s found better.
    overruled: Option<(Move, Vec<Move>)>,
}

impl Observer for ScoutObserver<'_> {
    fn proceed(&mut self, nodes: u64) -> bool {
        self.translator.proceed(nodes + self.nodes)
    }

    fn iteration(&mut self, iteration: &Iteration<'_>) -> bool {
        self.scout_nodes = iteration.nodes;
        if iteration.rank == 1 {
            self.ranking.clear();
            self.overruled = None;
            self.variations.clear();
            self.forget_other_safety(iteration.pv[0]);
        }
        self.ranking.push((iteration.pv[0], iteration.score));
        self.variations.push(iteration.pv.to_vec());
        let proceeds = self.translator.iteration(&Iteration {
            nodes: iteration.nodes + self.nodes,
            ..*iteration
        });
        let ranks = self.question.multi_pv.min(self.question.moves.len());
        proceeds && (self.ranking.len() < ranks || self.secure(iteration))
    }

    fn changed(&mut self, iteration: &Iteration<'_>) {
        self.translator.changed(&Iteration {
            nodes: iteration.nodes + self.nodes,
            ..*iteration
        });
    }
}

impl ScoutObserver<'_> {
    /// What was shown of another move says nothing of this one.
    fn forget_other_safety(&mut self, proposed: Move) {
        self.secured = self.secured.filter(|&(mv, _)| mv == proposed);
        let met = self.met();
        self.translator.set_safety(safety(met));
    }

    fn met(&self) -> Requirement {
        self.secured.map_or(Requirement::default(), |(_, met)| met)
    }

    /// Lets Cc2s work on what is proposed if it is its turn; false if the watch said stop.
    fn secure(&mut self, iteration: &Iteration<'_>) -> bool {
        let allowed = self.scout_nodes * self.params.securing_permille as u64 / 1_000;
        let depth_max = iteration
            .depth
            .saturating_sub(self.params.scout_lead as u16);
        let next = self.securer.schedule(&self.question.line).after(self.met());
        if self.nodes >= allowed || next.depth > depth_max || self.is_decided() {
            return true;
        }
        let proposal = Proposal {
            question: self.question,
            ranking: &self.ranking,
            met: self.met(),
            depth_max,
            nodes_max: allowed - self.nodes,
        };
        let (progress, watch) = self.translator.parts();
        let finding = self.securer.secure(&proposal, progress, watch);
        self.nodes += finding.nodes;
        progress.overturned += finding.overturned;
        let is_proposed = finding.decision.pv[0] == self.ranking[0].0;
        if finding.decision.met != self.met() && (is_proposed || self.params.scout_overruled) {
            self.take_over(finding.decision, iteration);
        }
        !finding.is_stopped
    }

    /// A forced move or a mate needs no securing.
    fn is_decided(&self) -> bool {
        self.question.moves.len() == 1 || self.ranking[0].1.is_decisive()
    }

    /// A requirement was met, be it by the move proposed or by another.
    fn take_over(&mut self, decision: Decision<Move>, iteration: &Iteration<'_>) {
        let best = decision.pv[0];
        let proposed = self.ranking[0];
        self.secured = Some((best, decision.met));
        self.translator.set_safety(safety(decision.met));
        for (line, rank) in self.lines_after(&decision).into_iter().zip(1..) {
            self.translator.tell(&Report {
                depth: iteration.depth,
                selective_depth: iteration.selective_depth,
                rank,
                score: line.score,
                bound: line.bound,
                nodes: self.scout_nodes + self.nodes,
                tablebase_hits: 0,
                memory_permille: iteration.table_permille,
                pv: line.pv,
                safety: Some(safety(decision.met)),
                hypothesis: Some(decision.value.score),
            });
        }
        if best != proposed.0 {
            self.overruled = Some((proposed.0, decision.pv));
        }
    }

    /// The best moves, the decision's first. Where it overrules the scout, the others are worth at most as much.
    fn lines_after(&self, decision: &Decision<Move>) -> Vec<BestLine> {
        let best = decision.pv[0];
        let mut lines: Vec<_> = (self.ranking.iter().zip(&self.variations))
            .map(|(&(_, score), pv)| BestLine {
                score,
                bound: ScoreBound::Exact,
                pv: pv.clone(),
            })
            .collect();
        if best == self.ranking[0].0 {
            return lines;
        }
        let score = decision.value.score;
        for line in lines.iter_mut().filter(|line| line.score > score) {
            (line.score, line.bound) = (score, ScoreBound::AtMost);
        }
        let ranks = lines.len();
        lines.retain(|line| line.pv[0] != best);
        lines.insert(
            0,
            BestLine {
                score,
                bound: bound(decision.value.attribute),
                pv: decision.pv.clone(),
            },
        );
        lines.truncate(ranks);
        lines
    }
}

/// What is said of one of the best moves.
struct BestLine {
    score: Score,
    bound: ScoreBound,
    pv: Vec<Move>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Progress;

    /// Stops after so many nodes; remembers the reports and the greatest number of nodes told.
    struct Patience {
        nodes_max: u64,
        nodes: u64,
        reports: Vec<Report>,
    }

    impl Watch for Patience {
        fn proceed(&mut self, progress: &Progress) -> bool {
            assert!(progress.nodes >= self.nodes, "nodes never grow fewer");
            self.nodes = progress.nodes;
            progress.nodes < self.nodes_max
        }
        fn report(&mut self, report: &Report) {
            self.reports.push(report.clone());
        }
    }

    fn think(nodes_max: u64, multi_pv: usize) -> (BestMove, Patience, Question) {
        let question = Question::initial(multi_pv, None);
        let mut search = ScoutedSearch::new(
            ScoutParams::default(),
            Cc2sParams::default(),
            LeafParams::default(),
            1,
            4,
        )
        .unwrap();
        let mut watch = Patience {
            nodes_max,
            nodes: 0,
            reports: Vec::new(),
        };
        let answer = search.think(&question, &mut watch);
        (answer, watch, question)
    }

    #[test]
    fn answers_even_when_stopped_at_once() {
        let (answer, _, question) = think(0, 1);
        assert!(question.moves.contains(&answer.best));
    }

    #[test]
    fn secures_what_the_scout_proposes() {
        let (answer, watch, question) = think(300_000, 1);
        assert!(question.moves.contains(&answer.best));
        let safest = watch
            .reports
            .iter()
            .filter_map(|report| report.safety)
            .max_by_key(|safety| safety.depth);
        let safest = safest.expect("something was secured");
        assert!(safest.depth >= 3, "{safest:?}");
        assert!(
            watch.reports.iter().all(|report| report
                .safety
                .is_none_or(|safety| safety.depth + 4 <= report.depth)),
            "the scout stays ahead"
        );
    }

    #[test]
    fn tells_of_as_many_moves_as_are_wanted() {
        let (answer, watch, question) = think(100_000, 3);
        let ranks: Vec<_> = watch.reports.iter().map(|report| report.rank).collect();
        assert!(ranks.contains(&2) && ranks.contains(&3));
        let best = watch.reports.iter().rfind(|report| report.rank == 1);
        assert!(
            question
                .moves
                .contains(&best.expect("a best move was told").pv[0])
        );
        assert!(question.moves.contains(&answer.best));
    }
}
