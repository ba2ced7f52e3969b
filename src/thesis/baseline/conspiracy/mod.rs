//! Classical conspiracy number search (`McAllester` 1988; Schaeffer 1990; van der Meulen 1990; thesis 1.5).
//!
//! Every node stores, for every score the scale knows, how many leaves below it would have to conspire to give it that
//! score. The search expands leaves until no conspiracy against the root's score is smaller than a threshold. It shows
//! what Cc2s avoids: the memory a node takes grows with the fineness of the scale, and with a fine scale the search
//! hardly ever ends.

mod numbers;
mod search;

pub use numbers::Scale;
pub use search::ConspiracyReport;
