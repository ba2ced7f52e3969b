//! Jobs of a delegating search, done by alpha-beta: the same for a thread of this process and for one of another.

use crate::cc2s::{Ask, Found, Job, Reply};
use crate::chess::{Line, Move};
use crate::cluster::{Entry, Hint};
use crate::game::Window;
use crate::search::{self, Company, LeafSearcher, LeafTable, Told};

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
            line: reply.line,
            nodes: reply.nodes,
            level: reply.selective_depth,
        }),
    }
}

/// What the searchers of this process have to tell others since this was last called.
pub fn hints(company: &Company) -> Vec<Hint> {
    let hint = |told| match told {
        Told::Entered(mark) => Hint::Entered(mark),
        Told::Left(mark) => Hint::Left(mark),
        Told::Found(key, entry) => Hint::Found(record(key, entry)),
    };
    company.take_told().into_iter().map(hint).collect()
}

fn record(key: u64, entry: search::Entry) -> Entry {
    Entry {
        key,
        content: entry.to_word(),
    }
}

/// Hints whose places in the table are fetched together.
const FETCHED: usize = 32;

/// Takes in what other processes have told.
pub fn hear(company: &Company, table: &LeafTable, hints: &[Hint]) {
    for hints in hints.chunks(FETCHED) {
        // Most of the time goes by in waiting for memory, and waiting for all is hardly longer than for one.
        for hint in hints {
            if let Hint::Found(entry) = hint {
                table.prefetch(entry.key);
            }
        }
        for &hint in hints {
            hear_one(company, table, hint);
        }
    }
}

fn hear_one(company: &Company, table: &LeafTable, hint: Hint) {
    let told = match hint {
        Hint::Entered(mark) => Some(Told::Entered(mark)),
        Hint::Left(mark) => Some(Told::Left(mark)),
        Hint::Found(Entry { key, content }) => {
            search::Entry::from_word(content).map(|entry| Told::Found(key, entry))
        }
    };
    if let Some(told) = told {
        company.hear(told, table);
    }
}
