//! Text for positions and moves: FEN, UCI moves, SAN.
//!
//! The reader of FEN accepts
//! - four to six fields; a missing halfmove clock is 0, a missing move number 1;
//! - X-FEN (`KQkq`) and Shredder-FEN (`HAha`) castling rights, in any order;
//! - castling rights without king and rook in place, and en passant squares nobody can take on: both are dropped;
//! - any number of blanks between the fields, and counters of any size (clamped).
//!
//! Everything else must be a legal position.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{
    CastlingMode, CastlingSide, Chess, EnPassantMode, File, FromSetup, Piece, Position as _,
    PositionErrorKinds, Rank, Role, Setup, Square,
};
use thiserror::Error;

use super::{Move, Position};

mod san;

pub use san::{legal_san, parse_san, san, standard_san, without_number};

/// Halfmove clocks beyond this say nothing more: the game was drawn at 100.
const HALFMOVES_MAX: u32 = 150;
/// Longer games than this do not exist; the counter is clamped.
const FULLMOVES_MAX: u32 = 9_999;
/// Offending text is quoted up to this many characters.
const QUOTE_MAX: usize = 100;

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// Not four to six fields.
    #[error("a FEN has four to six fields, not {fields}: '{text}'")]
    Fields {
        /// Their number.
        fields: usize,
        /// The offending text.
        text: String,
    },
    /// One of the fields cannot be read.
    #[error("{part}: '{text}'")]
    Syntax {
        /// Which field.
        part: String,
        /// The offending text.
        text: String,
    },
    /// The fields can be read, but not every law of chess is kept.
    #[error("illegal position ({reasons}): '{text}'")]
    Illegal {
        /// The laws broken, in words.
        reasons: String,
        /// The offending text.
        text: String,
    },
}

/// Why a text is not a move of a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// It does not look like a move.
    #[error("'{0}' is not a move")]
    Syntax(String),
    /// It looks like a move, but the position does not allow it.
    #[error("illegal move '{0}'")]
    Illegal(String),
    /// It could be one of several moves.
    #[error("ambiguous move '{0}'")]
    Ambiguous(String),
}

/// The form of castling in UCI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CastlingStyle {
    /// The king goes to the c or g file. From a Chess960 position this could mean a king's move, so there the rook is
    /// taken all the same.
    #[default]
    KingMoves,
    /// The king takes his rook (the option `UCI_Chess960`).
    KingTakesRook,
}

/// Reads a FEN; the list of what it tolerates heads this module.
///
/// # Errors
/// The text is no FEN, or the position breaks the laws of chess.
pub fn parse_fen(text: &str) -> Result<Position, FenError> {
    let fields = text.split_whitespace().count();
    if !(4..=6).contains(&fields) {
        return Err(FenError::Fields {
            fields,
            text: quote(text, QUOTE_MAX),
        });
    }
    let syntax = |part: String| FenError::Syntax {
        part,
        text: quote(text, QUOTE_MAX),
    };
    let normal = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fen = Fen::from_ascii(normal.as_bytes()).map_err(|error| syntax(error.to_string()))?;
    let mut setup = fen.into_setup();
    if setup.pockets.is_some() || setup.remaining_checks.is_some() || setup.promoted.any() {
        return Err(syntax("fields of another variant of chess".to_owned()));
    }
    clamp_counters(&mut setup);
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(shakmaty::PositionError::ignore_invalid_castling_rights)
        .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
        .map(Position::new)
        .map_err(|error| FenError::Illegal {
            reasons: reasons(error.kinds()),
            text: quote(text, QUOTE_MAX),
        })
}

/// Writes a FEN of six fields; castling rights as X-FEN, the en passant square only where it can be used.
pub fn fen(position: &Position) -> String {
    Fen::from_position(position.chess(), EnPassantMode::Legal).to_string()
}

/// Reads a move as UCI writes it. Castling is understood in both forms, and upper case for a promotion too.
///
/// # Errors
/// The text is no move, or not a legal one here.
pub fn parse_uci_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let lower = text.to_ascii_lowercase();
    let uci: UciMove = lower
        .parse()
        .map_err(|_| MoveError::Syntax(quote(text, QUOTE_MAX)))?;
    if uci.is_put() || uci.is_null() {
        return Err(MoveError::Illegal(quote(text, QUOTE_MAX)));
    }
    move_of_uci(position, uci).ok_or_else(|| MoveError::Illegal(quote(text, QUOTE_MAX)))
}

/// The legal move between two squares, castling in both forms.
fn move_of_uci(position: &Position, uci: UciMove) -> Option<Move> {
    let chess = position.chess();
    let mv = uci.to_move(chess).ok();
    mv.or_else(|| castling_by_target(chess, uci))
        .map(Move::from)
}

