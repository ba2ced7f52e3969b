//! Forward through the network and back: what a position is worth, and how each number should change.

use super::example::{Example, chance};
use super::model::Model;

/// Lanes of the sums; a compiler makes vectors of them, and the order of addition does not depend on it.
const LANES: usize = 16;
/// How much the doubt's error counts beside the value's.
const DOUBT_SHARE: f32 = 0.1;
/// An error greater than this, in units of the value, counts as this: the doubt shall not chase lost queens.
const DOUBT_MAX: f32 = 4.0;

/// Room for the hidden layer of one position.
pub(super) struct Hidden {
    /// Sums of each view before they are cut off.
    sums: [Vec<f32>; 2],
    /// How each sum should change.
    slopes: [Vec<f32>; 2],
}

/// What the network says of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    /// Value for the side to move, in the network's unit.
    pub value: f32,
    /// Expected distance of the value from the search's score.
    pub doubt: f32,
}

/// Slopes and losses of a part of a batch.
pub(super) struct Gradient {
    hidden: Hidden,
    /// Sums over the examples seen since [`Gradient::clear`].
    pub slopes: Vec<f32>,
    /// Sum of the losses of the value.
    pub loss: f64,
}

impl Hidden {
    pub fn new(model: &Model) -> Self {
        let room = || vec![0.0; model.shape.hidden];
        Self {
            sums: [room(), room()],
            slopes: [room(), room()],
        }
    }

    /// What the network says of an example.
    pub fn forward(&mut self, model: &Model, example: &Example) -> Output {
        let shape = model.shape;
        for (sums, inputs) in self.sums.iter_mut().zip(example.views()) {
            sums.copy_from_slice(&model.numbers[shape.input_bias()]);
            for &input in inputs {
                add(sums, &model.numbers[shape.weights_of(input)]);
            }
        }
        let [value, doubt] = [0, 1].map(|row| {
            let of_views = self.sums.iter().enumerate().map(|(view, sums)| {
                let weights = &model.numbers[shape.weights_to(example.bucket, row, view)];
                dot_of_squares(sums, weights)
            });
            of_views.sum::<f32>() + model.numbers[shape.bias_to(example.bucket, row)]
        });
        Output { value, doubt }
    }
}

impl Gradient {
    pub fn new(model: &Model) -> Self {
        Self {
            hidden: Hidden::new(model),
            slopes: vec![0.0; model.shape.numbers()],
            loss: 0.0,
        }
    }

    pub fn clear(&mut self) {
        self.slopes.fill(0.0);
        self.loss = 0.0;
    }

    /// Adds an example. The doubt learns from what the hidden layer has; the hidden layer learns for the value alone.
    pub fn add(&mut self, model: &Model, example: &Example) {
        let output = self.hidden.forward(model, example);
        self.loss += excess(example.target, output.value);
        let error = chance(output.value) - example.target;
        let doubt_error = DOUBT_SHARE * (output.doubt - distance(example, output));
        let shape = model.shape;
        for (row, error) in [error, doubt_error].into_iter().enumerate() {
            self.slopes[shape.bias_to(example.bucket, row)] += error;
            for (view, sums) in self.hidden.sums.iter().enumerate() {
                let slopes = &mut self.slopes[shape.weights_to(example.bucket, row, view)];
                add_squares(slopes, sums, error);
            }
        }
        for view in 0..2 {
            let weights = &model.numbers[shape.weights_to(example.bucket, 0, view)];
            let (sums, slopes) = (&self.hidden.sums[view], &mut self.hidden.slopes[view]);
            for ((slope, &sum), weight) in slopes.iter_mut().zip(sums).zip(weights) {
                let inside = if sum > 0.0 && sum < 1.0 {
                    2.0 * sum
                } else {
                    0.0
                };
                *slope = error * weight * inside;
            }
            add(&mut self.slopes[shape.input_bias()], slopes);
            for &input in example.views()[view] {
                add(&mut self.slopes[shape.weights_of(input)], slopes);
            }
        }
    }
}

/// How far the value is from the search's score.
pub(super) fn distance(example: &Example, output: Output) -> f32 {
    (output.value - example.score).abs().min(DOUBT_MAX)
}

/// Cross entropy in excess of what the target itself leaves.
pub(super) fn excess(target: f32, value: f32) -> f64 {
    // -t ln(p) - (1-t) ln(1-p) of p = 1/(1+e^-v) is ln(1+e^v) - t v.
    let (target, value) = (f64::from(target), f64::from(value));
    let part = |share: f64| {
        if share > 0.0 {
            -share * share.ln()
        } else {
            0.0
        }
    };
    let softplus = value.max(0.0) + (-value.abs()).exp().ln_1p();
    softplus - target * value - part(target) - part(1.0 - target)
}

fn add(to: &mut [f32], what: &[f32]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += what;
    }
}

fn squared(sum: f32) -> f32 {
    let cut = sum.clamp(0.0, 1.0);
    cut * cut
}

fn add_squares(to: &mut [f32], sums: &[f32], factor: f32) {
    for (to, &sum) in to.iter_mut().zip(sums) {
        *to += factor * squared(sum);
    }
}

fn dot_of_squares(sums: &[f32], weights: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    let chunks = sums.as_chunks::<LANES>().0.iter();
    for (sums, weights) in chunks.zip(weights.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            lanes[lane] += squared(sums[lane]) * weights[lane];
        }
    }
    lanes.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;
    use crate::lab::selfplay::Record;
    use crate::lab::train::{Plan, Shape};

    /// The slopes are those of the loss: each number moved a little changes it as they say.
    #[test]
    fn slopes_are_what_differences_say() {
        let shape = Shape {
            hidden: 16,
            king_buckets: 1,
        };
        let plan = Plan {
            scale_cp: 200,
            result_share: 0.3,
            epochs: 1,
            batch: 1,
            rate: 0.1,
            decay: 0.0,
            seed: 5,
        };
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 7 40";
        let record = Record::new(&parse_fen(fen).unwrap(), 77);
        let mut model = Model::new(shape, 5);
        let example = Example::new(&record, 1, &plan);
        let mut gradient = Gradient::new(&model);
        gradient.add(&model, &example);
        let mut compared = 0;
        for at in 0..shape.numbers() {
            let slope = gradient.slopes[at];
            let is_doubt = [0, 1]
                .iter()
                .any(|&view| shape.weights_to(example.bucket, 1, view).contains(&at))
                || at == shape.bias_to(example.bucket, 1);
            if slope == 0.0 || is_doubt {
                continue;
            }
            let mut loss = |by: f32| {
                let before = model.numbers[at];
                model.numbers[at] = before + by;
                let output = Hidden::new(&model).forward(&model, &example);
                model.numbers[at] = before;
                excess(example.target, output.value)
            };
            let difference = (loss(1e-2) - loss(-1e-2)) / 2e-2;
            let error = (difference - f64::from(slope)).abs();
            assert!(
                error < 0.02 * f64::from(slope.abs()) + 1e-4,
                "{at}: {slope} {difference}"
            );
            compared += 1;
        }
        assert!(compared > 300, "{compared}");
    }
}
