//! The training loop: epochs over the positions in random order.

use std::thread;

use serde::{Deserialize, Serialize};

use super::data::Dataset;
use super::example::TrainingExample;
use super::gradient::{Gradient, Hidden, excess};
use super::model::{Model, NetworkShape};
use crate::eval::network::file::{NetworkParameters, checksum};
use crate::game::SplitMix64;
use crate::lab::adam::Adam;
use crate::lab::selfplay::PackedPosition;

/// Number of parts of a batch, each with its own gradient. More threads than this do not help.
const PARTS: usize = 8;
/// Final learning rate, relative to the initial one.
const LAST_RATE: f32 = 0.01;

/// Settings of the training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingSettings {
    /// The network's unit: the score with an expectation of 1 / (1 + 1/e), in centipawns.
    pub scale_cp: u32,
    /// Weight of the game's result in the target, 0 to 1; the rest is the score.
    pub result_share: f32,
    /// Number of epochs.
    pub epochs: u32,
    /// Positions per step.
    pub batch: usize,
    /// Initial learning rate; it decays to a hundredth by a cosine schedule.
    pub rate: f32,
    /// Weight decay per step, as a multiple of the learning rate.
    pub decay: f32,
    /// Equal seeds give equal networks.
    pub seed: u64,
}

/// Mean loss after an epoch: the cross entropy minus the entropy of the targets.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Loss {
    /// Loss on the training set, computed during the epoch.
    pub training: f64,
    /// Loss on the held-out set, computed after the epoch.
    pub held_out: f64,
}

/// Trains a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Trainer {
    pub(super) plan: TrainingSettings,
    pub(super) model: Model,
    pub(super) adam: Adam,
    /// Checksum of the initial network; `None` if its weights were random.
    pub(super) start: Option<u64>,
    pub(super) losses: Vec<Loss>,
}

impl Trainer {
    /// Creates a network with random weights and `hidden` hidden units for each side.
    pub fn new(hidden: usize, plan: TrainingSettings) -> Self {
        let shape = NetworkShape { hidden };
        Self {
            plan,
            model: Model::new(shape, plan.seed),
            adam: Adam::new(shape.numbers()),
            start: None,
            losses: Vec::new(),
        }
    }

    /// Continues the training of a network, in the unit given by its file.
    pub fn from_network(network: &NetworkParameters, plan: TrainingSettings) -> Self {
        let model = Model::of(network);
        Self {
            plan: TrainingSettings {
                scale_cp: network.scale,
                ..plan
            },
            adam: Adam::new(model.shape.numbers()),
            model,
            start: Some(checksum(&network.to_bytes())),
            losses: Vec::new(),
        }
    }

    /// Returns the losses of all epochs so far.
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// Returns the current network, quantised.
    pub fn network(&self) -> NetworkParameters {
        self.model.quantised(self.plan.scale_cp)
    }

    /// Trains for one epoch; `done` is called with the number of positions of each batch.
    pub fn pass(&mut self, data: &Dataset, threads: usize, mut done: impl FnMut(usize)) {
        let order = shuffled(
            data.training.len(),
            self.plan.seed,
            self.losses.len() as u64,
        );
        let batches = order.len().div_ceil(self.plan.batch);
        let mut gradients: Vec<_> = (0..PARTS).map(|_| Gradient::new(&self.model)).collect();
        let mut loss = 0.0;
        for (at, batch) in order.chunks(self.plan.batch).enumerate() {
            self.gather(data, batch, &mut gradients, threads);
            let (sum, others) = gradients.split_first_mut().expect("there are parts");
            for other in others {
                for (sum, slope) in sum.slopes.iter_mut().zip(&other.slopes) {
                    *sum += slope;
                }
                sum.loss += other.loss;
            }
            let share = 1.0 / batch.len() as f32;
            sum.slopes.iter_mut().for_each(|slope| *slope *= share);
            loss += sum.loss;
            let progress = (self.losses.len() * batches + at) as f32
                / (self.plan.epochs as usize * batches) as f32;
            let rate = self.plan.rate * falling(progress);
            self.adam
                .step(&mut self.model.numbers, &sum.slopes, rate, self.plan.decay);
            self.model.clip();
            done(batch.len());
        }
        self.losses.push(Loss {
            training: loss / order.len() as f64,
            held_out: self.loss(&data.held_out, threads),
        });
    }

    /// Computes the gradient of a batch in parts.
    fn gather(&self, data: &Dataset, batch: &[u32], gradients: &mut [Gradient], threads: usize) {
        let parts: Vec<_> = batch.chunks(batch.len().div_ceil(PARTS)).collect();
        let each = PARTS.div_ceil(threads);
        thread::scope(|scope| {
            for (at, gradients) in gradients.chunks_mut(each).enumerate() {
                let parts = &parts[parts.len().min(at * each)..];
                scope.spawn(move || {
                    gradients.iter_mut().for_each(Gradient::clear);
                    for (gradient, part) in gradients.iter_mut().zip(parts) {
                        for &place in *part {
                            gradient
                                .add(&self.model, &self.example(&data.training[place as usize]));
                        }
                    }
                });
            }
        });
    }

