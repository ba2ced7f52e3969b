//! The selected evaluation: valid and invalid network files.

use std::fs;
use std::path::PathBuf;

use cc2s::eval::network::NetworkParameters;

use super::gui::Gui;

/// A separate file for a test, removed on drop.
struct TestFile(PathBuf);

impl TestFile {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let name = format!("cc2s network {name} {}.net", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, bytes).unwrap();
        Self(path)
    }

    fn load(&self, gui: &mut Gui) -> Vec<String> {
        gui.ask(&format!(
            "setoption name EvalFile value {}",
            self.0.display()
        ))
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn network(seed: u64) -> Vec<u8> {
    NetworkParameters::random(32, seed).to_bytes()
}

fn choose(gui: &mut Gui, evaluation: &str) -> Vec<String> {
    gui.ask(&format!("setoption name Evaluation value {evaluation}"))
}

#[test]
fn both_options_are_announced() {
    let mut gui = Gui::spawn();
    gui.send("uci");
    let lines = gui.until("uciok");
    for start in [
        "option name EvalFile type string default <empty>",
        "option name Evaluation type combo default Network var Network var Classical",
    ] {
        assert!(lines.iter().any(|line| line == start), "{start}");
    }
    gui.quit();
}

#[test]
fn a_network_from_a_file_is_used_while_it_is_chosen() {
    let (one, other) = (
        TestFile::new("one", &network(1)),
        TestFile::new("other", &network(2)),
    );
    let mut gui = Gui::ready();
    let built_in = gui.ask("eval");
    assert_eq!(built_in.len(), 12);
    assert!(choose(&mut gui, "Classical").is_empty());
    let classical = gui.ask("eval");
    assert_eq!(classical.len(), 1);
    assert!(one.load(&mut gui).is_empty());
    assert_eq!(gui.ask("eval"), classical, "it is at hand, not chosen");
    assert!(choose(&mut gui, "network").is_empty());
    let first = gui.ask("eval");
    assert_eq!(first.len(), 12, "{first:#?}");
    assert!(first[1].starts_with("Network: value cp "), "{first:#?}");
    assert!(first[1].ends_with(", output bucket 7"));
    assert!(
        first[3].starts_with("8 ") && first[3].contains(" r"),
        "{first:#?}"
    );
    assert!(other.load(&mut gui).is_empty());
    assert_ne!(gui.ask("eval"), first);
    for search in ["PVS", "MTDf", "Cc2s", "NegaScout"] {
        assert!(
            gui.ask(&format!("setoption name Search value {search}"))
                .is_empty()
        );
        let lines = gui.search("go depth 3");
        assert!(lines.last().unwrap().starts_with("bestmove "), "{search}");
    }
    assert!(gui.ask("setoption name EvalFile value <empty>").is_empty());
    assert_eq!(gui.ask("eval"), built_in);
    assert!(choose(&mut gui, "Classical").is_empty());
    assert_eq!(gui.ask("eval"), classical);
    gui.quit();
}

/// The root scores differ, so the search has used the network; after switching back they are as before.
#[test]
fn searches_ask_the_evaluation_chosen() {
    let file = TestFile::new("searched", &network(3));
    let mut gui = Gui::ready();
    for threads in [1, 2] {
        gui.ask(&format!("setoption name Threads value {threads}"));
        for search in ["PVS", "MTDf", "Cc2s", "AlphaBeta"] {
            gui.ask(&format!("setoption name Search value {search}"));
            let mut score = |evaluation: &str| {
                assert!(file.load(&mut gui).is_empty());
                assert!(choose(&mut gui, evaluation).is_empty());
                let lines = gui.search("go depth 2");
                let last = lines
                    .iter()
                    .rfind(|line| line.contains(" score cp "))
                    .unwrap();
                last.split(" score cp ")
                    .nth(1)
                    .unwrap()
                    .split(' ')
                    .next()
                    .unwrap()
                    .to_owned()
            };
            let (classical, by_network) = (score("Classical"), score("Network"));
            assert_ne!(classical, by_network, "{search}, {threads} threads");
            if threads == 1 {
                assert_eq!(score("Classical"), classical, "{search}");
            } else {
                score("Classical");
            }
        }
    }
    gui.quit();
}

#[test]
fn a_bad_file_is_named_and_the_old_network_stays() {
    let good = network(4);
    let mut gui = Gui::ready();
    assert!(TestFile::new("good", &good).load(&mut gui).is_empty());
    assert!(choose(&mut gui, "Network").is_empty());
    let before = gui.ask("eval");
    let changed = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        bytes
    };
    for (name, bytes, complaint) in [
        ("empty", Vec::new(), "not a network of this engine"),
        (
            "text",
            b"[Event \"?\"]".to_vec(),
            "not a network of this engine",
        ),
        (
            "version",
            changed(7, b'9'),
            "a network of the format CC2SNET9; this program reads CC2SNET3",
        ),
        ("shape", changed(8, 7), "unknown shape: 7 hidden units"),
        ("short", good[..good.len() - 1].to_vec(), "wrong size: "),
        ("long", [&good[..], &[0]].concat(), "wrong size: "),
        ("corrupt", changed(5_000, 99), "damaged: wrong checksum"),
    ] {
        let said = TestFile::new(name, &bytes).load(&mut gui);
        assert!(
            said.len() == 1 && said[0].starts_with("info string error: option EvalFile: "),
            "{said:?}"
        );
        assert!(said[0].contains(complaint), "{said:?}");
        assert_eq!(gui.ask("eval"), before, "{name}");
    }
    for (path, complaint) in [
        ("/no/such/file.net", "No such file"),
        ("/", "not a file"),
        ("/dev/zero", "not a file"),
    ] {
        let said = gui.ask(&format!("setoption name EvalFile value {path}"));
        assert!(
            said[0].contains(&format!("{path}: {complaint}")),
            "{said:?}"
        );
        assert_eq!(gui.ask("eval"), before, "{path}");
    }
    gui.quit();
}
