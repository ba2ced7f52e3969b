//! Probing of endgame tables: positions with three men from `positions/tbtruth.epd`, whose tables are part of the
//! repository. Decoding of blocks of the tables in the folder `CC2S_TABLES`, if set.

use std::hint::black_box;
use std::path::Path;

use cc2s::chess::epd;
use cc2s::endgame::make::Subject;
use cc2s::endgame::make::file::{TableFile, path_of};
use cc2s::endgame::make::material::Material;
use cc2s::endgame::probe::{Own, Syzygy};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
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
    blocks_in_folder(&mut group);
    group.finish();
}

/// Blocks that are not decoded yet, in scattered order.
fn blocks_in_folder(group: &mut BenchmarkGroup<'_, WallTime>) {
    let folder = std::env::var_os("CC2S_TABLES").filter(|folder| !folder.is_empty());
    let Some(folder) = folder else {
        return;
    };
    for name in ["KQvKR", "KBNvK", "KRvKP", "KPvKP"] {
        let class = Material::parse(name).expect("a class");
        let path = path_of(Path::new(&folder), Subject::from(class));
        let file = TableFile::open(&path).expect("a table made before");
        let jumps = (0..file.header().blocks()).cycle().step_by(7);
        group.bench_function(format!("block of {name}"), |bencher| {
            let mut blocks = jumps.clone();
            bencher.iter(|| blocks.next().map(|block| file.read_block(block)));
        });
    }
}

criterion_group!(benches, probes);
criterion_main!(benches);
