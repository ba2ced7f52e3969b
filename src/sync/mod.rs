//! The words that threads share, behind a trait: a model checker puts its own in their place and so checks the very code
//! that runs.

mod marks;
mod signals;
mod slot;
mod word;

pub use marks::Marks;
pub use signals::{Signals, StopAtEnd};
pub use slot::Slot;
pub use word::Word;
