//! Tuning of parameters by games: simultaneous perturbation stochastic approximation (SPSA; Spall 1998), scaled as the
//! testers of Stockfish do it.
//!
//! Each iteration moves all parameters at once, each up or down at random, plays the settings on one side against those
//! on the other side, and moves the parameters towards the winner. The perturbations and the rate shrink over the run.

use std::sync::Arc;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::chess::Line;
use crate::game::SplitMix64;
use crate::settings::{EngineParams, ParameterEntry};
use crate::tools::ToolError;
use crate::tools::matches::{Contest, Ending, Entrant, Host, Rules, Standing, run, schedule};
use crate::tools::stats::Counts;

/// Exponent of the decrease of the rate.
const ALPHA: f64 = 0.602;
/// Exponent of the decrease of the perturbations.
const GAMMA: f64 = 0.101;
/// The rate decreases as if this share of the iterations had been played before.
const STABILITY: f64 = 0.1;

/// A parameter to be tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tunable {
    /// Section and name in `engine.toml`, as `section.name`.
    pub name: String,
    /// Name of the UCI option.
    pub option: String,
    /// Value before the run.
    pub start: i32,
    /// Least value.
    pub min: i32,
    /// Greatest value.
    pub max: i32,
    /// Perturbation at the end of the run, in units of the parameter.
    pub step: f64,
}

impl Tunable {
    /// A parameter that starts from its value in `params`. The step is a twentieth of its range unless given, and at
    /// least half a unit.
    pub fn new(params: &EngineParams, entry: ParameterEntry, step: Option<f64>) -> Self {
        let declaration = entry.declaration;
        let (min, max) = (declaration.min, declaration.max);
        let range = f64::from(max) - f64::from(min);
        let value = params.get(entry.section, declaration.name);
        Self {
            name: format!("{}.{}", entry.section, declaration.name),
            option: entry.option_name(),
            start: value.unwrap_or(declaration.default),
            min,
            max,
            step: step.unwrap_or((range / 20.0).max(0.5)),
        }
    }

    fn clamp(&self, value: f64) -> f64 {
        value.clamp(self.min.into(), self.max.into())
    }
}

/// The settings of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaSettings {
    /// The parameters.
    pub tunables: Vec<Tunable>,
    /// Iterations of the whole run; each is a pair of games.
    pub iterations: usize,
    /// Movement of a parameter by a won pair at the end of the run, in steps.
    pub rate: f64,
    /// Equal seeds give equal perturbations.
    pub seed: u64,
}

/// The two settings of an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perturbation {
    /// Its number, from 0.
    pub iteration: usize,
    /// Values of the parameters on one side...
    pub plus: Vec<i32>,
    /// ... and on the other.
    pub minus: Vec<i32>,
}

/// The result of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairResult {
    /// Its number, from 0.
    pub iteration: usize,
    /// Games won minus games lost by the plus side, -2 to 2.
    pub balance: i8,
}

/// The state of a run.
#[derive(Clone, Debug)]
pub struct Spsa {
    settings: SpsaSettings,
    values: Vec<f64>,
}

impl Spsa {
    /// The state before the first iteration.
    pub fn new(settings: SpsaSettings) -> Self {
        let values = settings.tunables.iter().map(|each| each.start.into());
        Self {
            values: values.collect(),
            settings,
        }
    }

    /// The settings.
    pub fn settings(&self) -> &SpsaSettings {
        &self.settings
    }

    /// The present values, in the order of the parameters.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The two settings to be compared in an iteration, around the present values. A fraction is rounded up with a
    /// probability equal to it, so that steps below a unit count too.
    pub fn perturb(&self, iteration: usize) -> Perturbation {
        let mut rng = self.rng(iteration);
        let directions = self.directions(&mut rng);
        let mut side = |sign: f64| {
            let settings = self.settings.tunables.iter().enumerate();
            settings
                .map(|(at, tunable)| {
                    let shift = sign * directions[at] * self.perturbation(tunable, iteration);
                    tunable.clamp((self.values[at] + shift + rng.unit()).floor()) as i32
                })
                .collect()
        };
        Perturbation {
            iteration,
            plus: side(1.0),
            minus: side(-1.0),
        }
    }

