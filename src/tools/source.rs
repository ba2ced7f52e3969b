//! Input of text and games from files or standard input.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use super::ToolError;
use crate::chess::pgn::{self, Game};
use crate::chess::text::decode;

/// Reads the text of a file with any encoding and line ends; `-` is standard input.
///
/// # Errors
/// The file cannot be read.
pub fn read(path: &Path) -> Result<String, ToolError> {
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    match bytes {
        Ok(bytes) => Ok(decode(&bytes)),
        Err(error) => Err(ToolError::file(path)(error)),
    }
}

/// Reads the games of a PGN file; `-` is standard input.
///
/// # Errors
/// The file or a game in it cannot be read.
pub fn games(path: &Path) -> Result<Vec<Game>, ToolError> {
    let text = read(path)?;
    let games = pgn::games(&text).map(|game| {
        game.map_err(|error| ToolError::Pgn {
            path: path.to_owned(),
            error,
        })
    });
    games.collect()
}
