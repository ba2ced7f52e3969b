//! The HTML page of all games.

use serde::Serialize;

use super::game::Annotated;
use super::sheet::Sheet;
use crate::report::page::{PageError, render};

#[derive(Serialize)]
struct AnnotationPage<'a> {
    games: Vec<PageGame<'a>>,
    /// A description of the search limits.
    effort: &'a str,
}

/// A game, and its positions as JSON for the script.
#[derive(Serialize)]
struct PageGame<'a> {
    sheet: &'a Sheet,
    positions: String,
}

impl<'a> PageGame<'a> {
    fn of(sheet: &'a Sheet) -> Self {
        Self {
            sheet,
            positions: positions(sheet),
        }
    }
}

/// Renders the page of the games; `effort` describes the search limits.
///
/// # Errors
/// The template does not match the data, which is a bug.
pub fn page(games: &[Annotated], effort: &str) -> Result<String, PageError> {
    let title = match games {
        [game] => format!("{} – {}", game.sheet.white, game.sheet.black),
        games => format!("{} games", games.len()),
    };
    let shown = AnnotationPage {
        games: games.iter().map(|game| PageGame::of(&game.sheet)).collect(),
        effort,
    };
    render("annotate.html", &title, &shown)
}

/// Returns the men, last move and caption of every position as JSON that is safe within HTML.
fn positions(sheet: &Sheet) -> String {
    let start = (&sheet.start.men, &sheet.start.last, "Start".to_owned());
    let mut number = "";
    let moves = sheet.moves.iter().map(|entry| {
        let (dots, known) = match entry.number.as_str() {
            "" => ("..", number),
            new => ("", new),
        };
        number = known;
        let words = format!("{known}{dots} {}{} {}", entry.san, entry.glyphs, entry.eval);
        (&entry.diagram.men, &entry.diagram.last, words)
    });
    let all: Vec<_> = std::iter::once(start).chain(moves).collect();
    let json = serde_json::to_string(&all).expect("texts are plain data");
    json.replace('<', "\\u003c")
}
