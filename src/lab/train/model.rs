//! The network's numbers while it learns.

use std::ops::Range;

use crate::eval::network::features::{FEATURES, OUTPUT_BUCKETS};
use crate::eval::network::file::{
    HIDDEN_ONE, INPUT_BIAS_MAX, INPUT_WEIGHT_MAX, OUTPUT_ONE, OUTPUT_WEIGHT_MAX, OUTPUTS,
    Parameters,
};
use crate::game::SplitMix64;

/// Weights of the first layer begin no further from 0 than this: some 25 inputs are on, and their sum shall be neither
/// all cut off nor all near 0.
const INPUT_SPREAD: f32 = 0.12;

/// What a network looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Units of the hidden layer for each side.
    pub hidden: usize,
    /// Sets of inputs, by where the own king stands.
    pub king_buckets: usize,
}

impl Shape {
    fn input(self) -> Range<usize> {
        0..self.king_buckets * FEATURES * self.hidden
    }

    /// Where the biases of the hidden units stand.
    pub(super) fn input_bias(self) -> Range<usize> {
        after(self.input(), self.hidden)
    }

    fn output(self) -> Range<usize> {
        after(
            self.input_bias(),
            OUTPUT_BUCKETS * OUTPUTS * 2 * self.hidden,
        )
    }

    fn output_bias(self) -> Range<usize> {
        after(self.output(), OUTPUT_BUCKETS * OUTPUTS)
    }

    /// How many numbers it has.
    pub fn numbers(self) -> usize {
        self.output_bias().end
    }

    /// Where the weights of an input stand among the numbers.
    pub(super) fn weights_of(self, input: u32) -> Range<usize> {
        let start = input as usize * self.hidden;
        start..start + self.hidden
    }

    /// Where the weights of an output stand: of a set, its value (0) or doubt (1), for the view of the side to move (0) or
    /// the other (1).
    pub(super) fn weights_to(self, bucket: usize, row: usize, view: usize) -> Range<usize> {
        let start = self.output().start + ((bucket * OUTPUTS + row) * 2 + view) * self.hidden;
        start..start + self.hidden
    }

    /// Where the bias of an output stands.
    pub(super) fn bias_to(self, bucket: usize, row: usize) -> usize {
        self.output_bias().start + bucket * OUTPUTS + row
    }
}

fn after(range: Range<usize>, length: usize) -> Range<usize> {
    range.end..range.end + length
}

/// The numbers of a network in single precision.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Model {
    pub shape: Shape,
    /// Weights of the inputs, biases of the hidden units, weights of the outputs, their biases.
    pub numbers: Vec<f32>,
}

impl Model {
    /// One that knows nothing yet; the doubt is 0 everywhere.
    pub fn new(shape: Shape, seed: u64) -> Self {
        let mut rng = SplitMix64::new(seed);
        let mut spread = |limit: f32| limit * (2.0 * rng.unit() as f32 - 1.0);
        let mut numbers = vec![0.0; shape.numbers()];
        for number in &mut numbers[shape.input()] {
            *number = spread(INPUT_SPREAD);
        }
        let limit = 1.0 / (shape.hidden as f32).sqrt();
        for bucket in 0..OUTPUT_BUCKETS {
            for view in 0..2 {
                for number in &mut numbers[shape.weights_to(bucket, 0, view)] {
                    *number = spread(limit);
                }
            }
        }
        Self { shape, numbers }
    }

    /// Brings every weight back into the range that a file can hold.
    pub fn clip(&mut self) {
        let shape = self.shape;
        let mut clip = |range: Range<usize>, max: i16, one: i32| {
            let limit = f32::from(max) / one as f32;
            for number in &mut self.numbers[range] {
                *number = number.clamp(-limit, limit);
            }
        };
        clip(shape.input(), INPUT_WEIGHT_MAX, HIDDEN_ONE);
        clip(shape.input_bias(), INPUT_BIAS_MAX, HIDDEN_ONE);
        clip(shape.output(), OUTPUT_WEIGHT_MAX, OUTPUT_ONE);
    }

    /// In whole numbers, as the engine uses it.
    pub fn quantised(&self, scale_cp: u32) -> Parameters {
        let part = |range: Range<usize>, unit: i32| {
            let numbers = self.numbers[range].iter();
            numbers.map(move |number| (number * unit as f32).round() as i32)
        };
        let (hidden, output) = (self.shape.input(), self.shape.output());
        let narrow = |number: i32| number as i16;
        Parameters {
            hidden: self.shape.hidden,
            king_buckets: self.shape.king_buckets,
            scale: scale_cp,
            input: part(hidden, HIDDEN_ONE).map(narrow).collect(),
            input_bias: part(self.shape.input_bias(), HIDDEN_ONE)
                .map(narrow)
                .collect(),
            output: part(output, OUTPUT_ONE).map(narrow).collect(),
            output_bias: part(self.shape.output_bias(), HIDDEN_ONE * OUTPUT_ONE).collect(),
        }
    }
}
