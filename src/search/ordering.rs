//! The order in which moves are tried: hash move, winning captures, killers, quiet moves by history, losing captures.

use shakmaty::{Position as _, Role};

use super::exchange::{man_value, wins_at_least};
use super::history::{Context, History};
use crate::chess::{Move, MoveKind, Position};

/// Entries of the capture history that weigh as much as an eighth of a centipawn of the victim.
const CAPTURE_HISTORY_PART: i32 = 8;

/// A move and how early to try it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    mv: Move,
    score: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PickerStage {
    Hash,
    GenerateNoisy,
    WinningNoisy,
    FirstKiller,
    SecondKiller,
    GenerateQuiet,
    Quiet,
    LosingNoisy,
    Done,
}

/// Returns the moves of one node, and generates them as late as possible. All pickers of a search share one list; each
/// owns the part after its start.
///
/// ```text
/// start ....... losing_end ....... next ....... end of noisy | quiet ...
///   losing, set aside | handed out  | to come
/// ```
pub(super) struct Picker {
    stage: PickerStage,
    hash: Option<Move>,
    killers: [Option<Move>; 2],
    pub(super) context: Context,
    with_quiet: bool,
    with_losing: bool,
    /// Of the quiet moves only those that give check and lose nothing.
    checks_only: bool,
    start: usize,
    losing_end: usize,
    next: usize,
}

impl Picker {
    /// All moves. `hash` may be a move of another position and is then ignored, and so may the `killers`.
    pub(super) fn all(
        list: &[ScoredMove],
        hash: Option<Move>,
        killers: [Option<Move>; 2],
        context: Context,
    ) -> Self {
        Self {
            stage: PickerStage::Hash,
            hash,
            killers,
            context,
            with_quiet: true,
            with_losing: true,
            checks_only: false,
            start: list.len(),
            losing_end: list.len(),
            next: list.len(),
        }
    }

    /// Captures and promotions that lose nothing.
    pub(super) fn winning_noisy(list: &[ScoredMove], hash: Option<Move>) -> Self {
        Self {
            with_quiet: false,
            with_losing: false,
            ..Self::all(list, hash, [None; 2], Context::default())
        }
    }

    /// The same, and quiet checks that lose nothing.
    pub(super) fn noisy_and_checks(list: &[ScoredMove], hash: Option<Move>) -> Self {
        Self {
            with_losing: false,
            checks_only: true,
            ..Self::all(list, hash, [None; 2], Context::default())
        }
    }

    /// Leaves out the quiet moves not yet handed out.
    pub(super) fn skip_quiet(&mut self) {
        self.with_quiet = false;
    }

    /// Gives the list back.
    pub(super) fn finish(&self, list: &mut Vec<ScoredMove>) {
        list.truncate(self.start);
    }

    /// The next move, or `None` after the last.
    pub(super) fn next(
        &mut self,
        position: &Position,
        history: &History,
        list: &mut Vec<ScoredMove>,
    ) -> Option<Move> {
        loop {
            match self.stage {
                PickerStage::Hash => {
                    self.stage = PickerStage::GenerateNoisy;
                    if self.checked_hash(position) {
                        return self.hash;
                    }
                }
                PickerStage::GenerateNoisy => {
                    position.noisy_moves(|mv| {
                        let score = noisy_score(position, mv, history);
                        list.push(ScoredMove { mv, score });
                    });
                    self.stage = PickerStage::WinningNoisy;
                }
                PickerStage::WinningNoisy => {
                    if let Some(mv) = self.next_winning(position, list) {
                        return Some(mv);
                    }
                    self.stage = PickerStage::FirstKiller;
                }
                PickerStage::FirstKiller | PickerStage::SecondKiller => {
                    let index = usize::from(self.stage == PickerStage::SecondKiller);
                    self.stage = [PickerStage::SecondKiller, PickerStage::GenerateQuiet][index];
                    if let Some(killer) = self.checked_killer(position, index) {
                        return Some(killer);
                    }
                }
                PickerStage::GenerateQuiet => {
                    if self.with_quiet {
                        self.generate_quiet(position, history, list);
                    }
                    self.stage = PickerStage::Quiet;
                }
                PickerStage::Quiet => {
                    while self.with_quiet
                        && let Some(mv) = self.next_unseen(list)
                    {
                        if !self.killers.contains(&Some(mv)) {
                            return Some(mv);
                        }
                    }
                    self.stage = PickerStage::LosingNoisy;
                    self.next = self.start;
                }
                PickerStage::LosingNoisy => {
                    if self.with_losing && self.next < self.losing_end {
                        self.next += 1;
                        return Some(list[self.next - 1].mv);
                    }
                    self.stage = PickerStage::Done;
                }
                PickerStage::Done => return None,
            }
        }
    }