    /// Moves the parameters by the result of an iteration. Results may come in any order; the same order gives the same
    /// values.
    pub fn update(&mut self, result: PairResult) {
        let iteration = result.iteration;
        let directions = self.directions(&mut self.rng(iteration));
        let all = self.settings.iterations as f64;
        let (start, now) = (all * STABILITY, (iteration + 1) as f64);
        let rate = self.settings.rate * ((start + all) / (start + now)).powf(ALPHA);
        for (at, tunable) in self.settings.tunables.iter().enumerate() {
            let slope = f64::from(result.balance) * directions[at];
            let gain = rate * tunable.step.powi(2) / self.perturbation(tunable, iteration);
            self.values[at] = tunable.clamp(self.values[at] + gain * slope);
        }
    }

    fn rng(&self, iteration: usize) -> SplitMix64 {
        SplitMix64::new(SplitMix64::mix(
            self.settings.seed ^ SplitMix64::mix(iteration as u64),
        ))
    }

    /// 1 or -1 for each parameter.
    fn directions(&self, rng: &mut SplitMix64) -> Vec<f64> {
        let tunables = self.settings.tunables.iter();
        tunables
            .map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 })
            .collect()
    }

    fn perturbation(&self, tunable: &Tunable, iteration: usize) -> f64 {
        let left = self.settings.iterations as f64 / (iteration + 1) as f64;
        tunable.step * left.powf(GAMMA)
    }
}

/// The games of a run.
pub struct TuningGames<'a> {
    /// Options of all players, beside the tuned parameters.
    pub options: Vec<(String, String)>,
    /// Openings, taken in order; each is played twice with colours reversed.
    pub openings: &'a [Line],
    /// The conditions of each game.
    pub rules: &'a Rules,
    /// Stops the games.
    pub host: &'a Arc<Host>,
}

/// What the tables of a run share.
struct TuningState<'a, D> {
    spsa: &'a mut Spsa,
    /// Iterations not yet begun.
    open: std::slice::Iter<'a, usize>,
    done: D,
    /// The first error ends the run.
    outcome: Result<(), ToolError>,
}

