//! `cc2s config`.

use std::io::{self, Write as _};

use anyhow::Result;

use crate::settings::config;

/// Prints `engine.toml`: every parameter with its default, range, unit and source, and the profiles.
pub(super) fn run() -> Result<()> {
    Ok(io::stdout().write_all(config::render().as_bytes())?)
}
