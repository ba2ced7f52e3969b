//! Analysis of a chess class many positions at a time.
//!
//! The positions with the kings on two given squares form a *cube* with an axis of 64 squares for each other man,
//! in slot order. The last axis lies in the bits of a word. So a word is a bitboard of the squares of the last
//! man, with the others fixed.
//! ```text
//! place = ((number of the kings * 64 + square) * 64 + square) * 64 + square      then the en passant states
//! ```
//! The last man moves by shifts of whole words; for any other man, its axis is exchanged with the last. A king
//! move leads to another cube, which may be mirrored. Equal men have a place for each order, and kings on the
//! diagonal have one for each image. So edges need not be counted, and none is found twice.

use super::super::board::{Board, Men, ahead, king_slot};
use super::super::in_words::{InWords, Placed, for_each};
use super::super::indexing::{Squares, side_color};
use super::super::kings::{Kings, Symmetry, image};
use super::super::{TableValue, threads};
use super::{Endgame, rays};
use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

/// A double step past an enemy pawn, as the places before and after it.
struct DoubleStep {
    before: u32,
    /// The place of the en passant state if the pawn can be captured.
    after: u32,
}

pub(super) struct Cubes<'a> {
    pub(super) class: &'a Endgame,
    pub(super) threads: u32,
    pub(super) men: &'a Men,
    pub(super) kings: &'static Kings,
    /// The number of men other than the kings.
    pub(super) axes: usize,
    /// Words per cube.
    pub(super) len: usize,
    /// The plain place of each en passant state, by side.
    pub(super) passing: [Vec<u32>; 2],
    /// By side that makes them.
    double_steps: [Vec<DoubleStep>; 2],
}

impl<'a> Cubes<'a> {
    pub(super) fn new(class: &'a Endgame, threads: u32) -> Self {
        let axes = class.men.count() - 2;
        let mut cubes = Self {
            class,
            threads,
            men: &class.men,
            kings: class.indexing.kings(),
            axes,
            len: 64_usize.pow(axes as u32 - 1),
            passing: [Vec::new(), Vec::new()],
            double_steps: [Vec::new(), Vec::new()],
        };
        cubes.passing = class.passing.each_ref().map(|states| {
            let plain = states.iter().map(|state| (state / 64) as u32);
            plain
                .map(|index| cubes.place(class.indexing.place(index)))
                .collect()
        });
        cubes.double_steps = Color::ALL.map(|color| cubes.find_double_steps(color));
        cubes
    }

    /// The number of places without the en passant states.
    pub(super) fn plain_places(&self) -> u32 {
        self.kings.count() * self.len as u32 * 64
    }

    /// Words per bitmap of one side.
    pub(super) fn words(&self, side: usize) -> usize {
        self.plain_places() as usize / 64 + self.passing[side].len().div_ceil(64)
    }

    /// Returns the place of these men; the kings stand as in their numbered placement.
    fn place(&self, squares: Squares) -> u32 {
        let (number, _) = self.kings.number(squares[0], squares[1]);
        let men = squares[2..2 + self.axes].iter();
        men.fold(number, |place, square| place * 64 + square.to_u32())
    }

    /// Returns the men at a place that is not an en passant state.
    pub(super) fn squares(&self, place: u32) -> Squares {
        let [white, black] = self.kings.placement(place >> (6 * self.axes));
        let mut squares = [white, black, Square::A1, Square::A1, Square::A1];
        for axis in 0..self.axes {
            squares[2 + axis] = Square::new(place >> (6 * (self.axes - 1 - axis)) & 63);
        }
        squares
    }

    /// Whether mirroring at the diagonal leaves the kings of a cube in place.
    fn is_ambiguous(&self, number: u32) -> bool {
        let [white, black] = self.kings.placement(number);
        self.class.indexing.is_ambiguous(white, black)
    }

    fn axes_of(&self, color: Color) -> impl Iterator<Item = usize> {
        self.men.slots(color).map(|slot| slot - 2)
    }

    pub(super) fn man(&self, axis: usize) -> Piece {
        self.men.man(2 + axis)
    }

