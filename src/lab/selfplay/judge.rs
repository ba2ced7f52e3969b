//! Ends games whose result is known.

use crate::chess::Position;
use crate::game::{Score, Tablebase};

/// A game is won when the score has been so high for one side...
const WON_CP: i32 = 1_200;
/// ... for so many plies.
const WON_PLIES: u32 = 6;
/// A game is drawn when the score has been so low...
const DRAWN_CP: i32 = 8;
/// ... for so many plies...
const DRAWN_PLIES: u32 = 12;
/// ... and not before the game has so many.
const DRAWN_FROM_PLY: usize = 80;
/// A game is drawn after so many plies.
const PLIES_MAX: usize = 320;

/// Follows one game. Both sides think alike, so a verdict needs the word of either.
#[derive(Default)]
pub(super) struct Judge {
    /// Plies in a row with a score for White that wins; negative for Black.
    won: i32,
    /// Plies in a row with a score that draws.
    drawn: u32,
}

impl Judge {
    /// Half points of White by the truth about endings, if it knows the position.
    pub(super) fn known(position: &Position, tablebase: &dyn Tablebase<Position>) -> Option<u8> {
        let own = tablebase.score(position, u16::MAX)?;
        let turn = shakmaty::Position::turn(position.chess());
        Some(half_points(
            turn.fold_wb(i32::from(own.raw()), -i32::from(own.raw())),
        ))
    }

    /// Half points of White, if a score of the search in White's view at this ply of the game settles it.
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

/// Half points of White who has this score in the end.
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
