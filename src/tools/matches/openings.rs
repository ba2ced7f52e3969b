//! Openings: the positions of an EPD file, or the moves of PGN games.

use std::path::Path;

use crate::chess::{Line, pgn};
use crate::game::Game as _;
use crate::tools::epd::suite;
use crate::tools::{ToolError, source};

/// Reads openings, as PGN if the file name ends in `.pgn`, otherwise as EPD. Every game or line is an opening.
///
/// # Errors
/// The file or an opening cannot be read, the file has no openings, or the game is over after one.
pub fn read(path: &Path) -> Result<Vec<Line>, ToolError> {
    let is_pgn = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    let openings = if is_pgn {
        read_pgn(path)?
    } else {
        read_epd(path)?
    };
    let bad = |reason: String| ToolError::Settings(format!("{}{reason}", path.display()));
    if openings.is_empty() {
        return Err(bad(": no openings".to_owned()));
    }
    // The rules that the referee plays by: one repetition does not end a game.
    let is_over = |line: &Line| line.position().end_score().is_some() || line.repetitions() >= 2;
    match openings.iter().find(|(_, line)| is_over(line)) {
        Some((number, _)) => Err(bad(format!(", line {number}: the game is over"))),
        None => Ok(openings.into_iter().map(|(_, line)| line).collect()),
    }
}

/// Openings with the numbers of their first lines.
type Numbered = Vec<(usize, Line)>;

fn read_epd(path: &Path) -> Result<Numbered, ToolError> {
    let records = suite::read_records(path)?.into_iter();
    Ok(records
        .map(|(number, record)| (number, Line::new(record.position)))
        .collect())
}

fn read_pgn(path: &Path) -> Result<Numbered, ToolError> {
    let games = source::games(path)?.into_iter();
    Ok(games.map(|game| (game.line, main_line(game))).collect())
}

/// The moves of a game after its last null move, which cannot be sent to an engine.
fn main_line(game: pgn::Game) -> Line {
    let mut line = Line::new(game.start);
    for ply in &game.plies {
        match ply.mv {
            Some(mv) => line.play(mv),
            None => line = Line::new(ply.after(line.position())),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::fen;

    fn opened(name: &str, text: &[u8]) -> Result<Vec<Line>, String> {
        let path = std::env::temp_dir().join(format!("{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let lines = read(&path).map_err(|error| error.to_string());
        std::fs::remove_file(&path).unwrap();
        lines
    }

    #[test]
    fn main_lines_are_openings() {
        let book = b"\xef\xbb\xbf[White \"M\xfcller\"] \r\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\r\n1. 0-0 (1. Kd1) Kd7*\r\n\
                     [White \"?\"]\r\n1. e4{best}e5 ; usual\r\n\x1a";
        let lines = opened("book.pgn", book).unwrap();
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| line.moves().len() == 2));
    }

    #[test]
    fn an_opening_begins_behind_its_null_move() {
        let lines = opened("null.pgn", b"1. e4 -- 2. d4 e5 *").unwrap();
        let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        assert_eq!(fen(lines[0].first()), start);
        assert_eq!(lines[0].moves().len(), 2);
    }

    #[test]
    fn a_book_is_never_shorter_than_it_says() {
        for (name, text, complaint) in [
            (
                "lost.pgn",
                "1. e4 *\n\n1. d4 Nf3 *\n",
                ", line 3: illegal move 'Nf3'",
            ),
            (
                "open.pgn",
                "1. e4 *\n\n1. d4 { *\n",
                ", line 3: '{' is not closed",
            ),
            ("empty.pgn", "\n\n", ": no openings"),
            ("empty.epd", "# nothing\n", ": no openings"),
            (
                "over.pgn",
                "1. e4 *\n\n1. f3 e5 2. g4 Qh4# 0-1",
                ", line 3: the game is over",
            ),
            (
                "bad.epd",
                "4k3/8/8/8/8/8/8/4K2R w K -\n8/8 w\n",
                ", line 2: a position has four",
            ),
        ] {
            let said = opened(name, text.as_bytes()).unwrap_err();
            assert!(said.contains(complaint), "{name}: {said}");
        }
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
