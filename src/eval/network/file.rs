//! The weights of a network and its file format.
//!
//! The file, all numbers with their low byte first: `CC2SNET3`; hidden units and scale, 4 bytes each; the weights of
//! the inputs (2 bytes; for each feature one for each hidden unit) and the biases of the hidden units (2 bytes); then
//! the layers above, each for all output buckets, one after the other: for each unit its weights (2 bytes; those of
//! the second layer for the own hidden units, then for the other side's), and after the weights of all buckets the
//! biases (4 bytes). The last layer has one unit. The XXH3 checksum of all that (8 bytes) ends it.
//!
//! Whole numbers stand for real ones: 1 is 255 in the first layer, whose sums are clipped to 0..=255 and squared; of
//! the 16 bits of a square the upper 8 are kept. A weight of the layers above is a multiple of 1/512. Their sums are
//! cut to 10 bits, clipped, and squared to 15 ([`Activation`]).

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use super::features::{FEATURES, OUTPUT_BUCKETS};
use crate::game::SplitMix64;

/// 1.0 in a hidden unit: weights and biases of the first layer are multiples of 1/255.
pub const HIDDEN_ONE: i32 = 255;
/// 1.0 in a weight of the layers above.
pub const WEIGHT_ONE: i32 = 512;
/// Greatest weight of an input: with [`INPUT_BIAS_MAX`], no sum over 32 men exceeds 16 bits.
pub const INPUT_WEIGHT_MAX: i16 = 900;
/// Greatest bias of a hidden unit.
pub const INPUT_BIAS_MAX: i16 = 3_967;
/// Greatest weight of the layers above: with [`BIAS_MAX`], no sum over 2,048 units of 8 bits or 32 of 15 exceeds 32
/// bits.
pub const WEIGHT_MAX: i16 = 2_047;
/// Greatest bias of the layers above.
pub const BIAS_MAX: i32 = 1 << 29;
/// Units of the second layer.
pub const SECOND: usize = 16;
/// Units of the third layer.
pub const THIRD: usize = 32;
/// 1.0 in a squared unit of the first layer.
const FIRST_ONE: f64 = (HIDDEN_ONE * HIDDEN_ONE) as f64 / 256.0;
/// The activation of the second layer.
pub const SECOND_ACTIVATION: Activation = Activation::after(FIRST_ONE, 7);
/// The activation of the third layer.
pub const THIRD_ACTIVATION: Activation = Activation::after(SECOND_ACTIVATION.one, 14);
/// 1.0 in an output.
pub const OUTPUT_ONE: f64 = THIRD_ACTIVATION.one * WEIGHT_ONE as f64;

/// The way from a sum to a unit: cut off below, clipped to 0..=1, squared, cut off below again.
#[derive(Clone, Copy, Debug)]
pub struct Activation {
    /// Bits of the sum that are cut off.
    cut: u32,
    /// The greatest that is left: what stands for 1.0.
    clip: i32,
    /// 1.0 in a sum.
    pub sum_one: f64,
    /// 1.0 in the unit.
    pub one: f64,
}

impl Activation {
    /// Bits of a square that are cut off.
    const SQUARE_CUT: u32 = 5;

    /// Of sums over units in which `below` stands for 1.0.
    const fn after(below: f64, cut: u32) -> Self {
        let sum_one = below * WEIGHT_ONE as f64;
        let clip = sum_one / (1 << cut) as f64;
        Self {
            cut,
            clip: clip as i32,
            sum_one,
            one: clip * clip / (1 << Self::SQUARE_CUT) as f64,
        }
    }

    /// The unit of a sum.
    #[inline]
    pub fn unit(self, sum: i32) -> i16 {
        let clipped = (sum >> self.cut).clamp(0, self.clip);
        ((clipped * clipped) >> Self::SQUARE_CUT) as i16
    }
}

/// Maximum length of a network file.
pub const FILE_BYTES_MAX: usize = size_of(HIDDEN_MAX);

const MAGIC: &[u8; 8] = b"CC2SNET3";
const HEADER_BYTES: usize = 16;
const CHECKSUM_BYTES: usize = 8;
const HIDDEN_STEP: usize = 16;
const HIDDEN_MAX: usize = 1_024;
const SCALE_MAX: u32 = 10_000;

