//! Explains the choice of a move: the strategies behind it, as stored in the search tree, and the evaluations that
//! would have to be wrong.
//!
//! | file | content |
//! |---|---|
//! | `evidence` | the part of the stored tree that proves a decision, as data |
//! | `collect` | reads it from the tree of the search |
//! | `strategies` | counts its leaf-disjoint strategies, and selects two |
//! | `conspirators` | the smallest set of leaves whose change refutes it |
//! | `terms` | the static evaluation of a leaf |
//! | `explanation` | the complete explanation |
//! | `page` | the explanation as a page |

mod collect;
mod conspirators;
mod evidence;
mod explanation;
mod page;
mod strategies;
mod terms;

pub use evidence::{Branch, Conspiracy, EvidenceNode, Leaf, MoveEvidence, Side};
pub use explanation::{AnalysisStage, Certainty, Explanation, explain};
pub use page::page;
pub use terms::Term;
