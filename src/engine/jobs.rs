//! Jobs of a delegating search, done by alpha-beta: the same for a thread of this process and for one of another.

use crate::cc2s::delegation::{Ask, Found, Job, Reply};
use crate::chess::{Line, Move};
use crate::driver::ranks::{Asked, Entry, Hint, Letter};
use crate::game::Window;
use crate::leaf::{self, Company, LeafSearcher, LeafTable, Told};

/// What takes fewer nodes is found again sooner than sent.
const SHARED_NODES_MIN: u64 = 5_000;
/// Entries are shared whose depth is less than that of their job by no more than this, in plies.
const SHARED_DEPTHS: u16 = 4;
/// Entries shared of one job.
const SHARED_MAX: usize = 128;

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
    let question = |depth, window, is_cut| leaf::Question {
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

/// What other processes may want to know of a job that is done: the deep entries below its position.
pub fn worth_sharing(
    worker: &LeafSearcher,
    line: &mut Line,
    job: &Job<Move>,
    reply: &Reply<Move>,
) -> Vec<Told> {
    let (Ask::Value { depth, .. } | Ask::Strategy { depth, .. }) = job.ask else {
        return Vec::new();
    };
    if reply.nodes() < SHARED_NODES_MIN {
        return Vec::new();
    }
    let depth_min = depth.saturating_sub(SHARED_DEPTHS);
    let found = worker.deep_entries(line, &job.path, depth_min, SHARED_MAX);
    let told = |(key, entry)| Told::Found(key, entry);
    found.into_iter().map(told).collect()
}

/// What the searchers of this process have to tell others and to ask, since this was last called.
pub fn letters(company: &Company) -> Vec<Letter> {
    let letter = |told| match told {
        Told::Entered(mark) => Letter::ToAll(Hint::Entered(mark)),
        Told::Left(mark) => Letter::ToAll(Hint::Left(mark)),
        Told::Found(key, entry) => Letter::ToAll(Hint::Found(record(key, entry))),
        Told::Kept(key, entry) => Letter::Keep(record(key, entry)),
        Told::Asked(key, depth) => Letter::Ask(Asked { key, depth }),
    };
    company.take_told().into_iter().map(letter).collect()
}

fn record(key: u64, entry: leaf::Entry) -> Entry {
    Entry {
        key,
        content: entry.to_word(),
    }
}

/// What the table knows of a position that another process asks about.
pub fn look_up(table: &LeafTable, asked: Asked) -> Option<Entry> {
    let entry = table.probe(asked.key)?;
    (entry.depth >= asked.depth).then(|| record(asked.key, entry))
}

/// Takes in what other processes have told.
pub fn hear(company: &Company, table: &LeafTable, hints: &[Hint]) {
    for &hint in hints {
        let told = match hint {
            Hint::Entered(mark) => Some(Told::Entered(mark)),
            Hint::Left(mark) => Some(Told::Left(mark)),
            Hint::Found(Entry { key, content }) => {
                leaf::Entry::from_word(content).map(|entry| Told::Found(key, entry))
            }
        };
        if let Some(told) = told {
            company.hear(told, table);
        }
    }
}
