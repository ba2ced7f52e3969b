//! Extended Position Description (EPD): one position per line, four FEN fields and operations such as `bm Qg6;`.
//!
//! The reader accepts
//! - the four fields, with castling rights as `KQkq` or as rook files (Chess960),
//! - the two counters of a FEN after them, if both are present,
//! - operations `opcode operand... ;`, where an operand is a word or a quoted string; the last `;` may be missing,
//!   and operations may be empty, as in the perft form ` ;D1 20 ;D2 400`,
//! - legal moves in any form of [`parse_san`](notation::parse_san), separated by whitespace, commas, `or` or
//!   `and`, in brackets or quotes, with or without evaluations (`+-`, `(=)`, `+0.35`, `$18`); `bm #3` is read as
//!   `dm` with 3,
//! - `bm` and `am` that are repeated (`bm bm e4`, `bm Nf3; bm Nc3`), split (`bm Nf3; Nc3`, `bm Nf3; or Nc3`) or
//!   continued on a line without a position; they are merged,
//! - opcodes in upper case or with a colon (`BM: e4`).
//!
//! Empty lines and lines that start with `#` are skipped.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use thiserror::Error;

use super::notation::{self, FenError, MoveError};
use super::{Move, Position};

mod words;

use words::{bare, is_conjunction, is_evaluation, is_move, is_sign, mate_distance, moves};

/// An error in an EPD line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EpdError {
    /// The line has fewer than four fields.
    #[error("a position has four fields, but there are only {0}")]
    TooFewFields(usize),
    /// The fields do not describe a legal position.
    #[error(transparent)]
    Position(#[from] FenError),
    /// A move cannot be read or is illegal.
    #[error("{opcode}: {error}")]
    Move {
        /// The operation.
        opcode: String,
        /// The error.
        error: MoveError,
    },
    /// An operand is not a number in range.
    #[error("{opcode}: '{text}' is not a number in range")]
    Number {
        /// The operation.
        opcode: String,
        /// The operand as written.
        text: String,
    },
    /// A part of the move points cannot be read.
    #[error("{opcode}: '{text}' is not a move with points")]
    Points {
        /// The operation.
        opcode: String,
        /// The part that cannot be read.
        text: String,
    },
    /// A quoted string is not closed.
    #[error("{0}: the string is not closed")]
    UnclosedString(String),
    /// An operation occurs twice, but only one is allowed.
    #[error("'{0}' occurs twice")]
    Duplicate(String),
}

/// An error with its line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {error}")]
pub struct LocatedEpdError {
    /// The line number, from 1.
    pub line: usize,
    /// The error.
    pub error: EpdError,
}

/// An operation; the operands are joined by spaces and have no quotation marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The name, such as `bm`.
    pub opcode: String,
    /// The operands.
    pub operand: String,
}

/// The content of a line.
#[derive(Clone, Debug)]
pub struct Record {
    /// The position, with the counters of the line (`hmvc`, `fmvn`).
    pub position: Position,
    /// The name of the position (`id`).
    pub id: Option<String>,
    /// Best moves (`bm`).
    pub best: Vec<Move>,
    /// Moves to avoid (`am`).
    pub avoid: Vec<Move>,
    /// The moves in which the side to move mates (`dm`).
    pub mate_in: Option<u16>,
    /// The evaluation in centipawns, from the side to move's view (`ce`).
    pub evaluation_cp: Option<i32>,
    /// Points of moves from a comment `c0` such as `f5=10, Bf2=-3`; otherwise empty.
    pub points: Vec<(Move, i32)>,
    /// All operations in order.
    pub operations: Vec<Operation>,
}

impl Record {
    /// Creates a record without operations.
    pub fn bare(position: Position) -> Self {
        Self {
            position,
            id: None,
            best: Vec::new(),
            avoid: Vec::new(),
            mate_in: None,
            evaluation_cp: None,
            points: Vec::new(),
            operations: Vec::new(),
        }
    }

