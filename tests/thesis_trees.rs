//! The example trees of the thesis, step by step: sections 2.1.3 and 2.1.5 (Figs. 2.2 to 2.21). The update
//! operator and its examples (Figs. 2.8 to 2.10, 3.6). The procedures at the root and below it, on trees made for
//! them (Figs. 2.6, 2.7). All values are in MAX's view, as in the thesis.

mod support;

use cc2s::game::explicit::Sketch;
use cc2s::game::{Bound, HeuristicEvaluator, Precision, Requirement, Score, TargetBound, Value};
use cc2s::thesis::{Cc2sParams, NodeId, Tree, TreeNode};
use support::cc2s_run::{Run, is_safe, plain, run_limited};

/// The top of the tree of Fig. 2.2. The figure's values are not all preserved; these satisfy all conditions of the
/// text: h(v.1) = 5, h(v.2) = 4, h(v.1.1) = 6, h(v.1.2) >= 5, h(v.1.1.1) = 5, 5 <= h(v.1.1.2) <= 7, h(v.1.2.1) >=
/// 5, h(v.1.2.2) >= 5, h(v.2.1) = 4, h(v.2.2) <= 5, h(v.2.1.1) = 8, h(v.2.1.2) >= 7, h(v.2.2.1) = 7. That h(v.1.2)
/// exceeds 7 follows from the last part of the example, where v.1.2 does not help to keep v.1 down.
fn figure_2_2() -> Sketch {
    top_of_a_game("0 (5 (6 (5 (6 7) 6 (5 7)) 8 (9 9)) 4 (4 (8 7) 5 (7 7)))")
}

/// Reads a tree with all scores in MAX's view, where MAX moves at the root.
fn top_of_a_game(text: &str) -> Sketch {
    deepened(&text.parse::<Sketch>().unwrap()).turned()
}

/// The game continues below the nodes drawn, so none of them is an end of the game.
fn deepened(sketch: &Sketch) -> Sketch {
    let mut successors: Vec<_> = sketch.successors.iter().map(deepened).collect();
    if successors.is_empty() {
        successors.push(Sketch::end(sketch.score));
    }
    Sketch::inner(sketch.score, successors)
}

fn name(path: &[u16]) -> String {
    path.iter()
        .fold("v".to_owned(), |name, mv| format!("{name}.{}", mv + 1))
}

/// The names of all nodes by number.
fn names(sketch: &Sketch) -> Vec<String> {
    let mut queue = vec![(sketch, Vec::new())];
    let mut next = 0;
    while let Some((sketch, path)) = queue.get(next).cloned() {
        next += 1;
        for (mv, successor) in sketch.successors.iter().enumerate() {
            queue.push((successor, [path.as_slice(), &[mv as u16]].concat()));
        }
    }
    queue.iter().map(|(_, path)| name(path)).collect()
}

/// A value of a node on a level, in MAX's view.
fn shown(value: Value, level: usize) -> String {
    let (bound, score) = if level.is_multiple_of(2) {
        (value.bound, value.score)
    } else {
        (value.to_parent().bound, -value.score)
    };
    let bound = match bound {
        Bound::Upper => "<=",
        Bound::Lower => ">=",
        Bound::Exact => "#",
    };
    format!("{bound}{score}")
}

/// The evaluator's answers in order: "v.2.1 <=5".
fn answers(run: &Run, names: &[String]) -> Vec<String> {
    let valuation = |score| cc2s::game::Valuation { score, nodes: 1 };
    let answer = |asked: &support::cc2s_run::Asked| {
        let value = Value::of(valuation(asked.score), asked.window);
        format!("{} {}", names[asked.node], shown(value, asked.level))
    };
    run.asked.iter().map(answer).collect()
}

/// All stored nodes with their values, depth first in move order.
fn stored(tree: &Tree<u16>) -> Vec<String> {
    fn walk(tree: &Tree<u16>, v: NodeId, path: &mut Vec<u16>, out: &mut Vec<String>) {
        out.push(format!(
            "{} {}",
            name(path),
            shown(tree[v].value(), path.len())
        ));
        let mut order: Vec<usize> = (0..tree.successors(v).len()).collect();
        order.sort_by_key(|&index| tree.successors(v)[index].mv());
        for index in order {
            path.push(tree.successors(v)[index].mv());
            walk(tree, tree.successor(v, index), path, out);
            path.pop();
        }
    }
    let mut out = Vec::new();
    walk(tree, Tree::<u16>::ROOT, &mut Vec::new(), &mut out);
    out
}

