//! The engine as a chess program sees it: lines in, lines out. Some tests start the binary, some run the front end with
//! a search of their own.

#[path = "../support/environment.rs"]
mod environment;
#[path = "../support/skipped.rs"]
mod skipped;

mod arbitrary;
mod bad_input;
mod classical;
mod endings;
mod gui;
mod handshake;
mod last_words;
mod mate_lines;
mod mock;
mod multi_pv;
mod network;
mod nonsense;
mod options;
mod positions;
mod python;
mod searching;
mod sequences;
mod strength;
mod threads;
mod truths;
