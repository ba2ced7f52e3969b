//! Static evaluation: the value of a quiet position without search.

mod bits;
mod classical;
mod drawish;
mod exits;
mod king;
mod material;
mod mating;
mod misjudgement;
pub mod network;
mod params;
mod pawns;
mod pieces;
mod squares;
mod tapered;
mod threats;
mod trace;
mod weights;

pub use tapered::Tapered;
pub use trace::{Attack, Trace};
pub use weights::{Danger, Weights};

use std::fmt;
use std::sync::Arc;

use shakmaty::Position as _;

use crate::chess::Position;
use classical::Classical;
use network::{Network, NetworkEvaluation, NetworkView};

/// The kind of evaluation, without its caches; shared by all searchers of a search.
#[derive(Clone, Debug)]
pub enum EvaluationKind {
    /// Hand-made terms.
    Classical,
    /// A neural network.
    Network(Arc<Network>),
}

impl Default for EvaluationKind {
    /// The network that is part of the program.
    fn default() -> Self {
        Self::Network(Network::built_in())
    }
}

impl PartialEq for EvaluationKind {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Classical, Self::Classical) => true,
            (Self::Network(one), Self::Network(other)) => one.checksum() == other.checksum(),
            _ => false,
        }
    }
}

impl Eq for EvaluationKind {}

impl fmt::Display for EvaluationKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Classical => formatter.write_str("classical"),
            Self::Network(network) => write!(formatter, "network {:016x}", network.checksum()),
        }
    }
}

/// The static evaluation with its caches, which save time and change no result.
pub struct Evaluation {
    method: EvaluationMethod,
    /// Standard deviation of its deliberate errors, in centipawns; 0: there are none.
    error_cp: i32,
}

enum EvaluationMethod {
    Classical(Classical),
    Network(NetworkEvaluation),
}

impl Evaluation {
    /// An evaluation of this kind.
    pub fn new(kind: &EvaluationKind) -> Self {
        let method = match kind {
            EvaluationKind::Classical => EvaluationMethod::Classical(Classical::new()),
            EvaluationKind::Network(network) => {
                EvaluationMethod::Network(NetworkEvaluation::new(Arc::clone(network)))
            }
        };
        Self {
            method,
            error_cp: 0,
        }
    }

    /// The same with a deliberate error for each position; the errors have a standard deviation of `error_cp`
    /// centipawns.
    #[must_use]
    pub fn misjudging(self, error_cp: i32) -> Self {
        Self { error_cp, ..self }
    }

    /// Static evaluation in centipawns, seen by the side to move, whatever the count of the 50-move rule
    /// ([`under_count`]). `ply` is its distance from the root of the search: evaluating nearby positions one after the
    /// other is cheaper.
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let value = match &mut self.method {
            EvaluationMethod::Classical(classical) => classical.evaluate(position),
            EvaluationMethod::Network(network) => network.evaluate(position, ply),
        };
        if self.error_cp == 0 {
            return value;
        }
        value + misjudgement::error(position.key(), self.error_cp)
    }

    /// The network's view of a position; `None` without a network.
    pub fn explain(&mut self, position: &Position) -> Option<NetworkView> {
        match &mut self.method {
            EvaluationMethod::Classical(_) => None,
            EvaluationMethod::Network(network) => Some(network.explain(position)),
        }
    }
}

/// Plies without capture or pawn move by which a value would have faded to nothing.
const FADED_PLIES: i32 = 200;
/// A second fading in endings, from [`FADING_MEN`] men downwards and whole with [`FADED_MEN`]: it begins after more
/// quiet plies than a line of the search often has, and ends before nothing is left, since past 50 moves without a claim
/// moves must still differ.
const FADING_PLIES: std::ops::Range<i32> = 16..100;
const FADING_PLIES_MAX: i32 = 90;
const FADING_MEN: i32 = 20;
const FADED_MEN: i32 = 7;

/// Fades the board value `value` with the 50-move counter, because a side without progress rarely wins. The effect is
/// greater in endings. In 62,000 self-play games, an advantage with seven men or fewer that had stood for 45 moves won
/// as often as a sixth of it without delay. With 14 men, it won as often as all of it.
pub fn under_count(value: i32, position: &Position) -> i32 {
    let plies = position.chess().halfmoves().min(FADED_PLIES as u32) as i32;
    let value = value * (FADED_PLIES - plies) / FADED_PLIES;
    let men = position.chess().board().occupied().count() as i32;
    let steps = FADING_MEN - FADED_MEN;
    let part = (FADING_MEN - men).clamp(0, steps);
    let whole = FADING_PLIES.len() as i32 * steps;
    let late = (plies.min(FADING_PLIES_MAX) - FADING_PLIES.start).max(0);
    value * (whole - late * part) / whole
}

