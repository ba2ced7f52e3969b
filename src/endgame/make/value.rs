//! The value of a position for the side to move, in one signed byte.

use std::fmt;

/// The value of a position for the side to move: positive wins, negative loses.
///
/// On either scale, a greater amount is better for its owner:
/// ```text
/// distance   -128 mated | -127 lost in 1 move .. -1 lost in 127 | 0 draw | 1 won in 127 .. 127 won in 1 move
/// points     what the side to move will gain from here on, less what its opponent will
/// ```
/// Distances count moves of the winner: a win in m moves takes 2m-1 plies, a loss in m moves 2m.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableValue(i8);

/// Shows the byte, such as `Value(127)`.
impl fmt::Debug for TableValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Value").field(&self.0).finish()
    }
}

impl TableValue {
    /// Neither side can force anything.
    pub const DRAW: Self = Self(0);
    /// Mate on the board (distance scale).
    pub const MATED: Self = Self(i8::MIN);
    /// The minimum of all values.
    pub const LEAST: Self = Self(i8::MIN);

    /// A win in `moves` moves, 1 to 127.
    pub const fn win_in(moves: u8) -> Self {
        assert!(moves >= 1 && moves <= 127);
        Self((128 - moves as i16) as i8)
    }

    /// A loss in `moves` moves of the opponent, 0 to 127; 0 is mate on the board.
    pub const fn loss_in(moves: u8) -> Self {
        assert!(moves <= 127);
        Self((moves as i16 - 128) as i8)
    }

    /// A gain of `points` (points scale); negative for a loss.
    pub const fn points(points: i8) -> Self {
        Self(points)
    }

    /// The byte in the layout above.
    pub const fn raw(self) -> i8 {
        self.0
    }

    /// The absolute value, 0 to 128.
    pub const fn amount(self) -> u8 {
        self.0.unsigned_abs()
    }

    /// 1 for a win of the side to move, 0 for a draw, -1 for a loss.
    pub const fn sign(self) -> i8 {
        self.0.signum()
    }

    /// Moves to mate on the distance scale, for either side; `None` for a draw.
    pub const fn moves(self) -> Option<u8> {
        if self.0 == 0 {
            None
        } else {
            Some(128 - self.amount())
        }
    }

    /// Plies to mate on the distance scale, for either side; `None` for a draw.
    pub const fn plies(self) -> Option<u16> {
        match self.moves() {
            None => None,
            Some(moves) if self.0 > 0 => Some(2 * moves as u16 - 1),
            Some(moves) => Some(2 * moves as u16),
        }
    }
}

/// The change of a value from a position to its parent inside the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Distance to mate: each ply reduces the amount.
    Distance,
    /// Points: moves inside a class score nothing and only change the view. A win is one point if only results
    /// count.
    Points,
}

impl Metric {
    /// Returns the value of a child from its parent's view. Monotone: the better the child, the worse the parent.
    #[inline]
    pub const fn lift(self, value: TableValue) -> TableValue {
        match self {
            // -128..=-1 becomes 127..=0 and 1..=127 becomes -1..=-127. A lost child is a win one move longer, a
            // won child a loss of the same number of moves.
            Self::Distance if value.0 < 0 => {
                debug_assert!(
                    value.0 != -1,
                    "a win in 128 moves has no place on the scale"
                );
                TableValue(!value.0)
            }
            Self::Distance | Self::Points => TableValue(-value.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_have_the_right_order_and_plies() {
        assert!(TableValue::win_in(1) > TableValue::win_in(2));
        assert!(TableValue::win_in(127) > TableValue::DRAW);
        assert!(TableValue::DRAW > TableValue::loss_in(127));
        assert!(TableValue::loss_in(1) > TableValue::MATED);
        assert_eq!(TableValue::MATED.plies(), Some(0));
        assert_eq!(TableValue::win_in(1).plies(), Some(1));
        assert_eq!(TableValue::loss_in(33).plies(), Some(66));
        assert_eq!(TableValue::DRAW.plies(), None);
    }

    #[test]
    fn lifting_adds_one_ply_and_is_monotone() {
        for moves in 1..=127 {
            assert_eq!(
                Metric::Distance.lift(TableValue::win_in(moves)),
                TableValue::loss_in(moves)
            );
            assert_eq!(
                Metric::Distance.lift(TableValue::loss_in(moves - 1)),
                TableValue::win_in(moves)
            );
        }
        for metric in [Metric::Distance, Metric::Points] {
            let lifted: Vec<_> = (-127..=127)
                .filter(|&v| v != -1)
                .map(|v| metric.lift(TableValue(v)))
                .collect();
            assert!(lifted.windows(2).all(|pair| pair[0] >= pair[1]));
        }
    }
}
