//! Evaluation by a small neural network: men on squares, one hidden layer for each side, value and doubt.
//!
//! The hidden units of each side are sums of weights, one row of weights for each man; clipped and squared, they are
//! weighted again by the outputs. There are several sets of output weights, chosen by the number of men. The known endings
//! are treated as in the classical evaluation.

mod accumulator;
pub mod features;
pub mod file;
mod layers;
#[cfg(test)]
mod twin;

use std::sync::{Arc, LazyLock};

use shakmaty::{Board, Color, Position as _, Square};

use super::{drawish, mating};
use crate::chess::Position;
use accumulator::Accumulators;
use features::output_bucket;
pub use file::{FILE_BYTES_MAX, NetworkError, Parameters};
use file::{HIDDEN_ONE, OUTPUT_ONE, OUTPUTS};
use layers::{Lanes, vectors, weighted};

/// The network that is part of the program, as the bytes of its file; `docs/network.md` says how it was made.
const BUILT_IN: &[u8] = include_bytes!("default.net");

/// Greatest value in centipawns, far from anything that announces a mate.
const VALUE_MAX: i32 = 20_000;

/// A network with its weights laid out for use. It is never changed, so threads can share it.
#[derive(Debug)]
pub struct Network {
    king_buckets: usize,
    /// Centipawns of an output of 1.0.
    scale: i64,
    /// Vectors of the hidden units of one side.
    width: usize,
    /// The rows of all inputs, one after the other.
    input: Vec<Lanes>,
    input_bias: Vec<Lanes>,
    /// For each output bucket, value before doubt.
    outputs: Vec<Output>,
    checksum: u64,
}

/// The weights of one output.
#[derive(Debug)]
struct Output {
    own: Vec<Lanes>,
    other: Vec<Lanes>,
    bias: i64,
}

impl Network {
    /// The network in a file's bytes.
    ///
    /// # Errors
    /// The bytes are no network, or not a whole and sound one.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let parameters = Parameters::from_bytes(bytes)?;
        let hidden = parameters.hidden;
        let rows = parameters.output.chunks_exact(2 * hidden);
        let outputs = rows
            .zip(&parameters.output_bias)
            .map(|(row, &bias)| Output {
                own: vectors(&row[..hidden]).collect(),
                other: vectors(&row[hidden..]).collect(),
                bias: bias.into(),
            });
        let input_bias: Vec<Lanes> = vectors(&parameters.input_bias).collect();
        Ok(Self {
            king_buckets: parameters.king_buckets,
            scale: parameters.scale.into(),
            width: input_bias.len(),
            input: parameters
                .input
                .chunks_exact(hidden)
                .flat_map(vectors)
                .collect(),
            input_bias,
            outputs: outputs.collect(),
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

    /// An output in centipawns for these hidden units of the side to move and of the other.
    fn output(&self, output: usize, own: &[Lanes], other: &[Lanes]) -> i32 {
        let Output {
            own: own_weights,
            other: other_weights,
            bias,
        } = &self.outputs[output];
        let sum = weighted(own, own_weights) + weighted(other, other_weights);
        let one = i64::from(HIDDEN_ONE);
        ((sum / one + bias) * self.scale / (one * i64::from(OUTPUT_ONE))) as i32
    }
}

/// A network at work, with the hidden units of the line it walks on.
pub(super) struct NetworkEvaluation {
    network: Arc<Network>,
    accumulators: Accumulators,
}

/// What a network says of a position, in centipawns, the side to move's view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What its output says, before known endings are told apart.
    pub value: i32,
    /// How far off it thinks that may be.
    pub doubt: i32,
    /// The set of output weights in use.
    pub bucket: usize,
    /// For each man but the kings, how much the output would lose without it.
    pub men: Vec<(Square, i32)>,
}

impl NetworkEvaluation {
    pub(super) fn new(network: Arc<Network>) -> Self {
        Self {
            accumulators: Accumulators::new(&network),
            network,
        }
    }

    /// The static value of a position at `ply` of a line, in centipawns, seen by the side to move.
    pub(super) fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let (board, turn) = (position.chess().board(), position.chess().turn());
        with_endings(board, turn, self.output(board, turn, ply, Row::Value))
    }

    /// What the network says, and what of it each man is responsible for.
    pub(super) fn explain(&mut self, position: &Position) -> Explanation {
        let (board, turn) = (position.chess().board(), position.chess().turn());
        let value = self.output(board, turn, 0, Row::Value);
        let without = |square| {
            let mut board = board.clone();
            board.discard_piece_at(square);
            (square, value - self.output(&board, turn, 0, Row::Value))
        };
        Explanation {
            value,
            men: (board.occupied() & !board.kings())
                .into_iter()
                .map(without)
                .collect(),
            doubt: self.output(board, turn, 0, Row::Doubt).max(0),
            bucket: output_bucket(board.occupied().count()),
        }
    }

    fn output(&mut self, board: &Board, turn: Color, ply: usize, row: Row) -> i32 {
        let Self {
            network,
            accumulators,
        } = self;
        accumulators.update(network, board, ply);
        let own = accumulators.units(turn, ply);
        let other = accumulators.units(!turn, ply);
        let output = OUTPUTS * output_bucket(board.occupied().count()) + row as usize;
        network.output(output, own, other)
    }
}

/// Which output of a bucket.
#[derive(Clone, Copy)]
enum Row {
    Value,
    Doubt,
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
        let bytes = Parameters::random(hidden, 4, 9).to_bytes();
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
