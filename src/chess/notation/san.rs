//! Standard algebraic notation (SAN) with a tolerant reader.
//!
//! The reader accepts
//! - a move number before (`1.e4`) and signs after the move (`+ ++ # ! ?`, `e.p.`),
//! - castling with zeros, promotion without `=` or in brackets (`e8Q`, `e8(Q)`),
//! - long forms with or without hyphen or dash (`e2-e4`, `Ng1f3`), and UCI moves (`b1c3`, `e7e8q`, `e1g1`),
//! - captures without `x` (`ed5`), with a colon, or with `x` where nothing is captured.
//!
//! A null move is `--`, `Z0`, `@@@@`, `0000`, `null` or `pass`; the first is the standard form.

use shakmaty::san::{San, SanError, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{Role, Square};

use super::{MoveError, QUOTE_MAX, move_of_uci, quote};
use crate::chess::{Move, Position};

const NULL_MOVE: &str = "--";

/// Reads a move in one of the forms listed in the module documentation.
///
/// # Errors
/// The text is not a move, or matches no legal move or several.
pub fn parse_san(position: &Position, text: &str) -> Result<Move, MoveError> {
    let syntax = || MoveError::Syntax(quote(text, QUOTE_MAX));
    let standard = standard_san(text).ok_or_else(syntax)?;
    let san = standard.parse().map_err(|_| syntax())?;
    legal_san(position, san, text)
}

/// Writes a legal move in SAN, with its check or mate sign.
pub fn san(position: &Position, mv: Move) -> String {
    SanPlus::from_move(position.chess().clone(), position.unpack(mv)).to_string()
}

fn is_null_move(word: &str) -> bool {
    let others = ["Z0", "@@@@", "0000", "null", "pass"];
    word == NULL_MOVE || others.iter().any(|each| each.eq_ignore_ascii_case(word))
}

/// Strips the move number from a word; nothing remains of a number alone.
pub fn without_number(word: &str) -> &str {
    if is_null_move(word) {
        return word;
    }
    let unnumbered = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match unnumbered.strip_prefix('.') {
        Some(after) => after.trim_start_matches('.'),
        None if unnumbered.is_empty() => "",
        None => word,
    }
}

/// Returns the SAN of a move, legal or not, without number and signs; `None` if the word is not a move.
pub fn standard_san(word: &str) -> Option<String> {
    let word = word.replace('–', "-");
    let bare = without_number(&word).trim_end_matches(['+', '#', '!', '?']);
    let suffix = ["e.p.", "e.p", "ep"]
        .iter()
        .find_map(|sign| bare.strip_suffix(sign));
    let bare = suffix.unwrap_or(bare);
    let is_castling =
        bare.len() > 1 && bare.contains('-') && bare.chars().all(|c| "0Oo-".contains(c));
    let standard = if is_null_move(bare) {
        NULL_MOVE.to_owned()
    } else if is_castling {
        bare.replace(['0', 'o'], "O")
    } else {
        with_promotion(&bare.replace('-', "").replace(':', "x"))
    };
    standard.parse::<San>().ok().map(|_| standard)
}

/// Writes a promotion with `=` before the piece; returns any other text unchanged.
fn with_promotion(text: &str) -> String {
    let bare = text.trim_end_matches(')');
    let piece = bare.chars().next_back().filter(|c| "QRBNqrbn".contains(*c));
    let before = piece.and_then(|piece| bare.strip_suffix(piece));
    let target = before.map(|before| before.trim_end_matches(['(', '/', '=']));
    match (piece, target) {
        (Some(piece), Some(target)) if target.ends_with(['1', '8']) => {
            format!("{target}={}", piece.to_ascii_uppercase())
        }
        _ => text.to_owned(),
    }
}

/// Returns the legal move denoted by `san`; errors quote `text`.
///
/// # Errors
/// The SAN matches no legal move or several.
pub fn legal_san(position: &Position, san: San, text: &str) -> Result<Move, MoveError> {
    match san.to_move(position.chess()) {
        Ok(mv) => Ok(mv.into()),
        Err(SanError::AmbiguousSan) => Err(MoveError::Ambiguous(quote(text, QUOTE_MAX))),
        Err(SanError::IllegalSan) => {
            tolerated(position, san).ok_or_else(|| MoveError::Illegal(quote(text, QUOTE_MAX)))
        }
    }
}

/// Reads two squares as a move of any piece on the first, and ignores a wrong capture sign.
fn tolerated(position: &Position, san: San) -> Option<Move> {
    let San::Normal {
        role,
        file,
        rank,
        capture,
        to,
        promotion,
    } = san
    else {
        return None;
    };
    if let (Role::Pawn, Some(file), Some(rank)) = (role, file, rank) {
        let uci = UciMove::Normal {
            from: Square::from_coords(file, rank),
            to,
            promotion,
        };
        return move_of_uci(position, uci);
    }
    let other = San::Normal {
        role,
        file,
        rank,
        capture: !capture,
        to,
        promotion,
    };
    other.to_move(position.chess()).ok().map(Move::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn signs_are_tolerated_and_doubt_is_refused() {
        let position = parse_fen(KIWIPETE).unwrap();
        assert_eq!(parse_san(&position, "0-0!?"), parse_san(&position, "O-O"));
        assert!(parse_san(&position, "Nb1+").is_ok());
        for text in ["Bf9", "", "-", "0", "12", "1...", "x", "é4", "e4e"] {
            let read = parse_san(&position, text);
            assert!(
                matches!(read, Err(MoveError::Syntax(_))),
                "{text}: {read:?}"
            );
        }
        for text in ["Ra8", "--", "Z0", "e1e3", "N@f3", "exd8=Q"] {
            let read = parse_san(&position, text);
            assert!(
                matches!(read, Err(MoveError::Illegal(_))),
                "{text}: {read:?}"
            );
        }
        let rooks = parse_fen("6k1/8/8/8/8/8/K7/R6R w - - 0 1").unwrap();
        assert!(matches!(
            parse_san(&rooks, "Rd1"),
            Err(MoveError::Ambiguous(_))
        ));
    }

    #[test]
    fn other_spellings_are_the_same_move() {
        let kiwipete = parse_fen(KIWIPETE).unwrap();
        let pawns = parse_fen("3r4/4P1k1/8/2pP4/8/8/8/4K3 w - c6 0 1").unwrap();
        for (position, standard, others) in [
            (
                &kiwipete,
                "O-O",
                &["0-0", "0–0", "o-o", "e1g1", "e1h1", "7.O-O", "7...0-0+"][..],
            ),
            (
                &kiwipete,
                "dxe6",
                &["de6", "d5e6", "d5-e6", "d:e6", "d5xe6"],
            ),
            (
                &kiwipete,
                "Nxd7",
                &["Nd7", "e5d7", "Ne5xd7", "Ne5-d7", "Ne5:d7"],
            ),
            (&kiwipete, "a4", &["a2a4", "a2-a4", "a2–a4", "1.a4"]),
            (
                &pawns,
                "dxc6",
                &["dc6", "d5c6", "dxc6e.p.", "dxc6ep", "dc6e.p."],
            ),
            (
                &pawns,
                "exd8=Q",
                &[
                    "exd8Q", "ed8Q", "exd8(Q)", "exd8/Q", "e7d8q", "e7xd8=q", "e7-d8Q",
                ],
            ),
            (&pawns, "exd8=N", &["ed8N", "e7d8n"]),
        ] {
            let mv = parse_san(position, standard).unwrap();
            for other in others {
                assert_eq!(parse_san(position, other), Ok(mv), "{other}");
            }
        }
    }
}
