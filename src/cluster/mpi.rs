//! The link that MPI provides. All its calls come from the thread that opened it.
//!
//! Several messages to each rank are under way at once ([`Sending`]), so that nobody waits until a thread of another
//! process gets a processor; if that process has stopped, it would be for ever.

use std::collections::VecDeque;

use mpi::environment::{Threading, Universe};
use mpi::point_to_point::{MatchedReceiveVec as _, Source as _};
use mpi::topology::{Communicator as _, SimpleCommunicator};

use super::link::{Full, Link};
use super::sending::Sending;

/// Messages to one rank that MPI has at most: enough to keep a receiver busy while it seldom looks, and few enough
/// that one who has stopped does not use up the memory that all share.
const UNDER_WAY_MAX: usize = 16;

/// This process as a rank of MPI. Dropping it leaves MPI, which waits for the others to leave as well.
pub struct MpiLink {
    world: SimpleCommunicator,
    /// By receiver, in the order of sending, in which they are received.
    under_way: Vec<VecDeque<Sending>>,
    _universe: Universe,
}

impl MpiLink {
    /// Enters MPI; `None` if that has been done before, or if the library cannot serve a program with threads.
    pub fn open() -> Option<Self> {
        let (universe, threading) = mpi::initialize_with_threading(Threading::Funneled)?;
        let world = universe.world();
        let under_way = (0..world.size()).map(|_| VecDeque::new()).collect();
        (threading >= Threading::Funneled).then_some(Self {
            world,
            under_way,
            _universe: universe,
        })
    }

    /// This process's rank.
    pub fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    /// Number of ranks.
    pub fn ranks(&self) -> usize {
        self.world.size() as usize
    }

    /// Number of ranks on this machine, this one included. All ranks ask for it together.
    pub fn ranks_on_machine(&self) -> usize {
        self.world.split_shared(0).size() as usize
    }

    /// The name of the machine.
    pub fn host() -> String {
        mpi::environment::processor_name().unwrap_or_default()
    }
}

/// Messages that MPI still has.
fn settle(sendings: &mut VecDeque<Sending>) -> usize {
    while let Some(first) = sendings.pop_front() {
        if let Err(unfinished) = first.finish() {
            sendings.push_front(unfinished);
            break;
        }
    }
    sendings.len()
}

impl Link for MpiLink {
    fn send(&mut self, rank: usize, bytes: &[u8]) -> Result<(), Full> {
        let sendings = &mut self.under_way[rank];
        if settle(sendings) >= UNDER_WAY_MAX {
            return Err(Full);
        }
        let receiver = self.world.process_at_rank(rank as i32);
        sendings.push_back(Sending::begin(&receiver, bytes));
        Ok(())
    }

    fn has_left(&mut self) -> bool {
        let sendings = self.under_way.iter_mut();
        sendings.map(settle).sum::<usize>() == 0
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        let found = self.world.any_process().immediate_matched_probe()?;
        let (bytes, status) = found.matched_receive_vec();
        Some((status.source_rank() as usize, bytes))
    }
}
