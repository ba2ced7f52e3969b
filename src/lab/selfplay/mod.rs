//! Self-play of PVS for training data: quiet positions with search score and game result.

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
