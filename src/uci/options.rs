//! The UCI options: a table of all options and their effects.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::command::quote;
use super::go::parse_number;
use crate::chess::notation::CastlingStyle;
use crate::engine::{
    ActsIn, ELO_MAX, ELO_MIN, EVALUATIONS, Engine, EngineError, default_tables_folder,
};
use crate::settings::{EngineParams, ParameterEntry};

/// The text that user interfaces write for none.
const EMPTY: &str = "<empty>";
/// Sections of which people want everything, wherever it acts: hosts expect these options.
const WANTED_SECTIONS: [&str; 2] = ["engine", "tables"];
/// Parameters of clock and search that people want where they act.
const WANTED: [&str; 4] = [
    "move_overhead_ms",
    "conspiracy",
    "conspiracy_max",
    "eval_depth",
];
/// No position has more moves than that.
const MULTI_PV_MAX: i32 = 256;

/// Settings of the front end itself; those of the engine are kept there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The form of castling.
    pub castling: CastlingStyle,
    /// Show chances to win, draw and lose.
    pub shows_wdl: bool,
    /// Announce the parameters of the search, too, whenever asked for the options.
    pub lists_tunables: bool,
    /// The opponent's name from the GUI.
    pub opponent: String,
    /// The rating to play at, and whether to.
    pub elo: i32,
    /// Whether to play at that rating.
    pub limits_strength: bool,
}

/// Work for the front end after an option was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// Nothing.
    None,
    /// Log everything to this file from now on; no log if empty.
    Log(String),
    /// Tell the user: the option is set, but not all of it works.
    Warn(Vec<String>),
    /// A note for the user that is not an error.
    Note(String),
}

/// Why an option keeps its value.
#[derive(Debug, Error)]
pub enum OptionError {
    /// No such option.
    #[error("no such option: '{0}'")]
    Unknown(String),
    /// A value is missing.
    #[error("option {name} needs a value: {wanted}")]
    NoValue {
        /// The option.
        name: String,
        /// The values allowed.
        wanted: String,
    },
    /// The value is none this option can have.
    #[error("option {name} cannot be '{value}': {wanted}")]
    Value {
        /// The option.
        name: String,
        /// The value asked for.
        value: String,
        /// The values allowed.
        wanted: String,
    },
    /// The engine refuses.
    #[error("option {name}: {error}")]
    Engine {
        /// The option.
        name: String,
        /// Why.
        error: EngineError,
    },
}

/// The values of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
enum OptionType {
    Check {
        default: bool,
    },
    Spin {
        default: i32,
        min: i32,
        max: i32,
    },
    Combo {
        default: String,
        values: Vec<String>,
    },
    Text,
    Button,
}

/// The setting that an option changes.
#[derive(Clone, Debug)]
enum OptionTarget {
    LogFile,
    SyzygyPath,
    TablesPath,
    EvalFile,
    Evaluation,
    Parameter(ParameterEntry),
    ClearHash,
    Ponder,
    Chess960,
    ShowWdl,
    AnalyseMode,
    MultiPv,
    Opponent,
    LimitStrength,
    Elo,
    Search,
    Profile,
    Tunables,
}

/// One option.
#[derive(Clone, Debug)]
struct UciOption {
    name: String,
    kind: OptionType,
    subject: OptionTarget,
}

