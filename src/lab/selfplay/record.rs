//! A training position in 32 bytes.
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | occupied squares, bit 0 is a1, bit 63 is h8 |
//! | 8..24 | the men on these squares in the same order, 4 bits each, the low half of a byte first |
//! | 24..26 | score in centipawns, White's view |
//! | 26..28 | plies since move 1 of White |
//! | 28 | plies since the last capture or pawn move |
//! | 29 | White's half points: 0, 1, 2 |
//! | 30 | bit 7: Black is to move; bits 0 to 6: square of a legal en passant capture, 64 if there is none |
//! | 31 | 0 |
//!
//! Numbers are little-endian. A man is encoded as its role (pawn, knight, bishop, rook, queen, king from 0), plus
//! 6 for Black. 12 and 13 are a white and a black rook with castling rights.

use std::num::NonZeroU32;

use shakmaty::{
    Bitboard, Board, CastlingMode, Color, EnPassantMode, Piece, Position as _, Role, Setup, Square,
};

use crate::chess::Position;

/// The code of a white rook with castling rights; a black one has the next code.
const CASTLING_ROOK: u8 = 12;
/// Denotes that no en passant capture is legal.
const NO_SQUARE: u8 = 64;

/// A packed training position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedPosition([u8; Self::BYTES]);

/// An unpacked training position.
#[derive(Clone, Debug)]
pub struct TrainingPosition {
    /// The position. The side to move is not in check, and the move played was neither a capture nor a promotion.
    pub position: Position,
    /// The search score in centipawns, White's view.
    pub score_cp: i32,
    /// White's result: 0, 0.5 or 1.
    pub white: f32,
}

impl PackedPosition {
    /// Size of a record in bytes.
    pub const BYTES: usize = 32;

    /// Packs a position with its score in centipawns, White's view. The result is a draw until
    /// [`PackedPosition::set_result`].
    pub fn new(position: &Position, score_cp: i16) -> Self {
        let setup = position.chess().to_setup(EnPassantMode::Legal);
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&setup.board.occupied().0.to_le_bytes());
        for (at, square) in setup.board.occupied().into_iter().enumerate() {
            bytes[8 + at / 2] |= man(&setup, square) << (4 * (at % 2));
        }
        let plies = 2 * (setup.fullmoves.get() - 1) + setup.turn.fold_wb(0, 1);
        bytes[24..26].copy_from_slice(&score_cp.to_le_bytes());
        bytes[26..28].copy_from_slice(&(plies.min(u32::from(u16::MAX)) as u16).to_le_bytes());
        bytes[28] = setup.halfmoves.min(255) as u8;
        bytes[29] = 1;
        bytes[30] = setup.ep_square.map_or(NO_SQUARE, |square| square as u8)
            | setup.turn.fold_wb(0, 1 << 7);
        Self(bytes)
    }

    /// Sets the result of the game, in half points of White.
    pub fn set_result(&mut self, half_points: u8) {
        self.0[29] = half_points;
    }

    /// Returns the bytes of the record.
    pub const fn bytes(&self) -> &[u8; Self::BYTES] {
        &self.0
    }

    /// Creates a record from its bytes.
    pub const fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        Self(bytes)
    }

    /// Returns the occupied squares.
    pub fn occupied(&self) -> Bitboard {
        Bitboard(u64::from_le_bytes(self.part(0)))
    }

    /// Returns the men and their squares, starting at a1; `None` in place of an invalid man.
    pub fn men(&self) -> impl Iterator<Item = (Square, Option<Piece>)> {
        let codes = |at: usize| self.0[8 + at / 2 % 16] >> (4 * (at % 2)) & 15;
        let squares = self.occupied().into_iter().enumerate();
        squares.map(move |(at, square)| (square, piece(codes(at))))
    }

    /// Whether all men are valid and each side has one king. The position may still be illegal.
    pub fn is_sound(&self) -> bool {
        let mut kings = [0; 2];
        for (_, man) in self.men() {
            match man {
                Some(man) if man.role == Role::King => kings[man.color as usize] += 1,
                Some(_) => {}
                None => return false,
            }
        }
        kings == [1; 2] && self.occupied().count() <= 32 && self.0[29] <= 2
    }

    /// Returns the squares of the black and the white king. Meaningless if the record is not
    /// [sound](PackedPosition::is_sound).
    pub fn kings(&self) -> [Square; 2] {
        let mut kings = [Square::A1; 2];
        for (square, man) in self.men() {
            if let Some(man) = man.filter(|man| man.role == Role::King) {
                kings[man.color as usize] = square;
            }
        }
        kings
    }

    /// Returns the side to move.
    pub const fn turn(&self) -> Color {
        if self.0[30] >> 7 == 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// Returns the score in centipawns, White's view.
    pub fn score_cp(&self) -> i16 {
        i16::from_le_bytes(self.part(24))
    }

    /// Returns White's result: 0, 0.5 or 1.
    pub fn white(&self) -> f32 {
        f32::from(self.0[29]) / 2.0
    }

    /// Unpacks position, score and result; `None` if the position is illegal or the result invalid.
    pub fn sample(&self) -> Option<TrainingPosition> {
        let mut board = Board::empty();
        let mut castling_rights = Bitboard::EMPTY;
        for (at, (square, piece)) in self.men().enumerate() {
            board.set_piece_at(square, piece?);
            if self.0[8 + at / 2 % 16] >> (4 * (at % 2)) & 15 >= CASTLING_ROOK {
                castling_rights.add(square);
            }
        }
        let plies = u32::from(u16::from_le_bytes(self.part(26)));
        let setup = Setup {
            board,
            turn: self.turn(),
            castling_rights,
            ep_square: Square::try_from(self.0[30] & 127).ok(),
            halfmoves: u32::from(self.0[28]),
            fullmoves: NonZeroU32::MIN.saturating_add(plies / 2),
            ..Setup::empty()
        };
        let mode = CastlingMode::detect(&setup);
        Some(TrainingPosition {
            position: Position::new(setup.position(mode).ok()?),
            score_cp: i32::from(self.score_cp()),
            white: (self.0[29] <= 2).then(|| self.white())?,
        })
    }

    fn part<const N: usize>(&self, from: usize) -> [u8; N] {
        let part = self.0[from..from + N].try_into();
        part.expect("as many bytes as asked for")
    }
}

