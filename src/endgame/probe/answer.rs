//! The answer of any tables for a position.

use shakmaty::Position as _;

use crate::chess::Position;
use crate::game::Score;

/// The result for the side to move, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TableOutcome {
    /// Lost against best play.
    Loss,
    /// Lost, unless the 50-move rule applies first; the tables cannot decide.
    DoubtfulLoss,
    /// Drawn.
    Draw,
    /// Won, unless the 50-move rule applies first; the tables cannot decide.
    DoubtfulWin,
    /// Won against best play.
    Win,
}

impl TableOutcome {
    /// The result for the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::DoubtfulLoss => Self::DoubtfulWin,
            Self::Draw => Self::Draw,
            Self::DoubtfulWin => Self::DoubtfulLoss,
            Self::Win => Self::Loss,
        }
    }

    /// Whether the side to move wins, or would win without the 50-move rule.
    pub const fn is_winning(self) -> bool {
        matches!(self, Self::Win | Self::DoubtfulWin)
    }
}

/// The distance to the end in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// Distance to mate (DTM).
    Mate(u16),
    /// Distance to the winner's next capture or pawn move that keeps the result (DTZ).
    Zeroing(u16),
    /// An unknown distance.
    Unknown,
}

/// A result and its distance, from the side to move's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableAnswer {
    /// The result.
    pub outcome: TableOutcome,
    /// The distance; meaningless in a draw.
    pub distance: Distance,
}

impl TableAnswer {
    /// A draw.
    pub const DRAW: Self = Self {
        outcome: TableOutcome::Draw,
        distance: Distance::Unknown,
    };
    /// The side to move is mated.
    pub const MATED: Self = Self {
        outcome: TableOutcome::Loss,
        distance: Distance::Mate(0),
    };

    /// Returns the score; `None` if the result is in doubt.
    pub fn score(self) -> Option<Score> {
        let won = match self.distance {
            Distance::Mate(plies) => Score::mate_in(plies),
            Distance::Zeroing(_) | Distance::Unknown => Score::tablebase_win_in(0),
        };
        match self.outcome {
            TableOutcome::Win => Some(won),
            TableOutcome::Draw => Some(Score::DRAW),
            TableOutcome::Loss => Some(-won),
            TableOutcome::DoubtfulLoss | TableOutcome::DoubtfulWin => None,
        }
    }

    /// Returns the answer for the move that leads to a position with this answer, from the mover's view. A capture
    /// or pawn move (`is_zeroing`) resets DTZ to 1.
    #[must_use]
    pub const fn before(self, is_zeroing: bool) -> Self {
        let distance = match self.distance {
            Distance::Mate(plies) => Distance::Mate(plies + 1),
            Distance::Zeroing(_) if is_zeroing => Distance::Zeroing(1),
            Distance::Zeroing(plies) => Distance::Zeroing(plies + 1),
            Distance::Unknown => Distance::Unknown,
        };
        Self {
            outcome: self.outcome.reversed(),
            distance,
        }
    }

    /// Returns the distance in plies; a mate in one counts as 0, before all captures.
    const fn plies(self) -> u16 {
        match self.distance {
            Distance::Mate(1) => 0,
            Distance::Mate(plies) | Distance::Zeroing(plies) => plies,
            Distance::Unknown => u16::MAX,
        }
    }

    /// Returns a sort key, greater for the better result, then for a nearer win or a farther loss.
    pub fn preference(self) -> (TableOutcome, i32) {
        let plies = i32::from(self.plies());
        let preference = match self.outcome {
            TableOutcome::Win | TableOutcome::DoubtfulWin => -plies,
            TableOutcome::Draw => 0,
            TableOutcome::Loss | TableOutcome::DoubtfulLoss => plies,
        };
        (self.outcome, preference)
    }
}

/// Returns the answer of the rules without tables: mate, stalemate, insufficient material, and under
/// `counts_moves` the 50-move rule.
pub fn by_rule(position: &Position, counts_moves: bool) -> Option<TableAnswer> {
    let chess = position.chess();
    if chess.legal_moves().is_empty() {
        return Some(if position.is_check() {
            TableAnswer::MATED
        } else {
            TableAnswer::DRAW
        });
    }
    let is_over = counts_moves && chess.halfmoves() >= 100 || position.is_insufficient_material();
    is_over.then_some(TableAnswer::DRAW)
}
