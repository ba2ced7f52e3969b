//! Why a move was chosen: the strategies behind it, read off the tree that the search stored, and what would have to
//! be wrong.
//!
//! | file | what |
//! |---|---|
//! | `evidence` | the part of the stored tree that shows a decision, as data |
//! | `collect` | reads it off the tree of the search |
//! | `strategies` | counts leaf-disjoint strategies in it, and picks two |
//! | `conspirators` | the least set of leaves whose change breaks it |
//! | `terms` | what a static look at a leaf sees |
//! | `explanation` | all of it together |
//! | `page` | the same for people |

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