    fn pawns(&self, color: Color) -> impl Iterator<Item = usize> {
        let pawn = |&axis: &usize| self.man(axis).role == Role::Pawn;
        self.axes_of(color).filter(pawn)
    }

    /// Lists all double steps of `color` that end beside an enemy pawn.
    fn find_double_steps(&self, color: Color) -> Vec<DoubleStep> {
        let mut steps = Vec::new();
        for axis in self.pawns(color) {
            for enemy in self.pawns(color.other()) {
                self.find_steps_past(axis, enemy, color, &mut steps);
            }
        }
        steps
    }

    fn find_steps_past(
        &self,
        axis: usize,
        enemy: usize,
        color: Color,
        steps: &mut Vec<DoubleStep>,
    ) {
        let rank = if color.is_white() { 24 } else { 32 };
        for to in (rank..rank + 8).map(Square::new) {
            let over = ahead(to, color.other());
            for beside in Bitboard(rays::beside(1 << to.to_u32())) {
                for rest in 0..self.kings.count() * 64_u32.pow(self.axes as u32 - 2) {
                    let after = self.with_two(rest, (axis, to), (enemy, beside));
                    let squares = self.squares(after);
                    if !Board::passed_squares(self.men, squares, color.other()).contains(over) {
                        continue;
                    }
                    let before = self.with_square(after, axis, ahead(over, color.other()));
                    let after = self
                        .class
                        .passing_index(squares, color.other(), over)
                        .map_or(after, |index| self.place_of_passing(index));
                    steps.push(DoubleStep { before, after });
                }
            }
        }
    }

    /// Returns the place with two men on given squares; the digits of `rest` are the kings and the other men.
    fn with_two(&self, mut rest: u32, first: (usize, Square), second: (usize, Square)) -> u32 {
        let mut place = 0;
        for axis in (0..self.axes).rev() {
            let given = [first, second].into_iter().find(|man| man.0 == axis);
            let digit = given.map_or(rest & 63, |man| man.1.to_u32());
            if given.is_none() {
                rest >>= 6;
            }
            place |= digit << (6 * (self.axes - 1 - axis));
        }
        place | rest << (6 * self.axes)
    }

    fn with_square(&self, place: u32, axis: usize, square: Square) -> u32 {
        let low = 6 * (self.axes - 1 - axis);
        place & !(63 << low) | square.to_u32() << low
    }

    fn place_of_passing(&self, index: u32) -> u32 {
        let side = usize::from(index >= self.class.side_size(0));
        let start = self.class.start(side_color(side)) + self.class.indexing.size();
        self.plain_places() + index - start
    }

    /// Adds the places in one cube from which `color`'s king can move to `targets`.
    fn king_movers(&self, color: Color, number: u32, targets: &Targets, cube: &mut [u64]) {
        let kings = self.kings.placement(number);
        let slot = king_slot(color);
        let other = kings[1 - slot];
        let free = attacks::king_attacks(kings[slot]) & !attacks::king_attacks(other);
        for to in free.without(other) {
            let mut after = kings;
            after[slot] = to;
            let (target, symmetry) = self.kings.number(after[0], after[1]);
            if let Some(source) = targets.cube(target) {
                add_mirrored(source, symmetry, cube);
            }
        }
    }

    /// Adds the places in one cube from which a man of `color` can move to one in `source`, in the same cube.
    fn man_movers(&self, color: Color, number: u32, source: &[u64], cube: &mut [u64]) {
        let [white, black] = self.kings.placement(number);
        let kings = Bitboard::from(white).with(black).0;
        let mut turned = vec![0; self.len];
        let mut found = vec![0; self.len];
        for axis in self.axes_of(color) {
            if axis + 1 == self.axes {
                self.sweep(axis, kings, source, cube);
                continue;
            }
            self.exchange(axis, source, &mut turned);
            found.fill(0);
            self.sweep(axis, kings, &turned, &mut found);
            self.exchange(axis, &found, &mut turned);
            cube.iter_mut()
                .zip(&turned)
                .for_each(|(to, from)| *to |= from);
        }
    }

