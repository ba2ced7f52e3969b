//! The network's parameters during training.

use std::ops::Range;

use crate::eval::network::features::{FEATURES, OUTPUT_BUCKETS};
use crate::eval::network::file::{
    BIAS_MAX, HIDDEN_ONE, INPUT_BIAS_MAX, INPUT_WEIGHT_MAX, Layer, NetworkParameters, OUTPUT_ONE,
    SECOND, SECOND_ACTIVATION, THIRD, THIRD_ACTIVATION, WEIGHT_MAX, WEIGHT_ONE,
};
use crate::game::SplitMix64;

/// Maximum initial weight of the first layer. About 25 inputs are active, and most sums should be neither clipped
/// nor close to 0.
const INPUT_SPREAD: f32 = 0.12;

/// The shape of a network and the layout of its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NetworkShape {
    /// Hidden units for each side.
    pub hidden: usize,
}

/// The layout of a layer above the first, for all output buckets.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerLayout {
    start: usize,
    /// Units of one bucket.
    pub units: usize,
    /// Units of the layer below.
    pub below: usize,
}

impl LayerLayout {
    fn weights(self) -> Range<usize> {
        after(0..self.start, OUTPUT_BUCKETS * self.units * self.below)
    }

    fn biases(self) -> Range<usize> {
        after(self.weights(), OUTPUT_BUCKETS * self.units)
    }

    /// Range of the weights of a unit.
    pub fn row(self, bucket: usize, unit: usize) -> Range<usize> {
        after(
            0..self.start + (bucket * self.units + unit) * self.below,
            self.below,
        )
    }

    /// Index of the bias of a unit.
    pub fn bias(self, bucket: usize, unit: usize) -> usize {
        self.biases().start + bucket * self.units + unit
    }
}

impl NetworkShape {
    fn input(self) -> Range<usize> {
        0..FEATURES * self.hidden
    }

    /// Range of the biases of the hidden units.
    pub(super) fn input_bias(self) -> Range<usize> {
        after(self.input(), self.hidden)
    }

    /// Range of the weights of an input.
    pub(super) fn weights_of(self, input: u32) -> Range<usize> {
        let start = input as usize * self.hidden;
        start..start + self.hidden
    }

    /// The second layer, whose inputs are the hidden units of the side to move, then those of the other side.
    pub(super) fn second(self) -> LayerLayout {
        LayerLayout {
            start: self.input_bias().end,
            units: SECOND,
            below: 2 * self.hidden,
        }
    }

    pub(super) fn third(self) -> LayerLayout {
        LayerLayout {
            start: self.second().biases().end,
            units: THIRD,
            below: SECOND,
        }
    }

    pub(super) fn output(self) -> LayerLayout {
        LayerLayout {
            start: self.third().biases().end,
            units: 1,
            below: THIRD,
        }
    }

    /// The layers above the first, each with the integer that represents 1.0 in its sums.
    fn above(self) -> [(LayerLayout, f64); 3] {
        [
            (self.second(), SECOND_ACTIVATION.sum_one),
            (self.third(), THIRD_ACTIVATION.sum_one),
            (self.output(), OUTPUT_ONE),
        ]
    }

    pub fn numbers(self) -> usize {
        self.output().biases().end
    }
}

/// Converts integers to floating point, where `one` represents 1.0.
fn real<T: Copy + Into<f64>>(numbers: &[T], one: f64) -> impl Iterator<Item = f32> {
    numbers
        .iter()
        .map(move |&number| (number.into() / one) as f32)
}

fn after(range: Range<usize>, length: usize) -> Range<usize> {
    range.end..range.end + length
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Model {
    pub shape: NetworkShape,
    /// Weights of the inputs, biases of the hidden units, then weights and biases of each layer above.
    pub numbers: Vec<f32>,
}

impl Model {
    /// Creates a network with random weights.
    pub fn new(shape: NetworkShape, seed: u64) -> Self {
        let mut rng = SplitMix64::new(seed);
        let mut numbers = vec![0.0; shape.numbers()];
        let mut spread = |numbers: &mut [f32], limit: f32| {
            for number in numbers {
                *number = limit * (2.0 * rng.unit() as f32 - 1.0);
            }
        };
        spread(&mut numbers[shape.input()], INPUT_SPREAD);
        for (place, factor) in [
            (shape.second(), 2.0),
            (shape.third(), 2.0),
            (shape.output(), 1.0),
        ] {
            spread(
                &mut numbers[place.weights()],
                (factor / place.below as f32).sqrt(),
            );
        }
        Self { shape, numbers }
    }

    /// Converts a quantised network.
    pub fn of(network: &NetworkParameters) -> Self {
        let shape = NetworkShape {
            hidden: network.hidden,
        };
        let mut numbers = Vec::with_capacity(shape.numbers());
        for weights in [&network.input, &network.input_bias] {
            numbers.extend(real(weights, HIDDEN_ONE.into()));
        }
        for ((_, sum_one), layer) in shape.above().into_iter().zip(network.layers()) {
            numbers.extend(real(&layer.weights, WEIGHT_ONE.into()));
            numbers.extend(real(&layer.biases, sum_one));
        }
        Self { shape, numbers }
    }

    /// Clips the parameters to the range of the file format.
    pub fn clip(&mut self) {
        let shape = self.shape;
        let mut clip = |range: Range<usize>, max: i32, one: f64| {
            let limit = (f64::from(max) / one) as f32;
            for number in &mut self.numbers[range] {
                *number = number.clamp(-limit, limit);
            }
        };
        clip(shape.input(), INPUT_WEIGHT_MAX.into(), HIDDEN_ONE.into());
        clip(shape.input_bias(), INPUT_BIAS_MAX.into(), HIDDEN_ONE.into());
        for (place, sum_one) in shape.above() {
            clip(place.weights(), WEIGHT_MAX.into(), WEIGHT_ONE.into());
            clip(place.biases(), BIAS_MAX, sum_one);
        }
    }

    /// Returns the quantised network for the engine.
    pub fn quantised(&self, scale_cp: u32) -> NetworkParameters {
        let part = |range: Range<usize>, one: f64| {
            let numbers = self.numbers[range].iter();
            numbers.map(move |&number| (f64::from(number) * one).round() as i32)
        };
        let weights = |range, one: i32| {
            let numbers = part(range, one.into());
            numbers.map(|number| number as i16).collect()
        };
        let [second, third, output] = self.shape.above().map(|(place, sum_one)| Layer {
            weights: weights(place.weights(), WEIGHT_ONE),
            biases: part(place.biases(), sum_one).collect(),
        });
        NetworkParameters {
            hidden: self.shape.hidden,
            scale: scale_cp,
            input: weights(self.shape.input(), HIDDEN_ONE),
            input_bias: weights(self.shape.input_bias(), HIDDEN_ONE),
            second,
            third,
            output,
        }
    }
}
