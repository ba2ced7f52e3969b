//! Checks of the engine's data: network and endgame tables.

use std::path::Path;

use anyhow::{Result, ensure};

use crate::chess::Position;
use crate::cli::tables::files_in;
use crate::endgame::make::file::TableFile;
use crate::endgame::probe::Syzygy;
use crate::eval::{Evaluation, EvaluationKind};
use crate::settings::{CommonParams, EngineParams};

/// Maximum plausible evaluation of the initial position, in centipawns.
const INITIAL_VALUE_MAX: i32 = 200;

pub(super) fn settings(params: &EngineParams) -> String {
    let CommonParams { hash_mib, threads } = params.engine;
    format!("Hash {hash_mib}, Threads {threads}")
}

/// Checks that the evaluation of the initial position is plausible.
pub(super) fn network(kind: &EvaluationKind) -> Result<String> {
    let value = Evaluation::new(kind).evaluate(&Position::initial(), 0);
    ensure!(
        value.abs() <= INITIAL_VALUE_MAX,
        "{kind}: the initial position evaluates to {value} centipawns, which cannot be right"
    );
    Ok(format!("{kind}, initial position {value:+} centipawns"))
}

/// Checks the checksums of all own tables in the folder. Missing tables are generated when needed.
pub(super) fn own_tables(folder: &Path) -> Result<String> {
    if !folder.exists() {
        return Ok(format!(
            "three men built in; larger ones will be made in {}",
            folder.display()
        ));
    }
    let files = files_in(folder)?;
    let troubles = files.iter().filter_map(|file| all_sums(file).err());
    let told: Vec<String> = troubles.map(|error| format!("{error:#}")).collect();
    ensure!(told.is_empty(), "{}", told.join("; "));
    Ok(format!(
        "three men built in; {} in {}, all checksums right",
        files.len(),
        folder.display()
    ))
}

fn all_sums(file: &Path) -> Result<()> {
    let table = TableFile::open(file)?;
    for side in 0..table.header().subject.sides() {
        table.load_side(side as usize)?;
    }
    Ok(())
}

/// Checks that all Syzygy tables can be opened.
pub(super) fn syzygy(list: &str) -> Result<String> {
    let (tables, troubles) = Syzygy::open(list);
    let told: Vec<String> = troubles.iter().map(ToString::to_string).collect();
    ensure!(told.is_empty(), "{}", told.join("; "));
    Ok(format!(
        "{} files, up to {} men",
        tables.files(),
        tables.men_max()
    ))
}