    /// Exchanges an axis with the last one.
    fn exchange(&self, axis: usize, from: &[u64], to: &mut [u64]) {
        let stride = 64_usize.pow((self.axes - 2 - axis) as u32);
        for base in (0..self.len).filter(|word| (word / stride).is_multiple_of(64)) {
            let mut rows = [0; 64];
            for (row, word) in rows.iter_mut().zip(from[base..].iter().step_by(stride)) {
                *row = *word;
            }
            rays::transpose(&mut rows);
            for (word, row) in to[base..].iter_mut().step_by(stride).zip(rows) {
                *word = row;
            }
        }
    }

    /// Adds the origins of the man of `axis`, which is exchanged with the last, to `to`.
    fn sweep(&self, axis: usize, kings: u64, from: &[u64], to: &mut [u64]) {
        let man = self.man(axis);
        let others = |word| kings | self.others(word);
        match man.role {
            Role::Rook => each_word(from, to, |word, set| rays::rook(set, !others(word))),
            Role::Bishop => each_word(from, to, |word, set| rays::bishop(set, !others(word))),
            Role::Queen => each_word(from, to, |word, set| rays::queen(set, !others(word))),
            Role::Knight => each_word(from, to, |word, set| rays::knight(set, !others(word))),
            Role::Pawn => {
                let forward = if man.color.is_white() { 8 } else { -8 };
                each_word(from, to, |word, set| {
                    let single = self.beside_enemies(axis, word);
                    rays::pawn_origins(set, !others(word), single, forward)
                });
            }
            Role::King => unreachable!("kings have no axis"),
        }
    }

    /// Returns the squares of the men on all but the last axis, from the number of the word.
    #[inline]
    pub(super) fn others(&self, mut word: usize) -> u64 {
        let mut set = 0;
        for _ in 1..self.axes {
            set |= 1 << (word & 63);
            word >>= 6;
        }
        set
    }

    /// Returns the squares of a pawn of `axis`, exchanged with the last, beside an enemy pawn. Double steps to
    /// these are listed one by one.
    fn beside_enemies(&self, axis: usize, word: usize) -> u64 {
        let last = self.axes - 1;
        let enemies = self.pawns(self.man(axis).color.other());
        enemies.fold(0, |set, enemy| {
            let at = if enemy == last { axis } else { enemy };
            let square = word >> (6 * (last - 1 - at)) & 63;
            set | rays::beside(1 << square)
        })
    }
}

/// Target places by cube.
struct Targets<'a> {
    words: &'a [u64],
    len: usize,
    filled: Vec<bool>,
}

impl<'a> Targets<'a> {
    fn new(words: &'a [u64], len: usize) -> Self {
        let filled = words
            .chunks(len)
            .map(|cube| cube.iter().any(|&word| word != 0));
        Self {
            words,
            len,
            filled: filled.collect(),
        }
    }

    fn cube(&self, number: u32) -> Option<&'a [u64]> {
        let number = number as usize;
        self.filled[number].then(|| &self.words[number * self.len..][..self.len])
    }
}

fn each_word(from: &[u64], to: &mut [u64], origins: impl Fn(usize, u64) -> u64) {
    for (word, (&from, to)) in from.iter().zip(to).enumerate() {
        if from != 0 {
            *to |= origins(word, from);
        }
    }
}

/// Adds the places that `symmetry` maps into `source`.
fn add_mirrored(source: &[u64], symmetry: Symmetry, cube: &mut [u64]) {
    if symmetry == 0 {
        cube.iter_mut()
            .zip(source)
            .for_each(|(to, from)| *to |= from);
        return;
    }
    let images = Square::ALL.map(|square| image(symmetry, square).to_usize());
    for (word, to) in cube.iter_mut().enumerate() {
        let from = if source.len() > 64 {
            images[word >> 6] << 6 | images[word & 63]
        } else if source.len() > 1 {
            images[word]
        } else {
            0
        };
        *to |= mirrored_back(source[from], symmetry);
    }
}

