//! The engine without text: searches by name, one running search, parameters and their file.

pub mod search;
