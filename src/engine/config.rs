//! `engine.toml`: defaults of all parameters, and profiles that change several at once.
//!
//! The file in the repository is part of the program. Another one may be laid over it: it names what it changes and
//! leaves out the rest.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use thiserror::Error;
use toml::{Table, Value};

use super::params::EngineParams;
use crate::params::{Declaration, ParameterError};

/// The file the program was built with.
pub const BUILT_IN: &str = include_str!("../../engine.toml");

/// The profile in force unless another is chosen: the defaults themselves.
pub const DEFAULT_PROFILE: &str = "safe";

/// The key under which the profiles stand.
const PROFILE: &str = "profile";

/// Why a configuration is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// The text is not TOML.
    #[error("not TOML: {0}")]
    Syntax(String),
    /// A section nobody knows.
    #[error("unknown section '{0}'")]
    UnknownSection(String),
    /// A key nobody knows, or a value out of range.
    #[error("section '{section}': {error}")]
    Parameter {
        /// Where.
        section: String,
        /// What.
        error: ParameterError,
    },
    /// A number where a switch belongs, a text where a number belongs.
    #[error("'{key}' must be {wanted}, not {found}")]
    WrongType {
        /// Section and key.
        key: String,
        /// What it should be.
        wanted: &'static str,
        /// What it is.
        found: String,
    },
}

/// Defaults and profiles.
#[derive(Clone, Debug, Default)]
pub struct Config {
    base: EngineParams,
    profiles: Vec<Profile>,
}

/// A named set of changes to the search's parameters.
#[derive(Clone, Debug)]
struct Profile {
    name: String,
    params: EngineParams,
}

impl Config {
    /// The configuration the program was built with.
    ///
    /// # Errors
    /// None in a program whose tests pass.
    pub fn built_in() -> Result<Self, ConfigError> {
        Self::default().overlaid(BUILT_IN)
    }

    /// The built-in configuration with a file laid over it.
    ///
    /// # Errors
    /// The file cannot be read, or says something unknown or impossible.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = fs::read_to_string(path).map_err(|error| ConfigError::Unreadable {
            path: path.display().to_string(),
            reason: error.to_string(),
        })?;
        Self::built_in()?.overlaid(&text)
    }

    /// This configuration with the text's changes: sections change the defaults, and profiles replace those of the
    /// same name.
    ///
    /// # Errors
    /// The text says something unknown or impossible.
    pub fn overlaid(mut self, text: &str) -> Result<Self, ConfigError> {
        let mut table: Table = toml::from_str(text)
            .map_err(|error| ConfigError::Syntax(error.message().to_owned()))?;
        let profiles = table.remove(PROFILE).unwrap_or_else(|| Table::new().into());
        apply(&mut self.base, &table)?;
        for (name, value) in as_table(PROFILE, &profiles)? {
            let mut params = self.base.clone();
            apply(&mut params, as_table(name, value)?)?;
            self.profiles
                .retain(|profile| !profile.name.eq_ignore_ascii_case(name));
            self.profiles.push(Profile {
                name: name.clone(),
                params,
            });
        }
        Ok(self)
    }

    /// The same profiles over other defaults.
    #[must_use]
    pub fn based_on(mut self, params: EngineParams) -> Self {
        self.base = params;
        self
    }

    /// The parameters without any profile.
    pub fn params(&self) -> &EngineParams {
        &self.base
    }

    /// The parameters of a profile; capitals do not matter. [`DEFAULT_PROFILE`] always exists.
    pub fn profile(&self, name: &str) -> Option<&EngineParams> {
        let named = self
            .profiles
            .iter()
            .find(|profile| profile.name.eq_ignore_ascii_case(name));
        named.map(|profile| &profile.params).or_else(|| {
            name.eq_ignore_ascii_case(DEFAULT_PROFILE)
                .then_some(&self.base)
        })
    }

    /// The names of the profiles, the default one first.
    pub fn profile_names(&self) -> Vec<&str> {
        let others = self.profiles.iter().map(|profile| profile.name.as_str());
        std::iter::once(DEFAULT_PROFILE)
            .chain(others.filter(|name| !name.eq_ignore_ascii_case(DEFAULT_PROFILE)))
            .collect()
    }
}

fn as_table<'a>(key: &str, value: &'a Value) -> Result<&'a Table, ConfigError> {
    value.as_table().ok_or_else(|| ConfigError::WrongType {
        key: key.to_owned(),
        wanted: "a section",
        found: value.to_string(),
    })
}

/// Sets every parameter the table names.
fn apply(params: &mut EngineParams, table: &Table) -> Result<(), ConfigError> {
    for (section, value) in table {
        let declarations = EngineParams::SECTIONS
            .into_iter()
            .find_map(|(name, declarations)| (name == section).then_some(declarations))
            .ok_or_else(|| ConfigError::UnknownSection(section.clone()))?;
        for (key, value) in as_table(section, value)? {
            let refuse = |error| ConfigError::Parameter {
                section: section.clone(),
                error,
            };
            let declaration = declarations
                .iter()
                .find(|declaration| declaration.name == key)
                .ok_or_else(|| refuse(ParameterError::Unknown(key.clone())))?;
            let number = number(section, declaration, value)?;
            params.set(section, key, number).map_err(refuse)?;
        }
    }
    Ok(())
}