    /// Returns the operand of an operation.
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        operand(&self.operations, opcode)
    }

    /// Whether nothing in another record of this position contradicts this record.
    pub fn agrees(&self, other: &Self) -> bool {
        let is_same_move = |(one, points), (mv, others)| one != mv || points == others;
        let is_same_points = |&each| self.points.iter().all(|&own| is_same_move(own, each));
        agree(self.id.as_ref(), other.id.as_ref())
            && agree(self.mate_in.as_ref(), other.mate_in.as_ref())
            && agree(self.evaluation_cp.as_ref(), other.evaluation_cp.as_ref())
            && other.points.iter().all(is_same_points)
    }

    /// Merges another record of the same position.
    pub fn add(&mut self, other: Self) {
        self.id = self.id.take().or(other.id);
        self.mate_in = self.mate_in.or(other.mate_in);
        self.evaluation_cp = self.evaluation_cp.or(other.evaluation_cp);
        add_new(&mut self.best, other.best);
        add_new(&mut self.avoid, other.avoid);
        add_new(&mut self.points, other.points);
        for operation in other.operations {
            let mut own = self.operations.iter_mut();
            match own.find(|own| own.opcode.eq_ignore_ascii_case(&operation.opcode)) {
                Some(own) if own.holds_moves() && own.operand != operation.operand => {
                    own.add(&operation.operand);
                }
                Some(_) => {}
                None => self.operations.push(operation),
            }
        }
    }
}

/// Whether two values are equal, or one is unknown.
fn agree<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> bool {
    one.is_none() || other.is_none() || one == other
}

fn add_new<T: PartialEq>(known: &mut Vec<T>, others: Vec<T>) {
    for each in others {
        if !known.contains(&each) {
            known.push(each);
        }
    }
}

/// Returns the operand of an opcode, ignoring case.
fn operand<'a>(operations: &'a [Operation], opcode: &str) -> Option<&'a str> {
    let mut all = operations.iter();
    let found = all.find(|each| each.opcode.eq_ignore_ascii_case(opcode));
    found.map(|operation| operation.operand.as_str())
}

/// Reads all records of a text, each with its line number from 1.
///
/// # Errors
/// The first line with an error.
pub fn parse(text: &str) -> Result<Vec<(usize, Record)>, LocatedEpdError> {
    records(text).collect()
}

/// Like [`parse`], but one record at a time, for texts whose records need not be kept.
pub fn records(text: &str) -> impl Iterator<Item = Result<(usize, Record), LocatedEpdError>> {
    let numbered = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let mut lines = numbered
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .peekable();
    std::iter::from_fn(move || {
        let (number, line) = lines.next()?;
        let mut whole = line.to_owned();
        while let Some((_, more)) = lines.next_if(|(_, line)| goes_on(line)) {
            whole.extend([";", more]);
        }
        let located = |error| LocatedEpdError {
            line: number,
            error,
        };
        let record = parse_line(&whole).map_err(located);
        Some(record.map(|record| (number, record)))
    })
}

/// Whether a line has no position but moves for the record above.
fn goes_on(line: &str) -> bool {
    next_word(line).is_some_and(|(word, _)| holds_moves(word.trim_end_matches(':')))
}

/// Reads one line.
///
/// # Errors
/// The fields, an operation or a move cannot be read.
pub fn parse_line(line: &str) -> Result<Record, EpdError> {
    let mut rest = line.trim();
    let mut fields = Vec::with_capacity(4);
    while let Some((word, after)) = next_word(rest).filter(|_| fields.len() < 4) {
        fields.push(word);
        rest = after;
    }
    if fields.len() < 4 {
        return Err(EpdError::TooFewFields(fields.len()));
    }
    let (written_counters, rest) = split_counters(rest);
    let operations = split_operations(rest)?;
    let counters = match written_counters {
        Some(counters) => counters,
        None => (
            number_of(&operations, "hmvc", 0)?.unwrap_or(0),
            number_of(&operations, "fmvn", 0)?.unwrap_or(1),
        ),
    };
    let fen = format!("{} {} {}", fields.join(" "), counters.0, counters.1);
    let position = notation::parse_fen(&fen)?;
    record(position, operations)
}

