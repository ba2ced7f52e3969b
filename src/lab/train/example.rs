//! A position as input of the network, and its target.

use shakmaty::Color;

use super::trainer::TrainingSettings;
use crate::eval::network::features::{View, output_bucket};
use crate::lab::selfplay::PackedPosition;

const MEN_MAX: usize = 32;

pub(super) struct TrainingExample {
    /// Active inputs, from the view of the side to move and of the other side.
    inputs: [[u32; MEN_MAX]; 2],
    men: usize,
    pub bucket: usize,
    /// The expected score of the side to move, 0 to 1.
    pub target: f32,
}

impl TrainingExample {
    pub fn new(record: &PackedPosition, plan: &TrainingSettings) -> Self {
        let turn = record.turn();
        let kings = record.kings();
        let views = [turn, !turn].map(|side| View::new(side, kings[side as usize]));
        let mut inputs = [[0; MEN_MAX]; 2];
        let mut men = 0;
        for (square, man) in record.men() {
            let man = man.expect("records are sound");
            for (inputs, view) in inputs.iter_mut().zip(views) {
                inputs[men] = view.feature(man, square) as u32;
            }
            men += 1;
        }
        let own = |white: f32| if turn == Color::White { white } else { -white };
        let score = own(f32::from(record.score_cp())) / plan.scale_cp as f32;
        let result = 0.5 + own(record.white() - 0.5);
        Self {
            inputs,
            men,
            bucket: output_bucket(men),
            target: plan.result_share * result + (1.0 - plan.result_share) * chance(score),
        }
    }

    /// The active inputs, from the view of the side to move and of the other side.
    pub fn views(&self) -> [&[u32]; 2] {
        self.inputs.each_ref().map(|inputs| &inputs[..self.men])
    }
}

/// The expected score for a value in the network's unit.
pub(super) fn chance(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}
