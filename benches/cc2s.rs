//! The search core on trees with free evaluations, which measures the overhead of the search itself.

use std::hint::black_box;

use cc2s::game::synthetic::{GrownGame, Shape};
use cc2s::game::{Game, HeuristicEvaluator, Progress, RootUpdate, Score, SearchListener, Value};
use cc2s::thesis::{Cc2sParams, SearchState, Searcher, TargetTables, Tree, TreeNode};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

struct Unwatched;

impl<M> SearchListener<M> for Unwatched {
    fn proceed(&mut self, _: &Progress) -> bool {
        true
    }
    fn report(&mut self, _: &RootUpdate<M>) {}
}

/// Secures (`depth`, `conspiracy`) on a seeded tree; returns the number of evaluations.
fn analyse(conspiracy: i32, depth: u16) -> u64 {
    let shape = Shape {
        order: 0.7,
        noise_cp: 30,
        ..Shape::uniform(7, 20, depth + 6)
    };
    let mut game = GrownGame::new(shape);
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let params = Cc2sParams {
        conspiracy_max: conspiracy,
        ..Cc2sParams::default()
    };
    let schedule = params.middle_game_schedule();
    let mut tree = Tree::with_capacity(1 << 20).expect("memory for a tree");
    let tables = TargetTables::with_entries(1 << 12).expect("memory for tables");
    let mut evaluator = HeuristicEvaluator::default();
    let mut listener = Unwatched;
    let mut state = SearchState::default();
    let mut searcher = Searcher::new(
        &mut game,
        &mut evaluator,
        &mut listener,
        &mut tree,
        &tables,
        &params,
        &mut state,
    );
    black_box(searcher.analyse(&moves, schedule, depth));
    searcher.counters().valuations
}

fn search(c: &mut Criterion) {
    let mut group = c.benchmark_group("search");
    for (name, conspiracy) in [("cc1s", 1), ("cc2s", 2)] {
        group.throughput(Throughput::Elements(analyse(conspiracy, 5)));
        group.bench_function(name, |bencher| bencher.iter(|| analyse(conspiracy, 5)));
    }
    group.finish();
}

/// A node with 35 successors: growing its block and updating its value.
fn node(c: &mut Criterion) {
    let mut tree = Tree::with_capacity(1 << 12).expect("memory for a tree");
    let root = Tree::<u16>::ROOT;
    let grow = |tree: &mut Tree<u16>| {
        tree.reset(TreeNode::new(0, Value::exact(Score::DRAW)));
        for mv in 0..35 {
            let successor = TreeNode::new(mv, Value::at_least(Score::centipawns(i32::from(mv))));
            tree.add_successor(root, successor)
                .expect("room for a successor");
        }
        tree[root].set_move_count(35);
    };
    c.bench_function("node/grow 35", |bencher| {
        bencher.iter(|| grow(black_box(&mut tree)));
    });
    grow(&mut tree);
    c.bench_function("node/update_value 35", |bencher| {
        bencher.iter(|| black_box(&mut tree).update_value(root));
    });
}

criterion_group!(benches, search, node);
criterion_main!(benches);
