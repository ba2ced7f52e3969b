//! Match statistics: Elo with error bars, and the sequential probability ratio test (SPRT).
//!
//! Games come in pairs with the same opening and reversed colours. The two games of a pair are correlated, so
//! pairs are counted (pentanomial). Single games are counted only while there are no complete pairs (trinomial).
//!
//! All scores are those of the first player, as a share of the maximum.

use std::fmt;

/// Half the width of a 95 % confidence interval of the normal distribution, in standard deviations.
const Z_95: f64 = 1.959_963_984_540_054;
/// Normalized Elo per unit of (score - 1/2), measured in standard deviations of a game.
const NORMALIZED_ELO: f64 = 800.0 / std::f64::consts::LN_10;
/// Replaces a count of 0 in likelihoods, whose logarithm is undefined.
const LITTLE: f64 = 1e-3;

/// Counts of equally spaced scores from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts<const N: usize>(pub [u64; N]);

/// Pairs of games by the points of the first player: 0, 1/2, 1, 3/2, 2.
pub type Pentanomial = Counts<5>;
/// Games: lost, drawn, won.
pub type Trinomial = Counts<3>;

/// An estimate with half the width of its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimated value.
    pub value: f64,
    /// Half the width of the interval; infinite if it is unbounded.
    pub error: f64,
}

impl Estimate {
    /// Creates an estimate. A sample without variance has an unbounded error.
    fn new(value: f64, error: f64) -> Self {
        Self {
            value: if value.is_nan() { 0.0 } else { value + 0.0 },
            error: if error > 0.0 { error } else { f64::INFINITY },
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, error } = self;
        if error.is_finite() {
            write!(f, "{value:+.1} ± {error:.1}")
        } else {
            write!(f, "{value:+.1} (interval open)")
        }
    }
}

impl<const N: usize> Counts<N> {
    /// Returns the number of games or pairs.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the mean score; one half without games.
    pub fn score(&self) -> f64 {
        if self.total() == 0 {
            return 0.5;
        }
        let points = |(at, &count): (usize, &u64)| Self::value(at) * count as f64;
        self.0.iter().enumerate().map(points).sum::<f64>() / self.total() as f64
    }

    /// Returns the variance of the score of a game or pair.
    pub fn variance(&self) -> f64 {
        let mean = self.score();
        let square = |(at, &count): (usize, &u64)| (Self::value(at) - mean).powi(2) * count as f64;
        self.0.iter().enumerate().map(square).sum::<f64>() / self.total().max(1) as f64
    }

    /// Returns the Elo of the first player relative to the second. The interval is converted from that of the
    /// score.
    pub fn elo(&self) -> Estimate {
        let score = self.score();
        let deviation = Z_95 * self.standard_error();
        let error = (elo_of_score(score + deviation) - elo_of_score(score - deviation)) / 2.0;
        Estimate::new(elo_of_score(score), error)
    }

    /// Returns the normalized Elo: the distance of the score from one half, in standard deviations of a game. It
    /// determines the number of games needed to detect the difference.
    pub fn normalized_elo(&self) -> Estimate {
        let games_per_unit = if N == 5 { 2.0_f64 } else { 1.0 };
        let deviation = (games_per_unit * self.variance()).sqrt();
        let scale = NORMALIZED_ELO / deviation;
        let error = Z_95 * self.standard_error() * scale;
        Estimate::new((self.score() - 0.5) * scale, error)
    }

    /// Returns the likelihood of superiority (LOS) of the first player.
    pub fn superiority(&self) -> f64 {
        let deviations = (self.score() - 0.5) / self.standard_error();
        if deviations.is_nan() {
            0.5
        } else {
            normal_distribution(deviations)
        }
    }

