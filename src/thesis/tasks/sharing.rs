//! How a worker shares the work on an analysis with others.

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
    /// Leader only: what is wanted of the analysis.
    pub director: Option<Director<M>>,
    /// The work of problems solved apart.
    pub cost_model: CostModel,
}

impl<M: Copy + Eq> Sharing<M> {
    /// For worker number `id`, with nothing shared yet.
    pub(crate) fn new(id: WorkerId, placement: Placement) -> Self {
        Self {
            team: TeamParams::default(),
            pending: Pending::new(id, placement),
            director: None,
            cost_model: CostModel::default(),
        }
    }

    /// The request for the analysis, for the worker at its root.
    pub(crate) fn director(&self) -> &Director<M> {
        self.director.as_ref().expect("the root has a director")
    }

    /// The same, to be told what has come out.
    pub(crate) fn director_mut(&mut self) -> &mut Director<M> {
        self.director.as_mut().expect("the root has a director")
    }

    /// Drops what belongs to the analysis before; addresses of nodes at other workers stay.
    pub(crate) fn start_analysis(&mut self) {
        self.pending.close();
        self.director = None;
        self.cost_model = CostModel::default();
    }
}
