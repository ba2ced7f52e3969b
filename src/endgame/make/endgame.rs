//! Chess classes as graphs, with distance to mate or results only; no castling, no 50-move rule.
//!
//! Each position with a *legal* en passant capture has an extra index (with the right) after the plain ones of its
//! side. Its children are those of the plain position and the capture. Its only parents are the positions before
//! the double step that gives the right, and this step does not lead to the plain position.
//! ```text
//! 0 .. size | White, en passant | size' .. | Black, en passant
//! ```

mod cubes;
mod look;
mod rays;

use super::board::{Board, Men, Visitor, ahead, unmoves};
use super::class::TwoSided;
use super::exits::{Change, Exits};
use super::in_words::InWords;
use super::indexing::{Indexing, Squares, side_color};
use super::material::Material;
use super::table::Table;
use super::{Class, Metric, Survey, TableValue};
use shakmaty::{Bitboard, Color, Role, Square};
use std::ops::Range;
use std::sync::Arc;

use cubes::Cubes;

/// The class of positions with given men.
pub struct Endgame {
    material: Material,
    metric: Metric,
    men: Men,
    indexing: Indexing,
    exits: Exits,
    /// En passant states with White and Black to move, ascending: plain index times 64 plus passed square.
    passing: [Vec<u64>; 2],
}

/// The position of an index, legal or not.
#[derive(Clone, Copy)]
struct IndexedPosition {
    plain: u32,
    squares: Squares,
    turn: Color,
    /// The square an enemy pawn has just passed, if it can be captured.
    over: Option<Square>,
}

impl Endgame {
    /// Creates the class of `material` on the distance scale, with the tables of smaller classes from `table`.
    ///
    /// # Errors
    /// The first class whose table is missing.
    pub fn new(
        material: Material,
        table: impl Fn(Material) -> Option<Arc<Table>>,
    ) -> Result<Self, Material> {
        Self::on_scale(material, Metric::Distance, table)
    }

    /// Creates the class of `material` on the scale of `metric`; in points, a win is 1. `table` gives the tables
    /// of smaller classes, on the same scale.
    ///
    /// # Errors
    /// The first class whose table is missing.
    pub fn on_scale(
        material: Material,
        metric: Metric,
        table: impl Fn(Material) -> Option<Arc<Table>>,
    ) -> Result<Self, Material> {
        let exits = Exits::new(material, metric, table)?;
        Ok(Self::with_exits(material, metric, exits))
    }

    fn with_exits(material: Material, metric: Metric, exits: Exits) -> Self {
        let mut class = Self {
            material,
            metric,
            men: Men::new(material),
            indexing: Indexing::new(material),
            exits,
            passing: [Vec::new(), Vec::new()],
        };
        let pawns = |color| {
            class
                .men
                .slots(color)
                .any(|slot| class.men.man(slot).role == Role::Pawn)
        };
        if pawns(Color::White) && pawns(Color::Black) {
            class.passing = [
                class.find_passing(Color::White),
                class.find_passing(Color::Black),
            ];
        }
        class
    }

    /// The men of the class.
    pub const fn material(&self) -> Material {
        self.material
    }

    /// Creates the table from the values of all indices.
    pub fn table(&self, values: &[TableValue]) -> Table {
        let size = self.indexing.size() as usize;
        let sides = self
            .sides()
            .map(|side| values[side.start as usize..][..size].to_vec());
        Table::new(self.material, self.metric, sides)
    }

    /// Returns the values of all indices from those of the plain ones. An en passant state has the value of its
    /// capture, or that of the plain position if this has a move and is better.
    pub fn values(&self, table: &Table) -> Vec<TableValue> {
        let mut values = Vec::with_capacity(self.size() as usize);
        for (side, indices) in self.sides().into_iter().enumerate() {
            let plain = &table.values()[side];
            values.extend(plain);
            for (index, packed) in
                (indices.start + table.size()..indices.end).zip(&self.passing[side])
            {
                let Some(Survey::Open { inside, outside }) = self.survey(index) else {
                    unreachable!("a capture")
                };
                let stay = (inside > 0).then_some(plain[(packed / 64) as usize]);
                values.push(stay.max(outside).expect("the capture"));
            }
        }
        values
    }

    /// The numbers of en passant states with White and with Black to move.
    pub fn passing_counts(&self) -> [usize; 2] {
        self.passing.each_ref().map(Vec::len)
    }

