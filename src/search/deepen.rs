//! Iterative deepening: the alpha-beta search, one ply deeper each time.

use super::iteration_reporter::IterationReporter;
use super::mtd::Bracket;
use super::node::Node;
use super::scores::{INFINITE, is_decisive};
use super::searcher::{LeafSearcher, PLY_MAX, Walk};
use crate::chess::{Line, Move};
use crate::game::{AspirationWindow, Bound, Game, RootUpdate, Score, SearchListener};

/// Half the first window around the last value, in centipawns.
const ASPIRATION: i32 = 12;

/// The windows of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootWindow {
    /// An aspiration window around the last value, widened when it fails.
    Aspiration,
    /// MTD(f) (Plaat 1996): null windows only, which close in on the value from both sides; the hash table keeps the
    /// results.
    Mtdf,
}

/// A request to [`LeafSearcher::deepen`].
#[derive(Clone, Copy, Debug)]
pub struct DeepenRequest {
    /// Last depth, in plies.
    pub depth_max: u16,
    /// Number of best moves, searched one after the other, each without the earlier ones.
    pub pv_count: usize,
    /// The windows at the root.
    pub window: RootWindow,
    /// Place among searchers that share a question and a table. Place 0 searches every depth. Each of the others skips
    /// different depths, to avoid duplicated work.
    pub place: usize,
}

impl DeepenRequest {
    /// Whether a searcher at this place skips that depth. Blocks of skipped and searched depths alternate. Two places
    /// have blocks of one depth, the next four have blocks of two, and so on, with different offsets (the scheme of
    /// Stockfish 9).
    fn omits(self, depth: u16) -> bool {
        let Some(helper) = self.place.checked_sub(1) else {
            return false;
        };
        let mut block = 1;
        while block * (block + 1) <= helper {
            block += 1;
        }
        let phase = helper - block * (block - 1);
        (usize::from(depth) + phase) / block % 2 == 1
    }
}

/// A move of the root.
struct RootMove {
    mv: Move,
    /// Score of this iteration; minus infinity if the move only failed low.
    score: i32,
    /// Score of the last iteration that gave one.
    settled: i32,
    /// Nodes searched for it.
    nodes: u64,
    /// The result of the last search of this move, even in an unfinished iteration.
    found: Option<RootResult>,
    pv: Vec<Move>,
}

/// The result of a search of a root move.
#[derive(Clone, Copy)]
struct RootResult {
    depth: u16,
    score: i32,
    bound: Bound,
}

impl RootMove {
    /// Records the result of a search and its principal variation.
    fn note(&mut self, searcher: &LeafSearcher, found: RootResult) {
        self.score = found.score;
        self.found = Some(found);
        self.pv.clear();
        self.pv.push(self.mv);
        self.pv.extend_from_slice(&searcher.frames[1].pv);
    }
}

impl RootResult {
    fn at_least(depth: u16, score: i32) -> Self {
        Self {
            depth,
            score,
            bound: Bound::Lower,
        }
    }

    fn within(depth: u16, score: i32, alpha: i32, beta: i32) -> Self {
        let bound = Bound::of(score, alpha, beta);
        Self {
            depth,
            score,
            bound,
        }
    }
}

