//! Ranks of the default search, simulated or real.

use super::machine::{Machine, Run};
use super::threads::{depth_within, reach};
use crate::chess::{Line, Position};
use crate::cluster::{Timeline, world};
use crate::engine::searches::cc2s::DelegatedCc2s;
use crate::lab::cluster::{self, Setup, simulate};
use crate::settings::EngineParams;
use crate::tools::ToolError;

/// Ranks in virtual time, compared with one thread.
pub struct SimulatedRanks {
    setup: Setup,
    /// The timeline of the last run.
    pub timeline: Timeline,
}

impl SimulatedRanks {
    /// Creates ranks with this setup; its seed is ignored.
    pub fn new(setup: Setup) -> Self {
        Self {
            setup,
            timeline: Timeline::default(),
        }
    }

    fn single(&self) -> Setup {
        Setup {
            threads: 1,
            ..self.setup.clone()
        }
    }
}

impl Machine for SimulatedRanks {
    fn depth_within(&mut self, position: &Position, nodes: u64) -> Result<u16, ToolError> {
        cluster::depth_within(&Line::new(position.clone()), nodes, &self.single())
    }

    fn alone(&mut self, position: &Position, depth: u16) -> Result<Run, ToolError> {
        let run = simulate(&Line::new(position.clone()), depth, 1, &self.single())?;
        Ok(of_ranks(&run))
    }

    fn together(
        &mut self,
        position: &Position,
        depth: u16,
        workers: u16,
        seed: u64,
    ) -> Result<Run, ToolError> {
        self.setup.seed = seed;
        let line = Line::new(position.clone());
        let run = simulate(&line, depth, workers.into(), &self.setup)?;
        let came_of_it = of_ranks(&run);
        self.timeline = run.timeline;
        Ok(came_of_it)
    }

    fn processors(&self, workers: u16) -> u32 {
        u32::from(workers) * self.setup.threads as u32
    }
}

fn of_ranks(run: &cluster::SimulatedRun) -> Run {
    Run {
        elapsed_ns: run.elapsed_ns,
        busy_ns: Some(run.busy_ns),
        nodes: run.nodes,
        messages: run.messages,
        bytes: run.bytes,
    }
}

/// The ranks started by `mpirun`, in real time, compared with all threads of one rank.
pub struct RealRanks {
    alone: DelegatedCc2s,
    together: DelegatedCc2s,
}

impl RealRanks {
    /// Uses all ranks, with these parameters.
    ///
    /// # Errors
    /// There is only one rank, or the memory cannot be allocated.
    pub fn new(params: &EngineParams) -> Result<Self, ToolError> {
        if world::count() < 2 {
            let how = "--real needs ranks: mpirun -n 3 cc2s lab speedup ranks --real";
            return Err(ToolError::Settings(how.to_owned()));
        }
        world::keep_timeline();
        let search = || {
            let (threads, hash) = (params.engine.threads, params.engine.hash_mib);
            let delegation = params.delegation.clone();
            let made = DelegatedCc2s::new(
                delegation,
                &params.delegate(),
                threads as usize,
                hash as usize,
            );
            made.map_err(ToolError::refused)
        };
        Ok(Self {
            alone: search()?,
            together: search()?.with_ranks(params),
        })
    }
}

impl Machine for RealRanks {
    fn depth_within(&mut self, position: &Position, nodes: u64) -> Result<u16, ToolError> {
        Ok(depth_within(&mut self.alone, position, nodes))
    }

    fn alone(&mut self, position: &Position, depth: u16) -> Result<Run, ToolError> {
        Ok(reach(&mut self.alone, position, depth))
    }

    fn together(
        &mut self,
        position: &Position,
        depth: u16,
        _: u16,
        _: u64,
    ) -> Result<Run, ToolError> {
        Ok(reach(&mut self.together, position, depth))
    }
}
