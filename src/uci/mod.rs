//! The front end for chess programs: the Universal Chess Interface.
//!
//! ```text
//! stdin -> input (thread) -> Command -> front -> Engine
//!                                         ^        |
//! stdout <- print <-----------------------+--------+ SearchEvent
//! ```
//! One loop reads both sides and is the only writer. On invalid input, the engine keeps its state, reports the error
//! (`info string error: ...`) and continues.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod command;
mod explain;
mod front;
mod go;
mod input;
mod options;
mod output;
mod print;
mod waiting;

use std::io::{self, Read, Write};
use std::time::Duration;

use crossbeam::channel;
use crossbeam::select;

use crate::engine::Engine;
use crate::settings::EngineParams;
use front::Front;

/// Input that rests for so long has come to an end for now: hosts write several options at once.
const REST: Duration = Duration::from_millis(10);

/// Commands of the front end that other modules run.
#[derive(Clone, Copy, Debug)]
pub struct Tools {
    /// Runs the benchmark of the search of that name with these parameters and returns the lines to show.
    pub bench: fn(&str, &EngineParams) -> Result<Vec<String>, String>,
    /// Announce the parameters of the search, too.
    pub lists_tunables: bool,
}

/// Speaks UCI until `quit` or the end of the input. At the end of the input a finite search finishes first; a proof of
/// mate without another limit gets some more nodes. While the input is idle, the next search is prepared.
///
/// # Errors
/// The output cannot be written. A closed pipe is not an error: the reader has gone.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write,
    engine: Engine,
    tools: Tools,
) -> io::Result<()> {
    let events = engine.events();
    let mut lines = input::spawn(input)?;
    let mut front = Front::new(engine, output, tools);
    while !front.is_done() {
        let rest = if front.is_unprepared() {
            channel::after(REST)
        } else {
            channel::never()
        };
        let result = select! {
            recv(events) -> event => event.map_or(Ok(()), |event| front.hear(event)),
            recv(lines) -> line => if let Ok(line) = line {
                front.read(line)
            } else {
                lines = channel::never();
                front.end()
            },
            recv(rest) -> _ => {
                front.prepare_ahead();
                Ok(())
            },
        };
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            other => other?,
        }
    }
    Ok(())
}
