//! The engines of a match.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An invalid description of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "'{0}': write KEY=VALUE, separated by commas, each key but arg once; the keys are name, cmd, arg, proto (uci or xboard), search, profile \
     and option.NAME"
)]
pub struct EntrantError(String);

/// The protocol of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Protocol {
    /// The Universal Chess Interface.
    #[default]
    Uci,
    /// The Chess Engine Communication Protocol, version 2.
    Xboard,
}

/// An engine of a match: a program, its arguments and its options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// The name in the records.
    pub name: String,
    /// The program; `None` is this one.
    pub command: Option<PathBuf>,
    /// The arguments of the program.
    pub arguments: Vec<String>,
    /// The protocol of the engine.
    pub protocol: Protocol,
    /// Options and their values.
    pub options: Vec<(String, String)>,
}

impl FromStr for Entrant {
    type Err = EntrantError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut entrant = Self::default();
        let mut keys = BTreeSet::new();
        for part in text.split(',') {
            let refused = || EntrantError(part.to_owned());
            let (key, value) = part.split_once('=').ok_or_else(refused)?;
            if key != "arg" && !keys.insert(key.to_ascii_lowercase()) {
                return Err(refused());
            }
            let mut option = |name: &str| entrant.options.push((name.to_owned(), value.to_owned()));
            match (key, value) {
                ("name", _) => value.clone_into(&mut entrant.name),
                ("cmd", "") => return Err(refused()),
                ("cmd", _) => entrant.command = Some(value.into()),
                ("arg", _) => entrant.arguments.push(value.to_owned()),
                ("proto", "uci") => entrant.protocol = Protocol::Uci,
                ("proto", "xboard") => entrant.protocol = Protocol::Xboard,
                ("search", _) => option("Search"),
                ("profile", _) => option("Profile"),
                _ => option(key.strip_prefix("option.").ok_or_else(refused)?),
            }
        }
        if entrant.name.is_empty() {
            entrant.name = entrant.default_name();
        }
        Ok(entrant)
    }
}

impl Entrant {
    fn default_name(&self) -> String {
        if let Some(stem) = self.command.as_ref().and_then(|path| path.file_stem()) {
            return stem.to_string_lossy().into_owned();
        }
        let values = self.options.iter().map(|(_, value)| format!("-{value}"));
        format!("cc2s{}", values.collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entrants_are_read() {
        let entrant: Entrant = "name=a,cmd=/bin/b,arg=-x,arg=y,option.Move Overhead=50"
            .parse()
            .unwrap();
        assert_eq!(entrant.name, "a");
        assert_eq!(entrant.arguments, ["-x", "y"]);
        assert_eq!(
            entrant.options,
            [("Move Overhead".to_owned(), "50".to_owned())]
        );
        let own: Entrant = "search=Cc1s,profile=thesis".parse().unwrap();
        assert_eq!((own.command.clone(), own.protocol), (None, Protocol::Uci));
        assert_eq!(own.name, "cc2s-Cc1s-thesis");
        let other: Entrant = "cmd=/usr/games/phalanx,proto=xboard".parse().unwrap();
        assert_eq!(
            (other.name.as_str(), other.protocol),
            ("phalanx", Protocol::Xboard)
        );
        for bad in [
            "",
            "cmd",
            "cmd=,option.Hash=1",
            "speed=9",
            "name=a,option=Hash",
            "cmd=a,proto=smoke",
            "search=Cc2s,search=PVS",
            "option.Hash=1,option.hash=2",
        ] {
            assert!(bad.parse::<Entrant>().is_err(), "{bad}");
        }
    }
}
