//! Scores found by questions about one bound each: MTD(f) (Plaat, Schaeffer, Pijls, de Bruin 1996).

use super::searcher::LeafSearcher;
use crate::chess::Line;

/// The first stride of a valuation, in centipawns: bounds far apart are drawn together in few questions.
const STRIDE: i32 = 4;

/// What is known of a score, and what to ask next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bracket {
    lower: i32,
    upper: i32,
    guess: i32,
    /// How far the second question in one direction goes beyond the last answer; each one after it goes twice as far.
    first_stride: i32,
    stride: i32,
    was_below: Option<bool>,
}

impl Bracket {
    /// Without strides (0) every question begins where the last answer points.
    pub(super) fn new((lower, upper): (i32, i32), guess: i32, first_stride: i32) -> Self {
        Self {
            lower,
            upper,
            guess,
            first_stride,
            stride: 0,
            was_below: None,
        }
    }

    /// The bound to ask about next; `None` once the score is known.
    pub(super) fn next(&self) -> Option<i32> {
        let is_open = self.lower < self.upper;
        is_open.then(|| self.guess.clamp(self.lower + 1, self.upper))
    }

    /// Takes note of the answer. One that contradicts those before it ends the matter.
    pub(super) fn note(&mut self, bound: i32, score: i32) {
        let is_below = score < bound;
        self.stride = if self.was_below == Some(is_below) {
            (2 * self.stride).max(self.first_stride)
        } else {
            0
        };
        self.was_below = Some(is_below);
        if is_below {
            self.upper = score.max(self.lower);
            self.guess = score - self.stride;
        } else {
            self.lower = score.min(self.upper);
            self.guess = score + 1 + self.stride;
        }
    }
}

impl LeafSearcher {
    /// Score and nodes of a question with a window wider than one point, put as several questions with null windows.
    ///
    /// They prune like those that most valuations are, so their answers agree with those; and the table, which has the
    /// answers before, makes them together cheaper than one question with an open window.
    pub(super) fn value_between(
        &mut self,
        line: &mut Line,
        depth: i32,
        (alpha, beta): (i32, i32),
    ) -> (i32, u64) {
        let mut bracket = Bracket::new((alpha, beta), self.first_guess(line), STRIDE);
        let mut nodes = 0;
        while let Some(bound) = bracket.next() {
            let (score, cost) = self.value(line, depth, bound - 1, bound);
            nodes += cost;
            if score <= alpha || score >= beta {
                return (score, nodes);
            }
            bracket.note(bound, score);
        }
        (bracket.lower, nodes)
    }

    /// What is remembered of the position, or else what it looks worth.
    fn first_guess(&mut self, line: &Line) -> i32 {
        match self.probe(line.position().key()) {
            Some(entry) => i32::from(entry.score),
            None => self.static_value(line.position(), 0),
        }
    }
}
