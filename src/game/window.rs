//! The window of a question to an evaluator or to alpha-beta.

use super::Score;

/// An open interval `(alpha, beta)`: the asker tells scores apart only inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Window {
    alpha: Score,
    beta: Score,
}

impl Window {
    /// Every score is inside or at an end: the answer is exact.
    pub const FULL: Self = Self {
        alpha: Score::MIN,
        beta: Score::MAX,
    };

    /// The window `(alpha, beta)`; `alpha < beta` is required.
    pub fn new(alpha: Score, beta: Score) -> Self {
        assert!(alpha < beta, "empty window ({alpha}, {beta})");
        Self { alpha, beta }
    }

    /// `(score, score + 1)`: asks whether the score is at most `score` or more.
    pub fn null_above(score: Score) -> Self {
        Self::new(score.min(Score::MAX - 1), (score + 1).min(Score::MAX))
    }

    /// `(score - 1, score)`: asks whether the score is at least `score` or less.
    pub fn null_below(score: Score) -> Self {
        Self::new(score - 1, score.max(Score::MIN + 1))
    }

    /// The lower end.
    pub const fn alpha(self) -> Score {
        self.alpha
    }

    /// The upper end.
    pub const fn beta(self) -> Score {
        self.beta
    }

    /// Whether no score lies inside.
    pub fn is_null(self) -> bool {
        self.beta.raw() as i32 - self.alpha.raw() as i32 == 1
    }

    /// Whether every score inside the other window is inside this one.
    pub fn contains(self, other: Self) -> bool {
        self.alpha <= other.alpha && other.beta <= self.beta
    }

    /// The same window asked of a successor.
    #[must_use]
    pub fn to_successor(self) -> Self {
        let (alpha, beta) = (self.beta.to_successor(), self.alpha.to_successor());
        if alpha < beta {
            Self { alpha, beta }
        } else {
            Self::null_above(alpha)
        }
    }
}
