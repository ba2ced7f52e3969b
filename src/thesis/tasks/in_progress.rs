//! Positions of the problems in progress: an equal position need not be searched at the same time again.

use std::collections::{BTreeMap, BTreeSet};

use super::problem::TaskId;

/// The tasks in progress by the keys of their positions, and the tasks that wait for them.
///
/// A single worker that reaches a position twice does so one after the other, and the second time uses the targets
/// met the first time. Several workers may reach it at the same time. Then the problem that a single worker would
/// reach later waits for the other, and probes the tables afterwards. The condition is that the other shows as
/// much and is no more likely to be wasted. If the later one has begun already, it is reset: the targets met below
/// it are in the tables, where the other finds them.
///
/// There are no circular waits: a problem waits for those below it and for some at the same position, all of
/// lesser order.
#[derive(Clone, Debug, Default)]
pub(crate) struct InProgress {
    tasks: BTreeSet<(u64, TaskId)>,
    followers: BTreeMap<TaskId, Vec<TaskId>>,
}

impl InProgress {
    /// Returns the tasks in progress at the position with this key.
    pub(crate) fn at(&self, key: u64) -> impl Iterator<Item = TaskId> {
        let tasks = self.tasks.range((key, TaskId::MIN)..=(key, TaskId::MAX));
        tasks.map(|&(_, id)| id)
    }

    pub(crate) fn begin(&mut self, id: TaskId, key: u64) {
        self.tasks.insert((key, id));
    }

    /// Makes a task wait for another.
    pub(crate) fn follow(&mut self, id: TaskId, other: TaskId) {
        self.followers.entry(other).or_default().push(id);
    }

    /// Ends a task and returns those that have waited for it, some of which may be over too.
    pub(crate) fn end(&mut self, id: TaskId, key: u64) -> Vec<TaskId> {
        self.tasks.remove(&(key, id));
        self.followers.remove(&id).unwrap_or_default()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    Begins,
    /// It waits for another at the same position.
    Waits,
}
