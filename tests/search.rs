//! The leaf evaluator against plain minimax, and on positions with known solutions.

use cc2s::chess::{Line, Move, Position, epd};
use cc2s::game::{
    Evaluator, Game, Progress, RootUpdate, Score, SearchListener, SplitMix64, Window,
};
use cc2s::search::{DeepenRequest, LeafEvaluator, LeafParams, LeafSearcher, RootWindow};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

fn line(fen: &str) -> Line {
    let chess: Chess = fen
        .parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Standard)
        .unwrap();
    Line::new(Position::new(chess))
}

fn evaluator(params: LeafParams) -> LeafEvaluator {
    LeafEvaluator::new(params, 1).unwrap()
}

/// Disables everything beyond minimax with quiescence search.
fn plain(eval_depth: i32) -> LeafParams {
    LeafParams {
        eval_depth,
        node_cap: 10_000_000,
        transposition_table: false,
        null_move: false,
        fail_high_reduction: false,
        check_extension: false,
        recapture_extension: false,
        late_move_reduction: false,
        late_move_pruning: false,
        futility: false,
        reverse_futility: false,
        razoring: false,
        exchange_pruning: false,
        delta_pruning: false,
        ..LeafParams::default()
    }
}

/// Minimax with the quiescence search of `leaf` at the horizon.
fn minimax(leaf: &mut LeafEvaluator, line: &mut Line, depth: u32) -> Score {
    if let Some(score) = line.end_score() {
        return score;
    }
    if depth == 0 {
        return leaf.evaluate(line, Window::FULL).score;
    }
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    let mut best = Score::MIN;
    for mv in moves {
        line.play(mv);
        best = best.max(minimax(leaf, line, depth - 1).to_parent());
        line.undo();
    }
    best
}

/// Positions of random games from the initial position and from sharp ones.
fn positions(count: usize) -> Vec<Line> {
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r2q1rk1/1pp1bppp/p1np1n2/4p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "6k1/5ppp/8/8/8/3q4/1r3PPP/R5K1 w - - 98 80",
    ];
    let mut rng = SplitMix64::new(7);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut line = line(starts[positions.len() % starts.len()]);
        for _ in 0..rng.below(24) {
            let mut moves = Vec::new();
            line.legal_moves(&mut moves);
            let Some(&mv) = moves.get(rng.below(moves.len().max(1) as u64) as usize) else {
                break;
            };
            line.play(mv);
        }
        positions.push(line);
    }
    positions
}

#[test]
fn without_pruning_it_is_minimax_over_quiescence() {
    let mut leaf = evaluator(plain(0));
    for depth in 0..=3_u32 {
        let mut searcher = evaluator(plain(depth as i32));
        // The third starting position is an endgame with few moves, for minimax of depth 3.
        let (skip, step, count) = [(0, 1, 60), (0, 1, 30), (0, 1, 6), (2, 5, 3)][depth as usize];
        for mut line in positions(60)
            .into_iter()
            .skip(skip)
            .step_by(step)
            .take(count)
        {
            let expected = minimax(&mut leaf, &mut line, depth);
            let found = searcher.evaluate(&mut line, Window::FULL).score;
            let position = line.position().chess();
            assert_eq!(found, expected, "depth {depth}: {position:?}");
        }
    }
}

#[test]
fn windowed_answers_bound_the_exact_one() {
    for depth in 0..=2 {
        let mut searcher = evaluator(plain(depth));
        for mut line in positions(12) {
            let exact = searcher.evaluate(&mut line, Window::FULL).score;
            for offset in [-300, -40, -1, 0, 1, 40, 300] {
                let window = Window::null_above(exact + offset);
                let found = searcher.evaluate(&mut line, window).score;
                if found >= window.beta() {
                    assert!(exact >= found, "{found} in {window:?}, exact {exact}");
                } else {
                    assert!(exact <= found, "{found} in {window:?}, exact {exact}");
                }
            }
            let around = Window::new(exact - 25, exact + 25);
            if around.alpha() < exact && exact < around.beta() {
                assert_eq!(searcher.evaluate(&mut line, around).score, exact);
            }
            // If the score is outside the window, the result is a bound on the correct side.
            for offset in [-60, 60] {
                let center = Score::centipawns(i32::from(exact.raw()) + offset);
                let beyond = Window::new(center - 25, center + 25);
                let found = searcher.evaluate(&mut line, beyond).score;
                let is_below = found <= beyond.alpha() && exact <= found;
                let is_above = found >= beyond.beta() && exact >= found;
                assert!(is_below || is_above, "{found} in {beyond:?}, exact {exact}");
            }
        }
    }
}

