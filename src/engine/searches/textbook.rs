//! The textbook searches at play: iterative deepening over the reference functions, with the quiescence search of the
//! leaf evaluator at their horizon.
//!
//! They prune nothing that could change the result, so all of them give the same scores, at different costs. The game
//! itself stops them: after a stop it ends every position at once, and they return.

use std::cell::{Cell, RefCell};

use crate::chess::{Line, Move};
use crate::engine::search::{BestMove, MemoryError, Question, RootUpdate, Search, SearchListener};
use crate::game::{Bound, Evaluator, Game, Score, Valuation, Window};
use crate::search::{IterationReporter, LeafEvaluator, LeafParams};
use crate::thesis::baseline::Explorer;

/// Deepest iteration, in plies.
const DEPTH_MAX: u16 = 100;
/// Half the width of the aspiration window, in centipawns.
const ASPIRATION: i16 = 25;
/// The horizon evaluator remembers nothing; its table only has to exist.
const TABLE_MEBIBYTES: usize = 1;

/// Which reference function finds the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// [`Explorer::minimax`].
    Minimax,
    /// [`Explorer::negamax`].
    Negamax,
    /// [`Explorer::alphabeta`].
    AlphaBeta,
    /// [`Explorer::aspiration`] around the value of the iteration before.
    Aspiration,
    /// [`Explorer::pvs`].
    NegaScout,
}

/// A reference function as a search to play with.
pub struct TextbookSearch {
    method: Method,
    evaluator: LeafEvaluator,
}

impl TextbookSearch {
    /// A search by this method. It uses only the quiescence parameters that keep its value exact.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn new(method: Method, params: &LeafParams) -> Result<Self, MemoryError> {
        let evaluator = LeafEvaluator::new(exact(params), TABLE_MEBIBYTES)?;
        Ok(Self { method, evaluator })
    }

    /// The value of the root with the moves of `root` at this depth, and the line that leads there.
    fn iterate(&mut self, root: &mut RootGame<'_>, depth: u16, last: Option<Score>) -> PvResult {
        let mut horizon = Horizon {
            evaluator: &mut self.evaluator,
        };
        let mut explorer = Explorer::new(root, &mut horizon);
        let score = match (self.method, last) {
            (Method::Minimax, _) => explorer.minimax(depth),
            (Method::Negamax, _) => explorer.negamax(depth),
            (Method::NegaScout, _) => explorer.pvs(Window::FULL, depth),
            (Method::Aspiration, Some(last)) => explorer.aspiration(last, ASPIRATION, depth),
            (Method::AlphaBeta | Method::Aspiration, _) => explorer.alphabeta(Window::FULL, depth),
        };
        PvResult {
            score,
            pv: explorer.principal_variation().to_vec(),
        }
    }
}

/// Quiescence whose answer depends on nothing but the position and the path, whatever the window.
fn exact(params: &LeafParams) -> LeafParams {
    LeafParams {
        eval_depth: 0,
        node_cap: i32::MAX,
        transposition_table: false,
        check_extension: false,
        delta_pruning: false,
        quiescence_checks: false,
        ..params.clone()
    }
}

impl TextbookSearch {
    /// The best variation of the last iteration finished.
    fn deepen(
        &mut self,
        question: &Question,
        listener: &mut dyn SearchListener<Move>,
    ) -> Vec<Move> {
        let meter = Meter::new(IterationReporter::new(question.moves.len(), listener));
        let pv_count = question.multi_pv.clamp(1, question.moves.len());
        let mut found = vec![PvResult::default(); pv_count];
        let mut best = vec![question.moves[0]];
        for depth in 1..=question.depth.unwrap_or(DEPTH_MAX).min(DEPTH_MAX) {
            let mut root = RootGame::new(question, &meter);
            for finding in &mut found {
                root.last_pv.clone_from(&finding.pv);
                let last = (depth > 1).then_some(finding.score);
                let now = self.iterate(&mut root, depth, last);
                if meter.is_stopped.get() {
                    return best;
                }
                root.moves.retain(|&mv| mv != now.pv[0]);
                *finding = now;
            }
            best.clone_from(&found[0].pv);
            if !meter.tell(depth, &found) {
                break;
            }
        }
        best
    }
}

