//! Delays of moves: threads woken late by the system, and the path from the engine to the GUI.

use std::time::Duration;

/// Percentage of the longest delay kept after another move: a delay is forgotten after some dozens of moves.
const KEPT_PERCENT: u32 = 97;
/// Multiple of the longest delay kept in reserve, because the next may be longer.
const RESERVE_FACTOR: u32 = 3;
/// Approximate number of moves in the average of the usual delay.
const USUAL_MOVES: u32 = 8;
/// Maximum contribution of one delay to the usual delay.
const USUAL_MAX: Duration = Duration::from_millis(100);

/// A move whose time was decided by the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedMove {
    /// Its delay when it left the search.
    pub late: Duration,
    /// Expected own clock before the next move without a delay, in milliseconds.
    pub clock_after_ms: Option<i64>,
}

/// Delays learned from the moves of the games so far.
#[derive(Clone, Debug, Default)]
pub struct Lag {
    longest: Duration,
    usual: Duration,
    last: Option<TimedMove>,
}

impl Lag {
    /// Records the last move; `None`: the clock did not decide its time.
    pub fn note(&mut self, last: Option<TimedMove>) {
        self.last = last;
    }

    /// Learns from the last move, now that the own clock is known again; `None`: it is unknown, or of another game.
    pub fn learn(&mut self, clock_ms: Option<i64>) {
        let Some(last) = self.last.take() else { return };
        let beyond = last
            .clock_after_ms
            .zip(clock_ms)
            .map_or(0, |(due, shown)| due.saturating_sub(shown));
        let late = last.late.max(Duration::from_millis(beyond.max(0) as u64));
        self.longest = late.max(self.longest * KEPT_PERCENT / 100);
        self.usual = (self.usual * (USUAL_MOVES - 1) + late.min(USUAL_MAX)) / USUAL_MOVES;
    }

    /// Usual delay of a move, in milliseconds.
    pub fn usual_ms(&self) -> u64 {
        self.usual.as_millis() as u64
    }

    /// The reserve to be left on the clock when a move is due, in milliseconds.
    pub fn reserve_ms(&self) -> u64 {
        (self.longest * RESERVE_FACTOR).as_millis() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lag(moves: &[(u64, Option<i64>, Option<i64>)]) -> Lag {
        let mut lag = Lag::default();
        for &(late_ms, clock_after_ms, clock_ms) in moves {
            let late = Duration::from_millis(late_ms);
            lag.note(Some(TimedMove {
                late,
                clock_after_ms,
            }));
            lag.learn(clock_ms);
        }
        lag
    }

    #[test]
    fn the_clock_of_the_host_tells_of_delays_that_the_engine_does_not_see() {
        assert_eq!(lag(&[(10, None, None)]).reserve_ms(), 30);
        assert_eq!(lag(&[(10, Some(500), Some(480))]).reserve_ms(), 60);
        // A time control has added time since.
        assert_eq!(lag(&[(10, Some(500), Some(60_000))]).reserve_ms(), 30);
        assert_eq!(lag(&[(10, Some(500), None)]).reserve_ms(), 30);
        assert_eq!(
            lag(&[(10, Some(i64::MAX), Some(-5))]).longest,
            Duration::from_millis(i64::MAX as u64)
        );
    }

    #[test]
    fn a_move_is_learned_from_once_and_forgotten_slowly() {
        let mut lag = lag(&[(100, None, None)]);
        lag.learn(Some(0));
        assert_eq!((lag.reserve_ms(), lag.usual_ms()), (300, 12));
        for _ in 0..100 {
            lag.note(Some(TimedMove {
                late: Duration::ZERO,
                clock_after_ms: None,
            }));
            lag.learn(None);
        }
        assert!(lag.reserve_ms() < 20 && lag.usual_ms() == 0, "{lag:?}");
    }
}
