//! The next search is prepared while the engine is idle.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use cc2s::engine::registry::SearchEntry;
use cc2s::engine::search::{MemoryError, Search};
use cc2s::engine::{Engine, Family};
use cc2s::settings::EngineParams;
use cc2s::settings::config::Config;

use super::gui::{Gui, PATIENCE};
use super::mock;

/// `Counted` counts its constructions; `Gated` is constructed when its gate is open.
const SEARCHES: &[SearchEntry] = &[
    SearchEntry {
        name: "Counted",
        meaning: "",
        family: Family::Cc2s,
        build: counted,
    },
    SearchEntry {
        name: "Gated",
        meaning: "",
        family: Family::Cc2s,
        build: gated,
    },
];

static COUNT: AtomicUsize = AtomicUsize::new(0);
/// The number of threads of the last search constructed.
static THREADS: AtomicUsize = AtomicUsize::new(0);
static IS_OPEN: Mutex<bool> = Mutex::new(false);
static GATE: Condvar = Condvar::new();
static BEGUN: AtomicUsize = AtomicUsize::new(0);

fn brief(params: &EngineParams) -> Result<Box<dyn Search>, MemoryError> {
    let entry = mock::SEARCHES.iter().find(|entry| entry.name == "Brief");
    (entry.unwrap().build)(params)
}

fn counted(params: &EngineParams) -> Result<Box<dyn Search>, MemoryError> {
    THREADS.store(params.engine.threads as usize, Ordering::SeqCst);
    COUNT.fetch_add(1, Ordering::SeqCst);
    brief(params)
}

fn gated(params: &EngineParams) -> Result<Box<dyn Search>, MemoryError> {
    BEGUN.fetch_add(1, Ordering::SeqCst);
    let is_open = IS_OPEN.lock().unwrap();
    drop(GATE.wait_while(is_open, |is_open| !*is_open).unwrap());
    brief(params)
}

fn gui(entry: &'static SearchEntry) -> Gui {
    let engine = Engine::with_searches(Config::built_in().unwrap(), SEARCHES, entry);
    Gui::inside(engine, mock::TOOLS)
}

fn wait_until(number: &AtomicUsize, wanted: usize) {
    let deadline = Instant::now() + PATIENCE;
    while number.load(Ordering::SeqCst) != wanted {
        assert!(Instant::now() < deadline, "{number:?}, not {wanted}");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_search_is_made_before_it_is_asked_for_and_made_once() {
    let mut gui = gui(&SEARCHES[0]);
    wait_until(&COUNT, 1);
    gui.search("go depth 1");
    assert!(gui.synchronise().is_empty());
    assert_eq!(COUNT.load(Ordering::SeqCst), 1);
    gui.send("setoption name Threads value 3");
    wait_until(&COUNT, 2);
    assert_eq!(THREADS.load(Ordering::SeqCst), 3);
    gui.search("go depth 1");
    assert_eq!(COUNT.load(Ordering::SeqCst), 2);
    gui.quit();
}

#[test]
fn the_front_end_answers_meanwhile_and_is_ready_when_the_search_is() {
    let mut gui = gui(&SEARCHES[1]);
    wait_until(&BEGUN, 1);
    gui.send("uci\nd");
    gui.until("uciok");
    gui.until("Key");
    gui.send("isready");
    assert!(gui.next(Duration::from_millis(50)).is_err());
    *IS_OPEN.lock().unwrap() = true;
    GATE.notify_all();
    gui.until("readyok");
    gui.search("go depth 1");
    assert_eq!(BEGUN.load(Ordering::SeqCst), 1);
    gui.quit();
}