impl Search for TextbookSearch {
    fn think(&mut self, question: &Question, listener: &mut dyn SearchListener<Move>) {
        let pv = self.deepen(question, listener);
        listener.answer(&BestMove::of(&question.line, &pv));
    }

    fn new_game(&mut self) {
        self.evaluator.clear();
    }
}

/// The result of an iteration.
#[derive(Clone, Default)]
struct PvResult {
    score: Score,
    pv: Vec<Move>,
}

/// Counts nodes, and hears whether to go on. The game and its evaluator share it.
struct Meter<'a> {
    reporter: RefCell<IterationReporter<'a>>,
    nodes: Cell<u64>,
    deepest: Cell<usize>,
    is_stopped: Cell<bool>,
}

impl<'a> Meter<'a> {
    fn new(reporter: IterationReporter<'a>) -> Self {
        Self {
            reporter: RefCell::new(reporter),
            nodes: Cell::new(0),
            deepest: Cell::new(0),
            is_stopped: Cell::new(false),
        }
    }

    /// Adds nodes, the last of them `ply` plies from the root; asks the listener every thousand or so.
    fn add(&self, nodes: u64, ply: usize) {
        let before = self.nodes.get();
        let now = before + nodes;
        self.nodes.set(now);
        self.deepest.set(self.deepest.get().max(ply));
        if before / 1_024 != now / 1_024 && !self.reporter.borrow_mut().proceed(now) {
            self.is_stopped.set(true);
        }
    }

    /// Tells of a finished iteration, best move first; false: that was the last one.
    fn tell(&self, depth: u16, found: &[PvResult]) -> bool {
        let updates = found.iter().zip(1..).map(|(result, multi_pv)| RootUpdate {
            depth,
            selective_depth: self.deepest.get() as u16,
            multi_pv,
            score: result.score,
            bound: Bound::Exact,
            nodes: self.nodes.get(),
            tablebase_hits: 0,
            memory_permille: 0,
            pv: result.pv.clone(),
            safety: None,
            claim: None,
        });
        self.reporter.borrow_mut().finished(updates, None)
    }
}

/// The game from the root on: only some moves are allowed there, no rule ends it there, and the meter may end it
/// anywhere.
struct RootGame<'m> {
    line: Line,
    ply: usize,
    moves: Vec<Move>,
    /// The best line of the iteration before, tried first.
    last_pv: Vec<Move>,
    meter: &'m Meter<'m>,
}

impl<'m> RootGame<'m> {
    fn new(question: &Question, meter: &'m Meter<'m>) -> Self {
        Self {
            line: question.line.clone(),
            ply: 0,
            moves: question.moves.clone(),
            last_pv: Vec::new(),
            meter,
        }
    }

    /// The next move of the last best line, if the current position lies on it.
    fn expected(&self) -> Option<Move> {
        let played = self.line.moves();
        let path = &played[played.len() - self.ply..];
        let follows = self.last_pv.len() > self.ply
            && path
                .iter()
                .zip(&self.last_pv)
                .all(|(&played, &expected)| played == Some(expected));
        follows.then(|| self.last_pv[self.ply])
    }
}

