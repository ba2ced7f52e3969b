//! The options an engine declares, and a check of settings against them.

use crate::settings::EngineParams;

/// Maximum number of suggestions for an unknown name.
const OFFERED: usize = 3;

#[derive(Clone, Debug, PartialEq, Eq)]
enum EngineOptionType {
    Switch,
    /// Minimum and maximum.
    Number(i64, i64),
    Choice(Vec<String>),
    Button,
    /// A text or file name.
    Free,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Options(Vec<(String, EngineOptionType)>);

impl Options {
    /// Parses a line `option name ... type ...` of UCI. Other lines are ignored.
    pub(super) fn hear_uci(&mut self, line: &str) {
        let declared = line.strip_prefix("option name ");
        if let Some((name, rest)) = declared.and_then(|rest| rest.split_once(" type ")) {
            let mut words = rest.split_whitespace();
            let kind = match words.next() {
                Some("check") => EngineOptionType::Switch,
                Some("spin") => number_after(rest, "min")
                    .zip(number_after(rest, "max"))
                    .map_or(EngineOptionType::Free, |(min, max)| {
                        EngineOptionType::Number(min, max)
                    }),
                Some("combo") => EngineOptionType::Choice(values_after(rest, "var")),
                Some("button") => EngineOptionType::Button,
                _ => EngineOptionType::Free,
            };
            self.0.push((name.trim().to_owned(), kind));
        }
    }

    /// Parses the features `option="NAME -TYPE VALUE ..."` of the xboard protocol in a line.
    pub(super) fn hear_xboard(&mut self, line: &str) {
        for declared in line.split("option=\"").skip(1) {
            let declared = declared.split('"').next().unwrap_or_default();
            let Some((name, rest)) = declared.split_once(" -") else {
                continue;
            };
            let (kind, values) = rest.split_once(' ').unwrap_or((rest, ""));
            let numbers: Vec<i64> = values.split(' ').flat_map(str::parse).collect();
            let kind = match (kind, &numbers[..]) {
                ("check", _) => EngineOptionType::Number(0, 1),
                ("spin" | "slider", &[_, min, max]) => EngineOptionType::Number(min, max),
                ("combo", _) => {
                    let words = values.split("///");
                    let word = |word: &str| word.trim().trim_start_matches('*').to_owned();
                    EngineOptionType::Choice(words.map(word).collect())
                }
                ("button" | "save" | "reset", _) => EngineOptionType::Button,
                _ => EngineOptionType::Free,
            };
            self.0.push((name.trim().to_owned(), kind));
        }
    }

