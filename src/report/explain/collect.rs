//! Collects the proof of a decision from the tree of the search. Only the bounds returned by workers are used.

use shakmaty::Position as _;

use super::evidence::{Branch, EvidenceNode, Leaf, MoveEvidence};
use super::strategies::count;
use super::terms::Analyst;
use crate::cc2s::{Planner, SafetyGoal, ThinNodeId, ThinTree};
use crate::chess::notation::{CastlingStyle, san, uci_move};
use crate::chess::{Line, Move, Position};
use crate::eval::EvaluationKind;
use crate::game::{Requirement, Score};
use crate::report::board::men;
use crate::report::look::Look;
use crate::report::words::{pawns, variation};

pub(super) struct Gathered {
    pub claims: Vec<MoveEvidence>,
    pub leaves: Vec<Leaf>,
    pub safety: Requirement,
    /// The margin within which two strategies show the decision, in centipawns; `None` if they do not.
    pub margin_cp: Option<u16>,
    /// The lower bound of the chosen move, from the root's view.
    pub low: Score,
    /// The upper bound of all other moves.
    pub high: Score,
    /// Position keys of the leaves.
    pub keys: Vec<u64>,
}

/// Reads the last goal of two strategies that was met for the chosen move. Without such a goal, reads the single
/// answers of alpha-beta.
pub(super) fn collect(
    planner: &Planner<Move>,
    evaluation: &EvaluationKind,
    line: &Line,
    seen: &Look,
) -> Gathered {
    let tree = planner.tree();
    let best = tree.successor(ThinTree::<Move>::ROOT, seen.best);
    let secured = planner.secured();
    let goal = secured.filter(|goal| Some(goal.best()) == best);
    let met = planner.progress().met;
    let mut reader = Reader {
        tree,
        analyst: Analyst::new(evaluation),
        goal,
        path: Vec::new(),
        root: line.position().clone(),
        leaves: Vec::new(),
        keys: Vec::new(),
    };
    let (low, high) = goal.map_or((seen.score, seen.score), |goal| (goal.low(), goal.high()));
    let successors = tree
        .node(ThinTree::<Move>::ROOT)
        .successors
        .iter()
        .flatten();
    let claims = successors.map(|&id| {
        let is_best = Some(id) == best;
        let bound = if is_best { low } else { high };
        match goal {
            Some(_) => reader.demanded(id, is_best, bound),
            None => reader.single(id, is_best, bound, met.depth),
        }
    });
    Gathered {
        claims: claims.collect(),
        safety: Requirement {
            depth: goal.map_or(met.depth, |goal| goal.depth()),
            conspiracy: goal.map_or(1, |_| 2),
        },
        margin_cp: goal.map(|goal| goal.margin_cp()),
        low,
        high,
        leaves: reader.leaves,
        keys: reader.keys,
    }
}

/// Converts a score from the view of a position `level` plies from the root to the root's view.
fn at_root(score: Score, level: u16) -> Score {
    (0..level).fold(score, |score, _| score.to_parent())
}

struct Reader<'a> {
    tree: &'a ThinTree<Move>,
    analyst: Analyst,
    /// Answers with less depth than this goal requires do not count.
    goal: Option<SafetyGoal>,
    /// The moves from the root to the current node.
    path: Vec<Move>,
    root: Position,
    leaves: Vec<Leaf>,
    keys: Vec<u64>,
}

