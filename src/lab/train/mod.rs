//! A network for the evaluation, learned from the engine's own games (`cc2s lab selfplay`).
//!
//! The network's form and what its numbers mean are those of [`crate::eval::network`]. It learns the chance to score,
//! by gradient descent in single precision. The descent is deterministic: a batch is cut into a fixed number of parts,
//! whose slopes are added in their order, whatever the number of threads.

mod checkpoint;
mod data;
mod example;
mod gradient;
mod model;
mod trainer;

pub use data::Dataset;
pub use trainer::{Loss, Trainer, TrainingSettings};
