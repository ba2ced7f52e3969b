//! Analysis of every position of a game.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use super::finding::Finding;
use super::forget::forget;
use super::judge::{ONLY_LOSS, expectation, judge};
use super::remarks::remark;
use super::sheet::Sheet;
use crate::chess::Line;
use crate::chess::pgn::{Game, Ply, write};
use crate::engine::search::Search;
use crate::game::{Game as _, Score};
use crate::report::look::{Allowed, Look, look};

/// Share of a move's budget for the score of the second best move, in percent.
const SECOND_PERCENT: u64 = 20;

/// An annotated game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Annotated {
    /// The number of the game in the file, from 1.
    pub number: usize,
    /// The annotated game as PGN.
    pub pgn: String,
    pub(super) sheet: Sheet,
}

/// Annotates a game after a reset of the search. Returns `None` once `stop` is set. `advance` is called for each
/// position.
pub(super) fn annotate(
    search: &mut dyn Search,
    number: usize,
    game: &Game,
    allowed: Allowed,
    stop: &AtomicBool,
    advance: &(dyn Fn() + Sync),
) -> Option<Annotated> {
    let game = &forget(game);
    let findings = findings(search, game, allowed, stop, advance)?;
    let verdicts = judge(game, &findings);
    let sheet = Sheet::new(number, game, &findings, &verdicts);
    let pgn = write(&remark(game, &findings, &verdicts));
    Some(Annotated { number, pgn, sheet })
}

/// Returns one finding for each position, including the one after the last move.
fn findings(
    search: &mut dyn Search,
    game: &Game,
    allowed: Allowed,
    stop: &AtomicBool,
    advance: &(dyn Fn() + Sync),
) -> Option<Vec<Finding>> {
    search.new_game();
    let mut line = Line::new(game.start.clone());
    let mut findings = Vec::with_capacity(game.plies.len() + 1);
    let plies = game.plies.iter().map(Some).chain([None]);
    for ply in plies {
        findings.push(finding(search, &line, ply, allowed, stop));
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        advance();
        if let Some(ply) = ply {
            line.play_ply(ply.mv);
        }
    }
    Some(findings)
}

/// Analyses a position, where `ply` is the move played in it. A position with legal moves is not treated as the
/// end of the game if the game continued, or had continued after an unclaimed draw.
fn finding(
    search: &mut dyn Search,
    line: &Line,
    ply: Option<&Ply>,
    allowed: Allowed,
    stop: &AtomicBool,
) -> Finding {
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    let position = line.position();
    let is_past_claim = position.is_claimable() && !position.is_draw_due();
    let went_on = ply.is_some() || is_past_claim;
    let has_repeated = ply.is_none() && line.repetitions() >= 2;
    let end = position
        .end_score()
        .or_else(|| has_repeated.then_some(Score::DRAW));
    if let Some(score) = end.filter(|_| moves.is_empty() || !went_on) {
        return Finding {
            score,
            line: Vec::new(),
            margin_cp: None,
            second: None,
        };
    }
    let first = look(
        search,
        line,
        moves.clone(),
        allowed.percent(100 - SECOND_PERCENT),
        stop,
    );
    moves.retain(|&mv| mv != first.best);
    let is_best = ply.is_some_and(|ply| ply.mv == Some(first.best));
    let is_asked = is_best && !moves.is_empty() && is_worth_asking(&first);
    let second =
        is_asked.then(|| look(search, line, moves, allowed.percent(SECOND_PERCENT), stop).score);
    Finding {
        score: first.score,
        line: first.line,
        margin_cp: first.margin_cp,
        second,
    }
}

/// In a lost position no move is marked as the only one.
fn is_worth_asking(look: &Look) -> bool {
    expectation(look.score) > ONLY_LOSS
}