/// The search of section 2.1 with an evaluator that returns only bounds; the conspiracy rises at depth 3.
fn search(params: &Cc2sParams, depth: u16, limit: usize) -> Run {
    search_in(&figure_2_2(), params, depth, limit)
}

fn search_in(sketch: &Sketch, params: &Cc2sParams, depth: u16, limit: usize) -> Run {
    run_limited(
        sketch,
        HeuristicEvaluator {
            precision: Precision::Clipped,
        },
        params,
        depth,
        limit,
    )
}

fn rising(conspiracy_max: u16) -> Cc2sParams {
    Cc2sParams {
        rise_depth: 3,
        ..plain(conspiracy_max)
    }
}

/// Figs. 2.3 to 2.5: two exact values, then both successors of v.1 keep it at 5, and one of v.2 keeps it below.
const FIRST_EXAMPLE: [&str; 5] = ["v.1 #5", "v.2 #4", "v.1.1 >=5", "v.1.2 >=5", "v.2.1 <=5"];

/// Fig. 2.18: v.1 builds its hull. Fig. 2.19: both successors of v.2 fail in turn, each with an exact value.
///
/// The text also lists v.1.2.2 among the nodes evaluated here, although v.1.2 needs only one successor, like
/// v.1.1.
const WRONG_HYPOTHESIS: [&str; 7] = [
    "v.1.1.1 >=5",
    "v.1.2.1 >=5",
    "v.2.1.1 >=6",
    "v.2.1.1 #8",
    "v.2.2 <=5",
    "v.2.2.1 >=6",
    "v.2.2.1 #7",
];

/// Fig. 2.20: v.1.1 keeps v.1 down to 7.
const NEW_ORIENTATION: [&str; 3] = ["v.1.1 #6", "v.1.1.1 #5", "v.1.1.2 <=7"];

/// Fig. 2.21: a second supporter below v.2.1 and below v.2.2. v.1.2 cannot help v.1, so v.1.1 carries both
/// strategies, and each of its successors two.
const SECOND_STRATEGIES: [&str; 7] = [
    "v.2.1.2 >=7",
    "v.2.2.2 >=7",
    "v.1.2 #8",
    "v.1.1.1.1 <=7",
    "v.1.1.1.2 <=7",
    "v.1.1.2.1 <=7",
    "v.1.1.2.2 <=7",
];

#[test]
fn figures_2_3_to_2_5_the_first_example() {
    let run = search(&plain(1), 2, 1_000);
    assert_eq!(answers(&run, &names(&figure_2_2())), FIRST_EXAMPLE);
    assert_eq!(run.decision.pv[0], 0);
    assert_eq!(
        stored(&run.tree),
        [
            "v #5",
            "v.1 #5",
            "v.1.1 >=5",
            "v.1.2 >=5",
            "v.2 #4",
            "v.2.1 <=5"
        ]
    );
}

#[test]
fn figures_2_18_to_2_20_one_strategy_overturns_the_hypothesis() {
    let mut run = search(&rising(1), 3, 1_000);
    let expected = [
        FIRST_EXAMPLE.as_slice(),
        &WRONG_HYPOTHESIS,
        &NEW_ORIENTATION,
    ]
    .concat();
    assert_eq!(answers(&run, &names(&figure_2_2())), expected);
    assert_eq!(run.decision.pv[0], 1, "the search re-orients to v.2");
    assert_eq!(
        run.decision.met,
        Requirement {
            depth: 3,
            conspiracy: 1
        }
    );
    let hypotheses: Vec<_> = run
        .statuses
        .iter()
        .filter_map(|status| status.hypothesis)
        .collect();
    assert_eq!(hypotheses.first(), Some(&Score::centipawns(5)));
    assert_eq!(hypotheses.last(), Some(&Score::centipawns(7)));
    assert_eq!(run.statuses.last().unwrap().overturned, 1);
    // v.1 keeps its 5: v.1.2, which has only a lower bound, might still have that value.
    let figure_2_20 = [
        "v #7",
        "v.1 #5",
        "v.1.1 #6",
        "v.1.1.1 #5",
        "v.1.1.2 <=7",
        "v.1.2 >=5",
        "v.1.2.1 >=5",
        "v.2 #7",
        "v.2.1 #8",
        "v.2.1.1 #8",
        "v.2.2 #7",
        "v.2.2.1 #7",
    ];
    assert_eq!(stored(&run.tree), figure_2_20);
    assert!(is_safe(&mut run, &figure_2_2(), 3, 1, 0));
    assert!(!is_safe(&mut run, &figure_2_2(), 3, 2, 0));
}

