//! The messages of a rank's thread, which arrive at rates of hundreds of thousands per second.

use std::hint::black_box;

use cc2s::chess::Move;
use cc2s::cluster::{Broadcast, ToRank, decode, encode};
use cc2s::game::HashUpdate;
use cc2s::search::{LeafTable, SHARED_DEPTH_MIN, ShareThresholds, SharedSearch};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

/// Updates per message. Of four updates, two are table entries, one begins a move and one ends it.
const UPDATES: u64 = 1_000;

/// The updates of message number `message`, about positions that no other message has.
fn updates(message: u64) -> Vec<HashUpdate> {
    // An odd factor distributes the keys over the table.
    let key = |number: u64| (message * UPDATES + number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let update = |number| match number % 4 {
        0 => HashUpdate::Begun(key(number)),
        1 => HashUpdate::Ended(key(number - 1)),
        _ => HashUpdate::Found {
            key: key(number),
            content: 3 << 56,
        },
    };
    (0..UPDATES).map(update).collect()
}

fn exchange(c: &mut Criterion) {
    let mut group = c.benchmark_group("updates");
    group.throughput(Throughput::Elements(UPDATES));
    let message = ToRank::<Move>::Updates(updates(0));
    let bytes = encode(&message);
    group.bench_function("write", |bencher| {
        bencher.iter(|| encode(black_box(&message)));
    });
    group.bench_function("read", |bencher| {
        bencher.iter(|| decode::<ToRank<Move>>(black_box(&bytes)));
    });
    let mut broadcast = Broadcast::new(0, 3);
    let all = updates(0);
    group.bench_function("collect", |bencher| {
        bencher.iter(|| {
            broadcast.add(black_box(all.iter().copied()));
            broadcast.clear();
        });
    });
    let table = LeafTable::new(64).expect("memory for a table");
    let shared = SharedSearch::new(SHARED_DEPTH_MIN, Some(ShareThresholds::among(2)));
    let mut messages = 0;
    let mut next = || {
        messages += 1;
        updates(messages)
    };
    group.bench_function("apply", |bencher| {
        let work = |updates: Vec<HashUpdate>| shared.apply(black_box(&updates), &table);
        bencher.iter_batched(&mut next, work, BatchSize::SmallInput);
    });
    group.finish();
}

criterion_group!(benches, exchange);
criterion_main!(benches);
