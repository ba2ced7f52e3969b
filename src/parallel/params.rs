//! The numbers and switches of the parallel search.

crate::parameters! {
    /// How the workers of a search share the work. With one worker nothing of this matters; where several threads share its tree,
    /// `leftmost_first`, `waste_risk_last`, `same_position_waits`, `stealing_depth_min` and the numbers of subtree jobs alone.
    pub struct TeamParams {
        leftmost_first: bool = true, 0..=1, "", "docs/experiments.md#few-workers-that-share-memory", "Of the tasks that need not wait, work on the one that a single worker would come to first, at any time; off, on the one that came first until it must wait.";
        waste_risk_last: bool = true, 0..=1, "", "docs/experiments.md#search-overhead-by-the-number-of-workers", "Of these tasks, work first on those that hardly anything can make superfluous; off, only what is tried beside something else comes last.";
        same_position_waits: bool = true, 0..=1, "", "docs/experiments.md#search-overhead-by-the-number-of-workers", "A problem waits for one about the same position that is to show as much and that a single worker would come to first.";
        subtree_reuse: bool = true, 0..=1, "", "docs/experiments.md#search-overhead-by-the-number-of-workers", "A problem takes over what has grown at another node of the same position, if nobody works there; needs `same_position_waits`.";
        preemption: bool = true, 0..=1, "", "docs/experiments.md#search-overhead-by-the-number-of-workers", "A long valuation is put aside for a task that comes first; needs `leftmost_first`.";
        spread_single: bool = true, 0..=1, "", "docs/experiments.md#few-workers-that-share-memory", "Spread a successor too where it is the only one that is asked for anything.";
        work_stealing: bool = true, 0..=1, "", "docs/experiments.md#few-workers-that-share-memory", "Workers with nothing to do ask for work, and successors not spread by their positions go to those who ask; so do valuations ahead of time.";
        stealing_depth_min: i32 = 2, 0..=100, "plies", "docs/experiments.md#search-overhead-by-the-number-of-workers", "Remaining depth from which on a successor is given to a worker that asks.";
        question_stealing: bool = true, 0..=1, "", "docs/experiments.md#search-overhead-by-the-number-of-workers", "Who has several tasks that need not wait gives the next question of the first to a worker that asks for work, and turns to the others; needs `work_stealing`.";
        root_speculation: bool = true, 0..=1, "", "docs/experiments.md#search-overhead-by-the-number-of-workers", "Moves at the root that have shown their part go on with what they will be asked for next.";
        root_speculation_excess_cp: i32 = 20, 0..=64_000, "centipawns", "docs/experiments.md#search-overhead-by-the-number-of-workers", "By how much the bound that a move at the root is working on may be sharper than needed, where it need not be stopped for the one that is.";
        stride: i32 = 0, 0..=200, "plies", "docs/experiments.md#search-overhead-by-the-number-of-workers", "By how much each requirement is deeper than the one before once the conspiracy has begun to rise, where there are `large_team_min` workers; else by one. 0: half the binary logarithm of their number.";
        overturned_max: i32 = 3, 1..=65_535, "hypotheses", "docs/experiments.md#search-overhead-by-the-number-of-workers", "A requirement on the way to the depth demanded is left unmet after so many hypotheses have been overturned, the next in a row after four times as many, where there are `large_team_min` workers.";
        deepening_plies: i32 = 2, 0..=64, "plies", "docs/experiments.md#search-overhead-by-the-number-of-workers", "A cut node is asked for that much less first, and for that much less before that, unless it is known to have met as much, where there are `large_team_min` workers; 0: it is asked for all at once.";
        large_team_min: i32 = 30, 2..=65_535, "workers", "docs/experiments.md#search-overhead-by-the-number-of-workers", "So many workers leave requirements out or unmet, and deepen internally instead: they lose more by waiting for each other at the end of each requirement than they gain by what it has taught them. And of successors of a failed cut node they ask only how far they are beyond the best one known.";
        prefetch: bool = true, 0..=1, "", "thesis 3.4.2", "Send successors to other workers for valuation before it is sure that their values are needed.";
        prefetch_from: i32 = 3, 0..=255, "successors", "thesis 3.4.2", "Successors of an all node, or of a cut node beyond its conspiracy, that are valued one after the other before others are sent.";
        prefetch_tasks_max: i32 = 200, 1..=1_000_000, "tasks", "thesis 3.4.2", "From so many tasks on a worker takes the machine as loaded and sends no successors for valuation.";
        alternatives: i32 = 3, 0..=255, "successors", "docs/experiments.md#what-keeps-256-workers-from-having-work", "Successors of a cut node that others work on beside the one that is to keep its bound, once one has failed to, while about half of the machine wants work.";
        packet_size: i32 = 1, 1..=255, "successors", "not measured", "Successors sent for valuation in one message.";
        job_depth_max: i32 = 3, 0..=100, "plies", "docs/experiments.md#parallel-search-real-threads", "Greatest depth of a problem that a thread solves apart while every thread has work.";
        job_shared_depth_max: i32 = 2, 0..=100, "plies", "docs/experiments.md#parallel-search-real-threads", "The same while others wait for work: they could help with a greater one.";
        job_size_max: i32 = 8, 1..=255, "problems", "docs/experiments.md#parallel-search-real-threads", "Problems solved apart by one thread, one after the other.";
        job_work_max: i32 = 120, 1..=1_000_000, "nodes", "docs/experiments.md#parallel-search-real-threads", "Nodes of the evaluator after which a thread begins with no further one of them, but gives it back.";
        job_work_aim: i32 = 150, 0..=1_000_000, "nodes", "docs/experiments.md#parallel-search-real-threads", "Problems of a greater depth are solved apart too if they are likely to be less work than this, going by those of a ply less; 0: never.";
        job_known_max: i32 = 1_000, 1..=1_000_000, "nodes", "docs/experiments.md#parallel-search-real-threads", "Nodes known of a problem that is solved apart.";
        job_nodes_max: i32 = 1_000, 1..=1_000_000, "nodes", "docs/experiments.md#parallel-search-real-threads", "Nodes stored for a problem that is solved apart; one that turns out to be greater is given back.";
        history_sync_after: i32 = 5_000, 0..=1_000_000_000, "nodes", "docs/experiments.md#the-same-on-greater-work", "Nodes of all evaluators together after which they first learn what each has learned, where they share no memory; they do again whenever the nodes have grown by `history_sync_growth`. 0: never, what one learns it keeps to itself.";
        history_sync_growth: i32 = 20, 1..=1_000_000, "percent", "docs/experiments.md#search-overhead-by-the-number-of-workers", "By how much the nodes have grown since the last time when evaluators that share no memory learn from each other again.";
    }
}

impl TeamParams {
    /// Whether so many workers are better off if they do not go through the requirements one by one.
    pub(crate) fn is_large(&self, workers: u16) -> bool {
        i32::from(workers) >= self.large_team_min
    }

    /// By how many plies requirements differ for so many workers.
    pub(crate) fn stride_of(&self, workers: u16) -> u16 {
        match self.stride {
            _ if !self.is_large(workers) => 1,
            0 => (workers.ilog2() / 2).max(1) as u16,
            plies => plies as u16,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_teams_take_larger_strides() {
        let team = TeamParams::default();
        let strides = [1, 2, 29, 39, 79, 256, 1024].map(|workers| team.stride_of(workers));
        assert_eq!(strides, [1, 1, 1, 2, 3, 4, 5]);
        let by_two = TeamParams {
            stride: 2,
            large_team_min: 2,
            ..team
        };
        assert_eq!(
            [1, 2, 256].map(|workers| by_two.stride_of(workers)),
            [1, 2, 2]
        );
    }
}
