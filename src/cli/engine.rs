//! Options that select a search and its parameters.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use clap::Args;

use crate::engine::registry::{SEARCHES, SearchEntry, find};
use crate::engine::search::Search;
use crate::engine::{EVALUATIONS, Engine, EvaluationChoice};
use crate::eval::EvaluationKind;
use crate::settings::config::Config;
use crate::settings::{EngineParams, ParameterEntry};
use crate::tools::epd::store::SuiteSettings;
use crate::tools::epd::trial::SearchBudget;

/// Which search, with which parameters.
#[derive(Debug, Args)]
#[command(next_help_heading = "Engine")]
pub(super) struct EngineArguments {
    /// The search, by its UCI name
    #[arg(long, default_value = SEARCHES[0].name, value_name = "NAME")]
    search: String,
    /// A profile of engine.toml
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// Memory for the search tree and all tables together, in MiB [default: from the configuration]
    #[arg(long, value_name = "MB")]
    hash: Option<u32>,
    /// A configuration file; it needs only the differences from engine.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The evaluation, by its UCI name [default: the built-in one]
    #[arg(long, value_name = "NAME")]
    evaluation: Option<String>,
    /// Evaluate with the network in this file
    #[arg(long, value_name = "FILE")]
    eval_file: Option<String>,
    /// Set a parameter, by its name in engine.toml or UCI; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
}

impl EngineArguments {
    /// Creates a search from these arguments.
    ///
    /// # Errors
    /// As [`Self::entry`] and [`Self::params`], or the memory cannot be allocated.
    pub fn make(&self) -> Result<Box<dyn Search>> {
        Ok((self.entry()?.build)(&self.params()?)?)
    }

    /// Creates searches for parallel use.
    ///
    /// # Errors
    /// As [`Self::make`].
    pub fn make_many(&self, count: usize) -> Result<Vec<Box<dyn Search>>> {
        (0..count).map(|_| self.make()).collect()
    }

    /// Creates an engine for a front end, with these parameters as its defaults.
    ///
    /// # Errors
    /// As [`Self::entry`] and [`Self::params`].
    pub fn open(&self) -> Result<Engine> {
        let config = self.config()?.based_on(self.params()?);
        Ok(Engine::with_searches(config, SEARCHES, self.entry()?))
    }

    fn config(&self) -> Result<Config> {
        Ok(match &self.config {
            Some(path) => Config::read(path)?,
            None => Config::built_in()?,
        })
    }

    /// All parameters, including the evaluation.
    ///
    /// # Errors
    /// A file cannot be read or is invalid, a profile, parameter or evaluation is unknown, or a value is out of
    /// range.
    pub fn params(&self) -> Result<EngineParams> {
        let mut params = self.numbers()?;
        params.leaf.evaluation = self.evaluation()?;
        Ok(params)
    }

    /// The parameters from the configuration, the profile, `--set` and `--hash`, in this order. The evaluation is
    /// the default one.
    ///
    /// # Errors
    /// A file cannot be read or is invalid, a profile or parameter is unknown, or a value is out of range.
    pub fn numbers(&self) -> Result<EngineParams> {
        let config = self.config()?;
        let mut params = match &self.profile {
            None => config.params().clone(),
            Some(name) => config.profile(name).cloned().ok_or_else(|| {
                let known = config.profile_names().join(", ");
                anyhow!("unknown profile '{name}'; known are {known}")
            })?,
        };
        for assignment in &self.set {
            set(&mut params, assignment).with_context(|| format!("--set {assignment}"))?;
        }
        if let Some(hash) = self.hash {
            params.set("engine", "hash_mib", hash.into())?;
        }
        Ok(params)
    }

    pub fn evaluation(&self) -> Result<EvaluationKind> {
        let mut choice = EvaluationChoice::default();
        if let Some(file) = &self.eval_file {
            choice.open(file)?;
            choice.choose(EVALUATIONS[0])?;
        }
        if let Some(name) = &self.evaluation {
            choice.choose(name)?;
        }
        Ok(choice.kind())
    }