fn record(position: Position, operations: Vec<Operation>) -> Result<Record, EpdError> {
    let operand = |opcode: &str| operand(&operations, opcode);
    let moves_of = |opcode: &str| -> Result<Vec<Move>, EpdError> {
        let words = moves(opcode, operand(opcode).unwrap_or_default());
        let words = words.filter(|word| mate_distance(word).is_none());
        words
            .map(|word| parse_move(&position, opcode, word))
            .collect()
    };
    let announced = moves("bm", operand("bm").unwrap_or_default()).find_map(mate_distance);
    Ok(Record {
        id: operand("id").filter(|id| !id.is_empty()).map(str::to_owned),
        best: moves_of("bm")?,
        avoid: moves_of("am")?,
        mate_in: mate_in(&operations)?.or(announced),
        evaluation_cp: operand("ce").and_then(|operand| operand.parse().ok()),
        points: points(&position, operand("c0").unwrap_or_default())?,
        position,
        operations,
    })
}

fn mate_in(operations: &[Operation]) -> Result<Option<u16>, EpdError> {
    match operand(operations, "dm").and_then(mate_distance) {
        None => number_of(operations, "dm", 1),
        distance => Ok(distance),
    }
}

fn next_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let word = text.split_whitespace().next()?;
    text.strip_prefix(word).map(|after| (word, after))
}

/// Splits off the two counters of a FEN, if both are present. Greater ones than fit are clamped.
fn split_counters(text: &str) -> (Option<(u16, u16)>, &str) {
    let counter = |word: &str| {
        let number: u64 = word.parse().ok()?;
        Some(u16::try_from(number).unwrap_or(u16::MAX))
    };
    let both = || {
        let (halfmoves, after) = next_word(text)?;
        let (fullmoves, after) = next_word(after)?;
        Some(((counter(halfmoves)?, counter(fullmoves)?), after))
    };
    match both() {
        Some((counters, after)) => (Some(counters), after),
        None => (None, text),
    }
}

fn split_operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let mut operations: Vec<Operation> = Vec::new();
    let mut rest = text;
    while !rest.trim().is_empty() {
        let (operation, after) = split_operation(rest)?;
        rest = after;
        let Some(operation) = operation else { continue };
        let last = operations.last_mut().filter(|last| last.holds_moves());
        if let Some(last) = last.filter(|_| operation.is_torn()) {
            last.add(&operation.opcode);
            last.add(&operation.operand);
            continue;
        }
        let is_same = |each: &&mut Operation| each.opcode.eq_ignore_ascii_case(&operation.opcode);
        match operations.iter_mut().find(is_same) {
            Some(known) if known.holds_moves() => known.add(&operation.operand),
            Some(_) => return Err(EpdError::Duplicate(operation.opcode)),
            None => operations.push(operation),
        }
    }
    Ok(operations)
}

/// Whether an operation lists moves: best moves or moves to avoid.
fn holds_moves(opcode: &str) -> bool {
    ["bm", "am"]
        .iter()
        .any(|each| each.eq_ignore_ascii_case(opcode))
}

impl Operation {
    fn holds_moves(&self) -> bool {
        holds_moves(&self.opcode)
    }

    /// Whether this is only the rest of a preceding `bm` or `am`.
    fn is_torn(&self) -> bool {
        let is_alone = self.operand.is_empty();
        is_conjunction(&self.opcode)
            || is_alone && (is_move(&self.opcode) || is_evaluation(&self.opcode))
    }

    fn add(&mut self, operand: &str) {
        if !operand.is_empty() {
            self.operand.extend([" ", operand]);
        }
    }
}

/// Splits off the operation before the first `;` outside strings.
fn split_operation(text: &str) -> Result<(Option<Operation>, &str), EpdError> {
    let mut quoted = false;
    let end = text.find(|c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    });
    let (body, after) = match end.and_then(|at| text.split_at_checked(at)) {
        Some((body, after)) => (body, after.strip_prefix(';').unwrap_or(after)),
        None => (text, ""),
    };
    let Some((opcode, operands)) = next_word(body) else {
        return Ok((None, after));
    };
    if body.matches('"').count() % 2 == 1 {
        return Err(EpdError::UnclosedString(opcode.to_owned()));
    }
    let operation = Operation {
        opcode: opcode.trim_end_matches(':').to_owned(),
        operand: operands.replace('"', "").trim().to_owned(),
    };
    Ok((Some(operation), after))
}

