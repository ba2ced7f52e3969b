//! The move to play: hypotheses about the root, and the requirements that its decision must meet (thesis 2.2).
//!
//! | file | figure | subject |
//! |---|---|---|
//! | `director`, `decision` | 2.6 | hypotheses and decisions at the root, schedule, principal variation |
//! | `analysis` | 2.6 | the root loop of a search that works alone |

pub(crate) mod analysis;
pub(crate) mod decision;
pub(crate) mod director;
