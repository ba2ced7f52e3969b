//! What every move loses of the clock beyond the time planned for it, learned during the game.
//!
//! Two things cost time that no plan has seen. A busy machine lets the engine sleep: the answer is later than the longest
//! time allowed. And the host's clock runs on while the request and the answer are under way: at the next move there is
//! less on the clock than there should be. Both are told to a [`Lag`], which reads no clock itself.

use std::time::Duration;

use super::{Budget, Limits, TimeParams};

/// A peak sinks by this part of its distance to each smaller loss.
const SINKING: u64 = 16;
/// The reserve is so many times what was lost: the next loss may be greater than all before.
const CAUTION: u64 = 2;

/// Losses of a game, and the reserve they call for.
#[derive(Clone, Debug, Default)]
pub struct Lag {
    /// Milliseconds by which answers exceed the longest time allowed.
    late: Peak,
    /// Milliseconds that vanish between two moves.
    vanished: Peak,
    /// The clock the next move should see, in milliseconds.
    expected_ms: Option<i64>,
}

impl Lag {
    /// A move is asked for.
    pub fn asked(&mut self, limits: &Limits) {
        let loss_ms = self
            .expected_ms
            .take()
            .zip(limits.clock_ms)
            .map(|(expected, told)| expected.saturating_sub(told));
        // More on the clock than expected is another game or time control, and so is less than half of it.
        if let Some(loss) =
            loss_ms.filter(|&loss| loss >= 0 && loss <= limits.clock_ms.unwrap_or(0))
        {
            self.vanished.note(loss as u64);
        }
    }

    /// The move asked for under these limits was given after `used`; its budget was cut with `params`.
    pub fn answered(&mut self, limits: &Limits, params: &TimeParams, used: Duration) {
        let Some(clock_ms) = limits
            .clock_ms
            .filter(|_| !limits.ponder && !limits.infinite)
        else {
            return;
        };
        if let Some(longest) = Budget::new(limits, params).longest {
            self.late
                .note(used.saturating_sub(longest).as_millis() as u64);
        }
        let is_last = limits.moves_to_go == Some(1);
        let increment = i64::try_from(limits.increment_ms).unwrap_or(i64::MAX);
        let left = clock_ms.saturating_sub(used.as_millis() as i64);
        self.expected_ms = (!is_last).then_some(left.saturating_add(increment));
    }

    /// The parameters with the reserve that the losses call for, at most half of the clock; never less than the overhead
    /// they name, which covers what a quiet machine loses.
    #[must_use]
    pub fn reserved(&self, limits: &Limits, params: &TimeParams) -> TimeParams {
        let reserve = CAUTION * (self.late.0 + self.vanished.0);
        let half = limits.clock_ms.unwrap_or(0).max(0) as u64 / 2;
        let reserve = i32::try_from(reserve.min(half)).unwrap_or(i32::MAX);
        TimeParams {
            move_overhead_ms: params.move_overhead_ms.max(reserve),
            ..params.clone()
        }
    }
}

/// The greatest of the last samples.
#[derive(Clone, Copy, Debug, Default)]
struct Peak(u64);

impl Peak {
    fn note(&mut self, sample: u64) {
        self.0 = match self.0.checked_sub(sample) {
            None => sample,
            Some(above) => self.0 - above.div_ceil(SINKING),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random numbers below `bound`.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (self.0 >> 33) % bound
        }
    }

    /// Plays `moves` moves at 1+0.01, each as long as allowed, late and vanished as told; the least left on the clock.
    fn least_left(moves: u32, is_learning: bool, mut lost: impl FnMut() -> (u64, u64)) -> i64 {
        let (params, mut lag) = (TimeParams::default(), Lag::default());
        let (mut clock_ms, mut least) = (1_000, i64::MAX);
        for _ in 0..moves {
            let limits = Limits {
                clock_ms: Some(clock_ms),
                increment_ms: 10,
                ..Limits::default()
            };
            lag.asked(&limits);
            let cut = if is_learning {
                lag.reserved(&limits, &params)
            } else {
                params.clone()
            };
            let longest = Budget::new(&limits, &cut).longest.unwrap();
            let (late, vanished) = lost();
            let used = longest + Duration::from_millis(late);
            lag.answered(&limits, &cut, used);
            least = least.min(clock_ms - used.as_millis() as i64 - vanished as i64);
            clock_ms += 10 - used.as_millis() as i64 - vanished as i64;
        }
        least
    }

    /// Now and then the machine sleeps for up to 50 ms, and the host takes up to 5.
    fn busy(seed: u64) -> impl FnMut() -> (u64, u64) {
        let mut dice = Dice(seed);
        move || {
            let sleeps = dice.below(12) == 0;
            (if sleeps { dice.below(50) } else { 0 }, dice.below(5))
        }
    }

    #[test]
    fn a_busy_machine_loses_no_game_once_its_lag_is_known() {
        let lost = |is_learning| {
            (0..200)
                .filter(|&seed| least_left(120, is_learning, busy(seed)) < 0)
                .count()
        };
        let (before, after) = (lost(false), lost(true));
        assert!(before > 0, "the load is worth learning");
        assert_eq!(after, 0, "{before} without learning");
    }

    #[test]
    fn a_quiet_machine_pays_nothing() {
        let mut lag = Lag::default();
        let params = TimeParams::default();
        let mut clock_ms = 60_000;
        for _ in 0..100 {
            let limits = Limits {
                clock_ms: Some(clock_ms),
                increment_ms: 1_000,
                ..Limits::default()
            };
            lag.asked(&limits);
            assert_eq!(lag.reserved(&limits, &params), params);
            lag.answered(&limits, &params, Duration::from_millis(1_500));
            clock_ms += 1_000 - 1_500 - 2;
        }
    }

    #[test]
    fn what_is_another_clock_teaches_nothing() {
        let limits = |clock_ms, moves_to_go| Limits {
            clock_ms: Some(clock_ms),
            moves_to_go,
            ..Limits::default()
        };
        let params = TimeParams::default();
        let used = Duration::from_millis(100);
        for (first, next) in [
            (limits(60_000, None), limits(300_000, None)),
            (limits(60_000, None), limits(1_000, None)),
            (limits(60_000, Some(1)), limits(59_000, Some(40))),
            (limits(60_000, None), limits(i64::MIN, None)),
        ] {
            let mut lag = Lag::default();
            lag.asked(&first);
            lag.answered(&first, &params, used);
            lag.asked(&next);
            assert_eq!(lag.reserved(&next, &params), params, "{next:?}");
        }
    }

    #[test]
    fn the_reserve_follows_the_losses_down_again() {
        let limits = Limits {
            clock_ms: Some(60_000),
            ..Limits::default()
        };
        let params = TimeParams::default();
        let longest = Budget::new(&limits, &params).longest.unwrap();
        let mut lag = Lag::default();
        lag.answered(&limits, &params, longest + Duration::from_millis(400));
        assert_eq!(lag.reserved(&limits, &params).move_overhead_ms, 800);
        for _ in 0..100 {
            lag.answered(&limits, &params, Duration::from_millis(20));
        }
        assert_eq!(lag.reserved(&limits, &params), params);
    }
}
