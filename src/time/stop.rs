//! Why a search ends.

use super::Limits;
use crate::game::Progress;

/// Reasons to end a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The user stopped it.
    User,
    /// The time for this move is used up, or the rest is too short for the next requirement.
    Time,
    /// The nodes asked for are searched.
    Nodes,
    /// The requirement of the depth asked for is met.
    Depth,
    /// Nothing is left to gain.
    Exhausted,
}

/// A reason that needs no clock: whether it holds under these limits with this progress.
type Stopper = fn(&Limits, &Progress) -> Option<StopReason>;

/// In the order of the checks.
const STOPPERS: [Stopper; 3] = [depth, nodes, exhausted];

/// The first reason to stop, leaving aside the clock and the user.
pub fn reason_to_stop(limits: &Limits, progress: &Progress) -> Option<StopReason> {
    STOPPERS
        .into_iter()
        .find_map(|stopper| stopper(limits, progress))
}

fn depth(limits: &Limits, progress: &Progress) -> Option<StopReason> {
    (progress.met.depth >= limits.depth?).then_some(StopReason::Depth)
}

fn nodes(limits: &Limits, progress: &Progress) -> Option<StopReason> {
    (progress.nodes >= limits.nodes?).then_some(StopReason::Nodes)
}

/// Only with a clock: an analysis runs to its requested limit.
fn exhausted(limits: &Limits, progress: &Progress) -> Option<StopReason> {
    let clocked = limits.clock_ms.is_some() && !limits.infinite;
    (clocked && (progress.exhausted || is_mate_proven(progress))).then_some(StopReason::Exhausted)
}

/// Whether a mate shorter than the requirement met is announced: no deeper requirement can change it.
fn is_mate_proven(progress: &Progress) -> bool {
    progress
        .settled
        .and_then(crate::game::Score::mate_distance)
        .is_some_and(|plies| plies.unsigned_abs() <= u32::from(progress.met.depth))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Requirement, Score};

    fn progress(depth: u16, nodes: u64, settled: Score) -> Progress {
        Progress {
            nodes,
            met: Requirement {
                depth,
                conspiracy: 1,
            },
            settled: Some(settled),
            ..Progress::default()
        }
    }

    #[test]
    fn the_first_limit_reached_ends_the_search() {
        let limits = Limits {
            depth: Some(5),
            nodes: Some(1_000),
            ..Limits::default()
        };
        let even = Score::DRAW;
        assert_eq!(reason_to_stop(&limits, &progress(4, 999, even)), None);
        assert_eq!(
            reason_to_stop(&limits, &progress(5, 10, even)),
            Some(StopReason::Depth)
        );
        assert_eq!(
            reason_to_stop(&limits, &progress(1, 1_000, even)),
            Some(StopReason::Nodes)
        );
    }

    #[test]
    fn a_proven_mate_ends_a_move_under_the_clock_but_no_analysis() {
        let clocked = Limits {
            clock_ms: Some(60_000),
            ..Limits::default()
        };
        assert_eq!(
            reason_to_stop(&clocked, &progress(3, 1, Score::mate_in(3))),
            Some(StopReason::Exhausted)
        );
        assert_eq!(
            reason_to_stop(&clocked, &progress(3, 1, Score::mate_in(5))),
            None
        );
        assert_eq!(
            reason_to_stop(&Limits::default(), &progress(9, 1, Score::mate_in(3))),
            None
        );
    }
}
