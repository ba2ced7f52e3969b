//! A game: the referee enforces the clocks and the rules.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color, Position as _};

use super::clock::{Allowance, Clock};
use super::info::{Announced, Info};
use super::player::{Choice, Player, Reply, Turn};
use super::process::PlayerError;
use crate::chess::notation::{CastlingStyle, fen, parse_san, parse_uci_move, san, uci_move};
use crate::chess::{Line, Move, Position};
use crate::game::Game as _;

/// Time to wait for a player beyond its limit before it counts as unresponsive.
const GRACE: Duration = Duration::from_secs(5);
/// Time to wait for a player without a clock.
const NO_CLOCK: Duration = Duration::from_mins(10);

/// The conditions of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// The limits of each player.
    pub allowance: Allowance,
    /// Time that a clock may be exceeded by, in milliseconds.
    pub margin_ms: u64,
    /// Resign adjudication: minimum loss in centipawns by the player's own score, and number of consecutive moves.
    pub resign: Option<(i32, u32)>,
    /// Draw adjudication: maximum absolute score in centipawns of both players, and number of consecutive moves of
    /// each.
    pub draw: Option<(i32, u32)>,
    /// Number of moves after which a game is adjudicated as a draw.
    pub moves_max: Option<u32>,
}

impl Rules {
    /// Creates rules without adjudication and margin.
    pub fn plain(allowance: Allowance) -> Self {
        Self {
            allowance,
            margin_ms: 0,
            resign: None,
            draw: None,
            moves_max: None,
        }
    }
}

/// The reason for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// The loser is checkmated.
    Checkmate,
    /// The side to move has no legal move.
    Stalemate,
    /// Threefold repetition.
    Repetition,
    /// Fifty moves without capture or pawn move.
    FiftyMoves,
    /// Insufficient material.
    Material,
    /// The loser exceeded the time.
    TimeLoss,
    /// The loser made an illegal move.
    IllegalMove,
    /// The loser's program terminated or does not respond.
    Crash,
    /// The loser resigned, or was adjudicated to lose by its own scores.
    Resignation,
    /// Adjudication as a draw by the scores, or by the length of the game.
    Agreement,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "threefold repetition",
            Self::FiftyMoves => "fifty moves",
            Self::Material => "insufficient material",
            Self::TimeLoss => "time forfeit",
            Self::IllegalMove => "illegal move",
            Self::Crash => "crash",
            Self::Resignation => "resignation",
            Self::Agreement => "adjudicated draw",
        })
    }
}

#[derive(Clone, Debug)]
pub struct PlayedMove {
    pub san: String,
    /// The time used and the last search info; `None` for a move of the opening.
    pub thought: Option<(Duration, Info)>,
}

#[derive(Clone, Debug)]
pub struct PlayedGame {
    pub start: Position,
    pub plies: Vec<PlayedMove>,
    pub winner: Option<Color>,
    pub ending: Ending,
    /// The error of a player, as text.
    pub fault: Option<String>,
}

/// Plays a game from the end of `opening`. A player that failed must be replaced afterwards.
///
/// # Errors
/// A player does not support these rules, or the match is interrupted.
pub fn play(
    players: [&mut dyn Player; 2],
    opening: &Line,
    rules: &Rules,
) -> Result<PlayedGame, PlayerError> {
    let mut referee = Referee::new(opening, rules);
    let [white, black] = players;
    let mut players = ByColor { white, black };
    for color in Color::ALL {
        match players.get_mut(color).new_game(referee.is_chess960()) {
            Ok(()) => {}
            Err(error @ (PlayerError::Unable { .. } | PlayerError::Interrupted)) => {
                return Err(error);
            }
            Err(error) => {
                return Ok(referee.finish(Some(!color), Ending::Crash, Some(error.to_string())));
            }
        }
    }
    loop {
        let turn = referee.line.turn();
        if let Some(game) = referee.turn(*players.get_mut(turn))? {
            return Ok(game);
        }
    }
}

struct Referee<'a> {
    rules: &'a Rules,
    start: String,
    line: Line,
    /// The moves in UCI notation.
    moves: Vec<String>,
    plies: Vec<PlayedMove>,
    clocks: Option<ByColor<Clock>>,
    /// The number of consecutive losing scores of each side.
    hopeless: ByColor<u32>,
    /// The number of consecutive plies with a drawn score.
    level: u32,
}

impl<'a> Referee<'a> {
    fn new(opening: &Line, rules: &'a Rules) -> Self {
        let clocks = match rules.allowance {
            Allowance::Clock(control) => Some(ByColor::new_with(|_| Clock::new(control))),
            _ => None,
        };
        let mut referee = Self {
            rules,
            start: fen(opening.first()),
            line: Line::new(opening.first().clone()),
            moves: Vec::new(),
            plies: Vec::new(),
            clocks,
            hopeless: ByColor::new_with(|_| 0),
            level: 0,
        };
        for &mv in opening.moves() {
            referee.record(mv.expect("nobody passes in an opening"), None);
        }
        referee
    }

