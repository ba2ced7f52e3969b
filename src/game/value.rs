//! Values of nodes, and bounds to compare them with (Definitions 1.8-9 and 1.8-10, Fig. 2.16).

use crate::game::{Score, Valuation, Window};

/// The side of a score on which the truth lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// At most the score: some hull below the node has a minimax value of no more (thesis: `<=`).
    Upper,
    /// At least the score: some hull below the node has a minimax value of no less (thesis: `>=`).
    Lower,
    /// The score itself: both, perhaps by different hulls (thesis: `#`, a point value).
    Exact,
}

impl Bound {
    /// The meaning of a fail-soft score found with the window `(alpha, beta)`.
    pub const fn of(score: i32, alpha: i32, beta: i32) -> Self {
        if score >= beta {
            Self::Lower
        } else if score > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }
}

/// The value of a node, seen by the side to move there. Not a proof of the game's value: it rests on evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Bound type of the score.
    pub bound: Bound,
    /// The number.
    pub score: Score,
}

/// A claim about a node, to be supported or contradicted by its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TargetBound {
    /// The node is worth at most this.
    AtMost(Score),
    /// The node is worth at least this.
    AtLeast(Score),
}

/// The relation of a value to a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The value implies the bound.
    Supports,
    /// The value excludes the bound.
    Contradicts,
    /// Neither.
    Undecided,
}

impl Value {
    /// A point value.
    pub const fn exact(score: Score) -> Self {
        Self {
            bound: Bound::Exact,
            score,
        }
    }

    /// A bound value from below.
    pub const fn at_least(score: Score) -> Self {
        Self {
            bound: Bound::Lower,
            score,
        }
    }

    /// A bound value from above.
    pub const fn at_most(score: Score) -> Self {
        Self {
            bound: Bound::Upper,
            score,
        }
    }

    /// The value of the evaluator's answer to a windowed question (Fig. 2.16). At the ends of the scale nothing lies
    /// beyond, so there the answer is exact.
    pub fn of(valuation: Valuation, window: Window) -> Self {
        let score = valuation.score;
        if score >= window.beta() && window.beta() < Score::MAX {
            Self::at_least(score)
        } else if score <= window.alpha() && window.alpha() > Score::MIN {
            Self::at_most(score)
        } else {
            Self::exact(score)
        }
    }

    /// Whether this is a point value.
    pub fn is_exact(self) -> bool {
        self.bound == Bound::Exact
    }

    /// Whether the value bounds the node from below (`AtLeast` or `Exact`).
    pub fn bounds_below(self) -> bool {
        self.bound != Bound::Upper
    }

    /// Whether the value bounds the node from above (`AtMost` or `Exact`).
    pub fn bounds_above(self) -> bool {
        self.bound != Bound::Lower
    }

    /// The same value seen by the parent: the only place where the point of view changes.
    #[must_use]
    pub fn to_parent(self) -> Self {
        let bound = match self.bound {
            Bound::Upper => Bound::Lower,
            Bound::Lower => Bound::Upper,
            Bound::Exact => Bound::Exact,
        };
        Self {
            bound,
            score: self.score.to_parent(),
        }
    }

    /// The relation of this value to `bound` at the same node.
    pub fn relation_to(self, bound: TargetBound) -> Relation {
        let (supports, contradicts) = match bound {
            TargetBound::AtLeast(score) => (
                self.bounds_below() && self.score >= score,
                self.bounds_above() && self.score < score,
            ),
            TargetBound::AtMost(score) => (
                self.bounds_above() && self.score <= score,
                self.bounds_below() && self.score > score,
            ),
        };
        match (supports, contradicts) {
            (true, _) => Relation::Supports,
            (false, true) => Relation::Contradicts,
            (false, false) => Relation::Undecided,
        }
    }

    /// Whether the value supports the bound.
    pub fn supports(self, bound: TargetBound) -> bool {
        self.relation_to(bound) == Relation::Supports
    }

    /// Whether the value does not contradict the bound.
    pub fn is_on_target(self, bound: TargetBound) -> bool {
        self.relation_to(bound) != Relation::Contradicts
    }
}

impl TargetBound {
    /// The number.
    pub const fn score(self) -> Score {
        match self {
            Self::AtMost(score) | Self::AtLeast(score) => score,
        }
    }

    /// The bound a successor must show so that this one holds at its parent.
    #[must_use]
    pub const fn to_successor(self) -> Self {
        match self {
            Self::AtMost(score) => Self::AtLeast(score.to_successor()),
            Self::AtLeast(score) => Self::AtMost(score.to_successor()),
        }
    }

    /// The question to an evaluator that decides the bound and nothing more.
    pub fn null_window(self) -> Window {
        match self {
            Self::AtMost(score) => Window::null_above(score),
            Self::AtLeast(score) => Window::null_below(score),
        }
    }

    /// Whether the rules alone guarantee the bound unless the game is over: a side to move is not mated yet, and cannot
    /// mate before its next move. No evaluation can break such a bound.
    pub fn is_certain(self) -> bool {
        match self {
            Self::AtLeast(score) => score <= Score::mated_in(1),
            Self::AtMost(score) => score >= Score::mate_in(1),
        }
    }

    /// Whether this bound implies `other` (same direction, at least as sharp).
    pub fn implies(self, other: Self) -> bool {
        match (self, other) {
            (Self::AtMost(own), Self::AtMost(others)) => own <= others,
            (Self::AtLeast(own), Self::AtLeast(others)) => own >= others,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_nearest_mates_bound_for_certain() {
        // Below a bound that is certain, every bound is; one move further away, none is.
        for bound in [
            TargetBound::AtLeast(Score::mated_in(2)),
            TargetBound::AtMost(Score::mate_in(2)),
        ] {
            assert!(!bound.is_certain() && bound.to_successor().is_certain());
            assert!(bound.to_successor().to_successor().is_certain());
        }
        for score in [Score::mated_in(3), Score::DRAW, Score::mate_in(3)] {
            for bound in [TargetBound::AtLeast(score), TargetBound::AtMost(score)] {
                assert!(!bound.is_certain() && !bound.to_successor().is_certain());
            }
        }
        // Nothing that bounds the other way round follows from the rules.
        assert!(!TargetBound::AtMost(Score::mated_in(1)).is_certain());
        assert!(!TargetBound::AtLeast(Score::mate_in(1)).is_certain());
    }
}
