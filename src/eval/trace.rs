//! The contribution of each weight to the value of a position, for fitting the weights.

use shakmaty::Position as _;

use super::classical::{advantage, dangers, linear};
use super::king::{ENDING_DIVISOR, MIDDLEGAME_DIVISOR, UNITS_MAX};
use super::pawns::PawnStructure;
use super::{Danger, Tapered, Weights, drawish, king, material, mating, squares};
use crate::chess::Position;

/// The terms of a static evaluation, from the point of view of the side to move.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The weights that count, by their place in [`Weights::tables`], and how often.
    pub counts: Vec<(u16, i16)>,
    /// The attacks on the king of the side to move and on the other.
    pub attacks: [Option<Attack>; 2],
    /// The value of a centipawn of the middlegame and of the ending.
    pub shares: [f32; 2],
}

/// An attack on a king.
#[derive(Clone, Copy, Debug)]
pub struct Attack {
    /// Counts of each of the units ([`Danger::all`]).
    pub counts: [i8; Danger::COUNT],
    /// Units by which the pawn shelter lowers the danger.
    pub sheltered: i32,
}

impl Trace {
    /// Splits the value into its terms; `None` if it does not come from the weights alone: in drawn and elementary
    /// endings.
    pub fn of(position: &Position, weights: &Weights) -> Option<Self> {
        let board = position.chess().board();
        let structure = PawnStructure::of(board, weights);
        let (linear, survey) = linear(position, &structure, weights);
        let total = linear - dangers(position, &survey, &structure, weights);
        let (strong, scale) = advantage(position, total);
        if scale == 0 || mating::progress(board, strong).is_some() {
            return None;
        }
        let middlegame = material::phase(board) as f32 / material::PHASE_MAX as f32;
        let ending = (1.0 - middlegame) * scale as f32 / drawish::SCALE_MAX as f32;
        Some(Self {
            counts: counts(position),
            attacks: attacks(position, structure.shelter),
            shares: [middlegame, ending],
        })
    }
}

impl Attack {
    /// The cost with these units, and its increase with one unit more; in centipawns of middlegame and ending.
    pub fn cost(&self, units: &[f32]) -> [(f32, f32); 2] {
        let counted = self.counts.iter().zip(units);
        let sum: f32 = counted.map(|(&count, unit)| f32::from(count) * unit).sum();
        let (divisor, ending) = (MIDDLEGAME_DIVISOR as f32, ENDING_DIVISOR as f32);
        let all = sum - self.sheltered as f32;
        let range = 0.0..UNITS_MAX as f32;
        let units = all.clamp(range.start, range.end);
        let slope = if range.contains(&all) { 1.0 } else { 0.0 };
        [
            (units * units / divisor, slope * 2.0 * units / divisor),
            (units / ending, slope / ending),
        ]
    }
}

/// Counts of each weight: those of squares by looking at the board, the others by the linear part with two of
/// them alone, each in a phase of its own.
fn counts(position: &Position) -> Vec<(u16, i16)> {
    let (board, turn) = (position.chess().board(), position.chess().turn());
    let mut counts = Vec::new();
    for (square, man) in board {
        let place = squares::place(man.role, man.color, square);
        counts.push((place as u16, if man.color == turn { 1 } else { -1 }));
    }
    let mut alone = Weights::ZERO;
    for first in (alone.squares.len()..Weights::COUNT).step_by(2) {
        for (weight, unit) in alone
            .all()
            .skip(first)
            .zip([Tapered::new(1, 0), Tapered::new(0, 1)])
        {
            *weight = unit;
        }
        let (linear, _) = linear(position, &PawnStructure::of(board, &alone), &alone);
        for (at, count) in [(first, linear.middlegame()), (first + 1, linear.ending())] {
            if count != 0 {
                counts.push((at as u16, count as i16));
            }
        }
        for weight in alone.all().skip(first).take(2) {
            *weight = Tapered::ZERO;
        }
    }
    counts
}

/// Counts of each unit of danger, likewise one by one. `shelter`: of Black and White.
fn attacks(position: &Position, shelter: [i16; 2]) -> [Option<Attack>; 2] {
    let turn = position.chess().turn();
    [turn, !turn].map(|color| {
        let mut counts = [0; Danger::COUNT];
        for (at, count) in counts.iter_mut().enumerate() {
            let mut alone = Weights::ZERO;
            alone
                .danger
                .all()
                .skip(at)
                .take(1)
                .for_each(|unit| *unit = 1);
            let structure = PawnStructure::of(position.chess().board(), &alone);
            let (_, survey) = linear(position, &structure, &alone);
            *count = king::attack(&survey, color, &alone.danger)? as i8;
        }
        Some(Attack {
            counts,
            sheltered: king::sheltered(shelter[color as usize]),
        })
    })
}
