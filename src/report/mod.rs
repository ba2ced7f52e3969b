//! Pages for people: the strategies behind a move ([`explain`]), and games with remarks ([`annotate`]).
//!
//! A page is one file without links to others: style, script, boards and data are in it. It works from a folder,
//! prints, and follows the reader's choice of light or dark.

pub mod annotate;
mod board;
pub mod explain;
mod look;
mod page;
mod plot;
mod words;

pub use look::{Allowed, BestMoveReport, Look};
pub use page::PageError;