impl UciOption {
    fn new(name: &str, kind: OptionType, subject: OptionTarget) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            subject,
        }
    }

    fn of_parameter(entry: ParameterEntry, params: &EngineParams) -> Self {
        let declaration = entry.declaration;
        let default = params
            .get(entry.section, declaration.name)
            .unwrap_or(declaration.default);
        let kind = if declaration.is_switch {
            OptionType::Check {
                default: default != 0,
            }
        } else {
            OptionType::Spin {
                default,
                min: declaration.min,
                max: declaration.max,
            }
        };
        Self {
            name: entry.option_name(),
            kind,
            subject: OptionTarget::Parameter(entry),
        }
    }

    /// Whether it concerns those who use the search, not only those who tune it.
    fn is_wanted(&self, engine: &Engine) -> bool {
        let OptionTarget::Parameter(entry) = &self.subject else {
            return true;
        };
        WANTED_SECTIONS.contains(&entry.section)
            || WANTED.contains(&entry.declaration.name) && engine.without_effect(*entry).is_none()
    }

    /// The line that announces this option.
    fn announce(&self) -> String {
        let name = &self.name;
        match &self.kind {
            OptionType::Check { default } => {
                format!("option name {name} type check default {default}")
            }
            OptionType::Spin { default, min, max } => {
                format!("option name {name} type spin default {default} min {min} max {max}")
            }
            OptionType::Combo { default, values } => {
                let values = values.join(" var ");
                format!("option name {name} type combo default {default} var {values}")
            }
            OptionType::Text => format!("option name {name} type string default {EMPTY}"),
            OptionType::Button => format!("option name {name} type button"),
        }
    }

    /// The values it can have, in words.
    fn wanted(&self) -> String {
        match &self.kind {
            OptionType::Check { .. } => "true or false".to_owned(),
            OptionType::Spin { min, max, .. } => format!("a number from {min} to {max}"),
            OptionType::Combo { values, .. } => format!("one of {}", values.join(", ")),
            OptionType::Text | OptionType::Button => "anything".to_owned(),
        }
    }

    /// The value as a number: itself, a switch as 0 or 1, a choice by its place, nothing as 0.
    fn number(&self, value: Option<&str>) -> Result<i64, OptionError> {
        if matches!(self.kind, OptionType::Text | OptionType::Button) {
            return Ok(0);
        }
        let text = value.ok_or_else(|| OptionError::NoValue {
            name: self.name.clone(),
            wanted: self.wanted(),
        })?;
        let number = match &self.kind {
            OptionType::Check { .. } => ["false", "true"]
                .iter()
                .position(|word| word.eq_ignore_ascii_case(text))
                .map(|at| at as i64),
            OptionType::Spin { min, max, .. } => parse_number(text)
                .filter(|number| (i64::from(*min)..=i64::from(*max)).contains(number)),
            OptionType::Combo { values, .. } => values
                .iter()
                .position(|word| word.eq_ignore_ascii_case(text))
                .map(|at| at as i64),
            OptionType::Text | OptionType::Button => Some(0),
        };
        number.ok_or_else(|| OptionError::Value {
            name: self.name.clone(),
            value: quote(text),
            wanted: self.wanted(),
        })
    }
}

