//! A UCI host that talks to the engine.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use cc2s::engine::Engine;
use cc2s::uci::{self, Tools};

/// An engine that has not answered by then hangs, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_mins(5);

/// The number after a word of an info line, if present.
pub fn number(line: &str, word: &str) -> Option<u64> {
    let mut words = line.split(' ').skip_while(|&other| other != word);
    words.nth(1)?.parse().ok()
}

/// The nodes of the last info line.
pub fn nodes(lines: &[String]) -> u64 {
    let mut told = lines.iter().rev().filter_map(|line| number(line, "nodes"));
    told.next().expect("a number of nodes")
}

enum Engines {
    Binary(Box<Child>),
    /// Input of the thread that runs the front end; dropping it ends the input.
    Inside(Option<Sender<Vec<u8>>>, Option<JoinHandle<io::Result<()>>>),
}

pub struct Gui {
    engine: Engines,
    lines: Receiver<String>,
    /// All lines received, for error messages.
    heard: Vec<String>,
    /// Number of best moves that arrived before they were awaited.
    early: usize,
}

impl Gui {
    /// Endless searches, each stopped when it has sent more lines than the previous one: each answers once.
    pub fn stop_again_and_again(&mut self) {
        for infos in 0..8 {
            self.send("ucinewgame\nposition startpos moves e2e4 e7e5 g1f3 b8c6 f1b5");
            self.send("go infinite");
            for _ in 0..infos {
                self.until_before_the_answer("info ");
            }
            self.send("stop");
            self.best_moves(1);
        }
    }

    pub fn spawn() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cc2s"))
            .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = child.stdout.take().unwrap();
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let _ = sender.send(line.unwrap());
            }
        });
        Self {
            engine: Engines::Binary(Box::new(child)),
            lines,
            heard: Vec::new(),
            early: 0,
        }
    }

    /// Starts the binary and waits for `uciok`.
    pub fn ready() -> Self {
        let mut gui = Self::spawn();
        gui.send("uci");
        gui.until("uciok");
        gui.synchronise();
        gui
    }

    /// Runs the front end in this process.
    pub fn inside(engine: Engine, tools: Tools) -> Self {
        let (bytes, inbox) = mpsc::channel();
        let (sender, lines) = mpsc::channel();
        let input = Pipe {
            inbox,
            rest: Vec::new(),
        };
        let thread = thread::spawn(move || {
            uci::run(
                input,
                Lines {
                    sender,
                    partial: Vec::new(),
                },
                engine,
                tools,
            )
        });
        Self {
            engine: Engines::Inside(Some(bytes), Some(thread)),
            lines,
            heard: Vec::new(),
            early: 0,
        }
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        match &mut self.engine {
            Engines::Binary(child) => child.stdin.as_mut().unwrap().write_all(bytes).unwrap(),
            Engines::Inside(sender, _) => sender.as_ref().unwrap().send(bytes.to_vec()).unwrap(),
        }
    }

    pub fn next(&mut self, patience: Duration) -> Result<String, RecvTimeoutError> {
        let line = self.lines.recv_timeout(patience)?;
        assert_eq!(line.trim_end(), line, "no blanks at the end");
        self.heard.push(line.clone());
        Ok(line)
    }

    /// All lines up to and including the first one that begins with `start`.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let Ok(line) = self.next(PATIENCE) else {
                break;
            };
            let is_last = line.starts_with(start);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
        panic!("no '{start}' in {:#?}", self.heard);
    }

    /// The next line that begins with `start`; there must be no best move before it.
    pub fn until_before_the_answer(&mut self, start: &str) -> String {
        let mut lines = self.until(start);
        assert!(
            !lines.iter().any(|line| line.starts_with("bestmove")),
            "premature: {lines:?}"
        );
        lines.pop().unwrap()
    }

    /// Waits until the search reports this time.
    pub fn until_time(&mut self, milliseconds: u64) {
        while number(&self.until_before_the_answer("info "), "time")
            .is_none_or(|time| time < milliseconds)
        {}
    }

    /// Waits until all input has been processed; returns the output until then, without `readyok`.
    pub fn synchronise(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends `isready` during a search. Only a finite search may answer meanwhile; that answer is counted.
    pub fn synchronise_within(&mut self, go: &str, is_finite: bool) {
        let lines = self.synchronise();
        let moves = lines
            .iter()
            .filter(|line| line.starts_with("bestmove"))
            .count();
        assert!(moves <= usize::from(is_finite), "{go}: {lines:?}");
        self.early += moves;
    }

    /// Waits for this number of best moves, including early ones, and checks that no more follow.
    pub fn best_moves(&mut self, count: usize) {
        for _ in self.early..count {
            self.until("bestmove");
        }
        self.early = 0;
        let after = self.synchronise();
        assert!(
            !after.iter().any(|line| line.starts_with("bestmove")),
            "{:#?}",
            self.heard
        );
    }

    /// Sends a line and returns the output up to the next `readyok`.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.synchronise()
    }

    /// Sends a search and returns its lines up to `bestmove`.
    pub fn search(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.until("bestmove")
    }

    /// Asserts that there is no best move for a while.
    pub fn assert_no_best_move(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while let Ok(line) = self.next(deadline.saturating_duration_since(Instant::now())) {
            assert!(!line.starts_with("bestmove"), "premature: {line}");
        }
    }

    /// Closes the input and waits for the end; returns the last lines.
    pub fn close(mut self) -> Vec<String> {
        let mut lines = Vec::new();
        match &mut self.engine {
            Engines::Binary(child) => drop(child.stdin.take()),
            Engines::Inside(sender, _) => drop(sender.take()),
        }
        loop {
            match self.next(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("no end: {:#?}", self.heard),
            }
        }
        match &mut self.engine {
            Engines::Binary(child) => assert!(child.wait().unwrap().success()),
            Engines::Inside(_, thread) => thread.take().unwrap().join().unwrap().unwrap(),
        }
        lines
    }

    /// Sends `quit` and waits for the end.
    pub fn quit(mut self) -> Vec<String> {
        self.send("quit");
        self.close()
    }
}

impl Drop for Gui {
    fn drop(&mut self) {
        if let Engines::Binary(child) = &mut self.engine {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The reading end of a pipe within the process.
struct Pipe {
    inbox: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            let Ok(bytes) = self.inbox.recv() else {
                return Ok(0);
            };
            self.rest = bytes;
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

struct Lines {
    sender: Sender<String>,
    partial: Vec<u8>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.partial)).unwrap();
                let _ = self.sender.send(line);
            } else {
                self.partial.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