/// Returns the squares that `symmetry` maps into `set`.
fn mirrored_back(set: u64, symmetry: Symmetry) -> u64 {
    let mut set = Bitboard(set);
    if symmetry & 4 > 0 {
        set = set.flip_diagonal();
    }
    if symmetry & 2 > 0 {
        set = set.flip_vertical();
    }
    if symmetry & 1 > 0 {
        set = set.flip_horizontal();
    }
    set.0
}

impl InWords for Cubes<'_> {
    fn look(&self, way_out: &mut dyn FnMut(usize, u32, TableValue)) -> [Placed; 2] {
        self.look_at_all(way_out)
    }

    fn movers(&self, side: usize, targets: &[u64], wanted: &[u64], movers: &mut [u64]) {
        let color = side_color(side);
        let plain = self.plain_places() as usize / 64;
        let cubes = Targets::new(&targets[..plain], self.len);
        let found = movers[..plain].chunks_mut(self.len);
        let numbered = (0..).zip(found.zip(wanted.chunks(self.len)));
        // An en passant state may be wanted even if the plain one is not.
        let all = !self.passing[side].is_empty();
        let asked = numbered.filter(|(_, (_, wanted))| all || wanted.iter().any(|&word| word != 0));
        threads::for_each(threads::deal(asked, self.threads), |hand| {
            for (number, (cube, _)) in hand {
                self.king_movers(color, number, &cubes, cube);
                if let Some(source) = cubes.cube(number) {
                    self.man_movers(color, number, source, cube);
                }
            }
        });
        let has = |set: &[u64], place: u32| set[place as usize / 64] >> (place % 64) & 1 > 0;
        for step in &self.double_steps[side] {
            if has(targets, step.after) {
                movers[step.before as usize / 64] |= 1 << (step.before % 64);
            }
        }
        for (place, &plain) in (self.plain_places()..).zip(&self.passing[side]) {
            if has(movers, plain) {
                movers[place as usize / 64] |= 1 << (place % 64);
            }
        }
    }

    fn note(&self, side: usize, set: &[u64], value: TableValue, values: &mut [TableValue]) {
        let (plain, passing) = set.split_at(self.plain_places() as usize / 64);
        let start = self.class.start(side_color(side)) as usize;
        let (values, rest) = values[start..].split_at_mut(self.class.indexing.size() as usize);
        let parts = values.chunks_mut(values.len() / self.kings.count() as usize);
        let numbered = (0..).zip(plain.chunks(self.len).zip(parts));
        let filled = numbered.filter(|(_, (cube, _))| cube.iter().any(|&word| word != 0));
        threads::for_each(threads::deal(filled, self.threads), |hand| {
            for (number, (cube, part)) in hand {
                self.note_cube(number, cube, value, part);
            }
        });
        for_each(passing, |number| rest[number as usize] = value);
    }

    fn index(&self, side: usize, place: u32) -> u32 {
        let start = self.class.start(side_color(side));
        match place.checked_sub(self.plain_places()) {
            Some(number) => start + self.class.indexing.size() + number,
            None => start + self.class.indexing.index(self.squares(place)),
        }
    }
}

