//! Quiescence search: plays out captures, promotions and check evasions until the position is quiet.

use shakmaty::{Position as _, Role};

use super::exchange::man_value;
use super::mobility::is_zugzwang_likely;
use super::ordering::Picker;
use super::scores::{INFINITE, MATE, from_table, is_decisive, is_lost, to_table};
use super::searcher::{LeafSearcher, PLY_MAX, Walk, is_draw};
use super::table::Entry;
use crate::chess::{Move, MoveKind, Position};
use crate::eval;
use crate::game::Bound;

/// A node of quiescence and its number of steps below the leaf.
struct QuiescenceNode {
    ply: usize,
    steps: usize,
    alpha: i32,
    beta: i32,
}

impl LeafSearcher {
    /// Fail-soft value; `steps` counts the plies of quiescence.
    pub(super) fn quiescence(
        &mut self,
        walk: &mut Walk<'_>,
        ply: usize,
        steps: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if self.is_unwinding() {
            return 0;
        }
        self.count(walk, ply);
        if self.is_unwinding() || is_draw(walk.line) {
            return 0;
        }
        if let Some(score) = self.tb_score(walk.line.position(), 0, ply) {
            return score;
        }
        let in_check = walk.line.position().is_check();
        if ply >= PLY_MAX || self.nodes >= self.node_cap.saturating_mul(2) {
            return self.static_value(walk.line.position(), ply);
        }
        let key = walk.line.position().key();
        let remembers = steps == 0 || self.params.quiescence_table;
        let stored = if remembers { self.probe(key) } else { None };
        if let Some(score) = stored.and_then(|entry| tt_cutoff(&entry, 0, ply, alpha, beta)) {
            return score;
        }
        let raw = (!in_check).then(|| self.board_value(walk.line.position(), stored, ply));
        let evaluation = raw.map(|raw| self.corrected(walk.line, raw));
        let stand_pat = evaluation.map_or(-INFINITE, |value| refine(value, stored, ply));
        let hash = stored.and_then(|entry| entry.best);
        let (best, best_move) = if stand_pat >= beta {
            (soften(beta, stand_pat), None)
        } else {
            self.frames[ply].evaluation = evaluation;
            let node = QuiescenceNode {
                ply,
                steps,
                alpha,
                beta,
            };
            self.try_noisy(walk, &node, stand_pat, hash)
        };
        if remembers && !self.is_unwinding() {
            let bound = Bound::of(best, alpha, beta);
            let was_pv = stored.is_some_and(|entry| entry.was_pv);
            self.store(key, best_move, best, raw, 0, ply, bound, was_pv);
        }
        best
    }

    /// Searches captures, promotions and early checks; in check everything.
    fn try_noisy(
        &mut self,
        walk: &mut Walk<'_>,
        node: &QuiescenceNode,
        stand_pat: i32,
        hash: Option<Move>,
    ) -> (i32, Option<Move>) {
        let &QuiescenceNode {
            ply,
            steps,
            alpha,
            beta,
        } = node;
        let in_check = stand_pat == -INFINITE;
        let with_checks = steps == 0 && self.params.quiescence_checks;
        let mut picker = if in_check {
            Picker::all(&self.list, hash, [None; 2], self.context(ply))
        } else if with_checks {
            Picker::noisy_and_checks(&self.list, hash)
        } else {
            Picker::winning_noisy(&self.list, hash)
        };
        let (mut best, mut best_move, mut floor) = (stand_pat, None, alpha.max(stand_pat));
        let mut tried = 0;
        // A side with hardly a piece may have one way out that draws among others that lose.
        let skips_evasions =
            in_check && self.params.delta_pruning && !is_zugzwang_likely(walk.line.position());
        while let Some(mv) = picker.next(walk.line.position(), &self.history, &mut self.list) {
            tried += 1;
            if !in_check && self.params.delta_pruning && !is_decisive(floor) {
                let position = walk.line.position();
                let reach = stand_pat + gain(position, mv) + self.params.delta_cp;
                if reach <= floor && leaves_major_piece(position, mv) && !position.gives_check(mv) {
                    best = best.max(reach);
                    continue;
                }
            }
            self.play(walk, mv, ply);
            let score = -self.quiescence(walk, ply + 1, steps + 1, -beta, -floor);
            crate::game::Game::undo(walk.line);
            if self.is_unwinding() {
                break;
            }
            if skips_evasions && !is_lost(score) {
                // With one way out found, only captures are still worth a look.
                picker.skip_quiet();
            }
            if score > best {
                best = score;
                if score > floor {
                    (floor, best_move) = (score, Some(mv));
                }
                if score >= beta {
                    break;
                }
            }
        }
        picker.finish(&mut self.list);
        if best >= beta {
            best = soften(beta, best);
        }
        if in_check && tried == 0 {
            (ply as i32 - MATE, None)
        } else {
            (best, best_move)
        }
    }

