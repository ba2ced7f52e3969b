//! Jobs of a delegating search, done by alpha-beta: the same for a thread of this process and for one of another.

use crate::cc2s::{Ask, Found, Job, Reply};
use crate::chess::{Line, Move};
use crate::cluster::{Entry, HashUpdate};
use crate::game::Window;
use crate::search::{self, LeafSearcher, LeafTable, SharedSearch, SharedUpdate};

/// Does a job, or breaks it off where `proceed` says so.
pub fn answer(
    worker: &mut LeafSearcher,
    line: &mut Line,
    job: &Job<Move>,
    proceed: &mut dyn FnMut(u64) -> bool,
) -> Reply<Move> {
    let path = &job.path;
    let mut nodes_so_far = 0;
    let proceed = &mut |nodes| {
        nodes_so_far = nodes;
        proceed(nodes)
    };
    let question = |depth, window, is_cut| search::Question {
        path,
        depth,
        window,
        is_cut,
    };
    let found = match job.ask {
        Ask::Successors => return Reply::Successors(worker.successors(line, path)),
        Ask::Value {
            depth,
            window,
            is_cut,
        } => worker.answer(line, question(depth, window, is_cut), proceed),
        Ask::Strategy {
            depth,
            at_least,
            excluded,
        } => {
            let window = Window::null_below(at_least);
            worker.answer_by_move(line, question(depth, window, true), excluded, proceed)
        }
    };
    match found {
        None => Reply::BrokenOff(nodes_so_far),
        Some(reply) => Reply::Score(Found {
            score: reply.score,
            best: reply.best,
            line: reply.pv,
            nodes: reply.nodes,
            level: reply.selective_depth,
        }),
    }
}

/// Updates of this process's searchers for other ranks since the last call.
pub fn updates(shared: &SharedSearch) -> Vec<HashUpdate> {
    let update = |update| match update {
        SharedUpdate::Begun(key) => HashUpdate::Begun(key),
        SharedUpdate::Ended(key) => HashUpdate::Ended(key),
        SharedUpdate::Found(key, entry) => HashUpdate::Found(record(key, entry)),
    };
    shared.take_updates().into_iter().map(update).collect()
}

fn record(key: u64, entry: search::Entry) -> Entry {
    Entry {
        key,
        content: entry.to_word(),
    }
}

/// Updates whose table slots are fetched together.
const FETCHED: usize = 32;

/// Takes in updates of other ranks.
pub fn apply(shared: &SharedSearch, table: &LeafTable, updates: &[HashUpdate]) {
    for updates in updates.chunks(FETCHED) {
        // Most of the time goes by in waiting for memory, and waiting for all is hardly longer than for one.
        for update in updates {
            if let HashUpdate::Found(entry) = update {
                table.prefetch(entry.key);
            }
        }
        for &update in updates {
            apply_one(shared, table, update);
        }
    }
}

fn apply_one(shared: &SharedSearch, table: &LeafTable, update: HashUpdate) {
    let update = match update {
        HashUpdate::Begun(key) => Some(SharedUpdate::Begun(key)),
        HashUpdate::Ended(key) => Some(SharedUpdate::Ended(key)),
        HashUpdate::Found(Entry { key, content }) => {
            search::Entry::from_word(content).map(|entry| SharedUpdate::Found(key, entry))
        }
    };
    if let Some(update) = update {
        shared.apply(update, table);
    }
}
