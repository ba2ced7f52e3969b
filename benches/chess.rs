//! Move generation, making and ordering of moves.

use std::hint::black_box;

use cc2s::chess::{Line, Position, epd};
use cc2s::game::Game;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn positions() -> Vec<Position> {
    let text = std::fs::read_to_string("positions/bench.epd").expect("the repository's own file");
    let records = epd::parse(&text).expect("the repository's own file is sound");
    records
        .into_iter()
        .map(|(_, record)| record.position)
        .collect()
}

fn rules(criterion: &mut Criterion) {
    let positions = positions();
    let mut group = criterion.benchmark_group("chess");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let mut moves = Vec::with_capacity(256);
    group.bench_function("legal_moves", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                moves.clear();
                position.legal_moves(&mut moves);
                black_box(&moves);
            }
        });
    });
    group.bench_function("noisy_moves", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                position.noisy_moves(|mv| {
                    black_box(mv);
                });
            }
        });
    });
    group.bench_function("has_legal_move", |bencher| {
        bencher.iter(|| {
            positions
                .iter()
                .filter(|position| position.has_legal_move())
                .count()
        });
    });
    group.finish();
}

fn walking(criterion: &mut Criterion) {
    let mut lines: Vec<Line> = positions().into_iter().map(Line::new).collect();
    let mut moves = Vec::new();
    let plies: Vec<_> = lines
        .iter()
        .map(|line| {
            moves.clear();
            line.legal_moves(&mut moves);
            moves.clone()
        })
        .collect();
    let mut group = criterion.benchmark_group("chess");
    group.throughput(Throughput::Elements(
        plies.iter().map(Vec::len).sum::<usize>() as u64,
    ));
    group.bench_function("play and undo", |bencher| {
        bencher.iter(|| {
            for (line, moves) in lines.iter_mut().zip(&plies) {
                for &mv in moves {
                    line.play(mv);
                    black_box(line.key());
                    line.undo();
                }
            }
        });
    });
    group.finish();
}

criterion_group!(benches, rules, walking);
criterion_main!(benches);
