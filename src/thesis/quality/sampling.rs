//! The quality of a tree, sampled with random errors at its leaves.

use super::Hull;
use crate::game::SplitMix64;

/// The outcome of independent trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Trials in which the minimax value was right.
    pub right: u64,
    /// All trials.
    pub trials: u64,
}

impl Sample {
    /// Returns the share of right values.
    pub fn share(self) -> f64 {
        self.right as f64 / self.trials as f64
    }

    /// Returns the standard deviation of [`Sample::share`] if the true probability of being right is `quality`.
    pub fn deviation(self, quality: f64) -> f64 {
        (quality * (1.0 - quality) / self.trials as f64).sqrt()
    }
}

/// Flips every leaf of the tree with probability `e`, independently, and compares the value of the root; `trials`
/// times.
pub fn sample(hull: &Hull, e: f64, trials: u64, rng: &mut SplitMix64) -> Sample {
    let won = hull.won();
    let right = (0..trials)
        .filter(|_| noisy_value(hull, e, rng) == won)
        .count() as u64;
    Sample { right, trials }
}

fn noisy_value(hull: &Hull, e: f64, rng: &mut SplitMix64) -> bool {
    match hull {
        Hull::Leaf { won } => *won != (rng.unit() < e),
        Hull::End { won } => *won,
        Hull::Inner(successors) => successors
            .iter()
            .any(|successor| !noisy_value(successor, e, rng)),
    }
}
