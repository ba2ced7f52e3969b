//! Bounds of a node's value, each with the depth it was found at.

use crate::game::{Score, Window};

/// A bound and the depth it was found at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthBound {
    /// From the point of view of the side to move at the node.
    pub score: Score,
    /// Minimum number of plies looked ahead.
    pub depth: u16,
}

/// All bounds worth keeping. No two contradict each other: the deeper bound stays, and at equal depth the later one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Lower bounds; a stronger bound is kept only if it is less deep.
    lower: Vec<DepthBound>,
    /// Upper bounds; a stronger bound is kept only if it is less deep.
    upper: Vec<DepthBound>,
}

impl Bounds {
    /// Adds a score found by a search of that depth with that window.
    pub fn note(&mut self, score: Score, window: Window, depth: u16) {
        let shows_lower = score > window.alpha() || score == Score::MIN;
        let shows_upper = score < window.beta() || score == Score::MAX;
        // First goes what is contradicted: else it might stand in for what is added.
        if shows_lower {
            self.upper
                .retain(|known| known.depth > depth || known.score >= score);
        }
        if shows_upper {
            self.lower
                .retain(|known| known.depth > depth || known.score <= score);
        }
        if shows_lower {
            let limit = self.upper(0).unwrap_or(Score::MAX);
            let score = score.min(limit);
            add(&mut self.lower, DepthBound { score, depth }, |a, b| a >= b);
        }
        if shows_upper {
            let limit = self.lower(0).unwrap_or(Score::MIN);
            let score = score.max(limit);
            add(&mut self.upper, DepthBound { score, depth }, |a, b| a <= b);
        }
    }

    /// The greatest lower bound of at least that depth.
    pub fn lower(&self, depth: u16) -> Option<Score> {
        let deep = self.lower.iter().filter(|bound| bound.depth >= depth);
        deep.map(|bound| bound.score).max()
    }

    /// The least upper bound of at least that depth.
    pub fn upper(&self, depth: u16) -> Option<Score> {
        let deep = self.upper.iter().filter(|bound| bound.depth >= depth);
        deep.map(|bound| bound.score).min()
    }

    /// The exact value, if searches of at least that depth found it.
    pub fn exact(&self, depth: u16) -> Option<Score> {
        let lower = self.lower(depth)?;
        (lower == self.upper(depth)?).then_some(lower)
    }
}

/// Adds a bound unless others imply it, and drops those that it implies.
fn add(bounds: &mut Vec<DepthBound>, new: DepthBound, is_as_strong: fn(Score, Score) -> bool) {
    let says = |one: DepthBound, other: DepthBound| {
        one.depth >= other.depth && is_as_strong(one.score, other.score)
    };
    if !bounds.iter().any(|&known| says(known, new)) {
        bounds.retain(|&known| !says(new, known));
        bounds.push(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cp(score: i32) -> Score {
        Score::centipawns(score)
    }

    fn window(alpha: i32, beta: i32) -> Window {
        Window::new(cp(alpha), cp(beta))
    }

    #[test]
    fn a_later_answer_as_deep_replaces_what_it_contradicts() {
        let mut bounds = Bounds::default();
        bounds.note(cp(7), window(-33, 7), 4);
        assert_eq!((bounds.lower(4), bounds.upper(4)), (Some(cp(7)), None));
        bounds.note(cp(3), window(-33, 67), 4);
        assert_eq!(bounds.exact(4), Some(cp(3)));
        assert_eq!(bounds.exact(5), None);
    }

    #[test]
    fn what_was_found_deeper_stands() {
        let mut bounds = Bounds::default();
        bounds.note(cp(10), window(10, 20), 9);
        bounds.note(cp(30), window(29, 30), 5);
        assert_eq!(bounds.upper(9), Some(cp(10)));
        assert_eq!(bounds.lower(5), Some(cp(10)));
    }

    #[test]
    fn a_stronger_bound_less_deep_is_kept_beside_a_deeper_one() {
        let mut bounds = Bounds::default();
        bounds.note(cp(10), window(9, 10), 9);
        bounds.note(cp(30), window(29, 30), 5);
        assert_eq!(bounds.lower(9), Some(cp(10)));
        assert_eq!(bounds.lower(5), Some(cp(30)));
        bounds.note(cp(40), window(39, 40), 9);
        assert_eq!(bounds.lower.len(), 1);
    }
}
