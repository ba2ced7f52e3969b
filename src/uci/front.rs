//! The state machine between input lines, the engine and its events.

use std::io::{self, Write};

use super::Tools;
use super::command::{Command, quote};
use super::explain::explain;
use super::go::{GoRequest, is_finite, is_proof};
use super::input::{Input, Text};
use super::options::{self, Consequence, Settings};
use super::output::Output;
use super::print::{self, Style};
use super::waiting::Waiting;
use crate::chess::notation::{self, MoveError, parse_fen, parse_uci_move, uci_move};
use crate::chess::{Line, Move, Position};
use crate::engine::search::RootUpdate;
use crate::engine::{Engine, SearchEvent, SearchOutcome, TimedReport, Timestamp};
use crate::game::Game;

/// Nodes for a proof of mate that goes on after the end of the input, all in all.
const LAST_PROOF_NODES: u64 = 1_000_000;
/// The null move: there was nothing sensible to search.
const NO_POSITION: &str = "bestmove 0000";
/// The rules leave no move.
const NO_MOVE: &str = "bestmove (none)";

/// The job that the front end waits for.
enum FrontActivity {
    Idle,
    /// A search from this position.
    Searching {
        root: Box<Position>,
        /// Whether it ends by itself.
        is_finite: bool,
        /// Whether only a proof ends it by itself.
        is_proof: bool,
        /// After `ponderhit`, the own clock will end it.
        ends_after_ponder_hit: bool,
        is_pondering: bool,
        /// Told to stop.
        is_stopping: bool,
        /// The last line about safety.
        shown: Option<String>,
    },
    /// A count from this position.
    Counting {
        root: Box<Position>,
        /// Told to stop.
        is_stopping: bool,
    },
    /// `bestmove (none)` must wait: the game is over, but the analysis is not.
    Holding {
        is_pondering: bool,
    },
}

/// The state of one UCI session.
pub struct Front<W> {
    engine: Engine,
    output: Output<W>,
    tools: Tools,
    settings: Settings,
    /// The game; `None` after an invalid `position`.
    line: Option<Line>,
    /// The last valid position.
    shown_line: Line,
    activity: FrontActivity,
    /// Commands received during a search, to run after it.
    waiting: Waiting,
    is_debugging: bool,
    /// No more input will come.
    has_ended: bool,
    is_quitting: bool,
}

impl<W: Write> Front<W> {
    /// A new session at the initial position.
    pub fn new(engine: Engine, output: W, tools: Tools) -> Self {
        let line = Line::new(Position::initial());
        Self {
            engine,
            output: Output::new(output),
            tools,
            settings: Settings {
                lists_tunables: tools.lists_tunables,
                ..Settings::new()
            },
            line: Some(line.clone()),
            shown_line: line,
            activity: FrontActivity::Idle,
            waiting: Waiting::default(),
            is_debugging: false,
            has_ended: false,
            is_quitting: false,
        }
    }

    /// Whether the session is over.
    pub fn is_done(&self) -> bool {
        let is_idle = matches!(self.activity, FrontActivity::Idle);
        is_idle && (self.is_quitting || self.has_ended && self.waiting.is_empty())
    }