    /// Returns the log-likelihood ratio of `elo1` against `elo0` (generalized SPRT). Each hypothesis is
    /// represented by the most likely distribution with its expected score.
    pub fn log_likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        if self.total() == 0 {
            return 0.0;
        }
        let counts = self.0.map(|count| (count as f64).max(LITTLE));
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let under0 = likeliest(&shares, score_of_elo(elo0));
        let under1 = likeliest(&shares, score_of_elo(elo1));
        let ratios = under0.iter().zip(under1).map(|(q0, q1)| (q1 / q0).ln());
        total * shares.iter().zip(ratios).map(|(p, r)| p * r).sum::<f64>()
    }

    fn standard_error(&self) -> f64 {
        (self.variance() / self.total().max(1) as f64).sqrt()
    }

    fn value(at: usize) -> f64 {
        at as f64 / (N - 1) as f64
    }
}

/// The maximum-likelihood distribution with expected score `score`: each share is divided by `1 + x (value -
/// score)`. A single `x` satisfies the condition on the expected score, which decreases monotonically in `x`, so
/// bisection finds it.
fn likeliest<const N: usize>(shares: &[f64; N], score: f64) -> [f64; N] {
    let distance = |at: usize| Counts::<N>::value(at) - score;
    let excess = |x: f64| -> f64 {
        let term = |(at, p): (usize, &f64)| p * distance(at) / (1.0 + x * distance(at));
        shares.iter().enumerate().map(term).sum()
    };
    // Outside this interval a share would be negative.
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = f64::midpoint(low, high);
    std::array::from_fn(|at| shares[at] / (1.0 + x * distance(at)))
}

/// A sequential probability ratio test of two hypotheses on the Elo difference.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SequentialTest {
    /// The null hypothesis, in Elo.
    pub elo0: f64,
    /// The alternative hypothesis, in Elo.
    pub elo1: f64,
    /// Probability of accepting `elo1` if `elo0` is true.
    pub alpha: f64,
    /// Probability of accepting `elo0` if `elo1` is true.
    pub beta: f64,
}

/// The state of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtDecision {
    /// More games are needed.
    Open,
    /// `elo0` is accepted.
    Null,
    /// `elo1` is accepted.
    Alternative,
}

impl SequentialTest {
    /// Returns the log-likelihood ratios at which the null and the alternative hypothesis are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// Returns the state after these pairs.
    pub fn decide(&self, pairs: &Pentanomial) -> SprtDecision {
        let (lower, upper) = self.bounds();
        match pairs.log_likelihood_ratio(self.elo0, self.elo1) {
            ratio if ratio >= upper => SprtDecision::Alternative,
            ratio if ratio <= lower => SprtDecision::Null,
            _ => SprtDecision::Open,
        }
    }
}

/// Returns the Elo difference for an expected score; infinite for a score of 0 or 1.
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10()
}

/// Returns the expected score for an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

