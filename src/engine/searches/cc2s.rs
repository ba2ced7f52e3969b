//! Cc2s with delegation as a search of the engine: one planner, as many workers as threads, one hash table.

use std::sync::Arc;

use super::delegates::{Interlude, Overseer, delegate};
use super::kept_root::KeptRoot;
use super::thesis::{bound, safety};
use crate::cc2s::{DelegationParams, Demand, MARGINS, News, PlanStatus, Planner, Scope};
use crate::chess::{Line, Move, Position};
use crate::cluster::world;
use crate::engine::mate::scout::{MateScout, Sight};
use crate::engine::search::{BestMove, Claim, MemoryError, Question, Report, Search, Watch};
use crate::game::{Attribute, Score, Tablebase, Value};
use crate::search::{LeafParams, LeafSearcher, LeafTable, TableError};
use crate::settings::EngineParams;
use crate::time::{Progress, Safety, Work};

/// Said where ranks cannot help.
const STRANGE: &str =
    "the other ranks know only the built-in evaluation: this one searches by itself";
/// Deepest requirement made, in plies.
const DEPTH_MAX: u16 = 100;

/// The thin tree and its workers, kept between the moves of a game.
pub struct DelegatedCc2s {
    params: DelegationParams,
    planner: Planner<Move>,
    workers: Vec<LeafSearcher>,
    mate_scout: MateScout,
    root: KeptRoot,
    mebibytes: usize,
    /// Parameters for other ranks; `None`: they are not asked.
    for_ranks: Option<EngineParams>,
    /// Whether the evaluation is one that other ranks do not know, and nobody has been told so.
    is_strange: bool,
    /// Whether other ranks remember another game.
    is_new_game: bool,
}

fn searchers(
    params: &LeafParams,
    threads: usize,
    mebibytes: usize,
) -> Result<Vec<LeafSearcher>, TableError> {
    let table = Arc::new(LeafTable::new(mebibytes)?);
    Ok(LeafSearcher::on_threads(params, &table, threads))
}

impl DelegatedCc2s {
    /// A search by `threads` threads within `mebibytes` of memory.
    ///
    /// # Errors
    /// The memory cannot be had.
    pub fn new(
        params: DelegationParams,
        leaf: &LeafParams,
        threads: usize,
        mebibytes: usize,
    ) -> Result<Self, MemoryError> {
        Ok(Self {
            planner: Planner::new(params.clone()),
            params,
            workers: searchers(leaf, threads, mebibytes).map_err(|_| MemoryError {
                mebibytes,
                kept_mebibytes: 0,
            })?,
            mate_scout: MateScout::new(),
            root: KeptRoot::default(),
            mebibytes,
            for_ranks: None,
            is_strange: false,
            is_new_game: true,
        })
    }

    /// The same search, together with the other ranks if there are any: they go by these parameters. They know no
    /// evaluation but the default one, so with another this search does without them.
    #[must_use]
    pub fn with_ranks(mut self, params: &EngineParams) -> Self {
        let is_default = params.leaf.evaluation == LeafParams::default().evaluation;
        self.for_ranks = is_default.then(|| params.clone());
        self.is_strange = !is_default;
        self
    }

    /// The other ranks, which know whether this is the last game, and what they are to go by; `None` where there are
    /// none, or where another search has them.
    fn ranks(&mut self) -> Option<(world::Turn, &EngineParams)> {
        let params = self.for_ranks.as_ref()?;
        let mut turn = world::turn()?;
        if std::mem::take(&mut self.is_new_game) {
            turn.new_game();
        }
        Some((turn, params))
    }

    /// The other ranks, told what is to come.
    fn ranks_for(&mut self, question: &Question) -> Option<world::Turn> {
        let (mut turn, params) = self.ranks()?;
        turn.begin(params, &question.line, question.tables.is_some());
        Some(turn)
    }

    /// The tree of the last question and what is known of it.
    pub fn planner(&self) -> &Planner<Move> {
        &self.planner
    }

    /// Takes true scores from tables from now on, or no longer; what the tree knows rests on what was said before.
    fn set_tablebase(&mut self, tables: Option<&Arc<dyn Tablebase<Position>>>) {
        self.root.changes_tables(tables.is_some());
        for worker in &mut self.workers {
            worker.set_tablebase(tables.cloned());
            worker.turn_to_new_position();
        }
    }

