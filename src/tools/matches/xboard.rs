//! Engines with the Chess Engine Communication Protocol (xboard, version 2).

use std::sync::Arc;
use std::time::{Duration, Instant};

use shakmaty::Color;

use super::clock::{Allowance, TimeControl};
use super::entrant::Entrant;
use super::host::Host;
use super::info::Info;
use super::options::Options;
use super::player::{Choice, PATIENCE, Player, Reply, Turn};
use super::process::{PlayerError, Process};

/// Maximum time for an engine to list its features; old engines list none.
const FEATURES: Duration = Duration::from_secs(2);
/// The same for an engine that has said `done=0`.
const SLOW_FEATURES: Duration = Duration::from_mins(1);

/// An xboard engine, which keeps the state of the game.
pub(super) struct XboardPlayer {
    process: Process,
    options: Options,
    has_setboard: bool,
    /// The engine expects `usermove` before a move.
    has_usermove: bool,
    has_ping: bool,
    /// Number of moves of the game known to the engine; `None` before the first request.
    known: Option<usize>,
}

impl XboardPlayer {
    /// Starts the program, reads its features and sets its options.
    pub(super) fn start(entrant: &Entrant, host: &Arc<Host>) -> Result<Self, PlayerError> {
        let mut player = Self {
            process: Process::start(entrant, host)?,
            options: Options::default(),
            has_setboard: false,
            has_usermove: false,
            has_ping: false,
            known: None,
        };
        player.process.send("xboard")?;
        player.process.send("protover 2")?;
        player.read_features()?;
        for (name, value) in &entrant.options {
            let checked = player.options.check(name, value);
            checked.map_err(|reason| player.process.unable(reason))?;
            player.process.send(&format!("option {name}={value}"))?;
        }
        player.get_ready()?;
        Ok(player)
    }

    fn read_features(&mut self) -> Result<(), PlayerError> {
        let mut features = String::new();
        let mut hear = |line: &str| {
            let named = line.strip_prefix("feature ")?;
            features.push_str(named);
            features.push(' ');
            self.options.hear_xboard(named);
            // An engine that needs time says `done=0` first.
            let is_word = |word: &str| named.split_whitespace().any(|each| each == word);
            (is_word("done=1") || is_word("done=0")).then(|| is_word("done=1"))
        };
        match self.process.wait("feature done=1", FEATURES, &mut hear) {
            Ok((_, true)) | Err(PlayerError::Silent { .. }) => {}
            Ok((_, false)) => {
                let mut hear_end = |line: &str| hear(line).filter(|&is_done| is_done);
                let process = &mut self.process;
                process.wait("feature done=1", SLOW_FEATURES, &mut hear_end)?;
            }
            Err(error) => return Err(error),
        }
        let has = |feature: &str| features.split_whitespace().any(|word| word == feature);
        self.has_setboard = has("setboard=1");
        self.has_usermove = has("usermove=1");
        self.has_ping = has("ping=1");
        Ok(())
    }

    fn get_ready(&mut self) -> Result<(), PlayerError> {
        if !self.has_ping {
            return Ok(());
        }
        self.process.send("ping 1")?;
        let pong = |line: &str| (line == "pong 1").then_some(());
        self.process.wait("pong 1", PATIENCE, pong).map(|_| ())
    }

    /// Sets up the game up to the engine's first move.
    fn set_up(&mut self, turn: &Turn<'_>) -> Result<(), PlayerError> {
        for line in ["new", "easy", "post"] {
            self.process.send(line)?;
        }
        let pace = match turn.allowance {
            Allowance::Clock(control) => level(control),
            Allowance::MoveTime(limit) => format!("st {}", limit as f64 / 1000.0),
            Allowance::Depth(limit) => format!("sd {limit}"),
            Allowance::Nodes(_) => {
                return Err(self.process.unable("xboard knows no limit of nodes"));
            }
        };
        self.process.send(&pace)?;
        self.process.send("force")?;
        if !turn.is_initial {
            if !self.has_setboard {
                let reason = "it cannot set up positions; take openings with their moves (PGN)";
                return Err(self.process.unable(reason));
            }
            self.process.send(&format!("setboard {}", turn.start))?;
        }
        for mv in turn.moves {
            self.tell_move(mv)?;
        }
        self.get_ready()
    }