fn normal_distribution(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    /// The values of fastchess's tests (`app/tests/elo_test.cpp`), to their precision of 1 %. Its counts
    /// distinguish pairs of a win and a loss from pairs of draws; both have a score of one half.
    #[test]
    fn elo_agrees_with_published_figures() {
        let check = |counts: Pentanomial, elo: [f64; 4]| {
            let [value, error, normalized, normalized_error] = elo;
            close(counts.elo().value, value, 0.01 * value.abs());
            close(counts.elo().error, error, 0.01 * error);
            close(
                counts.normalized_elo().value,
                normalized,
                0.01 * normalized.abs(),
            );
            close(
                counts.normalized_elo().error,
                normalized_error,
                0.01 * normalized_error,
            );
        };
        check(
            Counts([34, 54, 31 + 32, 64, 75]),
            [55.58, 27.65, 57.94, 28.28],
        );
        check(
            Counts([332, 433, 457 + 41, 333, 334]),
            [-8.64, 10.33, -9.17, 10.96],
        );
        check(
            Counts([7895, 8757, 5485 + 200, 568, 9999]),
            [-21.04, 2.95, -19.01, 2.65],
        );
        let games: Trinomial = Counts([96, 111, 136]);
        close(games.elo().value, 40.70, 0.01);
        close(games.elo().error, 30.43, 0.01);
        close(games.normalized_elo().value, 49.77, 0.01);
        close(games.superiority(), 0.9960, 1e-4);
        let games: Trinomial = Counts([89, 123, 76]);
        close(games.normalized_elo().value, -20.76, 0.01);
        close(games.superiority(), 0.1553, 1e-4);
    }

    /// A result of the Rustic book, printed by cutechess-cli.
    #[test]
    fn elo_agrees_with_cutechess() {
        let games: Trinomial = Counts([646, 357, 869]);
        close(games.elo().value, 41.6, 0.05);
        close(games.elo().error, 14.2, 0.05);
    }

    /// The values of fastchess's `app/tests/sprt_test.cpp` for the logistic model.
    #[test]
    fn likelihood_ratios_agree_with_published_figures() {
        let games: Trinomial = Counts([21184, 40708, 21404]);
        close(games.log_likelihood_ratio(0.5, 2.5), -1.57, 0.016);
        let games: Trinomial = Counts([57030, 106_593, 57433]);
        close(games.log_likelihood_ratio(0.0, 2.0), -2.59, 0.026);
        let pairs: Pentanomial = Counts([223, 9863, 20279 + 1000, 10037, 246]);
        close(pairs.log_likelihood_ratio(0.5, 2.5), -3.07, 0.031);
        let pairs: Pentanomial = Counts([871, 26175, 55003 + 980, 26678, 821]);
        close(pairs.log_likelihood_ratio(0.0, 2.0), -4.98, 0.05);
    }

    #[test]
    fn closed_forms_hold() {
        close(elo_of_score(0.75), 190.848_501_9, 1e-6);
        close(score_of_elo(elo_of_score(0.3)), 0.3, 1e-12);
        // With two outcomes the likelihood has a closed form.
        let coins: Counts<2> = Counts([40, 60]);
        let (p0, p1) = (score_of_elo(0.0), score_of_elo(50.0));
        let expected = 60.0 * (p1 / p0).ln() + 40.0 * ((1.0 - p1) / (1.0 - p0)).ln();
        close(coins.log_likelihood_ratio(0.0, 50.0), expected, 1e-9);
        close(normal_distribution(0.0), 0.5, 1e-7);
        close(normal_distribution(1.959_964), 0.975, 1e-6);
        close(normal_distribution(-1.281_552), 0.1, 1e-6);
    }

    #[test]
    fn one_sided_results_leave_the_interval_open() {
        let pairs: Pentanomial = Counts([0, 0, 0, 0, 9]);
        assert!(pairs.elo().value.is_infinite() && pairs.elo().value > 0.0);
        assert!(pairs.elo().error.is_infinite());
        close(pairs.superiority(), 1.0, 0.0);
        let even: Pentanomial = Counts([0, 0, 3, 0, 0]);
        assert_eq!(even.elo().to_string(), "+0.0 (interval open)");
        assert_eq!(even.normalized_elo().to_string(), "+0.0 (interval open)");
        close(Counts::<5>([0; 5]).superiority(), 0.5, 0.0);
        close(Counts::<5>([0; 5]).log_likelihood_ratio(0.0, 5.0), 0.0, 0.0);
    }

    #[test]
    fn the_sequential_test_decides_at_its_bounds() {
        let test = SequentialTest {
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
        };
        close(test.bounds().0, -2.944, 0.001);
        close(test.bounds().1, 2.944, 0.001);
        assert_eq!(test.decide(&Counts([0; 5])), SprtDecision::Open);
        assert_eq!(
            test.decide(&Counts([10, 20, 40, 20, 10])),
            SprtDecision::Open
        );
        assert_eq!(
            test.decide(&Counts([100, 200, 400, 300, 200])),
            SprtDecision::Alternative
        );
        assert_eq!(
            test.decide(&Counts([200, 300, 400, 200, 100])),
            SprtDecision::Null
        );
    }
}
