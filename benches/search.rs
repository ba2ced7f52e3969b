//! The leaf evaluator: evaluations with null windows and open windows, as requested by Cc2s.

use cc2s::chess::{Line, epd};
use cc2s::game::{Evaluator, Game, Score, SplitMix64, Window};
use cc2s::search::{LeafEvaluator, LeafParams};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Positions a few random moves after the benchmark positions, and their exact values.
fn questions() -> Vec<(Line, Score)> {
    let text = std::fs::read_to_string("positions/bench.epd").expect("the repository's own file");
    let records = epd::parse(&text).expect("the repository's own file is sound");
    let mut evaluator = LeafEvaluator::new(LeafParams::default(), 16).expect("16 MiB");
    let mut rng = SplitMix64::new(5);
    let mut questions = Vec::new();
    for _ in 0..12 {
        for (_, record) in &records {
            let mut line = Line::new(record.position.clone());
            for _ in 0..rng.below(4) {
                let mut moves = Vec::new();
                line.legal_moves(&mut moves);
                if let Some(&mv) = moves.get(rng.below(moves.len().max(1) as u64) as usize) {
                    line.play(mv);
                }
            }
            if line.end_score().is_none() {
                let score = evaluator.evaluate(&mut line, Window::FULL).score;
                questions.push((line, score));
            }
        }
    }
    questions
}

fn valuations(criterion: &mut Criterion) {
    let mut questions = questions();
    let mut evaluator = LeafEvaluator::new(LeafParams::default(), 16).expect("16 MiB");
    let mut group = criterion.benchmark_group("leaf");
    group.throughput(Throughput::Elements(questions.len() as u64));
    let mut rng = SplitMix64::new(6);
    for (name, spread) in [("null window", 160_u64), ("open window", 0)] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                evaluator.clear();
                let mut nodes = 0;
                for (line, score) in &mut questions {
                    let window = if spread == 0 {
                        Window::FULL
                    } else {
                        Window::null_above(*score + (rng.below(spread) as i16 - 80))
                    };
                    nodes += evaluator.evaluate(line, window).nodes;
                }
                nodes
            });
        });
    }
    group.finish();
}

criterion_group!(benches, valuations);
criterion_main!(benches);