/// Why a network is rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// The file cannot be read, for the reason the system gives.
    #[error("{0}")]
    Unreadable(String),
    /// It begins with something else.
    #[error("not a network of this engine")]
    NotANetwork,
    /// It is of another version of the format.
    #[error("a network of the format CC2SNET{0}; this program reads CC2SNET3")]
    UnknownVersion(char),
    /// The header asks for what there is not.
    #[error("unknown shape: {hidden} hidden units, scale {scale}")]
    UnknownShape {
        /// Hidden units of each side.
        hidden: u32,
        /// Centipawns of an output of 1.0.
        scale: u32,
    },
    /// It is longer or shorter than its header says.
    #[error("wrong size: {found} bytes instead of {expected}")]
    WrongSize {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        expected: usize,
    },
    /// Its checksum is wrong.
    #[error("damaged: wrong checksum")]
    Checksum,
    /// A weight or bias that the arithmetic has no room for.
    #[error("weight out of range: {value} among the {layer}, at most {max}")]
    WeightOutOfRange {
        /// Where it stands.
        layer: &'static str,
        /// Its value.
        value: i64,
        /// Greatest size it may have.
        max: i64,
    },
}

/// The numbers of a network, as they are in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkParameters {
    /// Hidden units of each side: a multiple of 16, up to 1,024.
    pub hidden: usize,
    /// Centipawns of an output of 1.0, 1 to 10,000.
    pub scale: u32,
    /// Weights of the inputs in multiples of 1/255: for each feature, one for each hidden unit.
    pub input: Vec<i16>,
    /// Biases of the hidden units, in multiples of 1/255.
    pub input_bias: Vec<i16>,
    /// The second layer: [`SECOND`] units over the hidden units, the own ones before the other side's.
    pub second: Layer,
    /// The third layer: [`THIRD`] units.
    pub third: Layer,
    /// The output: one unit.
    pub output: Layer,
}

/// A layer above the first: the same for each output bucket, with other numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Weights in multiples of 1/512: for each bucket and unit one for each unit below.
    pub weights: Vec<i16>,
    /// For each bucket and unit, in the unit of the sums.
    pub biases: Vec<i32>,
}

impl Layer {
    fn zero(units: usize, below: usize) -> Self {
        Self {
            weights: vec![0; OUTPUT_BUCKETS * units * below],
            biases: vec![0; OUTPUT_BUCKETS * units],
        }
    }

    /// The weights of bucket `at`, a row for each unit, and its biases.
    pub(super) fn bucket(&self, at: usize) -> (&[i16], &[i32]) {
        let weights = self.weights.len() / OUTPUT_BUCKETS;
        let biases = self.biases.len() / OUTPUT_BUCKETS;
        (
            &self.weights[at * weights..][..weights],
            &self.biases[at * biases..][..biases],
        )
    }
}

