//! Scores found by null-window searches: MTD(f) (Plaat, Schaeffer, Pijls, de Bruin 1996).

/// Bounds of a score, and the next question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bracket {
    lower: i32,
    upper: i32,
    guess: i32,
}

impl Bracket {
    /// The first question begins at the guess, every further one where the last answer points.
    pub(super) fn new(lower: i32, upper: i32, guess: i32) -> Self {
        Self {
            lower,
            upper,
            guess,
        }
    }

    /// The bound to ask about next; `None` once the score is known.
    pub(super) fn next(&self) -> Option<i32> {
        let is_open = self.lower < self.upper;
        is_open.then(|| self.guess.clamp(self.lower + 1, self.upper))
    }

    /// Records the answer. An answer that contradicts earlier ones ends the search.
    pub(super) fn note(&mut self, bound: i32, score: i32) {
        if score < bound {
            self.upper = score.max(self.lower);
            self.guess = score;
        } else {
            self.lower = score.min(self.upper);
            self.guess = score + 1;
        }
    }
}
