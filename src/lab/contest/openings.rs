//! Where games start: the positions of an EPD file, or the moves of PGN games.

use std::fs;
use std::path::Path;

use thiserror::Error;

use crate::chess::notation::{FenError, MoveError, parse_fen, parse_san};
use crate::chess::{Line, Position};
use crate::game::Game as _;
use crate::lab::{LabError, suite};

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// The position it starts from.
    #[error(transparent)]
    Position(#[from] FenError),
    /// One of its moves.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A comment or a variation that is not closed.
    #[error("'{0}' is not closed")]
    Open(char),
}

/// Reads openings: PGN where the name of the file ends so, else EPD.
///
/// # Errors
/// The file cannot be read, holds no opening, or one after which the game is over.
pub fn read(path: &Path) -> Result<Vec<Line>, LabError> {
    let is_pgn = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    let openings = if is_pgn {
        read_pgn(path)?
    } else {
        read_epd(path)?
    };
    let bad = |reason: String| LabError::Settings(format!("{}: {reason}", path.display()));
    if openings.is_empty() {
        return Err(bad("no openings".to_owned()));
    }
    match openings.iter().position(|line| line.end_score().is_some()) {
        Some(at) => Err(bad(format!("opening {}: the game is over", at + 1))),
        None => Ok(openings),
    }
}

fn read_epd(path: &Path) -> Result<Vec<Line>, LabError> {
    let records = suite::read_records(path)?;
    let lines = records.into_iter();
    Ok(lines
        .map(|(_, record)| Line::new(record.position))
        .collect())
}

fn read_pgn(path: &Path) -> Result<Vec<Line>, LabError> {
    let text = fs::read_to_string(path).map_err(|error| LabError::File {
        path: path.to_owned(),
        error,
    })?;
    let games = games(&text).into_iter().enumerate();
    games
        .map(|(at, (headers, moves))| {
            parse_game(&headers, &moves).map_err(|error| {
                LabError::Settings(format!("{}, game {}: {error}", path.display(), at + 1))
            })
        })
        .collect()
}

/// Headers and moves of each game, apart.
fn games(text: &str) -> Vec<(String, String)> {
    let mut games: Vec<(String, String)> = Vec::new();
    let mut in_headers = false;
    for line in text.lines().filter(|line| !line.starts_with('%')) {
        let is_header = line.starts_with('[');
        if is_header && !in_headers {
            games.push((String::new(), String::new()));
        }
        in_headers = is_header;
        if let Some((headers, moves)) = games.last_mut() {
            let part = if is_header { headers } else { moves };
            part.push_str(line);
            part.push('\n');
        }
    }
    games
}

fn parse_game(headers: &str, moves: &str) -> Result<Line, OpeningError> {
    let fen = headers.lines().find_map(|line| {
        let value = line.strip_prefix("[FEN \"")?;
        value.strip_suffix("\"]")
    });
    let start = fen.map_or(Ok(Position::initial()), parse_fen)?;
    let mut line = Line::new(start);
    for word in without_remarks(moves)?.split_whitespace() {
        let word = word
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .trim_start_matches('.');
        let is_result = matches!(word, "" | "*" | "-0" | "-1" | "/2-1/2");
        if !is_result && !word.starts_with('$') {
            let mv = parse_san(line.position(), word)?;
            line.play(mv);
        }
    }
    Ok(line)
}

/// The main line alone: no comments, no variations.
fn without_remarks(moves: &str) -> Result<String, OpeningError> {
    let mut kept = String::new();
    let (mut depth, mut in_comment) = (0, false);
    for letter in moves.chars() {
        match letter {
            '{' => in_comment = true,
            '}' => in_comment = false,
            '(' if !in_comment => depth += 1,
            ')' if !in_comment => depth -= 1,
            _ if !in_comment && depth == 0 => kept.push(letter),
            _ => {}
        }
    }
    match (in_comment, depth) {
        (true, _) => Err(OpeningError::Open('{')),
        (false, 0) => Ok(kept),
        _ => Err(OpeningError::Open('(')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_without_their_remarks() {
        let text = "[Event \"?\"]\n[Result \"*\"]\n\n1. e4 {a comment} e5 (1... c5 2. Nf3)\n2.Nf3 $1 Nc6 *\n\n\
                    [Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O Kd7 1-0\n";
        let read: Vec<Line> = games(text)
            .iter()
            .map(|(headers, moves)| parse_game(headers, moves).unwrap())
            .collect();
        assert_eq!(read[0].moves().len(), 4);
        assert_eq!(read[1].moves().len(), 2);
        let error = parse_game("", "1. e4 e4").unwrap_err();
        assert_eq!(
            error,
            OpeningError::Move(MoveError::Illegal("e4".to_owned()))
        );
        assert_eq!(
            parse_game("", "1. e4 {").unwrap_err(),
            OpeningError::Open('{')
        );
        assert_eq!(
            parse_game("", "1. e4 (").unwrap_err(),
            OpeningError::Open('(')
        );
    }

    #[test]
    fn the_two_forms_of_the_openings_are_equal() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions");
        for name in ["openings", "openings8"] {
            let epd = read(&folder.join(name).with_extension("epd")).unwrap();
            let pgn = read(&folder.join(name).with_extension("pgn")).unwrap();
            assert_eq!(epd.len(), pgn.len());
            assert!(
                epd.iter().zip(&pgn).all(|(a, b)| a.key() == b.key()),
                "{name}"
            );
        }
    }
}
