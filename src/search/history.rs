//! History of quiet moves: their earlier cutoffs.

use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering};

use shakmaty::{Bitboard, Color, Role};

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

/// The circumstances that select the history entries of a node's quiet moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    /// The moves that led to the node, [`CONTINUED`] plies back, where known.
    before: [Option<PieceTo>; 3],
    /// Squares attacked by the opponent, computed on demand.
    threatened: OnceCell<Bitboard>,
}

impl Context {
    pub(super) fn new(before: [Option<PieceTo>; 3]) -> Self {
        Self {
            before,
            threatened: OnceCell::new(),
        }
    }
}

/// The entries of one quiet move: by squares, then by each of [`CONTINUED`].
#[derive(Clone, Copy, Debug)]
pub(super) struct QuietEntries([Option<u32>; 4]);

/// Move statistics: quiet moves by squares and as continuations of earlier moves, captures by the captured man.
pub(super) struct History {
    /// By side to move, whether origin and destination are threatened, origin, destination; by an earlier move and the
    /// own move, for each of [`CONTINUED`]; by the own move and the captured man. Threads may share them.
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
    const SQUARES: usize = 2 * 4 * 64 * 64;
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

    fn by_squares(color: Color, mv: Move, threatened: Bitboard) -> usize {
        let (from, to) = (mv.origin(), mv.destination());
        let threats =
            2 * usize::from(threatened.contains(from)) + usize::from(threatened.contains(to));
        ((color as usize * 4 + threats) * 64 + from as usize) * 64 + to as usize
    }

    fn by_capture(position: &Position, mv: Move) -> usize {
        let captured = position.captured(mv).map_or(0, |role| role as usize);
        let own = PieceTo::of(position, mv).0 as usize;
        Self::CAPTURES + own * Self::CAPTURED + captured
    }

    /// The entries of a quiet move.
    pub(super) fn entries_of(position: &Position, mv: Move, context: &Context) -> QuietEntries {
        use shakmaty::Position as _;
        let own = PieceTo::of(position, mv).0 as usize;
        let continuation = |nth: usize| {
            let before = context.before[nth]?.0 as usize;
            let row = nth * PieceTo::COUNT + before;
            Some((Self::SQUARES + row * PieceTo::COUNT + own) as u32)
        };
        let threatened = context
            .threatened
            .get_or_init(|| position.attacked_by_opponent());
        let by_squares = Self::by_squares(position.chess().turn(), mv, *threatened);
        QuietEntries([
            Some(by_squares as u32),
            continuation(0),
            continuation(1),
            continuation(2),
        ])
    }

    /// Score of a quiet move, within ±4 * [`History::MAX`].
    pub(super) fn score(&self, entries: &QuietEntries) -> i32 {
        let known = entries.0.iter().flatten();
        known
            .map(|&entry| i32::from(self.entries[entry as usize].get()))
            .sum()
    }

    /// [`History::score`] of a move.
    pub(super) fn move_score(&self, position: &Position, mv: Move, context: &Context) -> i32 {
        self.score(&Self::entries_of(position, mv, context))
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
    pub(super) fn update(&mut self, entries: &QuietEntries, bonus: i32) {
        for &entry in entries.0.iter().flatten() {
            self.entries[entry as usize].approach(bonus);
        }
    }

    /// Rewards or penalizes it by its squares alone.
    pub(super) fn update_by_squares(&mut self, entries: &QuietEntries, bonus: i32) {
        if let Some(entry) = entries.0[0] {
            self.entries[entry as usize].approach(bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::{parse_fen, parse_uci_move};
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
            let context = Context::new([before, None, None]);
            let entries = History::entries_of(position, mv, &context);
            history.update(&entries, rng.below(2_001) as i32 - 1_000);
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

    #[test]
    fn a_move_out_of_an_attack_is_learned_apart() {
        let score = |history: &History, fen: &str| {
            let position = parse_fen(fen).unwrap();
            let mv = parse_uci_move(&position, "b1c3").unwrap();
            history.move_score(&position, mv, &Context::default())
        };
        let (quiet, attacked) = (
            "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1",
            "1r2k3/8/8/8/8/8/8/1N2K3 w - - 0 1",
        );
        let mut history = History::new();
        let position = parse_fen(attacked).unwrap();
        let mv = parse_uci_move(&position, "b1c3").unwrap();
        let entries = History::entries_of(&position, mv, &Context::default());
        history.update_by_squares(&entries, 500);
        assert_eq!(
            [score(&history, attacked), score(&history, quiet)],
            [500, 0]
        );
    }
}
