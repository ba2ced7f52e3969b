//! A test of an engine's compliance with UCI, step by step.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::entrant::Entrant;
use super::host::Host;
use super::player::PATIENCE;
use super::process::{PlayerError, Process};
use crate::chess::Position;
use crate::chess::notation::parse_uci_move;

/// Time of a search without limit until it is stopped.
const THINKING: Duration = Duration::from_millis(100);
/// Tolerance of time limits, because the machine may be busy.
const LATENESS_MAX: Duration = Duration::from_secs(5);
/// The time of `go movetime`.
const MOVE_TIME: Duration = Duration::from_millis(100);
/// A clock that must not run out.
const CLOCK: Duration = Duration::from_secs(5);
/// White is checkmated.
const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";

/// The result of a step: a remark, or the reason for its failure.
pub type Found = Result<String, PlayerError>;

/// The name of a step and its test.
type ComplianceStep = (&'static str, fn(&mut Process) -> Found);

const STEPS: [ComplianceStep; 10] = [
    ("uci", handshake),
    ("setoption", options),
    ("go depth", |engine| search(engine, "go depth 4", "")),
    ("go movetime", move_time),
    ("go wtime", clock),
    ("go infinite, stop", stop),
    ("go ponder, ponderhit", ponder),
    ("no legal move", no_legal_move),
    ("nonsense", nonsense),
    ("quit", Process::leave),
];

/// Starts an engine and runs all steps. Calls `report` with the name and the result of each step.
///
/// # Errors
/// The engine does not start. Later errors are reported, and the following steps are run nonetheless.
pub fn check_compliance(
    entrant: &Entrant,
    host: &Arc<Host>,
    mut report: impl FnMut(&'static str, Found),
) -> Result<(), PlayerError> {
    let mut engine = Process::start(entrant, host)?;
    for (name, step) in STEPS {
        report(name, step(&mut engine));
    }
    Ok(())
}

fn handshake(engine: &mut Process) -> Found {
    engine.send("uci")?;
    let (mut name, mut options) = (None, 0);
    engine.wait("uciok", PATIENCE, |line| {
        if let Some(given) = line.strip_prefix("id name ") {
            name = Some(given.to_owned());
        }
        options += usize::from(line.starts_with("option name "));
        (line == "uciok").then_some(())
    })?;
    let name = name.ok_or_else(|| engine.unable("it tells no name ('id name')"))?;
    Ok(format!("{name}, {options} options"))
}

fn options(engine: &mut Process) -> Found {
    engine.send("setoption name Hash value 16")?;
    engine.send("setoption name UCI_AnalyseMode value false")?;
    engine.send("ucinewgame")?;
    ready(engine)
}

fn ready(engine: &mut Process) -> Found {
    engine.send("isready")?;
    let hear = |line: &str| (line == "readyok").then_some(());
    engine.wait("readyok", PATIENCE, hear)?;
    Ok("readyok".to_owned())
}

/// Sends `go`, and `then` after [`THINKING`] unless it is empty. The answer must be a legal move of the initial
/// position.
fn search(engine: &mut Process, go: &str, then: &str) -> Found {
    engine.send("position startpos")?;
    ready(engine)?;
    engine.send(go)?;
    if !then.is_empty() {
        thread::sleep(THINKING);
        is_silent(engine, go)?;
        engine.send(then)?;
    }
    let best = best_move(engine)?;
    parse_uci_move(&Position::initial(), &best)
        .map_err(|error| engine.unable(format!("after '{go}': {error}")))?;
    Ok(best)
}

/// Checks that the engine has not answered before it was asked to.
fn is_silent(engine: &mut Process, go: &str) -> Result<(), PlayerError> {
    let hear = |line: &str| line.starts_with("bestmove").then_some(());
    match engine.wait("bestmove", Duration::ZERO, hear) {
        Err(PlayerError::Silent { .. }) => Ok(()),
        Err(error) => Err(error),
        Ok(_) => Err(engine.unable(format!("it answers '{go}' before it is told to"))),
    }
}

fn best_move(engine: &mut Process) -> Found {
    let hear = |line: &str| {
        let best = line.strip_prefix("bestmove ")?;
        best.split_whitespace().next().map(str::to_owned)
    };
    engine
        .wait("bestmove", PATIENCE, hear)
        .map(|(_, best)| best)
}

/// A search that must end on its own within `limit`.
fn timed(engine: &mut Process, go: &str, limit: Duration) -> Found {
    let start = Instant::now();
    let best = search(engine, go, "")?;
    let taken = start.elapsed();
    if taken > limit {
        return Err(engine.unable(format!("'{go}' took {} ms", taken.as_millis())));
    }
    Ok(format!("{best} after {} ms", taken.as_millis()))
}

fn move_time(engine: &mut Process) -> Found {
    let go = format!("go movetime {}", MOVE_TIME.as_millis());
    timed(engine, &go, MOVE_TIME + LATENESS_MAX)
}

fn clock(engine: &mut Process) -> Found {
    let left = CLOCK.as_millis();
    timed(engine, &format!("go wtime {left} btime {left}"), CLOCK)
}

fn stop(engine: &mut Process) -> Found {
    search(engine, "go infinite", "stop")
}

fn ponder(engine: &mut Process) -> Found {
    search(engine, "go ponder wtime 1000 btime 1000", "ponderhit")
}

fn no_legal_move(engine: &mut Process) -> Found {
    engine.send(&format!("position fen {MATED}"))?;
    engine.send("go depth 4")?;
    match best_move(engine)?.as_str() {
        none @ ("(none)" | "0000") => Ok(format!("bestmove {none}")),
        other => Err(engine.unable(format!("it is mated and answers 'bestmove {other}'"))),
    }
}

fn nonsense(engine: &mut Process) -> Found {
    for line in [
        "hello",
        "position fen nowhere",
        "setoption name",
        "go depth x",
    ] {
        engine.send(line)?;
    }
    engine.send("stop")?;
    ready(engine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;

    #[test]
    fn the_mated_side_has_no_move() {
        let position = parse_fen(MATED).unwrap();
        assert!(shakmaty::Position::is_checkmate(position.chess()));
    }
}