fn number(section: &str, declaration: &Declaration, value: &Value) -> Result<i64, ConfigError> {
    match value {
        Value::Boolean(switch) if declaration.is_switch => Ok(i64::from(*switch)),
        Value::Integer(number) if !declaration.is_switch => Ok(*number),
        other => Err(ConfigError::WrongType {
            key: format!("{section}.{}", declaration.name),
            wanted: if declaration.is_switch {
                "true or false"
            } else {
                "a whole number"
            },
            found: other.to_string(),
        }),
    }
}

/// Writes `engine.toml`: every declared parameter with its default, range, unit and source, then the profiles as they
/// stand in the built-in file.
pub fn render() -> String {
    let mut text = String::from(HEADER);
    for (section, declarations) in EngineParams::SECTIONS {
        let _ = writeln!(text, "\n[{section}]");
        for declaration in declarations {
            render_parameter(&mut text, declaration);
        }
    }
    text.push('\n');
    text.push_str(built_in_profiles());
    text
}

const HEADER: &str = "\
# Every parameter of the engine: default, range, unit, and where the default comes from.
#
# This file is built into the program; `cc2s config` prints it. Lay your own file over it with `--config FILE`: it need
# name only what it changes. In UCI the same parameters are options: conspiracy_max is ConspiracyMax.
";

fn render_parameter(text: &mut String, declaration: &Declaration) {
    let Declaration {
        name,
        default,
        min,
        max,
        is_switch,
        unit,
        source,
        meaning,
    } = declaration;
    // Writing to a string cannot fail.
    let _ = if *is_switch {
        let default = *default != 0;
        writeln!(
            text,
            "# {meaning}\n# default {default}, true or false; {source}\n{name} = {default}"
        )
    } else {
        writeln!(
            text,
            "# {meaning}\n# default {default}, range {min} to {max}, {unit}; {source}\n{name} = {default}"
        )
    };
}

/// The end of the built-in file, from the comment above the first profile on.
fn built_in_profiles() -> &'static str {
    BUILT_IN
        .split_once("\n# Profiles")
        .map_or("", |(before, _)| {
            BUILT_IN.get(before.len() + 1..).unwrap_or_default()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        Config::built_in()
            .unwrap()
            .overlaid(text)
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn the_file_and_the_declarations_are_equal() {
        if std::env::var_os("CC2S_UPDATE").is_some() {
            fs::write(
                concat!(env!("CARGO_MANIFEST_DIR"), "/engine.toml"),
                render(),
            )
            .unwrap();
            return;
        }
        assert!(
            BUILT_IN == render(),
            "parameters have changed; write engine.toml anew: CC2S_UPDATE=1 cargo test the_file_and_the_declarations"
        );
        assert_eq!(
            Config::built_in().unwrap().params(),
            &EngineParams::default()
        );
    }

    #[test]
    fn the_profiles_exist_and_differ() {
        let config = Config::built_in().unwrap();
        assert_eq!(
            config.profile_names(),
            ["safe", "alone", "cc1s", "cheiron97", "study", "thesis"]
        );
        assert_eq!(config.profile("safe"), Some(config.params()));
        assert_eq!(config.profile("Cc1s").unwrap().cc2s.conspiracy_max, 1);
        assert_ne!(config.profile("thesis"), Some(config.params()));
        assert!(config.params().scout.scout && !config.profile("alone").unwrap().scout.scout);
        let cheiron = &config.profile("cheiron97").unwrap().leaf;
        assert!(cheiron.fail_high_reduction && !cheiron.late_move_reduction);
        assert_eq!(config.profile("unsafe"), None);
    }

    #[test]
    fn a_file_changes_what_it_names() {
        let built_in = Config::built_in().unwrap();
        let profiles = built_in.profile_names().len();
        let config = built_in
            .overlaid("[engine]\nhash_mib = 7\n[profile.thesis]\ncc2s.null_move = false\n[profile.mine]\n")
            .unwrap();
        assert_eq!(config.params().engine.hash_mib, 7);
        assert!(!config.profile("thesis").unwrap().cc2s.null_move);
        assert_eq!(config.profile_names().len(), profiles + 1);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(refusal("[ccs]\n"), "unknown section 'ccs'");
        assert_eq!(
            refusal("[cc2s]\nbreadth = 1"),
            "section 'cc2s': unknown parameter 'breadth'"
        );
        assert_eq!(
            refusal("[cc2s]\nconspiracy_max = 10"),
            "section 'cc2s': conspiracy_max = 10 is outside 1..9"
        );
        assert_eq!(
            refusal("[cc2s]\nnull_move = 1"),
            "'cc2s.null_move' must be true or false, not 1"
        );
        assert_eq!(
            refusal("[profile.x]\nleaf.eval_depth = \"two\""),
            "'leaf.eval_depth' must be a whole number, not \"two\""
        );
        assert_eq!(refusal("profile = 3"), "'profile' must be a section, not 3");
        assert!(refusal("[cc2s").starts_with("not TOML"));
        let missing = Config::read(Path::new("/no/such/file.toml")).unwrap_err();
        assert!(missing.to_string().contains("/no/such/file.toml"));
    }
}
