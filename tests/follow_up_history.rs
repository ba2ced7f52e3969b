//! The history of moves by the own previous move, which pays off in deep searches only. It has an effect, hides no
//! mate, and is not used by the leaf evaluator.

use cc2s::chess::{Line, Move, epd};
use cc2s::game::{Evaluator, Game, Progress, RootUpdate, Score, SearchListener, Window};
use cc2s::search::{DeepenRequest, LeafEvaluator, LeafParams, LeafSearcher, RootWindow};

fn with(follow_up_history: bool) -> LeafParams {
    LeafParams {
        follow_up_history,
        ..LeafParams::default()
    }
}

fn records(file: &str) -> Vec<epd::Record> {
    let text = std::fs::read_to_string(format!("positions/{file}")).unwrap();
    let records = epd::parse(&text).unwrap();
    records.into_iter().map(|(_, record)| record).collect()
}

/// The iterations of a search: score, nodes, best move.
#[derive(Default)]
struct Iterations(Vec<(Score, u64, Move)>);

impl SearchListener<Move> for Iterations {
    fn proceed(&mut self, _: &Progress) -> bool {
        true
    }
    fn report(&mut self, update: &RootUpdate<Move>) {
        let seen = (update.score, update.nodes, update.pv[0]);
        self.0.push(seen);
    }
}

fn deepen(
    searcher: &mut LeafSearcher,
    record: &epd::Record,
    depth_max: u16,
) -> Vec<(Score, u64, Move)> {
    let mut line = Line::new(record.position.clone());
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    let request = DeepenRequest {
        depth_max,
        pv_count: 1,
        window: RootWindow::Aspiration,
        place: 0,
    };
    let mut seen = Iterations::default();
    searcher.clear();
    searcher.deepen(&mut line, &moves, request, &mut seen);
    seen.0
}

#[test]
fn it_changes_the_search() {
    let records = records("bk.epd");
    let nodes = |params| -> u64 {
        let mut searcher = LeafSearcher::new(params, 4).unwrap();
        let some = records.iter().step_by(4);
        some.map(|record| deepen(&mut searcher, record, 9).last().unwrap().1)
            .sum()
    };
    assert_ne!(nodes(with(true)), nodes(with(false)));
}

#[test]
fn the_evaluator_is_left_as_it_was() {
    let mut without = LeafEvaluator::new(with(false), 1).unwrap();
    let mut with = LeafEvaluator::new(with(true), 1).unwrap();
    for record in records("bench.epd") {
        let mut line = Line::new(record.position.clone());
        let expected = without.evaluate(&mut line, Window::FULL);
        let found = with.evaluate(&mut line, Window::FULL);
        assert_eq!((found.score, found.nodes), (expected.score, expected.nodes));
    }
}

#[test]
fn mates_are_found() {
    // Such problems depend on zugzwangs, which null moves hide, and on quiet key moves, which ProbCut hides.
    let params = LeafParams {
        null_move: false,
        prob_cut: false,
        ..with(true)
    };
    let mut searcher = LeafSearcher::new(params, 4).unwrap();
    let mut tried = 0;
    for record in records("mate.epd") {
        let Some(moves @ 1..=2) = record.mate_in else {
            continue;
        };
        let (score, ..) = *deepen(&mut searcher, &record, 12).last().unwrap();
        let wanted = Score::mate_in(2 * moves - 1);
        assert_eq!(score, wanted, "{:?}", record.id);
        tried += 1;
    }
    assert!(tried > 30);
}
