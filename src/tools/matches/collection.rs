//! A PGN file to which games are added.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::chess::text::decode;
use crate::tools::ToolError;
use crate::tools::files::claim;

/// The separator of tags, moves and games.
const END: &str = "\n\n";

/// A PGN file to which games are added.
#[derive(Debug)]
pub struct Collection {
    path: PathBuf,
    /// Locked.
    file: File,
}

impl Collection {
    /// Opens or creates a file, and adds those of the games that it lacks. A truncated game at its end is
    /// completed.
    ///
    /// # Errors
    /// The file cannot be read or written, or is in use by another run.
    pub fn open(path: &Path, games: &[&str]) -> Result<Self, ToolError> {
        let failed = ToolError::file(path);
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(&failed)?;
        claim(path, &file)?;
        // A file that is not regular has no content to read.
        let bytes = if path.is_file() {
            fs::read(path).map_err(failed)?
        } else {
            Vec::new()
        };
        let mut collection = Self {
            path: path.to_owned(),
            file,
        };
        collection.add(&lacking(&decode(&bytes), games))?;
        Ok(collection)
    }

    /// Adds a game, which ends in an empty line.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, game: &str) -> Result<(), ToolError> {
        let written = self.file.write_all(game.as_bytes());
        written.map_err(ToolError::file(&self.path))
    }
}

/// The text to append so that all games are complete and another can follow.
fn lacking(text: &str, games: &[&str]) -> String {
    let parts: Vec<&str> = text.split(END).map(str::trim).collect();
    let known: HashSet<[&str; 2]> = parts.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    let is_known = |game: &str| {
        let halves = game.trim().split_once(END);
        halves.is_some_and(|(tags, moves)| known.contains(&[tags, moves]))
    };
    let mut missing: Vec<&str> = games
        .iter()
        .copied()
        .filter(|game| !is_known(game))
        .collect();
    let torn = missing
        .iter()
        .enumerate()
        .find_map(|(at, game)| Some((at, rest_of(game, text)?)));
    let mut lacking = match torn {
        Some((at, rest)) => {
            missing.remove(at);
            rest.to_owned()
        }
        None if text.is_empty() || text.ends_with(END) => String::new(),
        None if text.ends_with('\n') => "\n".to_owned(),
        None => END.to_owned(),
    };
    lacking.extend(missing);
    lacking
}

/// The rest of a game whose beginning is the end of the text.
fn rest_of<'a>(game: &'a str, text: &str) -> Option<&'a str> {
    let mut beginnings = game.char_indices().rev().map(|(at, _)| game.split_at(at));
    let found =
        beginnings.find(|(beginning, _)| !beginning.is_empty() && text.ends_with(beginning));
    found.map(|(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collection_gets_what_it_lacks() {
        let [one, two] = [
            "[Round \"1\"]\n[White \"é\"]\n\n1. e4 {é} e5 *\n\n",
            "[Round \"2\"]\n\n1. d4\nd5 *\n\n",
        ];
        let [own, both] = ["[White \"I\"]\n\n1. c4 *\n", &[one, two].concat()];
        let whole = format!("{own}\n{both}");
        for (text, wanted) in [
            (String::new(), both.to_owned()),
            (own.to_owned(), whole.clone()),
            (own.trim_end().to_owned(), whole.clone()),
            (whole.clone(), whole.clone()),
            (format!("{one}{own}\n"), format!("{one}{own}\n{two}")),
            (format!("{two}{own}\n"), format!("{two}{own}\n{one}")),
        ] {
            let found = format!("{text}{}", lacking(&text, &[one, two]));
            assert_eq!(found, wanted, "{text}");
        }
        for at in (own.len() + 2..whole.len()).filter(|&at| whole.is_char_boundary(at)) {
            let torn = &whole[..at];
            let found = format!("{torn}{}", lacking(torn, &[one, two]));
            assert_eq!(found, whole, "{torn}");
        }
        let dos = whole.replace('\n', "\r\n");
        assert_eq!(lacking(&decode(dos.as_bytes()), &[one, two]), "");
        assert_eq!(lacking("1. e4 *", &[]), "\n\n");
    }
}
