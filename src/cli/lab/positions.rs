//! Selection of positions from a suite.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;

use crate::tools::epd::suite::{self, SuitePosition};

/// The suite of the thesis, relative to the root of the repository.
pub(super) const BT2630: &str = "positions/bt2630.epd";

/// Positions of a suite, those of the thesis by default.
#[derive(Debug, Args)]
pub(super) struct Selection {
    /// The positions, in Extended Position Description
    #[arg(long, default_value = BT2630, value_name = "FILE")]
    positions: PathBuf,
    /// Numbers of the positions in the file, from 1, separated by commas [default: all]
    #[arg(long, value_delimiter = ',', value_name = "N,N")]
    pick: Vec<usize>,
}

impl Selection {
    /// The selected positions in the given order.
    pub(super) fn read(&self) -> Result<Vec<SuitePosition>> {
        read(&self.positions, &self.pick)
    }
}

/// Reads a suite. A nonempty `pick` selects positions by number, from 1, in this order.
pub(super) fn read(path: &Path, pick: &[usize]) -> Result<Vec<SuitePosition>> {
    let problems = suite::read(&[path.to_owned()])?;
    if pick.is_empty() {
        return Ok(problems);
    }
    let picked = pick.iter().map(|&place| {
        let found = place.checked_sub(1).and_then(|at| problems.get(at));
        found.cloned().with_context(|| {
            format!(
                "{} holds positions 1 to {}, not {place}",
                path.display(),
                problems.len()
            )
        })
    });
    picked.collect()
}
