//! A child process with line-based input and output.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam::channel::{self, Receiver, RecvTimeoutError};
use parking_lot::Mutex;
use thiserror::Error;

use super::entrant::Entrant;
use super::host::Host;

/// Maximum time for a program to exit before it is killed.
const FAREWELL: Duration = Duration::from_millis(500);
/// Maximum time to exit in a compliance check.
const DEPARTURE: Duration = Duration::from_secs(5);
/// Interval for checking whether the match has to stop.
const GLANCE: Duration = Duration::from_millis(50);
/// The Windows flag for a process that does not receive Ctrl-C.
#[cfg(windows)]
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
/// Number of lines of standard error kept.
const LAST_WORDS: usize = 3;

/// The reason why a player cannot continue.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// The program does not start.
    #[error("{name}: cannot start {program}: {error}")]
    Start {
        /// The player.
        name: String,
        /// The program.
        program: String,
        /// The system's message.
        error: std::io::Error,
    },
    /// The program has terminated.
    #[error("{name}: the program has ended{last_words}")]
    Ended {
        /// The player.
        name: String,
        /// The exit status and the end of standard error, to be appended to an error message.
        last_words: String,
    },
    /// The expected answer did not arrive in time.
    #[error("{name}: no '{wanted}' within {limit:?}{last_words}")]
    Silent {
        /// The player.
        name: String,
        /// The expected text.
        wanted: &'static str,
        /// The time limit.
        limit: Duration,
        /// The end of standard error, to be appended to an error message.
        last_words: String,
    },
    /// The match has to stop.
    #[error("interrupted")]
    Interrupted,
    /// The player, or its protocol, does not support a request.
    #[error("{name}: {reason}")]
    Unable {
        /// The player.
        name: String,
        /// The missing feature.
        reason: String,
    },
}

/// The path of this program. If the system does not provide it, as on Linux without `/proc`, the path it was
/// called by.
fn own_program() -> io::Result<PathBuf> {
    let called = || std::env::args_os().next().map(PathBuf::from);
    std::env::current_exe().or_else(|error| called().ok_or(error))
}

pub(super) struct Process {
    name: String,
    child: Child,
    input: ChildStdin,
    /// Each line with the time of its arrival.
    lines: Receiver<(Instant, String)>,
    complaints: Complaints,
    host: Arc<Host>,
}

impl Process {
    pub(super) fn start(entrant: &Entrant, host: &Arc<Host>) -> Result<Self, PlayerError> {
        let failed = |program: String, error| PlayerError::Start {
            name: entrant.name.clone(),
            program,
            error,
        };
        let own = || own_program().map_err(|error| failed("this program".into(), error));
        let program = entrant.command.clone().map_or_else(own, Ok)?;
        let mut command = Command::new(&program);
        command
            .args(&entrant.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Ctrl-C should reach the match only, which then ends its programs.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(
            &mut command,
            CREATE_NEW_PROCESS_GROUP,
        );
        let mut child = command
            .spawn()
            .map_err(|error| failed(program.display().to_string(), error))?;
        let input = child.stdin.take().expect("standard input is piped");
        let output = child.stdout.take().expect("standard output is piped");
        let errors = child.stderr.take().expect("standard error is piped");
        let name = entrant.name.clone();
        Ok(Self {
            complaints: Complaints::of(errors, name.clone(), host.clone()),
            name,
            child,
            input,
            lines: listen(output),
            host: host.clone(),
        })
    }

    pub(super) fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        let text = format!("{line}\n");
        let sent = self.input.write_all(text.as_bytes());
        sent.and_then(|()| self.input.flush())
            .map_err(|_| self.ended())
    }

    /// Passes every line to `hear` until it returns a value. Returns the time of that line and the value.
    pub(super) fn wait<T>(
        &mut self,
        wanted: &'static str,
        limit: Duration,
        mut hear: impl FnMut(&str) -> Option<T>,
    ) -> Result<(Instant, T), PlayerError> {
        let deadline = Instant::now() + limit;
        loop {
            if self.host.is_stopped() {
                return Err(PlayerError::Interrupted);
            }
            let glance = deadline.min(Instant::now() + GLANCE);
            match self.lines.recv_deadline(glance) {
                Ok((at, line)) => {
                    if let Some(found) = hear(&line) {
                        return Ok((at, found));
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.ended());
                }
                Err(RecvTimeoutError::Timeout) if glance == deadline => {
                    return Err(PlayerError::Silent {
                        name: self.name.clone(),
                        wanted,
                        limit,
                        last_words: self.complaints.last_words(),
                    });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The error of a request that the player does not support.
    pub(super) fn unable(&self, reason: impl Into<String>) -> PlayerError {
        PlayerError::Unable {
            name: self.name.clone(),
            reason: reason.into(),
        }
    }

    /// Sends `quit`; the program must exit on its own with success.
    pub(super) fn leave(&mut self) -> Result<String, PlayerError> {
        self.send("quit")?;
        let deadline = Instant::now() + DEPARTURE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(status.to_string()),
                Ok(Some(status)) => return Err(self.unable(format!("it ends with {status}"))),
                _ if Instant::now() > deadline => return Err(self.unable("it does not end")),
                _ => thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// The error of a terminated program, with its exit status and the end of standard error.
    fn ended(&mut self) -> PlayerError {
        let deadline = Instant::now() + FAREWELL;
        let is_over = |this: &mut Self| {
            let has_left = !matches!(this.child.try_wait(), Ok(None));
            has_left && this.complaints.reader.is_finished()
        };
        while !is_over(self) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        let status = self.child.try_wait().ok().flatten();
        let status = status.map_or(String::new(), |status| format!(" ({status})"));
        PlayerError::Ended {
            name: self.name.clone(),
            last_words: status + &self.complaints.last_words(),
        }
    }
}

/// A program's standard error, passed on to the host; the last lines are kept.
struct Complaints {
    last: Arc<Mutex<VecDeque<String>>>,
    reader: JoinHandle<()>,
}

impl Complaints {
    fn of(errors: impl Read + Send + 'static, player: String, host: Arc<Host>) -> Self {
        let last = Arc::new(Mutex::new(VecDeque::new()));
        let kept = last.clone();
        let reader = thread::spawn(move || {
            each_line(errors, |line| {
                host.note(&player, &line);
                let mut kept = kept.lock();
                kept.push_back(line);
                if kept.len() > LAST_WORDS {
                    kept.pop_front();
                }
                true
            });
        });
        Self { last, reader }
    }

    fn last_words(&self) -> String {
        let last = self.last.lock();
        if last.is_empty() {
            return String::new();
        }
        let words: Vec<&str> = last.iter().map(String::as_str).collect();
        format!("; its last words: {}", words.join(" / "))
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

/// Reads lines in a separate thread, which ends with the program.
fn listen(output: impl Read + Send + 'static) -> Receiver<(Instant, String)> {
    let (sender, receiver) = channel::unbounded();
    thread::spawn(move || each_line(output, |line| sender.send((Instant::now(), line)).is_ok()));
    receiver
}

/// Passes every line to `hear` until it returns false.
fn each_line(source: impl Read, mut hear: impl FnMut(String) -> bool) {
    let mut reader = BufReader::new(source);
    let mut line = Vec::new();
    while reader
        .read_until(b'\n', &mut line)
        .is_ok_and(|read| read > 0)
    {
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        line.clear();
        if !hear(text) {
            break;
        }
    }
}
