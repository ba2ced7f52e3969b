//! Searches with behaviour chosen by the test.

use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

use cc2s::chess::Move;
use cc2s::engine::registry::SearchEntry;
use cc2s::engine::search::{BestMove, MemoryError, Question, RootUpdate, Search, SearchListener};
use cc2s::engine::{Engine, Family};
use cc2s::game::{Bound, Game, Progress, Requirement, Score};
use cc2s::settings::EngineParams;
use cc2s::settings::config::Config;
use cc2s::uci::Tools;

/// `Hasty` deepens quickly and ends at depth 30, `Brief` at 2; `Patient` deepens forever; `Broken` panics.
/// `Greedy` fails with a large hash size, `Hopeless` with any. `Stepwise` polls as often as [`STEPS`] allow.
pub const SEARCHES: &[SearchEntry] = &[
    SearchEntry {
        name: "Hasty",
        meaning: "",
        family: Family::Cc2s,
        build: |_| {
            Ok(Box::new(Mock {
                wait: || {},
                depth_max: 30,
            }))
        },
    },
    SearchEntry {
        name: "Brief",
        meaning: "",
        family: Family::Cc2s,
        build: |_| {
            Ok(Box::new(Mock {
                wait: || {},
                depth_max: 2,
            }))
        },
    },
    SearchEntry {
        name: "Patient",
        meaning: "",
        family: Family::Cc2s,
        build: |_| {
            Ok(Box::new(Mock {
                wait: || thread::sleep(Duration::from_micros(200)),
                depth_max: u16::MAX,
            }))
        },
    },
    SearchEntry {
        name: "Stepwise",
        meaning: "",
        family: Family::Cc2s,
        build: |_| {
            Ok(Box::new(Mock {
                wait: || STEPS.take(),
                depth_max: u16::MAX,
            }))
        },
    },
    SearchEntry {
        name: "Broken",
        meaning: "",
        family: Family::Cc2s,
        build: |_| Ok(Box::new(Broken)),
    },
    SearchEntry {
        name: "Greedy",
        meaning: "",
        family: Family::Cc2s,
        build: greedy,
    },
    SearchEntry {
        name: "Hopeless",
        meaning: "",
        family: Family::Cc2s,
        build: |params| {
            Err(MemoryError {
                mebibytes: params.engine.hash_mib as usize,
                kept_mebibytes: 0,
            })
        },
    },
];

pub const TOOLS: Tools = Tools {
    bench: |_, _| Ok(vec!["1 nodes 1 nps".to_owned()]),
    lists_tunables: false,
};

/// An engine with this mock search.
pub fn engine(name: &str) -> Engine {
    let chosen = SEARCHES.iter().find(|entry| entry.name == name).unwrap();
    Engine::with_searches(Config::built_in().unwrap(), SEARCHES, chosen)
}

const MEBIBYTES_MAX: usize = 1_000;

fn greedy(params: &EngineParams) -> Result<Box<dyn Search>, MemoryError> {
    let mebibytes = params.engine.hash_mib as usize;
    if mebibytes > MEBIBYTES_MAX {
        return Err(MemoryError {
            mebibytes,
            kept_mebibytes: 0,
        });
    }
    Ok(Box::new(Mock {
        wait: || {},
        depth_max: 30,
    }))
}

/// The number of polls of the search `Stepwise`, and the number allowed.
pub static STEPS: Steps = Steps {
    taken_and_allowed: Mutex::new((0, 0)),
    changed: Condvar::new(),
};

/// Steps taken by one thread and allowed by another.
pub struct Steps {
    taken_and_allowed: Mutex<(u64, u64)>,
    changed: Condvar,
}

impl Steps {
    fn change<T>(&self, change: impl FnOnce(&mut (u64, u64)) -> T) -> T {
        let changed = change(&mut self.taken_and_allowed.lock().unwrap());
        self.changed.notify_all();
        changed
    }

    fn wait_while(&self, is_early: impl Fn((u64, u64)) -> bool) {
        let steps = self.taken_and_allowed.lock().unwrap();
        let wait = self.changed.wait_while(steps, |steps| is_early(*steps));
        drop(wait.unwrap());
    }

    /// Takes a step as soon as it is allowed.
    fn take(&self) {
        self.wait_while(|(taken, allowed)| taken == allowed);
        self.change(|(taken, _)| *taken += 1);
    }

    pub fn allow(&self, count: u64) {
        self.change(|(_, allowed)| *allowed += count);
    }

    /// Waits until this number of steps has been taken.
    pub fn wait_for(&self, count: u64) {
        self.wait_while(|(taken, _)| taken < count);
    }

    /// Returns the number of steps taken and resets the counts.
    pub fn end(&self) -> u64 {
        self.change(|steps| std::mem::take(steps).0)
    }
}

struct Mock {
    /// Called before each poll.
    wait: fn(),
    depth_max: u16,
}

/// A line of first legal moves after `best`.
fn first_moves(question: &Question, best: Move, plies: usize) -> Vec<Move> {
    let mut line = question.line.clone();
    let mut pv = vec![best];
    line.play(best);
    let mut legal = Vec::new();
    while pv.len() < plies {
        legal.clear();
        line.legal_moves(&mut legal);
        let Some(&mv) = legal.first() else { break };
        line.play(mv);
        pv.push(mv);
    }
    pv
}

impl Search for Mock {
    fn think(&mut self, question: &Question, listener: &mut dyn SearchListener<Move>) {
        let mut progress = Progress::default();
        let depth_max = question
            .depth
            .map_or(self.depth_max, |depth| depth.min(self.depth_max));
        let mut best = question.moves[0];
        for depth in 1..=depth_max {
            progress.nodes += 1_000;
            progress.demanded = Requirement {
                depth,
                conspiracy: 1,
            };
            (self.wait)();
            if !listener.proceed(&progress) {
                break;
            }
            progress.met = progress.demanded;
            let moves = &question.moves;
            best = moves[usize::from(depth) % moves.len()];
            for rank in 1..=question.multi_pv.min(moves.len()) {
                let mv = moves[(usize::from(depth) + rank - 1) % moves.len()];
                listener.report(&report(question, rank, mv, &progress));
            }
        }
        listener.answer(&BestMove {
            best,
            ponder: first_moves(question, best, 2).get(1).copied(),
        });
    }

    fn new_game(&mut self) {}
}

fn report(question: &Question, rank: usize, mv: Move, progress: &Progress) -> RootUpdate {
    RootUpdate {
        depth: progress.met.depth,
        selective_depth: progress.met.depth,
        multi_pv: rank,
        score: Score::centipawns(i32::from(progress.met.depth)),
        bound: Bound::Exact,
        nodes: progress.nodes,
        tablebase_hits: 0,
        memory_permille: 0,
        // Possibly longer than the game, so the engine must truncate it.
        pv: first_moves(question, mv, 12),
        safety: Some(progress.met),
        claim: None,
    }
}

struct Broken;

impl Search for Broken {
    fn think(&mut self, question: &Question, listener: &mut dyn SearchListener<Move>) {
        let progress = Progress {
            nodes: 1,
            met: Requirement {
                depth: 1,
                conspiracy: 1,
            },
            ..Progress::default()
        };
        listener.report(&report(
            question,
            1,
            question.moves[question.moves.len() - 1],
            &progress,
        ));
        panic!("an invariant is broken (on purpose)");
    }

    fn new_game(&mut self) {}
}