fn man(setup: &Setup, square: Square) -> u8 {
    let piece = setup.board.piece_at(square).expect("an occupied square");
    if setup.castling_rights.contains(square) {
        return CASTLING_ROOK + piece.color.fold_wb(0, 1);
    }
    piece.role as u8 - 1 + piece.color.fold_wb(0, 6)
}

fn piece(code: u8) -> Option<Piece> {
    let (color, role) = match code {
        0..6 => (Color::White, Role::ALL[usize::from(code)]),
        6..12 => (Color::Black, Role::ALL[usize::from(code) - 6]),
        CASTLING_ROOK => (Color::White, Role::Rook),
        13 => (Color::Black, Role::Rook),
        _ => return None,
    };
    Some(Piece { color, role })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::{fen, parse_fen};

    #[test]
    fn nothing_of_a_position_is_lost() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/5P2/PPPP2PP/RNBQKBNR b KQkq e3 0 3",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w Kq - 7 40",
            "8/8/8/8/8/4k3/4p3/4K3 b - - 99 180",
        ] {
            let mut record = PackedPosition::new(&parse_fen(text).unwrap(), -1_234);
            record.set_result(2);
            let sample = PackedPosition::from_bytes(*record.bytes())
                .sample()
                .unwrap();
            assert_eq!(fen(&sample.position), text);
            assert_eq!((sample.score_cp, sample.white), (-1_234, 1.0));
        }
    }

    #[test]
    fn rights_of_chess960_are_kept() {
        let text = "1r1k1b1r/pppppppp/8/8/8/8/PPPPPPPP/1R1K1B1R b KQkq - 0 1";
        let position = parse_fen(text).unwrap();
        let sample = PackedPosition::new(&position, 0).sample().unwrap();
        assert_eq!(sample.position.key(), position.key());
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let record = PackedPosition::new(&Position::initial(), 0);
        for (at, byte) in [(8, 0xFF), (10, 0x55), (29, 3), (0, 0)] {
            let mut bytes = *record.bytes();
            bytes[at] = byte;
            assert!(PackedPosition::from_bytes(bytes).sample().is_none(), "{at}");
            assert!(!PackedPosition::from_bytes(bytes).is_sound(), "{at}");
        }
    }
}
