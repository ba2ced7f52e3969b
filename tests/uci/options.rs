//! Options from a host's view.

use std::fs;

use cc2s::engine::Engine;
use cc2s::settings::config::Config;

use super::gui::Gui;
use super::mock;

#[test]
fn of_too_much_memory_the_largest_half_that_can_be_had_is_used() {
    let mut gui = Gui::inside(mock::engine("Greedy"), mock::TOOLS);
    assert!(gui.synchronise().is_empty());
    for (asked, had) in [(2_001, 1_000), (1_500, 750), (65_536, 512)] {
        let said = gui.ask(&format!("setoption name Hash value {asked}"));
        let wanted = format!(
            "info string error: option Hash: cannot allocate {asked} MiB, keeping {had} MiB"
        );
        assert_eq!(said, [wanted]);
        let lines = gui.search("go depth 1");
        assert!(lines.last().unwrap().starts_with("bestmove "));
    }
    assert!(gui.ask("setoption name Hash value 900").is_empty());
    gui.quit();
}

#[test]
fn too_much_memory_from_the_beginning_is_said_once_and_does_not_forfeit_the_game() {
    let config = Config::built_in().unwrap();
    let mut params = config.params().clone();
    params.set("engine", "hash_mib", 60_000).unwrap();
    let greedy = mock::SEARCHES.iter().find(|entry| entry.name == "Greedy");
    let config = config.based_on(params);
    let engine = Engine::with_searches(config, mock::SEARCHES, greedy.unwrap());
    let mut gui = Gui::inside(engine, mock::TOOLS);
    let lines = gui.search("go depth 2");
    let said = "info string error: cannot allocate 60000 MiB, keeping 937 MiB";
    assert!(lines.contains(&said.to_owned()), "{lines:?}");
    assert_ne!(lines.last().unwrap(), "bestmove 0000");
    assert!(gui.synchronise().is_empty());
    gui.quit();
}

#[test]
fn a_search_can_be_chosen_and_keeps_the_hash_size() {
    let mut gui = Gui::ready();
    for name in ["Cc1s", "PVS", "cc2s"] {
        assert!(
            gui.ask(&format!("setoption name Search value {name}"))
                .is_empty()
        );
        assert!(gui.ask("setoption name Hash value 4").is_empty());
        assert!(
            gui.search("go depth 2")
                .last()
                .unwrap()
                .starts_with("bestmove "),
            "{name}"
        );
    }
}

#[test]
fn win_draw_loss_is_shown_when_wanted() {
    let mut gui = Gui::ready();
    let has_wdl = |lines: &[String]| lines.iter().any(|line| line.contains(" wdl "));
    assert!(!has_wdl(&gui.search("go depth 2")));
    gui.send("setoption name UCI_ShowWDL value true");
    assert!(has_wdl(&gui.search("go depth 2")));
}

#[test]
fn the_ponder_move_is_always_given_where_one_is_known() {
    let mut gui = Gui::inside(mock::engine("Hasty"), mock::TOOLS);
    for ponder in ["false", "true"] {
        gui.send(&format!("setoption name Ponder value {ponder}"));
        let lines = gui.search("go depth 3");
        assert!(lines.last().unwrap().contains(" ponder "), "{lines:?}");
    }
    // The game is over after this move, so there is no ponder move.
    gui.send("position fen 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1");
    let lines = gui.search("go depth 3 searchmoves e1e8");
    assert_eq!(lines.last().unwrap(), "bestmove e1e8");
}

/// Common options are listed, the others on request, and all can be set.
#[test]
fn tuning_parameters_are_listed_on_demand_and_settable_always() {
    let mut gui = Gui::spawn();
    let names = |lines: &[String]| -> Vec<String> {
        let options = lines.iter().filter_map(|l| l.strip_prefix("option name "));
        options
            .map(|line| line.split(" type ").next().unwrap().to_owned())
            .collect()
    };
    gui.send("uci");
    let few = names(&gui.until("uciok"));
    assert!((20..=28).contains(&few.len()), "{few:?}");
    for wanted in ["Hash", "Profile", "Conspiracy", "OwnTables"] {
        assert!(few.contains(&wanted.to_owned()), "{wanted}");
    }
    assert!(gui.ask("setoption name FutilityCp value 95").is_empty());
    assert_eq!(
        gui.ask("setoption name FutilityCp value 9"),
        ["info string error: option FutilityCp cannot be '9': a number from 20 to 400"]
    );
    gui.send("setoption name Tunables value true");
    gui.send("uci");
    let all = names(&gui.until("uciok"));
    assert!(all.len() > 70 && all.contains(&"FutilityCp".to_owned()));
    assert!(few.iter().all(|name| all.contains(name)));
    gui.quit();
}

