//! The reliability of a decision by the theory of errors (thesis, chapter 4), computed from the stored search
//! tree.

use super::course::{CourseLimits, decide};
use crate::cc2s::{SafetyGoal, ThinNodeId, ThinTree};
use crate::chess::{Line, Move};
use crate::engine::search::{Question, RootUpdate, Search as _, SearchListener};
use crate::engine::searches::cc2s::DelegatedCc2s;
use crate::game::{Progress, Requirement, Score, TargetBound};
use crate::settings::EngineParams;
use crate::thesis::quality::{Hull, Proof, critical_leaves};
use crate::thesis::{Cc2sParams, NodeId, Tree};
use crate::tools::ToolError;

/// The claim of a stored tree about one root move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootMoveClaim<M> {
    /// The move.
    pub mv: M,
    /// The bound on the move's value that the decision requires, from the root's view.
    pub bound: TargetBound,
    /// Leaf-disjoint strategies that prove the bound; 0 if the stored tree does not. [`Proof::CERTAIN`] if ends of
    /// the game prove it.
    pub strategies: u64,
    /// Number of leaves of which each alone would refute the claim if changed.
    pub critical_leaves: usize,
    /// Evaluated leaves below the move.
    pub leaves: usize,
}

/// A decision as a tree of won and lost leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionQuality<M> {
    /// One claim for each root move, the chosen move first. Its value is at least the splitting value; those of
    /// the other moves are at most that.
    pub claims: Vec<RootMoveClaim<M>>,
    /// The conjunction of all claims: lost for the side to move exactly if all of them hold.
    pub hull: Hull,
}

impl<M> DecisionQuality<M> {
    /// Leaf-disjoint strategies for the decision as a whole; 0 if the stored tree does not prove it.
    pub fn strategies(&self) -> u64 {
        self.claims
            .iter()
            .map(|claim| claim.strategies)
            .min()
            .unwrap_or(0)
    }
}

/// Reads the proof of a decision from a stored tree: `best` is worth at least `least`, all others at most
/// `greatest` (root's view).
///
/// A leaf counts for a claim if its value supports the claim, and against it otherwise. Successors that were never
/// evaluated count against a claim wherever they could refute it. So every number is a lower bound of that for the
/// complete game tree.
pub fn read_decision<M: Copy + Eq>(
    tree: &Tree<M>,
    best: M,
    least: Score,
    greatest: Score,
) -> DecisionQuality<M> {
    let root = Tree::<M>::ROOT;
    let mut claims = Vec::new();
    let mut hulls = Vec::new();
    for (index, successor) in tree.successors(root).iter().enumerate() {
        let is_best = successor.mv() == best;
        let bound = if is_best {
            TargetBound::AtLeast(least)
        } else {
            TargetBound::AtMost(greatest)
        };
        let below = read(tree, tree.successor(root, index), bound.to_successor());
        let holds = below.won() != is_best;
        let claim = RootMoveClaim {
            mv: successor.mv(),
            bound,
            strategies: if holds {
                Proof::of(&below).strategies
            } else {
                0
            },
            critical_leaves: if holds {
                critical_leaves(&below).len()
            } else {
                0
            },
            leaves: below.leaves(),
        };
        // In the game 'all claims hold' the side to move at the root wins if one of them fails.
        let hull = if is_best {
            Hull::Inner(vec![below])
        } else {
            below
        };
        let place = if is_best { 0 } else { claims.len() };
        claims.insert(place, claim);
        hulls.insert(place, hull);
    }
    DecisionQuality {
        claims,
        hull: Hull::Inner(hulls),
    }
}

/// The tree below `v` with respect to `bound`. Won if the side to move proves an `AtLeast` or refutes an `AtMost`.
fn read<M: Copy + Eq>(tree: &Tree<M>, v: NodeId, bound: TargetBound) -> Hull {
    let node = &tree[v];
    let claimed = matches!(bound, TargetBound::AtLeast(_));
    let holds = node.value().supports(bound);
    let won = claimed == holds;
    if node.is_end() {
        return Hull::End { won };
    }
    if node.successor_count() == 0 {
        return Hull::Leaf { won };
    }
    let mut successors: Vec<_> = (0..node.successor_count())
        .map(|index| read(tree, tree.successor(v, index), bound.to_successor()))
        .collect();
    if !claimed && !node.is_fully_known() {
        successors.push(Hull::Leaf { won: false });
    }
    let inner = Hull::Inner(successors);
    // If the node's value shows the bound but its successors do not, the node becomes a leaf.
    if inner.won() != claimed && holds {
        Hull::Leaf { won }
    } else {
        inner
    }
}

/// A search and the claims of its tree.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The last requirement met.
    pub met: Requirement,
    /// The splitting value, from the root's view.
    pub hypothesis: Score,
    /// Margin below the value for the best move and above it for the others, in centipawns.
    pub margin_cp: i16,
    /// Nodes, tree and leaf.
    pub nodes: u64,
    /// The claims of the tree.
    pub decision: DecisionQuality<Move>,
}

