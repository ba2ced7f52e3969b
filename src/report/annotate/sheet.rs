//! The content of a game on the page.

use serde::{Deserialize, Serialize};
use shakmaty::{Color, Position as _};

use super::comment;
use super::finding::Finding;
use super::judge::{Glyph, MoveVerdict, accuracy, expectation};
use super::remarks::{Said, said};
use super::told;
use crate::chess::pgn::{Game, Outcome, Ply};
use crate::chess::{Move, Position};
use crate::game::Score;
use crate::report::board::{Diagram, svg};
use crate::report::plot::{Axis, SvgCurve, curve};
use crate::report::words::{of_white, pawns, variation};

/// Maximum number of additional boards.
const MOMENTS_MAX: usize = 6;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Sheet {
    pub number: usize,
    pub white: String,
    pub black: String,
    pub result: String,
    /// Event, site and date, if known.
    pub facts: String,
    /// Comments before the first move.
    pub comments: Vec<String>,
    pub start: Diagram,
    pub start_board: String,
    pub moves: Vec<MoveRow>,
    pub sides: [SideReport; 2],
    /// The moves with the greatest losses, in the order of the game.
    pub moments: Vec<CostlyMove>,
    /// White's expected points, 0 at the bottom.
    pub chances: SvgCurve,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SideReport {
    pub name: String,
    /// In percent; a dash without moves.
    pub accuracy: String,
    /// The glyphs that occur, with their numbers.
    pub glyphs: Vec<(String, usize)>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct MoveRow {
    /// The move number with dots; empty for Black's reply.
    pub number: String,
    pub san: String,
    /// The glyphs of the game, plus that of the verdict if the game does not grade the move.
    pub glyphs: String,
    /// `bad`, `good` or empty.
    pub class: String,
    /// From White's view.
    pub eval: String,
    pub clock: Option<String>,
    /// The sentence and the better line.
    pub remark: String,
    /// The game's own comments, followed by its variations.
    pub comments: Vec<String>,
    pub diagram: Diagram,
    /// The coordinates of the move in the curve.
    pub point: (f64, f64),
}

/// A move with a great loss, and the board before it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct CostlyMove {
    pub ply: usize,
    pub caption: String,
    pub board: String,
}

impl Sheet {
    pub fn new(
        number: usize,
        game: &Game,
        findings: &[Finding],
        verdicts: &[Option<MoveVerdict>],
    ) -> Self {
        let name = |tag: &str, default: &str| {
            let known = game
                .tag(tag)
                .filter(|value| !value.is_empty() && *value != "?");
            known.unwrap_or(default).to_owned()
        };
        let facts = ["Event", "Site", "Date"].map(|tag| name(tag, ""));
        let facts: Vec<String> = facts
            .into_iter()
            .filter(|fact| !fact.is_empty() && fact != "????.??.??")
            .collect();
        let names = [name("White", "White"), name("Black", "Black")];
        let starts = game.start.chess().turn();
        let sides = [Color::White, Color::Black].map(|color| {
            let own = verdicts
                .iter()
                .skip(usize::from(color != starts))
                .step_by(2);
            SideReport::new(&names[usize::from(color.is_black())], own.flatten())
        });
        let places = Places::new(game, findings);
        let [white, black] = names;
        Self {
            number,
            white,
            black,
            result: result(game),
            facts: facts.join(", "),
            comments: comment::words(&game.comments),
            start: Diagram::of(&game.start),
            start_board: svg(&game.start, Color::White, None),
            moves: entries(game, findings, verdicts, &places),
            moments: moments(game, findings, verdicts),
            chances: places.curve(),
            sides,
        }
    }
}

impl SideReport {
    fn new<'a>(name: &str, verdicts: impl Iterator<Item = &'a MoveVerdict>) -> Self {
        let verdicts: Vec<&MoveVerdict> = verdicts.collect();
        let losses: Vec<f64> = verdicts.iter().map(|verdict| verdict.loss).collect();
        let all = [
            Glyph::Blunder,
            Glyph::Mistake,
            Glyph::Dubious,
            Glyph::Only,
            Glyph::Good,
        ];
        let count = |glyph| {
            verdicts
                .iter()
                .filter(|verdict| verdict.glyphs.contains(&glyph))
                .count()
        };
        let counted = all.map(|glyph| (told::signs(&[glyph.number()]), count(glyph)));
        Self {
            name: name.to_owned(),
            accuracy: accuracy(&losses)
                .map_or("–".to_owned(), |percent| format!("{percent:.1} %")),
            glyphs: counted
                .into_iter()
                .filter(|(_, count)| *count > 0)
                .collect(),
        }
    }
}

fn result(game: &Game) -> String {
    let tag = game.tag("Result").unwrap_or("*");
    match game.outcome {
        Outcome::White => "1-0",
        Outcome::Black => "0-1",
        Outcome::Draw => "1/2-1/2",
        Outcome::Unknown => tag,
    }
    .to_owned()
}

