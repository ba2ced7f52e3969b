//! Repairs reports before they are shown: variations are legal, mates have all their moves, and endgame tables override
//! scores.

use super::static_guess::static_guess;
use super::table_probe::TableProbe;
use super::variation::{ends_game, legal_part};
use crate::chess::{Line, Move};
use crate::engine::mate::pv::{MateLines, as_far_as_shown};
use crate::engine::search::{BestMove, Question, RootUpdate};
use crate::eval::EvaluationKind;
use crate::game::{Bound, Requirement};

/// The rules, tables and mates used to check the reports of one search.
pub(super) struct PvRepair {
    line: Line,
    tables: TableProbe,
    mates: MateLines,
    evaluation: EvaluationKind,
    /// `go mate`: a mate found is announced even if not all its moves are known.
    is_mate_asked: bool,
}

impl PvRepair {
    pub(super) fn new(question: &Question, tables: TableProbe, evaluation: EvaluationKind) -> Self {
        Self {
            line: question.line.clone(),
            tables,
            mates: MateLines::default(),
            evaluation,
            is_mate_asked: question.mate.is_some(),
        }
    }

    /// The repaired report, with the nodes so far; `None` if its first move is illegal.
    pub(super) fn repaired(&mut self, report: &RootUpdate, nodes: u64) -> Option<RootUpdate> {
        let mut repaired = report.clone();
        repaired.pv = legal_part(&self.line, &report.pv);
        self.tables.correct(&mut repaired);
        if repaired.pv.is_empty() {
            return None;
        }
        let (pv, score) = (repaired.pv, repaired.score);
        let truth = self.tables.tablebase();
        (repaired.pv, repaired.score) = self.mates.complete(&self.line, pv, score, truth, nodes);
        if repaired.bound == Bound::Exact && !self.is_mate_asked {
            let root = self.line.position();
            repaired.score = as_far_as_shown(root, repaired.score, &repaired.pv);
        }
        if repaired.score != report.score {
            repaired.withdraw_safety();
        }
        Some(repaired)
    }

    /// A report on a move that was not searched.
    pub(super) fn guess(&self, mv: Move) -> RootUpdate {
        let mut report = static_guess(&self.line, mv, &self.evaluation);
        self.tables.correct(&mut report);
        report.safety = Some(Requirement {
            depth: report.depth,
            conspiracy: 1,
        });
        report
    }

    /// The answer of this variation, with a ponder move if one is known.
    pub(super) fn completed(&self, answer: &BestMove, pv: &[Move]) -> BestMove {
        let best = pv[0];
        let expected = answer.ponder.filter(|_| best == answer.best);
        let is_legal = |&reply: &Move| legal_part(&self.line, &[best, reply]).len() == 2;
        // The last report goes before what the search knows beside it.
        let ponder = (pv.get(1).copied())
            .or_else(|| expected.filter(is_legal))
            .filter(|&reply| !ends_game(&self.line, &[best, reply]));
        BestMove { best, ponder }
    }
}
