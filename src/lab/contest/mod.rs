//! Matches between chess engines: players, clocks, a referee, a schedule, and records that a later run can continue.

mod clock;
mod compliance;
mod entrant;
mod game;
mod host;
mod info;
mod journal;
mod openings;
mod options;
mod pgn;
mod player;
mod process;
mod schedule;
mod standing;
mod table;
mod uci;
mod xboard;

pub use clock::{Allowance, TimeControl, TimeControlError};
pub use compliance::{Found, check_compliance};
pub use entrant::{Entrant, EntrantError, Protocol};
pub use game::{Ending, Rules};
pub use host::Host;
pub use journal::{Conditions, Journal, Record};
pub use openings::read as read_openings;
pub use player::{Choice, Player, Reply, Turn, start};
pub use process::PlayerError;
pub use schedule::{Plan, schedule};
pub use standing::{Faults, Standing};
pub use table::{Contest, check, run};
