//! The configuration file `engine.toml`: defaults of all parameters, and profiles that change several at once.
//!
//! The file in the repository is built into the program. Another file can override it and lists only its changes.

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
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::EngineParams;
use crate::params::{Declaration, ParameterError};

/// The built-in `engine.toml`.
pub const BUILT_IN: &str = include_str!("../../engine.toml");

/// The default profile, which consists of the unchanged defaults.
pub const DEFAULT_PROFILE: &str = "safe";

const PROFILE: &str = "profile";

/// An error in a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{path}: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// The message of the operating system.
        reason: String,
    },
    /// A file has an error.
    #[error("{path}, {error}")]
    File {
        /// The file.
        path: String,
        /// The error, with its line.
        error: Box<ConfigError>,
    },
    /// A line has an error.
    #[error("line {line}: {error}")]
    Line {
        /// The line number, from 1.
        line: usize,
        /// The error.
        error: Box<ConfigError>,
    },
    /// The text is not TOML.
    #[error("not TOML: {0}")]
    Syntax(String),
    /// A section is unknown.
    #[error("unknown section '{0}'")]
    UnknownSection(String),
    /// A key is unknown, or a value is out of range.
    #[error("section '{section}': {error}")]
    Parameter {
        /// The section.
        section: String,
        /// The error.
        error: ParameterError,
    },
    /// A value has the wrong type, such as a number for a switch.
    #[error("'{key}' must be {wanted}, not {found}")]
    WrongType {
        /// Section and key.
        key: String,
        /// The expected type.
        wanted: &'static str,
        /// The value as written.
        found: String,
    },
}

/// Defaults and profiles.
#[derive(Clone, Debug, Default)]
pub struct Config {
    base: EngineParams,
    profiles: Vec<Profile>,
}

#[derive(Clone, Debug)]
struct Profile {
    name: String,
    params: EngineParams,
}

impl Config {
    /// Returns the built-in configuration.
    ///
    /// # Errors
    /// The built-in file is invalid, which a unit test rules out.
    pub fn built_in() -> Result<Self, ConfigError> {
        Self::default().overlaid(BUILT_IN)
    }

    /// Returns the built-in configuration, overridden by a file.
    ///
    /// # Errors
    /// The file cannot be read or has an error.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = fs::read_to_string(path).map_err(|error| ConfigError::Unreadable {
            path: path.display().to_string(),
            reason: error.to_string(),
        })?;
        let overlaid = Self::built_in()?.overlaid(&text);
        overlaid.map_err(|error| ConfigError::File {
            path: path.display().to_string(),
            error: Box::new(error),
        })
    }

    /// Applies the changes of a text: sections change the defaults, profiles replace those of the same name.
    ///
    /// # Errors
    /// The text has an error, returned with its line.
    pub fn overlaid(mut self, text: &str) -> Result<Self, ConfigError> {
        match self.overlay(text) {
            Ok(()) => Ok(self),
            Err((offset, error)) => Err(ConfigError::Line {
                line: 1 + text
                    .bytes()
                    .take(offset)
                    .filter(|&byte| byte == b'\n')
                    .count(),
                error: Box::new(error),
            }),
        }
    }

    fn overlay(&mut self, text: &str) -> Result<(), Misplaced> {
        let table = DeTable::parse(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            (offset, ConfigError::Syntax(error.message().to_owned()))
        })?;
        let (profiles, sections): (Vec<Item>, Vec<Item>) = table
            .get_ref()
            .iter()
            .partition(|(key, _)| key.get_ref() == PROFILE);
        apply(&mut self.base, text, sections)?;
        for (key, profiles) in profiles {
            for (name, changes) in as_table(key.get_ref(), text, profiles)? {
                let name = name.get_ref();
                let mut params = self.base.clone();
                apply(&mut params, text, as_table(name, text, changes)?)?;
                self.profiles
                    .retain(|profile| !profile.name.eq_ignore_ascii_case(name));
                self.profiles.push(Profile {
                    name: name.to_string(),
                    params,
                });
            }
        }
        Ok(())
    }

    /// Replaces the defaults and keeps the profiles.
    #[must_use]
    pub fn based_on(mut self, params: EngineParams) -> Self {
        self.base = params;
        self
    }

    /// Returns the parameters without any profile.
    pub fn params(&self) -> &EngineParams {
        &self.base
    }

    /// Returns the parameters of a profile, ignoring case. [`DEFAULT_PROFILE`] always exists.
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

    /// Returns the names of the profiles, the default one first.
    pub fn profile_names(&self) -> Vec<&str> {
        let others = self.profiles.iter().map(|profile| profile.name.as_str());
        std::iter::once(DEFAULT_PROFILE)
            .chain(others.filter(|name| !name.eq_ignore_ascii_case(DEFAULT_PROFILE)))
            .collect()
    }
}