impl NetworkParameters {
    /// The network in a file's bytes.
    ///
    /// # Errors
    /// The bytes are no network, or not a whole and sound one.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut parameters = shape(bytes)?;
        let expected = size_of(parameters.hidden);
        if bytes.len() != expected {
            let found = bytes.len();
            return Err(NetworkError::WrongSize { found, expected });
        }
        let (content, checksum) = bytes.split_at(bytes.len() - CHECKSUM_BYTES);
        if xxh3_64(content).to_le_bytes() != checksum {
            return Err(NetworkError::Checksum);
        }
        let mut rest = &content[HEADER_BYTES..];
        read(&mut rest, &mut parameters.input, i16::from_le_bytes);
        read(&mut rest, &mut parameters.input_bias, i16::from_le_bytes);
        for layer in parameters.layers_mut() {
            read(&mut rest, &mut layer.weights, i16::from_le_bytes);
            read(&mut rest, &mut layer.biases, i32::from_le_bytes);
        }
        parameters.check()?;
        Ok(parameters)
    }

    /// The bytes of the file that holds this network.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(size_of(self.hidden));
        bytes.extend(MAGIC);
        for number in [self.hidden as u32, self.scale] {
            bytes.extend(number.to_le_bytes());
        }
        for weights in [&self.input, &self.input_bias] {
            bytes.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
        }
        for layer in self.layers() {
            bytes.extend(layer.weights.iter().flat_map(|weight| weight.to_le_bytes()));
            bytes.extend(layer.biases.iter().flat_map(|bias| bias.to_le_bytes()));
        }
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// A network with random weights, for tests and benchmarks. Equal seeds give equal networks.
    pub fn random(hidden: usize, seed: u64) -> Self {
        let mut rng = SplitMix64::new(seed);
        let mut parameters = Self::zero(hidden, 400);
        let mut fill = |layer: &mut [i16], max: i16| {
            for weight in layer {
                *weight = rng.below(2 * max as u64 + 1) as i16 - max;
            }
        };
        fill(&mut parameters.input, 60);
        fill(&mut parameters.input_bias, 60);
        for layer in parameters.layers_mut() {
            fill(&mut layer.weights, WEIGHT_MAX / 8);
        }
        for layer in parameters.layers_mut() {
            for bias in &mut layer.biases {
                *bias = rng.below(200_000) as i32 - 100_000;
            }
        }
        parameters
    }

    fn zero(hidden: usize, scale: u32) -> Self {
        Self {
            hidden,
            scale,
            input: vec![0; FEATURES * hidden],
            input_bias: vec![0; hidden],
            second: Layer::zero(SECOND, 2 * hidden),
            third: Layer::zero(THIRD, SECOND),
            output: Layer::zero(1, THIRD),
        }
    }

    /// The layers above the first, in the order of the file.
    pub(crate) fn layers(&self) -> [&Layer; 3] {
        [&self.second, &self.third, &self.output]
    }

    /// The same, to be changed.
    pub(super) fn layers_mut(&mut self) -> [&mut Layer; 3] {
        [&mut self.second, &mut self.third, &mut self.output]
    }

    /// Checks that no sum can overflow.
    ///
    /// # Errors
    /// A weight or bias is too large.
    pub fn check(&self) -> Result<(), NetworkError> {
        within("input weights", &self.input, INPUT_WEIGHT_MAX.into())?;
        within("input biases", &self.input_bias, INPUT_BIAS_MAX.into())?;
        let names = [
            ["second weights", "second biases"],
            ["third weights", "third biases"],
            ["output weights", "output biases"],
        ];
        for ([weights, biases], layer) in names.into_iter().zip(self.layers()) {
            within(weights, &layer.weights, WEIGHT_MAX.into())?;
            within(biases, &layer.biases, BIAS_MAX.into())?;
        }
        Ok(())
    }
}

/// Refuses numbers greater than `max`.
fn within<T: Copy + Into<i64>>(
    layer: &'static str,
    numbers: &[T],
    max: i64,
) -> Result<(), NetworkError> {
    let mut numbers = numbers.iter().map(|&number| number.into());
    match numbers.find(|number: &i64| number.abs() > max) {
        Some(value) => Err(NetworkError::WeightOutOfRange { layer, value, max }),
        None => Ok(()),
    }
}

/// Takes the numbers of a layer from the front of the bytes.
fn read<T, const BYTES: usize>(rest: &mut &[u8], numbers: &mut [T], from: fn([u8; BYTES]) -> T) {
    let (here, after) = rest.split_at(BYTES * numbers.len());
    for (number, bytes) in numbers.iter_mut().zip(here.as_chunks().0) {
        *number = from(*bytes);
    }
    *rest = after;
}

/// The checksum at the end of a sound file.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.last_chunk().copied().map_or(0, u64::from_le_bytes)
}

/// Bytes of the file of a network of this shape.
const fn size_of(hidden: usize) -> usize {
    let first = 2 * hidden * (FEATURES + 1);
    let above = SECOND * (2 * 2 * hidden + 4) + THIRD * (2 * SECOND + 4) + (2 * THIRD + 4);
    HEADER_BYTES + first + OUTPUT_BUCKETS * above + CHECKSUM_BYTES
}

