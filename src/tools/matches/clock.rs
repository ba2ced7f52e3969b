//! Time controls and clocks.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An invalid time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "'{0}' is not a time control; expected [MOVES/]SECONDS[+INCREMENT], such as 10+0.1 or 40/60"
)]
pub struct TimeControlError(String);

/// The limits of each player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Allowance {
    /// A time control.
    Clock(TimeControl),
    /// Milliseconds per move.
    MoveTime(u64),
    /// Nodes per move.
    Nodes(u64),
    /// Plies per move.
    Depth(u16),
}

/// A time control: base time for a number of moves or the whole game, and an increment per move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeControl {
    moves: Option<u32>,
    base: Duration,
    increment: Duration,
}

impl TimeControl {
    /// Returns the moves for which the base time is given; `None` for the whole game.
    pub fn moves(&self) -> Option<u32> {
        self.moves
    }

    /// Returns the base time.
    pub fn base(&self) -> Duration {
        self.base
    }

    /// Returns the increment per move.
    pub fn increment(&self) -> Duration {
        self.increment
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refused = || TimeControlError(text.to_owned());
        let seconds = |text: &str| {
            let seconds: f64 = text.parse().map_err(|_| refused())?;
            Duration::try_from_secs_f64(seconds).map_err(|_| refused())
        };
        let (moves, times) = match text.split_once('/') {
            Some((moves, times)) => (Some(moves.parse().map_err(|_| refused())?), times),
            None => (None, text),
        };
        let (base, increment) = times.split_once('+').unwrap_or((times, "0"));
        let control = Self {
            moves,
            base: seconds(base)?,
            increment: seconds(increment)?,
        };
        let is_playable = moves != Some(0) && !control.base.is_zero();
        is_playable.then_some(control).ok_or_else(refused)
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clock(control) => write!(f, "{control}"),
            Self::MoveTime(limit) => write!(f, "{limit} ms/move"),
            Self::Nodes(limit) => write!(f, "{limit} nodes/move"),
            Self::Depth(limit) => write!(f, "{limit} plies/move"),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    remaining: Duration,
    moves_to_go: Option<u32>,
}

impl Clock {
    pub fn new(control: TimeControl) -> Self {
        Self {
            control,
            remaining: control.base,
            moves_to_go: control.moves,
        }
    }

    pub fn remaining(&self) -> Duration {
        self.remaining
    }

    pub fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Moves until the next time control, if there is one.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// Subtracts the time of a move; returns false if it exceeds the remaining time plus the margin.
    pub fn spend(&mut self, spent: Duration, margin: Duration) -> bool {
        if spent > self.remaining + margin {
            return false;
        }
        self.remaining = self.remaining.saturating_sub(spent) + self.control.increment;
        if let Some(moves) = &mut self.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                self.moves_to_go = self.control.moves;
                self.remaining += self.control.base;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_read_and_written() {
        for text in ["10+0.1", "40/60", "40/60+0.5", "0.5", "300+3"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        for text in [
            "", "+1", "0+1", "0/60", "x/60", "10+", "-5", "10+-1", "inf", "nan",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_counts_time_and_moves() {
        let second = Duration::from_secs(1);
        let mut clock = Clock::new("2/10+1".parse().unwrap());
        assert!(clock.spend(4 * second, Duration::ZERO));
        assert_eq!(
            (clock.remaining(), clock.moves_to_go()),
            (7 * second, Some(1))
        );
        assert!(clock.spend(7 * second, Duration::ZERO));
        assert_eq!(
            (clock.remaining(), clock.moves_to_go()),
            (11 * second, Some(2))
        );
        assert!(!clock.spend(12 * second, Duration::ZERO));
        assert!(clock.spend(12 * second, second));
        assert_eq!(clock.remaining(), second);
    }
}
