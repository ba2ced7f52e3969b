//! Preparation of PGN text: it is split into games in standard form, and every word is checked.
//!
//! The token reader behind this skips unknown text and reports no line numbers. So each word is checked here
//! first: tolerated forms are rewritten in standard form, and unreadable ones are errors.

use std::iter::{Enumerate, Peekable};
use std::str::Lines;

use super::game::{Fault, PgnError};
use super::glyph;
use crate::chess::notation::{quote, standard_san, without_number};

/// The maximum length of text quoted in errors, in characters.
pub(super) const QUOTE_MAX: usize = 100;
/// The maximum nesting of variations; traversals of a game may be recursive.
const NESTING_MAX: usize = 200;
/// Characters besides whitespace that end a word.
const ENDS: [char; 9] = ['{', '}', '(', ')', ';', '$', '!', '?', '*'];

/// A game in standard form.
#[derive(Debug, Default)]
pub(super) struct Draft<'a> {
    /// The first line of the game, from 1.
    pub line: usize,
    pub tags: Vec<(String, String)>,
    /// Moves, comments and the result.
    pub moves: String,
    /// The source of each move in `moves`, variations included.
    pub words: Vec<Word<'a>>,
    /// The lines of the open variations.
    open: Vec<usize>,
    has_result: bool,
}

/// A move as written, without its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub text: &'a str,
    pub line: usize,
}

impl Draft<'_> {
    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves.is_empty()
    }

    fn push(&mut self, word: &str) {
        self.moves.push_str(word);
        self.moves.push(' ');
    }
}

/// An iterator over the games of a text.
pub(super) struct Drafts<'a> {
    lines: Peekable<Enumerate<Lines<'a>>>,
    /// The rest of the current line, with its number from 1.
    rest: &'a str,
    line: usize,
    draft: Draft<'a>,
}

