//! Random conversations: every `go` is answered by exactly one `bestmove`, and never too early.

use std::thread;
use std::time::Duration;

use cc2s::game::SplitMix64;

use super::gui::Gui;
use super::mock;

/// Searches that end by themselves, and searches that do not.
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

/// One random conversation of some searches.
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

#[test]
fn random_sequences_with_the_real_search() {
    let mut rng = SplitMix64::new(3);
    let mut gui = Gui::ready();
    for _ in 0..40 {
        converse(&mut gui, &mut rng, 5);
    }
    gui.quit();
}