/// An empty network of the shape the header tells.
fn shape(bytes: &[u8]) -> Result<NetworkParameters, NetworkError> {
    let Some((magic, rest)) = bytes.split_first_chunk::<8>() else {
        return Err(NetworkError::NotANetwork);
    };
    if magic[..7] != MAGIC[..7] {
        return Err(NetworkError::NotANetwork);
    }
    if magic != MAGIC {
        return Err(NetworkError::UnknownVersion(char::from(magic[7])));
    }
    let Some(numbers) = rest.get(..HEADER_BYTES - 8) else {
        let (found, expected) = (bytes.len(), HEADER_BYTES);
        return Err(NetworkError::WrongSize { found, expected });
    };
    let number = |at: usize| u32::from_le_bytes(numbers.as_chunks().0[at]);
    let [hidden, scale] = [0, 1].map(number);
    let is_known = (1..=HIDDEN_MAX / HIDDEN_STEP).contains(&(hidden as usize / HIDDEN_STEP))
        && (hidden as usize).is_multiple_of(HIDDEN_STEP)
        && (1..=SCALE_MAX).contains(&scale);
    if !is_known {
        return Err(NetworkError::UnknownShape { hidden, scale });
    }
    Ok(NetworkParameters::zero(hidden as usize, scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes after a change, with a checksum that agrees.
    fn changed(bytes: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut bytes = bytes[..bytes.len() - CHECKSUM_BYTES].to_vec();
        change(&mut bytes);
        let checksum = xxh3_64(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    #[test]
    fn what_is_written_is_read_again() {
        for hidden in [16, 48] {
            let network = NetworkParameters::random(hidden, 7);
            let bytes = network.to_bytes();
            assert_eq!(bytes.len(), size_of(hidden));
            assert_eq!(NetworkParameters::from_bytes(&bytes).as_ref(), Ok(&network));
        }
    }

    #[test]
    fn the_places_of_the_numbers_do_not_change() {
        let mut network = NetworkParameters::random(16, 7);
        network.input[17] = 77;
        network.second.weights[32] = 5;
        network.second.biases[1] = -2;
        network.output.biases[1] = -3;
        let bytes = network.to_bytes();
        assert_eq!(&bytes[..16], b"CC2SNET3\x10\0\0\0\x90\x01\0\0");
        assert_eq!(bytes[16 + 34..16 + 36], [77, 0]);
        let second = 16 + 2 * 16 * 769;
        let unit = second + 2 * 32;
        assert_eq!(bytes[unit..unit + 2], [5, 0], "the second unit's first");
        let bias = second + 2 * 8 * 16 * 32 + 4;
        assert_eq!(bytes[bias..bias + 4], [0xfe, 0xff, 0xff, 0xff]);
        let output = bytes.len() - 8 - 4 * 7;
        assert_eq!(bytes[output..output + 4], [0xfd, 0xff, 0xff, 0xff]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let bytes = NetworkParameters::random(16, 7).to_bytes();
        let refusal = |bytes: &[u8]| NetworkParameters::from_bytes(bytes).unwrap_err();
        assert_eq!(refusal(b""), NetworkError::NotANetwork);
        assert_eq!(refusal(b"MZ and something else"), NetworkError::NotANetwork);
        let earlier = changed(&bytes, |bytes| bytes[7] = b'2');
        assert_eq!(
            refusal(&earlier).to_string(),
            "a network of the format CC2SNET2; this program reads CC2SNET3"
        );
        for wrong in [
            &bytes[..9],
            &bytes[..bytes.len() - 1],
            &[&bytes[..], &[0]].concat(),
        ] {
            assert!(
                matches!(refusal(wrong), NetworkError::WrongSize { found, .. } if found == wrong.len())
            );
        }
        for (at, value) in [(8, 17), (8, 0), (9, 8), (13, 48), (14, 1)] {
            let wrong = changed(&bytes, |bytes| bytes[at] = value);
            let is_named = matches!(refusal(&wrong), NetworkError::UnknownShape { .. });
            assert!(is_named, "byte {at} = {value}");
        }
        for at in [16, 4_000, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert_eq!(refusal(&damaged), NetworkError::Checksum);
        }
    }

    #[test]
    fn weights_that_could_overflow_are_refused() {
        let refusal = |change: fn(&mut NetworkParameters)| {
            let mut network = NetworkParameters::random(16, 7);
            change(&mut network);
            NetworkParameters::from_bytes(&network.to_bytes())
                .unwrap_err()
                .to_string()
        };
        let named = "weight out of range: 2048 among the second weights, at most 2047";
        assert_eq!(refusal(|network| network.second.weights[3] = 2_048), named);
        assert!(refusal(|network| network.input[5] = -901).contains("input weights"));
        assert!(refusal(|network| network.input_bias[5] = i16::MIN).contains("input biases"));
        assert!(refusal(|network| network.third.weights[9] = i16::MIN).contains("third weights"));
        assert!(refusal(|network| network.output.biases[5] = i32::MIN).contains("output biases"));
        assert_eq!(32 * INPUT_WEIGHT_MAX + INPUT_BIAS_MAX, i16::MAX);
    }
}
