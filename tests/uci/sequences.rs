//! Random conversations: every `go` is answered by exactly one `bestmove`, and never too early.

use std::thread;
use std::time::{Duration, Instant};

use cc2s::game::SplitMix64;

use super::gui::Gui;
use super::mock;
use crate::environment::number;

/// Finite and endless searches.
const FINITE: [&str; 4] = [
    "go depth 3",
    "go movetime 2",
    "go wtime 40 btime 40",
    "go nodes 5000",
];
const ENDLESS: [&str; 3] = ["go infinite", "go", "go infinite depth 1"];
const PONDERING: [&str; 3] = [
    "go ponder wtime 30 btime 30",
    "go ponder depth 2",
    "go ponder movetime 1",
];

/// One random conversation with a number of searches.
fn converse(gui: &mut Gui, rng: &mut SplitMix64, searches: usize) {
    for _ in 0..searches {
        let pick = |rng: &mut SplitMix64, words: &[&'static str]| {
            words[rng.below(words.len() as u64) as usize]
        };
        let (go, ends) = match rng.below(3) {
            0 => (pick(rng, &FINITE), vec!["", "stop", "ponderhit"]),
            1 => (pick(rng, &ENDLESS), vec!["stop"]),
            _ => (
                pick(rng, &PONDERING),
                vec!["stop", "ponderhit", "ponderhit\nstop", "stop\nponderhit"],
            ),
        };
        if rng.below(2) == 0 {
            gui.send(pick(
                rng,
                &[
                    "position startpos",
                    "position startpos moves e2e4",
                    "ucinewgame",
                    "position fen 6k1/8/8/8/8/8/8/K6R w - -",
                ],
            ));
        }
        gui.send(go);
        if rng.below(2) == 0 {
            gui.synchronise_within(go, FINITE.contains(&go));
        }
        if rng.below(3) == 0 {
            thread::sleep(Duration::from_micros(rng.below(3_000)));
        }
        gui.send(pick(rng, &ends));
        gui.best_moves(1);
    }
}

#[test]
fn a_thousand_random_sequences_with_mocked_searches() {
    let mut rng = SplitMix64::new(2);
    for name in ["Hasty", "Patient"] {
        let mut gui = Gui::inside(mock::engine(name), mock::TOOLS);
        for _ in 0..100 {
            converse(&mut gui, &mut rng, 5);
        }
        gui.quit();
    }
}

/// Sequences of searches by several threads. The search, the threads and the hash size change from time to time.
fn stress(sequences: usize, seed: u64) {
    let mut rng = SplitMix64::new(seed);
    let mut gui = Gui::ready();
    for number in 0..sequences {
        if number % 50 == 0 {
            let name = ["PVS", "Cc2s"][number / 50 % 2];
            let threads = if number % 400 == 300 { 3 } else { 8 };
            gui.send(&format!(
                "setoption name Search value {name}\nsetoption name Threads value {threads}"
            ));
            let hash = 1 + rng.below(16);
            gui.send(&format!("setoption name Hash value {hash}"));
        }
        converse(&mut gui, &mut rng, 1);
    }
    gui.quit();
}

#[test]
fn a_few_hundred_sequences_with_eight_threads() {
    stress(300, 4);
}

/// `CC2S_SEQUENCES=100000 CC2S_SEED=6 cargo test --release --test uci -- --ignored ten_thousand`
#[test]
#[ignore = "takes minutes; run with CC2S_SEQUENCES sequences, ten thousand unless told otherwise, from CC2S_SEED"]
fn ten_thousand_sequences_with_eight_threads() {
    let sequences = number("CC2S_SEQUENCES", 10_000);
    let start = Instant::now();
    stress(sequences, number("CC2S_SEED", 5));
    eprintln!("{sequences} sequences answered in {:.1?}", start.elapsed());
}

#[test]
fn random_sequences_with_the_real_search() {
    let mut rng = SplitMix64::new(3);
    let mut gui = Gui::ready();
    for _ in 0..40 {
        converse(&mut gui, &mut rng, 5);
    }
    gui.quit();
}
