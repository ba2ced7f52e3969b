//! The work on a target, and its cost.

use crate::chess::Position;
use crate::tools::ToolError;

/// One piece of work done by some number of workers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Time until the decision, in nanoseconds.
    pub elapsed_ns: u64,
    /// Time that the workers have worked, all of them together; `None` where nobody has measured it.
    pub busy_ns: Option<u64>,
    /// Nodes of all workers.
    pub nodes: u64,
    /// Messages sent.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Workers that decide on positions, in virtual time or by the clock.
pub trait Machine {
    /// The depth that one worker meets within so many nodes, in plies; 0: none.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    fn depth_within(&mut self, position: &Position, nodes: u64) -> Result<u16, ToolError>;

    /// One worker decides to that depth.
    ///
    /// # Errors
    /// The memory cannot be had, or did not suffice.
    fn alone(&mut self, position: &Position, depth: u16) -> Result<Run, ToolError>;

    /// So many workers decide to that depth; the seed decides the delays of messages.
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

    /// Processors that so many workers take.
    fn processors(&self, workers: u16) -> u32 {
        workers.into()
    }
}