/// Searches a position with Cc2s until the depth is completed or the nodes are spent, and reads the tree. `None`
/// if not even the first requirement was met.
///
/// Null moves, reductions and target tables are switched off regardless of `params`, because their proofs are not
/// in the tree.
///
/// # Errors
/// The memory cannot be allocated.
pub fn examine(
    line: &Line,
    params: &EngineParams,
    depth: u16,
    nodes_max: u64,
) -> Result<Option<Examined>, ToolError> {
    let mut params = params.clone();
    params.cc2s = Cc2sParams {
        null_move: false,
        fail_high_reduction: false,
        target_tables: false,
        elementary_schedule: false,
        ..params.cc2s
    };
    let limits = CourseLimits {
        depth,
        nodes: nodes_max,
        enough: None,
    };
    let course = decide(line, &params, limits)?;
    Ok(course.steps.last().map(|step| Examined {
        met: step.met,
        hypothesis: step.hypothesis,
        margin_cp: step.margin_cp,
        nodes: course.counters.nodes(),
        decision: read_decision(
            &course.tree,
            course.decision.pv[0],
            step.hypothesis - step.margin_cp,
            step.hypothesis + step.margin_cp,
        ),
    }))
}

/// Reads the thin tree of a delegating search for a goal that it reported as met. The proof is recomputed from the
/// answers of workers alone.
///
/// A leaf is the answer of one alpha-beta search that a move reaches its bound, at the reported depth. An all node
/// holds if each of its successors does. An unexpanded all node, or a cut node without a strategy, counts against
/// the claim.
pub fn read_goal<M: Copy + Eq>(tree: &ThinTree<M>, goal: &SafetyGoal) -> DecisionQuality<M> {
    let root = ThinTree::<M>::ROOT;
    let account = Account { tree, goal };
    let mut claims = Vec::new();
    let mut hulls = Vec::new();
    for &id in tree.node(root).successors.iter().flatten() {
        let is_best = id == goal.best();
        let (bound, below) = if is_best {
            let bound = TargetBound::AtLeast(goal.low());
            (bound, account.all_node(id, goal.low().to_successor(), 1))
        } else {
            let bound = TargetBound::AtMost(goal.high());
            (bound, account.cut_node(id, goal.high().to_successor(), 1))
        };
        let holds = below.won() != is_best;
        let (strategies, critical_leaves) = if holds {
            (Proof::of(&below).strategies, critical_leaves(&below).len())
        } else {
            (0, 0)
        };
        let claim = RootMoveClaim {
            mv: tree.node(id).mv.expect("a successor has a move"),
            bound,
            strategies,
            critical_leaves,
            leaves: below.leaves(),
        };
        let place = if is_best { 0 } else { claims.len() };
        let hull = if is_best {
            Hull::Inner(vec![below])
        } else {
            below
        };
        claims.insert(place, claim);
        hulls.insert(place, hull);
    }
    DecisionQuality {
        claims,
        hull: Hull::Inner(hulls),
    }
}

/// The proof of a goal in a tree. Levels are plies from the root.
struct Account<'a, M> {
    tree: &'a ThinTree<M>,
    goal: &'a SafetyGoal,
}

impl<M: Copy + Eq> Account<'_, M> {
    /// Won if some move is shown to reach the score.
    fn cut_node(&self, id: ThinNodeId, score: Score, level: u16) -> Hull {
        let node = self.tree.node(id);
        if node.bounds.lower(u16::MAX) >= Some(score) {
            return Hull::End { won: true };
        }
        let behind = |mv: M| {
            // The subtree of the move counts if it proves more strategies than the one answer about the move.
            let below = self.tree.successor(id, mv)?;
            let hull = self.all_node(below, score.to_successor(), level + 1);
            (!hull.won() && Proof::of(&hull).strategies > 1).then_some(hull)
        };
        let strategies = node.strategies_for(score, self.goal.look_depth(level));
        let leaf = Hull::Leaf { won: false };
        let leaves = strategies.into_iter();
        let leaves = leaves.map(|strategy| behind(strategy.mv).unwrap_or_else(|| leaf.clone()));
        let leaves: Vec<Hull> = leaves.collect();
        if leaves.is_empty() {
            leaf
        } else {
            Hull::Inner(leaves)
        }
    }

    /// Lost if every move leads to a node that holds the score against it.
    fn all_node(&self, id: ThinNodeId, score: Score, level: u16) -> Hull {
        match &self.tree.node(id).successors {
            None => Hull::Leaf { won: true },
            Some(successors) if successors.is_empty() => Hull::End { won: false },
            Some(successors) => {
                let below = successors.iter();
                let below = below.map(|&id| self.cut_node(id, score.to_successor(), level + 1));
                Hull::Inner(below.collect())
            }
        }
    }
}

