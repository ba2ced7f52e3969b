//! Alpha-beta with null windows (PVS), fail-soft, its techniques each behind a switch.

use std::collections::VecDeque;

use shakmaty::Position as _;

use super::node::{Knowledge, Node, Outcome};
use super::ordering::Picker;
use super::quiescence::{refine, usable};
use super::scores::{INFINITE, MATE, is_lost};
use super::searcher::{LeafSearcher, PLY_MAX, Walk, is_draw};
use super::table::Entry;
use crate::chess::{Line, Move};
use crate::eval::under_count;
use crate::game::Game;

impl LeafSearcher {
    /// Score and nodes of one question about the current position; it ends by itself.
    pub(super) fn value(
        &mut self,
        line: &mut Line,
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> (i32, u64) {
        self.begin(self.params.node_cap as u64);
        if self.history.learns_with_others() {
            // They are of the last question, which others were not asked.
            self.frames[0].killers = [None; 2];
        }
        let mut walk = Walk {
            line,
            proceed: &mut |_| true,
        };
        let score = self.alpha_beta(&mut walk, Node::root(depth, alpha, beta));
        (score, self.nodes)
    }

    /// Fail-soft value of the current position, towards the window.
    pub(super) fn search_node(&mut self, walk: &mut Walk<'_>, mut node: Node) -> i32 {
        let in_check = walk.line.position().is_check();
        node.depth += i32::from(in_check && self.params.check_extension);
        if node.depth <= 0 || self.nodes >= self.node_cap {
            self.frames[node.ply].pv.clear();
            return self.quiescence(walk, node.ply, 0, node.alpha, node.beta);
        }
        self.count(walk, node.ply);
        if let Some(score) = self.settled(walk.line, &mut node) {
            return score;
        }
        let key = walk.line.key();
        let stored = self.probe(key);
        if !node.is_pv()
            && node.excluded.is_none()
            && let Some(score) =
                stored.and_then(|entry| usable(&entry, node.depth, node.ply, node.alpha, node.beta))
        {
            return score;
        }
        let known = self.look(walk.line, &node, in_check, stored);
        if node.excluded.is_none() {
            if let Some(score) = self.prune(walk, &node, &known) {
                return score;
            }
            node.depth -= self.fail_high_reduction(walk.line, &node, &known);
        }
        let outcome = self.try_moves(walk, &node, &known);
        if !self.is_stopped && node.excluded.is_none() {
            let window = (node.alpha, node.beta);
            self.store(
                key,
                outcome.best_move,
                outcome.best,
                known.worth,
                node.depth,
                node.ply,
                window,
            );
            self.tell_found(&node, key);
        }
        outcome.best
    }

    /// Ends that need no search: told to stop, draws, proven scores, no room to be better than a mate already found.
    pub(super) fn settled(&mut self, line: &Line, node: &mut Node) -> Option<i32> {
        self.frames[node.ply].pv.clear();
        if self.is_stopped || is_draw(line) {
            return Some(0);
        }
        let proven = self.proven(line.position(), node.depth, node.ply);
        if proven.is_some() {
            return proven;
        }
        if node.ply >= PLY_MAX {
            return Some(self.static_value(line.position(), node.ply));
        }
        let ply = node.ply as i32;
        node.alpha = node.alpha.max(ply - MATE);
        node.beta = node.beta.min(MATE - ply - 1);
        (node.alpha >= node.beta).then_some(node.alpha)
    }

    /// What is known of a node before any move is tried.
    pub(super) fn look(
        &mut self,
        line: &Line,
        node: &Node,
        in_check: bool,
        stored: Option<Entry>,
    ) -> Knowledge {
        let worth = (!in_check).then(|| self.board_value(line.position(), stored, node.ply));
        let evaluation = worth.map(|value| under_count(value, line.position()));
        let before = node
            .ply
            .checked_sub(2)
            .and_then(|ply| self.frames[ply].evaluation);
        self.frames[node.ply].evaluation = evaluation;
        self.frames[node.ply + 1].killers = [None; 2];
        Knowledge {
            in_check,
            stored,
            worth,
            evaluation,
            estimate: evaluation.map_or(-INFINITE, |value| refine(value, stored, node.ply)),
            is_improving: evaluation.is_some_and(|now| before.is_none_or(|before| now > before)),
        }
    }

    /// The moves of a node, the most promising first, until one is good enough or none is left. `floor` is what the mover is
    /// sure of; the score may lie below it (fail-soft).
    ///
    /// Where others search the same tree, a move under way elsewhere is put off to the end, and this node may be answered by
    /// another searcher before that ([`LeafSearcher::next_candidate`], [`LeafSearcher::answered_by_others`]).
    pub(super) fn try_moves(
        &mut self,
        walk: &mut Walk<'_>,
        node: &Node,
        known: &Knowledge,
    ) -> Outcome {
        let ply = node.ply;
        let hash = known.stored.and_then(|entry| entry.best);
        let context = self.context(ply);
        let mut picker = Picker::all(&self.list, hash, self.frames[ply].killers, context);
        let mut outcome = Outcome {
            best: -INFINITE,
            best_move: None,
        };
        let mut floor = node.alpha;
        let mut order = Order::default();
        let mut quiets = Quiets::default();
        while let Some((candidate, mark)) = self.next_candidate(
            walk,
            node,
            known,
            (&mut picker, &mut order),
            (floor, outcome.best),
        ) {
            let (mv, is_quiet, count) = candidate;
            if let Some(mark) = mark {
                // Asked anew before each move but the first: while one was searched, others may have finished the node.
                if count > 1
                    && let Some(score) = self.answered_by_others(walk, node)
                {
                    outcome.best = score;
                    break;
                }
                self.enter(node, mark);
            }
            let score = self.try_move(walk, node, known, candidate, floor);
            if let Some(mark) = mark {
                self.leave(node, mark);
            }
            if self.is_stopped {
                break;
            }
            if score > outcome.best {
                outcome.best = score;
                if score > floor {
                    (floor, outcome.best_move) = (score, Some(mv));
                    self.note_pv(node, mv);
                }
                if score >= node.beta {
                    self.reward(walk.line, node, (mv, is_quiet), &quiets);
                    break;
                }
            }
            if is_quiet {
                quiets.push(mv);
            }
        }
        picker.finish(&mut self.list);
        if order.count == 0 {
            outcome.best = without_moves(node, known);
        }
        outcome
    }

    /// The next move worth trying and its mark. None is left out as long as all before it lose: that there is no way out
    /// is said of all moves. A move that another searcher is at comes after all others.
    fn next_candidate(
        &mut self,
        walk: &Walk<'_>,
        node: &Node,
        known: &Knowledge,
        (picker, order): (&mut Picker, &mut Order),
        (floor, best): (i32, i32),
    ) -> Option<(Candidate, Option<u64>)> {
        while let Some(mv) = picker.next(walk.line.position(), &self.history, &mut self.list) {
            if Some(mv) == node.excluded {
                continue;
            }
            order.count += 1;
            let is_quiet = !walk.line.position().is_noisy(mv);
            let candidate = (mv, is_quiet, order.count);
            let is_first = order.count == 1;
            if !is_first
                && !is_lost(best)
                && self.is_hopeless(walk.line, node, known, picker, candidate, floor)
            {
                continue;
            }
            let mark = self.mark(walk, node, mv);
            if is_first || !mark.is_some_and(|mark| self.is_taken(mark)) {
                return Some((candidate, mark));
            }
            order.put_off.push_back((candidate, mark));
        }
        order.put_off.pop_front()
    }

    /// Plays one move and asks what it is worth: late moves first less deep, all but the first by a null window.
    fn try_move(
        &mut self,
        walk: &mut Walk<'_>,
        node: &Node,
        known: &Knowledge,
        (mv, is_quiet, count): (Move, bool, i32),
        floor: i32,
    ) -> i32 {
        let depth = node.depth - 1 + self.extension(walk.line, node, mv);
        let late = self.late_move_reduction(walk.line, node, known, (mv, is_quiet, count));
        self.play(walk, mv, node.ply);
        let mut score = -INFINITE;
        let is_first = count == 1;
        if late > 0 && !is_first {
            let reduced = (depth - late).max(0);
            score = -self.alpha_beta(walk, node.child(reduced, floor, floor + 1, true));
        }
        if !is_first && (late == 0 || score > floor) {
            score = -self.alpha_beta(walk, node.child(depth, floor, floor + 1, !node.is_cut));
        }
        if is_first || (node.is_pv() && score > floor && score < node.beta) {
            let is_cut = !node.is_pv() && !node.is_cut;
            score = -self.alpha_beta(walk, node.child(depth, floor, node.beta, is_cut));
        }
        walk.line.undo();
        score
    }

    /// Notes what the nodes below want to know of the node at `ply`.
    pub(super) fn look_at_path(&mut self, line: &Line, ply: usize) {
        let in_check = line.position().is_check();
        self.frames[ply].evaluation = if in_check {
            None
        } else {
            Some(self.static_value(line.position(), ply))
        };
    }

    /// Value of the root's move number `count`.
    pub(super) fn try_root(
        &mut self,
        walk: &mut Walk<'_>,
        node: &Node,
        mv: Move,
        count: i32,
        floor: i32,
    ) -> i32 {
        let known = Knowledge {
            in_check: walk.line.position().is_check(),
            stored: None,
            worth: None,
            evaluation: self.frames[0].evaluation,
            estimate: self.frames[0].evaluation.unwrap_or(-INFINITE),
            is_improving: true,
        };
        let is_quiet = !walk.line.position().is_noisy(mv);
        self.try_move(walk, node, &known, (mv, is_quiet, count), floor)
    }

    fn note_pv(&mut self, node: &Node, mv: Move) {
        if node.is_pv() {
            let (upper, lower) = self.frames.split_at_mut(node.ply + 1);
            let pv = &mut upper[node.ply].pv;
            pv.clear();
            pv.push(mv);
            pv.extend_from_slice(&lower[0].pv);
        }
    }

    /// Remembers the quiet move that cut off, and blames the ones tried before it.
    fn reward(&mut self, line: &Line, node: &Node, (mv, is_quiet): (Move, bool), quiets: &Quiets) {
        if !self.params.history || !is_quiet {
            return;
        }
        let killers = &mut self.frames[node.ply].killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let context = self.context(node.ply);
        let bonus = (16 * node.depth * node.depth + 32 * node.depth).min(1_200);
        self.history.update(line.position(), mv, context, bonus);
        for &other in quiets.tried() {
            self.history.update(line.position(), other, context, -bonus);
        }
    }

    /// Recaptures on the principal variation, which otherwise end beyond the horizon.
    fn extension(&self, line: &Line, node: &Node, mv: Move) -> i32 {
        let recaptures = || {
            line.last_move()
                .is_some_and(|last| last.destination() == mv.destination())
                && line
                    .position()
                    .chess()
                    .board()
                    .occupied()
                    .contains(mv.destination())
        };
        i32::from(self.params.recapture_extension && node.is_pv() && node.ply > 0 && recaptures())
    }
}

/// What a node is worth where no move was tried: mate or stalemate, unless there was one that is not to be looked at.
fn without_moves(node: &Node, known: &Knowledge) -> i32 {
    if node.excluded.is_some() {
        node.alpha
    } else if known.in_check {
        node.ply as i32 - MATE
    } else {
        0
    }
}

/// A move, whether it is quiet, and its number among those of the node, from 1.
type Candidate = (Move, bool, i32);

/// In which order a node's moves have come.
#[derive(Default)]
struct Order {
    count: i32,
    /// Moves that other searchers were at when their turn came.
    put_off: VecDeque<(Candidate, Option<u64>)>,
}

/// The quiet moves tried at a node, the first ones at least.
#[derive(Default)]
struct Quiets {
    moves: [Option<Move>; 24],
    count: usize,
}

impl Quiets {
    fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.count) {
            *slot = Some(mv);
            self.count += 1;
        }
    }

    fn tried(&self) -> impl Iterator<Item = &Move> {
        self.moves[..self.count].iter().flatten()
    }
}
