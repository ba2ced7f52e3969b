//! Writes games with all annotations.
//!
//! Comments keep their words; whitespace between them becomes single spaces or line ends.

use std::fmt::Write as _;

use shakmaty::Position as _;

use super::game::{Game, Outcome, Ply, Variation};
use crate::chess::Position;

/// The number of characters before which lines are broken.
const WIDTH: usize = 80;

/// Writes a game with its tags and a final empty line.
pub fn write(game: &Game) -> String {
    let mut text = String::new();
    for (name, value) in &game.tags {
        let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{escaped}\"]");
    }
    if !game.tags.is_empty() {
        text.push('\n');
    }
    let mut pen = Pen::default();
    pen.comments(&game.comments);
    pen.plies(&game.start, &game.plies);
    pen.word(result(game));
    text.push_str(&pen.text);
    text.push_str("\n\n");
    text
}

/// Returns the result after the moves, or else that of the tags.
fn result(game: &Game) -> &str {
    match game.outcome {
        Outcome::White => "1-0",
        Outcome::Black => "0-1",
        Outcome::Draw => "1/2-1/2",
        Outcome::Unknown => {
            let known = ["1-0", "0-1", "1/2-1/2"];
            let tag = game.tag("Result").filter(|tag| known.contains(tag));
            tag.unwrap_or("*")
        }
    }
}

/// A writer of words into lines.
#[derive(Default)]
struct Pen {
    text: String,
    /// Characters in the current line.
    width: usize,
    /// Whether something separates this move from the last, so that its number is needed.
    is_interrupted: bool,
    /// Whether the next word follows without a space.
    is_glued: bool,
}

impl Pen {
    /// Writes an unbroken word. A line must not begin with characters that readers take for a tag or an escape.
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        let may_begin = !word.starts_with(['[', '%']);
        if self.is_glued || self.width == 0 {
            self.is_glued = false;
        } else if self.width + 1 + length >= WIDTH && may_begin {
            self.text.push('\n');
            self.width = 0;
        } else {
            self.text.push(' ');
            self.width += 1;
        }
        self.text.push_str(word);
        self.width += length;
    }

    fn glue(&mut self, word: &str) {
        self.text.push_str(word);
        self.width += word.chars().count();
    }

    fn comments(&mut self, comments: &[String]) {
        for comment in comments {
            self.comment(comment);
        }
    }

    fn comment(&mut self, comment: &str) {
        self.word("{");
        self.is_glued = true;
        for word in unbroken(&comment.replace('}', ")")) {
            self.word(&word);
        }
        self.is_glued = false;
        self.glue("}");
        self.is_interrupted = true;
    }

    fn plies(&mut self, start: &Position, plies: &[Ply]) {
        let mut position = start.clone();
        self.is_interrupted = true;
        for ply in plies {
            self.mv(&position, ply);
            for glyph in &ply.glyphs {
                self.word(&format!("${glyph}"));
            }
            self.comments(&ply.comments);
            for variation in &ply.variations {
                self.variation(&position, variation);
            }
            position = ply.after(&position);
        }
    }

    fn mv(&mut self, position: &Position, ply: &Ply) {
        let chess = position.chess();
        if chess.turn().is_white() {
            self.word(&format!("{}.", chess.fullmoves()));
        } else if self.is_interrupted {
            self.word(&format!("{}...", chess.fullmoves()));
        }
        self.is_interrupted = false;
        self.word(&ply.san(position));
    }

    fn variation(&mut self, start: &Position, variation: &Variation) {
        self.word("(");
        self.is_glued = true;
        self.comments(&variation.comments);
        self.plies(start, &variation.plies);
        self.is_glued = false;
        self.glue(")");
        self.is_interrupted = true;
    }
}

/// Returns the words of a comment; a command such as `[%clk 0:01:00]` is one word.
fn unbroken(comment: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_command = false;
    for word in comment.split_whitespace() {
        match words.last_mut().filter(|_| is_command) {
            Some(command) => {
                command.push(' ');
                command.push_str(word);
            }
            None => words.push(word.to_owned()),
        }
        is_command = (is_command || word.starts_with("[%")) && !word.ends_with(']');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::super::games;
    use super::*;

    fn read(text: &str) -> Game {
        let game = games(text).next().expect("a game");
        game.unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// A written game must be read back unchanged.
    #[test]
    fn what_was_read_is_written() {
        let long = "word ".repeat(60);
        for text in [
            "{before} 1. e4! {one} {[%clk 0:01:00] two} ({or} 1. d4 d5 (1... Nf6 $6) 2. c4) (1. --) e5 ; last }\n*",
            "[White \"Joe \\\"Cool\\\" X\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 9\"]\n\n9... Kd7 10. O-O 1-0",
            "[Variant \"Chess960\"]\n[FEN \"r1k4r/pppppppp/8/8/8/8/PPPPPPPP/R1K4R w HAha - 0 1\"]\n\n1. O-O O-O-O *",
            &format!("1. d4 {{{long} % of [all]}} d5 1/2-1/2"),
            "*",
        ] {
            let game = read(text);
            let written = write(&game);
            let again = read(&written);
            assert_eq!(
                format!("{:?}", (&game.tags, &game.comments, &game.outcome)),
                format!("{:?}", (&again.tags, &again.comments, &again.outcome))
            );
            let said = |game: &Game| {
                format!("{:?}", game.plies)
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            assert_eq!(said(&game), said(&again), "{written}");
            assert!(
                written
                    .lines()
                    .all(|line| line.len() < 2 * WIDTH && !line.starts_with('%'))
            );
            assert_eq!(write(&again), written);
        }
    }

    #[test]
    fn numbers_stand_where_they_are_needed() {
        let written = write(&read("1. e4 e5 {a} 2. Nf3 (2. f4 exf4) Nc6 $1 3. Bb5 *"));
        assert_eq!(
            written,
            "1. e4 e5 {a} 2. Nf3 (2. f4 exf4) 2... Nc6 $1 3. Bb5 *\n\n"
        );
        for text in [
            "1. e4 e5 (1... -- 2. d4 -- 3. Nf3) 2. Nf3 *",
            "1. e4 e5 (1... c5 2. Nf3 (2. -- d6 3. -- {so} 3... -- 4. c4) 2... d6) 2. -- *",
            "[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 9\"]\n\n9... -- 10. O-O -- 11. -- Kd7 *",
        ] {
            assert_eq!(write(&read(text)), format!("{text}\n\n"));
        }
    }
}