    fn example(&self, record: &PackedPosition) -> TrainingExample {
        TrainingExample::new(record, &self.plan)
    }

    /// The mean loss over records; 0 without records.
    fn loss(&self, records: &[PackedPosition], threads: usize) -> f64 {
        let part = records.len().div_ceil(PARTS).max(1);
        let parts: Vec<_> = records.chunks(part).collect();
        let mut sums = vec![0.0; parts.len()];
        let each = parts.len().div_ceil(threads).max(1);
        thread::scope(|scope| {
            for (parts, sums) in parts.chunks(each).zip(sums.chunks_mut(each)) {
                scope.spawn(move || {
                    let mut hidden = Hidden::new(&self.model);
                    for (records, sum) in parts.iter().zip(sums) {
                        let losses = records.iter().map(|record| {
                            let example = self.example(record);
                            excess(example.target, hidden.forward(&self.model, &example))
                        });
                        *sum = losses.sum();
                    }
                });
            }
        });
        sums.iter().sum::<f64>() / records.len().max(1) as f64
    }
}

/// The learning rate relative to the initial one, after the share `progress` of the training.
fn falling(progress: f32) -> f32 {
    LAST_RATE + (1.0 - LAST_RATE) * 0.5 * (1.0 + (progress * std::f32::consts::PI).cos())
}

/// A permutation of the numbers below `count`, determined by seed and epoch.
fn shuffled(count: usize, seed: u64, pass: u64) -> Vec<u32> {
    let mut rng = SplitMix64::new(SplitMix64::mix(seed) ^ (pass + 1));
    let mut order: Vec<u32> = (0..count as u32).collect();
    rng.shuffle(&mut order);
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Line, Position};
    use crate::eval::{Evaluation, EvaluationKind};
    use crate::game::Game as _;

    const HIDDEN: usize = 32;
    const PLAN: TrainingSettings = TrainingSettings {
        scale_cp: 200,
        result_share: 0.1,
        epochs: 6,
        batch: 128,
        rate: 0.004,
        decay: 0.01,
        seed: 3,
    };

    /// Positions of random games, scored by the hand-crafted evaluation.
    fn data(positions: usize) -> Dataset {
        let mut rng = SplitMix64::new(8);
        let mut evaluation = Evaluation::new(&EvaluationKind::Classical);
        let (mut records, mut moves) = (Vec::new(), Vec::new());
        while records.len() < positions {
            let mut line = Line::new(Position::initial());
            while line.end_score().is_none() && line.moves().len() < 80 {
                let own = evaluation.evaluate(line.position(), 0);
                let white = line.turn().fold_wb(own, -own).clamp(-2_000, 2_000);
                records.push(PackedPosition::new(line.position(), white as i16));
                moves.clear();
                line.legal_moves(&mut moves);
                line.play(moves[rng.below(moves.len() as u64) as usize]);
            }
        }
        let held_out = records.split_off(positions * 9 / 10);
        Dataset {
            training: records,
            held_out,
            games: 1,
        }
    }

    #[test]
    fn learns_what_positions_are_worth() {
        let data = data(20_000);
        let mut trainer = Trainer::new(HIDDEN, PLAN);
        let before = trainer.loss(&data.held_out, 1);
        for _ in 0..PLAN.epochs {
            trainer.pass(&data, 2, |_| {});
        }
        let after = trainer.losses().last().unwrap().held_out;
        assert!(after < 0.5 * before, "{before} {after}");
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let data = data(3_000);
        let bytes = [1, 2, 3, 20].map(|threads| {
            let mut trainer = Trainer::new(HIDDEN, PLAN);
            trainer.pass(&data, threads, |_| {});
            (trainer.network().to_bytes(), trainer.losses()[0])
        });
        assert!(bytes.iter().all(|other| *other == bytes[0]));
    }

    #[test]
    fn a_network_goes_on_from_where_it_was() {
        let data = data(20_000);
        let mut trainer = Trainer::new(HIDDEN, PLAN);
        let ignorant = trainer.loss(&data.held_out, 1);
        for _ in 0..2 {
            trainer.pass(&data, 2, |_| {});
        }
        let network = trainer.network();
        let slow = TrainingSettings { rate: 1e-4, ..PLAN };
        let mut second = Trainer::from_network(&network, slow);
        assert_eq!(second.network(), network);
        second.pass(&data, 2, |_| {});
        let [before, after] = [&trainer, &second]
            .map(|trainer| trainer.losses()[trainer.losses().len() - 1].held_out);
        assert!(before < 0.8 * ignorant, "{ignorant} {before}");
        assert!(after < 1.02 * before, "{before} {after}");
    }

    /// The rounding error of quantisation is small.
    #[test]
    fn the_file_says_what_was_learned() {
        let data = data(3_000);
        let mut trainer = Trainer::new(HIDDEN, PLAN);
        trainer.pass(&data, 2, |_| {});
        let network = trainer.network();
        network.check().unwrap();
        let one = 1.0 / 255.0;
        let start = trainer.model.shape.weights_of(100).start;
        let (exact, whole) = (trainer.model.numbers[start], network.input[start]);
        assert!((exact - f32::from(whole) * one).abs() <= 0.51 * one);
    }
}