/// Fig. 2.19: the search is stopped with the first evaluation after the reorientation.
#[test]
fn figure_2_19_the_hypothesis_has_failed() {
    let valued = FIRST_EXAMPLE.len() + WRONG_HYPOTHESIS.len();
    let run = search(&rising(1), 3, valued + 1);
    assert_eq!(run.asked.len(), valued + 1);
    let below_v_2: Vec<_> = stored(&run.tree)
        .into_iter()
        .filter(|node| node.starts_with("v.2"))
        .collect();
    assert_eq!(
        below_v_2,
        ["v.2 #7", "v.2.1 #8", "v.2.1.1 #8", "v.2.2 #7", "v.2.2.1 #7"]
    );
    assert_eq!(
        run.statuses.last().unwrap().hypothesis,
        Some(Score::centipawns(7))
    );
}

#[test]
fn figure_2_21_two_strategies_keep_the_move() {
    let mut run = search(&rising(2), 3, 1_000);
    let expected = [
        FIRST_EXAMPLE.as_slice(),
        &WRONG_HYPOTHESIS,
        &NEW_ORIENTATION,
        &SECOND_STRATEGIES,
    ]
    .concat();
    assert_eq!(answers(&run, &names(&figure_2_2())), expected);
    assert_eq!(run.decision.pv[0], 1);
    assert_eq!(
        run.decision.met,
        Requirement {
            depth: 3,
            conspiracy: 2
        }
    );
    assert!(is_safe(&mut run, &figure_2_2(), 3, 2, 0));
    assert!(!is_safe(&mut run, &figure_2_2(), 3, 3, 0));
}

/// All moves are evaluated with open windows (line 6). The maximum becomes the hypothesis (11), which is searched
/// first (14). When v.3 fails, the loop ends (17) and v.2 is the next one.
#[test]
fn figure_2_6_hypotheses_at_the_root() {
    let sketch = top_of_a_game("0 (1 (1 9) 4 (4 4) 5 (3 9))");
    let run = search_in(&sketch, &plain(1), 2, 1_000);
    let expected = [
        "v.1 #1",
        "v.2 #4",
        "v.3 #5",
        "v.3.1 <=4",
        "v.3.1 #3",
        "v.2.1 >=4",
        "v.2.2 >=4",
        "v.1.1 <=4",
    ];
    assert_eq!(answers(&run, &names(&sketch)), expected);
    assert_eq!(run.decision.pv[0], 1);
    assert_eq!(run.statuses.last().unwrap().overturned, 1);
}

/// v.2 has to stay below 5. Its first supporter misses its target. Since v.2 is still the only one (lines 10, 11),
/// it is expanded and split again (3 to 6). The second supporter meets the target (14). v.1.2 is not expanded,
/// because the game is over there (1).
#[test]
fn figure_2_7_a_target_is_split_anew_when_a_share_was_missed() {
    let mut sketch = top_of_a_game("0 (5 (6 (6) 6) 4 (4 (8) 5 (4) 9))");
    sketch.successors[0].successors[1].successors.clear();
    let run = search_in(&sketch, &rising(1), 3, 1_000);
    let depth_2 = ["v.1 #5", "v.2 #4", "v.1.1 >=5", "v.2.1 <=5"];
    let depth_3 = [
        "v.1.1.1 >=5",
        "v.2.1.1 >=6",
        "v.2.1.1 #8",
        "v.2.2 <=5",
        "v.2.2.1 <=5",
    ];
    assert_eq!(
        answers(&run, &names(&sketch)),
        [&depth_2[..], &depth_3].concat()
    );
    assert_eq!(run.decision.pv[0], 0);
    assert_eq!(run.statuses.last().unwrap().overturned, 0);
}

/// Updates a node with an old value and the values of its successors, all in the node's view; `None` means not
/// evaluated.
fn updated(old: Value, successors: &[Option<Value>]) -> Value {
    let mut tree = Tree::with_capacity(1_024).unwrap();
    tree.reset(TreeNode::new(0_u16, old));
    let root = Tree::<u16>::ROOT;
    for (mv, value) in successors.iter().enumerate() {
        if let Some(value) = value {
            tree.add_successor(root, TreeNode::new(mv as u16, value.to_parent()))
                .unwrap();
        }
    }
    tree[root].set_move_count(successors.len());
    tree.update_value(root);
    tree[root].value()
}

