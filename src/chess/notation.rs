//! Text forms of positions and moves: FEN, UCI and SAN.
//!
//! The FEN reader accepts
//! - four to six fields; a missing halfmove clock is 0, a missing move number 1;
//! - X-FEN (`KQkq`) and Shredder-FEN (`HAha`) castling rights, in any order;
//! - castling rights without king and rook in place, and unusable en passant squares; both are dropped;
//! - any whitespace between the fields, and counters of any size (clamped).
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

/// The limit to which halfmove clocks are clamped; the game is drawn by then.
const HALFMOVES_MAX: u32 = 150;
/// The limit to which move numbers are clamped; no game is longer.
const FULLMOVES_MAX: u32 = 9_999;
/// The maximum length of text quoted in errors, in characters.
const QUOTE_MAX: usize = 100;

/// An error in a FEN.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// The number of fields is not four to six.
    #[error("a FEN has four to six fields, not {fields}: '{text}'")]
    Fields {
        /// The number of fields.
        fields: usize,
        /// The offending text.
        text: String,
    },
    /// A field cannot be read.
    #[error("{part}: '{text}'")]
    Syntax {
        /// The field.
        part: String,
        /// The offending text.
        text: String,
    },
    /// The fields can be read, but the position is illegal.
    #[error("illegal position ({reasons}): '{text}'")]
    Illegal {
        /// The rules violated, as text.
        reasons: String,
        /// The offending text.
        text: String,
    },
}

/// An error in a move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// The text is not a move.
    #[error("'{0}' is not a move")]
    Syntax(String),
    /// The move is illegal in the position.
    #[error("illegal move '{0}'")]
    Illegal(String),
    /// The text matches several legal moves.
    #[error("ambiguous move '{0}'")]
    Ambiguous(String),
}

/// The notation of castling in UCI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CastlingStyle {
    /// The king goes to the c or g file. Castling in Chess960 is still written as king takes rook, since the
    /// king's target could mean a king move.
    #[default]
    KingMoves,
    /// The king takes its own rook (option `UCI_Chess960`).
    KingTakesRook,
}

/// Reads a FEN in one of the forms listed in the module documentation.
///
/// # Errors
/// The text is not a FEN, or the position is illegal.
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

/// Writes a FEN of six fields, with X-FEN castling rights and an en passant square only if a capture is legal.
pub fn fen(position: &Position) -> String {
    Fen::from_position(position.chess(), EnPassantMode::Legal).to_string()
}

/// Reads a UCI move, with castling in both forms and promotions in either case.
///
/// # Errors
/// The text is not a move, or the move is illegal.
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

/// Returns the legal move between two squares, with castling in both forms.
fn move_of_uci(position: &Position, uci: UciMove) -> Option<Move> {
    let chess = position.chess();
    let mv = uci.to_move(chess).ok();
    mv.or_else(|| castling_by_target(chess, uci))
        .map(Move::from)
}

/// Reads an impossible king move to the c or g file as castling, as some programs write it in Chess960.
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

/// Writes a legal move in UCI notation.
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

/// Returns the board as text, White at the bottom.
pub fn diagram(position: &Position) -> String {
    board_of(|square| letter_at(position, square).to_string())
}

/// The letter of the man on a square, or a dot.
pub fn letter_at(position: &Position, square: Square) -> char {
    let piece = position.chess().board().piece_at(square);
    piece.map_or('.', Piece::char)
}

/// Returns a board with a text on each square, padded to equal width, White at the bottom.
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

/// Quotes text for an error: on one line, and at most `max` characters of it.
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
