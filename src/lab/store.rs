//! Results in files: JSON that a later run can continue, CSV for other programs.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::LabError;
use super::outcome::Outcome;
use super::summary::Summary;
use super::trial::Budget;

/// What decides the outcomes: runs with equal settings may be put together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Version of the program.
    pub version: String,
    /// Name of the search.
    pub search: String,
    /// Parameters that differ from their defaults, as `section.name=value`.
    pub parameters: Vec<String>,
    /// What each position may cost.
    pub budget: Budget,
}

/// A file of results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// How they were made.
    pub settings: Settings,
    /// Sums over all outcomes so far.
    pub summary: Summary,
    /// One for each position tried so far.
    pub outcomes: Vec<Outcome>,
}

impl Results {
    /// Results without outcomes.
    pub fn new(settings: Settings) -> Self {
        Self {
            summary: Summary::of(&[], settings.budget),
            settings,
            outcomes: Vec::new(),
        }
    }

    /// Adds an outcome and brings the sums up to date.
    pub fn push(&mut self, outcome: Outcome) {
        self.outcomes.push(outcome);
        self.summary = Summary::of(&self.outcomes, self.settings.budget);
    }

    /// The results of an earlier run with the same settings, or none if the file does not exist or is empty.
    ///
    /// # Errors
    /// The file cannot be read, or was made with other settings.
    pub fn resume(path: &Path, settings: Settings) -> Result<Self, LabError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::new(settings)),
            Err(error) => return Err(LabError::file(path)(error)),
        };
        if text.is_empty() {
            return Ok(Self::new(settings));
        }
        let found: Self = serde_json::from_str(&text).map_err(|error| LabError::Results {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        if found.settings == settings {
            return Ok(found);
        }
        Err(LabError::other_run(path, &found.settings, &settings))
    }

    /// Writes the outcomes as CSV.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save_csv(&self, path: &Path) -> Result<(), LabError> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for outcome in &self.outcomes {
            writer
                .serialize(outcome)
                .expect("an outcome is a flat record");
        }
        let bytes = writer.into_inner().expect("memory takes all writing");
        replace(path, &bytes)
    }
}

/// Where the results of a run under way are written, which no other run may write meanwhile.
pub struct ResultsFile {
    path: PathBuf,
    /// Claimed.
    file: Option<File>,
}

impl ResultsFile {
    /// Claims the file, which is made if it does not exist.
    ///
    /// # Errors
    /// It cannot be written, or another run writes it.
    pub fn open(path: &Path) -> Result<Self, LabError> {
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.map_err(LabError::file(path))?;
        claim(path, &file)?;
        Ok(Self {
            path: path.to_owned(),
            file: Some(file),
        })
    }

    /// Writes the results as JSON: completely or, whatever happens, not at all.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&mut self, results: &Results) -> Result<(), LabError> {
        let text = serde_json::to_string_pretty(results).expect("results are plain data");
        self.file = replaced(&self.path, text.as_bytes())?;
        Ok(())
    }
}

/// Keeps other runs from claiming a file for as long as it is open here. What is no regular file many may write, and where
/// the system keeps no such claims, nobody is kept out.
///
/// # Errors
/// Another run has claimed it.
pub fn claim(path: &Path, file: &File) -> Result<(), LabError> {
    let is_regular = file.metadata().is_ok_and(|known| known.is_file());
    if is_regular && matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return Err(LabError::InUse(path.to_owned()));
    }
    Ok(())
}

/// Replaces a file in one step, so that a reader or an interruption never meets half of it.
///
/// What is no regular file, such as a pipe, is written to as it is.
///
/// # Errors
/// The file cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    replaced(path, bytes).map(drop)
}

/// The same; the new file is claimed before it takes the old one's place.
fn replaced(path: &Path, bytes: &[u8]) -> Result<Option<File>, LabError> {
    let is_regular = fs::metadata(path).map_or(true, |known| known.is_file());
    if !is_regular {
        fs::write(path, bytes).map_err(LabError::file(path))?;
        return Ok(None);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    let failed = LabError::file(path);
    let mut file = File::create(&part).map_err(&failed)?;
    claim(path, &file)?;
    let mut write = || {
        file.write_all(bytes)?;
        file.sync_data()?;
        fs::rename(&part, path)
    };
    write().map_err(failed)?;
    Ok(Some(file))
}
