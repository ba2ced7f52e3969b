//! Which tasks wait for valuations of their own that were put aside.

use std::collections::BTreeMap;

use super::problem::TaskId;
use crate::parallel::request::priority::Priority;

/// A valuation that is under way, and for whose task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preempted {
    pub(crate) task: TaskId,
    pub(crate) priority: Priority,
    serial: u64,
}

/// What is to be done about a valuation under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreemptionState {
    /// To go on with it.
    Next,
    /// To do something else before.
    Later,
    /// To drop it: nobody wants to know any more.
    Dropped,
}

/// Tasks that wait for their own valuations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Valuations {
    /// The valuation of each, and whether the task can go on then.
    tasks: BTreeMap<TaskId, (u64, bool)>,
    next: u64,
}

impl Valuations {
    pub(crate) fn preempt(&mut self, task: TaskId, priority: Priority, goes_on: bool) -> Preempted {
        let serial = self.next;
        self.next += 1;
        let older = self.tasks.insert(task, (serial, goes_on));
        assert!(older.is_none(), "a task values one thing at a time");
        Preempted {
            task,
            priority,
            serial,
        }
    }

    pub(crate) fn are_wanted(&self, preempted: &Preempted) -> bool {
        let current = self.tasks.get(&preempted.task);
        current.is_some_and(|&(serial, _)| serial == preempted.serial)
    }

    /// Notes whether the task can go on after its valuation; false if none is under way.
    pub(crate) fn note(&mut self, task: TaskId, goes_on: bool) -> bool {
        let current = self.tasks.get_mut(&task);
        current.map(|(_, noted)| *noted = goes_on).is_some()
    }

    /// The valuation is over. Whether the task can go on; `None` if there was no valuation.
    pub(crate) fn end(&mut self, task: TaskId) -> Option<bool> {
        self.tasks.remove(&task).map(|(_, goes_on)| goes_on)
    }
}