    /// Plays one move; returns the game if it is over.
    fn turn(&mut self, player: &mut dyn Player) -> Result<Option<PlayedGame>, PlayerError> {
        let color = self.line.turn();
        let lost = match player.think(&self.question(color)) {
            Ok(reply) => self.accept(color, &reply).err(),
            Err(error @ (PlayerError::Unable { .. } | PlayerError::Interrupted)) => {
                return Err(error);
            }
            Err(error @ PlayerError::Silent { .. }) => Some((Ending::TimeLoss, error.to_string())),
            Err(error) => Some((Ending::Crash, error.to_string())),
        };
        if let Some((ending, fault)) = lost {
            let fault = Some(fault).filter(|fault| !fault.is_empty());
            return Ok(Some(self.finish(Some(!color), ending, fault)));
        }
        let end = self.ending().or_else(|| self.adjudicate(color));
        Ok(end.map(|(winner, ending)| self.finish(winner, ending, None)))
    }

    fn is_chess960(&self) -> bool {
        self.line.first().is_chess960()
    }

    fn question(&self, color: Color) -> Turn<'_> {
        Turn {
            start: &self.start,
            is_initial: self.line.first().key() == Position::initial().key(),
            moves: &self.moves,
            color,
            allowance: self.rules.allowance,
            clocks: self.clocks.as_ref(),
            patience: self.patience(color),
        }
    }

    /// Plays the player's move, or returns the reason for a loss.
    fn accept(&mut self, color: Color, reply: &Reply) -> Result<(), (Ending, String)> {
        if !self.is_in_time(color, reply.elapsed) {
            let spent = reply.elapsed.as_secs_f64();
            return Err((Ending::TimeLoss, format!("took {spent:.3} s")));
        }
        let Choice::Move(text) = &reply.choice else {
            return Err((Ending::Resignation, String::new()));
        };
        let position = self.line.position();
        // Some engines write castling in SAN regardless of the protocol.
        let mv = parse_uci_move(position, text)
            .or_else(|error| parse_san(position, text).map_err(|_| error))
            .map_err(|error| (Ending::IllegalMove, error.to_string()))?;
        self.record(mv, Some((reply.elapsed, reply.info)));
        Ok(())
    }

    fn patience(&self, color: Color) -> Duration {
        let limit = match (&self.clocks, self.rules.allowance) {
            (Some(clocks), _) => clocks.get(color).remaining(),
            (None, Allowance::MoveTime(limit)) => Duration::from_millis(limit),
            (None, _) => NO_CLOCK,
        };
        limit + self.margin() + GRACE
    }

    fn margin(&self) -> Duration {
        Duration::from_millis(self.rules.margin_ms)
    }

    fn is_in_time(&mut self, turn: Color, spent: Duration) -> bool {
        let margin = self.margin();
        match (&mut self.clocks, self.rules.allowance) {
            (Some(clocks), _) => clocks.get_mut(turn).spend(spent, margin),
            (None, Allowance::MoveTime(limit)) => spent <= Duration::from_millis(limit) + margin,
            (None, _) => true,
        }
    }

    fn record(&mut self, mv: Move, thought: Option<(Duration, Info)>) {
        let position = self.line.position();
        let style = if self.is_chess960() {
            CastlingStyle::KingTakesRook
        } else {
            CastlingStyle::KingMoves
        };
        self.moves.push(uci_move(position, mv, style));
        let san = san(position, mv);
        self.plies.push(PlayedMove { san, thought });
        self.line.play(mv);
    }

    /// The end of the game by the rules of chess.
    fn ending(&self) -> Option<(Option<Color>, Ending)> {
        let chess = self.line.position().chess();
        let drawn = |ending| Some((None, ending));
        if chess.is_checkmate() {
            Some((Some(!self.line.turn()), Ending::Checkmate))
        } else if chess.is_stalemate() {
            drawn(Ending::Stalemate)
        } else if chess.is_insufficient_material() {
            drawn(Ending::Material)
        } else if chess.halfmoves() >= 100 {
            drawn(Ending::FiftyMoves)
        } else if self.line.repetitions() >= 2 {
            drawn(Ending::Repetition)
        } else {
            None
        }
    }

    /// Adjudicates the game by the scores of the players and its length, where the rules allow it. `mover` has
    /// just moved.
    fn adjudicate(&mut self, mover: Color) -> Option<(Option<Color>, Ending)> {
        let thought = self.plies.last().and_then(|ply| ply.thought.as_ref());
        let score = thought.and_then(|(_, info)| info.score);
        let score = score.map(Announced::centipawns);
        if let Some((limit, times)) = self.rules.resign {
            let count = self.hopeless.get_mut(mover);
            let is_hopeless = score.is_some_and(|score| score <= -limit);
            *count = if is_hopeless { *count + 1 } else { 0 };
            if *count >= times {
                return Some((Some(!mover), Ending::Resignation));
            }
        }
        if let Some((limit, times)) = self.rules.draw {
            let is_level = score.is_some_and(|score| score.abs() <= limit);
            self.level = if is_level { self.level + 1 } else { 0 };
            if self.level >= 2 * times {
                return Some((None, Ending::Agreement));
            }
        }
        let is_long = |limit: u32| self.plies.len() >= 2 * limit as usize;
        let is_too_long = self.rules.moves_max.is_some_and(is_long);
        is_too_long.then_some((None, Ending::Agreement))
    }

    fn finish(
        &mut self,
        winner: Option<Color>,
        ending: Ending,
        fault: Option<String>,
    ) -> PlayedGame {
        PlayedGame {
            start: self.line.first().clone(),
            plies: std::mem::take(&mut self.plies),
            winner,
            ending,
            fault,
        }
    }
}
