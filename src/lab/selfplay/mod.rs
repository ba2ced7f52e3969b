//! Games of PVS against itself, to learn from: quiet positions, what the search thought of them, how the game ended.

mod file;
mod game;
mod judge;
mod mill;
mod opening;
mod record;

pub use file::{GameReader, GameWriter, SelfPlayGame, SelfPlaySettings};
pub use game::SelfPlayer;
pub use mill::Mill;
pub use record::{PackedPosition, TrainingPosition};
