//! Portable Game Notation (PGN), read and [written](write()): games with tags, comments, glyphs and variations.
//!
//! The reader is tolerant about input and strict about output: each game is complete, or an error gives the line.
//! Beyond the standard it accepts
//! - files in Windows-1252, with a byte order mark, or with any line ends (see [`decode`](super::text::decode)),
//! - spaces around tags, quotation marks in tags, several tags on a line, blank lines anywhere, and consecutive
//!   games without blank lines or without tags between them,
//! - moves next to comments, glyphs and brackets, castling with zeros, and everything else [`parse_san`] accepts,
//! - signs such as `+-` and `±` between moves as glyphs, and results in variations, which are ignored.
//!
//! [`parse_san`]: super::notation::parse_san

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod draft;
mod game;
mod glyph;
mod visitor;
mod writer;

pub use game::{Game, Outcome, PgnError, Ply, Variation};
pub use glyph::sign;
pub use writer::write;

/// Reads the games of a text one after the other.
pub fn games(text: &str) -> impl Iterator<Item = Result<Game, PgnError>> {
    draft::Drafts::of(text).map(|draft| visitor::read(&draft?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::fen;

    fn read(text: &str) -> Result<Vec<Game>, PgnError> {
        games(text).collect()
    }

    fn lengths(text: &str) -> Vec<usize> {
        let games = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        games.iter().map(|game| game.plies.len()).collect()
    }

    fn refusal(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn every_spelling_of_a_game_is_read() {
        for (text, plies) in [
            ("1. e4 e5 2. Nf3 Nc6 3. Bb5*", 5),
            ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 *", 8),
            ("e4{best}e5", 2),
            ("1.e4$1e5(1... c5)2.Nf3", 3),
            ("1 e4 e5 2 Nf3!? Nc6?! 1/2-1/2", 4),
            ("1. e4 ; king's pawn {\n1... e5", 2),
            (
                "1. e4 {a comment\n[with a line\n\n that looks like a tag]} e5",
                2,
            ),
            ("1. e4\n\n1... e5\n\n\n2. Nf3", 3),
            ("1. e2-e4 e7e5 2. Ng1-f3 Nb8c6", 4),
            ("1.e4 d5 2.ed5 Qxd5 3.Nc3 Qa5++", 6),
            ("% escaped\n1. e4 c6 2. e5 d5 3. exd6 e.p. exd6", 6),
            ("", 0),
        ] {
            let expected = if text.is_empty() { vec![] } else { vec![plies] };
            assert_eq!(lengths(text), expected, "{text}");
        }
    }

    #[test]
    fn games_are_kept_apart_however_they_follow() {
        let one = "[Event \"a\"]\n[Result \"*\"]\n";
        for (text, plies) in [
            (format!("{one}\n1. e4 *\n\n{one}\n1. d4 d5 *\n"), vec![1, 2]),
            (format!("{one}1. e4 *\n{one}1. d4 d5 *"), vec![1, 2]),
            (format!("{one}\n1. e4\n{one}\n1. d4 d5"), vec![1, 2]),
            (format!("{one}\n\n{one}1. d4 d5"), vec![0, 2]),
            (format!("{one}\n{one}\n"), vec![0, 0]),
            (
                "1. e4 e5 1-0 1. d4 0-1 {well played}\n1. c4 *".to_owned(),
                vec![2, 1, 1],
            ),
            (
                "[A \"1\"] [B \"2\"]\n1. e4\n\n[A \"1\"]\n* ".to_owned(),
                vec![1, 0],
            ),
        ] {
            assert_eq!(lengths(&text), plies, "{text}");
        }
    }

    #[test]
    fn tags_are_read_with_their_blanks_and_quotation_marks() {
        let text = "  [White \"Joe \"Cool\" X\"] \n[Black \"a \\\"b\\\" \\\\\"]\t\n\
                    [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 3 9\"]  \n\n9. O-O Kd7 1-0\n";
        let game = &read(text).unwrap()[0];
        assert_eq!(game.tag("White"), Some("Joe \"Cool\" X"));
        assert_eq!(game.tag("Black"), Some("a \"b\" \\"));
        assert_eq!(fen(&game.start), "4k3/8/8/8/8/8/8/4K2R w K - 3 9");
        assert_eq!((game.line, game.plies.len()), (1, 2));
        assert_eq!(game.outcome, Outcome::White);
    }

    #[test]
    fn remarks_are_kept_where_they_stand() {
        let text = "{before} 1. e4! {one} {two} ( {or} 1. d4 d5 (1... Nf6 $6) 2. c4 ) (1. --) e5 ; last }\n*";
        let game = &read(text).unwrap()[0];
        assert_eq!(game.comments, ["before"]);
        let first = &game.plies[0];
        assert_eq!(first.comments, ["one", "two"]);
        assert_eq!(first.glyphs, [1]);
        assert_eq!(first.variations.len(), 2);
        assert_eq!(first.variations[0].comments, ["or"]);
        assert_eq!(first.variations[0].plies.len(), 3);
        let inner = &first.variations[0].plies[1].variations[0].plies;
        assert_eq!((inner.len(), &inner[0].glyphs[..]), (1, &[6][..]));
        assert_eq!(first.variations[1].plies[0].mv, None);
        assert_eq!(game.plies[1].comments, ["last"]);
        let long = "x".repeat(100_000);
        let game = &read(&format!("1. e4 {{{long}}} *")).unwrap()[0];
        assert_eq!(game.plies[0].comments, [long]);
    }

    #[test]
    fn signs_between_moves_are_glyphs() {
        let text = "1. e4 = e5 +/- 2. Nf3 ∓ Nc6 -+ 3. Bb5 +- *";
        let game = &read(text).unwrap()[0];
        let glyphs: Vec<_> = game
            .plies
            .iter()
            .map(|ply| ply.glyphs[..].to_vec())
            .collect();
        assert_eq!(glyphs, [[10], [16], [17], [19], [18]]);
    }

    #[test]
    fn null_moves_are_read_in_every_spelling() {
        for null in ["--", "Z0", "z0", "@@@@", "0000", "null", "NULL", "pass"] {
            let text = format!("1. e4 {null} 2.{null} (2. d4 {null} 3. Nf3) {null}! {{x}} 3. d4 *");
            let game = &read(&text).unwrap()[0];
            let is_null: Vec<_> = game.plies.iter().map(|ply| ply.mv.is_none()).collect();
            assert_eq!(is_null, [false, true, true, true, false], "{null}");
            assert_eq!(game.plies[3].glyphs, [1]);
            let written = "1. e4 -- 2. -- (2. d4 -- 3. Nf3) 2... -- $1 {x} 3. d4 *\n\n";
            assert_eq!(write(game), written, "{null}");
        }
    }

    #[test]
    fn a_result_inside_of_a_variation_is_none_of_the_game() {
        let text = "1. e4 (1. d4 d5 0-1) e5 (1... c5 *) (1-0) 2. Nf3 () Nc6 1/2-1/2";
        let game = &read(text).unwrap()[0];
        let variations: Vec<_> = game.plies.iter().map(|ply| ply.variations.len()).collect();
        assert_eq!(
            (game.outcome, variations),
            (Outcome::Draw, vec![1, 1, 0, 0])
        );
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        for (text, complaint) in [
            ("1. e4 e5\n2. Nf6", "line 2: illegal move 'Nf6'"),
            (
                "1. e4\ne5 2. Nf3 (2. Bc4\nBf9)",
                "line 3: cannot read 'Bf9'",
            ),
            ("1. e4 e5\n2. Nfoo Nc6", "line 2: cannot read 'Nfoo'"),
            ("1. e4\n{ no end\n", "line 2: '{' is not closed"),
            (
                "1. e4\n(1. d4\n\n[Event \"b\"]\n\n1. c4",
                "line 2: '(' is not closed",
            ),
            ("1. e4\n) e5", "line 2: ')' without '('"),
            ("(1. e4) e4", "line 1: a variation before the first move"),
            ("1. e4\n(1. d4 Ke7)", "line 2: illegal move 'Ke7'"),
            (
                "[Event \"a\"]\n[FEN 8/8]\n1. e4",
                "line 2: cannot read '[FEN 8/8]'",
            ),
            (
                "[Event \"a\"]\n[FEN \"8/8\"]\n1. e4",
                "line 1: a FEN has four to six fields",
            ),
            (
                "[Variant \"Atomic\"]\n1. e4",
                "line 1: not chess but the variant 'Atomic'",
            ),
            ("1. e4 f6 2. Qh5+\nZ0", "line 2: illegal move 'Z0'"),
            (
                "1. e4 f6 2. Qh5+ (2. d4 d5\n3. Bb5+ null)",
                "line 2: illegal move 'null'",
            ),
            ("1. e4 e5\n2. 0-0", "line 2: illegal move '0-0'"),
            (
                "1. e4 e5\n2. g1-h3 f8:a3 3. e1-e3",
                "line 2: illegal move 'e1-e3'",
            ),
            ("1. e4 } e5", "line 1: '}' without '{'"),
            ("1. e4 <x>", "line 1: cannot read '<x>'"),
        ] {
            let said = refusal(text);
            assert!(said.starts_with(complaint), "{text}: {said}");
        }
    }

    #[test]
    fn a_game_after_an_open_variation_is_read() {
        let text = "[Event \"a\"]\n\n1. e4 (1. d4 *\n\n[Event \"b\"]\n\n1. c4 *";
        let read: Vec<_> = games(text).collect();
        assert_eq!(read.len(), 2);
        assert!(read[0].is_err());
        assert_eq!(read[1].as_ref().unwrap().tag("Event"), Some("b"));
    }

    #[test]
    fn variations_end_at_a_depth() {
        let nested = |depth: usize| {
            let (begins, ends) = ("(1. c4\n".repeat(depth), ")".repeat(depth));
            format!("[Event \"a\"]\n\n1. e4\n{begins}{ends} *\n\n[Event \"b\"]\n\n1. d4 *\n")
        };
        let whole = read(&nested(200)).unwrap();
        assert_eq!(games(&write(&whole[0])).count(), 1);
        for depth in [201, 50_000] {
            let read: Vec<_> = games(&nested(depth)).collect();
            let said = read[0].as_ref().unwrap_err().to_string();
            assert_eq!(said, "line 204: variations nested more than 200 deep");
            assert_eq!(read[1].as_ref().unwrap().tag("Event"), Some("b"));
        }
    }

    #[test]
    fn good_games_before_a_bad_one_are_given_back_first() {
        let mut games = games("1. e4 *\n1. e5 *\n1. d4 *");
        assert!(games.next().unwrap().is_ok());
        assert!(games.next().unwrap().is_err());
        assert_eq!(games.next().unwrap().unwrap().line, 3);
        assert!(games.next().is_none());
    }
}
