//! The parameters of the parallel search.

crate::parameters! {
    /// Parameters of the parallel search of the thesis. With one worker none of them matters; where several
    /// threads share its tree, all but `prefetch` do.
    pub struct TeamParams {
        leftmost_first: bool = true, 0..=1, "", "docs/experiments.md#few-workers-that-share-memory", "Work on the ready task that a single worker would reach first; off: on the oldest task until it must wait.";
        waste_risk_last: bool = true, 0..=1, "", "docs/experiments.md#search-overhead-by-the-number-of-workers", "Prefer tasks that are unlikely to become superfluous.";
        same_position_waits: bool = true, 0..=1, "", "docs/experiments.md#search-overhead-by-the-number-of-workers", "A problem waits for another with the same position and at least the same target, if a single worker would reach that one first.";
        stealing_depth_min: i32 = 2, 0..=100, "plies", "docs/experiments.md#search-overhead-by-the-number-of-workers", "Minimum remaining depth of a successor that is given to an idle thread.";
        prefetch: bool = true, 0..=1, "", "thesis 3.4.2", "Send successors to other workers for evaluation before it is certain that their values are needed.";
        prefetch_from: i32 = 3, 0..=255, "successors", "thesis 3.4.2", "Successors of an all node, or of a cut node beyond its conspiracy number, that are evaluated one by one before others are sent.";
        prefetch_tasks_max: i32 = 200, 1..=1_000_000, "tasks", "thesis 3.4.2", "Number of tasks at which a worker stops sending successors for evaluation, because the machine is busy.";
        job_depth_max: i32 = 3, 0..=100, "plies", "docs/experiments.md#parallel-search-real-threads", "Maximum depth of a problem that a thread solves alone while all threads have work.";
        job_shared_depth_max: i32 = 2, 0..=100, "plies", "docs/experiments.md#parallel-search-real-threads", "The same while other threads are idle, since they could help with a larger problem.";
        job_size_max: i32 = 8, 1..=255, "problems", "docs/experiments.md#parallel-search-real-threads", "Number of problems that a thread solves alone, one after the other.";
        job_work_max: i32 = 120, 1..=1_000_000, "nodes", "docs/experiments.md#parallel-search-real-threads", "Evaluator nodes after which a thread returns the problems it has not started.";
        job_work_aim: i32 = 150, 0..=1_000_000, "nodes", "docs/experiments.md#parallel-search-real-threads", "A thread solves deeper problems alone too if those one ply shallower took fewer nodes than this; 0: never.";
        job_known_max: i32 = 1_000, 1..=1_000_000, "nodes", "docs/experiments.md#parallel-search-real-threads", "Maximum number of known nodes of a problem that a thread solves alone.";
        job_nodes_max: i32 = 1_000, 1..=1_000_000, "nodes", "docs/experiments.md#parallel-search-real-threads", "Maximum number of nodes stored for a problem that a thread solves alone; larger problems are returned.";
    }
}