/// The options listed with this profile and search.
fn announced(gui: &mut Gui, profile: &str, search: &str) -> Vec<String> {
    gui.send(&format!(
        "setoption name Profile value {profile}\nsetoption name Search value {search}\nuci"
    ));
    let lines = gui.until("uciok");
    let options = lines.iter().filter_map(|l| l.strip_prefix("option name "));
    let names = options.map(|line| line.split(" type ").next().unwrap());
    names.map(str::to_owned).collect()
}

#[test]
fn an_option_is_announced_where_it_acts() {
    let mut gui = Gui::spawn();
    for (profile, search, there, missing) in [
        (
            "safe",
            "Cc2s",
            vec!["Conspiracy"],
            vec!["ConspiracyMax", "EvalDepth"],
        ),
        (
            "safe",
            "Cc1s",
            vec![],
            vec!["Conspiracy", "ConspiracyMax", "EvalDepth"],
        ),
        (
            "cc1s",
            "Cc2s",
            vec!["Conspiracy"],
            vec!["ConspiracyMax", "EvalDepth"],
        ),
        (
            "thesis",
            "Cc2s",
            vec!["ConspiracyMax", "EvalDepth"],
            vec!["Conspiracy"],
        ),
        (
            "alone",
            "Cc1s",
            vec!["EvalDepth"],
            vec!["Conspiracy", "ConspiracyMax"],
        ),
        (
            "thesis",
            "PVS",
            vec![],
            vec!["Conspiracy", "ConspiracyMax", "EvalDepth"],
        ),
    ] {
        let names = announced(&mut gui, profile, search);
        for name in there
            .iter()
            .chain(&["Hash", "Threads", "Move Overhead", "Profile"])
        {
            assert!(
                names.iter().any(|other| other == name),
                "{profile} {search}: {name}"
            );
        }
        for name in missing {
            assert!(
                !names.iter().any(|other| other == name),
                "{profile} {search}: {name}"
            );
        }
    }
    gui.quit();
}

#[test]
fn setting_what_has_no_effect_at_present_says_so() {
    let mut gui = Gui::ready();
    assert!(gui.ask("setoption name Conspiracy value 1").is_empty());
    assert_eq!(
        gui.ask("setoption name conspiracymax value 3"),
        [
            "info string ConspiracyMax has no effect at present: it is used in Cc2s without delegation (Profile alone or thesis)"
        ]
    );
    assert_eq!(
        gui.ask("setoption name SecureLag value 3"),
        ["info string SecureLag has no effect at present: it needs Conspiracy"]
    );
    gui.send("setoption name Profile value alone");
    assert!(gui.ask("setoption name ConspiracyMax value 3").is_empty());
    gui.quit();
}

#[test]
fn tunables_are_listed_with_the_places_where_they_act() {
    let mut gui = Gui::spawn();
    gui.send("setoption name Tunables value true\nuci");
    let lines = gui.until("uciok");
    for (place, name) in [
        (
            "in Cc2s without delegation (Profile alone or thesis)",
            "ConspiracyMax",
        ),
        (
            "in Cc2s and Cc1s without delegation (Profile alone or thesis)",
            "EvalDepth",
        ),
        ("in Cc2s with delegation", "Conspiracy"),
        ("on simulated clusters only (cc2s lab)", "Prefetch"),
        ("in all searches but those of the textbook", "LeafNullMove"),
    ] {
        let start = format!("info string acting {place}: ");
        let names = lines
            .iter()
            .find_map(|line| line.strip_prefix(&start))
            .unwrap();
        assert!(
            names.split(", ").any(|other| other == name),
            "{name}: {names}"
        );
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with(&format!("option name {name} ")))
        );
    }
    gui.quit();
}

#[test]
fn the_log_holds_both_directions() {
    let path = std::env::temp_dir().join(format!("cc2s log {}.txt", std::process::id()));
    let mut gui = Gui::ready();
    gui.send(&format!(
        "setoption name Debug Log File value {}",
        path.display()
    ));
    gui.synchronise();
    gui.send("setoption name Debug Log File value <empty>");
    gui.synchronise();
    gui.quit();
    let log = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(
        log.contains(" >> isready\n") && log.contains(" << readyok\n"),
        "{log}"
    );
    assert!(!log.contains("quit"));
}
