//! The safety reported by the default search: it is about the move played, matches its score, and is shown by the
//! stored tree.

use cc2s::chess::{Line, Move, Position, epd};
use cc2s::engine::search::{BestMove, Question, RootUpdate, Search, SearchListener, decide};
use cc2s::engine::searches::cc2s::DelegatedCc2s;
use cc2s::game::Progress;
use cc2s::lab::quality::read_goal;
use cc2s::settings::EngineParams;

/// Stops when the nodes are spent.
struct Listener {
    nodes_max: u64,
    last: Option<RootUpdate>,
}

impl SearchListener<Move> for Listener {
    fn proceed(&mut self, progress: &Progress) -> bool {
        progress.nodes < self.nodes_max
    }

    fn report(&mut self, report: &RootUpdate) {
        self.last = Some(report.clone());
    }
}

fn positions(first: usize, every: usize) -> Vec<Position> {
    let suite = std::fs::read_to_string("positions/sts.epd").unwrap();
    let lines = suite.lines().filter(|line| !line.is_empty());
    let chosen = lines.skip(first).step_by(every);
    let position = |line| epd::parse_line(line).unwrap().position;
    chosen.map(position).collect()
}

fn search(threads: usize) -> DelegatedCc2s {
    let params = EngineParams::default();
    DelegatedCc2s::new(params.delegation.clone(), &params.delegate(), threads, 16).unwrap()
}

/// The decision and the last report.
fn decide_on(
    search: &mut DelegatedCc2s,
    position: &Position,
    nodes_max: u64,
    is_analysis: bool,
) -> (BestMove, RootUpdate) {
    let question = Question {
        is_analysis,
        ..Question::about(Line::new(position.clone()))
    };
    let mut listener = Listener {
        nodes_max,
        last: None,
    };
    search.new_game();
    let answer = decide(search, &question, &mut listener);
    (answer, listener.last.unwrap())
}

/// Checks the last report; returns whether it has two strategies.
fn check(search: &DelegatedCc2s, answer: &BestMove, last: &RootUpdate, context: &str) -> bool {
    assert_eq!(last.pv[0], answer.best, "{context}");
    let Some(claim) = last.claim else {
        assert_eq!(last.safety.unwrap().conspiracy, 1, "{context}");
        return false;
    };
    let off = i32::from(last.score.raw()) - i32::from(claim.hypothesis.raw());
    assert!(
        off.unsigned_abs() <= claim.margin_cp.into(),
        "{context}: {last:?}"
    );
    let planner = search.planner();
    let goal = planner.secured().expect("what was told");
    let (tree, safety) = (planner.tree(), last.safety.unwrap());
    assert_eq!(tree.node(goal.best()).mv, Some(answer.best), "{context}");
    assert_eq!((safety.depth, safety.conspiracy), (goal.depth(), 2));
    assert_eq!(claim.margin_cp, goal.margin_cp());
    assert!(read_goal(tree, &goal).strategies() >= 2, "{context}");
    true
}

#[test]
fn what_is_told_last_is_about_the_move_played() {
    let (mut told, mut count) = (0, 0);
    for threads in [1, 2] {
        let mut search = search(threads);
        for (number, position) in positions(6, 75).iter().enumerate() {
            let limits = [(20_000, false), (60_000, true), (37_000, false)];
            let (nodes_max, is_analysis) = limits[number % 3];
            let (answer, last) = decide_on(&mut search, position, nodes_max, is_analysis);
            let context = format!("position {number}, {threads} threads");
            told += usize::from(check(&search, &answer, &last, &context));
            count += 1;
        }
    }
    assert!(told > count / 3, "{told} of {count}");
}

/// A game clock may stop a search at any point, including between two best moves.
#[test]
fn wherever_a_search_ends_its_last_word_holds() {
    let mut search = search(1);
    let fen = "2r2qkr/1p1b3p/p1n1p1pQ/P2pPp2/8/1PBR1N1P/2P2PP1/5RK1 w - - 0 1";
    let first = cc2s::chess::notation::parse_fen(fen).unwrap();
    let mut changes = 0;
    for position in [first].into_iter().chain(positions(6, 400)) {
        let (mut told, mut moves) = (0, Vec::new());
        for nodes in (6_000..130_000).step_by(6_000) {
            let (answer, last) = decide_on(&mut search, &position, nodes, true);
            told += usize::from(check(&search, &answer, &last, &format!("{nodes} nodes")));
            moves.push(answer.best);
        }
        moves.dedup();
        assert!(told > 3, "{told} {moves:?}");
        changes += moves.len() - 1;
    }
    assert!(changes > 0, "the move must change somewhere");
}