    /// Adds the parameters of this program, which can be set even if they are not declared.
    pub(super) fn add_own(&mut self) {
        for entry in EngineParams::entries() {
            let (name, declaration) = (entry.option_name(), entry.declaration);
            if self.find(&name).is_none() {
                let kind = if declaration.is_switch {
                    EngineOptionType::Switch
                } else {
                    EngineOptionType::Number(declaration.min.into(), declaration.max.into())
                };
                self.0.push((name, kind));
            }
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Checks a setting; the error is the reason why the engine would reject it.
    pub(super) fn check(&self, name: &str, value: &str) -> Result<(), String> {
        let Some((_, kind)) = self.find(name) else {
            let names = self.0.iter().map(|(name, _)| name.as_str());
            return Err(format!("no option '{name}'{}", offer(name, names)));
        };
        let wanted = match kind {
            EngineOptionType::Free => return Ok(()),
            EngineOptionType::Button if value.is_empty() => return Ok(()),
            EngineOptionType::Button => {
                return Err(format!(
                    "option {name} is a button: write option.{name}= without a value"
                ));
            }
            EngineOptionType::Switch => "true or false".to_owned(),
            EngineOptionType::Number(min, max) => format!("a whole number from {min} to {max}"),
            EngineOptionType::Choice(words) => {
                let is_known = words.iter().any(|word| word.eq_ignore_ascii_case(value));
                let refused =
                    || format!("option {name}: no value '{value}'{}", offer(value, words));
                return is_known.then_some(()).ok_or_else(refused);
            }
        };
        let is_good = match kind {
            EngineOptionType::Number(min, max) => value
                .parse::<i64>()
                .is_ok_and(|number| (*min..=*max).contains(&number)),
            _ => ["true", "false"].contains(&value.to_ascii_lowercase().as_str()),
        };
        let refused = || format!("option {name} must be {wanted}, not '{value}'");
        is_good.then_some(()).ok_or_else(refused)
    }

    fn find(&self, name: &str) -> Option<&(String, EngineOptionType)> {
        self.0
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
    }
}

/// The suggestions for an unknown word, to be appended to an error message.
fn offer<'a>(
    word: &str,
    known: impl IntoIterator<Item = &'a (impl AsRef<str> + ?Sized + 'a)>,
) -> String {
    let known = known.into_iter().map(AsRef::as_ref);
    let word = word.to_lowercase();
    let mut known: Vec<(f64, &str)> = known
        .map(|known| (strsim::jaro_winkler(&word, &known.to_lowercase()), known))
        .collect();
    known.sort_by(|one, other| other.0.total_cmp(&one.0));
    let nearest: Vec<&str> = known
        .iter()
        .take(OFFERED)
        .map(|(_, known)| *known)
        .collect();
    if nearest.is_empty() {
        "; there is none".to_owned()
    } else {
        format!("; the nearest are {}", nearest.join(", "))
    }
}

fn number_after(text: &str, key: &str) -> Option<i64> {
    let mut words = text.split_whitespace().skip_while(|word| *word != key);
    words.nth(1)?.parse().ok()
}

/// The values after each `key`, which may have several words.
fn values_after(text: &str, key: &str) -> Vec<String> {
    let mut values: Vec<Vec<&str>> = Vec::new();
    for word in text.split_whitespace() {
        if word == key {
            values.push(Vec::new());
        } else if let Some(value) = values.last_mut() {
            value.push(word);
        }
    }
    values.iter().map(|words| words.join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uci() -> Options {
        let mut options = Options::default();
        for line in [
            "id name a",
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "option name Style type combo default Very Solid var Very Solid var Risky",
            "option name Ponder type check default false",
            "option name Clear Hash type button",
            "option name Book type string default <empty>",
        ] {
            options.hear_uci(line);
        }
        options
    }

    #[test]
    fn what_an_engine_has_can_be_set() {
        for (name, value) in [
            ("Hash", "1"),
            ("hash", "1024"),
            ("Move Overhead", "50"),
            ("Style", "very solid"),
            ("Ponder", "True"),
            ("Clear Hash", ""),
            ("Book", "any thing"),
        ] {
            assert_eq!(uci().check(name, value), Ok(()), "{name}");
        }
    }

    #[test]
    fn other_settings_are_refused_with_what_was_meant() {
        for (name, value, complaint) in [
            (
                "Hahs",
                "3",
                "no option 'Hahs'; the nearest are Hash, Clear Hash",
            ),
            ("MoveOverhead", "9", "the nearest are Move Overhead"),
            (
                "Hash",
                "abc",
                "Hash must be a whole number from 1 to 1024, not 'abc'",
            ),
            ("Hash", "1025", "from 1 to 1024"),
            ("Hash", "", "not ''"),
            ("Style", "Riski", "no value 'Riski'; the nearest are Risky"),
            ("Ponder", "yes", "true or false"),
            (
                "Clear Hash",
                "x",
                "a button: write option.Clear Hash= without",
            ),
        ] {
            let said = uci().check(name, value).unwrap_err();
            assert!(said.contains(complaint), "{said}");
        }
        let none = Options::default().check("Hash", "1").unwrap_err();
        assert_eq!(none, "no option 'Hash'; there is none");
    }

    #[test]
    fn xboard_declares_options_as_features() {
        let mut options = Options::default();
        options.hear_xboard(
            "feature ping=1 option=\"Hash -spin 64 1 512\" option=\"Own Book -check 0\" done=0",
        );
        options
            .hear_xboard("feature option=\"Style -combo Solid /// *Risky\" option=\"Go -button\"");
        for (name, good, bad) in [
            ("Hash", "512", "513"),
            ("Own Book", "1", "true"),
            ("Style", "Risky", "*Risky"),
        ] {
            assert_eq!(options.check(name, good), Ok(()));
            assert!(options.check(name, bad).is_err(), "{name}");
        }
        assert!(options.has("go") && !options.has("smoke"));
    }

    #[test]
    fn parameters_of_this_program_need_not_be_declared() {
        let mut options = uci();
        options.add_own();
        assert_eq!(options.check("ConspiracyMax", "1"), Ok(()));
        assert!(options.check("ConspiracyMax", "99").is_err());
        // The declared range takes precedence.
        assert!(options.check("Hash", "1025").is_err());
    }
}
