//! HTML reports: the strategies behind a move ([`explain`]), and annotated games ([`annotate`]).
//!
//! A page is a single file without external links: it contains style, script, boards and data. It works locally,
//! can be printed, and follows the browser's light or dark mode.

pub mod annotate;
mod board;
pub mod explain;
mod look;
mod page;
mod plot;
mod words;

pub use look::{Allowed, BestMoveReport, Look};
pub use page::PageError;
