//! The initial survey of a class: which positions are legal, which are over, and which moves leave the class.
//!
//! Legality is computed for a word of places at a time. A board is set up only where a capture or promotion is
//! possible.

use super::super::board::{Board, king_slot};
use super::super::in_words::{InWords, Placed};
use super::super::indexing::{Squares, side_color};
use super::super::{TableValue, threads};
use super::Tally;
use super::cubes::Cubes;
use shakmaty::{Bitboard, Color, Piece, Rank, Role, Square, attacks};

const PAWN_RANKS: Bitboard = Bitboard(0x00FF_FFFF_FFFF_FF00);

/// Cubes per thread before their exits are reported.
const ROUND: u32 = 8;

struct Looked {
    number: u32,
    /// Legal places and those with an exit, by side.
    sets: [[Vec<u64>; 2]; 2],
    /// Side, place and best value of the exits.
    ways: Vec<(u8, u32, TableValue)>,
}

/// Masks of a word left by the men outside the last axis, for each side to move.
#[derive(Clone, Copy, Default)]
struct WordMasks {
    legal: [u64; 2],
    /// Legal, and possibly with a move out of the class.
    exits: [u64; 2],
}

/// The men outside the last axis.
struct FixedMen {
    kings: [Square; 2],
    /// The other men, by axis.
    men: Vec<(usize, Square)>,
    occupied: Bitboard,
}

