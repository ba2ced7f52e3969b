//! A slow and simple reference for the network, and tests of the fast code against it.

use std::collections::BTreeSet;
use std::sync::Arc;

use shakmaty::{Board, Color, Position as _};

use super::features::{FEATURES, OUTPUT_BUCKETS, View, output_bucket};
use super::file::{BIAS_MAX, INPUT_BIAS_MAX, INPUT_WEIGHT_MAX, Layer, WEIGHT_MAX};
use super::{Network, NetworkEvaluation, NetworkParameters};
use crate::chess::notation::parse_fen;
use crate::chess::{Line, MoveKind, Position};
use crate::game::{Game, SplitMix64};

/// Starts that have what random games from the initial position seldom have.
const STARTS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/1p4p1/8/3pP3/8/8/P6P/4K3 w - d6 0 2",
];

/// The output by its definition: every man, every unit, every product, in 64 bits.
fn exact(parameters: &NetworkParameters, board: &Board, turn: Color) -> i64 {
    let hidden = parameters.hidden;
    let units = [turn, !turn].map(|side| {
        let view = View::new(side, board.king_of(side).unwrap());
        let features: Vec<usize> = (board.iter())
            .map(|(square, piece)| view.feature(piece, square))
            .collect();
        (0..hidden).map(move |unit| {
            let weight = |&feature: &usize| i64::from(parameters.input[feature * hidden + unit]);
            i64::from(parameters.input_bias[unit]) + features.iter().map(weight).sum::<i64>()
        })
    });
    let bucket = output_bucket(board.occupied().count());
    let sums = |layer: &Layer, below: &[i64]| -> Vec<i64> {
        let units = layer.biases.len() / OUTPUT_BUCKETS;
        let rows = layer.weights.chunks_exact(below.len()).zip(&layer.biases);
        rows.skip(bucket * units)
            .take(units)
            .map(|(weights, &bias)| {
                let products = weights.iter().zip(below);
                let products = products.map(|(&weight, below)| i64::from(weight) * below);
                i64::from(bias) + products.sum::<i64>()
            })
            .collect()
    };
    let first: Vec<i64> = (units.into_iter().flatten())
        .map(|unit| unit.clamp(0, 255).pow(2) / 256)
        .collect();
    let squared = |sums: Vec<i64>, cut: i64, clip: i64| -> Vec<i64> {
        let clipped = sums
            .into_iter()
            .map(|sum| sum.div_euclid(cut).clamp(0, clip));
        clipped.map(|clipped| clipped.pow(2) / 32).collect()
    };
    let second = squared(sums(&parameters.second, &first), 128, 1_016);
    let third = squared(sums(&parameters.third, &second), 16_384, 1_008);
    let output = sums(&parameters.output, &third)[0];
    output * i64::from(parameters.scale) / 16_260_040
}

/// Events that the fast way could get wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum UpdateCase {
    Capture,
    Castle,
    EnPassant,
    Promotion,
    Pass,
    ViewChanged,
}

/// Walks as a search does and compares on the way.
struct Walker {
    parameters: NetworkParameters,
    evaluation: NetworkEvaluation,
    rng: SplitMix64,
    compared: usize,
    seen: BTreeSet<UpdateCase>,
}

impl Walker {
    fn new(parameters: NetworkParameters) -> Self {
        let network = Network::from_bytes(&parameters.to_bytes()).unwrap();
        Self {
            parameters,
            evaluation: NetworkEvaluation::new(Arc::new(network)),
            rng: SplitMix64::new(35),
            compared: 0,
            seen: BTreeSet::new(),
        }
    }

    fn compare(&mut self, position: &Position, ply: usize) {
        let (board, turn) = (position.chess().board(), position.chess().turn());
        let fast = self.evaluation.output(board, turn, ply);
        let slow = exact(&self.parameters, board, turn);
        assert_eq!(i64::from(fast), slow, "ply {ply}: {position:?}");
        self.compared += 1;
    }

