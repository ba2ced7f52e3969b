//! Positions of a suite, by their place.

use std::path::Path;

use anyhow::{Context as _, Result};

use crate::lab::suite::{self, Problem};

/// The suite of the thesis, seen from the root of the repository.
pub(super) const BT2630: &str = "positions/bt2630.epd";

/// Reads a suite; with `pick` only the positions at these places, from 1, in this order.
pub(super) fn read(path: &Path, pick: &[usize]) -> Result<Vec<Problem>> {
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
