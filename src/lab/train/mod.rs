//! Training of the evaluation network on self-play games (`cc2s lab selfplay`).
//!
//! The architecture and the meaning of the parameters are those of [`crate::eval::network`]. The network learns
//! the expected score by gradient descent in single precision. Training is deterministic: a batch is divided into
//! a fixed number of parts, whose gradients are added in order, whatever the number of threads.

mod checkpoint;
mod data;
mod example;
mod gradient;
mod model;
mod trainer;

pub use data::Dataset;
pub use trainer::{Loss, Trainer, TrainingSettings};