/// The options with a place of their own, in the order in which they are announced.
fn leading(engine: &Engine) -> Vec<UciOption> {
    let params = engine.config().params();
    let parameter = |name: &str| {
        EngineParams::by_option_name(name).map(|entry| UciOption::of_parameter(entry, params))
    };
    let check =
        |name: &str, subject| UciOption::new(name, OptionType::Check { default: false }, subject);
    let spin = |name: &str, [default, min, max]: [i32; 3], subject| {
        UciOption::new(name, OptionType::Spin { default, min, max }, subject)
    };
    let (searches, search) = engine.searches();
    let names = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    let profiles = engine.config().profile_names();
    let combo = |name: &str, default: &str, values, subject| {
        UciOption::new(
            name,
            OptionType::Combo {
                default: default.to_owned(),
                values,
            },
            subject,
        )
    };
    let mut options = vec![UciOption::new(
        "Debug Log File",
        OptionType::Text,
        OptionTarget::LogFile,
    )];
    options.extend(parameter("Hash"));
    options.push(UciOption::new(
        "Clear Hash",
        OptionType::Button,
        OptionTarget::ClearHash,
    ));
    options.extend(parameter("Threads"));
    options.push(check("Ponder", OptionTarget::Ponder));
    options.extend(parameter("Move Overhead"));
    options.extend([
        spin("MultiPV", [1, 1, MULTI_PV_MAX], OptionTarget::MultiPv),
        check("UCI_Chess960", OptionTarget::Chess960),
        check("UCI_ShowWDL", OptionTarget::ShowWdl),
        check("UCI_AnalyseMode", OptionTarget::AnalyseMode),
        UciOption::new("UCI_Opponent", OptionType::Text, OptionTarget::Opponent),
        check("UCI_LimitStrength", OptionTarget::LimitStrength),
        spin("UCI_Elo", [ELO_MAX, ELO_MIN, ELO_MAX], OptionTarget::Elo),
        UciOption::new("SyzygyPath", OptionType::Text, OptionTarget::SyzygyPath),
        UciOption::new("TablesPath", OptionType::Text, OptionTarget::TablesPath),
        UciOption::new("EvalFile", OptionType::Text, OptionTarget::EvalFile),
        combo(
            "Evaluation",
            engine.evaluation(),
            names(EVALUATIONS.to_vec()),
            OptionTarget::Evaluation,
        ),
        combo("Search", search, names(searches), OptionTarget::Search),
        combo(
            "Profile",
            crate::settings::config::DEFAULT_PROFILE,
            names(profiles),
            OptionTarget::Profile,
        ),
    ]);
    options.push(check("Tunables", OptionTarget::Tunables));
    options
}

/// All options, in the order in which they are announced.
fn all(engine: &Engine) -> Vec<UciOption> {
    let params = engine.config().params();
    let mut options = leading(engine);
    for entry in EngineParams::entries() {
        let option = UciOption::of_parameter(entry, params);
        if !options.iter().any(|known| known.name == option.name) {
            options.push(option);
        }
    }
    options
}

/// The option of that name, without regard to capitals. Hosts set many at a time, so it is not sought among [`all`].
fn find(engine: &Engine, name: &str) -> Option<UciOption> {
    let is_it = |option: &UciOption| option.name.eq_ignore_ascii_case(name);
    leading(engine).into_iter().find(is_it).or_else(|| {
        let entry = EngineParams::by_option_name(name)?;
        Some(UciOption::of_parameter(entry, engine.config().params()))
    })
}

/// The lines that list the options: the common ones, or all of them with their searches. Every option can be set,
/// listed or not.
pub fn announce(engine: &Engine, settings: &Settings) -> Vec<String> {
    let is_listed = |option: &&UciOption| settings.lists_tunables || option.is_wanted(engine);
    let options = all(engine);
    let listed = options.iter().filter(is_listed);
    let mut lines: Vec<String> = listed.map(UciOption::announce).collect();
    if settings.lists_tunables {
        lines.extend(places());
    }
    lines
}

/// Where parameters act that do not act everywhere, a line for each place.
fn places() -> impl Iterator<Item = String> {
    let names = |place| {
        let there = EngineParams::entries().filter(move |&entry| ActsIn::of(entry) == place);
        let names: Vec<String> = there.map(|entry| entry.option_name()).collect();
        names.join(", ")
    };
    let places = ActsIn::ALL.into_iter();
    places
        .filter(|place| *place != ActsIn::Everything)
        .map(move |place| format!("info string acting {}: {}", place.words(), names(place)))
}

/// Sets an option. Its name is case-insensitive.
///
/// # Errors
/// No such option, or no such value; everything stays as it was.
pub fn set(
    engine: &mut Engine,
    settings: &mut Settings,
    name: &str,
    value: Option<&str>,
) -> Result<Consequence, OptionError> {
    let option = find(engine, name).ok_or_else(|| OptionError::Unknown(quote(name)))?;
    let number = option.number(value)?;
    let text = value.filter(|value| *value != EMPTY).unwrap_or_default();
    carry_out(engine, settings, &option, number, text).map_err(|error| OptionError::Engine {
        name: option.name,
        error,
    })
}