    /// The table's entry, if the table is in use.
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        if self.params.transposition_table {
            self.table.probe(key)
        } else {
            None
        }
    }

    /// Remembers the result of a node.
    #[allow(clippy::too_many_arguments, reason = "one field of the entry each")]
    pub(super) fn store(
        &self,
        key: u64,
        best: Option<Move>,
        score: i32,
        evaluation: Option<i32>,
        depth: i32,
        ply: usize,
        bound: Bound,
        was_pv: bool,
    ) {
        if !self.params.transposition_table {
            return;
        }
        let evaluation = evaluation.map_or(Entry::NO_EVALUATION, |value| value as i16);
        let entry = Entry {
            best,
            score: to_table(score, ply),
            evaluation,
            depth: depth as i8,
            bound,
            was_pv,
        };
        self.table.store(key, entry);
    }

    /// The static value.
    pub(super) fn static_value(&mut self, position: &Position, ply: usize) -> i32 {
        eval::under_count(self.evaluation.evaluate(position, ply), position)
    }

    /// Static evaluation, from the hash table if stored there. The table ignores the 50-move counter.
    pub(super) fn board_value(
        &mut self,
        position: &Position,
        stored: Option<Entry>,
        ply: usize,
    ) -> i32 {
        match stored {
            Some(entry) if entry.evaluation != Entry::NO_EVALUATION => i32::from(entry.evaluation),
            _ => self.evaluation.evaluate(position, ply),
        }
    }
}

/// A fail-high score moved halfway to beta: quiescence exaggerates.
fn soften(beta: i32, score: i32) -> i32 {
    if is_decisive(score) || is_decisive(beta) {
        score
    } else {
        i32::midpoint(score, beta)
    }
}

/// The material gain of a capture or promotion, without recapture.
fn gain(position: &Position, mv: Move) -> i32 {
    let promoted = match mv.kind() {
        MoveKind::Promotion(role) => man_value(role) - man_value(Role::Pawn),
        _ => 0,
    };
    position.captured(mv).map_or(0, man_value) + promoted
}

/// Whether the opponent has a rook or a queen left after a capture. Without them many endings are drawn whatever the
/// material, so a capture may be worth much more than the man it takes.
fn leaves_major_piece(position: &Position, mv: Move) -> bool {
    let board = position.chess().board();
    let theirs = board.by_color(!position.chess().turn()) & board.rooks_and_queens();
    theirs.without(mv.destination()).any()
}

/// The stored score if it was searched at least `depth` plies and decides the question.
pub(super) fn tt_cutoff(
    entry: &Entry,
    depth: i32,
    ply: usize,
    alpha: i32,
    beta: i32,
) -> Option<i32> {
    let score = from_table(entry.score, ply);
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    (decides && i32::from(entry.depth) >= depth).then_some(score)
}

/// A static value corrected by a stored bound, which is more reliable.
pub(super) fn refine(value: i32, stored: Option<Entry>, ply: usize) -> i32 {
    let Some(entry) = stored else { return value };
    let score = from_table(entry.score, ply);
    let is_better = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score > value,
        Bound::Upper => score < value,
    };
    if is_better && !is_decisive(score) {
        score
    } else {
        value
    }
}
