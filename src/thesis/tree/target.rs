//! Targets of nodes, requirements on the root's decision, and the schedule of requirements (Fig. 2.11).

use crate::game::{Requirement, TargetBound};

/// The target of a node: to show its bound by `conspiracy` leaf-disjoint strategies, all of whose leaves are at
/// least `depth` plies below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The bound to show.
    pub bound: TargetBound,
    /// The remaining depth in plies.
    pub depth: u16,
    /// The number of leaf-disjoint strategies required.
    pub conspiracy: u16,
}

/// The kind of a node, given by its target's bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A cut node: one good successor per required strategy is enough.
    Cut,
    /// An all node: every successor must comply.
    All,
}

/// The outcome of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The target is fulfilled (thesis: OK).
    Met,
    /// The node's value has changed and contradicts the target (thesis: NOT OK).
    Missed,
}

impl Target {
    /// Returns the kind of the node.
    pub const fn kind(self) -> NodeKind {
        match self.bound {
            TargetBound::AtLeast(_) => NodeKind::Cut,
            TargetBound::AtMost(_) => NodeKind::All,
        }
    }

    /// Whether a node whose value supports the bound fulfils the target without a search.
    pub const fn is_trivial(self) -> bool {
        self.depth == 0 && self.conspiracy <= 1
    }

    /// Whether fulfilling this target implies fulfilling the other.
    pub fn is_as_demanding_as(self, other: Self) -> bool {
        self.bound.implies(other.bound)
            && self.depth >= other.depth
            && self.conspiracy >= other.conspiracy
    }

    /// Returns this target one ply further down, with the given share of the conspiracy.
    #[must_use]
    pub const fn to_successor(self, conspiracy: u16) -> Self {
        Self {
            bound: self.bound.to_successor(),
            depth: self.depth.saturating_sub(1),
            conspiracy,
        }
    }
}

/// The sequence of requirements of an analysis (thesis 2.3, "Sicherheit von Zügen an der Wurzel").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The maximum conspiracy required.
    pub conspiracy_max: u16,
    /// The depth at which the conspiracy first rises above 1.
    pub rise_depth: u16,
    /// Whether the game is in an elementary ending, where the conspiracy rises earlier and further.
    pub elementary: bool,
}

impl Schedule {
    /// Returns the requirement after `last` ((0, 0) before the first).
    ///
    /// Middle game: (1,1), (2,1), (3,1), (4,1), (4,2), (5,2), (6,2), ... with 4 the depth of the rise and 2 the
    /// greatest conspiracy. Elementary endings: (1,1) .. (4,1), (4,2), (4,3), (5,3) .. (8,3), (8,4), (8,5), (9,5),
    /// ...
    pub fn after(self, last: Requirement) -> Requirement {
        let Requirement { depth, conspiracy } = last;
        let reached = if !self.elementary {
            if depth >= self.rise_depth {
                self.conspiracy_max
            } else {
                1
            }
        } else if depth >= 2 * self.rise_depth {
            self.conspiracy_max + 3
        } else if depth >= self.rise_depth {
            self.conspiracy_max + 1
        } else {
            1
        };
        let reached = if self.conspiracy_max == 1 { 1 } else { reached };
        if depth > 0 && conspiracy < reached {
            Requirement {
                depth,
                conspiracy: conspiracy + 1,
            }
        } else {
            Requirement {
                depth: depth + 1,
                conspiracy: conspiracy.max(1),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Score;

    fn first(schedule: Schedule, count: usize) -> Vec<(u16, u16)> {
        let mut requirement = Requirement::default();
        std::iter::repeat_with(|| {
            requirement = schedule.after(requirement);
            (requirement.depth, requirement.conspiracy)
        })
        .take(count)
        .collect()
    }

    /// The figure's cases for a MAX node are unchanged; at a MIN node MAX's bound is negated.
    #[test]
    fn figure_2_11_all_and_cut_nodes() {
        let score = Score::DRAW;
        let at_max = [
            (TargetBound::AtMost(score), NodeKind::All),
            (TargetBound::AtLeast(score), NodeKind::Cut),
        ];
        for (bound, kind) in at_max {
            let target = Target {
                bound,
                depth: 2,
                conspiracy: 1,
            };
            assert_eq!(target.kind(), kind);
            assert_ne!(target.to_successor(1).kind(), kind, "the same for MIN");
        }
    }

    #[test]
    fn schedules_of_the_thesis() {
        let middle_game = Schedule {
            conspiracy_max: 2,
            rise_depth: 4,
            elementary: false,
        };
        assert_eq!(
            first(middle_game, 7),
            [(1, 1), (2, 1), (3, 1), (4, 1), (4, 2), (5, 2), (6, 2)]
        );
        let ending = Schedule {
            elementary: true,
            ..middle_game
        };
        assert_eq!(
            first(ending, 13),
            [
                (1, 1),
                (2, 1),
                (3, 1),
                (4, 1),
                (4, 2),
                (4, 3),
                (5, 3),
                (6, 3),
                (7, 3),
                (8, 3),
                (8, 4),
                (8, 5),
                (9, 5)
            ]
        );
        let single = Schedule {
            conspiracy_max: 1,
            ..ending
        };
        assert_eq!(first(single, 5), [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1)]);
    }
}
