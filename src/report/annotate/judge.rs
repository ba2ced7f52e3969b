//! Converts scores to glyphs by the loss of expected points, where a win is 1 and a draw 1/2.

use serde::{Deserialize, Serialize};

use super::finding::Finding;
use crate::chess::pgn::Game;
use crate::chess::{Move, MoveKind, Position};
use crate::engine::ChanceCurve;
use crate::game::Score;

/// Least loss of expected points for a dubious move (`?!`), a mistake (`?`) and a blunder (`??`). From an equal
/// position these are half a pawn, a pawn and two pawns.
const DUBIOUS_LOSS: f64 = 0.08;
const MISTAKE_LOSS: f64 = 0.16;
const BLUNDER_LOSS: f64 = 0.28;
/// Least loss of expected points by all other moves for an only move.
pub(super) const ONLY_LOSS: f64 = MISTAKE_LOSS;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Glyph {
    /// `!`: an only move that is neither a capture, a promotion nor an evasion of check.
    Good,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
    /// `?!`
    Dubious,
    /// A box: all other moves lose much. Not for recaptures and moves that end the game.
    Only,
}

impl Glyph {
    /// The number of the glyph in PGN (NAG).
    pub const fn number(self) -> u8 {
        match self {
            Self::Good => 1,
            Self::Mistake => 2,
            Self::Blunder => 4,
            Self::Dubious => 6,
            Self::Only => 7,
        }
    }