impl LeafSearcher {
    /// Searches deeper and deeper and returns the best line found; it holds at least one move of `moves`, which must
    /// not be empty and are legal. Rules that would end the game here by repetition or 50 moves do not count at the
    /// root.
    pub fn deepen(
        &mut self,
        line: &mut Line,
        moves: &[Move],
        request: DeepenRequest,
        listener: &mut dyn SearchListener<Move>,
    ) -> Vec<Move> {
        assert!(!moves.is_empty());
        self.begin(u64::MAX);
        if request.place == 0 {
            self.table.age();
        }
        self.forget_path();
        let mut roots = self.root_moves(line, moves);
        let pv_count = request.pv_count.clamp(1, roots.len());
        let depths = 1..=request.depth_max.min(PLY_MAX as u16 - 20);
        let reporter = &mut IterationReporter::new(moves.len(), listener);
        let mut told = None;
        for depth in depths.filter(|&depth| !request.omits(depth)) {
            for index in 0..pv_count {
                let rest = &mut roots[index..];
                match request.window {
                    RootWindow::Aspiration => self.iterate(line, rest, depth, reporter),
                    RootWindow::Mtdf => self.close_in(line, rest, depth, reporter),
                }
                if self.is_unwinding() {
                    let is_news = pv_count == 1 && told != Some(roots[0].mv);
                    if let Some(found) = roots[0].found.filter(|_| is_news) {
                        reporter.changed(&self.account(&roots[0], found, 1));
                    }
                    return roots.swap_remove(0).pv;
                }
            }
            // A later move may have come out better than an earlier one.
            roots[..pv_count].sort_by_key(|root| std::cmp::Reverse(root.score));
            told = Some(roots[0].mv);
            if !self.tell(&roots[..pv_count], depth, reporter) {
                break;
            }
        }
        roots.swap_remove(0).pv
    }

    /// Reports a finished iteration; false: it was the last one.
    fn tell(&self, best: &[RootMove], depth: u16, reporter: &mut IterationReporter<'_>) -> bool {
        let effort = (best[0].nodes * 1_000 / self.nodes.max(1)) as u16;
        let updates = best.iter().zip(1..).map(|(root, multi_pv)| {
            let found = RootResult {
                depth,
                score: root.score,
                bound: Bound::Exact,
            };
            self.account(root, found, multi_pv)
        });
        reporter.finished(updates, (best.len() == 1).then_some(effort))
    }

    fn account(&self, root: &RootMove, found: RootResult, multi_pv: usize) -> RootUpdate<Move> {
        RootUpdate {
            depth: found.depth,
            selective_depth: self.selective_depth as u16,
            multi_pv,
            score: Score::from_raw(found.score),
            bound: found.bound,
            nodes: self.nodes,
            tablebase_hits: 0,
            memory_permille: self.table.permille(),
            pv: root.pv.clone(),
            safety: None,
            claim: None,
        }
    }

    /// The moves to search, in a sensible first order.
    fn root_moves(&self, line: &Line, moves: &[Move]) -> Vec<RootMove> {
        let position = line.position();
        let hash = self.probe(position.key()).and_then(|entry| entry.best);
        let mut moves = moves.to_vec();
        moves.sort_by_cached_key(|&mv| std::cmp::Reverse(self.move_score(position, mv, hash)));
        let root = |mv| RootMove {
            mv,
            score: -INFINITE,
            settled: 0,
            nodes: 0,
            found: None,
            pv: vec![mv],
        };
        moves.into_iter().map(root).collect()
    }

    /// Searches one depth with an aspiration window. Moves the best move to the front.
    fn iterate(
        &mut self,
        line: &mut Line,
        roots: &mut [RootMove],
        depth: u16,
        reporter: &mut IterationReporter<'_>,
    ) {
        let last = roots[0].settled;
        let guess = (!is_decisive(last)).then_some(last);
        let mut window = AspirationWindow::new(depth, guess, ASPIRATION, INFINITE);
        loop {
            let (alpha, beta) = (window.alpha(), window.beta());
            let score = self.search_roots(line, roots, depth, alpha, beta, reporter);
            if self.is_unwinding() {
                return;
            }
            if score <= alpha {
                window.fail_low(score);
            } else if score >= beta {
                window.fail_high(score);
            } else {
                roots[0].settled = score;
                return;
            }
        }
    }

