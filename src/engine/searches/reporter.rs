//! Reports of a delegating search to the engine's listener.

use std::sync::Arc;

use crate::cc2s::{DelegationParams, Planner};
use crate::chess::Move;
use crate::engine::mate::scout::{MateScout, Sight};
use crate::engine::search::{BestMove, Claim, Question, RootUpdate, SearchListener};
use crate::game::{Bound, Progress, Requirement, Score};
use crate::search::LeafTable;

/// The state of a search, as reported to its listener.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Snapshot {
    progress: Progress,
    safety: Option<Requirement>,
    claim: Option<Claim>,
}

impl Snapshot {
    pub(super) fn of(planner: &Planner<Move>) -> Self {
        let (safety, claim) = planner.safety();
        Self {
            progress: planner.progress(),
            safety,
            claim,
        }
    }

    fn progress(&self, nodes: u64) -> Progress {
        Progress {
            nodes,
            ..self.progress
        }
    }
}

/// Reports the results of the planner to the listener, and looks for a mate in between.
pub(super) struct Reporter<'a> {
    listener: &'a mut dyn SearchListener<Move>,
    multi_pv: usize,
    table: Arc<LeafTable>,
    question: &'a Question,
    mate_scout: &'a mut MateScout,
    proof_permille: u64,
    /// Depth at which a mate was last looked for.
    looked_at: u16,
    /// The best move last reported.
    last_reported: Option<Move>,
    /// The last update on it.
    last: Option<RootUpdate>,
}

/// The result of a search for a mate.
pub(super) struct MateProbe {
    /// Nodes it took.
    pub(super) nodes: u64,
    /// A proved variation from the root and its score, from the root's point of view.
    pub(super) mate: Option<(Vec<Move>, Score)>,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(
        question: &'a Question,
        table: Arc<LeafTable>,
        mate_scout: &'a mut MateScout,
        params: &DelegationParams,
        listener: &'a mut dyn SearchListener<Move>,
    ) -> Self {
        Self {
            question,
            mate_scout,
            proof_permille: params.proof_permille as u64,
            looked_at: 0,
            multi_pv: question.multi_pv.min(question.moves.len()),
            listener,
            last_reported: None,
            last: None,
            table,
        }
    }
}

impl Reporter<'_> {
    /// Whether bounds of the best move are reported too; with several moves only complete lists are.
    pub(super) const fn wants_bounds(&self) -> bool {
        self.multi_pv == 1
    }

    /// Reports the best move once more where its safety has changed since.
    fn report_safety(&mut self, now: &Snapshot) {
        let wants_bounds = self.wants_bounds();
        let Some(last) = self.last.as_mut().filter(|_| wants_bounds) else {
            return;
        };
        let is_deeper = last.claim.is_some() && last.safety != now.safety;
        if last.claim != now.claim || is_deeper {
            (last.safety, last.claim) = (now.safety, now.claim);
            self.listener.report(last);
        }
    }

    /// Returns false if the search must end. Call it every few thousand nodes with the nodes of all workers.
    pub(super) fn proceed(&mut self, now: &Snapshot, nodes: u64) -> bool {
        self.report_safety(now);
        self.listener.proceed(&now.progress(nodes))
    }

    /// After each requirement met, looks for a mate if one may be near.
    pub(super) fn probe_mate(&mut self, now: &Snapshot, nodes: u64) -> MateProbe {
        let nothing = MateProbe {
            nodes: 0,
            mate: None,
        };
        let mut progress = now.progress(nodes);
        let depth = progress.met.depth;
        let Some(score) = progress.settled.filter(|_| depth > self.looked_at) else {
            return nothing;
        };
        self.looked_at = depth;
        if !self.mate_scout.is_worthwhile(self.question, score) {
            return nothing;
        }
        let allowed = nodes * self.proof_permille / 1_000;
        let before = self.mate_scout.nodes();
        let sight = self
            .mate_scout
            .probe(self.question, allowed, &mut progress, self.listener);
        MateProbe {
            nodes: self.mate_scout.nodes() - before,
            mate: match sight {
                Sight::Mate(plies, line) => Some((line, Score::mate_in(plies))),
                Sight::Nothing | Sight::Stopped => None,
            },
        }
    }

    /// Reports a problem; the search continues.
    pub(super) fn complain(&mut self, text: String) {
        self.listener.complain(text);
    }

    /// Gives the answer, the best variation; helpers may still be stopping.
    pub(super) fn answer(&mut self, now: &Snapshot, pv: &[Move]) {
        self.report_safety(now);
        let answer = BestMove::of(&self.question.line, pv);
        self.listener.answer(&answer);
    }

    /// Reports an update of the root, with the nodes so far.
    pub(super) fn report(&mut self, update: &RootUpdate, nodes: u64) {
        let (score, is_exact) = (update.score, update.bound == Bound::Exact);
        let is_best = update.multi_pv == 1;
        let mv = update.pv.first().copied();
        let is_open = !is_exact && score.is_decisive();
        // Of a mate its length is reported, unless it is the first news of the move.
        if !is_exact && !self.wants_bounds() || is_open && self.last_reported == mv {
            return;
        }
        if is_best {
            self.last_reported = mv;
        }
        let update = RootUpdate {
            // A bound without the moves to the mate is no announcement of one.
            score: if is_open {
                Score::centipawns(score.raw().into())
            } else {
                score
            },
            nodes,
            memory_permille: self.table.permille(),
            ..update.clone()
        };
        self.listener.report(&update);
        if is_best {
            self.last = Some(update);
        }
    }
}
