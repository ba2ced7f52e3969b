//! Suites of positions with known best moves: searched, scored, summed up and stored.

pub mod outcome;
pub mod rating;
pub mod run;
pub mod score;
pub mod store;
pub mod suite;
pub mod summary;
pub mod trial;
