//! A solved chess class in memory.

use super::board::{Board, Men, king_slot};
use super::indexing::{Indexing, Squares};
use super::material::Material;
use super::{Metric, TableValue};
use shakmaty::{Color, Setup};

/// The values of all positions of a class for both sides to move, without en passant states.
pub struct Table {
    material: Material,
    metric: Metric,
    men: Men,
    indexing: Indexing,
    values: [Vec<TableValue>; 2],
}

impl Table {
    /// Creates the table of `material` from the values by index with White and with Black to move, on the scale of
    /// `metric`.
    pub fn new(material: Material, metric: Metric, values: [Vec<TableValue>; 2]) -> Self {
        let indexing = Indexing::new(material);
        assert!(
            values
                .iter()
                .all(|side| side.len() == indexing.size() as usize)
        );
        Self {
            material,
            metric,
            men: Men::new(material),
            indexing,
            values,
        }
    }

    /// The class.
    pub const fn material(&self) -> Material {
        self.material
    }

    /// The scale of the values.
    pub const fn metric(&self) -> Metric {
        self.metric
    }

    /// Values by index with White and with Black to move; meaningless at unused indices.
    pub const fn values(&self) -> &[Vec<TableValue>; 2] {
        &self.values
    }

    /// Returns the value of a legal position for `turn`, the side to move.
    #[inline]
    pub fn value(&self, squares: Squares, turn: Color) -> TableValue {
        self.values[turn.is_black() as usize][self.indexing.index(squares) as usize]
    }

    /// Returns the index of a legal position.
    #[inline]
    pub fn index(&self, squares: Squares) -> u32 {
        self.indexing.index(squares)
    }

    /// Returns the position as a `shakmaty` setup, without castling and en passant.
    pub fn setup(&self, squares: Squares, turn: Color) -> Setup {
        let mut setup = Setup::empty();
        for color in Color::ALL {
            let king = squares[king_slot(color)];
            setup.board.set_piece_at(king, color.king());
        }
        for (slot, square) in squares[..self.men.count()].iter().enumerate().skip(2) {
            setup.board.set_piece_at(*square, self.men.man(slot));
        }
        setup.turn = turn;
        setup
    }

    /// The number of indices per side to move.
    pub const fn size(&self) -> u32 {
        self.indexing.size()
    }

    /// Returns the placement of an index; `None` if it is illegal with `turn` to move or not canonical.
    pub fn position(&self, index: u32, turn: Color) -> Option<Squares> {
        let squares = self.indexing.place(index);
        Board::new(&self.men, squares, turn)?;
        self.indexing
            .is_canonical(index, squares)
            .then_some(squares)
    }

    /// The number of different mirror images of a placement.
    pub fn images(&self, squares: Squares) -> u64 {
        self.indexing.images(squares)
    }
}