/// Returns the number in an operation, which must be at least `min`.
fn number_of(operations: &[Operation], opcode: &str, min: u16) -> Result<Option<u16>, EpdError> {
    let Some(text) = operand(operations, opcode) else {
        return Ok(None);
    };
    let number = text.parse().ok().filter(|&number| number >= min);
    number.map(Some).ok_or_else(|| EpdError::Number {
        opcode: opcode.to_owned(),
        text: text.to_owned(),
    })
}

fn parse_move(position: &Position, opcode: &str, text: &str) -> Result<Move, EpdError> {
    notation::parse_san(position, text).map_err(|error| EpdError::Move {
        opcode: opcode.to_owned(),
        error,
    })
}

/// Reads moves with points, such as `e4=10, d4=-5` or with colons. Empty for a comment without points. Other text
/// beside points is an error, so that no points are lost.
fn points(position: &Position, comment: &str) -> Result<Vec<(Move, i32)>, EpdError> {
    let words: Vec<&str> = comment.split_whitespace().collect();
    let signs = [(" =", "="), ("= ", "="), (" :", ":"), (": ", ":")];
    let joined = signs.iter().fold(words.join(" "), |text, (apart, sign)| {
        text.replace(apart, sign)
    });
    let parts = joined
        .split([' ', ',', ';'])
        .map(|part| part.trim_end_matches('.'));
    let parts: Vec<&str> = parts.filter(|part| !part.chars().all(is_sign)).collect();
    if !parts.iter().any(|part| move_and_points(part).is_some()) {
        return Ok(Vec::new());
    }
    let read = |part: &&str| {
        let (mv, points) = move_and_points(part).ok_or_else(|| EpdError::Points {
            opcode: "c0".to_owned(),
            text: (*part).to_owned(),
        })?;
        Ok((parse_move(position, "c0", bare(mv))?, points))
    };
    parts.iter().map(read).collect()
}

