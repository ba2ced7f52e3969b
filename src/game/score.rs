//! Scores: centipawns, mate distances, tablebase results, all in one ordered number.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A number of centipawns, or a distance to mate, seen by the side to move at the node it belongs to.
///
/// ```text
/// -32000 ........ -30001 | -30000 .. -28001 | -28000 ... 28000 | 28001 .. 30000 | 30001 ........ 32000
/// mated in 0 plies ..    | tablebase loss   |   centipawns     | tablebase win  |  .. mate in 0 plies
/// ```
///
/// Distances count from the node itself, so a stored score stays valid when the root moves. So [`Score::to_parent`] and
/// [`Score::to_successor`] change the point of view and add or remove one ply. Plain negation stays at the same node.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize,
)]
pub struct Score(i16);

impl Score {
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// Greater than or equal to every score.
    pub const MAX: Self = Self(32_000);
    /// Less than or equal to every score.
    pub const MIN: Self = Self(-32_000);
    /// The side to move is mated: the game is over and lost.
    pub const MATED: Self = Self::MIN;
    /// Greatest number of centipawns; anything beyond is decisive.
    pub const CENTIPAWNS_MAX: Self = Self(28_000);
    /// Longest distance a decisive score can express, in plies.
    pub const PLIES_MAX: u16 = 1_999;
    const MATE_MIN: i16 = 30_001;

    /// A score of `value` centipawns, clamped to ±[`Score::CENTIPAWNS_MAX`].
    pub const fn centipawns(value: i32) -> Self {
        let max = Self::CENTIPAWNS_MAX.0 as i32;
        Self(if value > max {
            max as i16
        } else if value < -max {
            -max as i16
        } else {
            value as i16
        })
    }

    /// The raw number, as drawn above.
    pub const fn raw(self) -> i16 {
        self.0
    }

    /// The score with that raw number, clamped to the range drawn above.
    pub const fn from_raw(raw: i32) -> Self {
        if raw > Self::MAX.0 as i32 {
            Self::MAX
        } else if raw < Self::MIN.0 as i32 {
            Self::MIN
        } else {
            Self(raw as i16)
        }
    }

    /// The side to move mates in `plies` plies (an odd number in chess).
    pub const fn mate_in(plies: u16) -> Self {
        assert!(plies <= Self::PLIES_MAX);
        Self(Self::MAX.0 - plies as i16)
    }

    /// The side to move is mated in `plies` plies.
    pub const fn mated_in(plies: u16) -> Self {
        Self(-Self::mate_in(plies).0)
    }

    /// A tablebase win whose distance to mate is unknown, `plies` plies away from the table's position.
    pub const fn tablebase_win_in(plies: u16) -> Self {
        assert!(plies <= Self::PLIES_MAX);
        Self(30_000 - plies as i16)
    }

    /// Plies to the mate this score announces, negative if the side to move is mated; `None` for other scores.
    /// Mated on the board is `Some(0)`.
    pub const fn mate_distance(self) -> Option<i32> {
        if self.0 >= Self::MATE_MIN {
            Some((Self::MAX.0 - self.0) as i32)
        } else if self.0 <= -Self::MATE_MIN {
            Some(-((Self::MAX.0 + self.0) as i32))
        } else {
            None
        }
    }

    /// Whether the side to move mates within this number of moves.
    pub fn is_mate_within(self, moves: u16) -> bool {
        let plies = self.mate_distance().filter(|&plies| plies > 0);
        plies.is_some_and(|plies| plies < 2 * i32::from(moves))
    }

    /// Whether the score announces a mate or a tablebase win, for either side.
    pub const fn is_decisive(self) -> bool {
        self.0 > Self::CENTIPAWNS_MAX.0 || self.0 < -Self::CENTIPAWNS_MAX.0
    }

    /// This score of a successor, seen by its parent: negated, and a decisive result one ply further away.
    #[must_use]
    pub const fn to_parent(self) -> Self {
        if self.0 > Self::CENTIPAWNS_MAX.0 {
            Self(1 - self.0)
        } else if self.0 < -Self::CENTIPAWNS_MAX.0 {
            Self(-self.0 - 1)
        } else {
            Self(-self.0)
        }
    }

    /// The score a successor must show so that its parent has this one; inverse of [`Score::to_parent`], saturating at
    /// the ends (a successor of a mate in 0 does not exist).
    #[must_use]
    pub const fn to_successor(self) -> Self {
        if self.0 == Self::MAX.0 || self.0 == Self::MIN.0 {
            Self(-self.0)
        } else if self.0 >= Self::CENTIPAWNS_MAX.0 {
            Self(-self.0 - 1)
        } else if self.0 <= -Self::CENTIPAWNS_MAX.0 {
            Self(1 - self.0)
        } else {
            Self(-self.0)
        }
    }
}

impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// Shifts by centipawns; saturates at the ends.
impl Add<i16> for Score {
    type Output = Self;
    fn add(self, centipawns: i16) -> Self {
        Self::from_raw(i32::from(self.0) + i32::from(centipawns))
    }
}

/// Shifts by centipawns; saturates at the ends.
impl Sub<i16> for Score {
    type Output = Self;
    fn sub(self, centipawns: i16) -> Self {
        Self::from_raw(i32::from(self.0) - i32::from(centipawns))
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Centipawns as a number, mates as `#+n` and `#-n` with n in plies, tablebase results as `TB+n` and `TB-n`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { '-' } else { '+' };
        match self.mate_distance() {
            Some(plies) => write!(f, "#{sign}{}", plies.abs()),
            None if self.is_decisive() => write!(f, "TB{sign}{}", 30_000 - self.0.abs()),
            None => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_turn_and_turn_back() {
        for raw in -32_000..=32_000 {
            let score = Score::from_raw(raw);
            if raw.abs() != 32_000 && raw.abs() != 28_000 {
                assert_eq!(score.to_successor().to_parent(), score, "{score}");
            }
        }
        assert_eq!(Score::MATED.to_parent(), Score::mate_in(1));
        assert_eq!(Score::mate_in(1).to_successor(), Score::MATED);
        assert_eq!(Score::centipawns(37).to_parent(), Score::centipawns(-37));
    }

    #[test]
    fn turning_is_monotone() {
        let turned: Vec<_> = (-32_000..=32_000)
            .map(|raw| Score::from_raw(raw).to_parent())
            .collect();
        assert!(turned.windows(2).all(|pair| pair[0] >= pair[1]));
    }

    #[test]
    fn mates_are_ordered_by_distance() {
        assert!(Score::mate_in(1) > Score::mate_in(3));
        assert!(Score::mated_in(2) < Score::mated_in(4));
        assert!(Score::mate_in(1_999) > Score::tablebase_win_in(0));
        assert_eq!(Score::mated_in(4).mate_distance(), Some(-4));
    }
}
