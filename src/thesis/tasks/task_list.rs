//! The tasks of one worker, in the order in which they are worked on (thesis 3.4.1).

use std::collections::{BTreeMap, BTreeSet};

use super::frame::Frame;
use super::in_progress::InProgress;
use super::problem::{Client, Task, TaskId};
use crate::thesis::messages::priority::Priority;
use crate::thesis::tree::search_tree::NodeId;

/// The tasks of a worker, and the active one.
///
/// Leftmost first: of the tasks that need not wait, the least likely to be wasted, then the first in the order of
/// a single worker. Otherwise (thesis 3.4.1) a task is active until it must wait; then the first in the list that
/// need not wait follows.
#[derive(Clone, Debug)]
pub(crate) struct TaskList<M> {
    tasks: BTreeMap<TaskId, Task<M>>,
    by_client: BTreeMap<Client, TaskId>,
    /// Tasks that need not wait.
    ready: BTreeSet<TaskId>,
    /// The ready tasks by priority, if leftmost comes first.
    queue: Option<BTreeSet<(Priority, TaskId)>>,
    /// Ready tasks with an answer from another worker: noting it is very little work and may release many tasks.
    informed: BTreeSet<TaskId>,
    active: Option<TaskId>,
    next: TaskId,
    in_progress: InProgress,
}

