//! The hand-made evaluation: terms with weights for the middle game and the ending.

use shakmaty::{Color, Position as _};

use super::pawns::{self, PawnStructure, PawnTable};
use super::pieces::AttackMaps;
use super::tapered::Tapered;
use super::weights::Weights;
use super::{drawish, king, material, mating, threats};
use crate::chess::Position;

/// Weights and a memory of pawn structures. The memory saves time and changes no answer.
pub(super) struct Classical {
    weights: Box<Weights>,
    pawns: PawnTable,
}

impl Classical {
    pub(super) fn new() -> Self {
        Self {
            weights: Box::new(Weights::DEFAULT),
            pawns: PawnTable::new(),
        }
    }

    /// The static value of a position in centipawns, seen by the side to move.
    pub(super) fn evaluate(&mut self, position: &Position) -> i32 {
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
pub(super) fn linear<'a>(
    position: &'a Position,
    structure: &PawnStructure,
    weights: &Weights,
) -> (Tapered, AttackMaps<'a>) {
    let (board, turn) = (position.chess().board(), position.chess().turn());
    let mut survey = AttackMaps::new(board);
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
pub(super) fn dangers(
    position: &Position,
    survey: &AttackMaps<'_>,
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
pub(super) fn advantage(position: &Position, own: Tapered) -> (Color, i32) {
    let turn = position.chess().turn();
    let strong = if own.ending() > 0 { turn } else { !turn };
    (strong, drawish::scale(position.chess().board(), strong))
}
