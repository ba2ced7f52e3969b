//! The time for a move.

use std::time::Duration;

use super::{Lag, Limits, StopReason, TimeParams, TimedMove, reason_to_stop};
use crate::game::{Progress, Requirement};

/// Number of moves that a game may still last.
const MOVES_OF_A_GAME: u64 = 70;

/// The time for one move: planned and maximum. `None`: unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Planned time of the move.
    pub planned: Option<Duration>,
    /// Longest time of the move.
    pub longest: Option<Duration>,
}

impl Budget {
    /// Budget for a move, given the delays in `lag`. It is at least one millisecond, since a move must be made.
    pub fn new(limits: &Limits, params: &TimeParams, lag: &Lag) -> Self {
        let mut budget = Self::default();
        if let Some(clock_ms) = limits.clock_ms {
            budget = Self::from_clock(clock_ms, limits, params, lag);
        }
        if let Some(move_time_ms) = limits.move_time_ms {
            // Somebody waits for the answer at that time, so it must be on its way a little earlier.
            let overhead = (params.move_overhead_ms as u64).min(move_time_ms / 10);
            let overhead = overhead.max(lag.usual_ms().min(move_time_ms / 2));
            let exact = millis((move_time_ms - overhead).max(1));
            budget.longest = Some(budget.longest.map_or(exact, |longest| longest.min(exact)));
        }
        budget
    }

    fn from_clock(clock_ms: i64, limits: &Limits, params: &TimeParams, lag: &Lag) -> Self {
        // One stall of the machine is no reason to play the rest of the game in no time.
        let reserve = lag.reserve_ms().min(clock_ms.max(0) as u64 / 2);
        let reserve = i64::from(params.move_overhead_ms).max(reserve as i64);
        let left = clock_ms.saturating_sub(reserve).max(1) as u64;
        let has_increment_alone = limits.increment_ms > 0 && limits.moves_to_go.is_none();
        let horizon = if has_increment_alone {
            params.horizon_moves as u64
        } else {
            params.horizon_moves_no_increment as u64
        };
        let increment = limits
            .increment_ms
            .saturating_mul(params.increment_permille as u64)
            / 1_000;
        let (moves, planned_max, share_max) = match limits.moves_to_go {
            None => (
                horizon,
                params.planned_max_permille as u64,
                params.share_max_permille as u64,
            ),
            // New time comes after the time control, so the last moves before it may take nearly all.
            Some(moves) => {
                let moves = u64::from(moves).clamp(1, horizon);
                (
                    moves,
                    900,
                    (900 / moves).max(params.share_max_permille as u64),
                )
            }
        };
        let part = |permille: u64| (left.saturating_mul(permille) / 1_000).max(1);
        let most = part(share_max);
        let usual = lag.usual_ms();
        let planned = (left / moves).saturating_add(increment.saturating_sub(usual));
        // Where delays take more than the increment gives, the clock must last for the whole game.
        let periods = limits
            .moves_to_go
            .map_or(MOVES_OF_A_GAME.div_ceil(horizon), |_| 1);
        let planned = planned.saturating_sub(usual.saturating_sub(increment) * periods);
        let planned = planned.clamp(1, part(planned_max).min(most));
        let extended = planned.saturating_mul(params.extension_max_permille as u64) / 1_000;
        Self {
            planned: Some(millis(planned)),
            longest: Some(millis(extended.clamp(1, most))),
        }
    }
}

/// Checks one search against its limits. It reads no clock: callers pass the elapsed time.
#[derive(Clone, Debug)]
pub struct TimeManager {
    limits: Limits,
    params: TimeParams,
    budget: Budget,
    /// When the own clock began to run, counted from the start of the search; `None` while pondering.
    clock_started: Option<Duration>,
    /// The requirement under way, to notice when the next begins.
    demanded: Requirement,
    /// Time on the own clock when a reason to stop was first found.
    decided: Option<Duration>,
}

impl TimeManager {
    /// A manager for a search that starts now, given the delays in `lag`.
    pub fn new(limits: Limits, params: TimeParams, lag: &Lag) -> Self {
        let budget = Budget::new(&limits, &params, lag);
        let clock_started = (!limits.ponder).then_some(Duration::ZERO);
        Self {
            limits,
            params,
            budget,
            clock_started,
            demanded: Requirement::default(),
            decided: None,
        }
    }