    /// Moves the root of the tree to the question's position.
    fn root_at(&mut self, line: &Line) {
        match self.root.advance(line) {
            Some(moves) => self.planner.advance_root(&moves),
            None => self.planner.forget(),
        }
    }

    fn begin(&mut self, question: &Question, line: &mut Line) {
        let successors = self.workers[0].successors(line, &[]);
        let depth_max = question.depth.unwrap_or(DEPTH_MAX).min(DEPTH_MAX);
        self.planner.begin(
            &successors,
            &question.moves,
            Scope {
                depth_max,
                ranks: question.multi_pv,
                is_analysis: question.is_analysis,
            },
        );
    }
}

impl Search for DelegatedCc2s {
    fn think(&mut self, question: &Question, watch: &mut dyn Watch) -> BestMove {
        self.set_tablebase(question.tables.as_ref());
        self.root_at(&question.line);
        self.workers[0].table().age();
        let mut turn = self.ranks_for(question);
        self.begin(question, &mut question.line.clone());
        if std::mem::take(&mut self.is_strange) && world::count() > 1 {
            watch.complain(STRANGE.to_owned());
        }
        self.mate_scout.turn_to_new_position();
        let ranks = turn.as_deref_mut();
        let mut reporter = Reporter::new(
            question,
            Arc::clone(self.workers[0].table()),
            &mut self.mate_scout,
            &self.params,
            watch,
        );
        let planner = std::mem::replace(&mut self.planner, Planner::new(self.params.clone()));
        let planner = delegate(
            planner,
            &question.line,
            &mut self.workers,
            ranks,
            &mut reporter,
        );
        let answer = reporter.answer;
        self.planner = planner;
        answer.expect("it ended with an answer")
    }

    fn new_game(&mut self) {
        self.root.forget();
        self.is_new_game = true;
        self.mate_scout.forget();
        self.workers[0].table().clear();
        for worker in &mut self.workers {
            worker.forget();
        }
    }

    fn prepare(&mut self) {
        if let Some((mut turn, params)) = self.ranks() {
            turn.prepare(params);
        }
    }

    fn set_memory(&mut self, mebibytes: usize) -> Result<(), MemoryError> {
        let params = self.workers[0].params().clone();
        self.workers =
            searchers(&params, self.workers.len(), mebibytes).map_err(|_| MemoryError {
                mebibytes,
                kept_mebibytes: self.mebibytes,
            })?;
        self.root.forget();
        self.mebibytes = mebibytes;
        if let Some(params) = &mut self.for_ranks {
            params.engine.hash_mib = mebibytes as i32;
        }
        Ok(())
    }
}

/// Tells the watch what the planner knows.
struct Reporter<'a> {
    watch: &'a mut dyn Watch,
    is_forced: bool,
    mate_plies: Option<i32>,
    is_mate_found: bool,
    pv_count: usize,
    table: Arc<LeafTable>,
    question: &'a Question,
    mate_scout: &'a mut MateScout,
    proof_permille: u64,
    /// Depth at which a mate was last looked for.
    looked_at: u16,
    answer: Option<BestMove>,
    /// The best move last told of.
    told: Option<Move>,
    /// The last report of it, and the state of the search then.
    last: Option<(Report, PlanStatus)>,
}

/// Margin that a decision is said to need where none that was demanded did, in centipawns.
const WIDE_CP: u16 = 2 * MARGINS[MARGINS.len() - 1];

/// The safety of the best move, and its claim.
fn safety_of(status: &PlanStatus) -> (Option<Safety>, Option<Claim>) {
    let claim = |demand: Demand| Claim {
        hypothesis: demand.value(),
        margin_cp: demand.margin_cp(),
    };
    let met = (status.depth > 0).then(|| safety(status.met()));
    (met, status.secured.map(claim))
}

impl<'a> Reporter<'a> {
    fn new(
        question: &'a Question,
        table: Arc<LeafTable>,
        mate_scout: &'a mut MateScout,
        params: &DelegationParams,
        watch: &'a mut dyn Watch,
    ) -> Self {
        Self {
            question,
            mate_scout,
            proof_permille: params.proof_permille as u64,
            looked_at: 0,
            pv_count: question.multi_pv.min(question.moves.len()),
            watch,
            is_forced: question.moves.len() == 1,
            mate_plies: question.mate.map(|moves| 2 * i32::from(moves) - 1),
            is_mate_found: false,
            answer: None,
            told: None,
            last: None,
            table,
        }
    }
}

