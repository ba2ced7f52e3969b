//! What earlier cutoffs tell about quiet moves.

use shakmaty::{Color, Role};

use crate::chess::{Move, Position};

/// A man of a colour and the square it goes to, as an index below [`PieceTo::COUNT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = 12 * 64;

    /// The man that `mv`, legal in `position`, moves, and where to.
    pub(super) fn of(position: &Position, mv: Move) -> Self {
        use shakmaty::Position as _;
        let role = position
            .chess()
            .board()
            .role_at(mv.origin())
            .map_or(0, |role: Role| role as u16 - 1);
        let color = if position.chess().turn() == Color::White {
            6
        } else {
            0
        };
        Self((role + color) * 64 + mv.destination() as u16)
    }
}

/// The moves that led to a node, as far as they are known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Context {
    /// The opponent's last move.
    pub(super) before: Option<PieceTo>,
    /// The own move before that.
    pub(super) own: Option<PieceTo>,
}

/// Statistics of quiet moves: by squares alone, by the move they answer, and by the own move they follow.
pub(super) struct History {
    /// By side to move, origin, destination.
    butterfly: Vec<i16>,
    /// By the move before (a row) and the own move.
    answers: Vec<i16>,
    /// By the own move two plies ago (a row) and the own move.
    follow_ups: Vec<i16>,
}

impl History {
    const MAX: i32 = 8_192;

    pub(super) fn new() -> Self {
        Self {
            butterfly: vec![0; 2 * 64 * 64],
            answers: vec![0; PieceTo::COUNT * PieceTo::COUNT],
            follow_ups: vec![0; PieceTo::COUNT * PieceTo::COUNT],
        }
    }

    pub(super) fn clear(&mut self) {
        self.butterfly.fill(0);
        self.answers.fill(0);
        self.follow_ups.fill(0);
    }

    fn butterfly_index(color: Color, mv: Move) -> usize {
        (color as usize * 64 + mv.origin() as usize) * 64 + mv.destination() as usize
    }

    fn row_index(row: PieceTo, own: PieceTo) -> usize {
        row.0 as usize * PieceTo::COUNT + own.0 as usize
    }

    /// Promise of a quiet move, within ±3 * [`History::MAX`].
    pub(super) fn promise(&self, position: &Position, mv: Move, context: Context) -> i32 {
        use shakmaty::Position as _;
        let squares = self.butterfly[Self::butterfly_index(position.chess().turn(), mv)];
        let own = PieceTo::of(position, mv);
        let by = |table: &[i16], row: Option<PieceTo>| {
            row.map_or(0, |row| i32::from(table[Self::row_index(row, own)]))
        };
        i32::from(squares) + by(&self.answers, context.before) + by(&self.follow_ups, context.own)
    }

    /// Rewards (`bonus > 0`) or blames a quiet move.
    pub(super) fn update(&mut self, position: &Position, mv: Move, context: Context, bonus: i32) {
        use shakmaty::Position as _;
        let index = Self::butterfly_index(position.chess().turn(), mv);
        Self::approach(&mut self.butterfly[index], bonus);
        let own = PieceTo::of(position, mv);
        if let Some(row) = context.before {
            Self::approach(&mut self.answers[Self::row_index(row, own)], bonus);
        }
        if let Some(row) = context.own {
            Self::approach(&mut self.follow_ups[Self::row_index(row, own)], bonus);
        }
    }

    /// Adds a bonus that shrinks near the ends, so that entries forget.
    fn approach(entry: &mut i16, bonus: i32) {
        let old = i32::from(*entry);
        *entry = (old + bonus - old * bonus.abs() / Self::MAX) as i16;
    }
}
