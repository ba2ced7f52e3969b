//! A player that speaks UCI.

use std::fmt::Write as _;
use std::time::Instant;

use super::clock::Allowance;
use super::entrant::Entrant;
use super::info::Info;
use super::player::{Choice, PATIENCE, Player, Reply, Turn};
use super::process::{PlayerError, Process};

/// A UCI engine.
pub(super) struct UciPlayer {
    process: Process,
}

impl UciPlayer {
    /// Starts the program and sets its options.
    pub(super) fn start(entrant: &Entrant) -> Result<Self, PlayerError> {
        let mut player = Self {
            process: Process::start(entrant)?,
        };
        player.process.send("uci")?;
        player.expect("uciok")?;
        for (name, value) in &entrant.options {
            let option = format!("setoption name {name} value {value}");
            player.process.send(&option)?;
        }
        player.get_ready()?;
        Ok(player)
    }

    fn get_ready(&mut self) -> Result<(), PlayerError> {
        self.process.send("isready")?;
        self.expect("readyok")
    }

    fn expect(&self, wanted: &'static str) -> Result<(), PlayerError> {
        let is_wanted = |line: &str| (line == wanted).then_some(());
        self.process.wait(wanted, PATIENCE, is_wanted).map(|_| ())
    }
}

impl Player for UciPlayer {
    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.process.send("ucinewgame")?;
        self.get_ready()
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Reply, PlayerError> {
        self.process.send(&position(turn))?;
        self.get_ready()?;
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