#[test]
fn mates_are_found_at_their_distance() {
    for (fen, depth, score) in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1, Score::mate_in(1)),
        ("k7/8/2K5/8/8/8/8/7R w - - 0 1", 3, Score::mate_in(3)),
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", 2, Score::MATED),
        ("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", 2, Score::DRAW),
    ] {
        for table in [false, true] {
            let params = LeafParams {
                transposition_table: table,
                ..plain(depth)
            };
            let mut line = line(fen);
            assert_eq!(
                evaluator(params).evaluate(&mut line, Window::FULL).score,
                score,
                "{fen}"
            );
            let pruned = LeafParams {
                eval_depth: depth,
                ..LeafParams::default()
            };
            assert_eq!(
                evaluator(pruned).evaluate(&mut line, Window::FULL).score,
                score,
                "{fen}"
            );
        }
    }
}

/// Quiescence search alone (depth 0) resolves exchanges.
#[test]
fn quiescence_plays_exchanges_out_and_answers_checks() {
    let mut quiet = evaluator(plain(0));
    let mut value = |fen: &str| i32::from(quiet.evaluate(&mut line(fen), Window::FULL).score.raw());
    let even = value("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1");
    assert!(even.abs() < 60, "{even}");
    // A queen could capture a protected pawn and does not.
    let tempted = value("4k3/8/2p5/3p4/8/8/3QP3/4K3 w - - 0 1");
    assert!(tempted > 500, "{tempted}");
    // A free rook is captured; an attacked rook that stand pat cannot save counts as attacked.
    assert!(value("4k3/8/8/3r4/8/8/3Q4/4K3 w - - 0 1") > 700);
    // No stand pat in check: the bishop fork wins the queen for a knight.
    assert!(value("4k3/8/8/1b6/8/8/4q3/4K3 w - - 0 1") < -300);
    // Checkmate after the last move.
    let mated = quiet.evaluate(&mut line("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"), Window::FULL);
    assert_eq!(mated.score, Score::MATED);
}

#[test]
fn equal_questions_in_equal_order_get_equal_answers() {
    let ask = |evaluator: &mut LeafEvaluator| -> Vec<(Score, u64)> {
        let mut answers = Vec::new();
        for mut line in positions(30) {
            let first = evaluator.evaluate(&mut line, Window::null_above(Score::DRAW));
            let second = evaluator.evaluate(&mut line, Window::FULL);
            answers.extend([(first.score, first.nodes), (second.score, second.nodes)]);
        }
        answers
    };
    let mut used = evaluator(LeafParams::default());
    let first = ask(&mut used);
    used.clear();
    assert_eq!(ask(&mut used), first);
    assert_eq!(ask(&mut evaluator(LeafParams::default())), first);
}

#[test]
fn the_node_cap_bounds_a_valuation() {
    let params = LeafParams {
        eval_depth: 8,
        node_cap: 500,
        ..LeafParams::default()
    };
    let mut capped = evaluator(params);
    for mut line in positions(20) {
        assert!(capped.evaluate(&mut line, Window::FULL).nodes < 5_000);
    }
}

