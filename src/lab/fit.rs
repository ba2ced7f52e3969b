//! Fits the evaluation weights to games by logistic regression on search scores and game results.

use shakmaty::Position as _;

use crate::eval::{Attack, Trace, Weights};
use crate::game::SplitMix64;
use crate::lab::adam::Adam;
use crate::lab::selfplay::TrainingPosition;

/// Score at which a side is expected to get 1 / (1 + 1/e) of the point, in centipawns. Measured in games with
/// 4,000 nodes a move.
const SCALE_CP: f32 = 147.0;

/// Initial step of a weight, in centipawns.
const RATE_CP: f32 = 1.0;
/// One game in this many is held out: whole games, because positions of one game resemble each other.
const HELD_OUT_EVERY: u64 = 10;

/// A position split into its evaluation terms, and its target.
#[derive(Clone, Debug)]
pub struct FitExample {
    trace: Trace,
    /// Expected score of the side to move, 0 to 1.
    target: f32,
    is_held_out: bool,
}

impl FitExample {
    /// Creates an example. The target is the game's result, weighted by `result_share`, and for the rest the
    /// expectation from the search score. `None` if the position is not evaluated by the weights.
    pub fn new(sample: &TrainingPosition, game: u64, result_share: f32) -> Option<Self> {
        let promised = chance(sample.score_cp as f32);
        let white = result_share * sample.white + (1.0 - result_share) * promised;
        let turn = sample.position.chess().turn();
        Some(Self {
            trace: Trace::of(&sample.position, &Weights::DEFAULT)?,
            target: turn.fold_wb(white, 1.0 - white),
            is_held_out: game.is_multiple_of(HELD_OUT_EVERY),
        })
    }
}

/// Settings of the fit.
#[derive(Clone, Copy, Debug)]
pub struct FitSettings {
    /// Passes over the examples.
    pub passes: u32,
    /// Strength of the regularisation towards the initial weights. A weight that is off by 100 centipawns is
    /// pulled back like by this number of examples that miss their target by a whole point.
    pub hold: f32,
}

/// Middlegame and endgame value of each weight in centipawns, followed by the units of king danger.
struct WeightVector(Vec<f32>);

/// Index of the first unit of danger.
const DANGER: usize = 2 * Weights::COUNT;

/// A fit in progress.
pub struct Fit {
    start: Vec<f32>,
    now: WeightVector,
}

impl Default for Fit {
    fn default() -> Self {
        let mut weights = Weights::DEFAULT;
        let mut numbers: Vec<f32> = weights
            .all()
            .flat_map(|weight| [weight.middlegame() as f32, weight.ending() as f32])
            .collect();
        numbers.extend(weights.danger.all().map(|unit| *unit as f32));
        Self {
            start: numbers.clone(),
            now: WeightVector(numbers),
        }
    }
}

impl Fit {
    /// Returns the mean loss of the held-out examples, or of the others. The loss is the cross entropy minus the
    /// entropy of the targets.
    pub fn loss(&self, examples: &[FitExample], held_out: bool) -> f64 {
        let chosen = examples.iter().filter(|each| each.is_held_out == held_out);
        let (mut sum, mut count) = (0.0, 0_u32);
        for example in chosen {
            let found = chance(self.now.value(&example.trace));
            let (expected, found) = (f64::from(example.target), f64::from(found));
            sum += entropy(expected, found) - entropy(expected, expected);
            count += 1;
        }
        sum / f64::from(count.max(1))
    }

    /// Trains on the examples that are not held out, using Adam (Kingma, Ba 2014). Calls `done` after each pass.
    ///
    /// # Errors
    /// The first error of `done`, which ends the fit.
    pub fn learn<E>(
        &mut self,
        examples: &[FitExample],
        plan: FitSettings,
        mut done: impl FnMut(u32, &Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut order: Vec<u32> = (0..examples.len() as u32)
            .filter(|&at| !examples[at as usize].is_held_out)
            .collect();
        let mut rng = SplitMix64::new(1);
        let mut adam = Adam::new(self.now.0.len());
        for pass in 0..plan.passes {
            for at in (1..order.len()).rev() {
                order.swap(at, rng.below(at as u64 + 1) as usize);
            }
            let rate = RATE_CP * (1.0 - pass as f32 / plan.passes as f32);
            for batch in order.chunks(8_192) {
                let mut slope = vec![0.0_f32; self.now.0.len()];
                for &at in batch {
                    let example = &examples[at as usize];
                    let error = chance(self.now.value(&example.trace)) - example.target;
                    self.now.add_slope(&example.trace, error, &mut slope);
                }
                for (at, slope) in slope.iter_mut().enumerate() {
                    let off = self.now.0[at] - self.start[at];
                    *slope =
                        *slope / batch.len() as f32 + plan.hold * off / 100.0 / order.len() as f32;
                }
                adam.step(&mut self.now.0, &slope, rate, 0.0);
            }
            done(pass + 1, self)?;
        }
        Ok(())
    }

    /// Returns the source text of the weights (`src/eval/weights.rs`).
    pub fn source(&self) -> String {
        let mut weights = Weights::DEFAULT;
        let mut numbers = self.now.0.iter().map(|number| number.round() as i32);
        let mut next = || numbers.next().expect("there is a number for each weight");
        let mut tables = String::new();
        for (name, table, meaning) in weights.tables() {
            let pairs: Vec<_> = table
                .iter()
                .map(|_| format!("({}, {})", next(), next()))
                .collect();
            tables += &declared(name, &pairs, meaning);
        }
        let mut units = String::new();
        for (name, table, meaning) in weights.danger.tables() {
            let own: Vec<_> = table.iter().map(|_| next().to_string()).collect();
            units += &declared(name, &own, meaning);
        }
        format!(
            "//! The weights of the evaluation as `cc2s lab fit` has written them.\n\nsuper::params::weights! {{\n    \
             tapered {{\n{tables}    }}\n    danger {{\n{units}    }}\n}}\n"
        )
    }
}

/// The declaration of a table; a long one has eight entries a line, like the squares of a rank.
fn declared(name: &str, entries: &[String], meaning: &str) -> String {
    let number = entries.len();
    let entries = if number < 64 {
        entries.join(", ")
    } else {
        let lines = entries
            .chunks(8)
            .map(|line| format!("            {},\n", line.join(", ")));
        format!("\n{}        ", lines.collect::<String>())
    };
    format!("        {name}: {number} = [{entries}], \"{meaning}\";\n")
}

impl WeightVector {
    fn value(&self, trace: &Trace) -> f32 {
        let mut total = [0.0; 2];
        for &(weight, count) in &trace.counts {
            for (total, part) in total.iter_mut().zip(&self.0[2 * usize::from(weight)..]) {
                *total += f32::from(count) * part;
            }
        }
        for (sign, attack) in signed(trace) {
            let cost = attack.cost(&self.0[DANGER..]);
            total[0] += sign * cost[0].0;
            total[1] += sign * cost[1].0;
        }
        total[0] * trace.shares[0] + total[1] * trace.shares[1]
    }

