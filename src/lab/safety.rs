//! Statistics of the reported safety: frequency, margin and depth of two strategies, and whether the report
//! applies to the move played.

use crate::tools::epd::trial::Trial;

/// The last safety reported with a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// The margin within which two strategies support the decision, in centipawns.
    pub margin_cp: u16,
    /// Minimum depth of these strategies, in plies.
    pub plies: u16,
    /// Depth met with one strategy, in plies.
    pub depth: u16,
    /// Whether the report is about the move played and the final score lies within the margin.
    pub is_consistent: bool,
}

impl Told {
    /// Returns the safety of a trial; `None` if two strategies were not reported.
    pub fn of(trial: &Trial) -> Option<Self> {
        let margin_cp = trial.margin_cp()?;
        let (best, claim) = trial.claim?;
        let distance = trial
            .score
            .map(|score| (i32::from(score.raw()) - i32::from(claim.hypothesis.raw())).abs());
        Some(Self {
            margin_cp,
            plies: trial.safety.map_or(0, |safety| safety.depth),
            depth: trial.depth(),
            is_consistent: best == trial.best
                && distance.is_some_and(|cp| cp <= i32::from(margin_cp)),
        })
    }

    /// Whether the strategies look ahead at least half as far as the search.
    pub fn is_half_as_deep(self) -> bool {
        2 * self.plies >= self.depth
    }
}

/// Returns the median of the margins, in centipawns, where decisions without two strategies count as infinite.
/// `None` if the median is one of these.
pub fn median_margin(decisions: &[Option<Told>]) -> Option<u16> {
    let mut margins: Vec<u16> = decisions
        .iter()
        .flatten()
        .map(|told| told.margin_cp)
        .collect();
    margins.sort_unstable();
    margins.get(decisions.len().checked_sub(1)? / 2).copied()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::chess::Move;
    use crate::engine::search::Claim;
    use crate::game::{Requirement, Score, Work};
    use crate::tools::epd::trial::Moment;

    /// A decision for `best` with this score. Two strategies were reported for `claimed` with a value of 30 and a
    /// margin of 25 centipawns.
    fn trial(best: u16, claimed: u16, score: i32) -> Trial {
        let at = Moment {
            elapsed: Duration::ZERO,
            nodes: 1,
        };
        let claim = Claim {
            hypothesis: Score::centipawns(30),
            margin_cp: 25,
        };
        Trial {
            best: Move::from_raw(best),
            score: Some(Score::centipawns(score)),
            safety: Some(Requirement {
                depth: 5,
                conspiracy: 2,
            }),
            claim: Some((Move::from_raw(claimed), claim)),
            solved: None,
            depths: vec![(9, at)],
            end: at,
            work: Work::default(),
        }
    }

    #[test]
    fn what_was_told_is_held_against_the_move_played_and_its_score() {
        let fits = |best, claimed, score| {
            let told = Told::of(&trial(best, claimed, score)).unwrap();
            assert_eq!((told.margin_cp, told.plies, told.depth), (25, 5, 9));
            told.is_consistent
        };
        assert!(fits(1, 1, 30) && fits(1, 1, 5) && fits(1, 1, 55));
        assert!(!fits(1, 1, 4) && !fits(1, 1, 56) && !fits(1, 2, 30));
        let mut one = trial(1, 1, 30);
        one.safety = Some(Requirement {
            depth: 9,
            conspiracy: 1,
        });
        assert_eq!(Told::of(&one), None);
    }

    fn told(margin_cp: u16) -> Told {
        Told {
            margin_cp,
            plies: 4,
            depth: 9,
            is_consistent: true,
        }
    }

    #[test]
    fn the_median_counts_decisions_without_two_strategies() {
        let median = |margins: &[Option<u16>]| {
            let decisions: Vec<_> = margins.iter().map(|margin| margin.map(told)).collect();
            median_margin(&decisions)
        };
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[None]), None);
        assert_eq!(median(&[Some(50), None, Some(10)]), Some(50));
        assert_eq!(median(&[None, Some(10), None]), None);
        assert_eq!(median(&[Some(10), Some(200), Some(25), Some(50)]), Some(25));
    }

    #[test]
    fn half_of_an_odd_depth_is_rounded_up() {
        assert!(!told(10).is_half_as_deep());
        let deeper = Told {
            plies: 5,
            ..told(10)
        };
        assert!(deeper.is_half_as_deep());
    }
}