#[test]
fn orders_captures_first_and_knows_quiet_moves_and_threats() {
    let mut searcher = evaluator(LeafParams::default());
    let mut line = line("4k3/8/2p5/3p3r/8/8/3Q4/4K2R w K - 0 1");
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    let before = moves.clone();
    assert!(searcher.order(&mut line, &mut moves) > 0);
    let text = |mv: Move| format!("{mv:?}");
    assert_eq!(text(moves[0]), "h1h5", "the free rook");
    assert_eq!(text(*moves.last().unwrap()), "d2d5", "queen for pawn");
    moves.sort();
    let mut expected = before;
    expected.sort();
    assert_eq!(moves, expected, "a permutation");
    let quiet = |searcher: &mut LeafEvaluator, line: &mut Line, name: &str| {
        let mv = expected
            .iter()
            .copied()
            .find(|&mv| text(mv) == name)
            .unwrap();
        searcher.is_quiet(line, mv)
    };
    assert!(quiet(&mut searcher, &mut line, "d2a2"));
    assert!(!quiet(&mut searcher, &mut line, "d2e2"), "a check");
    assert!(!quiet(&mut searcher, &mut line, "h1h5"), "a capture");
    assert_eq!(
        searcher.threat(&mut line),
        Score::centipawns(500),
        "the rook on h1"
    );
    let mut quiet_line = self::line("4k3/8/8/8/3Q4/8/8/4K3 w - - 0 1");
    assert_eq!(searcher.threat(&mut quiet_line), Score::DRAW);
    let mut attacked = self::line("4k3/8/8/2p5/3Q4/8/8/4K3 w - - 0 1");
    assert!(searcher.threat(&mut attacked) > Score::centipawns(500));
}

#[derive(Default)]
struct LastScore(Option<Score>);

impl SearchListener<Move> for LastScore {
    fn proceed(&mut self, _: &Progress) -> bool {
        true
    }
    fn report(&mut self, update: &RootUpdate<Move>) {
        self.0 = Some(update.score);
    }
}

#[test]
fn deepening_finds_short_mates() {
    let text = std::fs::read_to_string("positions/mate.epd").unwrap();
    let records = epd::parse(&text).unwrap();
    let mut searcher = LeafSearcher::new(
        LeafParams {
            transposition_table: true,
            ..plain(0)
        },
        4,
    )
    .unwrap();
    let mut tried = 0;
    for (_, record) in records
        .iter()
        .filter(|(_, record)| record.mate_in == Some(2))
    {
        let mut line = Line::new(record.position.clone());
        let mut moves = Vec::new();
        line.legal_moves(&mut moves);
        let mut last = LastScore::default();
        let request = DeepenRequest {
            depth_max: 6,
            pv_count: 1,
            window: RootWindow::Aspiration,
            place: 0,
        };
        let pv = searcher.deepen(&mut line, &moves, request, &mut last);
        assert_eq!(last.0, Some(Score::mate_in(3)), "{:?}", record.id);
        assert_eq!(pv.len(), 3, "{:?}", record.id);
        tried += 1;
    }
    assert!(tried > 30);
}

/// The score of a position by a search to `depth_max` with an empty hash table.
fn deepened(text: &str, depth_max: u16) -> Option<Score> {
    let mut searcher = LeafSearcher::new(LeafParams::default(), 4).unwrap();
    let mut line = self::line(text);
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    let request = DeepenRequest {
        depth_max,
        pv_count: 1,
        window: RootWindow::Aspiration,
        place: 0,
    };
    let mut last = LastScore::default();
    searcher.deepen(&mut line, &moves, request, &mut last);
    last.0
}

/// Capturing the promoted rook pawn or the last pawn leaves a drawn endgame, which is worth more than the man.
/// Pruning by the man's value used to miss this.
#[test]
fn captures_that_leave_a_draw_are_played_out() {
    for text in [
        "1b6/8/5b2/8/8/6kp/8/7K w - - 0 1",
        "k7/8/PK6/8/8/2B5/8/4B3 b - - 0 1",
        "k7/8/PK6/8/8/2B5/8/8 b - - 0 1",
        "k7/8/PK6/8/P7/2B5/8/8 b - - 0 1",
        "7k/8/5K1P/8/7P/8/4B3/3B4 b - - 0 1",
        "8/8/8/8/2b5/pk6/8/K7 w - - 0 1",
    ] {
        assert_eq!(deepened(text, 14), Some(Score::DRAW), "{text}");
    }
}
