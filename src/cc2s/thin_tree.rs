//! The thin tree: it stores only the nodes that a decision depends on, not all searched nodes.

use super::bounds::{Bounds, DepthBound};
use crate::game::{Request, Score, SearchResult, Window};

/// Place of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ThinNodeId(u32);

/// A strategy: a move and the lower bound that it proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strategy<M> {
    /// Its first move.
    pub mv: M,
    /// The value shown.
    pub lower: DepthBound,
}

/// A search for another strategy that found none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailedSearch<M> {
    /// The move left out; `None`: none.
    pub without: Option<M>,
    /// The upper bound of all other moves.
    pub upper: DepthBound,
}

/// A stored position.
#[derive(Clone, Debug)]
pub struct ThinNode<M> {
    /// The move that leads here; `None` at the root.
    pub mv: Option<M>,
    /// Whether that move is quiet.
    pub is_quiet: bool,
    parent: Option<ThinNodeId>,
    /// Successors; `None` before the node was expanded.
    pub successors: Option<Vec<ThinNodeId>>,
    /// Bounds of its value.
    pub bounds: Bounds,
    /// Strategies found.
    pub strategies: Vec<Strategy<M>>,
    /// Searches for another strategy that found none.
    pub failed: Vec<FailedSearch<M>>,
    /// The expected continuation, from the last search with an open window.
    pub pv: Vec<M>,
    /// Nodes that workers have searched for it.
    pub nodes: u64,
    /// The hash table of its last search.
    pub table: Option<usize>,
}

impl<M> ThinNode<M> {
    fn new(mv: Option<M>, is_quiet: bool, parent: Option<ThinNodeId>) -> Self {
        Self {
            mv,
            is_quiet,
            parent,
            successors: None,
            bounds: Bounds::default(),
            strategies: Vec::new(),
            failed: Vec::new(),
            pv: Vec::new(),
            nodes: 0,
            table: None,
        }
    }
}

impl<M: Copy + Eq> ThinNode<M> {
    /// The strategies by different moves that prove the bound to at least that depth, the deepest first.
    pub fn strategies_for(&self, score: Score, depth: u16) -> Vec<Strategy<M>> {
        let shows = |strategy: &&Strategy<M>| {
            strategy.lower.score >= score && strategy.lower.depth >= depth
        };
        let mut found: Vec<_> = self.strategies.iter().filter(shows).copied().collect();
        found.sort_by_key(|strategy| std::cmp::Reverse(strategy.lower.depth));
        let mut moves = Vec::new();
        found.retain(|strategy| {
            let is_new = !moves.contains(&strategy.mv);
            moves.push(strategy.mv);
            is_new
        });
        found
    }

    /// Whether a search of at least that depth for another strategy has failed.
    pub fn already_failed(&self, without: Option<M>, score: Score, depth: u16) -> bool {
        self.failed.iter().any(|failed| {
            let upper = failed.upper;
            failed.without == without && upper.score < score && upper.depth >= depth
        })
    }

    /// Adds the result of a search.
    pub fn note(&mut self, request: Request<M>, found: SearchResult<M>) {
        let score = found.score;
        self.nodes += found.nodes;
        match (request, found.best) {
            (Request::Search { depth, window, .. }, _) => {
                self.bounds.note(score, window, depth);
                if !window.is_null() {
                    self.pv = found.pv;
                }
            }
            (Request::SearchExcluding { at_least, .. }, None) if score >= at_least => {
                // The game ends here: no search can change that.
                let window = Window::null_below(at_least);
                self.bounds.note(score, window, u16::MAX);
            }
            (
                Request::SearchExcluding {
                    depth, at_least, ..
                },
                Some(mv),
            ) if score >= at_least => {
                let lower = DepthBound { score, depth };
                self.strategies.push(Strategy { mv, lower });
            }
            (
                Request::SearchExcluding {
                    depth, excluded, ..
                },
                _,
            ) => self.failed.push(FailedSearch {
                without: excluded,
                upper: DepthBound { score, depth },
            }),
            (Request::Expand, _) => unreachable!("answered by moves"),
        }
    }
}

