//! Mates: found by proof-number search, on request or if a mate may be near, and shown with all their moves.

pub(super) mod go_mate;
mod prover;
pub(super) mod pv;
pub(super) mod scout;
