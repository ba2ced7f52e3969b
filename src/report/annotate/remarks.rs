//! Puts the remarks into a game: commands and glyphs that other programs know, and the better line as a variation.

use shakmaty::Position as _;

use super::finding::Finding;
use super::judge::{Glyph, Verdict};
use crate::chess::Position;
use crate::chess::notation::san;
use crate::chess::pgn::{Game, Ply, Variation};
use crate::game::Score;
use crate::report::words::{of_white, plain_pawns};

/// Moves shown of a better line, at most.
const LINE_MAX: usize = 8;
/// Glyphs for a move, as against those for a position.
const MOVE_GLYPHS: std::ops::RangeInclusive<u8> = 1..=9;

/// The game with remarks. What stood in it stays: its own glyphs have precedence, only earlier evaluations (`[%eval ...]`)
/// make room.
pub(super) fn remark(game: &Game, findings: &[Finding], verdicts: &[Verdict]) -> Game {
    let mut game = game.clone();
    if game.tag("Annotator").is_none() {
        let name = concat!("cc2s ", env!("CARGO_PKG_VERSION"));
        game.tags.push(("Annotator".to_owned(), name.to_owned()));
    }
    let mut position = game.start.clone();
    for (at, ply) in game.plies.iter_mut().enumerate() {
        let (Some(mv), Some(verdict)) = (ply.mv, verdicts.get(at)) else {
            continue;
        };
        let after = position.after(mv);
        evaluate(ply, &after, findings[at + 1].score);
        judge(ply, &position, &findings[at], verdict);
        position = after;
    }
    game
}

/// Puts the evaluation before what is said of the move. A mate on the board needs none.
fn evaluate(ply: &mut Ply, after: &Position, score: Score) {
    for comment in &mut ply.comments {
        *comment = without_eval(comment);
    }
    ply.comments.retain(|comment| !comment.is_empty());
    if score == Score::MATED {
        return;
    }
    let score = of_white(score, after.chess().turn());
    let command = format!("[%eval {}]", plain_pawns(score));
    match ply.comments.first_mut() {
        Some(first) => *first = format!("{command} {first}"),
        None => ply.comments.push(command),
    }
}

/// The comment without evaluations of an earlier run.
fn without_eval(comment: &str) -> String {
    let mut kept = String::new();
    let mut rest = comment;
    while let Some((before, after)) = rest.split_once("[%eval") {
        kept.push_str(before);
        rest = after
            .split_once(']')
            .map_or("", |(_, after)| after.trim_start());
    }
    kept.push_str(rest);
    kept.trim().to_owned()
}

fn judge(ply: &mut Ply, before: &Position, finding: &Finding, verdict: &Verdict) {
    if !ply.glyphs.iter().any(|glyph| MOVE_GLYPHS.contains(glyph)) {
        ply.glyphs
            .extend(verdict.glyphs.iter().map(|glyph| glyph.number()));
    }
    let Some(fault) = verdict.glyphs.iter().find(|glyph| glyph.is_fault()) else {
        return;
    };
    let Some(&best) = finding.line.first() else {
        return;
    };
    ply.comments.push(words(*fault, before, best));
    let mut plies: Vec<Ply> = finding
        .line
        .iter()
        .take(LINE_MAX)
        .map(|&mv| plain(mv))
        .collect();
    let value = of_white(finding.score, before.chess().turn());
    plies[0]
        .comments
        .push(format!("[%eval {}]", plain_pawns(value)));
    ply.variations.push(Variation {
        comments: Vec::new(),
        plies,
    });
}

/// What is said of a fault: `Mistake. Nf3 was best.`
pub(super) fn words(fault: Glyph, before: &Position, best: crate::chess::Move) -> String {
    format!("{}. {} was best.", fault.word(), san(before, best))
}

fn plain(mv: crate::chess::Move) -> Ply {
    Ply {
        mv: Some(mv),
        glyphs: Vec::new(),
        comments: Vec::new(),
        variations: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::{games, write};

    #[test]
    fn remarks_stand_beside_what_stood_there() {
        let text = "1. e4 {[%eval 0.5] [%clk 0:01:00] best by test} f5 $3 {hm} (1... e5 {solid}) 2. exf5 *";
        let game = games(text).next().unwrap().unwrap();
        let e5 = game.plies[1].variations[0].plies[0].mv.unwrap();
        let finding = |score: i32, line: &[crate::chess::Move]| Finding {
            score: Score::centipawns(score),
            line: line.to_vec(),
            second: None,
        };
        let findings = [
            finding(30, &[]),
            finding(-25, &[e5]),
            finding(120, &[]),
            finding(-110, &[]),
        ];
        let verdict = |glyphs: &[Glyph]| Verdict {
            loss: 0.0,
            glyphs: glyphs.to_vec(),
        };
        let verdicts = [
            verdict(&[]),
            verdict(&[Glyph::Mistake]),
            verdict(&[Glyph::Good, Glyph::Only]),
        ];
        let written = write(&remark(&game, &findings, &verdicts));
        let words = written.split_whitespace().collect::<Vec<_>>().join(" ");
        let expected = "1. e4 {[%eval 0.25] [%clk 0:01:00] best by test} 1... f5 $3 {[%eval 1.20] hm} \
            {Mistake. e5 was best.} (1... e5 {solid}) (1... e5 {[%eval 0.25]}) 2. exf5 $1 $7 {[%eval 1.10]} *";
        assert!(words.ends_with(expected), "{words}");
        assert!(words.starts_with("[Annotator \"cc2s "));
        assert_eq!(write(&remark(&game, &findings, &verdicts)), written);
    }
}
