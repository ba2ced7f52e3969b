//! The engine without text: searches by name, and one running search.
//!
//! | folder | subject |
//! |---|---|
//! | `mate` | mates proved by proof-number search |
//! | `session` | one running search: its clock, lines and events |
//! | `searches` | the searches, each as a [`search::Search`] |

mod acts_in;
mod chances;
mod evaluation_choice;
mod facade;
mod mate;
mod memory;
mod preparation;
mod session;
mod side_by_side;
mod strength;

pub mod registry;
pub mod search;
pub mod searches;

/// Answers of endgame tables, as events carry them.
pub mod tables {
    pub use crate::endgame::probe::{Distance, Source, SyzygyTrouble, TableAnswer, TableOutcome};
}

pub use crate::endgame::probe::default_tables_folder;
/// A network's view of a position.
pub use crate::eval::network::NetworkView;
pub use acts_in::{ActsIn, Family};
pub use chances::ChanceCurve;
pub use evaluation_choice::{EVALUATIONS, EvaluationChoice, EvaluationError, network_bytes};
pub use facade::{Engine, EngineError, PlaySettings};
pub use session::channels::Timestamp;
pub use session::event::{SearchEvent, SearchOutcome, TableNews, TimedReport};
pub use side_by_side::side_by_side;
pub use strength::{ELO_MAX, ELO_MIN};
