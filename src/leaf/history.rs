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

/// Statistics of quiet moves: by squares alone, and by the move they answer.
pub(super) struct History {
    /// By side to move, origin, destination.
    butterfly: Vec<i16>,
    /// By the move before (a row) and the own move.
    answers: Vec<i16>,
}

impl History {
    const MAX: i32 = 8_192;

    pub(super) fn new() -> Self {
        Self {
            butterfly: vec![0; 2 * 64 * 64],
            answers: vec![0; PieceTo::COUNT * PieceTo::COUNT],
        }
    }

    pub(super) fn clear(&mut self) {
        self.butterfly.fill(0);
        self.answers.fill(0);
    }

    fn butterfly_index(color: Color, mv: Move) -> usize {
        (color as usize * 64 + mv.origin() as usize) * 64 + mv.destination() as usize
    }

    /// Promise of a quiet move, within ±2 * [`History::MAX`].
    pub(super) fn promise(&self, position: &Position, mv: Move, before: Option<PieceTo>) -> i32 {
        use shakmaty::Position as _;
        let own = i32::from(self.butterfly[Self::butterfly_index(position.chess().turn(), mv)]);
        let answer = before.map_or(0, |before| {
            let index = before.0 as usize * PieceTo::COUNT + PieceTo::of(position, mv).0 as usize;
            i32::from(self.answers[index])
        });
        own + answer
    }

    /// Rewards (`bonus > 0`) or blames a quiet move.
    pub(super) fn update(
        &mut self,
        position: &Position,
        mv: Move,
        before: Option<PieceTo>,
        bonus: i32,
    ) {
        use shakmaty::Position as _;
        let index = Self::butterfly_index(position.chess().turn(), mv);
        Self::approach(&mut self.butterfly[index], bonus);
        if let Some(before) = before {
            let index = before.0 as usize * PieceTo::COUNT + PieceTo::of(position, mv).0 as usize;
            Self::approach(&mut self.answers[index], bonus);
        }
    }

    /// Adds a bonus that shrinks near the ends, so that entries forget.
    fn approach(entry: &mut i16, bonus: i32) {
        let old = i32::from(*entry);
        *entry = (old + bonus - old * bonus.abs() / Self::MAX) as i16;
    }
}
