//! A program that is spoken to by lines.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{self, Receiver, RecvTimeoutError};
use thiserror::Error;

use super::entrant::Entrant;

/// How long a program may take to leave.
const FAREWELL: Duration = Duration::from_millis(500);

/// Why a player cannot go on.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// The program does not start.
    #[error("{name}: cannot start {program}: {error}")]
    Start {
        /// The player.
        name: String,
        /// Its program.
        program: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// The program has ended.
    #[error("{0}: the program has ended")]
    Ended(String),
    /// The expected answer did not come in time.
    #[error("{name}: no '{wanted}' within {limit:?}")]
    Silent {
        /// The player.
        name: String,
        /// What was expected.
        wanted: &'static str,
        /// How long it was waited for.
        limit: Duration,
    },
    /// The player's protocol cannot express what is asked of it.
    #[error("{name}: {reason}")]
    Unable {
        /// The player.
        name: String,
        /// What it cannot do.
        reason: &'static str,
    },
}

/// A running program.
pub(super) struct Process {
    name: String,
    child: Child,
    input: ChildStdin,
    /// What it says, with the time it was heard.
    lines: Receiver<(Instant, String)>,
}

impl Process {
    /// Starts the program.
    pub(super) fn start(entrant: &Entrant) -> Result<Self, PlayerError> {
        let failed = |program: String, error| PlayerError::Start {
            name: entrant.name.clone(),
            program,
            error,
        };
        let own = || std::env::current_exe().map_err(|error| failed("this program".into(), error));
        let program = entrant.command.clone().map_or_else(own, Ok)?;
        let mut child = Command::new(&program)
            .args(&entrant.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| failed(program.display().to_string(), error))?;
        let input = child.stdin.take().expect("standard input is piped");
        let output = child.stdout.take().expect("standard output is piped");
        Ok(Self {
            name: entrant.name.clone(),
            child,
            input,
            lines: listen(output),
        })
    }

    /// Sends a line.
    pub(super) fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        let text = format!("{line}\n");
        let sent = self.input.write_all(text.as_bytes());
        sent.and_then(|()| self.input.flush())
            .map_err(|_| PlayerError::Ended(self.name.clone()))
    }

    /// Hands every line to `hear` until it finds what is wanted in one; when that was heard, and what it found.
    pub(super) fn wait<T>(
        &self,
        wanted: &'static str,
        limit: Duration,
        mut hear: impl FnMut(&str) -> Option<T>,
    ) -> Result<(Instant, T), PlayerError> {
        let deadline = Instant::now() + limit;
        loop {
            match self.lines.recv_deadline(deadline) {
                Ok((at, line)) => {
                    if let Some(found) = hear(&line) {
                        return Ok((at, found));
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PlayerError::Ended(self.name.clone()));
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(PlayerError::Silent {
                        name: self.name.clone(),
                        wanted,
                        limit,
                    });
                }
            }
        }
    }

    /// The error of a player that cannot do what is asked of it.
    pub(super) fn unable(&self, reason: &'static str) -> PlayerError {
        PlayerError::Unable {
            name: self.name.clone(),
            reason,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.send("quit");
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads lines in a thread of its own, which ends with the program.
fn listen(output: ChildStdout) -> Receiver<(Instant, String)> {
    let (sender, receiver) = channel::unbounded();
    thread::spawn(move || {
        let mut reader = BufReader::new(output);
        let mut line = Vec::new();
        while reader
            .read_until(b'\n', &mut line)
            .is_ok_and(|read| read > 0)
        {
            let text = String::from_utf8_lossy(&line).trim().to_owned();
            line.clear();
            if sender.send((Instant::now(), text)).is_err() {
                break;
            }
        }
    });
    receiver
}
