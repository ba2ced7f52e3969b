//! Evaluation by a small neural network (NNUE): men on squares, a hidden layer for each side, and two small layers
//! above both.
//!
//! The hidden units of each side are sums of weights, one row for each man, updated incrementally along the line. The
//! layers above are recomputed for each position: units are clipped and squared, and weighted by the next layer. These
//! layers have several sets of weights (output buckets), chosen by the number of men. Known endings are treated as in
//! the classical evaluation.

mod accumulator;
pub mod features;
pub mod file;
mod layers;
#[cfg(test)]
mod twin;

use std::array::from_fn;
use std::sync::{Arc, LazyLock};

use shakmaty::{Board, Color, Position as _, Square};

use super::{drawish, mating};
use crate::chess::Position;
use accumulator::Accumulators;
use features::{OUTPUT_BUCKETS, output_bucket};
use file::{Activation, OUTPUT_ONE, SECOND, SECOND_ACTIVATION, THIRD, THIRD_ACTIVATION};
pub use file::{FILE_BYTES_MAX, NetworkError, NetworkParameters};
use layers::{Dense, Lanes, Pair, square, vectors};

/// The network that is part of the program, as the bytes of its file; `docs/network.md` says how it was made.
const BUILT_IN: &[u8] = include_bytes!("default.net");

/// Greatest value in centipawns, far from anything that announces a mate.
const VALUE_MAX: i32 = 20_000;

/// A network with its weights laid out for use. It is never changed, so threads can share it.
#[derive(Debug)]
pub struct Network {
    /// Hidden units of one side.
    hidden: usize,
    /// Centipawns of an output of 1.0.
    scale: i64,
    /// Vectors of the hidden units of one side.
    width: usize,
    /// The rows of all inputs, one after the other.
    input: Vec<Lanes>,
    input_bias: Vec<Lanes>,
    /// The layers above, for each output bucket.
    buckets: Vec<OutputBucket>,
    checksum: u64,
}

/// The layers above the first of one output bucket.
#[derive(Debug)]
struct OutputBucket {
    second: Dense<{ SECOND / 8 }>,
    third: Dense<{ THIRD / 8 }>,
    output: [i16; THIRD],
    output_bias: i32,
}

impl OutputBucket {
    /// Bucket `at` of a network.
    fn new(parameters: &NetworkParameters, at: usize) -> Self {
        let (second, second_bias) = parameters.second.bucket(at);
        let (third, third_bias) = parameters.third.bucket(at);
        let (output, output_bias) = parameters.output.bucket(at);
        Self {
            second: Dense::new(second, second_bias),
            third: Dense::new(third, third_bias),
            output: from_fn(|below| output[below]),
            output_bias: output_bias[0],
        }
    }

    /// A sum that stands for [`OUTPUT_ONE`] at 1.0, from the squared hidden units of the side to move and of the other.
    fn output(&self, squares: &[Pair]) -> i64 {
        let second = self.second.sums(squares);
        let second: [_; SECOND] = units(second.as_flattened(), SECOND_ACTIVATION);
        let third = self.third.sums(second.as_chunks().0);
        let third: [_; THIRD] = units(third.as_flattened(), THIRD_ACTIVATION);
        let products = third.iter().zip(&self.output);
        let products = products.map(|(&unit, &weight)| i32::from(unit) * i32::from(weight));
        i64::from(products.sum::<i32>()) + i64::from(self.output_bias)
    }
}

/// The units of these sums, in a loop that compilers turn into vector code.
#[inline]
fn units<const UNITS: usize>(sums: &[i32], activation: Activation) -> [i16; UNITS] {
    let mut units = [0; UNITS];
    for (unit, &sum) in units.iter_mut().zip(sums) {
        *unit = activation.unit(sum);
    }
    units
}

impl Network {
    /// The network in a file's bytes.
    ///
    /// # Errors
    /// The bytes are no network, or not a whole and sound one.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let parameters = NetworkParameters::from_bytes(bytes)?;
        let input_bias: Vec<Lanes> = vectors(&parameters.input_bias).collect();
        let rows = parameters.input.chunks_exact(parameters.hidden);
        Ok(Self {
            hidden: parameters.hidden,
            scale: parameters.scale.into(),
            width: input_bias.len(),
            input: rows.flat_map(vectors).collect(),
            input_bias,
            buckets: (0..OUTPUT_BUCKETS)
                .map(|at| OutputBucket::new(&parameters, at))
                .collect(),
            checksum: file::checksum(bytes),
        })
    }

    /// The network that is part of the program.
    pub fn built_in() -> Arc<Self> {
        static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
            Arc::new(Network::from_bytes(BUILT_IN).expect("the built-in network is sound"))
        });
        Arc::clone(&NETWORK)
    }

    /// The checksum of its file, which tells networks from each other.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The weights of an input.
    fn row(&self, feature: usize) -> &[Lanes] {
        &self.input[feature * self.width..][..self.width]
    }
}

