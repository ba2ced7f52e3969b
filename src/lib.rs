//! cc2s: a chess engine that says which move is best, and how many evaluations would have to be wrong before another
//! were best. Its search is Ulf Lorenz's Controlled Conspiracy Number Search.
//!
//! Modules in the order of their layers, the lowest first; `tests/layers` holds who may know whom.

pub mod large_pages;
pub mod params;
pub mod sync;

pub mod game;

pub mod chess;

pub mod eval;

pub mod cc2s;
pub mod endgame;
pub mod search;
pub mod thesis;

pub mod time;

pub mod settings;

pub mod cluster;

pub mod engine;

pub mod report;
pub mod tools;
pub mod uci;

pub mod lab;

pub mod cli;
