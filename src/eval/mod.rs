//! Static evaluation: what a quiet position is worth, without looking ahead.

mod bits;
mod drawish;
mod exits;
mod king;
mod material;
mod mating;
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

use shakmaty::{Color, Position as _};

use crate::chess::Position;
use pawns::{PawnStructure, PawnTable};
use pieces::Survey;

/// The static evaluation with its weights and its memory of pawn structures. The memory saves time and changes no answer.
pub struct Evaluation {
    weights: Box<Weights>,
    pawns: PawnTable,
}

impl Default for Evaluation {
    fn default() -> Self {
        Self::new(Weights::DEFAULT)
    }
}

impl Evaluation {
    /// An evaluation with these weights.
    pub fn new(weights: Weights) -> Self {
        Self {
            weights: Box::new(weights),
            pawns: PawnTable::new(),
        }
    }

    /// The static value of a position in centipawns, seen by the side to move.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let structure =
            self.pawns
                .structure(position.pawn_key(), position.chess().board(), &self.weights);
        let (linear, survey) = linear(position, &structure, &self.weights);
        blend(
            position,
            linear - dangers(position, &survey, &structure, &self.weights),
        )
    }
}

/// All that is linear in the weights, the side to move's view, and the survey made on the way.
fn linear<'a>(
    position: &'a Position,
    structure: &PawnStructure,
    weights: &Weights,
) -> (Tapered, Survey<'a>) {
    let (board, turn) = (position.chess().board(), position.chess().turn());
    let mut survey = Survey::new(board);
    let mut total = structure.total + survey.pieces(Color::White, weights)
        - survey.pieces(Color::Black, weights);
    for color in Color::ALL {
        let own = threats::threats(&survey, color, weights)
            + pawns::race(
                board,
                color,
                structure.passed,
                survey.sides[!color as usize].all,
                [survey.sides[0].king, survey.sides[1].king],
                weights,
            );
        total += color.fold_wb(own, -own);
    }
    (turn.fold_wb(total, -total) + weights.tempo[0], survey)
}

/// The danger of the king of the side to move less that of the other's.
fn dangers(
    position: &Position,
    survey: &Survey<'_>,
    structure: &PawnStructure,
    weights: &Weights,
) -> Tapered {
    let [black, white] = [Color::Black, Color::White].map(|color| {
        king::danger(
            survey,
            color,
            structure.shelter[color as usize],
            &weights.danger,
        )
    });
    position
        .chess()
        .turn()
        .fold_wb(white - black, black - white)
}

/// What the opponent threatens to win by one capture, in centipawns, never negative: a static look, no search.
pub fn threat(position: &Position) -> i32 {
    threats::greatest_loss(position.chess().board(), position.chess().turn())
}

/// The score of the phase the game is in, scaled in drawish endings, with help to mate a bare king.
fn blend(position: &Position, own: Tapered) -> i32 {
    let (board, turn) = (position.chess().board(), position.chess().turn());
    let (strong, scale) = advantage(position, own);
    let phase = material::phase(board);
    let ending = own.ending() * scale / drawish::SCALE_MAX;
    if scale == 0 {
        return 0;
    }
    let score =
        (own.middlegame() * phase + ending * (material::PHASE_MAX - phase)) / material::PHASE_MAX;
    match mating::progress(board, strong) {
        Some(progress) => score + if strong == turn { progress } else { -progress },
        _ => score,
    }
}

/// Which side is better off in the ending, and how much of that counts, of [`drawish::SCALE_MAX`].
fn advantage(position: &Position, own: Tapered) -> (Color, i32) {
    let turn = position.chess().turn();
    let strong = if own.ending() > 0 { turn } else { !turn };
    (strong, drawish::scale(position.chess().board(), strong))
}

#[cfg(test)]
mod tests {
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
        Evaluation::default().evaluate(&position(fen))
    }

    #[test]
    fn colours_are_treated_alike_and_memory_changes_nothing() {
        let mut rng = SplitMix64::new(11);
        let mut evaluation = Evaluation::default();
        for _ in 0..60 {
            let mut position = Position::initial();
            for _ in 0..150 {
                let expected = Evaluation::default().evaluate(&position);
                assert_eq!(
                    evaluation.evaluate(&position),
                    expected,
                    "{:?}",
                    position.chess()
                );
                assert_eq!(
                    evaluation.evaluate(&position.mirrored()),
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
