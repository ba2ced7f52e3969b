//! Several processes at one search.

pub mod ranks;
