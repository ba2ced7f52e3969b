//! A game as every search sees it: its rules, an evaluator, scores, values, bounds and windows.
//!
//! Nothing here knows chess. The searches (`cc2s`, `thesis`) are generic over these traits, which is why they can be
//! proved on the small trees of [`explicit`] and timed on the seeded ones of [`synthetic`].

mod heuristic;
mod oracle;
mod reduction;
mod requirement;
mod rng;
mod rules;
mod score;
mod value;
mod window;

pub mod explicit;
pub mod synthetic;

pub use heuristic::{Heuristic, HeuristicEvaluator, Precision};
pub use oracle::{Evaluator, Tablebase, Valuation};
pub use reduction::late_move_reduction;
pub use requirement::Requirement;
pub use rng::SplitMix64;
pub use rules::Game;
pub use score::Score;
pub use value::{Attribute, Bound, Relation, Value};
pub use window::Window;
