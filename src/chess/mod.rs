//! Chess positions, moves, games and their text forms, based on `shakmaty`.

mod checks;
mod key;
mod line;
mod movegen;
mod mv;
mod position;

pub mod epd;
pub mod notation;
pub mod perft;
pub mod pgn;
pub mod text;

pub use checks::CheckSquares;
pub use line::Line;
pub use mv::{Move, MoveKind};
pub use position::Position;