/// Does what setting an option to this value means, which is one it can have.
fn carry_out(
    engine: &mut Engine,
    settings: &mut Settings,
    option: &UciOption,
    number: i64,
    text: &str,
) -> Result<Consequence, EngineError> {
    match &option.subject {
        OptionTarget::LogFile => return Ok(Consequence::Log(text.to_owned())),
        OptionTarget::Parameter(entry) => {
            engine.set_parameter(entry.section, entry.declaration.name, number)?;
            return Ok(effect(engine, &option.name, *entry));
        }
        OptionTarget::SyzygyPath => {
            let troubles = engine.set_syzygy_path(text)?;
            let warnings = troubles.iter().map(ToString::to_string).collect();
            return Ok(Consequence::Warn(warnings));
        }
        OptionTarget::TablesPath => {
            engine.set_tables_folder(tables_folder(text).as_deref())?;
            return Ok(Consequence::Warn(missing_folder(text)));
        }
        OptionTarget::ClearHash => {
            engine.new_game()?;
            return Ok(Consequence::Warn(needless_value(&option.name, text)));
        }
        OptionTarget::EvalFile => engine.open_network(text)?,
        OptionTarget::Evaluation => engine.choose_evaluation(text)?,
        OptionTarget::Search => engine.choose_search(text)?,
        OptionTarget::Profile => engine.choose_profile(text)?,
        OptionTarget::AnalyseMode => engine.play_settings.is_analysis = number != 0,
        OptionTarget::MultiPv => engine.play_settings.multi_pv = number.max(1) as usize,
        own => {
            settings.set(own, number, text);
            engine.play_settings.elo = settings.limits_strength.then_some(settings.elo);
        }
    }
    Ok(Consequence::None)
}

/// A note if the parameter just set has no effect at present.
fn effect(engine: &Engine, name: &str, entry: ParameterEntry) -> Consequence {
    let reason = engine.without_effect(entry);
    reason.map_or(Consequence::None, |reason| {
        Consequence::Note(format!("{name} has no effect at present: {reason}"))
    })
}

/// A warning if a button was given a value.
fn needless_value(name: &str, text: &str) -> Vec<String> {
    let warning = || format!("option {name} takes no value; '{}' is ignored", quote(text));
    (!text.is_empty()).then(warning).into_iter().collect()
}

/// A warning if there is no folder of the name given; it may still be made while the engine runs.
fn missing_folder(text: &str) -> Vec<String> {
    let is_missing = !text.is_empty() && !Path::new(text).is_dir();
    let warning = is_missing.then(|| format!("TablesPath: no folder {}", quote(text)));
    warning.into_iter().collect()
}

/// The folder of own tables: the one named, or the user's cache.
pub fn tables_folder(text: &str) -> Option<PathBuf> {
    if text.is_empty() {
        default_tables_folder()
    } else {
        Some(PathBuf::from(text))
    }
}

impl Settings {
    /// The settings before any option is set.
    pub fn new() -> Self {
        Self {
            elo: ELO_MAX,
            ..Self::default()
        }
    }

