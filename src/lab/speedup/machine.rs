//! The interface to workers, and the cost of a run.

use crate::chess::Position;
use crate::tools::ToolError;

/// The cost of one search by a number of workers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Time until the decision, in nanoseconds.
    pub elapsed_ns: u64,
    /// Search time of all workers together, in nanoseconds; `None` if not measured.
    pub busy_ns: Option<u64>,
    /// Nodes of all workers.
    pub nodes: u64,
    /// Messages sent.
    pub messages: u64,
    /// Bytes sent.
    pub bytes: u64,
}

/// Workers that search positions, in virtual or real time.
pub trait Machine {
    /// Returns the depth that one worker completes within `nodes` nodes, in plies; 0 if none.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    fn depth_within(&mut self, position: &Position, nodes: u64) -> Result<u16, ToolError>;

    /// Searches a position to `depth` plies with one worker.
    ///
    /// # Errors
    /// The memory cannot be allocated or does not suffice.
    fn alone(&mut self, position: &Position, depth: u16) -> Result<Run, ToolError>;

    /// Searches a position to `depth` plies with `workers` workers. The seed determines the delays of messages.
    ///
    /// # Errors
    /// As [`Self::alone`].
    fn together(
        &mut self,
        position: &Position,
        depth: u16,
        workers: u16,
        seed: u64,
    ) -> Result<Run, ToolError>;

    /// Returns the number of processors of `workers` workers.
    fn processors(&self, workers: u16) -> u32 {
        workers.into()
    }
}