/// Nodes in one block, the root first.
#[derive(Clone, Debug)]
pub struct ThinTree<M> {
    nodes: Vec<ThinNode<M>>,
}

impl<M> Default for ThinTree<M> {
    /// A tree with an unknown root.
    fn default() -> Self {
        Self {
            nodes: vec![ThinNode::new(None, false, None)],
        }
    }
}

impl<M: Copy + Eq> ThinTree<M> {
    /// The root's place.
    pub const ROOT: ThinNodeId = ThinNodeId(0);

    /// Nodes stored; the root is always there.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// A node.
    pub fn node(&self, id: ThinNodeId) -> &ThinNode<M> {
        &self.nodes[id.0 as usize]
    }

    /// A mutable node.
    pub fn node_mut(&mut self, id: ThinNodeId) -> &mut ThinNode<M> {
        &mut self.nodes[id.0 as usize]
    }

    /// Gives a node its successors.
    pub fn expand(&mut self, id: ThinNodeId, moves: &[(M, bool)]) {
        if self.node(id).successors.is_some() {
            return;
        }
        let first = self.nodes.len() as u32;
        let places = (first..).map(ThinNodeId).take(moves.len()).collect();
        let node = |&(mv, is_quiet)| ThinNode::new(Some(mv), is_quiet, Some(id));
        self.nodes.extend(moves.iter().map(node));
        self.node_mut(id).successors = Some(places);
    }

    /// The successor by that move, if there is one.
    pub fn successor(&self, id: ThinNodeId, mv: M) -> Option<ThinNodeId> {
        let successors = self.node(id).successors.as_ref()?;
        let by_move = |&&id: &&ThinNodeId| self.node(id).mv == Some(mv);
        successors.iter().find(by_move).copied()
    }

    /// The moves from the root to a node.
    pub fn path(&self, mut id: ThinNodeId) -> Vec<M> {
        let mut path = Vec::new();
        while let (Some(mv), Some(parent)) = (self.node(id).mv, self.node(id).parent) {
            path.push(mv);
            id = parent;
        }
        path.reverse();
        path
    }

    /// The node at the end of a path from the root, if it is stored.
    pub fn find(&self, path: &[M]) -> Option<ThinNodeId> {
        path.iter()
            .try_fold(Self::ROOT, |id, &mv| self.successor(id, mv))
    }

    /// The hash table that the position at the end of a path was last searched with.
    pub(super) fn table_of(&self, path: &[M]) -> Option<usize> {
        self.node(self.find(path)?).table
    }

    /// Notes the hash table that the position at the end of a path is searched with.
    pub(super) fn set_table(&mut self, path: &[M], table: usize) {
        if let Some(id) = self.find(path) {
            self.node_mut(id).table = Some(table);
        }
    }

    /// Keeps only what is known below that node, which becomes the root.
    pub fn reroot(&mut self, id: ThinNodeId) {
        let mut kept = Vec::new();
        self.keep(id, None, &mut kept);
        kept[0].mv = None;
        self.nodes = kept;
    }

    fn keep(
        &mut self,
        id: ThinNodeId,
        parent: Option<ThinNodeId>,
        kept: &mut Vec<ThinNode<M>>,
    ) -> ThinNodeId {
        let place = ThinNodeId(kept.len() as u32);
        let empty = ThinNode::new(None, false, None);
        let mut node = std::mem::replace(self.node_mut(id), empty);
        let successors = node.successors.take();
        kept.push(ThinNode { parent, ..node });
        if let Some(successors) = successors {
            let moved = successors
                .into_iter()
                .map(|successor| self.keep(successor, Some(place), kept))
                .collect();
            kept[place.0 as usize].successors = Some(moved);
        }
        place
    }
}