/// Searches a position with the default Cc2s, which delegates, and reads the tree for the last goal of two
/// strategies reported as met. `None` if there is none.
///
/// # Errors
/// The memory cannot be allocated.
pub fn examine_delegated(
    line: &Line,
    params: &EngineParams,
    depth: u16,
    nodes_max: u64,
) -> Result<Option<Examined>, ToolError> {
    let mut search = DelegatedCc2s::new(
        params.delegation.clone(),
        &params.delegate(),
        params.engine.threads as usize,
        params.engine.hash_mib as usize,
    )
    .map_err(ToolError::refused)?;
    let mut listener = UntilSafe {
        depth,
        nodes_max,
        nodes: 0,
        met: Requirement::default(),
    };
    search.think(&Question::about(line.clone()), &mut listener);
    let planner = search.planner();
    Ok(planner.secured().map(|goal| Examined {
        met: planner.safety().0.unwrap_or_default(),
        hypothesis: goal.value(),
        margin_cp: goal.margin_cp() as i16,
        nodes: listener.nodes,
        decision: read_goal(planner.tree(), &goal),
    }))
}

/// Stops a search when two strategies of a depth are reported, or when the nodes are spent.
struct UntilSafe {
    depth: u16,
    nodes_max: u64,
    nodes: u64,
    met: Requirement,
}

impl SearchListener<Move> for UntilSafe {
    fn proceed(&mut self, progress: &Progress) -> bool {
        self.nodes = progress.nodes;
        let is_safe = self.met.conspiracy > 1 && self.met.depth >= self.depth;
        !is_safe && progress.nodes < self.nodes_max
    }

    fn report(&mut self, report: &RootUpdate) {
        if let Some(safety) = report.safety {
            self.met = Requirement {
                depth: safety.depth,
                conspiracy: safety.conspiracy,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Value;
    use crate::thesis::TreeNode;

    fn exact(score: i32) -> Value {
        Value::exact(Score::centipawns(score))
    }

    /// Adds successors with the given values (from their own view) and returns the first.
    fn grow(tree: &mut Tree<u16>, v: NodeId, moves: usize, values: &[i32]) -> NodeId {
        for (mv, &score) in values.iter().enumerate() {
            tree.add_successor(v, TreeNode::new(mv as u16, exact(score)))
                .unwrap();
        }
        tree[v].set_move_count(moves);
        tree.successor(v, 0)
    }

    /// The chosen move has two known answers, both bad for the opponent. The other move has three answers, two of
    /// them known, one of which refutes it.
    #[test]
    fn a_decision_is_read_off_its_tree() {
        let mut tree = Tree::with_capacity(1_024).unwrap();
        tree.reset(TreeNode::new(0_u16, exact(0)));
        let root = Tree::<u16>::ROOT;
        grow(&mut tree, root, 2, &[-10, 5]);
        let (best, other) = (tree.successor(root, 0), tree.successor(root, 1));
        grow(&mut tree, best, 2, &[10, 20]);
        grow(&mut tree, other, 3, &[-5, 9]);
        let zero = Score::DRAW;
        let read = read_decision(&tree, 0, zero, zero);
        let claim = |index: usize| {
            let claim = &read.claims[index];
            (
                claim.mv,
                claim.strategies,
                claim.critical_leaves,
                claim.leaves,
            )
        };
        assert_eq!(claim(0), (0, 1, 2, 2));
        assert_eq!(claim(1), (1, 1, 1, 2));
        assert!(!read.hull.won());
        assert_eq!(
            (read.strategies(), critical_leaves(&read.hull).len()),
            (1, 3)
        );
        // With a higher bound the claim about the chosen move fails: one answer is too good.
        let greedy = read_decision(&tree, 0, Score::centipawns(15), zero);
        assert_eq!((greedy.strategies(), greedy.claims[0].strategies), (0, 0));
        assert!(greedy.hull.won());
    }

    /// An unknown answer counts against the chosen move; the move's own value can still support it.
    #[test]
    fn unknown_successors_count_against_a_claim() {
        let mut tree = Tree::with_capacity(1_024).unwrap();
        tree.reset(TreeNode::new(0_u16, exact(0)));
        let root = Tree::<u16>::ROOT;
        let best = grow(&mut tree, root, 1, &[-10]);
        grow(&mut tree, best, 2, &[10]);
        let claims = read_decision(&tree, 0, Score::DRAW, Score::DRAW).claims;
        assert_eq!(
            (claims[0].strategies, claims[0].leaves),
            (1, 1),
            "a leaf by its own value"
        );
        tree[best].set_value(exact(10));
        let claims = read_decision(&tree, 0, Score::DRAW, Score::DRAW).claims;
        assert_eq!(claims[0].strategies, 0);
    }
}