    fn tell_move(&mut self, mv: &str) -> Result<(), PlayerError> {
        if self.has_usermove {
            self.process.send(&format!("usermove {mv}"))
        } else {
            self.process.send(mv)
        }
    }

    fn tell_clocks(&mut self, turn: &Turn<'_>) -> Result<(), PlayerError> {
        let Some(clocks) = turn.clocks else {
            return Ok(());
        };
        let centiseconds = |time: Duration| time.as_millis() / 10;
        let own = centiseconds(clocks.get(turn.color).remaining());
        let other = centiseconds(clocks.get(!turn.color).remaining());
        self.process.send(&format!("time {own}"))?;
        self.process.send(&format!("otim {other}"))
    }
}

impl Player for XboardPlayer {
    fn new_game(&mut self, is_chess960: bool) -> Result<(), PlayerError> {
        if is_chess960 {
            let reason = "it plays no Chess960 (xboard engines are given ordinary chess only)";
            return Err(self.process.unable(reason));
        }
        self.known = None;
        self.process.send("force")?;
        self.get_ready()
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Reply, PlayerError> {
        let start = match self.known {
            None => {
                self.set_up(turn)?;
                self.tell_clocks(turn)?;
                let start = Instant::now();
                self.process.send("go")?;
                start
            }
            Some(known) => {
                let [mv] = &turn.moves[known..] else {
                    unreachable!("players move in turn");
                };
                self.tell_clocks(turn)?;
                let start = Instant::now();
                self.tell_move(mv)?;
                start
            }
        };
        self.known = Some(turn.moves.len() + 1);
        let mut info = Info::default();
        let hear = |line: &str| {
            info.hear_xboard(line);
            // Without pings a claim may belong to the game before.
            choice(line, turn.color, self.has_ping)
        };
        let (end, choice) = self.process.wait("move", turn.patience, hear)?;
        Ok(Reply::new(choice, start, end, info))
    }
}

/// Parses the choice of the player of `color`. A claim that the opponent has won counts as resignation if claims are
/// accepted; other claims are left to the referee.
fn choice(line: &str, color: Color, accepts_claims: bool) -> Option<Choice> {
    let mut words = line.split_whitespace();
    let lost = color.fold_wb("0-1", "1-0");
    match words.next()? {
        "move" => words.next().map(|mv| Choice::Move(mv.to_owned())),
        "resign" => Some(Choice::Resign),
        result if accepts_claims && result == lost => Some(Choice::Resign),
        _ => None,
    }
}

/// The `level` command: moves per control (0 for the whole game), minutes and seconds, increment in seconds. The protocol
/// has only whole seconds of base time, so a fraction is rounded up; the clock itself is sent before each move.
fn level(control: TimeControl) -> String {
    let seconds = control.base().as_millis().div_ceil(1_000);
    format!(
        "level {} {}:{:02} {}",
        control.moves().unwrap_or(0),
        seconds / 60,
        seconds % 60,
        control.increment().as_secs_f64()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_written_as_engines_read_them() {
        let written = |text: &str| level(text.parse().unwrap());
        assert_eq!(written("5+0.05"), "level 0 0:05 0.05");
        assert_eq!(written("40/300"), "level 40 5:00 0");
        assert_eq!(written("0.5+0.1"), "level 0 0:01 0.1");
    }

    #[test]
    fn lines_are_understood() {
        let (white, black) = (Color::White, Color::Black);
        let mv = Some(Choice::Move("e2e4".to_owned()));
        assert_eq!(choice("move e2e4", white, true), mv);
        assert_eq!(choice("resign", white, true), Some(Choice::Resign));
        assert_eq!(
            choice("1-0 {White mates}", black, true),
            Some(Choice::Resign)
        );
        assert_eq!(choice("1-0 {White mates}", black, false), None);
        assert_eq!(choice("1-0 {White mates}", white, true), None);
        assert_eq!(
            choice("0-1 {Black mates}", white, true),
            Some(Choice::Resign)
        );
        assert_eq!(choice("1/2-1/2 {Draw by repetition}", white, true), None);
        assert_eq!(choice("tellics whisper depth=8", white, true), None);
    }
}
