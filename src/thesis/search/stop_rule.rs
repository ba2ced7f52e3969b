//! The questions of an expansion that may be asked together.

use super::valuation::SurveyResult;
use crate::game::{Relation, TargetBound};

/// The condition on an answer under which the next foreseeable question follows. Bounds are in the successors'
/// view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopRule {
    /// At an all node: as long as every successor complies.
    WhileSupporting(TargetBound),
    /// At a cut node: until this many more successors comply.
    UntilSupported(TargetBound, usize),
}

impl StopRule {
    /// Notes an answer; returns `false` if the next question depends on it.
    pub(crate) fn goes_on(&mut self, finding: SurveyResult) -> bool {
        let relation = |bound| finding.value().relation_to(bound);
        match self {
            Self::WhileSupporting(bound) => relation(*bound) == Relation::Supports,
            Self::UntilSupported(bound, wanted) => match (relation(*bound), finding) {
                (Relation::Contradicts, _) => true,
                (Relation::Supports, SurveyResult::Value(_)) => {
                    *wanted = wanted.saturating_sub(1);
                    *wanted > 0
                }
                // An end counts for any number of supporters.
                (Relation::Supports, SurveyResult::End(_)) | (Relation::Undecided, _) => false,
            },
        }
    }
}
