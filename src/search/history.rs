//! History of quiet moves: their earlier cutoffs.

use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering};

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

/// Distances in plies to the earlier moves of the continuation histories.
pub(super) const CONTINUED: [usize; 3] = [1, 2, 4];

/// The moves that led to a node, [`CONTINUED`] plies back, as far as they are known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Context(pub(super) [Option<PieceTo>; 3]);

/// Move statistics: quiet moves by squares and as continuations of earlier moves, captures by the captured man.
pub(super) struct History {
    /// By side to move, origin, destination; by an earlier move and the own move, for each of [`CONTINUED`]; by the
    /// own move and the captured man. Threads may share them.
    entries: Arc<[HistoryValue]>,
}

/// The history of one move. If two threads update it at once, one update may be lost, which is harmless.
#[derive(Default)]
struct HistoryValue(AtomicI16);

impl HistoryValue {
    fn get(&self) -> i16 {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self, known: i16) {
        self.0.store(known, Ordering::Relaxed);
    }

    /// Adds a bonus that shrinks near the ends, so that entries forget.
    fn approach(&self, bonus: i32) {
        let old = i32::from(self.get());
        self.set((old + bonus - old * bonus.abs() / History::MAX) as i16);
    }
}

impl History {
    /// Entries stay within plus and minus this.
    pub(super) const MAX: i32 = 16_384;
    const SQUARES: usize = 2 * 64 * 64;
    const CONTINUATIONS: usize = PieceTo::COUNT * PieceTo::COUNT;
    const CAPTURES: usize = Self::SQUARES + CONTINUED.len() * Self::CONTINUATIONS;
    /// Kinds of captured men, and none for promotions.
    const CAPTURED: usize = 7;
    const ENTRIES: usize = Self::CAPTURES + PieceTo::COUNT * Self::CAPTURED;

    pub(super) fn new() -> Self {
        Self {
            entries: (0..Self::ENTRIES)
                .map(|_| HistoryValue::default())
                .collect(),
        }
    }

    /// The same history, shared with another thread.
    pub(super) fn shared(&self) -> Self {
        Self {
            entries: Arc::clone(&self.entries),
        }
    }

    pub(super) fn clear(&mut self) {
        self.entries.iter().for_each(|entry| entry.set(0));
    }

    fn by_squares(color: Color, mv: Move) -> usize {
        (color as usize * 64 + mv.origin() as usize) * 64 + mv.destination() as usize
    }

    fn by_capture(position: &Position, mv: Move) -> usize {
        let captured = position.captured(mv).map_or(0, |role| role as usize);
        let own = PieceTo::of(position, mv).0 as usize;
        Self::CAPTURES + own * Self::CAPTURED + captured
    }

    /// The entries of a quiet move.
    fn of(position: &Position, mv: Move, context: Context) -> [Option<usize>; 4] {
        use shakmaty::Position as _;
        let own = PieceTo::of(position, mv).0 as usize;
        let continuation = |nth: usize| {
            let before = context.0[nth]?.0 as usize;
            let row = nth * PieceTo::COUNT + before;
            Some(Self::SQUARES + row * PieceTo::COUNT + own)
        };
        [
            Some(Self::by_squares(position.chess().turn(), mv)),
            continuation(0),
            continuation(1),
            continuation(2),
        ]
    }

    /// Score of a quiet move, within ±4 * [`History::MAX`].
    pub(super) fn move_score(&self, position: &Position, mv: Move, context: Context) -> i32 {
        let entries = Self::of(position, mv, context);
        let known = entries.into_iter().flatten();
        known
            .map(|entry| i32::from(self.entries[entry].get()))
            .sum()
    }

    /// Promise of a capture or promotion, within ± [`History::MAX`].
    pub(super) fn capture_promise(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.entries[Self::by_capture(position, mv)].get())
    }

    /// Rewards (`bonus > 0`) or penalizes a capture or promotion.
    pub(super) fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        self.entries[Self::by_capture(position, mv)].approach(bonus);
    }

    /// Rewards (`bonus > 0`) or penalizes a quiet move.
    pub(super) fn update(&mut self, position: &Position, mv: Move, context: Context, bonus: i32) {
        for entry in Self::of(position, mv, context).into_iter().flatten() {
            self.entries[entry].approach(bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::SplitMix64;

    fn known(history: &History) -> Vec<i16> {
        history.entries.iter().map(HistoryValue::get).collect()
    }

    /// Quiet moves of the initial position and what they are worth, at random.
    fn experience(history: &mut History, seed: u64, position: &Position) {
        let rng = &mut SplitMix64::new(seed);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for _ in 0..20 {
            let mv = moves[rng.below(moves.len() as u64) as usize];
            let before = Some(PieceTo::of(position, moves[rng.below(5) as usize]));
            let context = Context([before, None, None]);
            history.update(position, mv, context, rng.below(2_001) as i32 - 1_000);
        }
    }

    #[test]
    fn who_shares_a_history_knows_what_the_other_learns() {
        let position = Position::initial();
        let mut one = History::new();
        let mut other = one.shared();
        experience(&mut one, 1, &position);
        let learned = known(&other);
        assert!(learned.iter().any(|&entry| entry != 0));
        experience(&mut other, 2, &position);
        assert_ne!(known(&one), learned);
        other.clear();
        assert!(known(&one).iter().all(|&entry| entry == 0));
    }
}