impl TuningGames<'_> {
    /// Plays the open iterations of `spsa`, `tables` at a time, and moves its values after each. `done` gets each result
    /// with the new state.
    ///
    /// # Errors
    /// A player does not start or breaks down, or the first error of `done`.
    pub fn play(
        &self,
        spsa: &mut Spsa,
        open: &[usize],
        tables: usize,
        done: impl FnMut(PairResult, &Spsa) -> Result<(), ToolError> + Send,
    ) -> Result<(), ToolError> {
        let tunables = spsa.settings.tunables.clone();
        let state = Mutex::new(TuningState {
            spsa,
            open: open.iter(),
            done,
            outcome: Ok(()),
        });
        let next = || {
            let state = &mut *state.lock();
            let iteration = state.open.next().filter(|_| state.outcome.is_ok())?;
            Some(state.spsa.perturb(*iteration))
        };
        let take = |played: Result<PairResult, ToolError>| {
            let state = &mut *state.lock();
            if state.outcome.is_err() {
                return;
            }
            state.outcome = played.and_then(|result| {
                state.spsa.update(result);
                (state.done)(result, state.spsa)
            });
        };
        std::thread::scope(|scope| {
            for _ in 0..tables {
                scope.spawn(|| {
                    while let Some(perturbation) = next() {
                        match self.play_pair(&tunables, &perturbation) {
                            Ok(None) => return,
                            Ok(Some(result)) => take(Ok(result)),
                            Err(error) => take(Err(error)),
                        }
                    }
                });
            }
        });
        state.into_inner().outcome
    }

    /// Plays the two games of an iteration; `None` if they were interrupted.
    fn play_pair(
        &self,
        tunables: &[Tunable],
        perturbation: &Perturbation,
    ) -> Result<Option<PairResult>, ToolError> {
        let iteration = perturbation.iteration;
        let entrant = |name: &str, values: &[i32]| {
            let tuned = tunables.iter().zip(values);
            let tuned = tuned.map(|(each, value)| (each.option.clone(), value.to_string()));
            Entrant {
                name: name.to_owned(),
                options: self.options.iter().cloned().chain(tuned).collect(),
                ..Entrant::default()
            }
        };
        let opening = iteration % self.openings.len();
        let contest = Contest {
            entrants: &[
                entrant("plus", &perturbation.plus),
                entrant("minus", &perturbation.minus),
            ],
            openings: &self.openings[opening..=opening],
            rules: self.rules,
            host: self.host,
        };
        let mut games = Vec::new();
        run(&contest, &schedule(2, 2, 1), 1, |game| {
            games.push(game);
            Ok(true)
        })?;
        for game in &games {
            if matches!(game.ending, Ending::Crash | Ending::IllegalMove) {
                let fault = game.fault.as_deref().unwrap_or_default();
                let reason = format!("iteration {iteration}: {}: {fault}", game.ending);
                return Err(ToolError::Settings(reason));
            }
        }
        let Counts([lost, _, won]) = Standing::between(0, 1, &games).games;
        let is_complete = games.len() == 2;
        Ok(is_complete.then_some(PairResult {
            iteration,
            balance: won as i8 - lost as i8,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tunable(start: i32, step: f64) -> Tunable {
        Tunable {
            name: String::new(),
            option: String::new(),
            start,
            min: 0,
            max: 200,
            step,
        }
    }

    fn settings(iterations: usize) -> SpsaSettings {
        SpsaSettings {
            tunables: vec![tunable(60, 10.0), tunable(150, 10.0)],
            iterations,
            rate: 0.02,
            seed: 1,
        }
    }

    /// Pairs of games whose score falls with the distance from (100, 100), with as much noise as chess has.
    fn played(spsa: &Spsa, iteration: usize, rng: &mut SplitMix64) -> PairResult {
        let loss = |values: &[i32]| {
            let squares = values.iter().map(|&value| f64::from(value - 100).powi(2));
            squares.sum::<f64>() / 20_000.0
        };
        let perturbation = spsa.perturb(iteration);
        let expected = loss(&perturbation.minus) - loss(&perturbation.plus);
        let mut game = || match rng.unit() {
            random if random < 0.25 + expected / 2.0 => 1,
            random if random > 0.75 + expected / 2.0 => -1,
            _ => 0,
        };
        PairResult {
            iteration,
            balance: game() + game(),
        }
    }

    #[test]
    fn values_move_to_the_optimum() {
        let mut spsa = Spsa::new(settings(20_000));
        let mut rng = SplitMix64::new(3);
        for iteration in 0..20_000 {
            let result = played(&spsa, iteration, &mut rng);
            spsa.update(result);
        }
        for value in spsa.values() {
            assert!((value - 100.0).abs() < 15.0, "{:?}", spsa.values());
        }
    }

    #[test]
    fn equal_results_give_equal_values() {
        let mut rng = SplitMix64::new(5);
        let mut spsa = Spsa::new(settings(50));
        let results: Vec<PairResult> = (0..50)
            .map(|iteration| {
                let result = played(&spsa, iteration, &mut rng);
                spsa.update(result);
                result
            })
            .collect();
        let mut again = Spsa::new(settings(50));
        for result in results {
            again.update(result);
        }
        assert_eq!(spsa.values(), again.values());
        assert_ne!(spsa.values(), [60.0, 150.0]);
    }

    #[test]
    fn a_step_below_a_unit_counts_by_chance() {
        let mut small = settings(1_000);
        small.tunables = vec![tunable(3, 0.25), tunable(0, 5.0)];
        let spsa = Spsa::new(small);
        let all: Vec<Perturbation> = (0..1_000).map(|at| spsa.perturb(at)).collect();
        let differ = all.iter().filter(|each| each.plus[0] != each.minus[0]);
        assert!((300..800).contains(&differ.count()));
        let sum: i32 = all.iter().map(|each| each.plus[0] + each.minus[0]).sum();
        assert!((f64::from(sum) / 2_000.0 - 3.0).abs() < 0.1);
        let is_inside = |each: &Perturbation| each.plus[1] >= 0 && each.minus[1] >= 0;
        assert!(all.iter().all(is_inside));
    }
}
