//! The static evaluation, with and without its memory of pawn structures.

use std::hint::black_box;

use cc2s::chess::{Position, epd};
use cc2s::eval::Evaluation;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn evaluation(criterion: &mut Criterion) {
    let text = std::fs::read_to_string("positions/bench.epd").expect("the repository's own file");
    let records = epd::parse(&text).expect("the repository's own file is sound");
    let positions: Vec<Position> = records
        .into_iter()
        .map(|(_, record)| record.position)
        .collect();
    let mut group = criterion.benchmark_group("eval");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let mut evaluation = Evaluation::default();
    group.bench_function("evaluate", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                black_box(evaluation.evaluate(position));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
