//! The engine without text: searches by name, one running search, parameters and their file.

mod active;
mod acts_in;
mod allowance;
mod best_lines;
mod chances;
mod clock_watch;
mod count;
mod delegates;
mod evaluation_choice;
mod event;
mod facade;
mod first_look;
mod lazy_smp;
mod mate;
mod mate_line;
mod mate_scout;
mod memory;
mod preparation;
mod prover;
mod side_by_side;
mod strength;
mod table_probe;
mod variation;

mod cc2s_memory;
pub mod cc2s_search;
pub mod delegated;
pub mod parallel_cc2s;
pub mod pvs;
pub mod registry;
pub mod search;
pub mod textbook;

/// What endgame tables can say, as events carry it.
pub mod tables {
    pub use crate::endgame::probe::{Distance, Source, SyzygyTrouble, TableAnswer, TableOutcome};
}

pub use crate::endgame::probe::default_tables_folder;
/// What a network says of a position.
pub use crate::eval::network::NetworkView;
pub use active::Moment;
pub use acts_in::{ActsIn, Family};
pub use chances::ChanceCurve;
pub use evaluation_choice::{EVALUATIONS, EvaluationChoice, EvaluationError, network_bytes};
pub use event::{Outcome, SearchEvent, TableNews, TimedReport};
pub use facade::{Engine, EngineError, PlaySettings};
pub use side_by_side::side_by_side;
pub use strength::{ELO_MAX, ELO_MIN};
