//! Table answers for the root moves.

use super::answer::{Distance, TableAnswer, TableOutcome, by_rule};
use super::tables::{Source, Tables};
use crate::chess::{Line, Move};
use crate::game::{Game, Score};

/// A root position with a known result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rooted {
    /// The moves to consider and their answers, best first: those with the best result and, where known, the best
    /// distance.
    pub moves: Vec<(Move, TableAnswer)>,
    /// The tables that answered.
    pub source: Source,
}

impl Rooted {
    /// Returns the answer for the position.
    pub fn answer(&self) -> TableAnswer {
        self.moves[0].1
    }

    /// Whether the path to mate is known, so that no search is needed.
    pub fn is_solved(&self) -> bool {
        let TableAnswer { outcome, distance } = self.answer();
        matches!(outcome, TableOutcome::Win | TableOutcome::Loss)
            && matches!(distance, Distance::Mate(_))
    }

    /// Whether the 50-move rule may change the result.
    pub fn is_doubtful(&self) -> bool {
        self.score().is_none()
    }

    /// Returns the score of a move; `None` if it is not listed or its result is in doubt.
    pub fn score_of(&self, mv: Move) -> Option<Score> {
        let (_, answer) = self.moves.iter().find(|&&(known, _)| known == mv)?;
        answer.score()
    }

    /// Returns the score; `None` if the result is in doubt.
    pub fn score(&self) -> Option<Score> {
        self.answer().score()
    }
}

impl Tables {
    /// Returns the answers for the last position of `line` if all `moves` have one. Keeps at least `wanted` moves,
    /// if there are as many.
    pub fn root(&self, line: &Line, moves: &[Move], wanted: usize) -> Option<Rooted> {
        let own = self.best_moves(line, moves, wanted, Source::Own);
        match own {
            Some(own) if !own.is_doubtful() => Some(own),
            own => self.best_moves(line, moves, wanted, Source::Syzygy).or(own),
        }
    }

    fn best_moves(
        &self,
        line: &Line,
        moves: &[Move],
        wanted: usize,
        source: Source,
    ) -> Option<Rooted> {
        let mut line = line.clone();
        let mut answers = Vec::with_capacity(moves.len());
        for &mv in moves {
            line.play(mv);
            let answer = self.after_move(&line, source);
            line.undo();
            let is_zeroing = line.position().unpack(mv).is_zeroing();
            answers.push((mv, answer?.before(is_zeroing)));
        }
        // The sort is stable: equal moves keep their order.
        answers.sort_by_key(|(_, answer)| std::cmp::Reverse(answer.preference()));
        let (_, best) = *answers.first()?;
        let is_kept = |answer: TableAnswer| match best.outcome {
            // DTM tables do not know the path through the 50-move rule: the search must find it.
            TableOutcome::DoubtfulWin if source == Source::Own => answer.outcome == best.outcome,
            _ => answer.preference() == best.preference(),
        };
        let kept = answers
            .iter()
            .filter(|(_, answer)| is_kept(*answer))
            .count();
        answers.truncate(kept.max(wanted));
        Some(Rooted {
            moves: answers,
            source,
        })
    }

    /// Returns the answer for the position after a move, from the view of its side to move.
    fn after_move(&self, line: &Line, source: Source) -> Option<TableAnswer> {
        let position = line.position();
        if let Some(answer) = by_rule(position, self.params.syzygy_50_move_rule) {
            return Some(answer);
        }
        // The third occurrence ends the game.
        if line.repetitions() > 1 {
            return Some(TableAnswer::DRAW);
        }
        match source {
            Source::Own => self.ask_own(position),
            Source::Syzygy => self.ask_syzygy(position),
        }
    }
}
