//! How often two strategies are told for a decision, within which margin and how deep, and whether what was told holds
//! of the move played.

use crate::tools::epd::trial::Trial;

/// The safety told last with a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// Within which margin two strategies show the decision, in centipawns.
    pub margin_cp: u16,
    /// Least depth of any of these strategies, in plies.
    pub plies: u16,
    /// Depth met with one strategy, in plies.
    pub depth: u16,
    /// Whether it was told of the move played, and the score told last lies within the margin.
    pub is_consistent: bool,
}

impl Told {
    /// `None` where two strategies were not told.
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

/// The median of the margins, in centipawns, those of decisions without two strategies being greater than all others;
/// `None` where it is one of these.
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
    use super::*;

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