/// The greatest gain of the opponent by one capture, in centipawns, never negative: static, no search.
pub fn threat(position: &Position) -> i32 {
    threats::greatest_loss(position.chess().board(), position.chess().turn())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;
    use crate::game::SplitMix64;

    fn position(fen: &str) -> Position {
        Position::new(
            fen.parse::<Fen>()
                .unwrap()
                .into_position(CastlingMode::Standard)
                .unwrap(),
        )
    }

    fn evaluate(fen: &str) -> i32 {
        Evaluation::new(&EvaluationKind::Classical).evaluate(&position(fen), 0)
    }

    #[test]
    fn colours_are_treated_alike_and_memory_changes_nothing() {
        let mut rng = SplitMix64::new(11);
        let mut evaluation = Evaluation::new(&EvaluationKind::Classical);
        for _ in 0..60 {
            let mut position = Position::initial();
            for _ in 0..150 {
                let expected = Evaluation::new(&EvaluationKind::Classical).evaluate(&position, 0);
                assert_eq!(
                    evaluation.evaluate(&position, 0),
                    expected,
                    "{:?}",
                    position.chess()
                );
                assert_eq!(
                    evaluation.evaluate(&position.mirrored(), 0),
                    expected,
                    "{:?}",
                    position.chess()
                );
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                let Some(&mv) = moves.get(rng.below(moves.len().max(1) as u64) as usize) else {
                    break;
                };
                position = position.after(mv);
            }
        }
    }

    #[test]
    fn a_misjudged_position_stays_misjudged_by_the_same() {
        let mut sound = Evaluation::new(&EvaluationKind::Classical);
        let mut misjudging = Evaluation::new(&EvaluationKind::Classical).misjudging(100);
        let mut moves = Vec::new();
        Position::initial().legal_moves(&mut moves);
        let errors: BTreeSet<i32> = moves
            .iter()
            .map(|&mv| {
                let position = Position::initial().after(mv);
                let value = misjudging.evaluate(&position, 1);
                assert_eq!(misjudging.evaluate(&position, 3), value);
                value - sound.evaluate(&position, 1)
            })
            .collect();
        assert!(errors.len() > 15, "{errors:?}");
    }

    #[test]
    fn a_value_fades_with_the_count() {
        let many = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let few = "4k3/8/8/8/8/8/4P3/3QK3 w - -";
        let value = |board: &str, value, count: i32| {
            under_count(value, &position(&format!("{board} {count} 90")))
        };
        let values = |board| [0, 16, 50, 99].map(|count| value(board, 900, count));
        assert_eq!(values(many), [900, 828, 675, 454]);
        assert_eq!(values(few), [900, 828, 401, 54]);
        // Seven men of the thirteen between twenty and seven: seven thirteenths of the second fading.
        let some = "4k3/pppp4/8/8/8/8/PPPP4/R2QK2R w - -";
        assert_eq!(values(some), [900, 828, 527, 238]);
        assert_eq!(value(few, -900, 50), -401);
        assert!(value(few, 900, 120) > 0, "moves differ past 50 moves");
    }

    #[test]
    fn drawish_endings_are_worth_little() {
        assert_eq!(evaluate("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1"), 0);
        assert!(evaluate("8/8/4kn2/8/8/2RK4/8/8 w - - 0 1") < 60);
        assert_eq!(
            evaluate("k7/8/8/8/P7/3K4/3B4/8 w - - 0 1"),
            0,
            "dark bishop, light corner a8"
        );
    }

    #[test]
    fn a_bare_king_is_better_off_in_the_centre() {
        let center = evaluate("8/8/8/4k3/8/8/3K4/1Q6 w - - 0 1");
        assert!(evaluate("k7/8/8/8/8/8/3K4/5Q2 w - - 0 1") > center);
        // Light bishop: a8 and h1 are the corners to mate in.
        let wrong = evaluate("8/8/8/8/4N3/3BK3/8/k7 w - - 0 1");
        assert!(evaluate("k7/8/3K4/8/4N3/3B4/8/8 w - - 0 1") > wrong);
    }

    #[test]
    fn passed_and_sound_pawns_are_better() {
        let sound = evaluate("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1");
        assert!(
            evaluate("4k3/pp6/8/8/8/P7/P7/4K3 w - - 0 1") < sound,
            "doubled, isolated"
        );
        assert!(
            evaluate("4k3/pp6/8/8/6P1/8/P7/4K3 w - - 0 1") > sound,
            "passed"
        );
    }
}
