//! Puts the remarks into a game: commands and glyphs that other programs know, and the better line as a variation.

use shakmaty::Position as _;

use super::finding::Finding;
use super::judge::{Glyph, Verdict};
use crate::chess::notation::san;
use crate::chess::pgn::{Game, Ply, Variation};
use crate::chess::{Move, Position};
use crate::game::Score;
use crate::report::words::{of_white, plain_pawns};

/// Moves shown of a better line, at most.
const LINE_MAX: usize = 8;
/// Glyphs for a move, as against those for a position.
pub(super) const MOVE_GLYPHS: std::ops::RangeInclusive<u8> = 1..=9;
/// What stands before the version in the name of the annotator.
const ANNOTATOR: &str = "cc2s ";
/// What stands before and behind the value of the second best move where there is an only one.
const ONLY_MOVE: [&str; 2] = ["The only move: the next best is worth ", "."];

/// Whether an annotator is cc2s, of any version.
pub(super) fn is_annotator(name: &str) -> bool {
    name.starts_with(ANNOTATOR)
}

/// The game with remarks, `game` being one that holds none of an earlier run. What stands in it stays: its own glyphs have
/// precedence.
pub(super) fn remark(game: &Game, findings: &[Finding], verdicts: &[Verdict]) -> Game {
    let mut game = game.clone();
    if game.tag("Annotator").is_none() {
        let name = format!("{ANNOTATOR}{}", env!("CARGO_PKG_VERSION"));
        game.tags.push(("Annotator".to_owned(), name));
    }
    let mut position = game.start.clone();
    for (at, ply) in game.plies.iter_mut().enumerate() {
        let (Some(mv), Some(verdict)) = (ply.mv, verdicts.get(at)) else {
            continue;
        };
        let after = position.after(mv);
        let said = said(ply, &position, &findings[at], verdict);
        evaluate(ply, &after, findings[at + 1].score);
        say(ply, said, &position, &findings[at]);
        position = after;
    }
    game
}

/// Puts the evaluation before what is said of the move in the game itself. A mate on the board needs none.
fn evaluate(ply: &mut Ply, after: &Position, score: Score) {
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

/// What is said of a move.
pub(super) struct Said {
    /// Numbers of glyphs; none where the game has one of its own.
    pub glyphs: Vec<u8>,
    /// A sentence, which tells a later run that these glyphs and this line are not of the game itself.
    pub words: Option<String>,
    /// What was better.
    pub line: Vec<Move>,
}

/// What is said of a move that was played in `before`. Where the game grades it, nothing else does.
pub(super) fn said(ply: &Ply, before: &Position, finding: &Finding, verdict: &Verdict) -> Said {
    let is_graded = ply.glyphs.iter().any(|glyph| MOVE_GLYPHS.contains(glyph));
    let mut said = Said {
        glyphs: Vec::new(),
        words: None,
        line: Vec::new(),
    };
    if !is_graded {
        let glyphs = verdict.glyphs.iter();
        said.glyphs.extend(glyphs.map(|glyph| glyph.number()));
    }
    let fault = verdict.glyphs.iter().find(|glyph| glyph.is_fault());
    match (fault, finding.line.first(), finding.second) {
        (Some(&fault), Some(&best), _) => {
            let grade = Some(fault).filter(|_| !is_graded);
            said.words = Some(was_best(grade, before, best));
            said.line
                .extend(finding.line.iter().take(LINE_MAX).copied());
        }
        (None, _, Some(second)) if verdict.glyphs.contains(&Glyph::Only) && !is_graded => {
            let value = plain_pawns(of_white(second, before.chess().turn()));
            said.words = Some(ONLY_MOVE.join(&value));
        }
        _ => {}
    }
    said
}

/// What is said of a fault: `Mistake. Nf3 was best.`, without its first word where the game grades the move.
pub(super) fn was_best(grade: Option<Glyph>, before: &Position, best: Move) -> String {
    let grade = grade.map(|fault| format!("{}. ", fault.word()));
    format!(
        "{}{} was best.",
        grade.unwrap_or_default(),
        san(before, best)
    )
}

/// Whether that is what is said of an only move.
pub(super) fn is_only_move(comment: &str) -> bool {
    let [before, behind] = ONLY_MOVE;
    let value = comment.strip_prefix(before);
    let value = value.and_then(|value| value.strip_suffix(behind));
    value.is_some_and(|value| !value.is_empty() && !value.contains(char::is_whitespace))
}

fn say(ply: &mut Ply, said: Said, before: &Position, finding: &Finding) {
    ply.glyphs.extend(said.glyphs);
    ply.comments.extend(said.words);
    let mut plies: Vec<Ply> = said.line.into_iter().map(plain).collect();
    if let Some(first) = plies.first_mut() {
        let value = of_white(finding.score, before.chess().turn());
        first
            .comments
            .push(format!("[%eval {}]", plain_pawns(value)));
        ply.variations.push(Variation {
            comments: Vec::new(),
            plies,
        });
    }
}

fn plain(mv: Move) -> Ply {
    Ply {
        mv: Some(mv),
        glyphs: Vec::new(),
        comments: Vec::new(),
        variations: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::forget::forget;
    use super::*;
    use crate::chess::pgn::{games, write};

    #[test]
    fn remarks_stand_beside_what_stood_there() {
        let text = "1. e4 {[%eval 0.5] [%clk 0:01:00] best by test} f5 $3 {hm} (1... e5 {solid}) 2. exf5 *";
        let game = games(text).next().unwrap().unwrap();
        let e5 = game.plies[1].variations[0].plies[0].mv.unwrap();
        let finding = |score: i32, line: &[Move]| Finding {
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
        let mut findings = findings;
        findings[2].second = Some(Score::centipawns(-150));
        let verdicts = [
            verdict(&[]),
            verdict(&[Glyph::Mistake]),
            verdict(&[Glyph::Good, Glyph::Only]),
        ];
        let again = |text: &str| {
            let game = games(text).next().unwrap().unwrap();
            write(&remark(&forget(&game), &findings, &verdicts))
        };
        let written = again(text);
        let words = written.split_whitespace().collect::<Vec<_>>().join(" ");
        let expected = "1. e4 {[%eval 0.25] [%clk 0:01:00] best by test} 1... f5 $3 {[%eval 1.20] hm} \
            {e5 was best.} (1... e5 {solid}) (1... e5 {[%eval 0.25]}) 2. exf5 $1 $7 {[%eval 1.10]} \
            {The only move: the next best is worth -1.50.} *";
        assert!(words.ends_with(expected), "{words}");
        assert!(words.starts_with("[Annotator \"cc2s "));
        assert_eq!(again(&written), written);
        let other = text.replace("$3", "");
        let graded = again(&other);
        assert!(graded.contains("Mistake.") && graded.contains("$2"));
        assert_eq!(again(&graded), graded);
    }
}
