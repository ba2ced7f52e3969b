//! The techniques of the tuned search that only deep searches repay: each does something, none hides a mate, and the
//! leaf evaluator knows nothing of them.

use cc2s::baseline::Prediction;
use cc2s::chess::{Line, Move, epd};
use cc2s::game::{Evaluator, Game, Score, Window};
use cc2s::leaf::{Iteration, LeafEvaluator, LeafParams, Observer, Plan, RootWindow, Searcher};
use cc2s::params::Parameters;

const TECHNIQUES: [&str; 5] = [
    "singular_extension",
    "prob_cut",
    "internal_reduction",
    "follow_up_history",
    "correction_history",
];

/// The defaults with all techniques off, then the named ones on.
fn with(names: &[&str]) -> LeafParams {
    let mut params = LeafParams::default();
    for name in TECHNIQUES {
        params.set(name, i64::from(names.contains(&name))).unwrap();
    }
    params
}

fn records(file: &str) -> Vec<epd::Record> {
    let text = std::fs::read_to_string(format!("positions/{file}")).unwrap();
    let records = epd::parse(&text).unwrap();
    records.into_iter().map(|(_, record)| record).collect()
}

/// The iterations of a search: score, nodes, best move.
#[derive(Default)]
struct Iterations(Vec<(Score, u64, Move)>);

impl Observer for Iterations {
    fn proceed(&mut self, _: u64) -> bool {
        true
    }
    fn iteration(&mut self, iteration: &Iteration<'_>) -> bool {
        let seen = (iteration.score, iteration.nodes, iteration.pv[0]);
        self.0.push(seen);
        true
    }
}

fn deepen(
    searcher: &mut Searcher,
    record: &epd::Record,
    depth_max: u16,
) -> Vec<(Score, u64, Move)> {
    let mut line = Line::new(record.position.clone());
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    let plan = Plan {
        depth_max,
        ranks: 1,
        window: RootWindow::Aspiration,
        place: 0,
    };
    let mut seen = Iterations::default();
    searcher.clear();
    searcher.deepen(&mut line, &moves, plan, &mut seen);
    seen.0
}

#[test]
fn every_technique_changes_the_search() {
    let records = records("bk.epd");
    let nodes = |names: &[&str]| -> u64 {
        let mut searcher = Searcher::new(with(names), 4).unwrap();
        let some = records.iter().step_by(4);
        some.map(|record| deepen(&mut searcher, record, 9).last().unwrap().1)
            .sum()
    };
    let plain = nodes(&[]);
    for technique in TECHNIQUES {
        assert_ne!(nodes(&[technique]), plain, "{technique}");
    }
}

#[test]
fn the_evaluator_is_left_as_it_was() {
    let mut plain = LeafEvaluator::new(with(&[]), 1).unwrap();
    let mut with_all = LeafEvaluator::new(with(&TECHNIQUES), 1).unwrap();
    for record in records("bench.epd") {
        let mut line = Line::new(record.position.clone());
        let expected = plain.evaluate(&mut line, Window::FULL);
        let found = with_all.evaluate(&mut line, Window::FULL);
        assert_eq!((found.score, found.nodes), (expected.score, expected.nodes));
    }
}

#[test]
fn mates_are_found_with_all_techniques() {
    // Null moves hide the zugzwangs that such problems are made of.
    let params = LeafParams {
        null_move: false,
        ..with(&TECHNIQUES)
    };
    let mut searcher = Searcher::new(params, 4).unwrap();
    let mut tried = 0;
    for record in records("mate.epd") {
        let Some(moves @ 1..=2) = record.mate_in else {
            continue;
        };
        let (score, ..) = *deepen(&mut searcher, &record, 10).last().unwrap();
        let wanted = Score::mate_in(2 * moves - 1);
        assert_eq!(score, wanted, "{:?}", record.id);
        tried += 1;
    }
    assert!(tried > 30);
}

#[test]
fn singular_extensions_find_mates_earlier() {
    let records = records("mate.epd");
    // Depths from 1 to 8 at which a mate is seen, of every other position together.
    let found = |names: &[&str]| {
        let mut searcher = Searcher::new(with(names), 4).unwrap();
        let seen = records
            .iter()
            .step_by(2)
            .flat_map(|record| deepen(&mut searcher, record, 8));
        seen.filter(|(score, ..)| score.mate_distance().is_some_and(|plies| plies > 0))
            .count()
    };
    let (plain, singular) = (found(&[]), found(&["singular_extension"]));
    assert!(singular > plain, "{singular} with, {plain} without");
}

/// The margin is fitted on one half of the positions; the errors it would make are counted on the other.
#[test]
fn the_margin_of_prob_cut_is_wide_enough() {
    let (shallow, deep) = (4, 8);
    let mut searcher = Searcher::new(with(&[]), 16).unwrap();
    let pairs: Vec<_> = records("sts.epd")
        .iter()
        .step_by(15)
        .map(|record| {
            let seen = deepen(&mut searcher, record, deep);
            (
                seen[usize::from(shallow) - 1].0,
                seen[usize::from(deep) - 1].0,
            )
        })
        .collect();
    let half = |first: usize| pairs.iter().copied().skip(first).step_by(2);
    let fitted: Vec<_> = half(0).collect();
    let prediction = Prediction::fit(deep, shallow, &fitted).unwrap();
    let margin = LeafParams::default().prob_cut_cp;
    let two_deviations = prediction.shallow_beta(Score::DRAW, 2.0);
    assert!(
        i32::from(two_deviations.raw()) <= margin,
        "{prediction:?} asks for {two_deviations}"
    );
    let wrong = half(1).filter(|(shallow, deep)| *deep < *shallow - margin as i16);
    assert!(
        wrong.count() <= 1,
        "more than 2 % of the cutoffs would be wrong"
    );
}
