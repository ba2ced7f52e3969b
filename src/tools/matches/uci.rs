//! UCI engines.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use super::clock::Allowance;
use super::entrant::Entrant;
use super::host::Host;
use super::info::Info;
use super::options::Options;
use super::player::{Choice, PATIENCE, Player, Reply, Turn};
use super::process::{PlayerError, Process};

pub(super) struct UciPlayer {
    process: Process,
    options: Options,
    /// The last value set for [`CHESS960`].
    is_chess960: bool,
}

/// The UCI option for Chess960.
const CHESS960: &str = "UCI_Chess960";

impl UciPlayer {
    pub(super) fn start(entrant: &Entrant, host: &Arc<Host>) -> Result<Self, PlayerError> {
        let mut process = Process::start(entrant, host)?;
        let mut options = Options::default();
        process.send("uci")?;
        let hear = |line: &str| {
            options.hear_uci(line);
            (line == "uciok").then_some(())
        };
        process.wait("uciok", PATIENCE, hear)?;
        if entrant.command.is_none() {
            options.add_own();
        }
        let mut player = Self {
            process,
            options,
            is_chess960: false,
        };
        for (name, value) in &entrant.options {
            player.set(name, value)?;
        }
        player.accept_options()?;
        Ok(player)
    }

    /// Waits until the options are set. A complaint is an error: an engine that keeps the old value of an option
    /// would play the whole match as a different program.
    fn accept_options(&mut self) -> Result<(), PlayerError> {
        let mut complaint = None;
        self.get_ready(|line| {
            let told = line.strip_prefix("info string ").unwrap_or_default();
            let word = told.get(..5).unwrap_or_default();
            if word.eq_ignore_ascii_case("error") {
                complaint.get_or_insert_with(|| told.to_owned());
            }
        })?;
        complaint.map_or(Ok(()), |complaint| Err(self.process.unable(complaint)))
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        let checked = self.options.check(name, value);
        checked.map_err(|reason| self.process.unable(reason))?;
        let option = format!("setoption name {name} value {value}");
        self.process.send(&option)
    }

    /// Waits until the engine is ready; `hear` gets each line until then.
    fn get_ready(&mut self, mut hear: impl FnMut(&str)) -> Result<(), PlayerError> {
        self.process.send("isready")?;
        let is_ready = |line: &str| {
            hear(line);
            (line == "readyok").then_some(())
        };
        self.process.wait("readyok", PATIENCE, is_ready).map(|_| ())
    }
}

impl Player for UciPlayer {
    fn new_game(&mut self, is_chess960: bool) -> Result<(), PlayerError> {
        if is_chess960 != self.is_chess960 {
            if !self.options.has(CHESS960) {
                let reason = format!("it plays no Chess960 (it has no option {CHESS960})");
                return Err(self.process.unable(reason));
            }
            self.set(CHESS960, &is_chess960.to_string())?;
            self.is_chess960 = is_chess960;
        }
        self.process.send("ucinewgame")?;
        self.get_ready(|_| {})
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Reply, PlayerError> {
        self.process.send(&position(turn))?;
        self.get_ready(|_| {})?;
        let start = Instant::now();
        self.process.send(&go(turn))?;
        let mut info = Info::default();
        let hear = |line: &str| {
            info.hear_uci(line);
            let best = line.strip_prefix("bestmove")?;
            Some(
                best.split_whitespace()
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
            )
        };
        let (end, best) = self.process.wait("bestmove", turn.patience, hear)?;
        Ok(Reply::new(Choice::Move(best), start, end, info))
    }
}

fn position(turn: &Turn<'_>) -> String {
    let mut position = format!("position fen {}", turn.start);
    if !turn.moves.is_empty() {
        position.push_str(" moves ");
        position.push_str(&turn.moves.join(" "));
    }
    position
}

fn go(turn: &Turn<'_>) -> String {
    let Some(clocks) = turn.clocks else {
        return match turn.allowance {
            Allowance::Nodes(limit) => format!("go nodes {limit}"),
            Allowance::Depth(limit) => format!("go depth {limit}"),
            Allowance::MoveTime(limit) => format!("go movetime {limit}"),
            Allowance::Clock(_) => unreachable!("a clock was set up for it"),
        };
    };
    let mut go = format!(
        "go wtime {} btime {} winc {} binc {}",
        clocks.white.remaining().as_millis(),
        clocks.black.remaining().as_millis(),
        clocks.white.increment().as_millis(),
        clocks.black.increment().as_millis(),
    );
    if let Some(moves) = clocks.get(turn.color).moves_to_go() {
        // Writing to a string cannot fail.
        let _ = write!(go, " movestogo {moves}");
    }
    go
}
