//! Who calls the workers of Cc2s when, and carries their messages.

pub mod sim;
pub mod threads;
