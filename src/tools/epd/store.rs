//! Files of results: JSON that a later run can resume, and CSV for other programs.

use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::outcome::PositionOutcome;
use super::summary::Summary;
use super::trial::SearchBudget;
use crate::tools::ToolError;
use crate::tools::files::{claim, replace, replaced};

/// Settings that determine the results. Runs with equal settings may be combined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteSettings {
    /// Version of the program.
    pub version: String,
    /// Name of the search.
    pub search: String,
    /// Parameters that differ from their defaults, as `section.name=value`.
    pub parameters: Vec<String>,
    /// Limits for each position.
    pub budget: SearchBudget,
}

/// The content of a results file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuiteResults {
    /// The settings of the run.
    pub settings: SuiteSettings,
    /// The statistics of all results so far.
    pub summary: Summary,
    /// One result for each finished position.
    pub outcomes: Vec<PositionOutcome>,
}

impl SuiteResults {
    /// Creates results without outcomes.
    pub fn new(settings: SuiteSettings) -> Self {
        Self {
            summary: Summary::of(&[], settings.budget),
            settings,
            outcomes: Vec::new(),
        }
    }

    /// Adds an outcome and updates the summary.
    pub fn push(&mut self, outcome: PositionOutcome) {
        self.outcomes.push(outcome);
        self.summary = Summary::of(&self.outcomes, self.settings.budget);
    }

    /// Reads the results of an earlier run with the same settings. Returns empty results if the file does not
    /// exist or is empty.
    ///
    /// # Errors
    /// The file cannot be read, or was made with other settings.
    pub fn resume(path: &Path, settings: SuiteSettings) -> Result<Self, ToolError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::new(settings)),
            Err(error) => return Err(ToolError::file(path)(error)),
        };
        if text.is_empty() {
            return Ok(Self::new(settings));
        }
        let found: Self = serde_json::from_str(&text).map_err(|error| ToolError::Results {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        if found.settings == settings {
            return Ok(found);
        }
        Err(ToolError::other_run(path, &found.settings, &settings))
    }

    /// Writes the outcomes as CSV.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save_csv(&self, path: &Path) -> Result<(), ToolError> {
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

/// The results file of a running suite, locked against other runs.
pub struct ResultsFile {
    path: PathBuf,
    /// Locked.
    file: Option<File>,
}

impl ResultsFile {
    /// Opens or creates a file and locks it.
    ///
    /// # Errors
    /// The file cannot be written, or is in use by another run.
    pub fn open(path: &Path) -> Result<Self, ToolError> {
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.map_err(ToolError::file(path))?;
        claim(path, &file)?;
        Ok(Self {
            path: path.to_owned(),
            file: Some(file),
        })
    }

    /// Writes the results as JSON atomically.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&mut self, results: &SuiteResults) -> Result<(), ToolError> {
        let text = serde_json::to_string_pretty(results).expect("results are plain data");
        self.file = replaced(&self.path, text.as_bytes())?;
        Ok(())
    }
}
