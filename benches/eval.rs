//! The static evaluations: the hand-crafted one, and networks of two sizes.

use std::hint::black_box;
use std::sync::Arc;

use cc2s::chess::{Position, epd};
use cc2s::eval::network::{Network, NetworkParameters};
use cc2s::eval::{Evaluation, EvaluationKind};
use cc2s::game::SplitMix64;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Unrelated positions.
fn positions() -> Vec<Position> {
    let text = std::fs::read_to_string("positions/bench.epd").expect("the repository's own file");
    let records = epd::parse(&text).expect("the repository's own file is sound");
    records
        .into_iter()
        .map(|(_, record)| record.position)
        .collect()
}

/// Each position with the successors of one of its successors, in the order of a search, with their plies.
fn families() -> Vec<(Position, usize)> {
    let mut rng = SplitMix64::new(5);
    let mut found = Vec::new();
    for position in positions() {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let next = position.after(moves[rng.below(moves.len() as u64) as usize]);
        found.extend([(position, 0), (next.clone(), 1)]);
        moves.clear();
        next.legal_moves(&mut moves);
        found.extend(moves.into_iter().map(|mv| (next.after(mv), 2)));
    }
    found
}

fn kinds() -> [(&'static str, EvaluationKind); 3] {
    let random = |hidden| {
        let bytes = NetworkParameters::random(hidden, 1).to_bytes();
        let network = Network::from_bytes(&bytes).expect("a random network is a network");
        EvaluationKind::Network(Arc::new(network))
    };
    [
        ("classical", EvaluationKind::Classical),
        ("network 128", random(128)),
        ("network 256", random(256)),
    ]
}

fn evaluation(criterion: &mut Criterion) {
    let unrelated = positions().into_iter().map(|position| (position, 0));
    for (order, positions) in [
        ("unrelated", unrelated.collect()),
        ("as in a search", families()),
    ] {
        let mut group = criterion.benchmark_group(format!("eval, {order}"));
        group.throughput(Throughput::Elements(positions.len() as u64));
        for (name, kind) in kinds() {
            let mut evaluation = Evaluation::new(&kind);
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    for (position, ply) in &positions {
                        black_box(evaluation.evaluate(position, *ply));
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
