//! `cc2s config`.

use std::io::{self, Write as _};

use anyhow::Result;

use crate::settings::config;

pub(super) fn run() -> Result<()> {
    Ok(io::stdout().write_all(config::render().as_bytes())?)
}