    /// Adds the gradient of the loss for an error of this size.
    fn add_slope(&self, trace: &Trace, error: f32, slope: &mut [f32]) {
        for &(weight, count) in &trace.counts {
            let slopes = slope[2 * usize::from(weight)..].iter_mut();
            for (slope, share) in slopes.zip(&trace.shares) {
                *slope += error * f32::from(count) * share;
            }
        }
        for (sign, attack) in signed(trace) {
            let cost = attack.cost(&self.0[DANGER..]);
            let steep = cost[0].1 * trace.shares[0] + cost[1].1 * trace.shares[1];
            for (slope, &count) in slope[DANGER..].iter_mut().zip(&attack.counts) {
                *slope += error * sign * steep * f32::from(count);
            }
        }
    }
}

/// The attacks with their signs: negative on the own king, positive on the enemy king.
fn signed(trace: &Trace) -> impl Iterator<Item = (f32, &Attack)> {
    let attacks = [-1.0, 1.0].into_iter().zip(&trace.attacks);
    attacks.filter_map(|(sign, attack)| Some((sign, attack.as_ref()?)))
}

fn chance(cp: f32) -> f32 {
    1.0 / (1.0 + (-cp / SCALE_CP).exp())
}

fn entropy(expected: f64, found: f64) -> f64 {
    let part = |share: f64, of: f64| {
        if share > 0.0 {
            -share * of.max(1e-9).ln()
        } else {
            0.0
        }
    };
    part(expected, found) + part(1.0 - expected, 1.0 - found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Line, Position};
    use crate::eval::{Evaluation, EvaluationKind};
    use crate::game::Game as _;

    fn positions(seed: u64, number: usize) -> Vec<Position> {
        let mut rng = SplitMix64::new(seed);
        let (mut found, mut moves) = (Vec::new(), Vec::new());
        while found.len() < number {
            let mut line = Line::new(Position::initial());
            while line.end_score().is_none() && line.moves().len() < 200 {
                moves.clear();
                line.legal_moves(&mut moves);
                line.play(moves[rng.below(moves.len() as u64) as usize]);
                found.push(line.position().clone());
            }
        }
        found
    }

    #[test]
    fn the_parts_make_up_the_value() {
        let (fit, mut evaluation) = (Fit::default(), Evaluation::new(&EvaluationKind::Classical));
        let mut compared = 0;
        for position in positions(3, 3_000) {
            if let Some(trace) = Trace::of(&position, &Weights::DEFAULT) {
                let (sum, value) = (fit.now.value(&trace), evaluation.evaluate(&position, 0));
                // Units of danger and centipawns are truncated to integers in the evaluation.
                assert!(
                    (sum - value as f32).abs() < 8.0,
                    "{sum}, {value}: {position:?}"
                );
                compared += 1;
            }
        }
        assert!(compared > 2_000);
    }

    #[test]
    fn a_fit_comes_close_to_the_weights_that_made_the_targets() {
        let mut truth = Fit::default();
        let mut rng = SplitMix64::new(5);
        for number in &mut truth.now.0 {
            *number += rng.below(41) as f32 - 20.0;
        }
        let mut examples = Vec::new();
        for (at, position) in positions(4, 6_000).into_iter().enumerate() {
            let sample = TrainingPosition {
                position,
                score_cp: 0,
                white: 0.5,
            };
            if let Some(mut example) = FitExample::new(&sample, at as u64 / 100, 0.0) {
                example.target = chance(truth.now.value(&example.trace));
                examples.push(example);
            }
        }
        let mut fit = Fit::default();
        let before = fit.loss(&examples, true);
        let plan = FitSettings {
            passes: 60,
            hold: 0.0,
        };
        fit.learn(&examples, plan, |_, _| Ok::<_, ()>(())).unwrap();
        let after = fit.loss(&examples, true);
        assert!(after < 0.2 * before, "{before} {after}");
    }

    #[test]
    fn the_source_is_what_it_writes() {
        assert_eq!(Fit::default().source(), include_str!("../eval/weights.rs"));
    }
}
