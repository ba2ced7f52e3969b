//! Removes the annotations of an earlier run from a game and keeps all others.

use super::comment::without;
use super::remarks::{glyphs_of_comment, glyphs_of_line, is_annotator};
use crate::chess::Position;
use crate::chess::pgn::{Game, Ply};

/// Returns the game without evaluations of its moves, and without the glyphs, sentences and variations of cc2s.
pub(super) fn forget(game: &Game) -> Game {
    let mut game = game.clone();
    game.tags
        .retain(|(name, value)| name != "Annotator" || !is_annotator(value));
    let mut position = game.start.clone();
    for ply in &mut game.plies {
        for comment in &mut ply.comments {
            *comment = without(comment, |name| name == "eval");
        }
        ply.comments.retain(|comment| !comment.is_empty());
        forget_remarks(ply, &position);
        position = ply.after(&position);
    }
    game
}

/// Own sentences have a signature and determine which glyphs are removed with them.
fn forget_remarks(ply: &mut Ply, before: &Position) {
    let mut own = Vec::new();
    ply.comments.retain(|comment| {
        let glyphs = glyphs_of_comment(comment);
        own.extend(glyphs.into_iter().flatten().copied());
        glyphs.is_none()
    });
    ply.variations.retain(|line| {
        let glyphs = glyphs_of_line(line, before);
        let is_kept = glyphs.is_none();
        own.extend(glyphs.into_iter().flatten());
        is_kept
    });
    ply.glyphs
        .retain(|number| own.iter().all(|glyph| glyph.number() != *number));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::{games, write};

    fn forgotten(text: &str) -> String {
        let game = games(text).next().unwrap().unwrap();
        let written = write(&forget(&game));
        written.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn only_what_cc2s_wrote_is_forgotten() {
        let own = "[Annotator \"cc2s 0.9\"]\n\n1. e4 $6 {[%eval 0.25] hm} (1. c4 {mine}) \
            ({cc2s: Dubious. d4 was best.} 1. d4 {[%eval 0.30]} 1... d5) \
            1... f5 $3 ({cc2s: c5 was best.} 1... c5 {[%eval 0.1]}) \
            2. exf5 $1 $7 $14 {cc2s: The only move: the next best is worth -0.50.} *";
        assert_eq!(
            forgotten(own),
            "1. e4 {hm} (1. c4 {mine}) 1... f5 $3 2. exf5 $14 *"
        );
        for people in [
            "[Annotator \"me\"] 1. e4 $6 {Dubious. d4 was best.} (1. d4 d5) *",
            "[Annotator \"lichess.org\"] 1. e4 $4 {Blunder. d4 was best.} (1. d4 {[%eval 0.3]} 1... d5) *",
            "[Annotator \"cc2s fan 1\"] 1. e4 $1 $7 {The only move: the next best is worth -0.50.} *",
            "1. e4 $6 {Dubious. d4 was best.} (1. d4 {[%eval 0.30]}) *",
            "1. e4 $6 ({cc2s: Dubious. d4 was best.} 1. d4 {[%eval 0.30] so} 1... d5) *",
            "1. e4 $6 ({cc2s: Dubious. d4 was best.} 1. d4 {[%eval 0.30]} 1... d5 $1) *",
            "1. e4 $6 ({cc2s: Dubious. d4 was best.} 1. c4 {[%eval 0.30]}) *",
            "1. e4 $6 ({I think cc2s: d4 was best.} 1. d4 {[%eval 0.30]}) *",
            "1. e4 $6 {cc2s: Dubious. d4 was best.} *",
            "1. e4 $1 $7 {cc2s: The only move.} *",
        ] {
            assert_eq!(forgotten(people), people);
        }
        let regraded = "1. e4 $4 ({cc2s: Dubious. d4 was best.} 1. d4 {[%eval 0.30]}) *";
        assert_eq!(forgotten(regraded), "1. e4 $4 *");
    }
}
