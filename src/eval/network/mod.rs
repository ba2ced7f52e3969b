//! Evaluation by a small neural network: men on squares, one hidden layer for each side, value and doubt.

pub mod features;
pub mod file;
