//! The directory of endgame tables.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use crate::endgame::make::file::{TableFile, path_of};
use crate::endgame::make::{Subject, TableError};
use crate::engine::default_tables_folder;

/// Where the tables are.
#[derive(Debug, Args)]
pub(in crate::cli) struct Directory {
    /// The directory of the tables [default: where the engine looks for them]
    #[arg(long = "dir", value_name = "DIR", default_value_os_t = default_directory())]
    path: PathBuf,
}

impl Directory {
    pub(in crate::cli) fn folder(&self) -> &Path {
        &self.path
    }
}

/// The engine's directory of tables, or `./tables` if the system has none.
fn default_directory() -> PathBuf {
    default_tables_folder().unwrap_or_else(|| "tables".into())
}

/// The table files of a directory, sorted by name.
pub(in crate::cli) fn files_in(directory: &Path) -> Result<Vec<PathBuf>> {
    ensure!(
        directory.exists(),
        "{}: no such directory; `cc2s tables generate` creates tables",
        directory.display()
    );
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).with_context(|| format!("{}", directory.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "egt") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

pub(super) fn open(directory: &Path, subject: Subject) -> Result<TableFile, TableError> {
    let path = path_of(directory, subject);
    if path.exists() {
        TableFile::open(&path)
    } else {
        Err(absent(directory, subject))
    }
}

/// The error that `directory` has no table of `subject`.
pub(super) fn absent(directory: &Path, subject: Subject) -> TableError {
    TableError::Absent {
        path: path_of(directory, subject),
        class: subject.to_string(),
    }
}
