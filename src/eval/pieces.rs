//! Mobility, placement and attacks of the pieces.

use shakmaty::{Bitboard, Board, Color, Rank, Role, Square, attacks};

use super::bits::{self, ahead, fill_ahead, fill_files};
use super::weights::{Danger, Weights};
use super::{Tapered, king, squares};

/// The attacks of one side.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideAttacks {
    /// By role, pawn first.
    pub(super) attacks: [Bitboard; 6],
    /// Attacked by anything.
    pub(super) all: Bitboard,
    /// Attacked at least twice.
    pub(super) twice: Bitboard,
    /// The own king.
    pub(super) king: Square,
    /// The zone around it that must be safe.
    pub(super) zone: Bitboard,
    /// Pieces that attack the enemy king's zone.
    pub(super) zone_attackers: i32,
    /// Units of that attack.
    pub(super) zone_units: i32,
}

/// The attacks of both sides, collected while the pieces are evaluated.
pub(super) struct AttackMaps<'a> {
    pub(super) board: &'a Board,
    pub(super) occupied: Bitboard,
    /// Black, White.
    pub(super) sides: [SideAttacks; 2],
}

impl SideAttacks {
    fn new(board: &Board, color: Color) -> Self {
        let king = board.king_of(color).expect("each side has a king");
        let pawns = board.pawns() & board.by_color(color);
        let pawn_attacks = bits::pawn_attacks(color, pawns);
        let king_attacks = attacks::king_attacks(king);
        let mut attacks = [Bitboard::EMPTY; 6];
        attacks[0] = pawn_attacks;
        attacks[5] = king_attacks;
        Self {
            attacks,
            all: pawn_attacks | king_attacks,
            twice: bits::pawn_attacks_twice(color, pawns) | (pawn_attacks & king_attacks),
            king,
            zone: king::zone(king, color),
            zone_attackers: 0,
            zone_units: 0,
        }
    }

    fn add(&mut self, role: Role, squares: Bitboard) {
        self.attacks[role as usize - 1] |= squares;
        self.twice |= self.all & squares;
        self.all |= squares;
    }
}

impl<'a> AttackMaps<'a> {
    pub(super) fn new(board: &'a Board) -> Self {
        let sides = [
            SideAttacks::new(board, Color::Black),
            SideAttacks::new(board, Color::White),
        ];
        Self {
            board,
            occupied: board.occupied(),
            sides,
        }
    }

    /// Evaluates the pieces of `color`, own view, and records their attacks.
    pub(super) fn pieces(&mut self, color: Color, weights: &Weights) -> Tapered {
        let own = self.board.by_color(color);
        let pawns = self.board.pawns() & own;
        // Blocked pawns, the king and squares of enemy pawns are no room to move.
        let blocked = pawns & ahead(!color, self.occupied);
        let room = !(blocked
            | self.sides[!color as usize].attacks[0]
            | Bitboard::from(self.sides[color as usize].king));
        let mut score = Tapered::ZERO;
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for square in self.board.by_role(role) & own {
                let reach = self.reach(role, color, square);
                self.note_zone(role, color, reach, &weights.danger);
                self.sides[color as usize].add(role, reach);
                score += mobility(weights, role, (reach & room).count());
                score += squares::value(weights, role, color, square);
            }
        }
        score += squares::value(weights, Role::King, color, self.sides[color as usize].king);
        score + self.minors(color, weights) + self.rooks(color, weights)
    }

    /// Sliders see through own pieces that move the same way.
    fn reach(&self, role: Role, color: Color, square: Square) -> Bitboard {
        let own = self.board.by_color(color);
        match role {
            Role::Knight => attacks::knight_attacks(square),
            Role::Bishop => {
                attacks::bishop_attacks(square, self.occupied ^ (self.board.queens() & own))
            }
            Role::Rook => attacks::rook_attacks(
                square,
                self.occupied ^ (self.board.rooks_and_queens() & own),
            ),
            _ => attacks::queen_attacks(square, self.occupied),
        }
    }

    fn note_zone(&mut self, role: Role, color: Color, reach: Bitboard, weights: &Danger) {
        let hits = (reach & self.sides[!color as usize].zone).count() as i32;
        if hits > 0 {
            let side = &mut self.sides[color as usize];
            side.zone_attackers += 1;
            side.zone_units += weights.attacker[role as usize - 2] + weights.zone_attack[0] * hits;
        }
    }

    fn minors(&self, color: Color, weights: &Weights) -> Tapered {
        let (board, own) = (self.board, self.board.by_color(color));
        let (pawns, enemy_pawns) = (board.pawns() & own, board.pawns() & !own);
        let (knights, bishops) = (board.knights() & own, board.bishops() & own);
        let far = bits::rank(color, Rank::Fourth)
            | bits::rank(color, Rank::Fifth)
            | bits::rank(color, Rank::Sixth);
        let contestable = fill_ahead(!color, bits::pawn_attacks(!color, enemy_pawns));
        let outposts = far & self.sides[color as usize].attacks[0] & !contestable;
        let mut score = weights.outpost[0] * (knights & outposts).count() as i32
            + weights.outpost[1] * (bishops & outposts).count() as i32
            + weights.minor_behind_pawn[0]
                * ((knights | bishops) & ahead(!color, board.pawns())).count() as i32;
        if bishops.more_than_one() {
            score += weights.bishop_pair[0];
        }
        for square in bishops {
            let same = if square.is_light() {
                Bitboard::LIGHT_SQUARES
            } else {
                Bitboard::DARK_SQUARES
            };
            score += weights.bishop_pawns[0] * (pawns & same).count() as i32;
        }
        score
    }

    fn rooks(&self, color: Color, weights: &Weights) -> Tapered {
        let (board, own) = (self.board, self.board.by_color(color));
        let rooks = board.rooks() & own;
        let without_own = rooks & !fill_files(board.pawns() & own);
        let open = without_own & !fill_files(board.pawns());
        weights.rook_file[0] * (without_own & !open).count() as i32
            + weights.rook_file[1] * open.count() as i32
            + weights.rook_seventh[0] * (rooks & bits::rank(color, Rank::Seventh)).count() as i32
    }
}

fn mobility(weights: &Weights, role: Role, squares: usize) -> Tapered {
    match role {
        Role::Knight => weights.knight_mobility[squares],
        Role::Bishop => weights.bishop_mobility[squares],
        Role::Rook => weights.rook_mobility[squares],
        _ => weights.queen_mobility[squares],
    }
}