impl<M: Copy> TaskList<M> {
    pub(crate) fn new(leftmost_first: bool) -> Self {
        Self {
            tasks: BTreeMap::new(),
            by_client: BTreeMap::new(),
            ready: BTreeSet::new(),
            queue: leftmost_first.then(BTreeSet::new),
            informed: BTreeSet::new(),
            active: None,
            next: 0,
            in_progress: InProgress::default(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    pub(crate) fn ready_count(&self) -> usize {
        self.ready.len()
    }

    pub(crate) fn add(&mut self, task: Task<M>) {
        let id = self.next;
        self.next += 1;
        if let Some(client) = task.client {
            let older = self.by_client.insert(client, id);
            assert!(older.is_none(), "a code names one problem");
        }
        self.tasks.insert(id, task);
        self.wake(id);
    }

    pub(crate) fn of_client(&self, client: Client) -> Option<TaskId> {
        self.by_client.get(&client).copied()
    }

    pub(crate) fn get_mut(&mut self, id: TaskId) -> &mut Task<M> {
        self.tasks
            .get_mut(&id)
            .expect("requests end with their task")
    }

    pub(crate) fn remove(&mut self, id: TaskId) -> Task<M> {
        self.put_aside(id);
        let task = self.tasks.remove(&id).expect("a task ends once");
        if let Some(client) = task.client {
            self.by_client.remove(&client);
        }
        self.end_in_progress(id, &task.frames[0]);
        task
    }

    /// Removes the task that was added first, if there is one.
    pub(crate) fn remove_first(&mut self) -> Option<Task<M>> {
        let first = *self.tasks.keys().next()?;
        Some(self.remove(first))
    }

    /// Returns the task to work on.
    pub(crate) fn activate(&mut self) -> Option<TaskId> {
        if let Some(id) = self.informed.pop_first() {
            self.active = Some(id);
            return self.active;
        }
        self.active = match &self.queue {
            Some(queue) => queue.first().map(|&(_, id)| id),
            None => self.active.or_else(|| self.ready.first().copied()),
        };
        self.active
    }

    /// Returns a task in progress at the position with this key for which this one must wait.
    pub(crate) fn forerunner(&self, id: TaskId, key: u64) -> Option<TaskId> {
        self.in_progress
            .at(key)
            .find(|&other| self.precedes(other, id))
    }

    /// Returns the tasks in progress at the position with this key that must wait for this one.
    pub(crate) fn overtaken(&self, id: TaskId, key: u64) -> Vec<TaskId> {
        let tree_order = &self.tasks[&id].tree_order;
        let is_apart = |other: &TaskId| !tree_order.is_below(&self.tasks[other].tree_order);
        let others = self.in_progress.at(key);
        let later = others.filter(|&other| self.precedes(id, other));
        later.filter(is_apart).collect()
    }

    /// Whether `one` comes first in any order, and is at least as demanding as `other`.
    fn precedes(&self, one: TaskId, other: TaskId) -> bool {
        let (one, other) = (&self.tasks[&one], &self.tasks[&other]);
        one.priority().precedes(&other.priority())
            && (one.frames[0].demanded).is_as_demanding_as(other.frames[0].demanded)
    }

    pub(crate) fn begin(&mut self, id: TaskId, key: u64) {
        self.in_progress.begin(id, key);
        self.get_mut(id).frames[0].key = Some(key);
    }

    /// Makes the task wait until the other is over.
    pub(crate) fn follow(&mut self, id: TaskId, other: TaskId) {
        self.in_progress.follow(id, other);
        self.put_aside(id);
    }

    /// Resets the task to its beginning; returns its previous frames.
    pub(crate) fn take_back(&mut self, id: TaskId) -> Vec<Frame<M>> {
        let task = self.get_mut(id);
        task.returned = None;
        let anew = task.frames[0].anew();
        let frames = std::mem::replace(&mut task.frames, vec![anew]);
        self.end_in_progress(id, &frames[0]);
        frames
    }

    /// Wakes the tasks that have waited for a task.
    fn end_in_progress(&mut self, id: TaskId, first: &Frame<M>) {
        let Some(key) = first.key else {
            return;
        };
        for follower in self.in_progress.end(id, key) {
            if self.contains(follower) {
                self.wake(follower);
            }
        }
    }

    /// Whether a task comes before work of this priority; only informed tasks do unless leftmost comes first.
    pub(crate) fn is_before(&self, priority: &Priority) -> bool {
        let first = self.queue.as_ref().and_then(BTreeSet::first);
        !self.informed.is_empty() || first.is_some_and(|(first, _)| first < priority)
    }

    /// Suspends a task that must wait.
    pub(crate) fn put_aside(&mut self, id: TaskId) {
        self.informed.remove(&id);
        if self.ready.remove(&id)
            && let Some(queue) = &mut self.queue
        {
            queue.remove(&(self.tasks[&id].priority(), id));
        }
        if self.active == Some(id) {
            self.active = None;
        }
    }

    /// Resumes a task that need not wait any more.
    pub(crate) fn wake(&mut self, id: TaskId) {
        if self.ready.insert(id)
            && let Some(queue) = &mut self.queue
        {
            queue.insert((self.tasks[&id].priority(), id));
        }
    }

    /// Resumes a task and gives it precedence.
    pub(crate) fn inform(&mut self, id: TaskId) {
        self.wake(id);
        self.informed.insert(id);
    }

    pub(crate) fn contains(&self, id: TaskId) -> bool {
        self.tasks.contains_key(&id)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (TaskId, &Task<M>)> {
        self.tasks.iter().map(|(&id, task)| (id, task))
    }

    /// Returns all nodes of the tasks' frames.
    pub(crate) fn nodes(&self) -> Vec<NodeId> {
        let frames = self.tasks.values().flat_map(|task| &task.frames);
        frames.map(|frame| frame.node).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thesis::messages::message::ProblemCode;
    use crate::thesis::tree::placement::WorkerId;

    fn with_tasks(leftmost_first: bool, count: usize) -> TaskList<u16> {
        let mut list = TaskList::new(leftmost_first);
        (0..count).for_each(|_| list.add(Task::of_root()));
        list
    }

    /// A list of problems, each with its own code and state. A code leads to its task, whichever is active.
    #[test]
    fn figure_3_7_tasks_are_found_by_their_codes() {
        let client = |code| Client {
            employer: WorkerId(1),
            code: ProblemCode(code),
        };
        let mut list = TaskList::<u16>::new(false);
        for code in [5, 6] {
            list.add(Task {
                client: Some(client(code)),
                ..Task::of_root()
            });
        }
        let [first, second] = [5, 6].map(|code| list.of_client(client(code)).unwrap());
        let deeper = list.get_mut(second).frames[0].anew();
        list.get_mut(second).frames.push(deeper);
        assert_eq!(list.activate(), Some(first));
        assert_eq!(list.get_mut(first).level(), 0);
        assert_eq!(list.get_mut(second).level(), 1);
        list.remove(first);
        assert_eq!(list.of_client(client(5)), None);
        assert_eq!(list.activate(), Some(second));
    }

    #[test]
    fn figure_3_8_a_task_is_active_until_it_waits_then_the_first_that_need_not() {
        let mut list = with_tasks(false, 3);
        assert_eq!(list.activate(), Some(0));
        list.put_aside(0);
        assert_eq!(list.activate(), Some(1));
        list.wake(0);
        assert_eq!(list.activate(), Some(1), "it is active still");
        list.put_aside(1);
        assert_eq!(list.activate(), Some(0));
        list.put_aside(0);
        list.put_aside(2);
        assert_eq!(list.activate(), None);
    }

    #[test]
    fn what_was_answered_comes_before_all_else() {
        let mut list = with_tasks(true, 3);
        list.inform(2);
        assert_eq!(list.activate(), Some(2));
        assert_eq!(list.activate(), Some(0));
    }
}
