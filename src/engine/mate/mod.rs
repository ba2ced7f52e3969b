//! Mates: proved by proof-number search where one is asked for or may be near, and shown to their end.

pub(super) mod go_mate;
mod prover;
pub(super) mod pv;
pub(super) mod scout;