impl Cubes<'_> {
    /// Surveys the 64 places of a word.
    fn cell(&self, kings: [Square; 2], word: usize) -> WordMasks {
        let square = |axis: usize| Square::new((word >> (6 * (self.axes - 2 - axis))) as u32 & 63);
        let men = (0..self.axes - 1).map(|axis| (axis, square(axis)));
        let standing = FixedMen {
            kings,
            men: men.collect(),
            occupied: Bitboard(Bitboard::from(kings[0]).with(kings[1]).0 | self.others(word)),
        };
        let mut places = self.board_of(self.axes - 1) & !standing.occupied;
        let off = |&(axis, square): &(usize, Square)| !self.board_of(axis).contains(square);
        if standing.occupied.count() != self.axes + 1 || standing.men.iter().any(off) {
            places = Bitboard::EMPTY;
        }
        let mut cell = WordMasks::default();
        if places.any() {
            for color in Color::ALL {
                let side = color.is_black() as usize;
                let legal = places & !self.checks(color, &standing);
                cell.legal[side] = legal.0;
                cell.exits[side] = (legal & self.leaves(color, &standing)).0;
            }
        }
        cell
    }

    /// Returns the squares available to the man of an axis.
    fn board_of(&self, axis: usize) -> Bitboard {
        if self.man(axis).role == Role::Pawn {
            PAWN_RANKS
        } else {
            Bitboard::FULL
        }
    }

    /// Returns the squares of the last man for which `color` attacks the other king.
    fn checks(&self, color: Color, standing: &FixedMen) -> Bitboard {
        let king = standing.kings[king_slot(color.other())];
        let mut checks = Bitboard::EMPTY;
        for &(axis, square) in &standing.men {
            let man = self.man(axis);
            if man.color == color && attacks::attacks(square, man, standing.occupied).contains(king)
            {
                checks |= !attacks::between(square, king);
            }
        }
        let last = self.man(self.axes - 1);
        if last.color == color {
            checks |= attackers(king, last, standing.occupied);
        }
        checks
    }

    /// Returns the squares of the last man for which `color` may capture or promote, possibly a few too many.
    fn leaves(&self, color: Color, standing: &FixedMen) -> Bitboard {
        let last = self.man(self.axes - 1);
        let near = attacks::king_attacks(standing.kings[king_slot(color)]);
        let seventh = Bitboard::from_rank(color.relative_rank(Rank::Seventh));
        let mut leaves = Bitboard::EMPTY;
        let mut attacked = near;
        for &(axis, square) in &standing.men {
            let man = self.man(axis);
            if man.color == color {
                attacked |= attacks::attacks(square, man, standing.occupied);
                if man.role == Role::Pawn && seventh.contains(square) {
                    leaves = Bitboard::FULL;
                }
            } else if last.color == color {
                leaves |= attackers(square, last, standing.occupied);
            }
        }
        let hit = |&(axis, square): &(usize, Square)| {
            self.man(axis).color != color && attacked.contains(square)
        };
        if standing.men.iter().any(hit) {
            leaves = Bitboard::FULL;
        }
        if last.color != color {
            leaves |= attacked;
        } else if last.role == Role::Pawn {
            leaves |= seventh;
        }
        leaves
    }

    /// Returns the best value of a move out of the class, if there is one.
    fn way_out(&self, squares: Squares, turn: Color, over: Option<Square>) -> Option<TableValue> {
        let board = Board::new(self.men, squares, turn).expect("a legal position");
        let mut tally = Tally {
            class: self.class,
            board: &board,
            inside: 0,
            outside: None,
        };
        board.moves(&mut tally);
        if let Some(over) = over {
            board.en_passant(over, &mut tally);
        }
        tally.outside
    }

    pub(super) fn look_at_all(
        &self,
        way_out: &mut dyn FnMut(usize, u32, TableValue),
    ) -> [Placed; 2] {
        let mut sets = self.look_around(way_out);
        self.look_at_passing(&mut sets, way_out);
        let [legal, leaving] = sets;
        [0, 1].map(|side| {
            let mut moving = leaving[side].clone();
            self.movers(side, &legal[1 - side], &legal[side], &mut moving);
            let still = legal[side]
                .iter()
                .zip(&moving)
                .map(|(legal, moving)| legal & !moving);
            let ended: Vec<_> = still.collect();
            // The king is attacked if the placement is illegal with the opponent to move. En passant states never
            // end.
            let unchecked = legal[1 - side].iter().chain(std::iter::repeat(&0));
            Placed {
                mated: ended.iter().zip(unchecked).map(|(a, b)| a & !b).collect(),
                ended,
                legal: legal[side].clone(),
            }
        })
    }

    /// Returns the legal places and those with moves out of the class, for either side.
    fn look_around(&self, way_out: &mut dyn FnMut(usize, u32, TableValue)) -> [[Vec<u64>; 2]; 2] {
        let empty = || [0, 1].map(|side| vec![0; self.words(side)]);
        let mut sets = [empty(), empty()];
        let (count, round) = (self.kings.count(), ROUND * self.threads);
        for first in (0..count).step_by(round as usize) {
            let numbers = first..count.min(first + round);
            let looked = threads::for_each(threads::deal(numbers, self.threads), |hand| {
                let looked = hand.into_iter().map(|number| self.look_at_cube(number));
                looked.collect::<Vec<_>>()
            });
            for looked in looked.into_iter().flatten() {
                let at = looked.number as usize * self.len;
                for (all, cube) in sets
                    .as_flattened_mut()
                    .iter_mut()
                    .zip(looked.sets.as_flattened())
                {
                    all[at..at + self.len].copy_from_slice(cube);
                }
                for (side, place, value) in looked.ways {
                    way_out(side.into(), place, value);
                }
            }
        }
        sets
    }

    fn look_at_cube(&self, number: u32) -> Looked {
        let kings = self.kings.placement(number);
        let [legal, leaving] = [(); 2].map(|()| [0, 1].map(|_| vec![0; self.len]));
        let mut looked = Looked {
            number,
            sets: [legal, leaving],
            ways: Vec::new(),
        };
        for word in 0..self.len {
            let cell = self.cell(kings, word);
            for side in 0..2 {
                looked.sets[0][side][word] = cell.legal[side];
                for square in Bitboard(cell.exits[side]) {
                    let place = (number * self.len as u32 + word as u32) * 64 + square.to_u32();
                    let value = self.way_out(self.squares(place), side_color(side), None);
                    if let Some(value) = value {
                        looked.ways.push((side as u8, place, value));
                        looked.sets[1][side][word] |= 1 << square.to_u32();
                    }
                }
            }
        }
        looked
    }

    /// Does the same for en passant states.
    fn look_at_passing(
        &self,
        sets: &mut [[Vec<u64>; 2]; 2],
        way_out: &mut dyn FnMut(usize, u32, TableValue),
    ) {
        for side in 0..2 {
            let states = self.class.passing[side].iter().zip(&self.passing[side]);
            for (place, (state, &plain)) in (self.plain_places()..).zip(states) {
                let over = Square::new((state % 64) as u32);
                let value = self.way_out(self.squares(plain), side_color(side), Some(over));
                way_out(side, place, value.expect("the capture"));
                for set in sets.iter_mut() {
                    set[side][place as usize / 64] |= 1 << (place % 64);
                }
            }
        }
    }
}

/// Returns the squares from which a man like `man` attacks `square`.
fn attackers(square: Square, man: Piece, occupied: Bitboard) -> Bitboard {
    attacks::attacks(square, man.role.of(man.color.other()), occupied)
}
