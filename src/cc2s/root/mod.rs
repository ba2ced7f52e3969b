//! Which move to play: hypotheses about the root, and the requirements its decision must meet.

pub(crate) mod analysis;
pub(crate) mod decision;
pub(crate) mod director;
