//! The interface between the engine and its searches: plain records in, plain records out.

use std::sync::Arc;

use crate::chess::{Line, Move, Position};
use crate::game::{self, Game as _, Progress, Tablebase};
pub use crate::game::{Claim, SearchListener};
pub use crate::large_pages::MemoryError;

/// A question to a search.
#[derive(Clone, Debug)]
pub struct Question {
    /// The game up to the position to search, [past claims](Line::past_claims); the position has a legal move.
    pub line: Line,
    /// The root moves allowed, in no special order, never empty.
    pub moves: Vec<Move>,
    /// Number of best moves to search, at least 1.
    pub multi_pv: usize,
    /// Stop when the first requirement of this depth is met, with the conspiracy number of the schedule at that depth:
    /// 2 in the middlegame from depth 5 on, 3 in elementary endings, whose schedule would go on to 5 at depth 8.
    pub depth: Option<u16>,
    /// Stop when a mate in this many moves is found.
    pub mate: Option<u16>,
    /// Endgame tables that give exact scores.
    pub tables: Option<Arc<dyn Tablebase<Position>>>,
    /// Analysis instead of play: safety may take half of the work.
    pub is_analysis: bool,
}

/// An update of the root of a chess search.
pub type RootUpdate = game::RootUpdate<Move>;

/// The answer of a chess search.
pub type BestMove = game::BestMove<Move>;

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

/// A way to find the best move: Cc2s and every baseline stand behind this trait.
pub trait Search: Send {
    /// Searches until the question is answered or the listener says stop, and gives the listener the answer. Always
    /// answers, and quickly, even when stopped at the first call of the listener. Keeps what it learned for the next
    /// question of the same game.
    fn think(&mut self, question: &Question, listener: &mut dyn SearchListener<Move>);

    /// Forgets everything: the next question belongs to another game.
    fn new_game(&mut self);

    /// Has all at hand that the next question needs, also in other processes. A question does not need it to be
    /// called; it only has to wait less.
    fn prepare(&mut self) {}
}

/// Has the search answer the question, for a listener that only cares for what comes before the answer.
///
/// # Panics
/// The search gives no answer.
pub fn decide(
    search: &mut dyn Search,
    question: &Question,
    listener: &mut dyn SearchListener<Move>,
) -> BestMove {
    let mut catcher = AnswerCatcher {
        listener,
        answer: None,
    };
    search.think(question, &mut catcher);
    catcher.answer.expect("every search answers")
}

/// Keeps the answer, and passes on all else.
struct AnswerCatcher<'a> {
    listener: &'a mut dyn SearchListener<Move>,
    answer: Option<BestMove>,
}

impl SearchListener<Move> for AnswerCatcher<'_> {
    fn proceed(&mut self, progress: &Progress) -> bool {
        self.listener.proceed(progress)
    }

    fn report(&mut self, update: &RootUpdate) {
        self.listener.report(update);
    }

    fn complain(&mut self, text: String) {
        self.listener.complain(text);
    }

    fn answer(&mut self, answer: &BestMove) {
        self.answer = Some(answer.clone());
    }
}
