//! Every parameter of the engine, addressed by section and name or by UCI option name.

use std::sync::LazyLock;

use crate::cc2s::DelegationParams;
use crate::endgame::probe::TableParams;
use crate::params::{Declaration, ParameterError, Parameters};
use crate::search::LeafParams;
use crate::thesis::{Cc2sParams, TeamParams};
use crate::time::TimeParams;

crate::parameters! {
    /// Parameters that belong to no single layer.
    pub struct CommonParams {
        hash_mib: i32 = 64, 1..=65_536, "MiB", "custom", "Memory for the stored tree and all tables together.";
        threads: i32 = 1, 1..=256, "threads", "custom", "Search threads, for searches that can use more than one.";
    }
}

/// All parameters, with one struct per layer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineParams {
    /// Section `engine`.
    pub engine: CommonParams,
    /// Section `time`.
    pub time: TimeParams,
    /// Section `tables`.
    pub tables: TableParams,
    /// Section `delegation`.
    pub delegation: DelegationParams,
    /// Section `cc2s`.
    pub cc2s: Cc2sParams,
    /// Section `team`.
    pub team: TeamParams,
    /// Section `leaf`.
    pub leaf: LeafParams,
}

/// One parameter with its section.
#[derive(Clone, Copy, Debug)]
pub struct ParameterEntry {
    /// The section of `engine.toml`.
    pub section: &'static str,
    /// The declaration.
    pub declaration: &'static Declaration,
}

impl ParameterEntry {
    /// Returns the UCI option name: the words joined in capitals (`conspiracy_max` is `ConspiracyMax`). If an
    /// earlier section has a parameter of the same name, the section becomes the prefix (`LeafNullMove`). `Hash`
    /// and `Move Overhead` have the names that GUIs expect.
    pub fn option_name(&self) -> String {
        let name = self.declaration.name;
        match name {
            "hash_mib" => return "Hash".to_owned(),
            "move_overhead_ms" => return "Move Overhead".to_owned(),
            _ => {}
        }
        let is_taken = EngineParams::entries()
            .take_while(|entry| entry.section != self.section)
            .any(|entry| entry.declaration.name == name);
        let prefix = if is_taken {
            capitalised(self.section)
        } else {
            String::new()
        };
        prefix + &name.split('_').map(capitalised).collect::<String>()
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map(|first| first.to_ascii_uppercase())
        .into_iter()
        .chain(letters)
        .collect()
}

/// An object-safe view of [`Parameters`].
trait Section {
    fn get(&self, name: &str) -> Option<i32>;
    fn set(&mut self, name: &str, value: i64) -> Result<(), ParameterError>;
}

impl<T: Parameters> Section for T {
    fn get(&self, name: &str) -> Option<i32> {
        Parameters::get(self, name)
    }
    fn set(&mut self, name: &str, value: i64) -> Result<(), ParameterError> {
        Parameters::set(self, name, value)
    }
}

impl EngineParams {
    /// The sections in the order of `engine.toml`, with their declarations.
    pub const SECTIONS: [(&'static str, &'static [Declaration]); 7] = [
        ("engine", CommonParams::DECLARATIONS),
        ("time", TimeParams::DECLARATIONS),
        ("tables", TableParams::DECLARATIONS),
        ("delegation", DelegationParams::DECLARATIONS),
        ("cc2s", Cc2sParams::DECLARATIONS),
        ("team", TeamParams::DECLARATIONS),
        ("leaf", LeafParams::DECLARATIONS),
    ];

    fn section(&self, section: &str) -> Option<&dyn Section> {
        Some(match section {
            "engine" => &self.engine,
            "time" => &self.time,
            "tables" => &self.tables,
            "delegation" => &self.delegation,
            "cc2s" => &self.cc2s,
            "team" => &self.team,
            "leaf" => &self.leaf,
            _ => return None,
        })
    }

    fn section_mut(&mut self, section: &str) -> Option<&mut dyn Section> {
        Some(match section {
            "engine" => &mut self.engine,
            "time" => &mut self.time,
            "tables" => &mut self.tables,
            "delegation" => &mut self.delegation,
            "cc2s" => &mut self.cc2s,
            "team" => &mut self.team,
            "leaf" => &mut self.leaf,
            _ => return None,
        })
    }

    /// Returns the parameters of the alpha-beta search to which targets are delegated.
    pub fn delegate(&self) -> LeafParams {
        LeafParams {
            strategy_margin_cp: (self.delegation.conspiracy > 1)
                .then_some(self.delegation.strategy_margin_cp),
            ..self.leaf.clone()
        }
    }

    /// Returns all parameters, section by section.
    pub fn entries() -> impl Iterator<Item = ParameterEntry> {
        Self::SECTIONS
            .into_iter()
            .flat_map(|(section, declarations)| {
                declarations.iter().map(move |declaration| ParameterEntry {
                    section,
                    declaration,
                })
            })
    }

