//! The stored tree, what is known of its nodes and what they are asked for.

pub(crate) mod arena;
pub(crate) mod forget;
pub mod invariants;
pub(crate) mod node;
pub(crate) mod placement;
pub(crate) mod search_tree;
pub(crate) mod table;
pub(crate) mod target;
pub(crate) mod target_store;
pub(crate) mod unused_blocks;
pub(crate) mod update;
pub(crate) mod value;
