//! What a question to endgame tables costs: positions with three men from `positions/tbtruth.epd`, all of their tables
//! being part of the repository.

use std::hint::black_box;

use cc2s::chess::epd;
use cc2s::tablebase::{Own, Syzygy};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shakmaty::{Chess, Position as _};

fn positions() -> Vec<Chess> {
    let text = std::fs::read_to_string("positions/tbtruth.epd").expect("the repository's own file");
    let records = epd::parse(&text).expect("the repository's own file is sound");
    let positions = records
        .into_iter()
        .map(|(_, record)| record.position.chess().clone());
    positions
        .filter(|chess| chess.board().occupied().count() == 3)
        .collect()
}

fn probes(criterion: &mut Criterion) {
    let positions = positions();
    let own = Own::built_in();
    let (syzygy, troubles) = Syzygy::open("tests/data/syzygy");
    assert!(troubles.is_empty(), "{troubles:?}");
    let mut group = criterion.benchmark_group("tables");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("own", |bencher| {
        bencher.iter(|| {
            for chess in &positions {
                black_box(own.answer(chess, true));
            }
        });
    });
    group.bench_function("Syzygy result", |bencher| {
        bencher.iter(|| {
            for chess in &positions {
                black_box(syzygy.outcome(chess, true));
            }
        });
    });
    group.throughput(Throughput::Elements(1));
    // Opens the table and decodes one block, of the class that compresses worst.
    let with_pawn = |chess: &&Chess| chess.board().pawns().any();
    let chess = positions.iter().find(with_pawn).expect("KPvK is there");
    group.bench_function("own, first question", |bencher| {
        bencher.iter(|| Own::built_in().answer(black_box(chess), true));
    });
    group.finish();
}

criterion_group!(benches, probes);
criterion_main!(benches);
