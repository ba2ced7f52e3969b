//! The engine's parameters and their configuration file.

pub mod config;
mod params;

pub use params::{CommonParams, EngineParams, ParameterEntry};