impl Reporter<'_> {
    fn progress(&self, status: &PlanStatus, nodes: u64) -> Progress {
        let [decide, secure] = status.nodes;
        let settled = status.settled;
        let is_proven = settled
            .and_then(Score::mate_distance)
            .is_some_and(|plies| plies.unsigned_abs() <= u32::from(status.depth));
        let requirement = |depth| Safety {
            depth,
            conspiracy: 1,
        };
        Progress {
            nodes,
            met: requirement(status.depth),
            demanded: requirement(status.depth + 1),
            stable_requirements: status.stable,
            overturned: status.overturned,
            hypothesis: status.hypothesis,
            settled,
            effort_permille: status.effort_permille,
            margin_cp: match status.secured {
                Some(demand) => Some(demand.margin_cp()),
                None => status.is_in_vain.then_some(WIDE_CP),
            },
            work: Work { decide, secure },
            exhausted: settled.is_some() && (self.is_forced || is_proven),
        }
    }
}

impl Reporter<'_> {
    /// Says the last word on the best move once more where its safety has changed since.
    fn tell_safety(&mut self, status: &PlanStatus) {
        let Some((last, before)) = self.last.as_mut().filter(|_| self.pv_count == 1) else {
            return;
        };
        if before.secured != status.secured {
            *before = *status;
            (last.safety, last.claim) = safety_of(status);
            self.watch.report(last);
        }
    }
}

impl Overseer for Reporter<'_> {
    fn proceed(&mut self, status: &PlanStatus, nodes: u64) -> bool {
        self.tell_safety(status);
        let progress = self.progress(status, nodes);
        !self.is_mate_found && self.watch.proceed(&progress)
    }

    /// After each requirement met, looks for a mate if one may be near.
    fn interlude(&mut self, status: &PlanStatus, nodes: u64) -> Interlude {
        let nothing = Interlude {
            nodes: 0,
            proof: None,
        };
        let Some(score) = status.settled.filter(|_| status.depth > self.looked_at) else {
            return nothing;
        };
        self.looked_at = status.depth;
        if !self.mate_scout.is_worthwhile(self.question, score) {
            return nothing;
        }
        let allowed = nodes * self.proof_permille / 1_000;
        let before = self.mate_scout.nodes();
        let mut progress = self.progress(status, nodes);
        let sight = self
            .mate_scout
            .probe(self.question, allowed, &mut progress, self.watch);
        Interlude {
            nodes: self.mate_scout.nodes() - before,
            proof: match sight {
                Sight::Mate(plies, line) => Some((line, Score::mate_in(plies))),
                Sight::Nothing | Sight::Stopped => None,
            },
        }
    }

    fn complain(&mut self, text: String) {
        self.watch.complain(text);
    }

    fn answer(&mut self, status: &PlanStatus, line: &[Move]) {
        self.tell_safety(status);
        let answer = BestMove::of(&self.question.line, line);
        self.watch.answer(&answer);
        self.answer = Some(answer);
    }

    fn tell(&mut self, status: &PlanStatus, news: &News<Move>, nodes: u64) {
        let Value { score, attribute } = news.value;
        let mv = news.line.first().copied();
        let is_open = attribute != Attribute::Exact && score.is_decisive();
        // Of several moves only whole lists are told; and of a mate its length, unless it is the first word on the
        // move.
        if !news.is_met && self.pv_count > 1 || is_open && self.told == mv {
            return;
        }
        if news.rank == 1 {
            self.told = mv;
        }
        if news.rank == 1 && news.is_met {
            let distance = news.value.score.mate_distance();
            self.is_mate_found = match (self.mate_plies, distance) {
                (Some(limit), Some(plies)) => plies > 0 && plies <= limit,
                _ => false,
            };
        }
        // What is said of safety is about the best move.
        let (safety, claim) = if news.rank == 1 {
            safety_of(status)
        } else {
            let alone = PlanStatus {
                secured: None,
                ..*status
            };
            safety_of(&alone)
        };
        let report = Report {
            depth: news.depth,
            selective_depth: status.level,
            multi_pv: news.rank,
            // A bound without the moves to the mate is no announcement of one.
            score: if is_open {
                Score::centipawns(score.raw().into())
            } else {
                score
            },
            bound: bound(attribute),
            nodes,
            tablebase_hits: 0,
            memory_permille: self.table.permille(),
            pv: news.line.clone(),
            safety,
            claim,
        };
        self.watch.report(&report);
        if news.rank == 1 {
            self.last = Some((report, *status));
        }
    }
}
