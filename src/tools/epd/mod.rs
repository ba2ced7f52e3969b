//! Test suites of positions with known best moves.

pub mod outcome;
pub mod rating;
pub mod run;
pub mod score;
pub mod store;
pub mod suite;
pub mod summary;
pub mod trial;
