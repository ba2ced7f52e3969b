//! The shape of stored trees: nodes on each level (thesis 2.4.2, Figs. 2.28 and 2.29).

use super::course::{CourseLimits, decide};
use crate::chess::Line;
use crate::game::Requirement;
use crate::settings::EngineParams;
use crate::thesis::Tree;
use crate::tools::ToolError;

/// Counts the nodes of a stored tree by level: the root is on level 0, its successors on level 1. A position after
/// a null move is one level below its node. Nodes of the evaluator are not in the tree.
pub fn nodes_by_level<M: Copy + Eq>(tree: &Tree<M>) -> Vec<u64> {
    let mut counts = Vec::new();
    let mut open = vec![(Tree::<M>::ROOT, 0)];
    while let Some((v, level)) = open.pop() {
        if counts.len() <= level {
            counts.resize(level + 1, 0);
        }
        counts[level] += 1;
        let successors = (0..tree[v].successor_count()).map(|index| tree.successor(v, index));
        open.extend(
            successors
                .chain(tree.pass_successor(v))
                .map(|successor| (successor, level + 1)),
        );
    }
    counts
}

/// The tree at the time when a requirement was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelProfile {
    /// The requirement.
    pub met: Requirement,
    /// Nodes by level, starting with the root.
    pub nodes: Vec<u64>,
    /// Number of times the memory was full and a part of the tree was removed, which the counts lack.
    pub forgettings: u64,
}

impl LevelProfile {
    /// Total number of nodes.
    pub fn total(&self) -> u64 {
        self.nodes.iter().sum()
    }

    /// The deepest level.
    pub fn depth(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The level with the most nodes, the first one of several.
    pub fn widest(&self) -> usize {
        let widest = (0..self.nodes.len())
            .max_by_key(|&level| (self.nodes[level], std::cmp::Reverse(level)));
        widest.unwrap_or(0)
    }
}

/// Returns the tree at the time when the last requirement was met within `nodes_max` nodes (tree and leaf), as in
/// the thesis. `None` if none was met.
///
/// The search is run twice, the second time up to that requirement, because the tree does not record its history.
///
/// # Errors
/// The memory cannot be allocated.
pub fn shape(
    line: &Line,
    params: &EngineParams,
    nodes_max: u64,
) -> Result<Option<LevelProfile>, ToolError> {
    let mut limits = CourseLimits {
        depth: u16::MAX,
        nodes: nodes_max,
        enough: None,
    };
    let Some(last) = decide(line, params, limits)?.steps.pop() else {
        return Ok(None);
    };
    limits.enough = Some(last.met);
    let course = decide(line, params, limits)?;
    Ok(Some(LevelProfile {
        met: last.met,
        nodes: nodes_by_level(&course.tree),
        forgettings: course.counters.forgettings,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Score, Value};
    use crate::thesis::TreeNode;

    #[test]
    fn every_node_is_counted_on_its_level() {
        let value = Value::exact(Score::DRAW);
        let mut tree = Tree::with_capacity(1_024).unwrap();
        tree.reset(TreeNode::new(0_u16, value));
        let root = Tree::<u16>::ROOT;
        for mv in 0..3 {
            tree.add_successor(root, TreeNode::new(mv, value)).unwrap();
        }
        let second = tree.successor(root, 1);
        let grandkid = tree.add_successor(second, TreeNode::new(7, value)).unwrap();
        let pass = tree
            .set_pass_successor(grandkid, TreeNode::new(7, value))
            .unwrap();
        tree.add_successor(pass, TreeNode::new(8, value)).unwrap();
        let shape = LevelProfile {
            met: Requirement::default(),
            nodes: nodes_by_level(&tree),
            forgettings: 0,
        };
        assert_eq!(shape.nodes, [1, 3, 1, 1, 1]);
        assert_eq!((shape.total(), shape.depth(), shape.widest()), (7, 4, 1));
    }
}