/// Splits a part at its last sign into a move and a number.
fn move_and_points(part: &str) -> Option<(&str, i32)> {
    let (mv, points) = part.rsplit_once(['=', ':'])?;
    let points = points.replace(['−', '–'], "-").parse().ok()?;
    is_move(mv).then_some((mv, points))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn error(operations: &str) -> EpdError {
        parse_line(&format!("{INITIAL} {operations}")).unwrap_err()
    }

    #[test]
    fn reads_moves_names_points_and_counters() {
        let record = parse_line(&format!(
            "{INITIAL} bm e4 Nf3; am f3; dm 3; id \"a; b\"; c0 \"e4=10, Nf3=7\"; hmvc 4; fmvn 9;"
        ))
        .unwrap();
        assert_eq!(record.best.len(), 2);
        assert_eq!(record.avoid.len(), 1);
        assert_eq!(record.mate_in, Some(3));
        assert_eq!(record.id.as_deref(), Some("a; b"));
        assert_eq!(record.points, [(record.best[0], 10), (record.best[1], 7)]);
        assert_eq!(record.operand("c0"), Some("e4=10, Nf3=7"));
        let chess = record.position.chess();
        assert_eq!(shakmaty::Position::halfmoves(chess), 4);
        assert_eq!(shakmaty::Position::fullmoves(chess).get(), 9);
    }

    #[test]
    fn counters_too_great_do_not_hide_the_operations() {
        let record = parse_line(&format!("{INITIAL} 70000 99999999 bm e4;")).unwrap();
        assert_eq!(record.best.len(), 1);
        assert_eq!(record.operand("0"), None);
    }

    #[test]
    fn moves_are_read_in_every_spelling() {
        let read = |operand: &str| parse_line(&format!("{INITIAL} bm {operand};")).unwrap();
        let [e4, d4] = [read("e4").best[0], read("d4").best[0]];
        for operand in [
            "e2e4", "bm e4", "1.e4", "1. e4", "e2-e4", "e4!", "\"e4\"", "e4,",
        ] {
            assert_eq!(read(operand).best, [e4], "{operand}");
        }
        for operand in [
            "e4, d4",
            "e4,d4",
            "bm e2e4 d2-d4",
            "e4 or d4",
            "e4, and (d4)",
            "(e4) +- [d4]",
            "e4± d4 -/+",
            "'e4'. d4=",
            "e4; bm d4",
            "e4; d4",
            "e4;;d4;",
            "e4 OR d4",
            "e4(+-) d4(=)",
            "e4 +/− −+ d4",
            "+- e4 +0.35 d4 (-1.2)",
            "e4 $18 d4 $10",
            "e4 = or d4 +/=",
            "e4; or d4",
            "e4; +-; d4; =",
            "e4; and (d4) +-",
        ] {
            assert_eq!(read(operand).best, [e4, d4], "{operand}");
        }
        for operations in ["BM e4;", "Bm: e4; am (d4) or d4+-;"] {
            let record = parse_line(&format!("{INITIAL} {operations}")).unwrap();
            assert_eq!(record.best, [e4], "{operations}");
        }
        let promotion = "8/P6k/8/8/8/8/8/K7 w - - bm";
        for operand in ["a8(Q)", "(a8(Q))", "a8=Q+-", "a8/Q!"] {
            let record = parse_line(&format!("{promotion} {operand};")).unwrap();
            assert_eq!(record.best.len(), 1, "{operand}");
        }
        let mate = read("#1");
        assert_eq!((mate.mate_in, mate.best.len()), (Some(1), 0));
        let both = parse_line(&format!("{INITIAL} bm e4 #2; dm 3;")).unwrap();
        assert_eq!((both.mate_in, both.best), (Some(3), vec![e4]));
        let record = parse_line(&format!("{INITIAL} c0 \"e4 = 10, d2d4 = 5\";")).unwrap();
        assert_eq!(record.points, [(e4, 10), (d4, 5)]);
        for comment in [
            "e4=10, d4=5,",
            "e4=10 d4=5.",
            "e4 =10;d4= 5;",
            "e2e4=10,,d4=5",
            "e4: 10, d4:5",
            "e4=10 +- d4=5, +/=",
            "e4+-=10, d4!=5",
        ] {
            let record = parse_line(&format!("{INITIAL} c0 \"{comment}\";")).unwrap();
            assert_eq!(record.points, [(e4, 10), (d4, 5)], "{comment}");
        }
        for (comment, points) in [
            ("e4=-8", vec![(e4, -8)]),
            ("e4 = -8, d4: +3", vec![(e4, -8), (d4, 3)]),
            ("e4=−8 d4=–3", vec![(e4, -8), (d4, -3)]),
        ] {
            let record = parse_line(&format!("{INITIAL} c0 \"{comment}\";")).unwrap();
            assert_eq!(record.points, points, "{comment}");
        }
        for operand in ["#3", "M3", "3"] {
            let record = parse_line(&format!("{INITIAL} dm {operand};")).unwrap();
            assert_eq!(record.mate_in, Some(3), "{operand}");
        }
        let passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 bm";
        for operand in ["exd6 e.p.", "ed6", "exd6ep", "e5d6"] {
            let record = parse_line(&format!("{passant} {operand};")).unwrap();
            assert_eq!(record.best.len(), 1, "{operand}");
        }
        let castling = "4k3/8/8/8/8/8/8/4K2R w K - bm e1g1 0-0;";
        let record = parse_line(castling).unwrap();
        assert_eq!(record.best[0], record.best[1]);
    }

    #[test]
    fn moves_go_on_in_lines_without_a_position() {
        let text = format!("{INITIAL} bm e4\n# so\nBM: d4;\n\nam f3 g4;\n{INITIAL} bm c4;\n");
        let records = parse(&text).unwrap();
        let found = records.iter().map(|(line, record)| {
            let operand = |opcode| record.operand(opcode).unwrap_or_default();
            (*line, operand("bm"), operand("am"), record.avoid.len())
        });
        let expected = [(1, "e4 d4", "f3 g4", 2), (6, "c4", "", 0)];
        assert_eq!(found.collect::<Vec<_>>(), expected);
        assert_eq!(parse("bm e4;").unwrap_err().line, 1);
    }

    #[test]
    fn records_of_one_position_are_put_together() {
        let read = |operations: &str| parse_line(&format!("{INITIAL} {operations}")).unwrap();
        let mut first = read("bm e4; c0 \"e4=3\";");
        let second = read("id \"x\"; bm d4 e4; am f3; dm 3; c0 \"d4=-1\";");
        assert!(first.agrees(&second));
        first.add(second);
        let wanted = read("bm e4 d4; am f3; c0 \"e4=3 d4=-1\";");
        assert_eq!(
            (&first.best, &first.avoid, &first.points),
            (&wanted.best, &wanted.avoid, &wanted.points)
        );
        assert_eq!((first.id.as_deref(), first.mate_in), (Some("x"), Some(3)));
        assert_eq!(first.operand("bm"), Some("e4 d4 e4"));
        assert_eq!(first.operand("am"), Some("f3"));
        for other in ["id \"y\"; bm d4;", "dm 2;", "c0 \"e4=4\";"] {
            assert!(!first.agrees(&read(other)), "{other}");
        }
    }

    #[test]
    fn reads_the_perft_form() {
        let record = parse_line(&format!("{INITIAL} 0 1 ;D1 20 ;D2 400")).unwrap();
        assert_eq!(record.operand("D1"), Some("20"));
        assert_eq!(record.operand("D2"), Some("400"));
    }

    #[test]
    fn a_comment_of_another_form_gives_no_points() {
        for comment in ["draw", "wdl=2 dtz=1", "e4=x", "", "well, e4 = good"] {
            let record = parse_line(&format!("{INITIAL} c0 \"{comment}\";")).unwrap();
            assert_eq!(record.points, [], "{comment}");
        }
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        assert_eq!(parse_line("8/8 w").unwrap_err(), EpdError::TooFewFields(2));
        assert!(matches!(
            parse_line("8/8/8/8/8/8/8/8 w - - bm e4;").unwrap_err(),
            EpdError::Position(FenError::Illegal { .. })
        ));
        assert!(
            matches!(error("bm e5;"), EpdError::Move { error: MoveError::Illegal(text), .. } if text == "e5")
        );
        assert!(
            matches!(error("bm xyzzy;"), EpdError::Move { error: MoveError::Syntax(text), .. } if text == "xyzzy")
        );
        assert!(matches!(error("c0 \"e5=10\";"), EpdError::Move { opcode, .. } if opcode == "c0"));
        assert!(matches!(error("dm soon;"), EpdError::Number { text, .. } if text == "soon"));
        assert_eq!(error("id \"x;"), EpdError::UnclosedString("id".to_owned()));
        assert_eq!(error("id a; ID b;"), EpdError::Duplicate("ID".to_owned()));
        for operations in ["dm 0;", "dm -3;", "dm #0;"] {
            assert!(
                matches!(error(operations), EpdError::Number { .. }),
                "{operations}"
            );
        }
        for (comment, part) in [
            ("e4=10, well", "well"),
            ("e4=10, d4=", "d4="),
            ("e4=10 d4=x", "d4=x"),
        ] {
            let error = error(&format!("c0 \"{comment}\";"));
            assert!(
                matches!(&error, EpdError::Points { text, .. } if text == part),
                "{error}"
            );
        }
        for operand in [
            "e4 good",
            "\u{2658}f3",
            "#-3",
            "mate in 3",
            "e4 0.35",
            "e4 1-0",
        ] {
            let error = error(&format!("bm {operand};"));
            assert!(matches!(error, EpdError::Move { .. }), "{operand}");
        }
        let text = format!("# a comment\n\n{INITIAL} bm e4;\n{INITIAL} bm e5;\n");
        let located = parse(&text).unwrap_err();
        assert_eq!(located.line, 4);
        assert!(
            located
                .to_string()
                .starts_with("line 4: bm: illegal move 'e5'")
        );
    }
}
