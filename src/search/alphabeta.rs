//! Fail-soft principal variation search; each technique has a switch.

use shakmaty::Position as _;

use super::history::{Context, History};
use super::move_loop::{Candidate, MoveLoop, Tried};
use super::node::{MoveLoopResult, Node, NodeInfo};
use super::ordering::Picker;
use super::quiescence::{refine, tt_cutoff};
use super::scores::{INFINITE, MATE, is_decisive, is_lost};
use super::searcher::{LeafSearcher, PLY_MAX, Walk, is_draw};
use super::strategies::Strategies;
use super::table::Entry;
use crate::chess::{Line, Move};
use crate::game::{Bound, Game};

/// A late move on the principal variation this close to the best score is reduced by a ply, in centipawns.
const SHALLOWER: i32 = 8;
/// Depths at which moves are reduced by a ply after an earlier move has raised alpha.
const ALPHA_RAISED_DEPTHS: std::ops::Range<i32> = 4..13;

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
        let mut walk = Walk {
            line,
            proceed: &mut |_| true,
        };
        let score = self.alpha_beta(&mut walk, Node::root(depth, alpha, beta));
        (score, self.nodes)
    }

    /// Fail-soft value of the current position, towards the window.
    pub(super) fn search_node(&mut self, walk: &mut Walk<'_>, mut node: Node) -> i32 {
        if self.is_unwinding() {
            return 0;
        }
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
            && let Some(score) = stored
                .and_then(|entry| tt_cutoff(&entry, node.depth, node.ply, node.alpha, node.beta))
        {
            return score;
        }
        let mut known = self.evaluate_node(walk.line, &node, in_check, stored);
        if node.excluded.is_none() {
            self.judge_last_move(&node, &known);
            node.depth += self.hindsight(&node, &known);
            if let Some(score) = self.prune(walk, &node, &known) {
                return score;
            }
            node.depth -= self.fail_high_reduction(walk.line, &node, &known);
            node.depth -= self.internal_reduction(&node, &known);
            match self.count_strategies(walk, &node, &known) {
                Strategies::Two(score) => return score,
                Strategies::One(extension) => known.extension = extension,
                Strategies::Several => known.extension = -1,
                Strategies::Unknown => {}
            }
        }
        let outcome = self.try_moves(walk, &node, &known);
        if !self.is_unwinding() && node.excluded.is_none() {
            let bound = Bound::of(outcome.best, node.alpha, node.beta);
            if bound == Bound::Upper {
                self.reward_last_move(&node);
            }
            self.correct(walk.line, &node, &known, &outcome, bound);
            self.store(
                key,
                outcome.best_move,
                outcome.best,
                known.raw_evaluation,
                node.depth,
                node.ply,
                bound,
                known.was_pv,
            );
            self.publish_found(&node, key);
        }
        outcome.best
    }

    /// Results without a search: stop, draws, proven scores, and mate-distance pruning.
    pub(super) fn settled(&mut self, line: &Line, node: &mut Node) -> Option<i32> {
        self.frames[node.ply].pv.clear();
        if self.is_unwinding() || is_draw(line) {
            return Some(0);
        }
        let tb_score = self.tb_score(line.position(), node.depth, node.ply);
        if tb_score.is_some() {
            return tb_score;
        }
        if node.ply >= PLY_MAX {
            return Some(self.static_value(line.position(), node.ply));
        }
        let ply = node.ply as i32;
        node.alpha = node.alpha.max(ply - MATE);
        node.beta = node.beta.min(MATE - ply - 1);
        (node.alpha >= node.beta).then_some(node.alpha)
    }

    /// The facts about a node before any move is tried.
    pub(super) fn evaluate_node(
        &mut self,
        line: &Line,
        node: &Node,
        in_check: bool,
        stored: Option<Entry>,
    ) -> NodeInfo {
        let raw_evaluation =
            (!in_check).then(|| self.board_value(line.position(), stored, node.ply));
        let evaluation = raw_evaluation.map(|raw| self.corrected(line, raw));
        let before = node
            .ply
            .checked_sub(2)
            .and_then(|ply| self.frames[ply].evaluation);
        self.frames[node.ply].evaluation = evaluation;
        self.frames[node.ply + 1].killers = [None; 2];
        self.frames[node.ply + 2].cutoffs = 0;
        NodeInfo {
            stored,
            raw_evaluation,
            evaluation,
            refined_eval: evaluation.map_or(-INFINITE, |value| refine(value, stored, node.ply)),
            was_pv: node.is_pv() || stored.is_some_and(|entry| entry.was_pv),
            is_improving: evaluation.is_some_and(|now| before.is_none_or(|before| now > before)),
            is_stored_noisy: stored
                .and_then(|entry| entry.best)
                .is_some_and(|mv| line.position().is_noisy(mv)),
            extension: 0,
        }
    }

    /// Searches the moves of a node, the most promising first, until one fails high or none is left. The score may lie
    /// outside the window (fail-soft).
    ///
    /// If others search the same tree, a move in progress elsewhere is deferred to the end. Another searcher may answer
    /// this node before that ([`LeafSearcher::next_candidate`], [`LeafSearcher::answered_by_others`]).
    pub(super) fn try_moves(
        &mut self,
        walk: &mut Walk<'_>,
        node: &Node,
        known: &NodeInfo,
    ) -> MoveLoopResult {
        let context = self.context(node.ply);
        let killers = self.frames[node.ply].killers;
        let picker = Picker::all(&self.list, known.stored_move(), killers, context);
        let mut moves = MoveLoop::new(node, known, picker);
        let mut outcome = MoveLoopResult {
            best: -INFINITE,
            best_move: None,
        };
        // The score that the mover is sure of.
        let mut floor = node.alpha;
        let (mut quiets, mut noisy) = (Tried::default(), Tried::default());
        while let Some(candidate) = self.next_candidate(walk, &mut moves, floor, outcome.best) {
            if let Some(busy_key) = candidate.busy_key {
                // Asked anew before each move but the first: while one was searched, others may have finished the node.
                if candidate.number > 1
                    && let Some(score) = self.answered_by_others(walk, node)
                {
                    outcome.best = score;
                    break;
                }
                self.begin_move(node, busy_key);
            }
            let is_raised = node.is_pv() && outcome.best_move.is_some();
            let score = self.try_move(walk, node, known, &candidate, floor, is_raised);
            if let Some(busy_key) = candidate.busy_key {
                self.end_move(node, busy_key);
            }
            if self.is_unwinding() {
                break;
            }
            if score > outcome.best {
                outcome.best = score;
                if score > floor {
                    (floor, outcome.best_move) = (score, Some(candidate.mv));
                    self.note_pv(node, candidate.mv);
                }
                if score >= node.beta {
                    self.frames[node.ply].cutoffs += 1;
                    self.update_history(
                        walk.line,
                        node,
                        &moves.picker.context,
                        &candidate,
                        &quiets,
                        &noisy,
                    );
                    break;
                }
            }
            let tried = if candidate.is_quiet {
                &mut quiets
            } else {
                &mut noisy
            };
            tried.push(candidate.mv);
        }
        moves.picker.finish(&mut self.list);
        if moves.number == 0 {
            outcome.best = without_moves(node, known);
        }
        outcome
    }

    /// The next move to search. No move is pruned while all earlier moves lose, because a loss must be proved for all
    /// moves. A move in progress elsewhere comes last.
    fn next_candidate(
        &mut self,
        walk: &Walk<'_>,
        moves: &mut MoveLoop<'_>,
        floor: i32,
        best: i32,
    ) -> Option<Candidate> {
        let position = walk.line.position();
        while let Some(mv) = moves.picker.next(position, &self.history, &mut self.list) {
            if Some(mv) == moves.node.excluded {
                continue;
            }
            moves.number += 1;
            let is_quiet = !position.is_noisy(mv);
            let entries =
                is_quiet.then(|| History::entries_of(position, mv, &moves.picker.context));
            let candidate = Candidate {
                mv,
                is_quiet,
                entries,
                number: moves.number,
                gives_check: moves.gives_check(position, mv),
                history: entries.map_or_else(
                    || self.history.capture_promise(position, mv),
                    |entries| self.history.score(&entries),
                ),
                busy_key: self.busy_key(walk, moves.node, mv),
            };
            let is_first = candidate.number == 1;
            if !is_first && !is_lost(best) && self.is_hopeless(position, moves, &candidate, floor) {
                continue;
            }
            if is_first
                || !candidate
                    .busy_key
                    .is_some_and(|busy_key| self.is_busy(busy_key))
            {
                return Some(candidate);
            }
            moves.deferred.push_back(candidate);
        }
        moves.deferred.pop_front()
    }

    /// Plays one move and searches it: late moves at reduced depth first, all but the first with a null window. The
    /// side to move already has `floor`, by another move of this node if `is_raised`.
    fn try_move(
        &mut self,
        walk: &mut Walk<'_>,
        node: &Node,
        known: &NodeInfo,
        candidate: &Candidate,
        floor: i32,
        is_raised: bool,
    ) -> i32 {
        let extension = self.extension(walk.line, node, known, candidate.mv);
        let mut depth = node.depth - 1 + extension;
        if is_raised && ALPHA_RAISED_DEPTHS.contains(&node.depth) && !is_decisive(floor) {
            depth -= i32::from(self.params.late_move_reduction);
        }
        let reduction = self.reduction(node, known, candidate);
        self.frames[node.ply + 1].extensions =
            self.frames[node.ply].extensions + (extension - 1).max(0);
        self.play(walk, candidate.mv, node.ply);
        self.frames[node.ply].played_quiet = candidate.entries;
        let is_first = candidate.number == 1;
        let mut score = -INFINITE;
        if !is_first {
            score = self.by_null_windows(walk, node, depth, reduction, floor);
        }
        if is_first || (node.is_pv() && score > floor && score < node.beta) {
            score = self.by_open_window(walk, node, depth, floor);
        }
        walk.line.undo();
        score
    }

    /// Whether the move just played beats `floor`: first with the reduction, then without it after a fail high.
    fn by_null_windows(
        &mut self,
        walk: &mut Walk<'_>,
        node: &Node,
        mut depth: i32,
        reduction: i32,
        floor: i32,
    ) -> i32 {
        let reduced = (depth - reduction).max(0);
        if reduced < depth {
            self.frames[node.ply].reduction = depth - reduced;
            let score = -self.alpha_beta(walk, node.child(reduced, floor, floor + 1, true));
            self.frames[node.ply].reduction = 0;
            if score <= floor {
                return score;
            }
            depth += i32::from(score > floor + self.params.deeper_cp && !is_decisive(score));
            depth -= i32::from(score < floor + SHALLOWER && node.is_pv());
            if depth <= reduced {
                return score;
            }
        }
        -self.alpha_beta(walk, node.child(depth, floor, floor + 1, !node.is_cut))
    }

    /// The score of the move just played, as far as it is above `floor`.
    fn by_open_window(&mut self, walk: &mut Walk<'_>, node: &Node, depth: i32, floor: i32) -> i32 {
        let is_cut = !node.is_pv() && !node.is_cut;
        -self.alpha_beta(walk, node.child(depth, floor, node.beta, is_cut))
    }

    /// Evaluates the node at `ply` for the nodes below.
    pub(super) fn evaluate_path(&mut self, line: &Line, ply: usize) {
        let in_check = line.position().is_check();
        self.frames[ply].evaluation = (!in_check).then(|| {
            let raw = self.evaluation.evaluate(line.position(), ply);
            self.corrected(line, raw)
        });
    }

    /// Whether the root's move number `number` beats `floor`: its score by null windows.
    pub(super) fn try_root(
        &mut self,
        walk: &mut Walk<'_>,
        node: &Node,
        mv: Move,
        number: i32,
        floor: i32,
    ) -> i32 {
        let position = walk.line.position();
        let evaluation = self.frames[0].evaluation;
        let known = NodeInfo {
            stored: None,
            raw_evaluation: None,
            evaluation,
            refined_eval: evaluation.unwrap_or(-INFINITE),
            is_improving: true,
            is_stored_noisy: false,
            was_pv: true,
            extension: 0,
        };
        let is_quiet = !position.is_noisy(mv);
        let context = self.context(0);
        let entries = is_quiet.then(|| History::entries_of(position, mv, &context));
        let candidate = Candidate {
            mv,
            is_quiet,
            entries,
            number,
            gives_check: position.gives_check(mv),
            history: entries.map_or_else(
                || self.history.capture_promise(position, mv),
                |entries| self.history.score(&entries),
            ),
            busy_key: None,
        };
        let reduction = self.reduction(node, &known, &candidate);
        self.play(walk, mv, 0);
        self.frames[0].played_quiet = candidate.entries;
        let score = self.by_null_windows(walk, node, node.depth - 1, reduction, floor);
        walk.line.undo();
        score
    }

    /// The score of the root's move above `floor`.
    pub(super) fn value_root(
        &mut self,
        walk: &mut Walk<'_>,
        node: &Node,
        mv: Move,
        floor: i32,
    ) -> i32 {
        self.play(walk, mv, 0);
        let score = self.by_open_window(walk, node, node.depth - 1, floor);
        walk.line.undo();
        score
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

    /// Rewards the move that caused the cutoff, and penalizes those tried before it.
    fn update_history(
        &mut self,
        line: &Line,
        node: &Node,
        context: &Context,
        candidate: &Candidate,
        quiets: &Tried,
        noisy: &Tried,
    ) {
        if !self.params.history {
            return;
        }
        let (position, mv) = (line.position(), candidate.mv);
        let bonus = (self.params.history_bonus * node.depth - 80).min(1_700);
        let malus = (self.params.history_malus * node.depth - 60).min(1_300);
        if let Some(entries) = &candidate.entries {
            let killers = &mut self.frames[node.ply].killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
            self.history.update(entries, bonus);
            for other in quiets.moves() {
                let entries = History::entries_of(position, other, context);
                self.history.update(&entries, -malus);
            }
        } else {
            self.history.update_capture(position, mv, bonus);
        }
        for other in noisy.moves() {
            self.history.update_capture(position, other, -malus);
        }
    }

    /// Updates the correction history with the error of the static evaluation, if the value of the node shows one.
    fn correct(
        &mut self,
        line: &Line,
        node: &Node,
        known: &NodeInfo,
        outcome: &MoveLoopResult,
        bound: Bound,
    ) {
        let Some(evaluation) = known.evaluation.filter(|_| self.corrects()) else {
            return;
        };
        let is_quiet = !outcome
            .best_move
            .is_some_and(|mv| line.position().is_noisy(mv));
        let tells = match bound {
            Bound::Exact => true,
            Bound::Lower => outcome.best > evaluation,
            Bound::Upper => outcome.best < evaluation,
        };
        if is_quiet && tells && !is_decisive(outcome.best) {
            // The error that is left, so that the sum of all tables approaches the whole error.
            self.correction
                .update(line, node.depth, outcome.best - evaluation);
        }
    }

    /// Extension of a move in plies: the hash move if it alone holds its bound, and recaptures on the principal
    /// variation.
    fn extension(&self, line: &Line, node: &Node, known: &NodeInfo, mv: Move) -> i32 {
        if known.extension != 0 && known.stored_move() == Some(mv) {
            return known.extension;
        }
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

/// The score of a node where no move was tried: mate or stalemate, unless one was excluded.
fn without_moves(node: &Node, known: &NodeInfo) -> i32 {
    if node.excluded.is_some() {
        node.alpha
    } else if known.in_check() {
        node.ply as i32 - MATE
    } else {
        0
    }
}