impl Cubes<'_> {
    /// Writes `value` for the places of one cube; `values` are those of its kings.
    fn note_cube(&self, number: u32, cube: &[u64], value: TableValue, values: &mut [TableValue]) {
        let first = number * values.len() as u32;
        let index = |place: u32| (self.class.indexing.index(self.squares(place)) - first) as usize;
        let last_is_alone = self.axes == 1 || self.man(self.axes - 1) != self.man(self.axes - 2);
        for (word, &places) in cube.iter().enumerate().filter(|(_, places)| **places != 0) {
            let start = (number * self.len as u32 + word as u32) * 64;
            if !last_is_alone || self.is_ambiguous(number) {
                for square in Bitboard(places) {
                    values[index(start + square.to_u32())] = value;
                }
                continue;
            }
            // The indices of the last man, if alone in its group, are consecutive by square.
            let lowest = places.trailing_zeros();
            let lowest_index = index(start + lowest);
            for square in Bitboard(places) {
                values[lowest_index + (square.to_u32() - lowest) as usize] = value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::exits::Exits;
    use super::super::super::kings::DIAGONAL;
    use super::super::super::material::Material;
    use super::super::super::{Class, Metric};
    use super::*;
    use crate::game::SplitMix64;
    use shakmaty::Rank;
    use std::collections::BTreeSet;

    fn insert(set: &mut [u64], place: u32) {
        set[place as usize / 64] |= 1 << (place % 64);
    }

    impl Cubes<'_> {
        fn is_legal(&self, side: usize, place: u32) -> bool {
            if place >= self.plain_places() {
                return true;
            }
            let squares = self.squares(place);
            let on_board = |axis: usize| {
                let rank = squares[2 + axis].rank();
                self.man(axis).role != Role::Pawn || rank.min(rank.flip_vertical()) != Rank::First
            };
            (0..self.axes).all(on_board)
                && Board::new(self.men, squares, side_color(side)).is_some()
        }

        /// Marks the other place of a pair of equal men, or of kings on the diagonal; no tested class needs more.
        fn insert_images(&self, place: u32, set: &mut [u64]) {
            let mut squares = self.squares(place);
            if let Some(axis) = (1..self.axes).find(|&axis| self.man(axis - 1) == self.man(axis)) {
                squares.swap(1 + axis, 2 + axis);
                insert(set, self.place(squares));
            }
            if self.is_ambiguous(place >> (6 * self.axes)) {
                let mirrored = squares.map(|square| image(DIAGONAL, square));
                insert(set, self.place(mirrored));
            }
        }

        /// Marks random positions of a side and returns their indices.
        fn choose(&self, side: usize, rng: &mut SplitMix64, set: &mut [u64]) -> BTreeSet<u32> {
            let plain = u64::from(self.plain_places());
            let passing = self.passing[side].len() as u64;
            let mut chosen = BTreeSet::new();
            while chosen.len() < 2_000 {
                let place = if passing > 0 && rng.below(2) == 0 {
                    plain + rng.below(passing)
                } else {
                    rng.below(plain)
                } as u32;
                if !self.is_legal(side, place) {
                    continue;
                }
                insert(set, place);
                if u64::from(place) < plain {
                    self.insert_images(place, set);
                }
                chosen.insert(self.index(side, place));
            }
            chosen
        }
    }

    /// The positions with a move into a set must be the parents of its members.
    fn check_movers(name: &str) {
        let material = Material::parse(name).expect("a class");
        let class = Endgame::with_exits(material, Metric::Distance, Exits::none());
        let cubes = Cubes::new(&class, 3);
        let mut rng = SplitMix64::new(1);
        for side in 0..2 {
            let mut targets = vec![0; cubes.words(1 - side)];
            let chosen = cubes.choose(1 - side, &mut rng, &mut targets);
            let mut movers = vec![0; cubes.words(side)];
            cubes.movers(side, &targets, &vec![u64::MAX; movers.len()], &mut movers);
            let mut found = BTreeSet::new();
            for (word, &places) in (0..).zip(&movers) {
                for square in Bitboard(places) {
                    let place = word * 64 + square.to_u32();
                    if cubes.is_legal(side, place) {
                        found.insert(cubes.index(side, place));
                    }
                }
            }
            let mut parents = Vec::new();
            for child in chosen {
                class.parents(child, &mut parents);
            }
            let legal = |&index: &u32| {
                let state = class.state(index);
                Board::new(cubes.men, state.squares, state.turn).is_some()
            };
            let expected: BTreeSet<_> = parents.into_iter().filter(legal).collect();
            assert!(found == expected, "{name} {side}");
        }
    }

    #[test]
    fn movers_are_parents() {
        for name in [
            "KPvK", "KQQvK", "KBvKN", "KPPvK", "KPvKP", "KBBvKN", "KNNNvK",
        ] {
            check_movers(name);
        }
    }

    #[test]
    #[ignore = "half a minute, 1 GiB"]
    fn movers_are_parents_with_three_pawns() {
        check_movers("KPPvKP");
    }
}