    /// Takes a line of input.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn read(&mut self, input: Input) -> io::Result<()> {
        let text = match input.text {
            Text::Line(text) => text,
            Text::TooLong { is_position: false } => {
                return self.output.error(&"line too long, ignored");
            }
            Text::TooLong { is_position: true } => {
                let reason = "line too long".to_owned();
                return self.take(Command::BadPosition(reason), input.moment, 0);
            }
        };
        self.output.heard(&text);
        match Command::parse(&text) {
            Ok(command) => self.take(command, input.moment, text.len()),
            Err(error) => self.output.error(&error),
        }
    }

    /// Handles the end of input: finite searches finish, others are stopped.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn end(&mut self) -> io::Result<()> {
        self.has_ended = true;
        self.go_on()
    }

    /// Whether [`Front::prepare_ahead`] is the only remaining work.
    pub fn is_unprepared(&mut self) -> bool {
        matches!(self.activity, FrontActivity::Idle) && self.engine.is_unprepared()
    }

    /// Starts preparing the next search.
    pub fn prepare_ahead(&mut self) {
        self.engine.prepare_ahead();
    }

    /// Handles an event of the engine.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn hear(&mut self, event: SearchEvent) -> io::Result<()> {
        match event {
            SearchEvent::Known(news) => self.output.line(&print::known(news)),
            SearchEvent::TableTrouble(text) | SearchEvent::RankTrouble(text) => {
                self.output.error(&text)
            }
            SearchEvent::Report(timed) => {
                self.show(&timed)?;
                self.end_proof(timed.report.nodes)
            }
            SearchEvent::Secured(report) => self.show_safety(&report),
            SearchEvent::Pulse { nodes, elapsed } => {
                self.output.line(&print::pulse(nodes, elapsed))?;
                self.end_proof(nodes)
            }
            SearchEvent::Part { mv, nodes } => self.show_part(mv, nodes),
            SearchEvent::Decided(outcome) => self.conclude(|front| front.answer(&outcome)),
            SearchEvent::Failed { best } => self.conclude(|front| front.apologise(best)),
            SearchEvent::Counted {
                nodes,
                elapsed,
                is_stopped,
            } => self.conclude(|front| {
                let note = if is_stopped { " (stopped)" } else { "" };
                front.output.line(&print::pulse(nodes, elapsed))?;
                front.output.line(&format!("Nodes searched: {nodes}{note}"))
            }),
        }
    }

    fn style(&self) -> Style {
        Style {
            castling: self.settings.castling,
            shows_wdl: self.settings.shows_wdl,
        }
    }

    fn show(&mut self, timed: &TimedReport) -> io::Result<()> {
        self.show_safety(&timed.report)?;
        let FrontActivity::Searching { root, .. } = &self.activity else {
            return Ok(());
        };
        let text = print::info(root, timed, self.style());
        self.output.line(&text)
    }

    /// Said when it changes, so that it does not double the number of lines; and before the line it belongs to, since
    /// hosts take the last line before the answer for the last word.
    fn show_safety(&mut self, report: &RootUpdate) -> io::Result<()> {
        let FrontActivity::Searching { shown, .. } = &mut self.activity else {
            return Ok(());
        };
        match print::safety(report) {
            Some(text) if report.multi_pv == 1 && shown.as_ref() != Some(&text) => {
                self.output.line(&text)?;
                *shown = Some(text);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn show_part(&mut self, mv: Move, nodes: u64) -> io::Result<()> {
        let FrontActivity::Counting { root, .. } = &self.activity else {
            return Ok(());
        };
        let text = uci_move(root, mv, self.settings.castling);
        self.output.line(&format!("{text}: {nodes}"))
    }

    /// The last event of a job: says its last words and goes on with what has been waiting.
    fn conclude(&mut self, last_words: impl FnOnce(&mut Self) -> io::Result<()>) -> io::Result<()> {
        // The answer first: the clock runs until it is out.
        last_words(self)?;
        self.engine.finish();
        self.activity = FrontActivity::Idle;
        self.go_on()
    }

    /// Carries out what waits, as far as its time has come. When no more can come, nothing goes on for ever.
    fn go_on(&mut self) -> io::Result<()> {
        while !self.is_quitting {
            let next = match self.activity {
                FrontActivity::Idle => self.waiting.next(),
                _ => self.waiting.next_for_search(self.is_endless()),
            };
            match next {
                Some((command, moment)) => self.obey(command, moment)?,
                None if self.must_stop() => self.stop()?,
                None => break,
            }
        }
        Ok(())
    }

    /// Whether what is running must be told to stop, for a `stop` waits behind it, or because no more can come.
    fn must_stop(&self) -> bool {
        let is_stopping = match self.activity {
            FrontActivity::Searching { is_stopping, .. }
            | FrontActivity::Counting { is_stopping, .. } => is_stopping,
            FrontActivity::Idle | FrontActivity::Holding { .. } => false,
        };
        !is_stopping && (self.waiting.has_stop() || self.has_ended && self.is_endless())
    }

    /// Stops a proof that has gone on for long after the end of the input.
    fn end_proof(&mut self, nodes: u64) -> io::Result<()> {
        match self.activity {
            FrontActivity::Searching { is_proof: true, .. }
                if self.has_ended && nodes >= LAST_PROOF_NODES =>
            {
                self.stop()
            }
            _ => Ok(()),
        }
    }

    /// The last lines with the final figures, what the answer rests on, and the answer.
    fn answer(&mut self, outcome: &SearchOutcome) -> io::Result<()> {
        if let (true, Some(reason)) = (self.is_debugging, outcome.reason) {
            self.output
                .line(&format!("info string stopped by {reason:?}"))?;
        }
        outcome.lines.iter().try_for_each(|line| self.show(line))?;
        let FrontActivity::Searching { root, .. } = &self.activity else {
            return Ok(());
        };
        let text = print::best_move(root, outcome, self.settings.castling);
        self.output.line(&text)
    }

    /// The search has failed; the game goes on with the best move it knew.
    fn apologise(&mut self, best: Option<Move>) -> io::Result<()> {
        self.output
            .error(&"the search failed; please report this with the commands that led to it")?;
        let FrontActivity::Searching { root, .. } = &self.activity else {
            return Ok(());
        };
        let best = best.map_or("0000".to_owned(), |best| {
            uci_move(root, best, self.settings.castling)
        });
        self.output.line(&format!("bestmove {best}"))
    }

    /// Carries a command out at once, or when its turn has come.
    fn take(&mut self, command: Command, moment: Timestamp, bytes: usize) -> io::Result<()> {
        match command {
            Command::Uci
            | Command::IsReady
            | Command::Quit
            | Command::Debug(_)
            | Command::Help
            | Command::Nothing => self.obey(command, moment),
            _ if self.waiting.push(command, moment, bytes) => self.go_on(),
            _ => self
                .output
                .error(&"too many commands during a search; ignored"),
        }
    }

    /// Whether nothing but a word of the user can end what is going on.
    fn is_endless(&self) -> bool {
        match self.activity {
            FrontActivity::Searching {
                is_finite,
                is_stopping,
                ..
            } => !is_finite && !is_stopping,
            FrontActivity::Holding { .. } => true,
            FrontActivity::Idle | FrontActivity::Counting { .. } => false,
        }
    }

    fn obey(&mut self, command: Command, moment: Timestamp) -> io::Result<()> {
        match command {
            Command::Nothing => Ok(()),
            Command::Uci => self.introduce(),
            Command::Debug(is_on) => {
                self.is_debugging = is_on;
                Ok(())
            }
            Command::IsReady => self.get_ready(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => self.new_game(),
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves),
            Command::BadPosition(reason) => {
                self.line = None;
                self.output
                    .error(&format!("{reason}; the position is not set"))
            }
            Command::Go(go) => match self.activity {
                FrontActivity::Idle => self.go(&go, moment),
                _ => self
                    .output
                    .error(&"an infinite search is running; go ignored until stop"),
            },
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(moment),
            Command::Quit => {
                self.is_quitting = true;
                self.waiting.clear();
                self.stop()
            }
            Command::Display => self.display(),
            Command::Eval => self.show_static_value(),
            Command::Bench => self.bench(),
            Command::Help => print::HELP
                .lines()
                .try_for_each(|line| self.output.line(line)),
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.output
            .line(concat!("id name cc2s ", env!("CARGO_PKG_VERSION")))?;
        self.output.line("id author the cc2s developers")?;
        for line in options::announce(&self.engine, &self.settings) {
            self.output.line(&line)?;
        }
        self.output.line("uciok")
    }

    fn get_ready(&mut self) -> io::Result<()> {
        match self.engine.prepare() {
            Ok(None) => {}
            Ok(Some(less)) => self.output.error(&less)?,
            Err(error) => self.output.error(&error)?,
        }
        self.output.line("readyok")
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        match options::set(&mut self.engine, &mut self.settings, name, value) {
            Ok(Consequence::None) => Ok(()),
            Ok(Consequence::Warn(warnings)) => warnings
                .iter()
                .try_for_each(|warning| self.output.error(warning)),
            Ok(Consequence::Note(note)) => self.output.note(&note),
            Ok(Consequence::Log(path)) => match self.output.log_to(&path) {
                Ok(()) => Ok(()),
                Err(error) => self
                    .output
                    .error(&format!("cannot log to '{}': {error}", quote(&path))),
            },
            Err(error) => self.output.error(&error),
        }
    }

    fn new_game(&mut self) -> io::Result<()> {
        self.set_line(Line::new(Position::initial()));
        match self.engine.new_game() {
            Ok(()) => Ok(()),
            Err(error) => self.output.error(&error),
        }
    }

    fn set_line(&mut self, line: Line) {
        self.shown_line = line.clone();
        self.line = Some(line);
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> io::Result<()> {
        self.line = None;
        let start = match fen.map_or_else(|| Ok(Position::initial()), parse_fen) {
            Ok(start) => start,
            Err(error) => return self.output.error(&error),
        };
        match play_all(start, moves) {
            Ok(line) => {
                self.set_line(line);
                Ok(())
            }
            Err((ply, error)) => self
                .output
                .error(&format!("{error} at ply {ply}; the position is not set")),
        }
    }

    /// A legal position is never forfeited: what makes no sense after `go` is named and left out. Without a legal move
    /// there is a score and `bestmove (none)`, whatever else is asked.
    fn go(&mut self, go: &GoRequest, moment: Timestamp) -> io::Result<()> {
        for complaint in &go.complaints {
            self.output.error(complaint)?;
        }
        let Some(line) = self.line.clone() else {
            self.output.error(&"no valid position to search")?;
            return self.output.line(NO_POSITION);
        };
        if let Some(depth) = go.perft {
            return self.count(&line, depth, moment);
        }
        let mut moves = Vec::new();
        line.legal_moves(&mut moves);
        if moves.is_empty() {
            return self.go_nowhere(&line, go);
        }
        let (wanted, refused) = wanted_moves(&line, go);
        for error in refused {
            self.output.error(&format!("searchmoves: {error}"))?;
        }
        // `searchmoves` without a legal move asks for nothing in particular.
        self.think(
            line,
            if wanted.is_empty() { moves } else { wanted },
            go,
            moment,
        )
    }

    fn think(
        &mut self,
        line: Line,
        moves: Vec<Move>,
        go: &GoRequest,
        moment: Timestamp,
    ) -> io::Result<()> {
        let is_black = line.turn().is_black();
        let limits = go.limits_for(is_black);
        let root = Box::new(line.position().clone());
        let unpondered = crate::time::Limits {
            ponder: false,
            ..limits.clone()
        };
        let activity = FrontActivity::Searching {
            root,
            is_finite: is_finite(&limits),
            is_proof: is_proof(&limits),
            ends_after_ponder_hit: is_finite(&unpondered),
            is_pondering: limits.ponder,
            is_stopping: false,
            shown: None,
        };
        let first = moves.first().map_or("0000".to_owned(), |&first| {
            uci_move(line.position(), first, self.settings.castling)
        });
        match self.engine.think(line, moves, limits, moment) {
            Ok(less) => {
                self.activity = activity;
                less.map_or(Ok(()), |less| self.output.error(&less))
            }
            Err(error) => {
                self.output.error(&error)?;
                self.output.line(&format!("bestmove {first}"))
            }
        }
    }

    /// The game is over: there is a score, but no move.
    fn go_nowhere(&mut self, line: &Line, go: &GoRequest) -> io::Result<()> {
        let score = if line.position().is_check() {
            "mate 0"
        } else {
            "cp 0"
        };
        self.output.line(&format!("info depth 0 score {score}"))?;
        if go.limits.ponder || go.limits.infinite {
            self.activity = FrontActivity::Holding {
                is_pondering: go.limits.ponder && !go.limits.infinite,
            };
            return Ok(());
        }
        self.output.line(NO_MOVE)
    }

    fn count(&mut self, line: &Line, depth: u32, moment: Timestamp) -> io::Result<()> {
        let root = line.position().clone();
        match self.engine.count(root.clone(), depth, moment) {
            Ok(()) => {
                self.activity = FrontActivity::Counting {
                    root: Box::new(root),
                    is_stopping: false,
                };
                Ok(())
            }
            Err(error) => self.output.error(&error),
        }
    }

    /// Late or needless: ignored, and not remembered.
    fn stop(&mut self) -> io::Result<()> {
        match &mut self.activity {
            FrontActivity::Idle => Ok(()),
            FrontActivity::Searching { is_stopping, .. }
            | FrontActivity::Counting { is_stopping, .. } => {
                *is_stopping = true;
                self.engine.stop();
                Ok(())
            }
            FrontActivity::Holding { .. } => self.let_go(),
        }
    }

    fn let_go(&mut self) -> io::Result<()> {
        self.activity = FrontActivity::Idle;
        self.output.line(NO_MOVE)
    }

    fn ponder_hit(&mut self, moment: Timestamp) -> io::Result<()> {
        match &mut self.activity {
            FrontActivity::Searching {
                is_pondering,
                is_finite,
                ends_after_ponder_hit,
                ..
            } if *is_pondering => {
                *is_pondering = false;
                *is_finite = *ends_after_ponder_hit;
                self.engine.ponder_hit(moment);
                Ok(())
            }
            FrontActivity::Holding { is_pondering: true } => self.let_go(),
            _ => Ok(()),
        }
    }

    fn display(&mut self) -> io::Result<()> {
        let position = self.shown_line.position().clone();
        for row in notation::diagram(&position).lines() {
            self.output.line(row)?;
        }
        self.output
            .line(&format!("Fen: {}", notation::fen(&position)))?;
        self.output.line(&format!("Key: {:016X}", position.key()))?;
        if !self.settings.opponent.is_empty() {
            self.output
                .line(&format!("Opponent: {}", self.settings.opponent))?;
        }
        if self.line.is_none() {
            self.output
                .line("The last position command was refused; this is the position before it.")?;
        }
        Ok(())
    }

    fn show_static_value(&mut self) -> io::Result<()> {
        let position = self.shown_line.position();
        let score = self.engine.static_value(position);
        self.output.line(&format!(
            "Static evaluation: {}, side to move",
            print::score_text(score)
        ))?;
        let view = self.engine.explain(position);
        let lines = view.map_or_else(Vec::new, |view| explain(position, &view));
        lines.iter().try_for_each(|line| self.output.line(line))
    }

    fn bench(&mut self) -> io::Result<()> {
        let (_, search) = self.engine.searches();
        match (self.tools.bench)(search, self.engine.params()) {
            Ok(lines) => lines.iter().try_for_each(|line| self.output.line(line)),
            Err(error) => self.output.error(&error),
        }
    }
}

/// The moves asked for that are legal, and what is wrong with the others.
fn wanted_moves(line: &Line, go: &GoRequest) -> (Vec<Move>, Vec<MoveError>) {
    let (mut moves, mut refused) = (Vec::new(), Vec::new());
    for text in &go.search_moves {
        match parse_uci_move(line.position(), text) {
            Ok(mv) if moves.contains(&mv) => {}
            Ok(mv) => moves.push(mv),
            Err(error) => refused.push(error),
        }
    }
    (moves, refused)
}

/// Plays all moves; an error names the first that cannot be played, counted from 1.
fn play_all(start: Position, moves: &[String]) -> Result<Line, (usize, MoveError)> {
    let mut line = Line::new(start);
    for (ply, text) in moves.iter().enumerate() {
        let mv = parse_uci_move(line.position(), text).map_err(|error| (ply + 1, error))?;
        line.play(mv);
    }
    Ok(line)
}
