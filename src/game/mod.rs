//! The game interface of all searches: rules, an evaluator, scores, values, bounds and windows.
//!
//! There is no chess code here. The searches (`cc2s`, `thesis`) are generic over these traits. So they can be tested on
//! the small trees of [`explicit`] and timed on the seeded trees of [`synthetic`].

mod aspiration;
mod hash_update;
mod heuristic;
mod job;
mod listener;
mod oracle;
mod progress;
mod reduction;
mod requirement;
mod rng;
mod root_update;
mod rules;
mod score;
mod value;
mod window;

pub mod explicit;
pub mod synthetic;

pub use aspiration::AspirationWindow;
pub use hash_update::HashUpdate;
pub use heuristic::{Heuristic, HeuristicEvaluator, Precision};
pub use job::{Job, Request, Response, SearchResult};
pub use listener::{BestMove, SearchListener};
pub use oracle::{Evaluator, Tablebase, Valuation};
pub use progress::{Progress, Work};
pub use reduction::late_move_reduction;
pub use requirement::Requirement;
pub use rng::SplitMix64;
pub use root_update::{Claim, RootUpdate};
pub use rules::Game;
pub use score::Score;
pub use value::{Bound, Relation, TargetBound, Value};
pub use window::Window;

#[cfg(test)]
pub(crate) use listener::Patience;
