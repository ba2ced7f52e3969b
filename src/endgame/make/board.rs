//! A legal chess position of a class: its moves and unmoves.

use super::exits::{Change, PROMOTIONS};
use super::indexing::Squares;
use super::material::{MEN_MAX, Material};
use shakmaty::{Bitboard, Color, Piece, Rank, Role, Square, attacks};
use std::ops::Range;

/// The men of a class by slot, in the order of [`Squares`].
#[derive(Clone)]
pub struct Men {
    men: [Piece; MEN_MAX],
    /// Slots of White's and Black's men without the kings, which have slots 0 and 1.
    slots: [Range<usize>; 2],
}

impl Men {
    /// The men of `material`.
    pub fn new(material: Material) -> Self {
        let list = material.men();
        let white = 2 + list.iter().filter(|man| man.color == Color::White).count();
        let mut men = [
            Color::White.king(),
            Color::Black.king(),
            Color::White.king(),
            Color::White.king(),
            Color::White.king(),
        ];
        men[2..2 + list.len()].copy_from_slice(&list);
        Self {
            men,
            slots: [2..white, white..2 + list.len()],
        }
    }

    /// The number of men, kings included.
    pub const fn count(&self) -> usize {
        self.slots[1].end
    }

    /// The man in `slot`.
    pub const fn man(&self, slot: usize) -> Piece {
        self.men[slot]
    }

    /// The slots of `color`'s men, without its king.
    pub fn slots(&self, color: Color) -> Range<usize> {
        self.slots[color.is_black() as usize].clone()
    }
}

/// The slot of `color`'s king.
pub const fn king_slot(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

/// A receiver of the moves of a position, one kind at a time.
pub trait Visitor {
    /// Receives the moves of the man in `slot` to each of `targets`, which stay in the class.
    fn quiet(&mut self, slot: usize, targets: Bitboard);
    /// Receives the double step of the pawn in `slot` to `to`, over `over`.
    fn double_step(&mut self, slot: usize, to: Square, over: Square);
    /// Receives the move of the man in `slot` to `to`, with a change of material.
    fn exit(&mut self, slot: usize, to: Square, change: Change);
}

/// A legal position.
pub struct Board<'a> {
    men: &'a Men,
    /// The squares of the men.
    pub squares: Squares,
    /// The side to move.
    pub turn: Color,
    occupied: Bitboard,
    own: Bitboard,
    /// Attacks of the side to move, by slot.
    attacks: [Bitboard; MEN_MAX],
}

/// Masks for moves that do not expose the king.
struct LegalityMasks {
    /// Squares forbidden to the king.
    danger: Bitboard,
    /// Squares that answer a check; all squares without one.
    answers: Bitboard,
    /// Squares by slot that do not expose the king.
    lines: [Bitboard; MEN_MAX],
}

impl<'a> Board<'a> {
    /// Creates a position; the kings must not touch. `None` if two men share a square or the side not to move is
    /// in check.
    #[inline]
    pub fn new(men: &'a Men, squares: Squares, turn: Color) -> Option<Self> {
        let mut both = [Bitboard::from(squares[0]), Bitboard::from(squares[1])];
        for color in Color::ALL {
            for slot in men.slots(color) {
                if (both[0] | both[1]).contains(squares[slot]) {
                    return None;
                }
                both[color.is_black() as usize].add(squares[slot]);
            }
        }
        let occupied = both[0] | both[1];
        let mut attacked = [Bitboard::EMPTY; MEN_MAX];
        let target = squares[king_slot(turn.other())];
        for slot in men.slots(turn) {
            attacked[slot] = attacks::attacks(squares[slot], men.men[slot], occupied);
            if attacked[slot].contains(target) {
                return None;
            }
        }
        let own = both[turn.is_black() as usize];
        Some(Self {
            men,
            squares,
            turn,
            occupied,
            own,
            attacks: attacked,
        })
    }

