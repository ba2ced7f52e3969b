//! Runs a match at several tables, each with its own engine processes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crossbeam::channel;

use super::entrant::Entrant;
use super::game::{Ending, PlayedGame, Rules, play};
use super::host::Host;
use super::pgn::pgn;
use super::player::{Player, start};
use super::process::PlayerError;
use super::record::GameRecord;
use super::schedule::ScheduledGame;
use crate::chess::Line;
use crate::tools::ToolError;

/// State shared by all tables.
pub struct Contest<'a> {
    /// The engines.
    pub entrants: &'a [Entrant],
    /// The openings of the games.
    pub openings: &'a [Line],
    /// The conditions of each game.
    pub rules: &'a Rules,
    /// The owner of the match.
    pub host: &'a Arc<Host>,
}

/// Starts every engine once, to detect unknown options before the first game.
///
/// # Errors
/// A program does not start, an option or its value is unknown, or Chess960 is needed but not supported.
pub fn check(contest: &Contest<'_>) -> Result<(), ToolError> {
    let is_chess960 = |opening: &Line| opening.first().is_chess960();
    let has_chess960 = contest.openings.iter().any(is_chess960);
    for entrant in contest.entrants {
        let started = start(entrant, contest.host);
        started
            .and_then(|mut player| player.new_game(has_chess960))
            .map_err(ToolError::refused)?;
    }
    Ok(())
}

/// Plays the games at `tables` tables in parallel and calls `done` with each finished game. Running games are
/// discarded when `done` returns false or the host stops.
///
/// # Errors
/// A program does not start, or the first error of `done`.
pub fn run(
    contest: &Contest<'_>,
    plans: &[ScheduledGame],
    tables: usize,
    mut done: impl FnMut(GameRecord) -> Result<bool, ToolError>,
) -> Result<(), ToolError> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel::unbounded();
    thread::scope(|scope| {
        for _ in 0..tables {
            let (next, sender) = (&next, sender.clone());
            scope.spawn(move || {
                let mut table = PlayingTable::new(contest);
                while let Some(plan) = plans.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let record = table.play(plan);
                    let is_broken = record.is_err();
                    if sender.send(record).is_err() || is_broken {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut outcome = Ok(());
        for record in &receiver {
            if matches!(record, Err(PlayerError::Interrupted)) {
                break;
            }
            let next_step = record.map_err(ToolError::refused).and_then(&mut done);
            if !matches!(next_step, Ok(true)) {
                outcome = next_step.map(|_| ());
                contest.host.end();
                break;
            }
        }
        next.store(plans.len(), Ordering::Relaxed);
        outcome
    })
}

/// A table with the engines that have played at it.
struct PlayingTable<'a> {
    contest: &'a Contest<'a>,
    players: Vec<Option<Box<dyn Player>>>,
}

impl<'a> PlayingTable<'a> {
    fn new(contest: &'a Contest<'a>) -> Self {
        Self {
            contest,
            players: contest.entrants.iter().map(|_| None).collect(),
        }
    }

    fn play(&mut self, plan: &ScheduledGame) -> Result<GameRecord, PlayerError> {
        let mut white = self.take(plan.white)?;
        let mut black = self.take(plan.black)?;
        let opening = &self.contest.openings[plan.opening];
        let game = play(
            [white.as_mut(), black.as_mut()],
            opening,
            self.contest.rules,
        )?;
        // A player that did not answer may still be searching the old game, so the next one gets a new process.
        if !matches!(game.ending, Ending::Crash | Ending::TimeLoss) {
            self.players[plan.white] = Some(white);
            self.players[plan.black] = Some(black);
        }
        Ok(self.record(plan, game))
    }

    fn take(&mut self, player: usize) -> Result<Box<dyn Player>, PlayerError> {
        match self.players[player].take() {
            Some(seated) => Ok(seated),
            None => start(&self.contest.entrants[player], self.contest.host),
        }
    }

    fn record(&self, plan: &ScheduledGame, game: PlayedGame) -> GameRecord {
        let name = |player: usize| self.contest.entrants[player].name.as_str();
        let names = [name(plan.white), name(plan.black)];
        let round = format!("{}.{}", plan.pair + 1, plan.number % 2 + 1);
        let winner = game
            .winner
            .map(|color| color.fold_wb(plan.white, plan.black));
        GameRecord {
            number: plan.number,
            pair: plan.pair,
            white: plan.white,
            black: plan.black,
            winner,
            ending: game.ending,
            plies: game.plies.len(),
            pgn: pgn(&game, names, &round, &self.contest.rules.allowance),
            fault: game.fault,
        }
    }
}
