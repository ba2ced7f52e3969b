//! The engine without text: searches by name, one running search, parameters and their file.

pub mod cc2s_search;
pub mod config;
pub mod params;
pub mod pvs;
pub mod registry;
pub mod search;
