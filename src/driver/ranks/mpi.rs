//! The link that MPI provides. All its calls come from the thread that opened it.

use std::collections::VecDeque;
use std::time::Duration;

use mpi::environment::{Threading, Universe};
use mpi::point_to_point::{Destination as _, MatchedReceiveVec as _, Source as _};
use mpi::topology::{Communicator as _, SimpleCommunicator};

use super::link::{Full, Link};
use super::pump::Rest;

/// This process as a rank of MPI. Dropping it leaves MPI, which waits for the others to leave as well.
pub struct MpiLink {
    world: SimpleCommunicator,
    /// Arrived while something was sent.
    arrived: VecDeque<(usize, Vec<u8>)>,
    /// Rests for so long, while something long is on its way.
    sleep: fn(Duration),
    _universe: Universe,
}

impl MpiLink {
    /// Enters MPI, with a way to rest; `None` if that has been done before, or if the library cannot serve a program with threads.
    pub fn open(sleep: fn(Duration)) -> Option<Self> {
        let (universe, threading) = mpi::initialize_with_threading(Threading::Funneled)?;
        (threading >= Threading::Funneled).then(|| Self {
            world: universe.world(),
            arrived: VecDeque::new(),
            sleep,
            _universe: universe,
        })
    }

    /// This process's rank.
    pub fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    /// How many ranks there are.
    pub fn ranks(&self) -> usize {
        self.world.size() as usize
    }

    /// The name of the machine.
    pub fn host() -> String {
        mpi::environment::processor_name().unwrap_or_default()
    }
}

/// What has arrived next, and from whom.
fn probe(world: &SimpleCommunicator) -> Option<(usize, Vec<u8>)> {
    let found = world.any_process().immediate_matched_probe()?;
    let (bytes, status) = found.matched_receive_vec();
    Some((status.source_rank() as usize, bytes))
}

impl Link for MpiLink {
    /// Short messages leave at once. For a longer one MPI may wait until its receiver reads: meanwhile this rank reads as
    /// well, so two that write to each other do not wait for ever.
    fn send(&mut self, rank: usize, bytes: &[u8]) -> Result<(), Full> {
        let Self {
            world,
            arrived,
            sleep,
            ..
        } = self;
        let receiver = world.process_at_rank(rank as i32);
        mpi::request::scope(|scope| {
            let mut request = receiver.immediate_send(scope, bytes);
            let mut rest = Rest::default();
            while let Err(unfinished) = request.test() {
                request = unfinished;
                match probe(world) {
                    Some(letter) => {
                        rest.interrupt();
                        arrived.push_back(letter);
                    }
                    // Others need the processor meanwhile, perhaps the receiver itself.
                    None => sleep(rest.take()),
                }
            }
        });
        Ok(())
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        self.arrived.pop_front().or_else(|| probe(&self.world))
    }
}