    /// The opponent has played the expected move: the own clock runs from here on.
    pub fn ponder_hit(&mut self, elapsed: Duration) {
        self.clock_started.get_or_insert(elapsed);
    }

    /// Whether the answer must wait for a command of the user, even after the end of the search.
    pub fn holds_answer(&self) -> bool {
        self.limits.infinite || self.clock_started.is_none()
    }

    /// The reason to stop now, if there is one. `elapsed` counts from the start of the search.
    pub fn reason_to_stop(&mut self, elapsed: Duration, progress: &Progress) -> Option<StopReason> {
        let has_begun = progress.demanded != self.demanded;
        self.demanded = progress.demanded;
        // What ends a search by the clock does not apply while the opponent thinks.
        let started = self.clock_started;
        let reason = reason_to_stop(&self.limits, progress)
            .filter(|&reason| reason != StopReason::Exhausted || started.is_some());
        let used = started.map(|started| elapsed.saturating_sub(started));
        let is_time_up = |used| self.is_time_up(used, progress, has_begun);
        let reason = reason.or_else(|| is_time_up(used?).then_some(StopReason::Time));
        if reason.is_some() {
            self.decided = self.decided.or(used);
        }
        reason
    }

    /// Records that the move is made now; `None` if the clock did not decide.
    pub fn made(&self, elapsed: Duration) -> Option<TimedMove> {
        if self.limits.infinite {
            return None;
        }
        let longest = self.budget.longest.unwrap_or(Duration::MAX);
        let (started, meant) = (self.clock_started?, self.decided?.min(longest));
        let clock_ms = self.limits.clock_ms;
        Some(TimedMove {
            late: elapsed.saturating_sub(started).saturating_sub(meant),
            clock_after_ms: clock_ms.map(|clock_ms| {
                clock_ms
                    .saturating_add_unsigned(self.limits.increment_ms)
                    .saturating_sub(meant.as_millis() as i64)
            }),
        })
    }

    fn is_time_up(&self, used: Duration, progress: &Progress, has_begun: bool) -> bool {
        if self.limits.infinite {
            return false;
        }
        if self.budget.longest.is_some_and(|longest| used >= longest) {
            return true;
        }
        let Some(planned) = self.budget.planned else {
            return false;
        };
        let planned = planned * self.doubt(progress) / 1_000 * self.contest(progress) / 1_000;
        let planned = planned * self.risk(progress) / 1_000;
        let begins_nothing = planned * self.params.start_max_permille as u32 / 1_000;
        used >= planned || has_begun && used >= begins_nothing
    }

    /// Factor for the planned time, in thousandths: greater if other moves were hard to refute, smaller otherwise.
    fn contest(&self, progress: &Progress) -> u32 {
        let Some(effort) = progress.effort_permille else {
            return 1_000;
        };
        let params = &self.params;
        let beyond = params.effort_even_permille - i32::from(effort);
        let change = beyond * params.effort_weight_permille / 1_000;
        (1_000 + change).clamp(200, params.extension_max_permille) as u32
    }

    /// Factor for the planned time, in thousandths: greater for a wide safety margin, smaller for a narrow one.
    fn risk(&self, progress: &Progress) -> u32 {
        let Some(margin_cp) = progress.margin_cp else {
            return 1_000;
        };
        let params = &self.params;
        let doublings = (f64::from(margin_cp.max(1)) / f64::from(params.margin_even_cp)).log2();
        let change = (doublings * f64::from(params.margin_weight_permille)) as i32;
        (1_000 + change).clamp(200, params.extension_max_permille) as u32
    }