impl Game for RootGame<'_> {
    type Move = Move;

    fn key(&self) -> u64 {
        self.line.key()
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.ply == 0 {
            moves.extend_from_slice(&self.moves);
        } else {
            self.line.legal_moves(moves);
        }
    }

    fn play(&mut self, mv: Move) {
        self.line.play(mv);
        self.ply += 1;
    }

    fn undo(&mut self) {
        self.line.undo();
        self.ply -= 1;
    }

    fn end_score(&self) -> Option<Score> {
        self.meter.add(1, self.ply);
        if self.meter.is_stopped.get() {
            return Some(Score::DRAW);
        }
        if self.ply == 0 {
            return None;
        }
        self.line.end_score()
    }

    /// No reference function passes.
    fn pass(&mut self) -> bool {
        false
    }
}

/// The leaf evaluator's quiescence search, on the line inside the root's game.
struct Horizon<'e> {
    evaluator: &'e mut LeafEvaluator,
}

impl Evaluator<RootGame<'_>> for Horizon<'_> {
    fn evaluate(&mut self, root: &mut RootGame<'_>, window: Window) -> Valuation {
        let valuation = self.evaluator.evaluate(&mut root.line, window);
        // The horizon node itself was counted when it was visited.
        root.meter.add(valuation.nodes - 1, root.ply);
        valuation
    }

    fn order(&mut self, root: &mut RootGame<'_>, moves: &mut [Move]) -> u64 {
        let nodes = self.evaluator.order(&mut root.line, moves);
        if let Some(at) = root
            .expected()
            .and_then(|mv| moves.iter().position(|&m| m == mv))
        {
            moves[..=at].rotate_right(1);
        }
        nodes
    }

    fn is_quiet(&mut self, root: &mut RootGame<'_>, mv: Move) -> bool {
        self.evaluator.is_quiet(&mut root.line, mv)
    }

    fn threat(&mut self, root: &mut RootGame<'_>) -> Score {
        self.evaluator.threat(&mut root.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::engine::search::decide;
    use crate::game::Progress;

    /// Stops when so many nodes are reported; remembers the reports.
    struct StopAfterNodes {
        nodes: u64,
        reports: Vec<RootUpdate>,
    }

    impl SearchListener<Move> for StopAfterNodes {
        fn proceed(&mut self, progress: &Progress) -> bool {
            progress.nodes < self.nodes
        }
        fn report(&mut self, report: &RootUpdate) {
            self.reports.push(report.clone());
        }
    }

    fn ask(
        method: Method,
        multi_pv: usize,
        depth: Option<u16>,
        nodes: u64,
    ) -> (BestMove, Vec<RootUpdate>) {
        let question = Question::initial(multi_pv, depth);
        let mut listener = StopAfterNodes {
            nodes,
            reports: Vec::new(),
        };
        let mut search = TextbookSearch::new(method, &LeafParams::default()).unwrap();
        let answer = decide(&mut search, &question, &mut listener);
        assert!(question.moves.contains(&answer.best));
        (answer, listener.reports)
    }

    #[test]
    fn the_best_iteration_finished_answers_when_time_is_up() {
        for method in [Method::Minimax, Method::NegaScout] {
            let (answer, reports) = ask(method, 1, None, 30_000);
            let last = reports.last().unwrap();
            assert_eq!(answer.best, last.pv[0]);
            assert!(last.nodes < 31_024 && last.depth >= 2, "{last:?}");
        }
        ask(Method::AlphaBeta, 1, None, 0);
    }

    #[test]
    fn the_best_moves_are_separated_and_their_lines_legal() {
        let (answer, reports) = ask(Method::Aspiration, 3, Some(4), u64::MAX);
        let last = &reports[reports.len() - 3..];
        assert_eq!(
            last.iter().map(|r| r.multi_pv).collect::<Vec<_>>(),
            [1, 2, 3]
        );
        assert!(last[0].score >= last[1].score && last[1].score >= last[2].score);
        assert_eq!(answer.best, last[0].pv[0]);
        for report in &reports {
            assert_eq!(report.pv.len(), usize::from(report.depth));
            let mut line = Line::new(Position::initial());
            for &mv in &report.pv {
                assert!(line.position().is_legal(mv));
                line.play(mv);
            }
        }
    }
}
