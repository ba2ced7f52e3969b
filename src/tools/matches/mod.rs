//! Matches between chess engines: players, clocks, referee, schedule, and a journal to resume from.

mod clock;
mod collection;
mod compliance;
mod entrant;
mod game;
mod host;
mod info;
mod openings;
mod options;
mod pgn;
mod player;
mod process;
mod record;
mod schedule;
mod standing;
mod table;
mod uci;
mod xboard;

pub use clock::{Allowance, TimeControl, TimeControlError};
pub use collection::Collection;
pub use compliance::{Found, check_compliance};
pub use entrant::{Entrant, EntrantError, Protocol};
pub use game::{Ending, Rules};
pub use host::Host;
pub use openings::read as read_openings;
pub use player::{Choice, Player, Reply, Turn, start};
pub use process::PlayerError;
pub use record::{GameRecord, MatchConditions};
pub use schedule::{ScheduledGame, schedule};
pub use standing::{Faults, Standing};
pub use table::{Contest, check, run};
