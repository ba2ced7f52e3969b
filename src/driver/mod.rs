//! Who calls the workers of Cc2s when, and carries their messages.

pub mod ranks;
pub mod sim;
pub mod threads;