    fn safety(&self) -> LegalityMasks {
        let king = self.squares[king_slot(self.turn)];
        let mut safety = LegalityMasks {
            danger: attacks::king_attacks(self.squares[king_slot(self.turn.other())]),
            answers: Bitboard::FULL,
            lines: [Bitboard::FULL; MEN_MAX],
        };
        for slot in self.men.slots(self.turn.other()) {
            let (square, man) = (self.squares[slot], self.men.men[slot]);
            let reach = attacks::attacks(square, man, self.occupied.without(king));
            safety.danger |= reach;
            if reach.contains(king) {
                safety.answers &= attacks::between(king, square).with(square);
            } else if matches!(man.role, Role::Bishop | Role::Rook | Role::Queen) {
                self.pin(king, square, man, &mut safety);
            }
        }
        safety
    }

    /// Restricts the only man between our king and a slider, if it is ours.
    fn pin(&self, king: Square, slider: Square, man: Piece, safety: &mut LegalityMasks) {
        let between = attacks::between(king, slider);
        let Some(blocker) = (between & self.occupied).single_square() else {
            return;
        };
        if self.own.contains(blocker)
            && attacks::attacks(slider, man, Bitboard::EMPTY).contains(king)
        {
            let slot = self
                .men
                .slots(self.turn)
                .find(|&slot| self.squares[slot] == blocker)
                .expect("our man");
            safety.lines[slot] &= between.with(slider);
        }
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        let king = self.squares[king_slot(self.turn)];
        let mut enemies = self.men.slots(self.turn.other());
        enemies.any(|enemy| {
            attacks::attacks(self.squares[enemy], self.men.men[enemy], self.occupied).contains(king)
        })
    }

    /// Passes all legal moves except en passant to `visitor`.
    #[inline]
    pub fn moves(&self, visitor: &mut impl Visitor) {
        let safety = self.safety();
        let king = king_slot(self.turn);
        let targets = attacks::king_attacks(self.squares[king]) & !safety.danger & !self.own;
        self.piece_moves(king, targets, visitor);
        for slot in self.men.slots(self.turn) {
            let allowed = safety.answers & safety.lines[slot] & !self.own;
            if self.men.men[slot].role == Role::Pawn {
                self.pawn_moves(slot, allowed, visitor);
            } else {
                self.piece_moves(slot, self.attacks[slot] & allowed, visitor);
            }
        }
    }

    #[inline]
    fn piece_moves(&self, slot: usize, targets: Bitboard, visitor: &mut impl Visitor) {
        let quiet = targets & !self.occupied;
        if quiet.any() {
            visitor.quiet(slot, quiet);
        }
        for to in targets & self.occupied {
            visitor.exit(
                slot,
                to,
                Change {
                    captured: Some(self.enemy_at(to)),
                    promoted: None,
                },
            );
        }
    }

    fn enemy_at(&self, square: Square) -> usize {
        self.men
            .slots(self.turn.other())
            .find(|&slot| self.squares[slot] == square)
            .expect("an enemy man, not the king")
    }

    fn pawn_moves(&self, slot: usize, allowed: Bitboard, visitor: &mut impl Visitor) {
        let to = ahead(self.squares[slot], self.turn);
        if !self.occupied.contains(to) {
            if allowed.contains(to) {
                self.pawn_to(slot, to, None, visitor);
            }
            if self.turn.relative_rank(self.squares[slot].rank()) == Rank::Second {
                let far = ahead(to, self.turn);
                if allowed.contains(far) && !self.occupied.contains(far) {
                    visitor.double_step(slot, far, to);
                }
            }
        }
        for to in self.attacks[slot] & allowed & self.occupied {
            self.pawn_to(slot, to, Some(self.enemy_at(to)), visitor);
        }
    }

    fn pawn_to(
        &self,
        slot: usize,
        to: Square,
        captured: Option<usize>,
        visitor: &mut impl Visitor,
    ) {
        if self.turn.relative_rank(to.rank()) == Rank::Eighth {
            for role in 0..PROMOTIONS.len() {
                visitor.exit(
                    slot,
                    to,
                    Change {
                        captured,
                        promoted: Some((slot, role)),
                    },
                );
            }
        } else if captured.is_some() {
            visitor.exit(
                slot,
                to,
                Change {
                    captured,
                    promoted: None,
                },
            );
        } else {
            visitor.quiet(slot, to.into());
        }
    }