impl<'a> Drafts<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self {
            lines: text.lines().enumerate().peekable(),
            rest: "",
            line: 0,
            draft: Draft::default(),
        }
    }

    fn fault(&self, fault: Fault) -> PgnError {
        PgnError {
            line: self.line,
            fault,
        }
    }

    fn unreadable(&self, text: &str) -> PgnError {
        self.fault(Fault::Unreadable(quote(text, QUOTE_MAX)))
    }

    /// Moves to the next line; false at the end of the text.
    fn advance(&mut self) -> bool {
        let Some((at, line)) = self.lines.next() else {
            return false;
        };
        (self.line, self.rest) = (at + 1, line);
        true
    }

    /// Reads up to the beginning of another game.
    fn game(&mut self) -> Result<Option<Draft<'a>>, PgnError> {
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() {
                if !self.advance() {
                    return self.finish();
                }
                if self.rest.starts_with('%') {
                    self.rest = "";
                }
                continue;
            }
            if self.begins_another() {
                return self.finish();
            }
            if self.draft.is_empty() {
                self.draft.line = self.line;
            }
            if self.rest.starts_with('[') {
                self.tag()?;
            } else {
                self.token()?;
            }
        }
    }

    fn begins_another(&self) -> bool {
        let draft = &self.draft;
        match tag(self.rest) {
            Some(((name, _), _)) => {
                let is_known = draft.tags.iter().any(|(known, _)| *known == name);
                !draft.moves.is_empty() || is_known
            }
            None => draft.has_result && !self.rest.starts_with(['{', ';', '$', '(', ')', '}']),
        }
    }

    fn finish(&mut self) -> Result<Option<Draft<'a>>, PgnError> {
        let draft = std::mem::take(&mut self.draft);
        match draft.open.last() {
            Some(&line) => Err(PgnError {
                line,
                fault: Fault::Open('('),
            }),
            None => Ok((!draft.is_empty()).then_some(draft)),
        }
    }

    fn tag(&mut self) -> Result<(), PgnError> {
        let Some(((name, value), rest)) = tag(self.rest) else {
            return Err(self.unreadable(self.rest.trim_end()));
        };
        self.draft.tags.push((name, value));
        self.rest = rest;
        Ok(())
    }

    /// Reads the first token of the rest of the line, which is not empty.
    fn token(&mut self) -> Result<(), PgnError> {
        let first = self.rest.chars().next().unwrap_or_default();
        let after = self.rest.get(first.len_utf8()..).unwrap_or_default();
        match first {
            '{' => return self.comment(after),
            ';' => {
                self.say(after);
                self.rest = "";
            }
            '(' if self.draft.open.len() == NESTING_MAX => {
                return Err(self.fault(Fault::Deep(NESTING_MAX)));
            }
            '(' => {
                self.draft.open.push(self.line);
                self.draft.push("(");
                self.rest = after;
            }
            ')' if self.draft.open.pop().is_some() => {
                self.draft.push(")");
                self.rest = after;
            }
            ')' => return Err(self.fault(Fault::Unopened(')', '('))),
            '}' => return Err(self.fault(Fault::Unopened('}', '{'))),
            '*' => self.result("*", after),
            '!' | '?' => self.take(|c| c != '!' && c != '?'),
            '$' => return self.glyph(after),
            _ => return self.word(),
        }
        Ok(())
    }

    /// Copies everything before the first character that satisfies `end`.
    fn take(&mut self, end: impl Fn(char) -> bool) {
        let (word, rest) = split_before(self.rest, end);
        self.draft.push(word);
        self.rest = rest;
    }

    fn say(&mut self, comment: &str) {
        let comment = comment.replace(['{', '}'], "");
        let comment = format!("{{{}}}", comment.trim());
        self.draft.push(&comment);
    }

    /// Reads a result; results of variations are ignored.
    fn result(&mut self, result: &str, rest: &'a str) {
        self.rest = rest;
        if self.draft.open.is_empty() {
            self.draft.push(result);
            self.draft.has_result = true;
        }
    }

    fn glyph(&mut self, after: &'a str) -> Result<(), PgnError> {
        let (number, _) = split_before(after, |c| !c.is_ascii_digit());
        if number.parse::<u8>().is_err() {
            return Err(self.unreadable(split_before(self.rest, char::is_whitespace).0));
        }
        let is_glyph = |c: char| c != '$' && !c.is_ascii_digit();
        self.take(is_glyph);
        Ok(())
    }

    /// Reads a comment, which may span several lines.
    fn comment(&mut self, after: &'a str) -> Result<(), PgnError> {
        let begin = self.line;
        let mut comment = String::new();
        self.rest = after;
        loop {
            if let Some((inside, rest)) = self.rest.split_once('}') {
                comment.push_str(inside);
                self.say(&comment);
                self.rest = rest;
                return Ok(());
            }
            comment.push_str(self.rest);
            comment.push(' ');
            if !self.advance() {
                self.rest = "";
                self.draft = Draft::default();
                return Err(PgnError {
                    line: begin,
                    fault: Fault::Open('{'),
                });
            }
        }
    }

    /// Reads a move, a move number, a result, or the sign of a glyph.
    fn word(&mut self) -> Result<(), PgnError> {
        let is_end = |c: char| c.is_whitespace() || ENDS.contains(&c);
        let (word, rest) = split_before(self.rest, is_end);
        if let Some(result) = result(word) {
            self.result(result, rest);
            return Ok(());
        }
        if let Some(number) = glyph::of_sign(word) {
            self.draft.push(&format!("${number}"));
            self.rest = rest;
            return Ok(());
        }
        let mv = without_number(word);
        self.rest = rest;
        if let Some(result) = result(mv) {
            self.result(result, rest);
        } else if !mv.is_empty() && !matches!(mv, "e.p." | "ep" | "e.p") {
            let san = standard_san(mv).ok_or_else(|| self.unreadable(word))?;
            self.draft.push(&san);
            self.draft.words.push(Word {
                text: mv,
                line: self.line,
            });
        }
        Ok(())
    }
}

impl<'a> Iterator for Drafts<'a> {
    type Item = Result<Draft<'a>, PgnError>;

    /// Continues with the next game after an error.
    fn next(&mut self) -> Option<Self::Item> {
        let game = self.game();
        if game.is_err() {
            self.skip();
        }
        game.transpose()
    }
}

impl Drafts<'_> {
    /// Skips the rest of a game with an error, which may be noticed only where the next game begins.
    fn skip(&mut self) {
        self.draft = Draft::default();
        if tag(self.rest).is_some() {
            return;
        }
        self.rest = "";
        while let Some((_, line)) = self.lines.peek() {
            if tag(line.trim_start()).is_some() || !self.advance() {
                break;
            }
            self.rest = "";
        }
    }
}

fn split_before(text: &str, end: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(end).unwrap_or(text.len()))
}

fn result(word: &str) -> Option<&'static str> {
    Some(match word {
        "1-0" | "1–0" => "1-0",
        "0-1" | "0–1" => "0-1",
        "1/2-1/2" | "1/2–1/2" | "1/2" | "½-½" | "½–½" | "½" => "1/2-1/2",
        _ => return None,
    })
}

/// Splits off a tag at the start of a text. Its value ends at a quotation mark before the closing bracket.
fn tag(text: &str) -> Option<((String, String), &str)> {
    let (name, after) = text.strip_prefix('[')?.split_once('"')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = name.trim();
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let ends = after.match_indices('"').find_map(|(at, _)| {
        let (value, behind) = after.split_at_checked(at)?;
        let rest = behind.strip_prefix('"')?.trim_start().strip_prefix(']')?;
        Some((value, rest))
    });
    let (value, rest) = ends?;
    let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
    Some(((name.to_owned(), value), rest))
}
