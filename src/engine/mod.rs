//! The engine without text: searches by name, one running search, parameters and their file.

pub mod cc2s_search;
pub mod search;