    /// Finds a parameter by its option name, ignoring case.
    pub fn by_option_name(name: &str) -> Option<ParameterEntry> {
        // Cached: each name depends on all earlier ones, and every `setoption` looks one up.
        static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
            let entries = EngineParams::entries();
            entries.map(|entry| entry.option_name()).collect()
        });
        let is_it = |known: &String| known.eq_ignore_ascii_case(name);
        Self::entries().nth(NAMES.iter().position(is_it)?)
    }

    /// Returns the value of a parameter.
    pub fn get(&self, section: &str, name: &str) -> Option<i32> {
        self.section(section)?.get(name)
    }

    /// Sets a parameter; on error nothing changes.
    ///
    /// # Errors
    /// The section or name is unknown, or the value is out of range.
    pub fn set(&mut self, section: &str, name: &str, value: i64) -> Result<(), ParameterError> {
        self.section_mut(section)
            .ok_or_else(|| ParameterError::Unknown(format!("{section}.{name}")))?
            .set(name, value)
    }

    /// Returns all values in the order of [`EngineParams::entries`].
    pub fn values(&self) -> Vec<i32> {
        let value = |entry: ParameterEntry| self.get(entry.section, entry.declaration.name);
        Self::entries().filter_map(value).collect()
    }

    /// Builds the parameters from values in the order of [`EngineParams::values`].
    ///
    /// # Errors
    /// A value is out of range, or the number of values is wrong.
    pub fn from_values(values: &[i32]) -> Result<Self, ParameterError> {
        if values.len() != Self::entries().count() {
            let number = format!("{} values", values.len());
            return Err(ParameterError::Unknown(number));
        }
        let mut params = Self::default();
        for (entry, &value) in Self::entries().zip(values) {
            params.set(entry.section, entry.declaration.name, value.into())?;
        }
        Ok(params)
    }

    /// Copies every parameter of `wished` that differs from `default`.
    pub fn take_changes(&mut self, wished: &Self, default: &Self) {
        for ParameterEntry {
            section,
            declaration,
        } in Self::entries()
        {
            let value = wished.get(section, declaration.name);
            if let Some(value) = value.filter(|_| value != default.get(section, declaration.name)) {
                // Cannot fail: the value is valid in `wished`.
                let _ = self.set(section, declaration.name, value.into());
            }
        }
    }

    /// Whether a search runs with the same parameters; the clock and the choice of tables are ignored.
    pub fn is_same_search(&self, other: &Self) -> bool {
        let with_the_same_clock = Self {
            time: self.time.clone(),
            tables: self.tables.clone(),
            ..other.clone()
        };
        *self == with_the_same_clock
    }

    /// Copies the search parameters, but not memory, clock, tables and evaluation.
    pub fn take_search_from(&mut self, other: &Self) {
        let Self {
            engine: _,
            time: _,
            tables: _,
            delegation,
            cc2s,
            team,
            leaf,
        } = other.clone();
        (self.delegation, self.cc2s, self.team) = (delegation, cc2s, team);
        self.leaf = LeafParams {
            evaluation: self.leaf.evaluation.clone(),
            ..leaf
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn option_names_are_unique_and_found_again() {
        let names: BTreeSet<_> = EngineParams::entries()
            .map(|entry| entry.option_name().to_lowercase())
            .collect();
        assert_eq!(names.len(), EngineParams::entries().count());
        for entry in EngineParams::entries() {
            let found = EngineParams::by_option_name(&entry.option_name().to_uppercase()).unwrap();
            assert_eq!(
                (found.section, found.declaration.name),
                (entry.section, entry.declaration.name)
            );
        }
        for known in [
            "Hash",
            "Move Overhead",
            "ConspiracyMax",
            "EvalDepth",
            "NullMove",
            "LeafNullMove",
        ] {
            assert!(EngineParams::by_option_name(known).is_some(), "{known}");
        }
    }

    /// A profile chosen in a GUI must equal the one chosen by `--profile`.
    #[test]
    fn a_search_takes_over_all_sections_but_memory_clock_and_tables() {
        let mut other = EngineParams::default();
        for ParameterEntry {
            section,
            declaration,
        } in EngineParams::entries()
        {
            let Declaration { min, max, .. } = *declaration;
            let value = if declaration.default == min { max } else { min };
            other.set(section, declaration.name, value.into()).unwrap();
        }
        let mut params = EngineParams::default();
        params.take_search_from(&other);
        let default = EngineParams::default();
        let expected = EngineParams {
            engine: default.engine,
            time: default.time,
            tables: default.tables,
            ..other
        };
        assert_eq!(params, expected);
    }

    #[test]
    fn every_declared_parameter_can_be_read_and_written() {
        let mut params = EngineParams::default();
        for ParameterEntry {
            section,
            declaration,
        } in EngineParams::entries()
        {
            assert_eq!(
                params.get(section, declaration.name),
                Some(declaration.default)
            );
            params
                .set(section, declaration.name, declaration.min.into())
                .unwrap();
            assert_eq!(params.get(section, declaration.name), Some(declaration.min));
            assert!(
                params
                    .set(section, declaration.name, i64::from(declaration.max) + 1)
                    .is_err()
            );
        }
        assert!(params.set("engine", "nothing", 1).is_err());
        assert!(params.set("nowhere", "hash_mib", 1).is_err());
    }
}
