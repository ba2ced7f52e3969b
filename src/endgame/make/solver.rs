//! The common interface of all algorithms.

use super::TableValue;
use std::io;

/// A running analysis. It works in steps and does no input or output, so that the caller can show progress, save
/// or stop between steps.
pub trait Solver {
    /// Processes one bound or depth; returns false if that was the last.
    fn step(&mut self) -> bool;

    /// Returns the state needed by [`Algorithm::resume`](super::Algorithm::resume).
    fn save(&mut self) -> Vec<u8>;

    /// The progress: the amount (see [`TableValue::amount`]) down to which values are known.
    fn bound(&self) -> u8;

    /// Returns the interface for working files, if the analysis uses them.
    fn in_files(&mut self) -> Option<&mut dyn InFiles> {
        None
    }

    /// Ends a finished analysis and returns the value of every index, 0 for unused ones.
    fn finish(self: Box<Self>) -> Vec<TableValue>;
}

/// An analysis in working files.
pub trait InFiles {
    /// Takes the first file error; later results of the analysis are invalid.
    fn trouble(&mut self) -> Option<io::Error>;

    /// Calls `each` with the results of a finished analysis for one side, index by index, without holding all in
    /// memory. `None` is an unused index.
    ///
    /// # Errors
    /// A file cannot be read.
    fn show(&mut self, side: usize, each: &mut dyn FnMut(Option<TableValue>)) -> io::Result<()>;
}

/// Runs `solver` to its end.
pub fn run(mut solver: Box<dyn Solver + '_>) -> Vec<TableValue> {
    while solver.step() {}
    solver.finish()
}
