//! Error propagation in game trees (thesis, chapter 4): the probability that a minimax value is right when leaves
//! may be wrong. It depends on the number of leaf-disjoint strategies.
//!
//! Values are reduced to won and lost, in the side to move's view. Strategies are counted here independently of
//! the search, so that the search can be checked against them.

mod hull;
mod polynomial;
mod sampling;
mod strategies;

pub use hull::Hull;
pub use polynomial::{CoefficientError, QualityPolynomial, break_even, error_probability};
pub use sampling::{Sample, sample};
pub use strategies::{Proof, critical_leaves, is_useful};