impl Reader<'_> {
    /// The claim about a root move, as shown by two strategies.
    fn demanded(&mut self, id: ThinNodeId, is_best: bool, bound: Score) -> MoveEvidence {
        self.claim(id, is_best, bound, |reader| {
            if is_best {
                reader.every(id, bound.to_successor())
            } else {
                reader.any(id, bound.to_successor())
            }
        })
    }

    /// The claim about a root move, as shown by one answer of alpha-beta.
    fn single(&mut self, id: ThinNodeId, is_best: bool, bound: Score, depth: u16) -> MoveEvidence {
        let bounds = &self.tree.node(id).bounds;
        let shows = |depth: u16| {
            // The bounds are the opponent's view: an upper bound is needed for the chosen move, a lower bound for
            // the others.
            if is_best {
                bounds
                    .upper(depth)
                    .map(Score::to_parent)
                    .filter(|&lower| lower >= bound)
            } else {
                bounds
                    .lower(depth)
                    .map(Score::to_parent)
                    .filter(|&upper| upper <= bound)
            }
        };
        // Nothing is better than a mate, so the other moves need no refutation.
        let is_mate = !is_best && bound > Score::CENTIPAWNS_MAX;
        let mate = is_mate.then_some(bound);
        let certain = mate
            .or(shows(u16::MAX))
            .or_else(|| self.over(id, is_best, bound));
        let found = (0..=depth)
            .rev()
            .find_map(|depth| Some((depth, shows(depth)?)));
        self.claim(id, is_best, bound, |reader| match (certain, found) {
            (Some(value), _) => EvidenceNode::End {
                value: value.raw(),
                holds: true,
            },
            (None, Some((depth, value))) => reader.leaf(value, bound, depth + 1, depth + 1),
            (None, None) => EvidenceNode::Unknown,
        })
    }

    /// The score of a root move that ends the game, if it satisfies the bound.
    fn over(&self, id: ThinNodeId, is_best: bool, bound: Score) -> Option<Score> {
        let after = self.root.after(self.tree.node(id).mv?);
        let value = after.end_score()?.to_parent();
        let holds = if is_best {
            value >= bound
        } else {
            value <= bound
        };
        holds.then_some(value)
    }

    fn claim(
        &mut self,
        id: ThinNodeId,
        is_best: bool,
        bound: Score,
        read: impl FnOnce(&mut Self) -> EvidenceNode,
    ) -> MoveEvidence {
        let mv = self.tree.node(id).mv.expect("a successor has a move");
        let tree = self.below(mv, read);
        MoveEvidence {
            uci: uci_move(&self.root, mv, CastlingStyle::KingTakesRook),
            san: san(&self.root, mv),
            men: men(&self.root.after(mv)),
            is_best,
            bound: bound.raw(),
            tree,
            strategies: None,
            conspirators: None,
        }
    }

    fn position(&self) -> Position {
        let moves = self.path.iter();
        moves.fold(self.root.clone(), |position, &mv| position.after(mv))
    }

    fn below<T>(&mut self, mv: Move, read: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(mv);
        let read = read(self);
        self.path.pop();
        read
    }

    fn branch(&mut self, mv: Move, node: EvidenceNode) -> Branch {
        let before = self.position();
        Branch {
            uci: uci_move(&before, mv, CastlingStyle::KingTakesRook),
            text: variation(&before, &[mv]),
            men: men(&before.after(mv)),
            node,
        }
    }

    /// The proving side is to move. Collects the moves that reach the score (its own view). A single move is
    /// expanded if its subtree shows more strategies than its one answer.
    fn any(&mut self, id: ThinNodeId, score: Score) -> EvidenceNode {
        let level = self.path.len() as u16;
        let node = self.tree.node(id);
        if let Some(value) = node.bounds.lower(u16::MAX).filter(|&known| known >= score) {
            return EvidenceNode::End {
                value: at_root(value, level).raw(),
                holds: true,
            };
        }
        let depth = self.goal.map_or(1, |goal| goal.look_depth(level));
        let shown = node.strategies_for(score, depth);
        if let [only] = shown[..]
            && let Some(successor) = self.tree.successor(id, only.mv)
        {
            let kept = (self.leaves.len(), self.keys.len());
            let below = self.below(only.mv, |reader| {
                reader.every(successor, score.to_successor())
            });
            if count(&below) > 1 {
                return EvidenceNode::Any {
                    branches: vec![self.branch(only.mv, below)],
                };
            }
            self.leaves.truncate(kept.0);
            self.keys.truncate(kept.1);
        }
        let needed = at_root(score, level);
        let mut branches = Vec::new();
        for strategy in shown {
            let (value, depth) = (at_root(strategy.lower.score, level), strategy.lower.depth);
            let leaf = self.below(strategy.mv, |reader| {
                reader.leaf(value, needed, depth, level.saturating_add(depth))
            });
            branches.push(self.branch(strategy.mv, leaf));
        }
        if branches.is_empty() {
            return EvidenceNode::Unknown;
        }
        EvidenceNode::Any { branches }
    }

    /// The other side is to move, and each of its moves needs an answer.
    fn every(&mut self, id: ThinNodeId, score: Score) -> EvidenceNode {
        let Some(successors) = &self.tree.node(id).successors else {
            return EvidenceNode::Unknown;
        };
        if successors.is_empty() {
            return self.end(score);
        }
        let mut branches = Vec::new();
        for &successor in successors {
            let mv = self
                .tree
                .node(successor)
                .mv
                .expect("a successor has a move");
            let node = self.below(mv, |reader| reader.any(successor, score.to_successor()));
            branches.push(self.branch(mv, node));
        }
        EvidenceNode::Every { branches }
    }

    /// No legal move is left. The claim holds if the value is at most `score`, from the side to move's view.
    fn end(&self, score: Score) -> EvidenceNode {
        let value = self.position().end_score().unwrap_or(Score::DRAW);
        EvidenceNode::End {
            value: at_root(value, self.path.len() as u16).raw(),
            holds: value <= score,
        }
    }

    /// Adds the answer that the path is worth `value` where `needed` is required, both from the root's view.
    fn leaf(&mut self, value: Score, needed: Score, depth: u16, horizon: u16) -> EvidenceNode {
        let position = self.position();
        let (static_cp, terms) = self.analyst.look(&position, self.root.chess().turn());
        let off = i32::from(value.raw()) - i32::from(needed.raw());
        self.keys.push(position.key());
        self.leaves.push(Leaf {
            path: self.path_words(),
            value: value.raw(),
            text: pawns(value),
            depth,
            horizon,
            needed: needed.raw(),
            room_cp: (!value.is_decisive() && !needed.is_decisive())
                .then_some(off.unsigned_abs() + 1),
            strategy: 0,
            line: variation(&self.root, &self.path),
            men: men(&position),
            static_cp,
            terms,
        });
        EvidenceNode::Leaf {
            leaf: self.leaves.len() - 1,
        }
    }

    fn path_words(&self) -> Vec<String> {
        let mut position = self.root.clone();
        let words = self.path.iter().map(|&mv| {
            let word = uci_move(&position, mv, CastlingStyle::KingTakesRook);
            position = position.after(mv);
            word
        });
        words.collect()
    }
}
