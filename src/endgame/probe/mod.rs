//! Probing of endgame tables: our own and Syzygy tables, behind one type of answer.

mod agreement;
mod answer;
mod gaviota;
mod maker;
mod own;
mod params;
mod read_files;
mod root;
mod syzygy;
mod table_set;
mod tables;

pub use agreement::{Agreement, Disagreement};
pub use answer::{Distance, TableAnswer, TableOutcome};
pub use gaviota::{GaviotaTable, GaviotaTrouble};
pub use own::Own;
pub use params::TableParams;
pub use root::Rooted;
pub use syzygy::{Syzygy, SyzygyTrouble};
pub use table_set::{TableSet, default_tables_folder};
pub use tables::{Source, Tables};
