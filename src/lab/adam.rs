//! Adam, gradient descent with momentum (Kingma, Ba 2014), with decoupled weight decay (`AdamW`; Loshchilov,
//! Hutter 2017).

/// Decay rate of the running mean of the gradient.
const FIRST_KEPT: f32 = 0.9;
/// Decay rate of the running mean of the squared gradient.
const SECOND_KEPT: f32 = 0.999;
/// Keeps the step finite where the gradient has been zero.
const EPSILON: f32 = 1e-9;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Adam {
    /// Running mean of the gradient.
    pub first: Vec<f32>,
    /// Running mean of the squared gradient.
    pub second: Vec<f32>,
    pub steps: i32,
}

impl Adam {
    pub fn new(numbers: usize) -> Self {
        Self {
            first: vec![0.0; numbers],
            second: vec![0.0; numbers],
            steps: 0,
        }
    }

    /// Makes one step. `rate` is the length of a step under a constant gradient, in units of the numbers. Each
    /// number also decays by the share `rate * decay`.
    pub fn step(&mut self, numbers: &mut [f32], slope: &[f32], rate: f32, decay: f32) {
        self.steps += 1;
        let fades = [FIRST_KEPT, SECOND_KEPT].map(|share| 1.0 - share.powi(self.steps));
        let means = self.first.iter_mut().zip(&mut self.second);
        for ((number, slope), (first, second)) in numbers.iter_mut().zip(slope).zip(means) {
            *first = FIRST_KEPT * *first + (1.0 - FIRST_KEPT) * slope;
            *second = SECOND_KEPT * *second + (1.0 - SECOND_KEPT) * slope * slope;
            let step = (*first / fades[0]) / ((*second / fades[1]).sqrt() + EPSILON);
            *number -= rate * (step + decay * *number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_least_of_a_parabola() {
        let mut numbers = [5.0, -3.0];
        let mut adam = Adam::new(2);
        for _ in 0..2_000 {
            let slope = [2.0 * (numbers[0] - 1.0), 20.0 * (numbers[1] + 2.0)];
            adam.step(&mut numbers, &slope, 0.01, 0.0);
        }
        assert!((numbers[0] - 1.0).abs() < 0.02, "{numbers:?}");
        assert!((numbers[1] + 2.0).abs() < 0.02, "{numbers:?}");
    }

    #[test]
    fn numbers_without_slope_decay() {
        let mut numbers = [1.0];
        let mut adam = Adam::new(1);
        for _ in 0..100 {
            adam.step(&mut numbers, &[0.0], 0.1, 0.1);
        }
        assert!(
            (numbers[0] - 0.99_f32.powi(100)).abs() < 1e-3,
            "{numbers:?}"
        );
    }
}
