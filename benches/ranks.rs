//! What a rank's one thread for messages does with those that come in hundreds of thousands a second.

use std::hint::black_box;

use cc2s::chess::Move;
use cc2s::cluster::jobs::hear;
use cc2s::cluster::{Entry, Hint, Post, ToRank, decode, encode};
use cc2s::search::{Company, LeafTable, SHARED_DEPTH_MIN, Telling};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

/// Hints in one message: of four, two are of what was found, one begins a move and one ends it.
const HINTS: u64 = 1_000;

/// Those of the message with that number, about positions that no other message names.
fn hints(message: u64) -> Vec<Hint> {
    // An odd factor scatters keys over the table.
    let key = |number: u64| (message * HINTS + number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hint = |number| match number % 4 {
        0 => Hint::Entered(key(number)),
        1 => Hint::Left(key(number - 1)),
        _ => Hint::Found(Entry {
            key: key(number),
            content: 3 << 56,
        }),
    };
    (0..HINTS).map(hint).collect()
}

fn mail(c: &mut Criterion) {
    let mut group = c.benchmark_group("mail");
    group.throughput(Throughput::Elements(HINTS));
    let mail = ToRank::<Move>::Mail(hints(0));
    let bytes = encode(&mail);
    group.bench_function("write", |bencher| bencher.iter(|| encode(black_box(&mail))));
    group.bench_function("read", |bencher| {
        bencher.iter(|| decode::<ToRank<Move>>(black_box(&bytes)));
    });
    let mut post = Post::new(0, 3);
    let all = hints(0);
    group.bench_function("collect", |bencher| {
        bencher.iter(|| {
            post.add(black_box(all.iter().copied()));
            post.clear();
        });
    });
    let table = LeafTable::new(64).expect("memory for a table");
    let company = Company::new(SHARED_DEPTH_MIN, Some(Telling::among(2)));
    let mut messages = 0;
    let mut next = || {
        messages += 1;
        hints(messages)
    };
    group.bench_function("hear", |bencher| {
        let work = |hints: Vec<Hint>| hear(&company, &table, black_box(&hints));
        bencher.iter_batched(&mut next, work, BatchSize::SmallInput);
    });
    group.finish();
}

criterion_group!(benches, mail);
criterion_main!(benches);