/// A king's move to the c or g file that no king's move can be, from a Chess960 position: castling all the same.
fn castling_by_target(chess: &Chess, uci: UciMove) -> Option<shakmaty::Move> {
    let UciMove::Normal {
        from,
        to,
        promotion: None,
    } = uci
    else {
        return None;
    };
    let king = Piece {
        color: chess.turn(),
        role: Role::King,
    };
    let side = if to == CastlingSide::KingSide.king_to(chess.turn()) {
        CastlingSide::KingSide
    } else if to == CastlingSide::QueenSide.king_to(chess.turn()) {
        CastlingSide::QueenSide
    } else {
        return None;
    };
    let rook = chess.castles().rook(chess.turn(), side)?;
    let mv = shakmaty::Move::Castle { king: from, rook };
    (chess.board().piece_at(from) == Some(king) && chess.is_legal(mv)).then_some(mv)
}

/// Writes a legal move as UCI does.
pub fn uci_move(position: &Position, mv: Move, style: CastlingStyle) -> String {
    let mv = position.unpack(mv);
    let plain = match mv {
        shakmaty::Move::Castle { king, rook } => {
            style == CastlingStyle::KingMoves
                && king.file().char() == 'e'
                && matches!(rook.file().char(), 'a' | 'h')
        }
        _ => true,
    };
    let mode = if plain {
        CastlingMode::Standard
    } else {
        CastlingMode::Chess960
    };
    UciMove::from_move(mv, mode).to_string()
}

/// The board in letters, white at the bottom, for people.
pub fn diagram(position: &Position) -> String {
    board_of(|square| letter_at(position, square).to_string())
}

/// The letter of the man on a square, or a dot.
pub fn letter_at(position: &Position, square: Square) -> char {
    let piece = position.chess().board().piece_at(square);
    piece.map_or('.', Piece::char)
}

/// A board of texts, white at the bottom, for people; all are as wide as the widest.
pub fn board_of(text: impl Fn(Square) -> String) -> String {
    let texts = Square::ALL.map(text);
    let width = texts
        .iter()
        .map(|text| text.chars().count())
        .max()
        .unwrap_or(1);
    let row = |name: char, texts: &[String]| {
        let cells = texts.iter().map(|text| format!(" {text:>width$}"));
        cells.fold(name.to_string(), |row, cell| row + &cell)
    };
    let files = File::ALL.map(|file| file.char().to_string());
    let ranks = Rank::ALL
        .into_iter()
        .zip(texts.chunks(File::ALL.len()))
        .rev();
    let rows = ranks.map(|(rank, texts)| row(rank.char(), texts));
    rows.chain([row(' ', &files)])
        .collect::<Vec<_>>()
        .join("\n")
}

fn clamp_counters(setup: &mut Setup) {
    setup.halfmoves = setup.halfmoves.min(HALFMOVES_MAX);
    if setup.fullmoves.get() > FULLMOVES_MAX {
        setup.fullmoves = std::num::NonZeroU32::MIN.saturating_add(FULLMOVES_MAX - 1);
    }
}

/// Every law broken, in words.
fn reasons(kinds: PositionErrorKinds) -> String {
    let words = [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (PositionErrorKinds::TOO_MANY_KINGS, "too many kings"),
        (
            PositionErrorKinds::PAWNS_ON_BACKRANK,
            "a pawn stands on the first or last rank",
        ),
        (
            PositionErrorKinds::OPPOSITE_CHECK,
            "the side not to move is in check",
        ),
        (
            PositionErrorKinds::IMPOSSIBLE_CHECK,
            "no move can have given this check",
        ),
        (
            PositionErrorKinds::TOO_MUCH_MATERIAL,
            "more men than promotions allow",
        ),
    ];
    let broken: Vec<_> = words
        .into_iter()
        .filter(|(kind, _)| kinds.contains(*kind))
        .map(|(_, word)| word)
        .collect();
    if broken.is_empty() {
        "against the rules".to_owned()
    } else {
        broken.join(", ")
    }
}

