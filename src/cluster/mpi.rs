//! The link over MPI. All its calls come from the thread that opened it.
//!
//! Several messages to each rank are in transit at once ([`Sending`]). So no rank waits until a thread of another
//! process gets a processor, which would be for ever if that process has stopped.

use std::collections::VecDeque;

use mpi::environment::{Threading, Universe};
use mpi::point_to_point::{MatchedReceiveVec as _, Source as _};
use mpi::topology::{Communicator as _, SimpleCommunicator};

use super::link::{Full, Link};
use super::sending::Sending;

/// The maximum number of messages to one rank in MPI: enough to keep a receiver busy that polls rarely. It also
/// keeps a stopped receiver from using up the memory shared by all.
const UNDER_WAY_MAX: usize = 16;

/// This process as a rank of MPI. Dropping it leaves MPI, which waits for the other ranks to leave as well.
pub struct MpiLink {
    world: SimpleCommunicator,
    /// Messages in transit by receiver, in the order of sending, which is the order of receipt.
    under_way: Vec<VecDeque<Sending>>,
    _universe: Universe,
}

impl MpiLink {
    /// Enters MPI; returns `None` if that was done before, or if the library does not support threads.
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

    /// Returns the rank of this process.
    pub fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> usize {
        self.world.size() as usize
    }

    /// Returns the number of ranks on this machine, including this one. A collective call: all ranks make it
    /// together.
    pub fn ranks_on_machine(&self) -> usize {
        self.world.split_shared(0).size() as usize
    }

    /// Returns the host name.
    pub fn host() -> String {
        mpi::environment::processor_name().unwrap_or_default()
    }
}

/// Drops the messages that MPI has finished; returns the number of the rest.
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
