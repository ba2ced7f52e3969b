//! Leaf-disjoint proving strategies and critical leaves.

use super::Hull;

/// The proof of the value of a node. It can be folded from the leaves upwards during a walk of the tree, without
/// storing anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Whether the side to move wins.
    pub won: bool,
    /// The greatest number of leaf-disjoint strategies that prove it, which is the least number of leaves whose
    /// change turns it (Theorem 2.1-1). [`Proof::CERTAIN`] if no change of leaves can turn it.
    pub strategies: u64,
}

impl Proof {
    /// The strategies of a value that follows from the rules of the game alone.
    pub const CERTAIN: u64 = u64::MAX;

    /// Returns the proof of a leaf valued by an evaluator, perhaps wrongly.
    pub fn leaf(won: bool) -> Self {
        Self { won, strategies: 1 }
    }

    /// Returns the proof of an end of the game, which is never wrong.
    pub fn end(won: bool) -> Self {
        Self {
            won,
            strategies: Self::CERTAIN,
        }
    }

    /// Returns the proof of a node with all of its successors, of which there is at least one.
    ///
    /// One lost successor is enough to win, and strategies through different ones share no leaf: they add up. A
    /// loss needs all successors to be won, so the weakest decides.
    pub fn inner(successors: impl IntoIterator<Item = Self>) -> Self {
        let mut won_by = None;
        let mut lost_by = Self::CERTAIN;
        for successor in successors {
            if successor.won {
                lost_by = lost_by.min(successor.strategies);
            } else {
                won_by = Some(successor.strategies.saturating_add(won_by.unwrap_or(0)));
            }
        }
        match won_by {
            Some(strategies) => Self {
                won: true,
                strategies,
            },
            None => Self {
                won: false,
                strategies: lost_by,
            },
        }
    }

    /// Returns the proof of the root of a hull.
    pub fn of(hull: &Hull) -> Self {
        match hull {
            Hull::Leaf { won } => Self::leaf(*won),
            Hull::End { won } => Self::end(*won),
            Hull::Inner(successors) => Self::inner(successors.iter().map(Self::of)),
        }
    }
}

/// Returns the leaves whose change alone changes the value of the root, as zero-based numbers from left to right.
/// Ends of the game have no number.
pub fn critical_leaves(hull: &Hull) -> Vec<usize> {
    let mut critical = Vec::new();
    collect_critical(hull, 0, &mut critical);
    critical
}

fn collect_critical(hull: &Hull, first_leaf: usize, critical: &mut Vec<usize>) {
    let successors = match hull {
        Hull::Leaf { .. } => return critical.push(first_leaf),
        Hull::End { .. } => return,
        Hull::Inner(successors) => successors,
    };
    let lost = successors
        .iter()
        .filter(|successor| !successor.won())
        .count();
    let mut first_leaf = first_leaf;
    for successor in successors {
        // One lost successor is the only support of a win; two support each other. A loss needs every successor.
        if lost == 0 || lost == 1 && !successor.won() {
            collect_critical(successor, first_leaf, critical);
        }
        first_leaf += successor.leaves();
    }
}

/// Whether searching the tree is better than evaluating its root, given a good enough evaluator (Definition
/// 4.3-15): no leaf is critical.
pub fn is_useful(hull: &Hull) -> bool {
    Proof::of(hull).strategies > 1
}
