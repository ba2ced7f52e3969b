//! Converts tokens to a game; every move is tried on the board, variations included.

use std::io::{self, Read as _};
use std::ops::ControlFlow;

use pgn_reader::{KnownOutcome, Nag, RawComment, Reader, SanPlus, Skip, Visitor};
use shakmaty::Color;
use shakmaty::san::San;

use super::draft::{Draft, QUOTE_MAX, Word};
use super::game::{Fault, Game, Outcome, PgnError, Ply, Variation};
use crate::chess::notation::{MoveError, legal_san, parse_fen, quote};
use crate::chess::{Move, Position};

type Flow<T = ()> = ControlFlow<PgnError, T>;

pub(super) fn read(draft: &Draft<'_>) -> Result<Game, PgnError> {
    let at_begin = |fault| PgnError {
        line: draft.line,
        fault,
    };
    let mut builder = Builder {
        draft,
        seen: 0,
        outcome: Outcome::Unknown,
        lines: vec![OpenVariation::new(start(draft).map_err(at_begin)?)],
    };
    let start = builder.lines.first().map(|line| line.position.clone());
    let mut reader = Reader::build(padded(&draft.moves))
        .set_supported_comment_length(draft.moves.len())
        .finish();
    let unread = || at_begin(Fault::Unreadable(draft.moves.clone()));
    match reader.read_game(&mut builder) {
        Ok(Some(Some(error))) => return Err(error),
        Ok(_) if builder.seen == draft.words.len() => {}
        _ => return Err(unread()),
    }
    let main = builder.lines.pop().ok_or_else(unread)?;
    Ok(Game {
        line: draft.line,
        tags: draft.tags.clone(),
        start: start.ok_or_else(unread)?,
        comments: main.variation.comments,
        plies: main.variation.plies,
        outcome: builder.outcome,
    })
}

/// Adds the empty line that ends the moves, and padding. With less than a maximal comment left to read, the reader
/// moves all of that in its buffer for each word.
fn padded(moves: &str) -> impl io::Read + '_ {
    let blanks = io::repeat(b' ').take(2 * moves.len() as u64 + 1_000);
    moves.as_bytes().chain(&b"\n\n"[..]).chain(blanks)
}

fn start(draft: &Draft<'_>) -> Result<Position, Fault> {
    let tag = |name: &str| {
        let found = draft.tags.iter().find(|(known, _)| known == name);
        found
            .map(|(_, value)| value.trim())
            .filter(|value| !value.is_empty())
    };
    if let Some(variant) = tag("Variant") {
        let name = variant.to_ascii_lowercase().replace([' ', '-'], "");
        let chess = [
            "standard",
            "chess",
            "normal",
            "chess960",
            "fischerandom",
            "fischerrandom",
            "fromposition",
        ];
        if !chess.contains(&name.as_str()) {
            return Err(Fault::Variant(variant.to_owned()));
        }
    }
    match tag("FEN").filter(|value| *value != "?") {
        Some(fen) => Ok(parse_fen(fen)?),
        None => Ok(Position::initial()),
    }
}

struct OpenVariation {
    /// The position before the last move.
    before: Position,
    /// The position after the last move.
    position: Position,
    variation: Variation,
}

impl OpenVariation {
    fn new(position: Position) -> Self {
        Self {
            before: position.clone(),
            position,
            variation: Variation {
                comments: Vec::new(),
                plies: Vec::new(),
            },
        }
    }

    /// Returns the comments of the last move, or those before the first move.
    fn comments(&mut self) -> &mut Vec<String> {
        match self.variation.plies.last_mut() {
            Some(ply) => &mut ply.comments,
            None => &mut self.variation.comments,
        }
    }
}

struct Builder<'a> {
    draft: &'a Draft<'a>,
    /// The number of moves so far, variations included.
    seen: usize,
    outcome: Outcome,
    /// The main line and the open variations.
    lines: Vec<OpenVariation>,
}

impl Builder<'_> {
    /// Returns the source of the current move.
    fn word(&self) -> Option<Word<'_>> {
        self.draft.words.get(self.seen.checked_sub(1)?).copied()
    }

    /// Returns an error at the current move.
    fn stop<T>(&self, fault: Fault) -> Flow<T> {
        ControlFlow::Break(PgnError {
            line: self.word().map_or(self.draft.line, |word| word.line),
            fault,
        })
    }

    /// Returns the current move and the position after it.
    fn played(&self, san: San) -> Result<(Option<Move>, Position), MoveError> {
        let text = self.word().map_or("", |word| word.text);
        let illegal = || MoveError::Illegal(quote(text, QUOTE_MAX));
        let position = &self.lines.last().ok_or_else(illegal)?.position;
        if san == San::Null {
            let after = position.after_pass().ok_or_else(illegal)?;
            return Ok((None, after));
        }
        let mv = legal_san(position, san, text)?;
        Ok((Some(mv), position.after(mv)))
    }
}

impl Visitor for Builder<'_> {
    type Tags = ();
    type Movetext = ();
    type Output = Option<PgnError>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<Self::Output> {
        self.seen += 1;
        match self.played(san.san) {
            Err(error) => self.stop(error.into()).map_break(Some),
            Ok((mv, after)) => {
                if let Some(branch) = self.lines.last_mut() {
                    branch.before = std::mem::replace(&mut branch.position, after);
                    branch.variation.plies.push(Ply::bare(mv));
                }
                ControlFlow::Continue(())
            }
        }
    }

    fn nag(&mut self, (): &mut (), Nag(number): Nag) -> ControlFlow<Self::Output> {
        let last = self.lines.last_mut();
        if let Some(ply) = last.and_then(|line| line.variation.plies.last_mut()) {
            ply.glyphs.push(number);
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        let text = String::from_utf8_lossy(comment.as_bytes()).into_owned();
        if let Some(line) = self.lines.last_mut() {
            line.comments().push(text);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<Self::Output, Skip> {
        let replaced = self
            .lines
            .last()
            .filter(|line| !line.variation.plies.is_empty());
        let Some(before) = replaced.map(|line| line.before.clone()) else {
            return self.stop(Fault::NothingToReplace).map_break(Some);
        };
        self.lines.push(OpenVariation::new(before));
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<Self::Output> {
        if self.lines.len() > 1
            && let Some(done) = self.lines.pop()
            && !(done.variation.plies.is_empty() && done.variation.comments.is_empty())
            && let Some(line) = self.lines.last_mut()
            && let Some(ply) = line.variation.plies.last_mut()
        {
            ply.variations.push(done.variation);
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (): &mut (), outcome: pgn_reader::Outcome) -> ControlFlow<Self::Output> {
        self.outcome = match outcome {
            pgn_reader::Outcome::Known(KnownOutcome::Decisive {
                winner: Color::White,
            }) => Outcome::White,
            pgn_reader::Outcome::Known(KnownOutcome::Decisive {
                winner: Color::Black,
            }) => Outcome::Black,
            pgn_reader::Outcome::Known(KnownOutcome::Draw) => Outcome::Draw,
            pgn_reader::Outcome::Unknown => Outcome::Unknown,
        };
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) -> Self::Output {
        None
    }
}
