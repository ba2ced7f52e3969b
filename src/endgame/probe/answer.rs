//! The answer of tables for a position, whichever tables they are.

use shakmaty::Position as _;

use crate::chess::Position;
use crate::game::Score;

/// The result for the side to move, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TableOutcome {
    /// Lost against best play.
    Loss,
    /// Lost, unless 50 moves pass before: the tables do not tell.
    DoubtfulLoss,
    /// Drawn.
    Draw,
    /// Won, unless 50 moves pass before: the tables do not tell.
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

    /// Whether the side to move wins, or would without the 50-move rule.
    pub const fn is_winning(self) -> bool {
        matches!(self, Self::Win | Self::DoubtfulWin)
    }
}

/// How far the end is, in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// To mate.
    Mate(u16),
    /// To the next capture or pawn move of the winner, after which the result is the same.
    Zeroing(u16),
    /// Not known.
    Unknown,
}

/// A result and how far it is; both as the side to move sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableAnswer {
    /// The result.
    pub outcome: TableOutcome,
    /// Its distance; of no meaning in a draw.
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

    /// The score, where the result is beyond doubt.
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

    /// The answer for the move that leads to a position with this answer, seen by the side that makes it. A move that
    /// captures or moves a pawn (`is_zeroing`) has its own distance to that.
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

    /// Plies to whatever the distance speaks of; mate on the move comes before all captures.
    const fn plies(self) -> u16 {
        match self.distance {
            Distance::Mate(1) => 0,
            Distance::Mate(plies) | Distance::Zeroing(plies) => plies,
            Distance::Unknown => u16::MAX,
        }
    }

    /// Greater for what the side to move likes better: the result, then a near win or a far loss.
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

/// The answer of the rules, where no table is needed: mate, stalemate, nobody can mate, and under `counts_moves` a 50th
/// move without capture or pawn move.
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
