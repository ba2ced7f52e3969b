//! The answers of tables for the moves to choose from.

use super::answer::{Distance, TableAnswer, TableOutcome, by_rule};
use super::tables::{Source, Tables};
use crate::chess::{Line, Move};
use crate::game::{Game, Score};

/// A position to move in whose result is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rooted {
    /// The moves worth considering and what they are worth, the best first: those that keep the result, and of these
    /// the nearest to it where the distance is known.
    pub moves: Vec<(Move, TableAnswer)>,
    /// The player that says so.
    pub source: Source,
}

impl Rooted {
    /// The score of the position.
    pub fn answer(&self) -> TableAnswer {
        self.moves[0].1
    }

    /// Whether nothing is left to be found out: the way to mate is known.
    pub fn is_solved(&self) -> bool {
        let TableAnswer { outcome, distance } = self.answer();
        matches!(outcome, TableOutcome::Win | TableOutcome::Loss)
            && matches!(distance, Distance::Mate(_))
    }

    /// Whether the 50-move rule may change the result.
    pub fn is_doubtful(&self) -> bool {
        self.score().is_none()
    }

    /// The score of one of the moves, where it was asked about and its result is beyond doubt.
    pub fn score_of(&self, mv: Move) -> Option<Score> {
        let (_, answer) = self.moves.iter().find(|&&(known, _)| known == mv)?;
        answer.score()
    }

    /// The score, where the result is beyond doubt.
    pub fn score(&self) -> Option<Score> {
        self.answer().score()
    }
}

impl Tables {
    /// The answers for the line's last position, if there are some for all `moves`; at least `wanted` moves are
    /// kept if there are as many.
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
        // Stable: equal moves keep their order.
        answers.sort_by_key(|(_, answer)| std::cmp::Reverse(answer.preference()));
        let (_, best) = *answers.first()?;
        let is_kept = |answer: TableAnswer| match best.outcome {
            // Tables that count moves to mate do not know the way through the 50-move rule: the search must find it.
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

    /// The answer about the position after a move, for the side to move there.
    fn after_move(&self, line: &Line, source: Source) -> Option<TableAnswer> {
        let position = line.position();
        if let Some(answer) = by_rule(position, self.params.syzygy_50_move_rule) {
            return Some(answer);
        }
        // A third time ends the game.
        if line.repetitions() > 1 {
            return Some(TableAnswer::DRAW);
        }
        match source {
            Source::Own => self.ask_own(position),
            Source::Syzygy => self.ask_syzygy(position),
        }
    }
}
