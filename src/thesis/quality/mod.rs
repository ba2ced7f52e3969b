//! Error propagation in game trees (thesis, chapter 4): how likely a minimax value is right when leaves may be wrong,
//! and how that hangs on the number of leaf-disjoint strategies.
//!
//! Values are reduced to won and lost, seen by the side to move. Strategies are counted here independently of the
//! search, so that the search can be checked by it.

mod hull;
mod polynomial;
mod sampling;
mod strategies;

pub use hull::Hull;
pub use polynomial::{CoefficientError, QualityPolynomial, break_even, error_probability};
pub use sampling::{Sample, sample};
pub use strategies::{Proof, critical_leaves, is_useful};
