//! Fulfilling a target at a node (thesis 2.2, 2.3).
//!
//! | file | figure | subject |
//! |---|---|---|
//! | `searcher`, `counters` | | the state of a search, its counters |
//! | `recursive` | 2.7 | the search procedure |
//! | `visit` | 2.7 | the beginning and end of every visit of a node |
//! | `expand`, `stop_rule` | 2.14, 2.15 | partial expansion: the evaluation of successors, as exactly as needed |
//! | `valuation` | 2.15, 2.16 | questions to the evaluator, and their answers as values |
//! | `split` | 2.13 | the split of a target among the successors |
//! | `null_move` | 2.3 | null move, fail-high reduction |

pub(crate) mod counters;
pub(crate) mod expand;
pub(crate) mod null_move;
pub(crate) mod recursive;
pub(crate) mod searcher;
pub(crate) mod split;
pub(crate) mod stop_rule;
pub(crate) mod valuation;
pub(crate) mod visit;