    pub const fn word(self) -> &'static str {
        match self {
            Self::Good => "Good move",
            Self::Mistake => "Mistake",
            Self::Blunder => "Blunder",
            Self::Dubious => "Dubious",
            Self::Only => "Only move",
        }
    }

    /// The glyphs for moves with a loss.
    pub const FAULTS: [Self; 3] = [Self::Blunder, Self::Mistake, Self::Dubious];

    pub const fn is_fault(self) -> bool {
        matches!(self, Self::Mistake | Self::Blunder | Self::Dubious)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct MoveVerdict {
    pub loss: f64,
    /// Empty for most moves.
    pub glyphs: Vec<Glyph>,
}

/// The expected points for a score: 1 for a win, 1/2 for a draw.
pub(super) fn expectation(score: Score) -> f64 {
    let [win, draw, _] = ChanceCurve::FITTED.chances(score);
    win + draw / 2.0
}

/// Judges each move of a game by the findings before and after it. A null move is not judged.
pub(super) fn judge(game: &Game, findings: &[Finding]) -> Vec<Option<MoveVerdict>> {
    let mut position = game.start.clone();
    let mut taken_on = None;
    let mut verdicts = Vec::new();
    for (ply, pair) in game.plies.iter().zip(findings.windows(2)) {
        let after = ply.after(&position);
        // If a draw is due after the move, only the score before the move takes it into account.
        let judged = ply.mv.filter(|_| !after.is_draw_due());
        verdicts.push(judged.map(|mv| verdict(&position, mv, pair, taken_on)));
        let capture = ply.mv.filter(|&mv| position.captured(mv).is_some());
        taken_on = capture.map(Move::destination);
        position = after;
    }
    verdicts
}

/// `taken_on` is the destination of the previous move if it was a capture.
fn verdict(
    position: &Position,
    mv: Move,
    pair: &[Finding],
    taken_on: Option<shakmaty::Square>,
) -> MoveVerdict {
    let (before, after) = (&pair[0], &pair[1]);
    let best = expectation(before.score);
    if before.line.first() != Some(&mv) {
        let loss = (best - (1.0 - expectation(after.score))).max(0.0);
        return MoveVerdict {
            loss,
            glyphs: fault(loss).into_iter().collect(),
        };
    }
    let is_only = before
        .second
        .is_some_and(|second| best - expectation(second) >= ONLY_LOSS && is_safe(before, second));
    let captures = position.captured(mv).is_some();
    let takes_back = captures && taken_on == Some(mv.destination());
    let goes_without_saying = takes_back || after.line.is_empty();
    let is_plain = captures || position.is_check() || matches!(mv.kind(), MoveKind::Promotion(_));
    let glyphs = match (is_only && !goes_without_saying, is_plain) {
        (false, _) => vec![],
        (true, true) => vec![Glyph::Only],
        (true, false) => vec![Glyph::Good, Glyph::Only],
    };
    MoveVerdict { loss: 0.0, glyphs }
}

/// Whether the best move is still better than the second if its score is reduced by the margin of two strategies.
fn is_safe(finding: &Finding, second: Score) -> bool {
    let sure = |margin_cp: u16| finding.score - margin_cp as i16 > second;
    finding.margin_cp.is_none_or(sure)
}

fn fault(loss: f64) -> Option<Glyph> {
    let grades = [
        (BLUNDER_LOSS, Glyph::Blunder),
        (MISTAKE_LOSS, Glyph::Mistake),
        (DUBIOUS_LOSS, Glyph::Dubious),
    ];
    let found = grades.into_iter().find(|&(least, _)| loss >= least);
    found.map(|(_, glyph)| glyph)
}

/// Returns a side's accuracy in percent, the mean over its moves of the formula of lichess.org for a single move.
/// `None` without moves.
pub(super) fn accuracy(losses: &[f64]) -> Option<f64> {
    if losses.is_empty() {
        return None;
    }
    let one = |loss: &f64| 103.1668 * (-4.354 * loss).exp() - 3.1669;
    let sum: f64 = losses.iter().map(|loss| one(loss).clamp(0.0, 100.0)).sum();
    Some(sum / losses.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::games;

    fn finding(score: i32, line: &[Move], second: Option<i32>) -> Finding {
        Finding {
            score: Score::centipawns(score),
            line: line.to_vec(),
            margin_cp: None,
            second: second.map(Score::centipawns),
        }
    }

    fn glyphs(
        text: &str,
        before: i32,
        after: i32,
        is_best: bool,
        second: Option<i32>,
    ) -> Vec<Glyph> {
        let game = games(text).next().unwrap().unwrap();
        let played = game.plies[0].mv.unwrap();
        let best = if is_best { vec![played] } else { vec![] };
        let findings = [
            finding(before, &best, second),
            finding(-after, &[played], None),
        ];
        let verdict = judge(&game, &findings).remove(0);
        verdict.map_or(vec![], |verdict| verdict.glyphs)
    }

    #[test]
    fn glyphs_go_by_the_points_lost() {
        for (before, after, glyph) in [
            (0, 0, None),
            (0, -30, None),
            (0, -50, Some(Glyph::Dubious)),
            (0, -110, Some(Glyph::Mistake)),
            (0, -250, Some(Glyph::Blunder)),
            (900, 700, None),
            (-50, 50, None),
        ] {
            let found = glyphs("1. a4 *", before, after, false, None);
            assert_eq!(found.first().copied(), glyph, "{before} {after}");
        }
    }

    #[test]
    fn an_only_move_is_better_than_all_others_by_much() {
        assert_eq!(glyphs("1. e4 *", 0, 0, true, Some(-20)), []);
        assert_eq!(
            glyphs("1. e4 *", 0, 0, true, Some(-200)),
            [Glyph::Good, Glyph::Only]
        );
        assert_eq!(glyphs("1. e4 *", 0, 0, true, None), []);
        let taken = "[FEN \"4k3/8/8/8/8/8/4r3/4K3 w - - 0 1\"]\n\n1. Kxe2 *";
        assert_eq!(glyphs(taken, 0, 0, true, Some(-500)), [Glyph::Only]);
    }

    /// A wide margin of two strategies does not show that the move is the only one.
    #[test]
    fn an_only_move_is_better_for_all_that_two_strategies_show() {
        let game = games("1. e4 *").next().unwrap().unwrap();
        let played = game.plies[0].mv.unwrap();
        for (margin_cp, expected) in [
            (None, vec![Glyph::Good, Glyph::Only]),
            (Some(100), vec![Glyph::Good, Glyph::Only]),
            (Some(200), vec![]),
        ] {
            let before = Finding {
                margin_cp,
                ..finding(0, &[played], Some(-150))
            };
            let verdicts = judge(&game, &[before, finding(0, &[played], None)]);
            assert_eq!(
                verdicts[0].as_ref().unwrap().glyphs,
                expected,
                "{margin_cp:?}"
            );
        }
    }

    #[test]
    fn a_null_move_is_not_judged() {
        let text = "[FEN \"4k3/8/8/3p4/4P3/2N5/8/4K3 w - - 0 1\"]\n\n1. exd5 -- 2. -- -- 3. Ne4 *";
        let game = games(text).next().unwrap().unwrap();
        let worth = [0, -500, 500, -500, 500, 0].map(|score| finding(score, &[], None));
        let verdicts = judge(&game, &worth);
        let glyphs = |at: usize| verdicts[at].as_ref().map(|each| each.glyphs.clone());
        let found: Vec<_> = (0..5).map(glyphs).collect();
        let blunder = Some(vec![Glyph::Blunder]);
        assert_eq!(found, [Some(vec![]), None, None, None, blunder]);
    }

    #[test]
    fn the_move_after_which_a_draw_is_due_is_not_judged() {
        for (count, glyph) in [
            (98, Some(Glyph::Blunder)),
            (99, None),
            (100, Some(Glyph::Blunder)),
            (149, None),
        ] {
            let fen = format!("4k3/8/8/8/8/8/4r3/4K2R w - - {count} 90");
            let text = format!("[FEN \"{fen}\"]\n\n1. Kf1 *");
            assert_eq!(glyphs(&text, 0, -900, false, None).first().copied(), glyph);
        }
    }

    #[test]
    fn who_loses_nothing_is_accurate() {
        let percent = |losses: &[f64]| accuracy(losses).unwrap();
        assert!((percent(&[0.0, 0.0]) - 100.0).abs() < 0.01);
        assert!(percent(&[0.0, 0.3]) < 70.0);
        assert_eq!(accuracy(&[]), None);
    }
}