    fn find_passing(&self, turn: Color) -> Vec<u64> {
        let mut states = Vec::new();
        for plain in 0..self.indexing.size() {
            let squares = self.indexing.place(plain);
            let passed = Board::passed_squares(&self.men, squares, turn);
            if passed.is_empty() {
                continue;
            }
            let Some(board) = Board::new(&self.men, squares, turn) else {
                continue;
            };
            for over in passed {
                if board.en_passant(over, &mut Nothing) {
                    states.push(u64::from(plain) * 64 + u64::from(over.to_u32()));
                }
            }
        }
        states
    }

    fn state(&self, index: u32) -> IndexedPosition {
        let side = usize::from(index >= self.side_size(0));
        let at = if side == 0 {
            index
        } else {
            index - self.side_size(0)
        };
        let (plain, over) = match at.checked_sub(self.indexing.size()) {
            None => (at, None),
            Some(number) => {
                let packed = self.passing[side][number as usize];
                (
                    (packed / 64) as u32,
                    Some(Square::new((packed % 64) as u32)),
                )
            }
        };
        IndexedPosition {
            plain,
            squares: self.indexing.place(plain),
            turn: side_color(side),
            over,
        }
    }

    fn side_size(&self, side: usize) -> u32 {
        self.indexing.size() + self.passing[side].len() as u32
    }

    fn start(&self, turn: Color) -> u32 {
        if turn.is_white() {
            0
        } else {
            self.side_size(0)
        }
    }

    /// Returns the index of the state after a double step over `over` to this placement, if there is a right.
    fn passing_index(&self, squares: Squares, turn: Color, over: Square) -> Option<u32> {
        let states = &self.passing[turn.is_black() as usize];
        if states.is_empty() {
            return None;
        }
        let (plain, over) = self.indexing.index_and_image(squares, over);
        let state = u64::from(plain) * 64 + u64::from(over.to_u32());
        let number = states.binary_search(&state).ok()?;
        Some(self.start(turn) + self.indexing.size() + number as u32)
    }

    #[inline]
    fn may_repeat(&self, state: &IndexedPosition) -> bool {
        self.indexing.may_repeat(state.squares, self.men.count())
    }
}

impl Class for Endgame {
    fn metric(&self) -> Metric {
        self.metric
    }

    fn size(&self) -> u32 {
        self.side_size(0) + self.side_size(1)
    }

    fn amount_max(&self) -> u8 {
        match self.metric {
            Metric::Distance => 128,
            Metric::Points => 1,
        }
    }

    fn survey(&self, index: u32) -> Option<Survey> {
        let state = self.state(index);
        let board = Board::new(&self.men, state.squares, state.turn)?;
        if !self.indexing.is_canonical(state.plain, state.squares) {
            return None;
        }
        let mut tally = Tally {
            class: self,
            board: &board,
            inside: 0,
            outside: None,
        };
        board.moves(&mut tally);
        if let Some(over) = state.over {
            board.en_passant(over, &mut tally);
        }
        let (mut inside, outside) = (tally.inside, tally.outside);
        if inside == 0 && outside.is_none() {
            let value = match self.metric {
                _ if !board.is_check() => TableValue::DRAW,
                Metric::Distance => TableValue::MATED,
                Metric::Points => TableValue::points(-1),
            };
            return Some(Survey::End(value));
        }
        if self.may_repeat(&state) {
            let mut children = Vec::new();
            self.children(index, &mut children);
            inside = children.len() as u8;
        }
        Some(Survey::Open { inside, outside })
    }

    fn children(&self, index: u32, children: &mut Vec<u32>) {
        let state = self.state(index);
        let Some(board) = Board::new(&self.men, state.squares, state.turn) else {
            return;
        };
        let first = children.len();
        board.moves(&mut Children {
            class: self,
            state: &state,
            list: children,
        });
        if self.may_repeat(&state) {
            remove_duplicates(children, first);
        }
    }

    fn parents(&self, index: u32, parents: &mut Vec<u32>) {
        let state = self.state(index);
        let first = parents.len();
        let mut visitor = Parents {
            class: self,
            state: &state,
            list: parents,
        };
        if let Some(over) = state.over {
            let pawn = ahead(over, state.turn.other());
            let slot = self
                .men
                .slots(state.turn.other())
                .find(|&slot| state.squares[slot] == pawn);
            visitor.add(
                slot.expect("the pawn that passed"),
                ahead(over, state.turn).into(),
            );
            return;
        }
        unmoves(&self.men, state.squares, state.turn, &mut visitor);
        if self.may_repeat(&state) {
            remove_duplicates(parents, first);
        }
    }
}

