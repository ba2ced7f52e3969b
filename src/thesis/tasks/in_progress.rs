//! Positions that problems are worked on at: who comes to one again need not do the same at the same time.

use std::collections::{BTreeMap, BTreeSet};

use super::problem::TaskId;

/// The begun tasks by the keys of their positions, and who waits for which of them.
///
/// A single worker comes to the same position twice one after the other, and remembers the second time what it has met
/// the first time. Many come to it at the same time. Then the problem that a single worker would come to later waits
/// for the other, if that is to show as much and is no more likely to be wasted, and looks into the tables afterwards.
/// If it has begun already, it is as if it had not: what has been met below is in the tables, where the other finds
/// it.
///
/// Nobody waits in a circle: a problem waits for those below it and for some at the same position, which all have
/// lesser orders.
#[derive(Clone, Debug, Default)]
pub(crate) struct InProgress {
    tasks: BTreeSet<(u64, TaskId)>,
    followers: BTreeMap<TaskId, Vec<TaskId>>,
}

impl InProgress {
    /// Tasks in progress at the position of that key.
    pub(crate) fn at(&self, key: u64) -> impl Iterator<Item = TaskId> {
        let tasks = self.tasks.range((key, TaskId::MIN)..=(key, TaskId::MAX));
        tasks.map(|&(_, id)| id)
    }

    pub(crate) fn begin(&mut self, id: TaskId, key: u64) {
        self.tasks.insert((key, id));
    }

    /// A task waits for another.
    pub(crate) fn follow(&mut self, id: TaskId, other: TaskId) {
        self.followers.entry(other).or_default().push(id);
    }

    /// The task is over: who has waited for it, some of which may be over too.
    pub(crate) fn end(&mut self, id: TaskId, key: u64) -> Vec<TaskId> {
        self.tasks.remove(&(key, id));
        self.followers.remove(&id).unwrap_or_default()
    }
}

/// The admission of a problem that is to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    /// It begins.
    Begins,
    /// It waits for another about the same position.
    Waits,
}