    /// One depth by MTD(f). The best move is that of the last search that failed high. Its line comes from the hash
    /// table, because null windows give none.
    fn close_in(
        &mut self,
        line: &mut Line,
        roots: &mut [RootMove],
        depth: u16,
        reporter: &mut IterationReporter<'_>,
    ) {
        let mut score = roots[0].settled;
        let mut bracket = Bracket::new(-INFINITE, INFINITE, score);
        while let Some(beta) = bracket.next() {
            score = self.search_roots(line, roots, depth, beta - 1, beta, reporter);
            if self.is_unwinding() {
                return;
            }
            bracket.note(beta, score);
        }
        (roots[0].score, roots[0].settled) = (score, score);
        roots[0].pv = self.remembered_line(line, roots[0].mv, depth);
    }

    /// The table's best moves from a root move on, at most `length` in all, up to a repetition.
    fn remembered_line(&self, line: &Line, first: Move, length: u16) -> Vec<Move> {
        let mut line = line.clone();
        let mut moves = vec![first];
        line.play(first);
        while moves.len() < usize::from(length) && line.end_score().is_none() {
            let best = self.probe(line.key()).and_then(|entry| entry.best);
            let Some(best) = best.filter(|&mv| line.position().is_legal(mv)) else {
                break;
            };
            moves.push(best);
            line.play(best);
        }
        moves
    }

    fn search_roots(
        &mut self,
        line: &mut Line,
        roots: &mut [RootMove],
        depth: u16,
        alpha: i32,
        beta: i32,
        reporter: &mut IterationReporter<'_>,
    ) -> i32 {
        let mut proceed = |nodes| reporter.proceed(nodes);
        let mut walk = Walk {
            line,
            proceed: &mut proceed,
        };
        for root in &mut *roots {
            root.score = -INFINITE;
        }
        self.is_deep = true;
        self.ply_extended_max = 2 * usize::from(depth);
        let node = Node::root(i32::from(depth), alpha, beta);
        self.evaluate_path(walk.line, 0);
        let (mut best, mut floor) = (-INFINITE, alpha);
        for (index, root) in roots.iter_mut().enumerate() {
            let before = self.nodes;
            let mut is_open = true;
            let mut score = -INFINITE;
            if index > 0 {
                score = self.try_root(&mut walk, &node, root.mv, index as i32 + 1, floor);
                is_open = score > floor && score < beta;
                if score > floor && !self.is_unwinding() {
                    // It is the best move from now on, also if the search ends before its value is known.
                    root.note(self, RootResult::at_least(depth, score));
                }
            }
            if is_open && !self.is_unwinding() {
                score = self.value_root(&mut walk, &node, root.mv, floor);
            }
            root.nodes += self.nodes - before;
            if self.is_unwinding() {
                break;
            }
            best = best.max(score);
            if index > 0 && score <= floor {
                // Not even a score that the second search has not confirmed.
                root.score = -INFINITE;
            } else {
                root.note(self, RootResult::within(depth, score, floor, beta));
            }
            floor = floor.max(score);
            if floor >= beta {
                break;
            }
        }
        // Stable: moves without a score keep their order.
        roots.sort_by_key(|root| std::cmp::Reverse(root.score));
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn omitted(place: usize) -> Vec<u16> {
        let request = DeepenRequest {
            depth_max: u16::MAX,
            pv_count: 1,
            window: RootWindow::Aspiration,
            place,
        };
        (1..=12).filter(|&depth| request.omits(depth)).collect()
    }

    #[test]
    fn every_place_but_the_first_leaves_out_half_of_the_depths() {
        assert!(omitted(0).is_empty());
        assert_eq!(omitted(1), [1, 3, 5, 7, 9, 11]);
        assert_eq!(omitted(2), [2, 4, 6, 8, 10, 12]);
        assert_eq!(omitted(3), [2, 3, 6, 7, 10, 11]);
        assert_eq!(omitted(6), [3, 4, 7, 8, 11, 12]);
        assert_eq!(omitted(7), [3, 4, 5, 9, 10, 11]);
        let first_twelve: std::collections::BTreeSet<_> = (1..=12).map(omitted).collect();
        assert_eq!(first_twelve.len(), 12);
    }
}
