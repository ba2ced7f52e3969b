//! Takes back what cc2s said of a game in an earlier run; what people wrote stays.

use super::comment::without;
use super::judge::Glyph;
use super::remarks::{self, MOVE_GLYPHS, is_annotator};
use crate::chess::Position;
use crate::chess::pgn::{Game, Ply, Variation};

/// The game without evaluations of its moves, and without the glyphs, the sentences and the better lines of cc2s.
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
        forget_verdict(ply, &position);
        if let Some(mv) = ply.mv {
            position = position.after(mv);
        }
    }
    game
}

/// Its sentence says whether the glyphs of the move are its own; a sentence on a fault has its line beside it.
fn forget_verdict(ply: &mut Ply, before: &Position) {
    let Some((at, line, is_graded)) = verdict(ply, before) else {
        return;
    };
    ply.comments.remove(at);
    if let Some(line) = line {
        ply.variations.remove(line);
    }
    if is_graded {
        ply.glyphs.retain(|glyph| !MOVE_GLYPHS.contains(glyph));
    }
}

/// The places of sentence and line, and whether the sentence grades the move.
fn verdict(ply: &Ply, before: &Position) -> Option<(usize, Option<usize>, bool)> {
    let is_only = |comment: &String| remarks::is_only_move(comment);
    if let Some(at) = ply.comments.iter().rposition(is_only) {
        return Some((at, None, true));
    }
    let line = ply.variations.iter().rposition(is_own)?;
    let best = ply.variations.get(line)?.plies.first()?.mv?;
    let plain = remarks::was_best(None, before, best);
    let at = ply
        .comments
        .iter()
        .rposition(|comment| comment.ends_with(&plain))?;
    let comment = &ply.comments[at];
    let is_graded = Glyph::FAULTS
        .iter()
        .any(|&fault| *comment == remarks::was_best(Some(fault), before, best));
    (is_graded || *comment == plain).then_some((at, Some(line), is_graded))
}

/// Moves alone, but for the evaluation of the first.
fn is_own(variation: &Variation) -> bool {
    let is_bare = |ply: &Ply| ply.glyphs.is_empty() && ply.variations.is_empty();
    let Some((first, others)) = variation.plies.split_first() else {
        return false;
    };
    let is_eval = |comment: &String| {
        comment.starts_with("[%eval ") && without(comment, |name| name == "eval").is_empty()
    };
    variation.comments.is_empty()
        && variation.plies.iter().all(is_bare)
        && matches!(&first.comments[..], [only] if is_eval(only))
        && others.iter().all(|ply| ply.comments.is_empty())
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
        let own = "[Annotator \"cc2s 0.9\"]\n\n1. e4 $6 {[%eval 0.25] hm} {Dubious. d4 was best.} (1. c4 {mine}) \
            (1. d4 {[%eval 0.30]} 1... d5) 1... f5 $3 {c5 was best.} (1... c5 {[%eval 0.1]}) \
            2. exf5 $1 $7 $14 {The only move: the next best is worth -0.50.} *";
        assert_eq!(
            forgotten(own),
            "1. e4 {hm} (1. c4 {mine}) 1... f5 $3 2. exf5 $14 *"
        );
        for people in [
            "[Annotator \"me\"] 1. e4 $6 {Dubious. d4 was best.} (1. d4 d5) *",
            "1. e4 $6 {Dubious. d4 was best.} (1. d4 {[%eval 0.30] so} 1... d5) *",
            "1. e4 $6 {I think d4 was best.} (1. d4 {[%eval 0.30]} 1... d5) *",
            "1. e4 $1 $7 {The only move.} *",
        ] {
            assert_eq!(forgotten(people), people);
        }
    }
}
