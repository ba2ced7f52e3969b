//! The text of variations for readers.

use shakmaty::Position as _;

use super::comment;
use crate::chess::Position;
use crate::chess::pgn::{self, Ply, Variation};

/// A variation in parentheses, including nested ones: `(1... c5 2. Nf3 so (2. c3))`.
pub(super) fn variation(start: &Position, variation: &Variation) -> String {
    let mut text = String::new();
    tell(&mut text, start, variation);
    text
}

/// The symbols of glyphs; a number for a glyph without a symbol.
pub(super) fn signs(glyphs: &[u8]) -> String {
    glyphs.iter().map(|&glyph| sign(glyph)).collect()
}

/// Symbols that grade the move follow it directly, others after a space.
fn sign(glyph: u8) -> String {
    match pgn::sign(glyph) {
        Some(sign) if glyph < 10 => sign.to_owned(),
        Some(sign) => format!(" {sign}"),
        None => format!(" ${glyph}"),
    }
}

fn tell(text: &mut String, start: &Position, variation: &Variation) {
    text.push('(');
    let mut is_interrupted = true;
    say(text, &variation.comments);
    let mut position = start.clone();
    for ply in &variation.plies {
        let before = position.clone();
        mv(text, &before, ply, is_interrupted);
        position = ply.after(&before);
        is_interrupted = say(text, &ply.comments) || !ply.variations.is_empty();
        for inner in &ply.variations {
            text.push(' ');
            tell(text, &before, inner);
        }
    }
    text.push(')');
}

/// Appends a move, with its number for White and after an interruption.
fn mv(text: &mut String, before: &Position, ply: &Ply, is_interrupted: bool) {
    let chess = before.chess();
    if chess.turn().is_white() || is_interrupted {
        let dots = chess.turn().fold_wb(".", "...");
        word(text, &format!("{}{dots}", chess.fullmoves()));
    }
    let (san, signs) = (ply.san(before), signs(&ply.glyphs));
    word(text, &format!("{san}{signs}"));
}

/// Appends the text of comments; returns whether there was any.
fn say(text: &mut String, comments: &[String]) -> bool {
    let said = comment::words(comments);
    for words in &said {
        word(text, words);
    }
    !said.is_empty()
}

fn word(text: &mut String, word: &str) {
    if !text.ends_with('(') {
        text.push(' ');
    }
    text.push_str(word);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::games;

    #[test]
    fn variations_read_as_books_print_them() {
        let text =
            "1. e4 e5 ({or} 1... c5 $5 {[%eval 0.2] so} 2. Nf3 $14 (2. c3 $1 d5) 2... d6 3. d4) *";
        let game = games(text).next().unwrap().unwrap();
        let before = game.start.after(game.plies[0].mv.unwrap());
        assert_eq!(
            variation(&before, &game.plies[1].variations[0]),
            "(or 1... c5!? so 2. Nf3 ⩲ (2. c3! d5) 2... d6 3. d4)"
        );
        let text = "1. e4 e5 (1... Z0 2. d4 null $1 3. Nf3) *";
        let game = games(text).next().unwrap().unwrap();
        assert_eq!(
            variation(&before, &game.plies[1].variations[0]),
            "(1... -- 2. d4 --! 3. Nf3)"
        );
    }
}
