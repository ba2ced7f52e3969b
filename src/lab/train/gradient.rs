//! Forward pass and backpropagation.

use super::example::{TrainingExample, chance};
use super::model::{LayerLayout, Model};

/// Number of partial sums of a dot product. They are vectorised by the compiler and fix the order of additions.
const LANES: usize = 16;

/// The activations of one position.
pub(super) struct Hidden {
    /// The first layer, the side to move first.
    first: Units,
    second: Units,
    third: Units,
}

struct Units {
    /// Sums before the activation function.
    sums: Vec<f32>,
    /// Activations: the sums clipped to 0..=1 and squared.
    squares: Vec<f32>,
    /// Gradients of the activations, then of the sums.
    slopes: Vec<f32>,
}

pub(super) struct Gradient {
    hidden: Hidden,
    /// Sums over the examples since [`Gradient::clear`].
    pub slopes: Vec<f32>,
    pub loss: f64,
}

impl Units {
    fn new(count: usize) -> Self {
        Self {
            sums: vec![0.0; count],
            squares: vec![0.0; count],
            slopes: vec![0.0; count],
        }
    }

    fn square(&mut self) {
        for (square, sum) in self.squares.iter_mut().zip(&self.sums) {
            let clipped = sum.clamp(0.0, 1.0);
            *square = clipped * clipped;
        }
    }

    /// Computes the activations of a layer from those of the layer below.
    fn forward(&mut self, model: &Model, place: LayerLayout, bucket: usize, below: &Self) {
        for (unit, sum) in self.sums.iter_mut().enumerate() {
            *sum = sum_of(model, place, bucket, unit, below);
        }
        self.square();
    }

    /// Converts the gradients of the activations to those of the sums.
    fn slope_of_sums(&mut self) {
        for (slope, &sum) in self.slopes.iter_mut().zip(&self.sums) {
            *slope *= if sum > 0.0 && sum < 1.0 {
                2.0 * sum
            } else {
                0.0
            };
        }
    }
}

fn sum_of(model: &Model, place: LayerLayout, bucket: usize, unit: usize, below: &Units) -> f32 {
    let weights = &model.numbers[place.row(bucket, unit)];
    dot(&below.squares, weights) + model.numbers[place.bias(bucket, unit)]
}

impl Hidden {
    pub fn new(model: &Model) -> Self {
        let shape = model.shape;
        let places = [shape.second(), shape.third(), shape.output()];
        let [first, second, third] = places.map(|place| Units::new(place.below));
        Self {
            first,
            second,
            third,
        }
    }

    /// Returns the value of an example for the side to move, in the network's unit.
    pub fn forward(&mut self, model: &Model, example: &TrainingExample) -> f32 {
        let (shape, bucket) = (model.shape, example.bucket);
        let sums = self.first.sums.chunks_exact_mut(shape.hidden);
        for (sums, inputs) in sums.zip(example.views()) {
            sums.copy_from_slice(&model.numbers[shape.input_bias()]);
            for &input in inputs {
                add(sums, &model.numbers[shape.weights_of(input)]);
            }
        }
        self.first.square();
        self.second
            .forward(model, shape.second(), bucket, &self.first);
        self.third
            .forward(model, shape.third(), bucket, &self.second);
        sum_of(model, shape.output(), bucket, 0, &self.third)
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

    pub fn add(&mut self, model: &Model, example: &TrainingExample) {
        let value = self.hidden.forward(model, example);
        self.loss += excess(example.target, value);
        let error = chance(value) - example.target;
        let (shape, bucket) = (model.shape, example.bucket);
        let Hidden {
            first,
            second,
            third,
        } = &mut self.hidden;
        let slopes = &mut self.slopes;
        back(model, slopes, shape.output(), bucket, &[error], third);
        back(model, slopes, shape.third(), bucket, &third.slopes, second);
        back(model, slopes, shape.second(), bucket, &second.slopes, first);
        let of_views = first.slopes.chunks_exact(shape.hidden);
        for (of_view, inputs) in of_views.zip(example.views()) {
            add(&mut slopes[shape.input_bias()], of_view);
            for &input in inputs {
                add(&mut slopes[shape.weights_of(input)], of_view);
            }
        }
    }
}

/// Propagates the gradients of a layer's sums to its parameters and to the sums of the layer below.
fn back(
    model: &Model,
    slopes: &mut [f32],
    place: LayerLayout,
    bucket: usize,
    of_sums: &[f32],
    below: &mut Units,
) {
    below.slopes.fill(0.0);
    for (unit, &slope) in of_sums.iter().enumerate() {
        if slope != 0.0 {
            let row = place.row(bucket, unit);
            slopes[place.bias(bucket, unit)] += slope;
            add_times(&mut slopes[row.clone()], &below.squares, slope);
            add_times(&mut below.slopes, &model.numbers[row], slope);
        }
    }
    below.slope_of_sums();
}

/// The cross entropy minus the entropy of the target.
pub(super) fn excess(target: f32, value: f32) -> f64 {
    // With p = 1/(1+e^-v), -t ln(p) - (1-t) ln(1-p) equals ln(1+e^v) - t v.
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

fn add_times(to: &mut [f32], what: &[f32], factor: f32) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += factor * what;
    }
}

fn dot(one: &[f32], other: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    let chunks = one.as_chunks::<LANES>().0.iter();
    for (one, other) in chunks.zip(other.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            lanes[lane] += one[lane] * other[lane];
        }
    }
    lanes.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;
    use crate::lab::selfplay::PackedPosition;
    use crate::lab::train::TrainingSettings;
    use crate::lab::train::model::NetworkShape;

    /// Compares the gradient with finite differences.
    #[test]
    fn slopes_are_what_differences_say() {
        let shape = NetworkShape { hidden: 16 };
        let plan = TrainingSettings {
            scale_cp: 200,
            result_share: 0.3,
            epochs: 1,
            batch: 1,
            rate: 0.1,
            decay: 0.0,
            seed: 5,
        };
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 7 40";
        let record = PackedPosition::new(&parse_fen(fen).unwrap(), 77);
        let mut model = Model::new(shape, 5);
        let example = TrainingExample::new(&record, &plan);
        let mut gradient = Gradient::new(&model);
        gradient.add(&model, &example);
        let mut compared = 0;
        for at in 0..shape.numbers() {
            let slope = gradient.slopes[at];
            if slope == 0.0 {
                continue;
            }
            let mut loss = |by: f32| {
                let before = model.numbers[at];
                model.numbers[at] = before + by;
                let value = Hidden::new(&model).forward(&model, &example);
                model.numbers[at] = before;
                excess(example.target, value)
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