impl TwoSided for Endgame {
    fn sides(&self) -> [Range<u32>; 2] {
        [0..self.side_size(0), self.side_size(0)..self.size()]
    }

    fn in_words(&self, threads: u32) -> Option<Box<dyn InWords + '_>> {
        (self.metric == Metric::Distance)
            .then(|| Box::new(Cubes::new(self, threads)) as Box<dyn InWords>)
    }
}

/// Removes duplicates, since two moves that lead to mirror images are one edge.
fn remove_duplicates(list: &mut Vec<u32>, first: usize) {
    list[first..].sort_unstable();
    let mut kept = first;
    for at in first..list.len() {
        if at == first || list[at] != list[kept - 1] {
            list[kept] = list[at];
            kept += 1;
        }
    }
    list.truncate(kept);
}

/// A visitor that ignores all moves.
struct Nothing;

impl Visitor for Nothing {
    fn quiet(&mut self, _: usize, _: Bitboard) {}
    fn double_step(&mut self, _: usize, _: Square, _: Square) {}
    fn exit(&mut self, _: usize, _: Square, _: Change) {}
}

/// Counts the moves inside the class and keeps the best exit.
struct Tally<'a> {
    class: &'a Endgame,
    board: &'a Board<'a>,
    inside: u8,
    outside: Option<TableValue>,
}

impl Visitor for Tally<'_> {
    #[inline]
    fn quiet(&mut self, _: usize, targets: Bitboard) {
        self.inside += targets.count() as u8;
    }

    fn double_step(&mut self, _: usize, _: Square, _: Square) {
        self.inside += 1;
    }

    fn exit(&mut self, slot: usize, to: Square, change: Change) {
        let mut squares = self.board.squares;
        squares[slot] = to;
        let value = self
            .class
            .exits
            .value(change, squares, self.board.turn.other());
        self.outside = self.outside.max(Some(value));
    }
}

struct Children<'a> {
    class: &'a Endgame,
    state: &'a IndexedPosition,
    list: &'a mut Vec<u32>,
}

impl Visitor for Children<'_> {
    #[inline]
    fn quiet(&mut self, slot: usize, targets: Bitboard) {
        let (class, state) = (self.class, self.state);
        let start = class.start(state.turn.other());
        class
            .indexing
            .extend_after(state.plain, state.squares, slot, targets, start, self.list);
    }

    fn double_step(&mut self, slot: usize, to: Square, over: Square) {
        let mut squares = self.state.squares;
        squares[slot] = to;
        match self
            .class
            .passing_index(squares, self.state.turn.other(), over)
        {
            Some(index) => self.list.push(index),
            None => self.quiet(slot, to.into()),
        }
    }

    fn exit(&mut self, _: usize, _: Square, _: Change) {}
}

struct Parents<'a> {
    class: &'a Endgame,
    state: &'a IndexedPosition,
    list: &'a mut Vec<u32>,
}

impl Parents<'_> {
    /// Adds the positions before the man in `slot` came from one of `squares`, also those with an en passant
    /// right.
    #[inline]
    fn add(&mut self, slot: usize, squares: Bitboard) {
        let (class, state) = (self.class, self.state);
        let mover = state.turn.other();
        let start = class.start(mover);
        class
            .indexing
            .extend_after(state.plain, state.squares, slot, squares, start, self.list);
        if class.passing[mover.is_black() as usize].is_empty() {
            return;
        }
        for from in squares {
            let mut before = state.squares;
            before[slot] = from;
            for over in Board::passed_squares(&class.men, before, mover) {
                self.list.extend(class.passing_index(before, mover, over));
            }
        }
    }
}

impl Visitor for Parents<'_> {
    #[inline]
    fn quiet(&mut self, slot: usize, targets: Bitboard) {
        self.add(slot, targets);
    }

    fn double_step(&mut self, slot: usize, start: Square, over: Square) {
        if self
            .class
            .passing_index(self.state.squares, self.state.turn, over)
            .is_none()
        {
            self.add(slot, start.into());
        }
    }

    fn exit(&mut self, _: usize, _: Square, _: Change) {}
}
