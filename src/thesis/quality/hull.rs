//! Trees of won and lost positions.

use crate::game::explicit::Sketch;

/// A finite tree whose inner nodes have all of their successors. The side to move wins at an inner node exactly if
/// some successor is lost for the opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hull {
    /// An evaluated position.
    Leaf {
        /// Whether the side to move wins it, by its value.
        won: bool,
    },
    /// An end of the game, valued by its rules, so never wrong.
    End {
        /// Whether the side to move wins it.
        won: bool,
    },
    /// A position whose value follows from its successors, of which there is at least one.
    Inner(Vec<Hull>),
}

impl Hull {
    /// Converts a tree of scores, split at a hypothesis: a won root has a value of at least `splitting_cp`. Only
    /// the scores of leaves are read.
    pub fn split(sketch: &Sketch, splitting_cp: i32) -> Self {
        if sketch.successors.is_empty() {
            return Self::Leaf {
                won: sketch.score >= splitting_cp,
            };
        }
        // The opponent wins where the score is below the splitting value, that is above its negative in the
        // opponent's view.
        Self::Inner(
            sketch
                .successors
                .iter()
                .map(|successor| Self::split(successor, 1 - splitting_cp))
                .collect(),
        )
    }

    /// Whether the side to move wins, by minimax.
    pub fn won(&self) -> bool {
        match self {
            Self::Leaf { won } | Self::End { won } => *won,
            Self::Inner(successors) => successors.iter().any(|successor| !successor.won()),
        }
    }

    /// Returns the number of leaves, excluding ends of the game.
    pub fn leaves(&self) -> usize {
        match self {
            Self::Leaf { .. } => 1,
            Self::End { .. } => 0,
            Self::Inner(successors) => successors.iter().map(Self::leaves).sum(),
        }
    }
}