/// The text as an error quotes it: up to `max` characters, and on one line.
pub fn quote(text: &str, max: usize) -> String {
    let mut quoted: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(max)
        .collect();
    if text.chars().nth(max).is_some() {
        quoted.push_str("...");
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn fens_come_back_as_they_went() {
        for text in [
            KIWIPETE,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/8/8/8/8/8/8/K1k4R b - - 99 80",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ] {
            assert_eq!(fen(&parse_fen(text).unwrap()), text);
        }
    }

    #[test]
    fn tolerates_what_programs_write() {
        let read = |text: &str| fen(&parse_fen(text).unwrap());
        assert_eq!(
            read("  8/8/8/8/8/8/8/K1k4R   b - -  "),
            "8/8/8/8/8/8/8/K1k4R b - - 0 1"
        );
        assert_eq!(
            read("8/8/8/8/8/8/K7/2k4R b KQkq e3 5"),
            "8/8/8/8/8/8/K7/2k4R b - - 5 1"
        );
        assert_eq!(
            read("8/8/8/8/8/8/8/K1k4R b - - 4294967299 99999"),
            "8/8/8/8/8/8/8/K1k4R b - - 150 9999"
        );
        assert_eq!(read(&KIWIPETE.replace("KQkq", "HAha")), KIWIPETE);
        assert_eq!(read(&KIWIPETE.replace("KQkq", "qkQK")), KIWIPETE);
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let wrong = |text: &str| parse_fen(text).unwrap_err().to_string();
        assert!(wrong("").contains("not 0"));
        assert!(wrong("8/8/8/8/8/8/8/K1k4R b").contains("not 2"));
        assert!(wrong("8/8/8/8/8/8/K1k4R b - - 0 1").contains("board"));
        assert!(wrong("8/8/8/8/8/8/8/K1k4R x - - 0 1").contains("turn"));
        assert!(wrong("8/8/8/8/8/8/8/K1k4R b X - 0 1").contains("castling"));
        assert!(wrong("8/8/8/8/8/8/8/K1k4R b - e9 0 1").contains("ep square"));
        assert!(wrong("8/8/8/8/8/8/8/K1k4R b - - -1 1").contains("halfmove"));
        assert!(wrong("8/8/8/8/8/8/8/K6R b - - 0 1").contains("a king is missing"));
        assert!(wrong("8/8/8/8/8/8/8/K1k4P b - - 0 1").contains("a pawn stands"));
        assert!(wrong("8/8/8/8/8/8/8/K1k4R w - - 0 1").contains("not to move is in check"));
        assert!(wrong("8/8/8/8/8/8/8/K1k4R[Q] b - - 0 1").contains("variant"));
        assert!(wrong(&"x".repeat(1_000)).len() < 200);
    }

    #[test]
    fn both_forms_of_castling_are_read() {
        let position = parse_fen(KIWIPETE).unwrap();
        let short = parse_uci_move(&position, "e1g1").unwrap();
        assert_eq!(parse_uci_move(&position, "e1h1"), Ok(short));
        assert_eq!(uci_move(&position, short, CastlingStyle::KingMoves), "e1g1");
        assert_eq!(
            uci_move(&position, short, CastlingStyle::KingTakesRook),
            "e1h1"
        );
    }

    #[test]
    fn chess960_castling_is_unmistakable() {
        let position = parse_fen("6k1/8/8/8/8/8/8/RK5R w HA - 0 1").unwrap();
        let short = parse_uci_move(&position, "b1g1").unwrap();
        assert_eq!(parse_uci_move(&position, "b1h1"), Ok(short));
        assert_eq!(uci_move(&position, short, CastlingStyle::KingMoves), "b1h1");
        assert_eq!(
            san(&position, parse_uci_move(&position, "b1a1").unwrap()),
            "O-O-O"
        );
        assert_eq!(
            san(&position, parse_uci_move(&position, "b1c1").unwrap()),
            "Kc1"
        );
    }

    #[test]
    fn moves_that_are_none_are_refused() {
        let position = Position::initial();
        for text in ["", "e2", "e2e9", "e2e4q5", "N@f3x", "é2e4", "e2–e4"] {
            assert!(
                matches!(parse_uci_move(&position, text), Err(MoveError::Syntax(_))),
                "{text}"
            );
        }
        for text in ["0000", "e2e5", "e1g1", "e7e5", "N@f3", "e2e4q", "a1a1"] {
            assert!(
                matches!(parse_uci_move(&position, text), Err(MoveError::Illegal(_))),
                "{text}"
            );
        }
    }

    #[test]
    fn every_legal_move_is_read_as_written() {
        for text in [
            KIWIPETE,
            "nrk2r2/P4ppp/8/3pP3/8/8/5PPP/NRK2R2 w FBfb d6 0 9",
        ] {
            let position = parse_fen(text).unwrap();
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            for mv in moves {
                for style in [CastlingStyle::KingMoves, CastlingStyle::KingTakesRook] {
                    assert_eq!(
                        parse_uci_move(&position, &uci_move(&position, mv, style)),
                        Ok(mv)
                    );
                }
                assert_eq!(parse_san(&position, &san(&position, mv)), Ok(mv));
            }
        }
    }

    #[test]
    fn the_diagram_has_white_below() {
        let drawn = diagram(&parse_fen(KIWIPETE).unwrap());
        assert!(drawn.starts_with("8 r . . . k . . r\n7 p . p p q p b .\n"));
        assert!(drawn.ends_with("1 R . . . K . . R\n  a b c d e f g h"));
    }
}