fn at_most(score: i32) -> Value {
    Value::at_most(Score::centipawns(score))
}

fn at_least(score: i32) -> Value {
    Value::at_least(Score::centipawns(score))
}

fn exact(score: i32) -> Value {
    Value::exact(Score::centipawns(score))
}

/// Fig. 2.8 line by line, for a MAX node; `None` means not evaluated.
fn figure_2_8(old: Value, successors: &[Option<Value>]) -> Value {
    let known = || successors.iter().flatten().copied();
    let greatest = |is_meant: fn(&Value) -> bool| known().filter(is_meant).map(|s| s.score).max();
    let Value {
        mut bound,
        mut score,
    } = old;
    if known().count() < successors.len()
        || known().any(|s| s.bound == Bound::Lower)
        || known().any(|s| s.bound == Bound::Upper && s.score >= score)
    {
        if bound == Bound::Upper && known().any(|s| s.bounds_below() && s.score >= score) {
            bound = Bound::Exact;
        }
        score = greatest(|s| s.bounds_below()).map_or(score, |greatest| greatest.max(score));
    } else {
        if bound == Bound::Lower
            || bound == Bound::Upper && known().any(|s| s.is_exact() && s.score >= score)
        {
            bound = Bound::Exact;
        }
        score = greatest(|_| true).expect("every successor is known");
    }
    Value { bound, score }
}

/// Every old value with every pair of successors over three scores. The figure refers to the previous score, so it
/// is applied until the value is stable.
#[test]
fn figure_2_8_the_update_operator() {
    let values: Vec<_> = (1..=3)
        .flat_map(|score| [at_most(score), at_least(score), exact(score)])
        .collect();
    let known: Vec<_> = values.iter().copied().map(Some).chain([None]).collect();
    let mut twice = 0;
    for &old in &values {
        for &first in &known {
            for &second in &known {
                let once = figure_2_8(old, &[first, second]);
                let rested = figure_2_8(once, &[first, second]);
                assert_eq!(figure_2_8(rested, &[first, second]), rested);
                twice += usize::from(once != rested);
                assert_eq!(
                    updated(old, &[first, second]),
                    rested,
                    "{old:?}, {first:?}, {second:?}"
                );
            }
        }
    }
    assert!(twice > 0, "one application is always enough");
}

/// Fig. 2.9: all successors are at most 5, then the node itself is evaluated as 7.
#[test]
fn figure_2_9_a_contradiction_is_resolved() {
    for new in [at_least(7), exact(7)] {
        assert_eq!(
            updated(new, &[Some(at_most(5)), Some(at_most(5))]),
            exact(5)
        );
    }
}

/// Fig. 2.10: a node of at least 5 whose first successor turns out to be at most 3.
#[test]
fn figure_2_10_contradictions_are_resolved() {
    let first = Some(at_most(3));
    assert_eq!(
        updated(at_least(5), &[first, Some(at_most(3))]),
        exact(3),
        "a"
    );
    assert_eq!(updated(at_least(5), &[first, None]), at_least(5), "b");
    assert_eq!(
        updated(at_least(5), &[first, Some(at_most(7))]),
        at_least(5),
        "c"
    );
    assert_eq!(
        updated(at_least(5), &[first, Some(at_least(3))]),
        at_least(5),
        "d"
    );
    assert_eq!(
        updated(at_least(5), &[first, Some(at_least(6))]),
        at_least(6),
        "a better bound is taken over"
    );
}

/// Fig. 3.6: v is a MIN node of at most 3. In turn v.1 and v.2 are found to be 4, which helps to show that v is at
/// most 4. If concurrent work has raised v.1 to 5 in the meantime, it does not help. Views are negated: in its own
/// view v is at least -3.
#[test]
fn figure_3_6_work_at_the_same_time_may_spoil_a_helper() {
    let helpers = |successors: &[Value]| {
        let bound = TargetBound::AtLeast(Score::centipawns(-4));
        successors
            .iter()
            .filter(|value| value.supports(bound))
            .count()
    };
    assert_eq!(
        updated(at_least(-3), &[Some(exact(-4)), None]),
        at_least(-3),
        "b"
    );
    for (v_1, count) in [(exact(-4), 2), (exact(-5), 1)] {
        let v_2 = exact(-4);
        assert_eq!(updated(at_least(-3), &[Some(v_1), Some(v_2)]), exact(-4));
        assert_eq!(helpers(&[v_1, v_2]), count);
    }
}
