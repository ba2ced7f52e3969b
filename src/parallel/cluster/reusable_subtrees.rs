//! What has grown at positions, kept for whoever asks about them next.

use std::collections::BTreeMap;

use crate::cc2s::tree::search_tree::NodeId;

/// Of the nodes that other workers have sent, the one that was last worked on at each position.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReusableSubtrees {
    nodes: BTreeMap<u64, NodeId>,
    keys: BTreeMap<NodeId, u64>,
}

impl ReusableSubtrees {
    /// The node is worked on now, at the position of that key; the one that was before.
    pub(crate) fn replace(&mut self, key: u64, node: NodeId) -> Option<NodeId> {
        self.keys.insert(node, key);
        self.nodes.insert(key, node)
    }

    /// The node is given back.
    pub(crate) fn forget(&mut self, node: NodeId) {
        if let Some(key) = self.keys.remove(&node)
            && self.nodes.get(&key) == Some(&node)
        {
            self.nodes.remove(&key);
        }
    }
}