/// A network at work, with the hidden units of the line it walks on.
pub(super) struct NetworkEvaluation {
    network: Arc<Network>,
    accumulators: Accumulators,
    /// Takes the squared hidden units, the own ones first.
    squares: Vec<Pair>,
}

/// A network's view of a position, in centipawns, seen by the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkView {
    /// Its output, before known endings are told apart.
    pub value: i32,
    /// The set of output weights in use.
    pub bucket: usize,
    /// For each man but the kings, how much the output would lose without it.
    pub men: Vec<(Square, i32)>,
}

impl NetworkEvaluation {
    pub(super) fn new(network: Arc<Network>) -> Self {
        Self {
            accumulators: Accumulators::new(&network),
            squares: vec![[0; 2]; network.hidden],
            network,
        }
    }

    /// The static value of a position at `ply` of a line, in centipawns, seen by the side to move.
    pub(super) fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let (board, turn) = (position.chess().board(), position.chess().turn());
        with_endings(board, turn, self.output(board, turn, ply))
    }

    /// The network's value, and the part of each man.
    pub(super) fn explain(&mut self, position: &Position) -> NetworkView {
        let (board, turn) = (position.chess().board(), position.chess().turn());
        let value = self.output(board, turn, 0);
        let without = |square| {
            let mut board = board.clone();
            board.discard_piece_at(square);
            (square, value - self.output(&board, turn, 0))
        };
        NetworkView {
            value,
            men: (board.occupied() & !board.kings())
                .into_iter()
                .map(without)
                .collect(),
            bucket: output_bucket(board.occupied().count()),
        }
    }

    fn output(&mut self, board: &Board, turn: Color, ply: usize) -> i32 {
        let Self {
            network,
            accumulators,
            squares,
        } = self;
        accumulators.update(network, board, ply);
        let (own, other) = squares.split_at_mut(network.hidden / 2);
        square(own, accumulators.units(turn, ply));
        square(other, accumulators.units(!turn, ply));
        let bucket = &network.buckets[output_bucket(board.occupied().count())];
        (bucket.output(squares) * network.scale / OUTPUT_ONE as i64) as i32
    }
}

/// The value with drawn endings and fortresses scaled, and with help to mate a bare king.
fn with_endings(board: &Board, turn: Color, value: i32) -> i32 {
    let strong = if value > 0 { turn } else { !turn };
    let scale = drawish::scale(board, strong);
    if scale == 0 {
        return 0;
    }
    let progress = mating::progress(board, strong).unwrap_or(0);
    let scaled = value.clamp(-VALUE_MAX, VALUE_MAX) * scale / drawish::SCALE_MAX;
    let value = scaled + if strong == turn { progress } else { -progress };
    value.clamp(-VALUE_MAX, VALUE_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;
    use crate::eval::{Evaluation, EvaluationKind};

    fn evaluation(hidden: usize) -> Evaluation {
        let bytes = NetworkParameters::random(hidden, 9).to_bytes();
        let network = Network::from_bytes(&bytes).unwrap();
        Evaluation::new(&EvaluationKind::Network(Arc::new(network)))
    }

    #[test]
    fn colours_are_treated_alike() {
        let mut evaluation = evaluation(32);
        let text = include_str!("../../../positions/bench.epd");
        for (_, record) in crate::chess::epd::parse(text).unwrap() {
            let value = evaluation.evaluate(&record.position, 0);
            let mirrored = record.position.mirrored();
            assert_eq!(evaluation.evaluate(&mirrored, 0), value, "{mirrored:?}");
        }
    }

    #[test]
    fn known_endings_are_known() {
        let mut evaluation = evaluation(16);
        let mut value = |fen| evaluation.evaluate(&parse_fen(fen).unwrap(), 0);
        assert_eq!(value("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1"), 0);
        assert_eq!(value("8/8/4k3/8/8/3KNN2/8/8 b - - 0 1"), 0);
        let board = |fen| parse_fen(fen).unwrap().chess().board().clone();
        let corner = board("k7/8/1K6/8/8/8/8/5Q2 w - - 0 1");
        let centre = board("8/8/8/4k3/8/8/8/K4Q2 w - - 0 1");
        let [corner, centre] =
            [corner, centre].map(|board| with_endings(&board, Color::White, 900));
        assert!(corner > centre && centre >= 900);
        let huge = with_endings(
            &board("8/8/8/4k3/8/8/8/K4Q2 w - - 0 1"),
            Color::Black,
            -1_000_000,
        );
        assert_eq!(huge, -VALUE_MAX);
    }
}