    /// The evaluation as UCI options, for players in processes of their own.
    pub fn evaluation_options(&self) -> Vec<(String, String)> {
        let file = self.eval_file.clone();
        let file = file.map(|file| ("EvalFile".to_owned(), file));
        let name = self.evaluation.clone();
        let name = name.map(|name| ("Evaluation".to_owned(), name));
        file.into_iter().chain(name).collect()
    }

    /// The settings to store in a results file.
    ///
    /// # Errors
    /// As [`Self::entry`] and [`Self::params`].
    pub fn settings(&self, budget: SearchBudget) -> Result<SuiteSettings> {
        Ok(SuiteSettings {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            search: self.entry()?.name.to_owned(),
            parameters: differences(&self.params()?),
            budget,
        })
    }

    /// The selected search.
    ///
    /// # Errors
    /// The name is unknown.
    pub fn entry(&self) -> Result<&'static SearchEntry> {
        find(SEARCHES, &self.search).ok_or_else(|| {
            let known: Vec<&str> = SEARCHES.iter().map(|entry| entry.name).collect();
            anyhow!(
                "unknown search '{}'; known are {}",
                self.search,
                known.join(", ")
            )
        })
    }
}

fn set(params: &mut EngineParams, text: &str) -> Result<()> {
    let (entry, value) = assignment(text)?;
    Ok(params.set(entry.section, entry.declaration.name, value)?)
}

/// Parses `name=value`. The name is a UCI option or a key of engine.toml, with or without its section. Without a
/// section the first match is used.
pub(super) fn assignment(text: &str) -> Result<(ParameterEntry, i64)> {
    let (name, value) = text.split_once('=').context("expected NAME=VALUE")?;
    let value = match value {
        "true" | "on" => 1,
        "false" | "off" => 0,
        number => number
            .parse()
            .with_context(|| format!("'{number}' is not a number"))?,
    };
    Ok((parameter(name)?, value))
}

/// The parameter of this name, which may be any that [`assignment`] knows.
pub(super) fn parameter(name: &str) -> Result<ParameterEntry> {
    let is_named = |entry: &ParameterEntry| {
        let key = entry.declaration.name;
        key == name || name.strip_prefix(entry.section) == Some(&format!(".{key}"))
    };
    EngineParams::entries()
        .find(is_named)
        .or_else(|| EngineParams::by_option_name(name))
        .with_context(|| format!("unknown parameter '{name}'"))
}

/// The differences from the defaults, as `section.name=value`.
fn differences(params: &EngineParams) -> Vec<String> {
    let kind = &params.leaf.evaluation;
    let evaluation = (*kind != EvaluationKind::default()).then(|| format!("evaluation={kind}"));
    let numbers = EngineParams::entries().filter_map(|entry| {
        let (section, name) = (entry.section, entry.declaration.name);
        let value = params.get(section, name)?;
        (value != entry.declaration.default).then(|| format!("{section}.{name}={value}"))
    });
    numbers.chain(evaluation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(assignment: &str) -> String {
        let mut params = EngineParams::default();
        let error = set(&mut params, assignment).unwrap_err();
        assert_eq!(params, EngineParams::default());
        error.to_string()
    }

    #[test]
    fn parameters_are_set_by_any_of_their_names() {
        for name in ["conspiracy_max", "cc2s.conspiracy_max", "ConspiracyMax"] {
            let mut params = EngineParams::default();
            set(&mut params, &format!("{name}=1")).unwrap();
            assert_eq!(differences(&params), ["cc2s.conspiracy_max=1"], "{name}");
        }
    }

    #[test]
    fn bad_assignments_are_refused() {
        assert_eq!(refusal("breadth=1"), "unknown parameter 'breadth'");
        assert_eq!(refusal("conspiracy_max"), "expected NAME=VALUE");
        assert_eq!(refusal("conspiracy_max=many"), "'many' is not a number");
        assert!(refusal("conspiracy_max=99").contains("outside"));
    }
}
