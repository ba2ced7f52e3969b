//! Tests of `cc2s explain`: the exported data are verified independently and compared with the search tree.

#[path = "support/program.rs"]
mod program;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use cc2s::cc2s::ThinTree;
use cc2s::chess::notation::{CastlingStyle, parse_fen, parse_san, uci_move};
use cc2s::chess::{Line, Move, Position};
use cc2s::engine::searches::cc2s::DelegatedCc2s;
use cc2s::game::{Game as _, Score};
use cc2s::report::Allowed;
use cc2s::report::explain::{Certainty, Explanation, explain, page};
use cc2s::settings::config::Config;
use program::{file, refusal};
use serde_json::Value;

/// An opening, a combination, an only move that saves the game, an endgame and a zugzwang.
const POSITIONS: [(&str, &str); 5] = [
    (
        "opening",
        "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
    ),
    (
        "combination",
        "5rk1/pp4p1/2n1p2p/2Npq3/2p5/6P1/P3P1BP/R4Q1K w - - 0 1",
    ),
    ("only move", "5rk1/5p2/8/7Q/r7/1q6/5PPP/6K1 w - - 0 1"),
    ("ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("zugzwang", "8/1p6/8/2KP4/4k3/8/8/8 b - - 0 1"),
];

/// Enough for two strategies in each position.
const NODES: u64 = 400_000;

fn searched(fen: &str, nodes: u64) -> (DelegatedCc2s, Line, Explanation) {
    let params = Config::built_in().unwrap().params().clone();
    let mut search = DelegatedCc2s::new(params.delegation, &params.leaf, 1, 16).unwrap();
    let line = Line::new(parse_fen(fen).unwrap());
    let allowed = Allowed {
        move_time_ms: None,
        nodes: Some(nodes),
    };
    let why = explain(
        &mut search,
        &params.leaf.evaluation,
        &line,
        allowed,
        &AtomicBool::new(false),
    );
    (search, line, why)
}

/// Values of leaves that differ from those found.
type Changes = BTreeMap<usize, i64>;

const WON: i64 = 32_000;
const LOST: i64 = -32_000;

/// The bound proven by a claim's tree: a lower bound for the chosen move, an upper bound for another.
fn backed_up(node: &Value, is_best: bool, leaves: &Value, changes: &Changes) -> i64 {
    let branches = || {
        let branches = node["branches"].as_array().unwrap().iter();
        branches.map(|branch| backed_up(&branch["node"], is_best, leaves, changes))
    };
    match (node["kind"].as_str().unwrap(), is_best) {
        ("any", true) | ("every", false) => branches().max().unwrap(),
        ("any", false) | ("every", true) => branches().min().unwrap(),
        ("leaf", _) => {
            let leaf = node["leaf"].as_u64().unwrap() as usize;
            let found = leaves[leaf]["value"].as_i64().unwrap();
            changes.get(&leaf).copied().unwrap_or(found)
        }
        ("end", _) => node["value"].as_i64().unwrap(),
        ("unknown", true) => LOST,
        ("unknown", false) => WON,
        (kind, _) => panic!("{kind}"),
    }
}

/// The proven bounds of all moves, the chosen one first.
fn bounds(why: &Value, changes: &Changes) -> Vec<i64> {
    let claims = why["claims"].as_array().unwrap().iter();
    claims
        .map(|claim| {
            let is_best = claim["is_best"].as_bool().unwrap();
            backed_up(&claim["tree"], is_best, &why["leaves"], changes)
        })
        .collect()
}

/// Whether the chosen move reaches the lower bound, and no other exceeds the upper bound.
fn holds(why: &Value, changes: &Changes) -> bool {
    let bounds = bounds(why, changes);
    let (low, high) = (why["low"].as_i64().unwrap(), why["high"].as_i64().unwrap());
    bounds[0] >= low && bounds[1..].iter().all(|&bound| bound <= high)
}

/// For each leaf, whether it is below the chosen move.
fn is_below_best(why: &Value) -> Vec<bool> {
    let best = why["uci"].as_str().unwrap();
    let leaves = why["leaves"].as_array().unwrap().iter();
    leaves
        .map(|leaf| leaf["path"][0].as_str() == Some(best))
        .collect()
}

fn indices(list: &Value) -> Vec<usize> {
    let list = list.as_array().unwrap().iter();
    list.map(|index| index.as_u64().unwrap() as usize).collect()
}

#[test]
fn two_strategies_are_exported_that_stand_alone_and_share_no_leaf() {
    for (name, fen) in POSITIONS {
        let why = serde_json::to_value(searched(fen, NODES).2).unwrap();
        assert_eq!(why["shown"], 2, "{name}");
        assert!(holds(&why, &Changes::new()), "{name}");
        let strategies: Vec<Vec<usize>> = why["strategies"]
            .as_array()
            .unwrap()
            .iter()
            .map(indices)
            .collect();
        assert!(
            strategies[0]
                .iter()
                .all(|leaf| !strategies[1].contains(leaf)),
            "{name}"
        );
        let below = is_below_best(&why);
        for strategy in &strategies {
            let others = (0..below.len()).filter(|leaf| !strategy.contains(leaf));
            let spoilt = others
                .map(|leaf| (leaf, if below[leaf] { LOST } else { WON }))
                .collect();
            assert!(holds(&why, &spoilt), "{name}: a strategy that needs others");
            for &leaf in strategy {
                let mut one_less: Changes = Changes::clone(&spoilt);
                one_less.insert(leaf, if below[leaf] { LOST } else { WON });
                assert!(!holds(&why, &one_less), "{name}: leaf {leaf} adds nothing");
            }
        }
    }
}

#[test]
fn one_wrong_leaf_changes_nothing_and_the_conspirators_overturn_the_move() {
    for (name, fen) in POSITIONS {
        let why = serde_json::to_value(searched(fen, NODES).2).unwrap();
        for leaf in 0..why["leaves"].as_array().unwrap().len() {
            for value in [LOST, -300, 0, 300, WON] {
                assert!(
                    holds(&why, &Changes::from([(leaf, value)])),
                    "{name}: leaf {leaf} at {value}"
                );
            }
        }
        let conspirators = indices(&why["conspirators"]["leaves"]);
        assert!(conspirators.len() >= 2, "{name}");
        let below = is_below_best(&why);
        let just = |leaf: usize| {
            let needed = why["leaves"][leaf]["needed"].as_i64().unwrap();
            (leaf, if below[leaf] { needed - 1 } else { needed + 1 })
        };
        let changed: Changes = conspirators.iter().map(|&leaf| just(leaf)).collect();
        assert!(!holds(&why, &changed), "{name}");
        let spared: Changes = conspirators[1..].iter().map(|&leaf| just(leaf)).collect();
        assert!(holds(&why, &spared), "{name}: fewer are enough");
        let room: i64 = conspirators
            .iter()
            .map(|&leaf| why["leaves"][leaf]["room_cp"].as_i64().unwrap_or(30_000))
            .sum();
        assert_eq!(
            why["conspirators"]["change_cp"].as_i64(),
            Some(room),
            "{name}"
        );
        // If all of them are wrong by any amount, another move leads by more than the claimed margin; a smaller
        // subset never achieves this.
        let margin = why["high"].as_i64().unwrap() - why["low"].as_i64().unwrap();
        let is_within = |changes: &Changes| {
            let bounds = bounds(&why, changes);
            bounds[1..].iter().all(|&other| other - bounds[0] <= margin)
        };
        let wild = |leaf: usize| (leaf, if below[leaf] { LOST } else { WON });
        assert!(conspirators.len() < 10, "{name}: too many subsets");
        let all = (1 << conspirators.len()) - 1;
        for subset in 0..=all {
            let chosen = (0..conspirators.len()).filter(|at| subset >> at & 1 == 1);
            let spoilt = chosen.map(|at| wild(conspirators[at])).collect();
            assert_eq!(is_within(&spoilt), subset != all, "{name}: {subset:b}");
        }
    }
}

/// Compares an exported node with the legal moves and with the stored tree of the search.
fn compare(
    node: &Value,
    line: &mut Line,
    path: &mut Vec<Move>,
    tree: &ThinTree<Move>,
    why: &Value,
) {
    let Some(branches) = node["branches"].as_array() else {
        return;
    };
    let mut legal = Vec::new();
    line.position().legal_moves(&mut legal);
    if node["kind"] == "every" {
        assert_eq!(branches.len(), legal.len(), "{path:?}: not every reply");
    }
    let stored = tree.node(tree.find(path).expect("a stored node"));
    for branch in branches {
        let uci = branch["uci"].as_str().unwrap();
        let mv = move_named(line.position(), &legal, uci);
        if let Some(leaf) = branch["node"]["leaf"].as_u64() {
            let leaf = &why["leaves"][leaf as usize];
            let at_node = |score: Score| (0..path.len()).fold(score, |score, _| score.to_parent());
            let is_stored = stored.strategies.iter().any(|strategy| {
                strategy.mv == mv
                    && i64::from(at_node(strategy.lower.score).raw())
                        == leaf["value"].as_i64().unwrap()
                    && u64::from(strategy.lower.depth) == leaf["depth"].as_u64().unwrap()
            });
            assert!(is_stored, "{path:?} {uci}: no such answer was stored");
            let horizon = path.len() as u64 + leaf["depth"].as_u64().unwrap();
            assert_eq!(Some(horizon), leaf["horizon"].as_u64());
            assert!(
                horizon >= why["safety"][0].as_u64().unwrap(),
                "not as deep as is said"
            );
        }
        line.play(mv);
        path.push(mv);
        compare(&branch["node"], line, path, tree, why);
        path.pop();
        line.undo();
    }
}

fn move_named(position: &Position, legal: &[Move], uci: &str) -> Move {
    let is_it = |mv: &&Move| uci_move(position, **mv, CastlingStyle::KingTakesRook) == uci;
    *legal.iter().find(is_it).expect("a legal move")
}

#[test]
fn what_is_drawn_stands_in_the_stored_tree() {
    for (name, fen) in POSITIONS {
        let (search, mut line, why) = searched(fen, NODES);
        let why = serde_json::to_value(why).unwrap();
        let claims = why["claims"].as_array().unwrap();
        let mut legal = Vec::new();
        line.legal_moves(&mut legal);
        assert_eq!(claims.len(), legal.len(), "{name}");
        assert_eq!(search.planner().safety().0.unwrap().conspiracy, 2, "{name}");
        for claim in claims {
            let mv = move_named(line.position(), &legal, claim["uci"].as_str().unwrap());
            line.play(mv);
            compare(
                &claim["tree"],
                &mut line,
                &mut vec![mv],
                search.planner().tree(),
                &why,
            );
            line.undo();
        }
    }
}

#[test]
fn a_page_names_the_leaves_and_nothing_of_other_places() {
    let (_, line, why) = searched(POSITIONS[2].1, NODES);
    let page = page(&why, line.position()).unwrap();
    assert_eq!(page.matches("class=\"leaf\"").count(), why.leaves.len());
    assert!(
        page.contains("<title>Why 1. Qg5+?</title>"),
        "{}",
        &page[..400]
    );
    for foreign in ["src=", "@import", "url(", "href=\"http"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
}

/// With a node limit the output is independent of the clock.
#[test]
fn nodes_make_the_same_bytes() {
    let made = || {
        let (_, line, why) = searched(POSITIONS[2].1, 20_000);
        assert!(
            why.course
                .iter()
                .all(|moment| moment.milliseconds.is_none())
        );
        page(&why, line.position()).unwrap() + &serde_json::to_string(&why).unwrap()
    };
    let first = made();
    assert!(first.contains(" nodes</text>") && !first.contains(" s</text>"));
    assert!(first == made(), "the bytes differ");
}

#[test]
fn one_file_for_page_and_data_is_refused() {
    let output = file("explain_same.html");
    let here = output.parent().unwrap().join(".").join("explain_same.html");
    for json in [&output, &here] {
        let (output, json) = (output.to_str().unwrap(), json.to_str().unwrap());
        let refused = refusal(&["explain", "-o", output, "--json", json]);
        assert!(refused.contains("would be overwritten"), "{refused}");
    }
    assert!(!output.exists());
}

/// The final safety is drawn even if the second strategy came after the last report on the move.
#[test]
fn the_course_ends_with_the_safety_claimed() {
    let (_, line, mut why) = searched(POSITIONS[2].1, NODES);
    let [depth, conspiracy] = why.safety;
    assert!(conspiracy > 1);
    for moment in &mut why.course {
        moment.safety = None;
    }
    let deepest = why.course.iter().map(|moment| moment.depth).max().unwrap();
    let height = (160.0 * (1.0 - f64::from(depth) / f64::from(deepest)) * 10.0).round() / 10.0;
    let page = page(&why, line.position()).unwrap();
    assert!(
        page.contains(&format!(" 600,{height}\"/>")),
        "{depth} of {deepest}"
    );
}

/// Too little time for two strategies: the page says so and claims no more depth than its leaves have.
#[test]
fn what_was_not_reached_is_not_claimed() {
    let (mut none, mut one) = (0, 0);
    for nodes in [1, 100, 1_000, 3_000, 10_000] {
        for (name, fen) in POSITIONS {
            let (_, line, why) = searched(fen, nodes);
            let page = page(&why, line.position()).unwrap();
            match why.safety {
                [0, 0] => {
                    assert_eq!(why.shown, 0, "{name}");
                    assert!(page.contains("has not proved that it is the best move"));
                    assert!(!page.contains("Safety") && !page.contains("The strategy"));
                    none += 1;
                }
                [depth, 1] => {
                    assert!(page.contains(&format!("Safety 1 to {depth} plies")));
                    let picked = why.strategies.iter().flatten();
                    for &leaf in picked {
                        assert!(why.leaves[leaf].horizon >= depth, "{name}: {depth}");
                    }
                    one += 1;
                }
                _ => {}
            }
        }
    }
    assert!(none > 0 && one > 0, "{none} {one}");
}

/// A mate needs no second strategy, and a single legal move no comparison.
#[test]
fn what_is_certain_is_explained_too() {
    for (fen, certain, words) in [
        (
            "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1",
            Certainty::Mate,
            "It is mate",
        ),
        (
            "k7/2K5/8/8/8/8/8/1R6 b - - 0 1",
            Certainty::OnlyMove,
            "It is the only legal move",
        ),
    ] {
        for nodes in [1_000, 20_000] {
            let (_, line, why) = searched(fen, nodes);
            assert!(parse_san(line.position(), &why.san).is_ok());
            assert_eq!((why.certain, &why.conspirators), (Some(certain), &None));
            let page = page(&why, line.position()).unwrap();
            assert!(page.contains(words), "{page}");
            for wrong in ["single alpha-beta results", "The smallest set", "Safety"] {
                assert!(!page.contains(wrong), "{wrong}");
            }
        }
    }
}
