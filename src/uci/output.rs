//! The only writer: every line is flushed, and written to the log if there is one.

use std::fs::File;
use std::io::{self, Write};

use crate::engine::Timestamp;

/// Writes lines, and logs both directions.
pub struct Output<W> {
    writer: W,
    log: Option<File>,
    start: Timestamp,
}

impl<W: Write> Output<W> {
    /// Writes here; no log yet.
    pub fn new(writer: W) -> Self {
        Self {
            writer,
            log: None,
            start: Timestamp::now(),
        }
    }

    /// Writes a line.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        self.log("<<", text);
        // In one piece, should anybody else write to the same place.
        self.writer.write_all(format!("{text}\n").as_bytes())?;
        self.writer.flush()
    }

    /// Writes a message worth knowing.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn note(&mut self, message: &str) -> io::Result<()> {
        self.line(&format!("info string {message}"))
    }

    /// Writes a message about something that went wrong.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn error(&mut self, message: &impl std::fmt::Display) -> io::Result<()> {
        self.note(&format!("error: {message}"))
    }

    /// Logs a line of input.
    pub fn heard(&mut self, text: &str) {
        self.log(">>", text);
    }

    /// Logs to the end of this file from now on; an empty path ends the log.
    ///
    /// # Errors
    /// The file cannot be opened; the old log goes on.
    pub fn log_to(&mut self, path: &str) -> io::Result<()> {
        self.log = if path.is_empty() {
            None
        } else {
            Some(File::options().create(true).append(true).open(path)?)
        };
        Ok(())
    }

    /// A log that can no longer be written is given up: the game is more important.
    fn log(&mut self, direction: &str, text: &str) {
        let Some(file) = &mut self.log else { return };
        let seconds = self.start.elapsed().as_secs_f64();
        if writeln!(file, "{seconds:10.3} {direction} {text}").is_err() {
            self.log = None;
        }
    }
}
