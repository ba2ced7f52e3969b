//! The stored tree, its values and targets (thesis 1.8, 2.2, 2.3).
//!
//! | file | figure | subject |
//! |---|---|---|
//! | `target` | 2.11 | targets, the schedule of requirements |
//! | `node`, `search_tree`, `arena`, `unused_blocks` | | nodes, their tree, and its memory |
//! | `update` | 2.8 to 2.10 | the update of values from the successors upwards |
//! | `table`, `target_store` | 2.22 to 2.25 | fulfilled targets by position; their use by one search |
//! | `forget` | | forgetting of nodes when memory is full |
//! | `placement` | 3.4.1 | the worker that a node belongs to |
//! | `invariants` | 1.8-8 | checks of the whole stored tree |
//!
//! Values and bounds (1.8-9, 2.16, 2.17) are in [`crate::game`].

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
