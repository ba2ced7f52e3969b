//! The cooperation of a worker with others in an analysis.

use super::pending::Pending;
use crate::thesis::messages::job_size::CostModel;
use crate::thesis::root::director::Director;
use crate::thesis::team_params::TeamParams;
use crate::thesis::tree::placement::{Placement, WorkerId};

/// The context of a step of a task, beside the searcher.
#[derive(Clone, Debug)]
pub(crate) struct Sharing<M> {
    pub team: TeamParams,
    pub pending: Pending<M>,
    /// The director of the analysis, for the leader only.
    pub director: Option<Director<M>>,
    /// The measured work of subtree jobs.
    pub cost_model: CostModel,
}

impl<M: Copy + Eq> Sharing<M> {
    pub(crate) fn new(id: WorkerId, placement: Placement) -> Self {
        Self {
            team: TeamParams::default(),
            pending: Pending::new(id, placement),
            director: None,
            cost_model: CostModel::default(),
        }
    }

    /// Returns the director, for the worker at the root.
    pub(crate) fn director(&self) -> &Director<M> {
        self.director.as_ref().expect("the root has a director")
    }

    pub(crate) fn director_mut(&mut self) -> &mut Director<M> {
        self.director.as_mut().expect("the root has a director")
    }

    /// Drops the state of the previous analysis; addresses of nodes at other workers are kept.
    pub(crate) fn start_analysis(&mut self) {
        self.pending.close();
        self.director = None;
        self.cost_model = CostModel::default();
    }
}
