//! Classical conspiracy number search (`McAllester` 1988; Schaeffer 1990; van der Meulen 1990; thesis 1.5).
//!
//! Every node stores, for every score of the scale, the number of leaves below it that would have to conspire to
//! give it that score. The search expands leaves until no conspiracy against the root's score is smaller than a
//! threshold. Cc2s avoids its drawbacks: the memory of a node grows with the fineness of the scale, and with a
//! fine scale the search rarely ends.

mod numbers;
mod search;

pub use numbers::Scale;
pub use search::ConspiracyReport;