    fn set(&mut self, subject: &OptionTarget, number: i64, text: &str) {
        let is_on = number != 0;
        match subject {
            OptionTarget::Chess960 if is_on => self.castling = CastlingStyle::KingTakesRook,
            OptionTarget::Chess960 => self.castling = CastlingStyle::KingMoves,
            OptionTarget::ShowWdl => self.shows_wdl = is_on,
            OptionTarget::Tunables => self.lists_tunables = is_on,
            OptionTarget::Opponent => text.clone_into(&mut self.opponent),
            OptionTarget::LimitStrength => self.limits_strength = is_on,
            OptionTarget::Elo => self.elo = number as i32,
            // That the host may ponder changes nothing: the move to ponder on is always told.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::config::Config;

    fn engine() -> Engine {
        Engine::new(Config::built_in().unwrap())
    }

    fn try_set(name: &str, value: Option<&str>) -> Result<(Engine, Settings), String> {
        let (mut engine, mut settings) = (engine(), Settings::new());
        match set(&mut engine, &mut settings, name, value) {
            Ok(_) => Ok((engine, settings)),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn every_option_users_expect_is_announced_once() {
        let settings = Settings {
            lists_tunables: true,
            ..Settings::new()
        };
        let lines = announce(&engine(), &settings);
        for start in [
            "option name Debug Log File type string default <empty>",
            "option name Hash type spin default 64 min 1 max 65536",
            "option name Clear Hash type button",
            "option name MultiPV type spin default 1 min 1 max 256",
            "option name Threads type spin default 1 min 1 max 256",
            "option name Ponder type check default false",
            "option name Move Overhead type spin default 30 min 0 max 5000",
            "option name UCI_Chess960 type check default false",
            "option name UCI_Elo type spin default 2600 min 800 max 2600",
            "option name Search type combo default Cc2s var Cc2s var Cc1s",
            "option name Profile type combo default safe var safe var alone var cc1s",
            "option name SyzygyPath type string default <empty>",
            "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
            "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
            "option name Syzygy50MoveRule type check default true",
            "option name OwnTables type check default true",
            "option name TablesPath type string default <empty>",
            "option name ConspiracyMax type spin default 2 min 1 max 9",
            "option name NullMove type check default true",
        ] {
            assert_eq!(
                lines.iter().filter(|line| line.starts_with(start)).count(),
                1,
                "{start}"
            );
        }
        let mut names: Vec<_> = lines
            .iter()
            .map(|line| line.split(" type ").next().unwrap().to_lowercase())
            .collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), lines.len());
    }

    #[test]
    fn every_option_is_found_by_its_name_and_is_the_one_announced() {
        let engine = engine();
        for option in all(&engine) {
            let found = find(&engine, &option.name.to_uppercase()).unwrap();
            assert_eq!(found.announce(), option.announce());
        }
        assert!(find(&engine, "Hush").is_none());
    }

    #[test]
    fn values_are_checked_and_the_old_one_stays() {
        let refused = |name, value| try_set(name, value).err().unwrap();
        assert_eq!(refused("Hush", Some("1")), "no such option: 'Hush'");
        assert_eq!(
            refused("Hash", None),
            "option Hash needs a value: a number from 1 to 65536"
        );
        assert_eq!(
            refused("hash", Some("0")),
            "option Hash cannot be '0': a number from 1 to 65536"
        );
        assert_eq!(
            refused("Hash", Some("64 MB")),
            "option Hash cannot be '64 MB': a number from 1 to 65536"
        );
        assert!(refused("Hash", Some("99999999999999999999")).contains("a number from 1 to"));
        for number in ["0", "257"] {
            assert_eq!(
                refused("MultiPV", Some(number)),
                format!("option MultiPV cannot be '{number}': a number from 1 to 256")
            );
        }
        assert_eq!(
            refused("Ponder", Some("1")),
            "option Ponder cannot be '1': true or false"
        );
        assert!(
            refused("Search", Some(""))
                .starts_with("option Search cannot be '': one of Cc2s, Cc1s, PVS")
        );
        assert_eq!(
            refused("UCI_Elo", Some("3000")),
            "option UCI_Elo cannot be '3000': a number from 800 to 2600"
        );
        assert_eq!(
            refused("Threads", Some("257")),
            "option Threads cannot be '257': a number from 1 to 256"
        );
    }

    /// Sets every option to its default but for some, in the order of their names or against it, as some hosts do.
    fn set_all(changes: &[(&str, &str)], backwards: bool) -> Engine {
        let (mut engine, mut settings) = (engine(), Settings::new());
        let mut options = all(&engine);
        options.sort_by(|a, b| a.name.cmp(&b.name));
        if backwards {
            options.reverse();
        }
        for option in options {
            let default = match &option.kind {
                OptionType::Check { default } => default.to_string(),
                OptionType::Spin { default, .. } => default.to_string(),
                OptionType::Combo { default, .. } => default.clone(),
                OptionType::Text => EMPTY.to_owned(),
                OptionType::Button => continue,
            };
            let other = changes.iter().find(|(name, _)| *name == option.name);
            let value = other.map_or(default.as_str(), |&(_, value)| value);
            set(&mut engine, &mut settings, &option.name, Some(value)).unwrap();
        }
        engine
    }

    #[test]
    fn the_profile_holds_and_what_is_changed_wins_in_any_order() {
        let of_profile = |name: &str| try_set("Profile", Some(name)).unwrap().0.params().clone();
        for backwards in [false, true] {
            for name in ["safe", "alone", "thesis", "cheiron97"] {
                let engine = set_all(&[("Profile", name)], backwards);
                assert_eq!(*engine.params(), of_profile(name), "{name}");
            }
            let engine = set_all(&[("Profile", "safe"), ("ConspiracyMax", "1")], backwards);
            assert_eq!(engine.params().cc2s.conspiracy_max, 1);
            let changes = [("Profile", "thesis"), ("Razoring", "false"), ("Hash", "8")];
            let mut expected = of_profile("thesis");
            expected.leaf.razoring = false;
            expected.engine.hash_mib = 8;
            assert_eq!(*set_all(&changes, backwards).params(), expected);
        }
    }

    #[test]
    fn what_is_set_back_to_its_default_is_left_to_the_profile() {
        let (mut engine, mut settings) = (engine(), Settings::new());
        let mut set = |name, value| set(&mut engine, &mut settings, name, Some(value)).unwrap();
        set("ConspiracyMax", "3");
        set("Profile", "cc1s");
        set("RiseDepth", "9");
        set("ConspiracyMax", "2");
        let params = engine.params();
        assert_eq!((params.cc2s.conspiracy_max, params.cc2s.rise_depth), (1, 9));
    }

    #[test]
    fn options_do_what_they_say() {
        let (engine, _) = try_set("conspiracymax", Some("3")).unwrap();
        assert_eq!(engine.params().cc2s.conspiracy_max, 3);
        let (engine, _) = try_set("Profile", Some("CC1S")).unwrap();
        assert_eq!(
            (engine.params().cc2s.conspiracy_max, engine.profile()),
            (1, "cc1s")
        );
        assert_eq!(engine.play_settings.multi_pv, 1);
        let (engine, _) = try_set("multipv", Some("3")).unwrap();
        assert_eq!(engine.play_settings.multi_pv, 3);
        let (engine, _) = try_set("Search", Some("cc1s")).unwrap();
        assert_eq!(engine.searches().1, "Cc1s");
        let (_, settings) = try_set("UCI_Chess960", Some("true")).unwrap();
        assert_eq!(settings.castling, CastlingStyle::KingTakesRook);
        let (engine, _) = try_set("UCI_LimitStrength", Some("true")).unwrap();
        assert_eq!(engine.play_settings.elo, Some(ELO_MAX));
        let (engine, _) = try_set("UCI_Elo", Some("1000")).unwrap();
        assert_eq!(engine.play_settings.elo, None);
        let clear = |value| {
            let (mut engine, mut settings) = (self::engine(), Settings::new());
            set(&mut engine, &mut settings, "Clear Hash", value).unwrap()
        };
        for value in [None, Some(""), Some(EMPTY)] {
            assert_eq!(clear(value), Consequence::Warn(Vec::new()));
        }
        let warned = "option Clear Hash takes no value; 'x' is ignored".to_owned();
        assert_eq!(clear(Some("x")), Consequence::Warn(vec![warned]));
        let (_, settings) = try_set("UCI_Opponent", Some("none none computer Phalanx")).unwrap();
        assert_eq!(settings.opponent, "none none computer Phalanx");
    }
}