    /// Some moves deep and wide; some nodes are not evaluated, as after a check or where the value is remembered.
    fn search(&mut self, line: &mut Line, ply: usize, depth: usize) {
        if self.rng.below(4) > 0 {
            self.compare(line.position(), ply);
        }
        if depth == 0 || line.end_score().is_some() {
            return;
        }
        for _ in 0..2 {
            self.play(line);
            self.search(line, ply + 1, depth - 1);
            line.undo();
        }
        if self.rng.below(4) == 0 && line.pass() {
            self.seen.insert(UpdateCase::Pass);
            self.search(line, ply + 1, depth - 1);
            line.undo();
        }
    }

    fn play(&mut self, line: &mut Line) {
        let mut moves = Vec::new();
        line.legal_moves(&mut moves);
        let mv = moves[self.rng.below(moves.len() as u64) as usize];
        let event = match mv.kind() {
            MoveKind::Castle => Some(UpdateCase::Castle),
            MoveKind::EnPassant => Some(UpdateCase::EnPassant),
            MoveKind::Promotion(_) => Some(UpdateCase::Promotion),
            MoveKind::Normal => line.position().captured(mv).map(|_| UpdateCase::Capture),
        };
        self.seen.extend(event);
        let view = |line: &Line, side| {
            let king = line.position().chess().board().king_of(side).unwrap();
            View::new(side, king)
        };
        let before = Color::ALL.map(|side| view(line, side));
        line.play(mv);
        if Color::ALL.map(|side| view(line, side)) != before {
            self.seen.insert(UpdateCase::ViewChanged);
        }
    }

    /// Random games from all starts, with a search at every move, until so many positions were compared.
    fn compare_until(&mut self, compared: usize) {
        for start in STARTS.into_iter().cycle() {
            let mut line = Line::new(parse_fen(start).unwrap());
            while line.end_score().is_none() && line.moves().len() < 40 {
                if self.compared >= compared {
                    return;
                }
                self.search(&mut line, 0, 3);
                self.play(&mut line);
            }
        }
    }
}

#[test]
fn the_fast_way_is_exact() {
    for hidden in [16, 48] {
        let mut walker = Walker::new(NetworkParameters::random(hidden, 1));
        walker.compare_until(10_000);
        assert_eq!(walker.seen.len(), 6, "{:?}", walker.seen);
    }
}

#[test]
#[ignore = "half a minute in a release build"]
fn the_fast_way_is_exact_a_million_times() {
    Walker::new(NetworkParameters::random(128, 2)).compare_until(1_000_000);
}

#[test]
fn the_greatest_weights_do_no_harm() {
    for sign in [1, -1] {
        let mut parameters = NetworkParameters::random(1_024, 3);
        parameters.input.fill(sign * INPUT_WEIGHT_MAX);
        parameters.input_bias.fill(sign * INPUT_BIAS_MAX);
        for layer in parameters.layers_mut() {
            layer.weights.fill(WEIGHT_MAX);
            layer.biases.fill(i32::from(sign) * BIAS_MAX);
        }
        Walker::new(parameters).compare_until(20);
    }
}

#[test]
fn a_man_shown_alone_is_worth_its_weights() {
    let mut parameters = NetworkParameters::random(16, 4);
    parameters.input = vec![0; FEATURES * 16];
    parameters.input_bias = vec![0; 16];
    for layer in parameters.layers_mut() {
        layer.weights.fill(0);
        layer.biases.fill(0);
    }
    // One unit of each layer passes on what it gets.
    parameters.second.weights[0] = 512;
    parameters.third.weights[0] = 512;
    parameters.output.weights[0] = 512;
    // A white pawn on b2, seen by White with the king on a1, switches one hidden unit fully on.
    parameters.input[9 * 16] = 255;
    let network = Network::from_bytes(&parameters.to_bytes()).unwrap();
    let mut evaluation = NetworkEvaluation::new(Arc::new(network));
    let position = parse_fen("7k/8/8/8/8/8/1P6/K7 w - - 0 1").unwrap();
    let explanation = evaluation.explain(&position);
    // What is cut off on the way costs it one of 400.
    assert_eq!(explanation.value, 399);
    assert_eq!(
        (explanation.bucket, explanation.men),
        (0, vec![(shakmaty::Square::B2, 399)])
    );
}