    /// Factor for the planned time from the progress of the search, in thousandths.
    fn doubt(&self, progress: &Progress) -> u32 {
        let params = &self.params;
        let overturned = i32::from(progress.overturned.min(8)) * params.doubt_permille;
        let fallen = match (progress.settled, progress.hypothesis) {
            (Some(settled), Some(now)) => i32::from(settled.raw()) - i32::from(now.raw()),
            _ => 0,
        };
        let fall = fallen.clamp(0, 200) * params.fall_permille;
        if overturned + fall > 0 {
            return (1_000 + overturned + fall).min(params.extension_max_permille) as u32;
        }
        let stable = i32::from(progress.stable_requirements.min(100)) * params.stability_permille;
        (1_000 - stable).max(params.stable_min_permille) as u32
    }
}

fn millis(count: u64) -> Duration {
    // A day is as good as for ever, and keeps products small.
    Duration::from_millis(count.min(86_400_000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Score;

    fn clock(clock_ms: i64, increment_ms: u64, moves_to_go: Option<u32>) -> Limits {
        Limits {
            clock_ms: Some(clock_ms),
            increment_ms,
            moves_to_go,
            ..Limits::default()
        }
    }

    fn budget(limits: &Limits) -> (u64, u64) {
        let budget = Budget::new(limits, &TimeParams::default(), &Lag::default());
        let ms = |time: Option<Duration>| time.unwrap().as_millis() as u64;
        (ms(budget.planned), ms(budget.longest))
    }

    fn met(depth: u16) -> Progress {
        let to = |depth| Requirement {
            depth,
            conspiracy: 1,
        };
        Progress {
            met: to(depth),
            demanded: to(depth + 1),
            ..Progress::default()
        }
    }

    #[test]
    fn work_for_other_moves_stretches_the_plan() {
        let limits = clock(60_000, 0, None);
        let planned = Budget::new(&limits, &TimeParams::default(), &Lag::default())
            .planned
            .unwrap();
        let is_enough = |effort: Option<u16>, part: u32| {
            let progress = Progress {
                effort_permille: effort,
                ..Progress::default()
            };
            let mut manager =
                TimeManager::new(limits.clone(), TimeParams::default(), &Lag::default());
            manager
                .reason_to_stop(planned * part / 100, &progress)
                .is_some()
        };
        assert!(is_enough(None, 100) && !is_enough(None, 99));
        assert!(is_enough(Some(600), 100) && !is_enough(Some(600), 99));
        assert!(is_enough(Some(950), 60));
        assert!(!is_enough(Some(200), 140));
    }

    #[test]
    fn a_decision_shown_within_a_wide_margin_takes_longer() {
        let limits = clock(60_000, 0, None);
        let planned = budget(&limits).0;
        let lasts = |margin_cp| {
            let progress = Progress {
                margin_cp,
                ..met(10)
            };
            let mut manager =
                TimeManager::new(limits.clone(), TimeParams::default(), &Lag::default());
            manager.demanded = progress.demanded;
            let stops = |&ms: &u64| manager.reason_to_stop(millis(ms), &progress).is_some();
            (1..60_000).find(stops).unwrap()
        };
        let even = TimeParams::default().margin_even_cp as u16;
        assert_eq!([lasts(None), lasts(Some(even))], [planned; 2]);
        let margins = [10, 25, 50, 100, 200, 400].map(|margin| lasts(Some(margin)));
        assert!(
            margins.is_sorted_by(|one, other| one < other),
            "{margins:?}"
        );
        assert!(margins[0] < planned && planned < margins[5]);
    }

    #[test]
    fn whatever_the_clock_says_the_budget_is_positive_and_affordable() {
        let numbers = [i64::MIN, -1, 0, 1, 29, 31, 100, 1_000, 60_000, i64::MAX];
        for clock_ms in numbers {
            for increment_ms in [0, 10, 1_000, u64::MAX] {
                for moves in [None, Some(0), Some(1), Some(40), Some(u32::MAX)] {
                    let (planned, longest) = budget(&clock(clock_ms, increment_ms, moves));
                    assert!(planned >= 1 && longest >= planned);
                    assert!(longest == 1 || (longest as i64) <= clock_ms - 30);
                }
            }
        }
    }

    #[test]
    fn one_late_answer_loses_no_game_at_one_second_and_a_hundredth() {
        // Every move takes as long as it may and is a millisecond late; any one of them may be 25 ms late.
        let mut clock_ms = 1_000;
        for _ in 0..500 {
            let (_, longest) = budget(&clock(clock_ms, 10, None));
            assert!((longest as i64) + 25 < clock_ms, "{longest} of {clock_ms}");
            clock_ms += 10 - longest as i64 - 1;
        }
    }

    /// Moves of a long game.
    const MOVES: u32 = 100;

    /// Plays at 1+0.01 until the clock is lost or the game is over; how many moves were made in time. A search spends
    /// half of its plan, about what it does in games, and moves are late, as the clock shows.
    fn moves_survived(lag: Option<&mut Lag>, late_ms: impl Fn(u32) -> u64) -> u32 {
        let mut nothing = Lag::default();
        let is_learning = lag.is_some();
        let lag = lag.unwrap_or(&mut nothing);
        let mut clock_ms = 1_000;
        for number in 0..MOVES {
            if is_learning {
                lag.learn(Some(clock_ms));
            }
            let limits = Limits {
                depth: Some(1),
                ..clock(clock_ms, 10, None)
            };
            let mut manager = TimeManager::new(limits, TimeParams::default(), lag);
            let spent = manager.budget.planned.unwrap() / 2;
            assert!(manager.reason_to_stop(spent, &met(1)).is_some());
            lag.note(manager.made(spent));
            clock_ms -= spent.as_millis() as i64 + late_ms(number) as i64;
            if clock_ms <= 0 {
                return number;
            }
            clock_ms += 10;
        }
        MOVES
    }

    #[test]
    fn delays_are_learned_before_they_lose_the_game() {
        // On average more than the increment, as on a machine with much else to do.
        let late_ms = |number: u32| if number % 17 == 11 { 50 } else { 10 };
        assert!(moves_survived(None, late_ms) < 70);
        assert_eq!(moves_survived(Some(&mut Lag::default()), late_ms), MOVES);
    }

    /// Forty moves in a minute, and a minute for the game: the plan of each move is at least that many milliseconds
    /// where all before it have spent three quarters of theirs.
    #[test]
    fn time_that_nothing_is_added_to_lasts() {
        for (moves_to_go, number, planned_ms) in [(Some(40), 31, 350), (None, 41, 400)] {
            let mut clock_ms = 60_000;
            for played in 0..number {
                let left = moves_to_go.map(|moves: u32| moves - played);
                let limits = clock(clock_ms, 0, left);
                let budget = Budget::new(&limits, &TimeParams::default(), &Lag::default());
                let planned = budget.planned.unwrap();
                assert!(planned >= millis(planned_ms), "move {played}: {planned:?}");
                clock_ms -= (planned * 3 / 4).as_millis() as i64;
            }
        }
    }

    #[test]
    fn an_increment_lets_the_clock_be_spent_sooner() {
        let plan = |increment_ms| {
            let limits = clock(10_000, increment_ms, None);
            let budget = Budget::new(&limits, &TimeParams::default(), &Lag::default());
            budget.planned.unwrap()
        };
        assert!(plan(1) > plan(0) * 3 / 2, "{:?}, {:?}", plan(1), plan(0));
    }

    #[test]
    fn one_stall_does_not_make_the_game_a_rush() {
        let mut lag = Lag::default();
        let limits = clock(10_000, 0, None);
        let before = Budget::new(&limits, &TimeParams::default(), &lag);
        lag.note(Some(TimedMove {
            late: millis(5_000),
            clock_after_ms: None,
        }));
        lag.learn(None);
        let after = Budget::new(&limits, &TimeParams::default(), &lag);
        assert!(
            after.planned.unwrap() >= before.planned.unwrap() / 4,
            "{after:?}"
        );
    }

    #[test]
    fn what_is_usually_late_is_sent_off_earlier() {
        let limits = Limits {
            move_time_ms: Some(30),
            ..Limits::default()
        };
        let mut lag = Lag::default();
        for _ in 0..40 {
            let mut manager = TimeManager::new(limits.clone(), TimeParams::default(), &lag);
            assert_eq!(manager.made(millis(40)), None, "nothing was decided");
            manager.reason_to_stop(millis(30), &met(1));
            lag.note(manager.made(millis(40)));
            lag.learn(None);
        }
        let after = Budget::new(&limits, &TimeParams::default(), &lag);
        assert_eq!(after.longest, Some(millis(15)));
        let mut infinite = TimeManager::new(
            Limits {
                infinite: true,
                ..clock(9, 0, None)
            },
            TimeParams::default(),
            &lag,
        );
        infinite.reason_to_stop(millis(30), &met(1));
        assert_eq!(infinite.made(millis(40)), None);
    }

    #[test]
    fn a_fixed_time_and_a_clock_together_take_the_smaller() {
        let both = Limits {
            move_time_ms: Some(200),
            ..clock(600_000, 0, None)
        };
        assert_eq!(budget(&both).1, 180);
        let both = Limits {
            move_time_ms: Some(60_000),
            ..clock(300, 0, None)
        };
        assert!(budget(&both).1 < 300);
    }

    #[test]
    fn doubt_takes_time_and_stability_saves_it() {
        let planned = budget(&clock(60_000, 0, None)).0;
        let stops_after = |progress: &Progress| {
            (0..60_000)
                .find(|&ms| {
                    let mut manager = TimeManager::new(
                        clock(60_000, 0, None),
                        TimeParams::default(),
                        &Lag::default(),
                    );
                    manager.demanded = progress.demanded;
                    manager.reason_to_stop(millis(ms), progress).is_some()
                })
                .unwrap()
        };
        assert_eq!(stops_after(&met(5)), planned);
        let overturned = Progress {
            overturned: 2,
            ..met(5)
        };
        assert_eq!(stops_after(&overturned), planned * 1_700 / 1_000 + 1);
        let falling = Progress {
            settled: Some(Score::centipawns(50)),
            hypothesis: Some(Score::centipawns(-50)),
            ..met(5)
        };
        assert_eq!(stops_after(&falling), planned * 2);
        let stable = Progress {
            stable_requirements: 5,
            ..met(5)
        };
        assert!(stops_after(&stable) < planned * 3 / 4);
    }

    #[test]
    fn no_requirement_is_begun_that_would_not_be_met() {
        let mut manager = TimeManager::new(
            clock(60_000, 0, None),
            TimeParams::default(),
            &Lag::default(),
        );
        let planned = manager.budget.planned.unwrap();
        let late = planned * 6 / 10;
        assert_eq!(manager.reason_to_stop(planned / 4, &met(1)), None);
        assert_eq!(
            manager.reason_to_stop(late, &met(1)),
            None,
            "the requirement is being worked on"
        );
        let safer = Progress {
            met: Requirement {
                depth: 1,
                conspiracy: 2,
            },
            ..met(1)
        };
        assert_eq!(
            manager.reason_to_stop(late, &safer),
            None,
            "a second strategy ends no requirement"
        );
        assert_eq!(
            manager.reason_to_stop(late, &met(2)),
            Some(StopReason::Time)
        );
    }

    #[test]
    fn pondering_costs_nothing_until_the_hit() {
        let limits = Limits {
            ponder: true,
            ..clock(1_000, 0, None)
        };
        let mut manager = TimeManager::new(limits, TimeParams::default(), &Lag::default());
        assert!(manager.holds_answer());
        let exhausted = Progress {
            exhausted: true,
            ..met(3)
        };
        assert_eq!(manager.reason_to_stop(millis(50_000), &exhausted), None);
        manager.ponder_hit(millis(50_000));
        assert!(!manager.holds_answer());
        assert_eq!(manager.reason_to_stop(millis(50_001), &met(3)), None);
        assert_eq!(
            manager.reason_to_stop(millis(50_001), &exhausted),
            Some(StopReason::Exhausted)
        );
        assert_eq!(
            manager.reason_to_stop(millis(50_400), &met(3)),
            Some(StopReason::Time)
        );
    }

    #[test]
    fn infinite_analysis_outlives_every_clock() {
        let limits = Limits {
            infinite: true,
            ..clock(1_000, 0, None)
        };
        let mut manager = TimeManager::new(limits, TimeParams::default(), &Lag::default());
        assert!(manager.holds_answer());
        assert_eq!(manager.reason_to_stop(millis(1_000_000), &met(30)), None);
    }
}
