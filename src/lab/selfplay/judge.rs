//! Adjudication of self-play games.

use crate::chess::Position;
use crate::game::{Score, Tablebase};

/// A game is won after [`WON_PLIES`] consecutive plies with at least this score for one side, in centipawns.
const WON_CP: i32 = 1_200;
const WON_PLIES: u32 = 6;
/// A game is drawn after [`DRAWN_PLIES`] consecutive plies with at most this absolute score, in centipawns.
const DRAWN_CP: i32 = 8;
const DRAWN_PLIES: u32 = 12;
/// No game is adjudicated as a draw by score before this ply.
const DRAWN_FROM_PLY: usize = 80;
/// Maximum length of a game, which is then a draw.
pub(super) const PLIES_MAX: usize = 320;

/// Adjudicates one game. Scores are counted by plies, so both sides must agree.
#[derive(Default)]
pub(super) struct Judge {
    /// Consecutive plies with a winning score for White; negative for Black.
    won: i32,
    /// Consecutive plies with a drawn score.
    drawn: u32,
}

impl Judge {
    /// Returns White's half points according to the tablebase, if it has the position.
    pub(super) fn known(position: &Position, tablebase: &dyn Tablebase<Position>) -> Option<u8> {
        let own = tablebase.score(position, u16::MAX)?;
        let turn = shakmaty::Position::turn(position.chess());
        Some(half_points(
            turn.fold_wb(i32::from(own.raw()), -i32::from(own.raw())),
        ))
    }

    /// Returns White's half points if the score (White's view) at this ply decides the game.
    pub(super) fn hears(&mut self, score: i32, ply: usize) -> Option<u8> {
        let side = if score.abs() < WON_CP {
            0
        } else {
            score.signum()
        };
        self.won = if side == self.won.signum() {
            self.won + side
        } else {
            side
        };
        self.drawn = if score.abs() > DRAWN_CP {
            0
        } else {
            self.drawn + 1
        };
        if self.won.unsigned_abs() >= WON_PLIES {
            return Some(half_points(score));
        }
        let is_drawn = self.drawn >= DRAWN_PLIES && ply >= DRAWN_FROM_PLY;
        (is_drawn || ply >= PLIES_MAX).then(|| half_points(i32::from(Score::DRAW.raw())))
    }
}

/// White's half points for a final score.
pub(super) fn half_points(score: i32) -> u8 {
    match score {
        0 => 1,
        1.. => 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_must_last_and_both_must_see_it() {
        let mut judge = Judge::default();
        for ply in 0..5 {
            assert_eq!(judge.hears(-1_300, ply), None);
        }
        assert_eq!(judge.hears(1_300, 5), None, "the other side");
        for ply in 6..10 {
            assert_eq!(judge.hears(1_300, ply), None);
        }
        assert_eq!(judge.hears(1_300, 10), Some(2));
        let mut judge = Judge::default();
        let heard: Vec<_> = (0..6).map(|ply| judge.hears(-31_000, ply)).collect();
        assert_eq!(heard[4..], [None, Some(0)]);
    }

    #[test]
    fn draws_come_late() {
        let mut judge = Judge::default();
        let first = (0..200).find_map(|ply| judge.hears(-3, ply).map(|points| (ply, points)));
        assert_eq!(first, Some((80, 1)));
        let mut judge = Judge::default();
        let first = (0..400).find_map(|ply| judge.hears(50, ply).map(|points| (ply, points)));
        assert_eq!(first, Some((320, 1)));
    }
}
