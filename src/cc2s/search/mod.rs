//! Fulfilling a target at a node.

pub(crate) mod counters;
pub(crate) mod expand;
pub(crate) mod monitor;
pub(crate) mod null_move;
pub(crate) mod recursive;
pub(crate) mod searcher;
pub(crate) mod split;
pub(crate) mod stop_rule;
pub(crate) mod valuation;
pub(crate) mod visit;
