//! Alpha-beta of small depth, fail-soft.

use shakmaty::{Position as _, Role};

use super::table::{Bound, Entry, LeafTable};
use super::{LeafParams, TableError};
use crate::chess::{Line, Move, MoveKind, Position};
use crate::game::{Game, Score};

pub(super) const MATE: i32 = Score::MAX.raw() as i32;
pub(super) const INFINITE: i32 = MATE + 1;
const DECISIVE: i32 = Score::CENTIPAWNS_MAX.raw() as i32;
const PLY_MAX: i32 = 64;

/// One search at a time, its table and statistics. Scores are those of [`Score::raw`], distances counted from the root
/// of the search; the table holds them counted from the node.
pub(super) struct Searcher {
    pub(super) params: LeafParams,
    pub(super) table: LeafTable,
    history: Box<[[i32; 64]; 64]>,
    pub(super) nodes: u64,
}

impl Searcher {
    pub(super) fn new(params: LeafParams, mebibytes: usize) -> Result<Self, TableError> {
        let table = LeafTable::new(mebibytes)?;
        Ok(Self {
            params,
            table,
            history: Box::new([[0; 64]; 64]),
            nodes: 0,
        })
    }

    pub(super) fn clear(&mut self) {
        self.table.clear();
        *self.history = [[0; 64]; 64];
    }

    /// Score and nodes of a search from the current position.
    pub(super) fn search(
        &mut self,
        line: &mut Line,
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> (i32, u64) {
        self.nodes = 0;
        let score = self.alpha_beta(line, depth, 0, alpha, beta, false);
        (score, self.nodes)
    }

    /// Quiescence score of the current position with an open window.
    pub(super) fn quiesce(&mut self, line: &mut Line) -> i32 {
        self.nodes = 0;
        self.quiescence(line, 0, -INFINITE, INFINITE)
    }

    fn alpha_beta(
        &mut self,
        line: &mut Line,
        depth: i32,
        ply: i32,
        alpha: i32,
        beta: i32,
        passed: bool,
    ) -> i32 {
        let in_check = line.position().is_check();
        let depth = depth + i32::from(in_check && self.params.check_extension && ply < PLY_MAX / 2);
        if depth <= 0 || self.nodes >= self.params.node_cap as u64 || ply >= PLY_MAX {
            return self.quiescence(line, ply, alpha, beta);
        }
        self.nodes += 1;
        if let Some(score) = line.end_score() {
            return if score == Score::MATED { ply - MATE } else { 0 };
        }
        let key = line.key();
        let stored = self.table.probe(key);
        if let Some(score) = stored
            .and_then(|entry| usable(&entry, depth, ply, alpha, beta))
            .filter(|_| ply > 0)
        {
            return score;
        }
        if self.null_move_refutes(line, depth, ply, beta, passed) {
            return beta;
        }
        let moves = self.ordered_moves(line, stored.and_then(|entry| entry.best), |_| true);
        let (mut best, mut best_move, mut floor) = (-INFINITE, None, alpha);
        for mv in moves {
            line.play(mv);
            let score = -self.alpha_beta(line, depth - 1, ply + 1, -beta, -floor, false);
            line.undo();
            if score > best {
                (best, best_move) = (score, (score > alpha).then_some(mv));
                floor = floor.max(score);
            }
            if floor >= beta {
                if !is_noisy(line.position(), mv) {
                    self.history[mv.origin() as usize][mv.destination() as usize] += depth * depth;
                }
                break;
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            best: best_move,
            score: to_table(best, ply),
            evaluation: Entry::NO_EVALUATION,
            depth: depth as i8,
            bound,
        };
        self.table.store(key, entry, 0);
        best
    }

    fn null_move_refutes(
        &mut self,
        line: &mut Line,
        depth: i32,
        ply: i32,
        beta: i32,
        passed: bool,
    ) -> bool {
        if !self.params.null_move || passed || ply == 0 || beta.abs() >= DECISIVE {
            return false;
        }
        if crate::eval::evaluate(line.position()) < beta || !line.pass() {
            return false;
        }
        let score = -self.alpha_beta(line, depth - 3, ply + 1, -beta, 1 - beta, true);
        line.undo();
        score >= beta
    }

    /// The legal moves that `keep` accepts, best first.
    pub(super) fn ordered_moves(
        &self,
        line: &Line,
        hash: Option<Move>,
        keep: impl Fn(Move) -> bool,
    ) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        line.legal_moves(&mut moves);
        moves.retain(|&mv| keep(mv));
        moves.sort_by_cached_key(|&mv| {
            -if Some(mv) == hash {
                i32::MAX
            } else {
                self.move_worth(line.position(), mv)
            }
        });
        moves
    }

    /// How early to try a move: captures by victim and attacker, then history.
    pub(super) fn move_worth(&self, position: &Position, mv: Move) -> i32 {
        let chess_move = position.unpack(mv);
        let history = self.history[mv.origin() as usize][mv.destination() as usize].min(900_000);
        match (chess_move.capture(), mv.kind()) {
            (_, MoveKind::Promotion(Role::Queen)) => 2_000_000,
            (Some(victim), _) => 1_000_000 + 1_000 * victim as i32 - chess_move.role() as i32,
            _ => history,
        }
    }
}

/// Captures and promotions.
pub(super) fn is_noisy(position: &Position, mv: Move) -> bool {
    let is_capture = mv.kind() != MoveKind::Castle
        && position
            .chess()
            .board()
            .occupied()
            .contains(mv.destination());
    is_capture || matches!(mv.kind(), MoveKind::Promotion(_) | MoveKind::EnPassant)
}

/// The stored score if it decides the question.
fn usable(entry: &Entry, depth: i32, ply: i32, alpha: i32, beta: i32) -> Option<i32> {
    let score = from_table(entry.score, ply);
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    (decides && i32::from(entry.depth) >= depth).then_some(score)
}

/// Counts the distance of a decisive score from the node instead of the root of the search.
fn to_table(score: i32, ply: i32) -> i16 {
    let score = if score > DECISIVE {
        score + ply
    } else if score < -DECISIVE {
        score - ply
    } else {
        score
    };
    score.clamp(-MATE, MATE) as i16
}

/// Inverse of [`to_table`].
fn from_table(score: i16, ply: i32) -> i32 {
    let score = i32::from(score);
    if score > DECISIVE {
        score - ply
    } else if score < -DECISIVE {
        score + ply
    } else {
        score
    }
}
