//! The parameters of all rooms in one place, and their file.

pub mod config;
mod params;

pub use params::{CommonParams, EngineParams, ParameterEntry};
