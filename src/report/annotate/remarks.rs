//! Adds annotations to a game: standard commands and glyphs, and better lines as variations.

use shakmaty::Position as _;

use super::comment;
use super::finding::Finding;
use super::judge::{Glyph, MoveVerdict};
use crate::chess::notation::san;
use crate::chess::pgn::{Game, Ply, Variation};
use crate::chess::{Move, Position};
use crate::game::Score;
use crate::report::words::{of_white, plain_pawns};

/// Maximum length of a better line, in plies.
const LINE_MAX: usize = 8;
/// The range of glyphs that grade a move; others grade a position.
const MOVE_GLYPHS: std::ops::RangeInclusive<u8> = 1..=9;
/// The annotator's name up to the version.
const ANNOTATOR: &str = "cc2s ";
/// Prefix of each sentence, which identifies it in a later run.
const SIGNATURE: &str = "cc2s: ";
/// The text before and after the score of the second best move, for an only move.
const ONLY_MOVE: [&str; 2] = ["The only move: the next best is worth ", "."];

/// Whether an annotator is any version of cc2s.
pub(super) fn is_annotator(name: &str) -> bool {
    let version = name.strip_prefix(ANNOTATOR).unwrap_or_default();
    version.starts_with(|c: char| c.is_ascii_digit()) && !version.contains(char::is_whitespace)
}

/// Returns the annotated game. `game` has no annotations of an earlier run. Its own annotations are kept, and its
/// own glyphs take precedence.
pub(super) fn remark(game: &Game, findings: &[Finding], verdicts: &[Option<MoveVerdict>]) -> Game {
    let mut game = game.clone();
    if game.tag("Annotator").is_none() {
        let name = format!("{ANNOTATOR}{}", env!("CARGO_PKG_VERSION"));
        game.tags.push(("Annotator".to_owned(), name));
    }
    let mut position = game.start.clone();
    for (at, (ply, verdict)) in game.plies.iter_mut().zip(verdicts).enumerate() {
        let after = ply.after(&position);
        let said = said(ply, &position, &findings[at], verdict.as_ref());
        evaluate(ply, &after, findings[at + 1].score);
        say(ply, said, &position, &findings[at]);
        position = after;
    }
    game
}

/// Inserts the evaluation before the game's own comment. Checkmate gets none.
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

#[derive(Default)]
pub(super) struct Said {
    /// The glyphs as numbers; none if the game already grades the move.
    pub glyphs: Vec<u8>,
    pub words: Option<String>,
    pub line: Vec<Move>,
}

/// Returns the annotation of a move played in `before`. If the game already grades the move, no glyphs are added.
pub(super) fn said(
    ply: &Ply,
    before: &Position,
    finding: &Finding,
    verdict: Option<&MoveVerdict>,
) -> Said {
    let mut said = Said::default();
    let Some(verdict) = verdict else { return said };
    let is_graded = ply.glyphs.iter().any(|glyph| MOVE_GLYPHS.contains(glyph));
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

/// The sentence for a fault: `Mistake. Nf3 was best.`, without its first word if the game already grades the move.
fn was_best(grade: Option<Glyph>, before: &Position, best: Move) -> String {
    let grade = grade.map(|fault| format!("{}. ", fault.word()));
    format!(
        "{}{} was best.",
        grade.unwrap_or_default(),
        san(before, best)
    )
}

/// The glyphs that belong to a comment, if it is the sentence of a run for an only move.
pub(super) fn glyphs_of_comment(comment: &str) -> Option<&'static [Glyph]> {
    let [before, behind] = ONLY_MOVE;
    let value = comment.strip_prefix(SIGNATURE)?.strip_prefix(before);
    let value = value.and_then(|value| value.strip_suffix(behind));
    let is_value = |value: &str| !value.is_empty() && !value.contains(char::is_whitespace);
    value
        .is_some_and(is_value)
        .then_some(&[Glyph::Good, Glyph::Only])
}

/// The glyphs that belong to a variation, if it is the unmodified better line of a run.
pub(super) fn glyphs_of_line(line: &Variation, before: &Position) -> Option<Vec<Glyph>> {
    let is_bare = |ply: &Ply| {
        let is_said = !comment::words(&ply.comments).is_empty();
        ply.glyphs.is_empty() && ply.variations.is_empty() && !is_said
    };
    let [sentence] = &line.comments[..] else {
        return None;
    };
    let words = sentence.strip_prefix(SIGNATURE)?;
    let best = line.plies.first()?.mv?;
    let mut grades = Glyph::FAULTS.into_iter().map(Some).chain([None]);
    let grade = grades.find(|&grade| words == was_best(grade, before, best))?;
    let is_own = line.plies.iter().all(is_bare);
    is_own.then(|| grade.into_iter().collect())
}

/// The sentence for a fault precedes the better line.
fn say(ply: &mut Ply, said: Said, before: &Position, finding: &Finding) {
    ply.glyphs.extend(said.glyphs);
    let sentence = said.words.map(|words| format!("{SIGNATURE}{words}"));
    let line = said.line.into_iter().map(|mv| Ply::bare(Some(mv)));
    let mut plies: Vec<Ply> = line.collect();
    let Some(first) = plies.first_mut() else {
        ply.comments.extend(sentence);
        return;
    };
    let value = plain_pawns(of_white(finding.score, before.chess().turn()));
    first.comments.push(format!("[%eval {value}]"));
    ply.variations.push(Variation {
        comments: sentence.into_iter().collect(),
        plies,
    });
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
            margin_cp: None,
            second: None,
        };
        let findings = [
            finding(30, &[]),
            finding(-25, &[e5]),
            finding(120, &[]),
            finding(-110, &[]),
        ];
        let verdict = |glyphs: &[Glyph]| {
            Some(MoveVerdict {
                loss: 0.0,
                glyphs: glyphs.to_vec(),
            })
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
            (1... e5 {solid}) ({cc2s: e5 was best.} 1... e5 {[%eval 0.25]}) 2. exf5 $1 $7 {[%eval 1.10]} \
            {cc2s: The only move: the next best is worth -1.50.} *";
        assert!(words.ends_with(expected), "{words}");
        assert!(words.starts_with("[Annotator \"cc2s "));
        assert_eq!(again(&written), written);
        let other = text.replace("$3", "");
        let graded = again(&other);
        assert!(graded.contains("Mistake.") && graded.contains("$2"));
        assert_eq!(again(&graded), graded);
    }
}