/// An error and its byte offset in the text.
type Misplaced = (usize, ConfigError);

type Item<'a> = (&'a Spanned<DeString<'a>>, &'a Spanned<DeValue<'a>>);

fn quoted(text: &str, value: &Spanned<DeValue<'_>>) -> String {
    text.get(value.span()).unwrap_or_default().to_owned()
}

fn as_table<'a>(
    key: &str,
    text: &str,
    value: &'a Spanned<DeValue<'a>>,
) -> Result<&'a DeTable<'a>, Misplaced> {
    value.get_ref().as_table().ok_or_else(|| {
        let error = ConfigError::WrongType {
            key: key.to_owned(),
            wanted: "a section",
            found: quoted(text, value),
        };
        (value.span().start, error)
    })
}

fn apply<'a>(
    params: &mut EngineParams,
    text: &str,
    sections: impl IntoIterator<Item = Item<'a>>,
) -> Result<(), Misplaced> {
    for (name, value) in sections {
        let section = name.get_ref().as_ref();
        let declarations = EngineParams::SECTIONS
            .into_iter()
            .find_map(|(name, declarations)| (name == section).then_some(declarations));
        let Some(declarations) = declarations else {
            let error = ConfigError::UnknownSection(section.to_owned());
            return Err((name.span().start, error));
        };
        for (key, value) in as_table(section, text, value)? {
            let refuse = |error| {
                let section = section.to_owned();
                let error = ConfigError::Parameter { section, error };
                (key.span().start, error)
            };
            let key = key.get_ref().as_ref();
            let declaration = declarations
                .iter()
                .find(|declaration| declaration.name == key)
                .ok_or_else(|| refuse(ParameterError::Unknown(key.to_owned())))?;
            let number = number(section, declaration, text, value)?;
            params.set(section, key, number).map_err(refuse)?;
        }
    }
    Ok(())
}

fn number(
    section: &str,
    declaration: &Declaration,
    text: &str,
    value: &Spanned<DeValue<'_>>,
) -> Result<i64, Misplaced> {
    let read = match value.get_ref() {
        DeValue::Boolean(switch) if declaration.is_switch => Some(i64::from(*switch)),
        DeValue::Integer(number) if !declaration.is_switch => {
            i64::from_str_radix(number.as_str(), number.radix()).ok()
        }
        _ => None,
    };
    let wrong = || ConfigError::WrongType {
        key: format!("{section}.{}", declaration.name),
        wanted: if declaration.is_switch {
            "true or false"
        } else {
            "a whole number"
        },
        found: quoted(text, value),
    };
    read.ok_or_else(|| (value.span().start, wrong()))
}

/// Returns the text of `engine.toml`: every parameter with default, range, unit and source, then the built-in
/// profiles.
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
# This file is built into the program; `cc2s config` prints it. Override values with your own file (`--config FILE`), which needs only the
# changed parameters. In UCI the same parameters are options: conspiracy_max is ConspiracyMax.
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

/// Returns the end of the built-in file, from the comment above the first profile on.
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
        if std::env::var_os("CC2S_UPDATE").is_some_and(|update| !update.is_empty()) {
            fs::write(
                concat!(env!("CARGO_MANIFEST_DIR"), "/engine.toml"),
                render(),
            )
            .unwrap();
            return;
        }
        assert!(
            BUILT_IN == render(),
            "parameters have changed; regenerate engine.toml: CC2S_UPDATE=1 cargo test the_file_and_the_declarations"
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
        assert!(config.params().delegation.delegate);
        for name in ["thesis", "alone"] {
            let params = config.profile(name).unwrap();
            assert!(!params.delegation.delegate, "{name}");
        }
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
        for (text, complaint) in [
            ("[ccs]\n", "line 1: unknown section 'ccs'"),
            (
                "# mine\n[cc2s]\nbreadth = 1",
                "line 3: section 'cc2s': unknown parameter 'breadth'",
            ),
            (
                "[cc2s]\nconspiracy_max = 10",
                "line 2: section 'cc2s': conspiracy_max = 10 is outside 1..9",
            ),
            (
                "[cc2s]\n\nnull_move = 1",
                "line 3: 'cc2s.null_move' must be true or false, not 1",
            ),
            (
                "[profile.x]\nleaf.eval_depth = \"two\"",
                "line 2: 'leaf.eval_depth' must be a whole number, not \"two\"",
            ),
            ("profile = 3", "line 1: 'profile' must be a section, not 3"),
        ] {
            assert_eq!(refusal(text), complaint);
        }
        assert!(refusal("[engine]\n[cc2s").starts_with("line 2: not TOML"));
        let missing = Config::read(Path::new("/no/such/file.toml")).unwrap_err();
        assert!(missing.to_string().contains("/no/such/file.toml"));
    }
}
