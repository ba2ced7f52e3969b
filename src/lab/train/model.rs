//! The network's numbers while it learns.

use std::ops::Range;

use crate::eval::network::features::{FEATURES, OUTPUT_BUCKETS};
use crate::eval::network::file::{
    BIAS_MAX, HIDDEN_ONE, INPUT_BIAS_MAX, INPUT_WEIGHT_MAX, Layer, NetworkParameters, OUTPUT_ONE,
    SECOND, SECOND_ACTIVATION, THIRD, THIRD_ACTIVATION, WEIGHT_MAX, WEIGHT_ONE,
};
use crate::game::SplitMix64;

/// Weights of the first layer begin no further from 0 than this: some 25 inputs are on, and their sum shall be neither
/// all cut off nor all near 0.
const INPUT_SPREAD: f32 = 0.12;

/// The shape of a network, which says where its numbers stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NetworkShape {
    /// Units of the hidden layer for each side.
    pub hidden: usize,
}

/// Where the numbers of a layer above the first stand, for all output buckets.
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

    /// The weights of a unit.
    pub fn row(self, bucket: usize, unit: usize) -> Range<usize> {
        after(
            0..self.start + (bucket * self.units + unit) * self.below,
            self.below,
        )
    }

    /// The bias of a unit.
    pub fn bias(self, bucket: usize, unit: usize) -> usize {
        self.biases().start + bucket * self.units + unit
    }
}

impl NetworkShape {
    fn input(self) -> Range<usize> {
        0..FEATURES * self.hidden
    }

    /// Where the biases of the hidden units stand.
    pub(super) fn input_bias(self) -> Range<usize> {
        after(self.input(), self.hidden)
    }

    /// Where the weights of an input stand among the numbers.
    pub(super) fn weights_of(self, input: u32) -> Range<usize> {
        let start = input as usize * self.hidden;
        start..start + self.hidden
    }

    /// The second layer, over the hidden units of the side to move and then those of the other.
    pub(super) fn second(self) -> LayerLayout {
        LayerLayout {
            start: self.input_bias().end,
            units: SECOND,
            below: 2 * self.hidden,
        }
    }

    /// The third layer.
    pub(super) fn third(self) -> LayerLayout {
        LayerLayout {
            start: self.second().biases().end,
            units: THIRD,
            below: SECOND,
        }
    }

    /// The output.
    pub(super) fn output(self) -> LayerLayout {
        LayerLayout {
            start: self.third().biases().end,
            units: 1,
            below: THIRD,
        }
    }

    /// The layers above the first, each with what stands for 1.0 in one of its sums.
    fn above(self) -> [(LayerLayout, f64); 3] {
        [
            (self.second(), SECOND_ACTIVATION.sum_one),
            (self.third(), THIRD_ACTIVATION.sum_one),
            (self.output(), OUTPUT_ONE),
        ]
    }

    /// Number of parameters.
    pub fn numbers(self) -> usize {
        self.output().biases().end
    }
}

/// Whole numbers of which `one` stands for 1.0, as real ones.
fn real<T: Copy + Into<f64>>(numbers: &[T], one: f64) -> impl Iterator<Item = f32> {
    numbers
        .iter()
        .map(move |&number| (number.into() / one) as f32)
}

fn after(range: Range<usize>, length: usize) -> Range<usize> {
    range.end..range.end + length
}

/// The numbers of a network in single precision.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Model {
    pub shape: NetworkShape,
    /// Weights of the inputs, biases of the hidden units, and for each layer above weights and biases.
    pub numbers: Vec<f32>,
}

impl Model {
    /// One that knows nothing yet.
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

    /// The numbers of a network in whole ones.
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

    /// Brings every number back into the range that a file can hold.
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

    /// In whole numbers, as the engine uses it.
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
