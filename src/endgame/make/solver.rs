//! The one interface of all algorithms.

use super::TableValue;
use std::io;

/// An analysis under way. It does one step at a time and no input or output, so that whoever drives it can show
/// progress, save it or stop it between steps.
pub trait Solver {
    /// Does one bound or depth; false when that was the last.
    fn step(&mut self) -> bool;

    /// Everything a resumed analysis needs, as [`Algorithm::resume`](super::Algorithm::resume) takes it.
    fn save(&mut self) -> Vec<u8>;

    /// How far it is: the amount (see [`TableValue::amount`]) down to which values are known.
    fn bound(&self) -> u8;

    /// The analysis as one in working files, if it is one.
    fn in_files(&mut self) -> Option<&mut dyn InFiles> {
        None
    }

    /// Ends a finished analysis: the value of every index, 0 where an index stands for nothing.
    fn finish(self: Box<Self>) -> Vec<TableValue>;
}

/// An analysis in working files.
pub trait InFiles {
    /// The first error of the files, once: what the analysis tells afterwards is worth nothing.
    fn trouble(&mut self) -> Option<io::Error>;

    /// Shows what a finished analysis has found for one side, index by index, without having all of it in memory;
    /// `None` for an index that stands for nothing.
    ///
    /// # Errors
    /// A file that cannot be read.
    fn show(&mut self, side: usize, each: &mut dyn FnMut(Option<TableValue>)) -> io::Result<()>;
}

/// Steps `solver` to its end.
pub fn run(mut solver: Box<dyn Solver + '_>) -> Vec<TableValue> {
    while solver.step() {}
    solver.finish()
}
