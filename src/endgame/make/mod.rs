//! Endgame tables by retrograde analysis.
//!
//! A table covers one *class* of positions, closed under moves except for exits into smaller classes: a chess
//! material signature, or awari with a number of stones. Four algorithms solve a [`Class`] with identical results:
//! - [`bal_allis`]: a counter and a value per position, multi-threaded,
//! - [`wu_beal`]: one bit of random-access memory per position,
//! - [`muller`]: one byte per position, escapes counted beforehand,
//! - [`words`]: Wu and Beal's steps on 64 positions at a time.
//!
//! [`mod@reference`] computes their common definition literally and slowly.

pub mod algorithm;
pub mod awari;
pub mod bal_allis;
pub mod board;
pub mod check;
pub mod checkpoint;
pub mod class;
pub mod endgame;
pub mod entries;
pub mod error;
pub mod exits;
pub mod file;
pub mod header;
pub mod in_words;
pub mod indexing;
pub mod kings;
pub mod material;
pub mod muller;
pub mod prober;
pub mod reference;
pub mod slice;
pub mod solver;
pub mod stats;
pub mod strip;
pub mod subject;
pub mod table;
pub mod threads;
pub mod value;
pub mod words;
pub mod wu_beal;

mod bitmap;
#[cfg(test)]
mod graph;

pub use algorithm::Algorithm;
pub use class::{Class, Survey, TwoSided};
pub use error::TableError;
pub use solver::{InFiles, Solver};
pub use subject::Subject;
pub use value::{Metric, TableValue};
