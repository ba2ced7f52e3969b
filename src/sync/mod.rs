//! What threads share: words behind a trait, in whose place a model checker puts its own and so checks the very code that
//! runs, and a bell.

mod bell;
mod marks;
mod prefetch;
mod signals;
mod slot;
mod word;

pub use bell::Bell;
pub use marks::Marks;
pub use prefetch::prefetch;
pub use signals::{Signals, StopAtEnd};
pub use slot::Slot;
pub use word::Word;
