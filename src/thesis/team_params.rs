//! The numbers and switches of the parallel search.

crate::parameters! {
    /// How the workers of the thesis's search share the work. With one worker nothing of this matters; where several
    /// threads share its tree, everything but `prefetch`.
    pub struct TeamParams {
        leftmost_first: bool = true, 0..=1, "", "docs/experiments.md#few-workers-that-share-memory", "Work on the ready task that a single worker would come to first; off, on the oldest one until it must wait.";
        waste_risk_last: bool = true, 0..=1, "", "docs/experiments.md#search-overhead-by-the-number-of-workers", "Prefer tasks that are unlikely to become superfluous.";
        same_position_waits: bool = true, 0..=1, "", "docs/experiments.md#search-overhead-by-the-number-of-workers", "A problem waits for another about the same position that demands as much and that a single worker would come to first.";
        stealing_depth_min: i32 = 2, 0..=100, "plies", "docs/experiments.md#search-overhead-by-the-number-of-workers", "Remaining depth from which on a successor is given to a thread without work.";
        prefetch: bool = true, 0..=1, "", "thesis 3.4.2", "Send successors to other workers for valuation before it is sure that their values are needed.";
        prefetch_from: i32 = 3, 0..=255, "successors", "thesis 3.4.2", "Successors of an all node, or of a cut node beyond its conspiracy, that are valued one after the other before others are sent.";
        prefetch_tasks_max: i32 = 200, 1..=1_000_000, "tasks", "thesis 3.4.2", "With this many tasks a worker sends no successors for evaluation: the machine is busy.";
        job_depth_max: i32 = 3, 0..=100, "plies", "docs/experiments.md#parallel-search-real-threads", "Greatest depth of a problem that a thread solves apart while every thread has work.";
        job_shared_depth_max: i32 = 2, 0..=100, "plies", "docs/experiments.md#parallel-search-real-threads", "The same while others wait for work: they could help with a greater one.";
        job_size_max: i32 = 8, 1..=255, "problems", "docs/experiments.md#parallel-search-real-threads", "Problems solved apart by one thread, one after the other.";
        job_work_max: i32 = 120, 1..=1_000_000, "nodes", "docs/experiments.md#parallel-search-real-threads", "Nodes of the evaluator after which a thread gives back the problems it has not begun.";
        job_work_aim: i32 = 150, 0..=1_000_000, "nodes", "docs/experiments.md#parallel-search-real-threads", "Deeper problems are solved apart too if those of a ply less took less work than this; 0 never.";
        job_known_max: i32 = 1_000, 1..=1_000_000, "nodes", "docs/experiments.md#parallel-search-real-threads", "Nodes known of a problem that is solved apart.";
        job_nodes_max: i32 = 1_000, 1..=1_000_000, "nodes", "docs/experiments.md#parallel-search-real-threads", "Nodes stored for a problem that is solved apart; one that turns out to be greater is given back.";
    }
}
