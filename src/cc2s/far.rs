//! One tree, and hands far away: they share no memory with the worker whose tree it is and are sent all they need.
//!
//! ```text
//!  home                                              far away
//!  worker: tasks, tree, tables -- Parcel: path, chore --> hand: game, evaluator -- work() --> the same
//!                              <------- Parcel: what was found out, what has grown -------            parcel
//! ```
//!
//! The order of work is that of hands nearby (`hands`).

use std::sync::Arc;

use super::bundle::Bench;
use super::hands::Assigned;
use super::message::{HEADER_BYTES, Step};
use super::step::Chore;
use super::table::TargetTables;
use super::walker::Walker;
use super::worker::{Work, Worker};
use crate::game::{Evaluator, Game};

/// Something to do, on its way to a hand or back.
#[derive(Clone, Debug)]
pub struct Parcel<M> {
    /// The moves from the root of the analysis to where the chore begins.
    path: Vec<Step<M>>,
    assigned: Assigned<M>,
}

/// A hand with a game of its own.
#[derive(Clone, Debug)]
pub struct FarHand<G: Game> {
    walker: Walker<G>,
    bench: Bench<G::Move>,
}

impl<M> Parcel<M> {
    /// What a compact encoding takes on the way to the hand, in bytes.
    pub fn bytes_there(&self) -> u64 {
        let moves = 2 * self.path.len() as u64;
        HEADER_BYTES
            + moves
            + match &self.assigned.chore {
                Chore::Look(looks) => looks.bytes_there(),
                Chore::Solve(bundle) => bundle.bytes_there(),
            }
    }

    /// The same on the way back.
    pub fn bytes_back(&self) -> u64 {
        HEADER_BYTES
            + match &self.assigned.chore {
                Chore::Look(looks) => looks.bytes_back(),
                Chore::Solve(bundle) => bundle.bytes_back(),
            }
    }
}

impl<M: Copy + Eq> Parcel<M> {
    /// The work that was done on it.
    pub fn work(&self) -> Work {
        self.assigned.work()
    }
}

impl<G: Game> FarHand<G> {
    /// Does what it is sent.
    pub fn work<E: Evaluator<G>>(
        &mut self,
        parcel: &mut Parcel<G::Move>,
        evaluator: &mut E,
    ) -> Work {
        self.walker.go_to(parcel.path.iter().copied());
        let game = &mut self.walker.game;
        parcel.assigned.carry_out(&mut self.bench, game, evaluator)
    }
}

impl<G: Game> Worker<G> {
    /// A hand far away for one analysis. `game` stands at its root.
    pub fn new_far_hand(&self, game: G) -> FarHand<G> {
        // Targets met in one chore may be missed after another that the hand does not hear of, so it remembers none of them
        // between chores.
        let nothing = TargetTables::with_entries(1).expect("memory for one target");
        FarHand {
            walker: Walker::new(game),
            bench: Bench::new(Arc::new(nothing), self.params.clone(), &self.team),
        }
    }

    /// Chores that a hand far away should have before it when it has done one.
    pub fn chores_ahead(&self) -> usize {
        self.team.chores_ahead as usize
    }

    /// Takes in what a hand far away has found out, and works with it until there is something for such a hand to do, if
    /// there is. So many hands have nothing to do meanwhile.
    pub fn take_turn<E: Evaluator<G>>(
        &mut self,
        back: Option<Parcel<G::Move>>,
        waiting_hands: usize,
        evaluator: &mut E,
    ) -> Option<Parcel<G::Move>> {
        self.waiting_hands = waiting_hands;
        let done = back.map(|parcel| parcel.assigned);
        let assigned = self.work_with(done, evaluator)?;
        let path = self.tasks.get_mut(assigned.task).path().collect();
        Some(Parcel { path, assigned })
    }
}