    /// Passes the legal en passant captures of the pawn that has just passed `over` to `visitor`. Returns whether
    /// there are any.
    pub fn en_passant(&self, over: Square, visitor: &mut impl Visitor) -> bool {
        let mut any = false;
        let passed = self.enemy_at(ahead(over, self.turn.other()));
        for slot in self.men.slots(self.turn) {
            if self.men.men[slot].role == Role::Pawn
                && self.attacks[slot].contains(over)
                && self.is_safe_after(slot, over, passed)
            {
                visitor.exit(
                    slot,
                    over,
                    Change {
                        captured: Some(passed),
                        promoted: None,
                    },
                );
                any = true;
            }
        }
        any
    }

    fn is_safe_after(&self, slot: usize, to: Square, captured: usize) -> bool {
        let occupied = self
            .occupied
            .without(self.squares[slot])
            .without(self.squares[captured])
            .with(to);
        let king = self.squares[king_slot(self.turn)];
        let mut enemies = self
            .men
            .slots(self.turn.other())
            .filter(|&enemy| enemy != captured);
        enemies.all(|enemy| {
            !attacks::attacks(self.squares[enemy], self.men.men[enemy], occupied).contains(king)
        })
    }

    /// Returns the squares that an enemy pawn may just have passed, with one of our pawns ready to take it.
    pub fn passed_squares(men: &Men, squares: Squares, turn: Color) -> Bitboard {
        let pawn = |slot: &usize| men.men[*slot].role == Role::Pawn;
        let occupied: Bitboard = squares[..men.count()].iter().copied().collect();
        let ours: Bitboard = men
            .slots(turn)
            .filter(pawn)
            .map(|slot| squares[slot])
            .collect();
        let mut passed = Bitboard::EMPTY;
        for slot in men.slots(turn.other()).filter(pawn) {
            let square = squares[slot];
            if turn.relative_rank(square.rank()) != Rank::Fifth {
                continue;
            }
            let over = ahead(square, turn);
            let free = !occupied.contains(over) && !occupied.contains(ahead(over, turn));
            if free && (attacks::pawn_attacks(turn.other(), over) & ours).any() {
                passed.add(over);
            }
        }
        passed
    }
}

/// Passes the unmoves of the side not to move to `visitor`, without promotions and captures: for each man the
/// possible origins. Double steps and the positions before them are not tested further.
#[inline]
pub fn unmoves(men: &Men, squares: Squares, turn: Color, visitor: &mut impl Visitor) {
    let mover = turn.other();
    let occupied: Bitboard = squares[..men.count()].iter().copied().collect();
    let king = king_slot(mover);
    let near =
        attacks::king_attacks(squares[king]) & !attacks::king_attacks(squares[king_slot(turn)]);
    visitor.quiet(king, near & !occupied);
    for slot in men.slots(mover) {
        let square = squares[slot];
        if men.men[slot].role != Role::Pawn {
            visitor.quiet(
                slot,
                attacks::attacks(square, men.men[slot], occupied) & !occupied,
            );
            continue;
        }
        if mover.relative_rank(square.rank()) == Rank::Second {
            continue;
        }
        let from = ahead(square, turn);
        if !occupied.contains(from) {
            visitor.quiet(slot, from.into());
            let start = ahead(from, turn);
            if mover.relative_rank(square.rank()) == Rank::Fourth && !occupied.contains(start) {
                visitor.double_step(slot, start, from);
            }
        }
    }
}

/// The square in front of `square` for `color`'s pawns, which must exist.
#[inline]
pub fn ahead(square: Square, color: Color) -> Square {
    Square::new(square.to_u32().wrapping_add(if color.is_white() {
        8
    } else {
        8u32.wrapping_neg()
    }))
}
