//! Boards as SVG. The men are symbols that the frame of a page defines once.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use shakmaty::{Color, File, Position as _, Rank, Role, Square};

use crate::chess::notation::{CastlingStyle, fen, uci_move};
use crate::chess::{Move, Position};

/// Width of a square, in units of the drawing.
const SIDE: u32 = 45;

/// The data for drawing a position by script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Diagram {
    /// The first field of the FEN.
    pub men: String,
    /// The last move in UCI notation, castling as king takes rook; empty if there is none.
    pub last: String,
}

impl Diagram {
    /// The position after playing `mv` in `before`.
    pub fn after(before: &Position, mv: Move) -> Self {
        Self {
            men: men(&before.after(mv)),
            last: uci_move(before, mv, CastlingStyle::KingTakesRook),
        }
    }

    /// A position without a last move.
    pub fn of(position: &Position) -> Self {
        Self {
            men: men(position),
            last: String::new(),
        }
    }
}

/// The men of a position: the first field of its FEN.
pub(super) fn men(position: &Position) -> String {
    let fen = fen(position);
    fen.split(' ').next().unwrap_or_default().to_owned()
}

/// Draws a position with the side `bottom` at the bottom and the squares of `marked` highlighted.
pub(super) fn svg(position: &Position, bottom: Color, marked: Option<Move>) -> String {
    let marked = marked.map(|mv| [mv.origin(), mv.destination()]);
    let mut text = format!(
        "<svg class=\"board\" viewBox=\"0 0 {0} {0}\" role=\"img\" aria-label=\"{1}\">",
        8 * SIDE,
        description(position)
    );
    // Writing to a string cannot fail, here and below.
    let _ = write!(text, "<use href=\"#S\" class=\"s\"/>");
    for square in marked.into_iter().flatten() {
        let (x, y) = corner(square, bottom);
        let _ = write!(
            text,
            "<rect class=\"m\" x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\"/>"
        );
    }
    text.push_str(&coordinates(bottom));
    for (square, man) in position.chess().board() {
        let (x, y) = corner(square, bottom);
        let (symbol, side) = (man.role.upper_char(), man.color.fold_wb("w", "b"));
        let _ = write!(
            text,
            "<use href=\"#{symbol}\" class=\"{side}\" x=\"{x}\" y=\"{y}\"/>"
        );
    }
    text.push_str("</svg>");
    text
}

fn corner(square: Square, bottom: Color) -> (u32, u32) {
    let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
    let (column, row) = bottom.fold_wb((file, 7 - rank), (7 - file, rank));
    (column * SIDE, row * SIDE)
}

fn coordinates(bottom: Color) -> String {
    let mut text = String::new();
    let edge = bottom.fold_wb((File::A, Rank::First), (File::H, Rank::Eighth));
    for file in File::ALL {
        let (x, y) = corner(Square::from_coords(file, edge.1), bottom);
        let _ = write!(
            text,
            "<text x=\"{}\" y=\"{}\">{file}</text>",
            x + SIDE - 8,
            y + SIDE - 3
        );
    }
    for rank in Rank::ALL {
        let (x, y) = corner(Square::from_coords(edge.0, rank), bottom);
        let _ = write!(text, "<text x=\"{}\" y=\"{}\">{rank}</text>", x + 2, y + 10);
    }
    text
}

/// The position as text, for screen readers.
fn description(position: &Position) -> String {
    let board = position.chess().board();
    let side = |color: Color| {
        let name = |role: Role| match role {
            Role::Pawn => String::new(),
            role => role.upper_char().to_string(),
        };
        let roles = Role::ALL.into_iter().rev();
        let men = roles.flat_map(|role| {
            let squares = board.by_piece(role.of(color)).into_iter();
            squares.map(move |square| format!("{}{square}", name(role)))
        });
        men.collect::<Vec<_>>().join(" ")
    };
    let turn = position.chess().turn().fold_wb("White", "Black");
    let (white, black) = (side(Color::White), side(Color::Black));
    format!("White: {white}. Black: {black}. {turn} to move.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;

    #[test]
    fn boards_are_seen_from_each_side() {
        let position = parse_fen("4k3/8/8/8/8/8/P7/4K2R w K - 0 1").unwrap();
        let white = svg(&position, Color::White, None);
        assert!(white.contains("<use href=\"#R\" class=\"w\" x=\"315\" y=\"315\"/>"));
        assert!(white.contains("White: Ke1 Rh1 a2. Black: Ke8. White to move."));
        let black = svg(&position, Color::Black, None);
        assert!(black.contains("<use href=\"#R\" class=\"w\" x=\"0\" y=\"0\"/>"));
        assert!(black.contains("<use href=\"#P\" class=\"w\" x=\"315\" y=\"45\"/>"));
        let mv = crate::chess::notation::parse_uci_move(&position, "a2a4").unwrap();
        let marked = svg(&position, Color::White, Some(mv));
        assert_eq!(marked.matches("<rect class=\"m\"").count(), 2);
        assert!(marked.contains("<rect class=\"m\" x=\"0\" y=\"270\""), "a2");
    }
}