    /// Keeps the hash move if it is legal here and wanted.
    fn checked_hash(&mut self, position: &Position) -> bool {
        self.hash = self.hash.filter(|&mv| {
            position.is_legal(mv)
                && ((self.with_quiet && !self.checks_only) || position.is_noisy(mv))
        });
        self.hash.is_some()
    }

    fn generate_quiet(&self, position: &Position, history: &History, list: &mut Vec<ScoredMove>) {
        if self.checks_only {
            let squares = position.check_squares();
            position.quiet_moves(|mv| {
                if position.gives_check_from(mv, &squares) && wins_at_least(position, mv, 0) {
                    list.push(ScoredMove { mv, score: 0 });
                }
            });
        } else {
            position.quiet_moves(|mv| {
                list.push(ScoredMove {
                    mv,
                    score: history.move_score(position, mv, &self.context),
                });
            });
        }
    }

    fn next_winning(&mut self, position: &Position, list: &mut [ScoredMove]) -> Option<Move> {
        while let Some(mv) = self.next_unseen(list) {
            let is_minor_promotion =
                matches!(mv.kind(), MoveKind::Promotion(role) if role != Role::Queen);
            if !is_minor_promotion && wins_at_least(position, mv, 0) {
                return Some(mv);
            }
            list.swap(self.losing_end, self.next - 1);
            self.losing_end += 1;
        }
        None
    }

    /// The best-scored of the moves to come, except the hash move.
    fn next_unseen(&mut self, list: &mut [ScoredMove]) -> Option<Move> {
        while self.next < list.len() {
            let rest = &mut list[self.next..];
            let (mut best, mut score) = (0, rest[0].score);
            for (at, scored) in rest.iter().enumerate() {
                if scored.score > score {
                    (best, score) = (at, scored.score);
                }
            }
            rest.swap(0, best);
            let mv = rest[0].mv;
            self.next += 1;
            if Some(mv) != self.hash {
                return Some(mv);
            }
        }
        None
    }

    /// Keeps a killer if it is a legal quiet move here and not the hash move, for it must not be handed out twice.
    fn checked_killer(&mut self, position: &Position, index: usize) -> Option<Move> {
        self.killers[index] = self.killers[index].filter(|&killer| {
            self.with_quiet
                && Some(killer) != self.hash
                && !position.is_noisy(killer)
                && position.is_legal(killer)
        });
        self.killers[index]
    }
}

/// Orders captures by most valuable victim and capture history, then by least valuable attacker; promotions by their
/// gain.
fn noisy_score(position: &Position, mv: Move, history: &History) -> i32 {
    let victim = position.captured(mv).map_or(0, man_value);
    let promoted = if let MoveKind::Promotion(role) = mv.kind() {
        man_value(role)
    } else {
        0
    };
    let attacker = position
        .chess()
        .board()
        .role_at(mv.origin())
        .map_or(0, |role| role as i32);
    8 * (victim + promoted) - attacker
        + history.capture_promise(position, mv) / CAPTURE_HISTORY_PART
}
