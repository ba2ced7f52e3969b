//! The seam between the engine and its searches: plain records in, plain records out.

use std::sync::Arc;

use thiserror::Error;

use crate::chess::{Line, Move, Position};
use crate::game::{Game as _, Score, Tablebase};
use crate::time::{Progress, Safety};

/// A question to a search.
#[derive(Clone, Debug)]
pub struct Question {
    /// The game up to the position to search, [past claims](Line::past_claims); the position has a legal move.
    pub line: Line,
    /// The root moves allowed, in no special order, never empty.
    pub moves: Vec<Move>,
    /// Best moves to separate from the rest, at least 1.
    pub multi_pv: usize,
    /// Stop when the first requirement of this depth is met, with the conspiracy the schedule has reached by then: 2 in
    /// the middle game from depth 5 on, 3 in elementary endings, whose schedule would go on to 5 at depth 8.
    pub depth: Option<u16>,
    /// Stop when a mate in this many moves is found.
    pub mate: Option<u16>,
    /// Endgame tables to take true scores from.
    pub tables: Option<Arc<dyn Tablebase<Position>>>,
    /// Whether people want to know how safe the decision is rather than to play: that may take half of the work.
    pub is_analysis: bool,
}

/// On which side of a score the truth lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreBound {
    /// The score itself.
    Exact,
    /// At least the score (`lowerbound`).
    AtLeast,
    /// At most the score (`upperbound`).
    AtMost,
}

/// One line of information about a running search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Depth of the requirement met (`depth`).
    pub depth: u16,
    /// Deepest level of the stored tree plus what the leaf search added, in plies (`seldepth`).
    pub selective_depth: u16,
    /// Place among the best moves, from 1 (`multipv`).
    pub multi_pv: usize,
    /// Side to move's view.
    pub score: Score,
    /// Bound type of the score.
    pub bound: ScoreBound,
    /// Tree and leaf nodes together.
    pub nodes: u64,
    /// Tablebase probes that answered; searches leave it 0, the engine counts.
    pub tablebase_hits: u64,
    /// Memory in use, in thousandths of what is allowed.
    pub memory_permille: u16,
    /// The principal variation; its first move is the move reported on. Legal.
    pub pv: Vec<Move>,
    /// The safety of the decision; `None` before any requirement was met.
    pub safety: Option<Safety>,
    /// The claim that is safe, where the search states one.
    pub claim: Option<Claim>,
}

/// The claim shown by strategies: the best move is worth the hypothesis less the margin at least, every other move the
/// hypothesis and the margin at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Side to move's view.
    pub hypothesis: Score,
    /// Centipawns.
    pub margin_cp: u16,
}

impl Report {
    /// Takes back that more than one strategy was shown: what is reported is not what that was about.
    pub fn withdraw_safety(&mut self) {
        self.claim = None;
        if let Some(safety) = self.safety.as_mut().filter(|safety| safety.conspiracy > 1) {
            *safety = Safety {
                depth: self.depth,
                conspiracy: 1,
            };
        }
    }
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestMove {
    /// The move to play, one of the question's moves.
    pub best: Move,
    /// The reply to ponder on; legal after `best`, and the game is not over after it.
    pub ponder: Option<Move>,
}

impl BestMove {
    /// The first move of a variation from the end of `line`, and the second to ponder on unless the game ends there.
    ///
    /// # Panics
    /// The variation is empty.
    pub fn of(line: &Line, pv: &[Move]) -> Self {
        let mut line = line.clone();
        line.play(pv[0]);
        let ponder = pv.get(1).copied().filter(|&reply| {
            line.play(reply);
            line.end_score().is_none()
        });
        Self {
            best: pv[0],
            ponder,
        }
    }
}

impl Question {
    /// Which of all moves at the end of `line` is best, whatever it takes. Draws that were not claimed count as none.
    pub fn about(line: Line) -> Self {
        let mut moves = Vec::new();
        line.legal_moves(&mut moves);
        Self {
            line: line.past_claims(),
            moves,
            multi_pv: 1,
            depth: None,
            mate: None,
            tables: None,
            is_analysis: false,
        }
    }

    /// About all moves of the initial position.
    #[cfg(test)]
    pub(super) fn initial(multi_pv: usize, depth: Option<u16>) -> Self {
        Self {
            multi_pv,
            depth,
            ..Self::about(Line::new(Position::initial()))
        }
    }
}

/// Watches a running search and tells it when to stop.
pub trait Watch {
    /// Called at least once every few thousand nodes; false: stop now and answer.
    fn proceed(&mut self, progress: &Progress) -> bool;
    /// Called when there is something to tell people.
    fn report(&mut self, report: &Report);
    /// Called when something is wrong that people should know, although the search goes on.
    fn complain(&mut self, _text: String) {}
    /// Called once at most, with what the search is going to return: for a search that must still wait for its helpers.
    fn answer(&mut self, _answer: &BestMove) {}
}

/// Memory that could not be had.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("cannot allocate {mebibytes} MiB, keeping {kept_mebibytes} MiB")]
pub struct MemoryError {
    /// Asked for.
    pub mebibytes: usize,
    /// Still in use.
    pub kept_mebibytes: usize,
}

/// A way to find the best move: Cc2s and every baseline stand behind this trait.
pub trait Search: Send {
    /// Searches until the question is answered or the watch says stop. Always answers, and quickly, even when stopped
    /// at the first call of the watch. Keeps what it learned for the next question of the same game.
    fn think(&mut self, question: &Question, watch: &mut dyn Watch) -> BestMove;

    /// Forgets everything: the next question belongs to another game.
    fn new_game(&mut self);

    /// Has all at hand that the next question needs, also in other processes. A question does not need it to be
    /// called; it only has to wait less.
    fn prepare(&mut self) {}

    /// Changes the memory bound for tree and tables together; forgets what does not fit.
    ///
    /// # Errors
    /// The memory cannot be had; the old bound stays.
    fn set_memory(&mut self, mebibytes: usize) -> Result<(), MemoryError>;
}