/// The coordinates of the positions in the curve of expected points.
struct Places {
    chances: Vec<(f64, f64)>,
    x: Axis,
    y: Axis,
}

impl Places {
    fn new(game: &Game, findings: &[Finding]) -> Self {
        let mut turn = game.start.chess().turn();
        let mut chances = Vec::new();
        for (at, finding) in (0_u32..).zip(findings) {
            let white = of_white(finding.score, turn);
            chances.push((f64::from(at), expectation(white)));
            turn = !turn;
        }
        let last = chances.len().saturating_sub(1) as f64;
        Self {
            chances,
            x: Axis::across(0.0, last),
            y: Axis::up(0.0, 1.0),
        }
    }

    fn curve(&self) -> SvgCurve {
        curve("White's chances", &self.chances, self.x, self.y)
    }

    fn point(&self, at: usize) -> (f64, f64) {
        let (right, high) = self.chances[at];
        (self.x.place(right), self.y.place(high))
    }
}

/// The moves of the game, each with its index and the position before it.
fn walk(game: &Game) -> impl Iterator<Item = (usize, &Ply, Position)> {
    let mut position = game.start.clone();
    game.plies.iter().enumerate().map(move |(at, ply)| {
        let after = ply.after(&position);
        (at, ply, std::mem::replace(&mut position, after))
    })
}

fn entries(
    game: &Game,
    findings: &[Finding],
    verdicts: &[Option<MoveVerdict>],
    places: &Places,
) -> Vec<MoveRow> {
    let entry = |(at, ply, before): (usize, &Ply, Position)| {
        let chess = before.chess();
        let number = match chess.turn() {
            Color::White => format!("{}.", chess.fullmoves()),
            Color::Black if at == 0 => format!("{}...", chess.fullmoves()),
            Color::Black => String::new(),
        };
        let said = said(ply, &before, &findings[at], verdicts[at].as_ref());
        let glyphs: Vec<u8> = ply.glyphs.iter().chain(&said.glyphs).copied().collect();
        let variations = ply.variations.iter();
        let mut comments = comment::words(&ply.comments);
        comments.extend(variations.map(|variation| told::variation(&before, variation)));
        MoveRow {
            number,
            san: ply.san(&before),
            glyphs: told::signs(&glyphs),
            class: class(&glyphs).to_owned(),
            eval: eval(findings[at + 1].score, !chess.turn()),
            clock: comment::clock(&ply.comments),
            remark: remark(&said, &before, &findings[at]),
            comments,
            diagram: ply
                .mv
                .map_or_else(|| Diagram::of(&before), |mv| Diagram::after(&before, mv)),
            point: places.point(at + 1),
        }
    };
    walk(game).map(entry).collect()
}

fn eval(score: Score, view: Color) -> String {
    if score == Score::MATED {
        return "mate".to_owned();
    }
    pawns(of_white(score, view))
}

/// The CSS class of a move with these glyphs.
fn class(glyphs: &[u8]) -> &'static str {
    let class = glyphs.iter().find_map(|glyph| match glyph {
        1 | 3 | 7 | 8 => Some("good"),
        2 | 4 | 6 => Some("bad"),
        _ => None,
    });
    class.unwrap_or_default()
}

/// The sentence, and the better line with its score.
fn remark(said: &Said, before: &Position, finding: &Finding) -> String {
    let words = said.words.as_deref().unwrap_or_default();
    if said.line.is_empty() {
        return words.to_owned();
    }
    let value = eval(finding.score, before.chess().turn());
    format!("{words} {} ({value})", variation(before, &said.line))
}

fn moments(game: &Game, findings: &[Finding], verdicts: &[Option<MoveVerdict>]) -> Vec<CostlyMove> {
    let mut faults: Vec<_> = walk(game)
        .filter_map(|(at, ply, before)| {
            let verdict = verdicts[at].as_ref()?;
            let is_fault = verdict.glyphs.iter().any(|glyph| glyph.is_fault());
            is_fault.then_some((at, ply, ply.mv?, before, verdict))
        })
        .collect();
    faults.sort_by(|one, other| other.4.loss.total_cmp(&one.4.loss));
    faults.truncate(MOMENTS_MAX);
    faults.sort_by_key(|&(at, ..)| at);
    let moment = |(at, ply, mv, before, verdict): (usize, &Ply, Move, Position, &MoveVerdict)| {
        let glyphs = verdict.glyphs.iter().map(|glyph| glyph.number());
        let signs = told::signs(&glyphs.collect::<Vec<_>>());
        let played = variation(&before, &[mv]);
        let said = said(ply, &before, &findings[at], Some(verdict));
        let remark = remark(&said, &before, &findings[at]);
        CostlyMove {
            ply: at + 1,
            caption: format!("{played}{signs} {remark}"),
            board: svg(&before, before.chess().turn(), Some(mv)),
        }
    };
    faults.into_iter().map(moment).collect()
}
