//! The quality polynomial: the probability that the minimax value is right, if every leaf is right with
//! probability p.

use thiserror::Error;

use super::Hull;

/// A coefficient does not fit into 128 bits; use a smaller order or [`error_probability`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a coefficient of the quality polynomial exceeds 128 bits")]
pub struct CoefficientError;

/// The quality polynomial Q (Definition 4.3-14), exact up to an order.
///
/// Stored as the probability of error, 1 - Q, in powers of e = 1 - p, the probability that a leaf is wrong. In
/// this form it loses no precision near p = 1, and its coefficients give its derivatives there: Q^(n)(1) = -(-1)^n
/// n! `error[n]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QualityPolynomial {
    /// The coefficient of e^k at index k.
    error: Vec<i128>,
}

impl QualityPolynomial {
    /// Computes the polynomial of the root of a hull, without terms beyond e^`order`. With the number of leaves as
    /// order it is complete.
    ///
    /// # Errors
    /// A coefficient grows too large.
    pub fn of(hull: &Hull, order: usize) -> Result<Self, CoefficientError> {
        let successors = match hull {
            Hull::Leaf { .. } => {
                let error = [0, 1].into_iter().take(order + 1).collect();
                return Ok(Self { error });
            }
            Hull::End { .. } => return Ok(Self { error: vec![0] }),
            Hull::Inner(successors) => successors,
        };
        let won = hull.won();
        let mut product = Self { error: vec![1] };
        for successor in successors {
            let error = Self::of(successor, order)?;
            // A win fails where every successor that should be lost errs and no other does; a loss holds where
            // none errs.
            let factor = if won && !successor.won() {
                error
            } else {
                error.complement()?
            };
            product = product.times(&factor, order)?;
        }
        if won {
            Ok(product)
        } else {
            product.complement()
        }
    }

    /// Returns 1 - this.
    fn complement(mut self) -> Result<Self, CoefficientError> {
        for coefficient in &mut self.error {
            *coefficient = coefficient.checked_neg().ok_or(CoefficientError)?;
        }
        self.error[0] = self.error[0].checked_add(1).ok_or(CoefficientError)?;
        Ok(self)
    }

    fn times(&self, other: &Self, order: usize) -> Result<Self, CoefficientError> {
        let length = (self.error.len() + other.error.len() - 1).min(order + 1);
        let mut error = vec![0_i128; length];
        for (power, &left) in self.error.iter().enumerate() {
            for (place, &right) in error[power.min(length)..].iter_mut().zip(&other.error) {
                let term = left.checked_mul(right).ok_or(CoefficientError)?;
                *place = place.checked_add(term).ok_or(CoefficientError)?;
            }
        }
        Ok(Self { error })
    }

    /// Returns the coefficients of the probability of error in powers of e, the constant first.
    pub fn error_coefficients(&self) -> &[i128] {
        &self.error
    }

    /// Returns Q(p), exact up to rounding. For large trees away from p = 1 use [`error_probability`].
    pub fn value_at(&self, p: f64) -> f64 {
        let e = 1.0 - p;
        1.0 - self
            .error
            .iter()
            .rev()
            .fold(0.0, |sum, &coefficient| sum * e + coefficient as f64)
    }

    /// Returns the n-th derivative of Q at p = 1, for n within the order.
    ///
    /// # Errors
    /// It grows too large.
    pub fn derivative_at_1(&self, n: usize) -> Result<i128, CoefficientError> {
        if n == 0 {
            return Ok(1 - self.error[0]);
        }
        let coefficient = self.error.get(n).copied().unwrap_or(0);
        let factorial = (1..=n as i128)
            .try_fold(1_i128, i128::checked_mul)
            .ok_or(CoefficientError)?;
        let sign = if n.is_multiple_of(2) { -1 } else { 1 };
        coefficient
            .checked_mul(sign * factorial)
            .ok_or(CoefficientError)
    }

    /// Returns the number of derivatives, from the first on, that vanish at p = 1. By Theorem 4.3-9 it is one less
    /// than the number of leaf-disjoint proving strategies. `None` if all within the order vanish.
    pub fn vanishing_derivatives(&self) -> Option<usize> {
        self.error
            .iter()
            .skip(1)
            .position(|&coefficient| coefficient != 0)
    }
}

/// Returns 1 - Q(p) with a small relative error for trees of every size; `e = 1 - p` is the probability that a
/// leaf is wrong.
pub fn error_probability(hull: &Hull, e: f64) -> f64 {
    error_and_value(hull, e).0
}

/// Returns the probability of error and whether the side to move wins.
fn error_and_value(hull: &Hull, e: f64) -> (f64, bool) {
    let successors = match hull {
        Hull::Leaf { won } => return (e, *won),
        Hull::End { won } => return (0.0, *won),
        Hull::Inner(successors) => successors,
    };
    // Products of many factors near 1 or 0 are sums of logarithms: nothing cancels. (0 - x rather than -x avoids a
    // -0.)
    let (mut all_wrong, mut none_wrong, mut others_right) = (0.0, 0.0, 0.0);
    let mut won = false;
    for successor in successors {
        let (error, successor_won) = error_and_value(successor, e);
        none_wrong += (-error).ln_1p();
        if successor_won {
            others_right += (-error).ln_1p();
        } else {
            won = true;
            all_wrong += error.ln();
        }
    }
    let error = if won {
        f64::exp(all_wrong + others_right)
    } else {
        0.0 - f64::exp_m1(none_wrong)
    };
    (error, won)
}

/// Returns the probability of error at a leaf up to which searching the tree is better than evaluating its root.
/// It is the least positive e with 1 - Q(1 - e) = e, up to one half. `None` if the tree is worse from the start,
/// or better everywhere.
pub fn break_even(hull: &Hull) -> Option<f64> {
    const STEPS: u32 = 5_000;
    let worse = |e: f64| error_probability(hull, e) > e;
    let at = |step: u32| f64::from(step) / f64::from(2 * STEPS);
    let first_worse = (1..STEPS).find(|&step| worse(at(step)))?;
    if first_worse == 1 {
        return None;
    }
    let (mut low, mut high) = (at(first_worse - 1), at(first_worse));
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if worse(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(low)
}
