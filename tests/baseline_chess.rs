//! The sound reference searches agree on chess positions, and quiescence search resolves exchanges completely.

use cc2s::chess::{Line, Move, MoveKind, Position};
use cc2s::game::{Evaluator, Game, Score, Valuation, Window};
use cc2s::thesis::baseline::{BoundsTable, Explorer, Prediction, Singularity};
use shakmaty::{CastlingMode, Chess, Color, Position as _, fen::Fen};

/// Material in centipawns. Captures and promotions are loud moves and are ordered first.
struct Material;

fn is_capture(line: &Line, mv: Move) -> bool {
    mv.kind() == MoveKind::EnPassant
        || mv.kind() != MoveKind::Castle
            && line
                .position()
                .chess()
                .board()
                .role_at(mv.destination())
                .is_some()
}

impl Evaluator<Line> for Material {
    fn evaluate(&mut self, line: &mut Line, _window: Window) -> Valuation {
        let balance = |color: Color| -> i32 {
            let men = line.position().chess().board().material_side(color);
            let counts = [men.pawn, men.knight, men.bishop, men.rook, men.queen];
            counts
                .iter()
                .zip([100, 310, 330, 500, 930])
                .map(|(&count, worth)| i32::from(count) * worth)
                .sum()
        };
        let turn = line.turn();
        Valuation {
            score: Score::centipawns(balance(turn) - balance(turn.other())),
            nodes: 1,
        }
    }

    fn order(&mut self, line: &mut Line, moves: &mut [Move]) -> u64 {
        moves.sort_by_key(|&mv| !is_capture(line, mv));
        0
    }

    fn is_quiet(&mut self, line: &mut Line, mv: Move) -> bool {
        !is_capture(line, mv)
            && !matches!(mv.kind(), MoveKind::Promotion(_))
            && !line.position().is_check()
    }

    fn threat(&mut self, line: &mut Line) -> Score {
        if line.position().is_check() {
            Score::MAX
        } else {
            Score::DRAW
        }
    }
}

fn line(fen: &str) -> Line {
    let chess: Chess = fen
        .parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Standard)
        .unwrap();
    Line::new(Position::new(chess))
}

/// Middlegames, endgames, promotions and mates near the horizon, each with the maximum depth for plain minimax.
const POSITIONS: [(&str, u16); 8] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        4,
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        3,
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        3,
    ),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 2),
    ("6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1", 4),
    ("8/8/8/8/8/2k5/1q6/K7 w - - 0 1", 4),
    ("4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 1", 4),
];

#[test]
fn sound_searches_agree_on_chess_positions() {
    let (mut memory_nodes, mut etc_nodes) = (0, 0);
    for (fen, depth_max) in POSITIONS {
        for depth in 1..=depth_max {
            let game = &mut line(fen);
            let evaluator = &mut Material;
            let value = Explorer::new(game, evaluator).minimax(depth);
            let mut explorer = Explorer::new(game, evaluator);
            assert_eq!(explorer.negamax(depth), value, "negamax {depth} on {fen}");
            assert_eq!(
                explorer.alphabeta(Window::FULL, depth),
                value,
                "alpha-beta {depth} on {fen}"
            );
            assert_eq!(
                explorer.pvs(Window::FULL, depth),
                value,
                "PVS {depth} on {fen}"
            );
            assert_eq!(
                explorer.aspiration(Score::DRAW, 50, depth),
                value,
                "aspiration {depth} on {fen}"
            );
            let guess = Score::centipawns(300);
            // At greater depths positions repeat on some paths only, which a table indexed by key cannot
            // distinguish.
            if depth <= 4 {
                assert_eq!(
                    explorer.mtdf(&mut BoundsTable::default(), guess, depth),
                    value,
                    "MTD(f) {depth} on {fen}"
                );
                let mut memory = Explorer::new(game, evaluator);
                let score =
                    memory.alphabeta_with_memory(&mut BoundsTable::default(), Window::FULL, depth);
                assert_eq!(score, value, "alpha-beta with memory {depth} on {fen}");
                memory_nodes += memory.counts().nodes;
                let mut etc = Explorer::new(game, evaluator);
                assert_eq!(
                    etc.etc(&mut BoundsTable::default(), Window::FULL, depth),
                    value,
                    "ETC {depth} on {fen}"
                );
                etc_nodes += etc.counts().nodes;
            }
        }
    }
    assert!(
        etc_nodes < memory_nodes,
        "ETC {etc_nodes} nodes, without {memory_nodes}"
    );
}

#[test]
fn a_mate_is_found_with_its_distance() {
    let found = Explorer::new(
        &mut line("6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1"),
        &mut Material,
    )
    .minimax(2);
    assert_eq!(found, Score::mate_in(1));
    let mut game = line("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1");
    assert_eq!(
        Explorer::new(&mut game, &mut Material).pvs(Window::FULL, 4),
        Score::mate_in(3)
    );
}

#[test]
fn quiescence_sees_exchanges_to_their_end() {
    // The pawn on d5 is defended, so capturing it loses the queen. Material at depth 1 captures.
    let game = &mut line("4k3/8/4p3/3p4/8/8/3Q4/4K3 w - - 0 1");
    let evaluator = &mut Material;
    let mut explorer = Explorer::new(game, evaluator);
    assert_eq!(
        explorer.alphabeta(Window::FULL, 1),
        Score::centipawns(930 - 100)
    );
    assert_eq!(
        explorer.alphabeta_quiescent(Window::FULL, 1, 20),
        Score::centipawns(930 - 200)
    );
    // An undefended rook is captured.
    let game = &mut line("4k3/8/8/3r4/8/8/3Q4/4K3 w - - 0 1");
    assert_eq!(
        Explorer::new(game, &mut Material).quiescence(Window::FULL, 20),
        Score::centipawns(930)
    );
    // There is no stand pat in check: after any king move the knight captures the queen.
    let game = &mut line("4k3/7p/8/8/8/8/2n4P/Q3K3 w - - 0 1");
    assert_eq!(
        Explorer::new(game, &mut Material).quiescence(Window::FULL, 20),
        Score::centipawns(-310)
    );
    // An en passant move is a capture.
    let game = &mut line("4k3/8/8/8/pP6/8/8/4K3 b - b3 0 1");
    assert_eq!(
        Explorer::new(game, &mut Material).quiescence(Window::FULL, 20),
        Score::centipawns(100)
    );
}

#[test]
fn the_line_is_left_as_it_was_found() {
    let mut game = line(POSITIONS[1].0);
    let (key, moves) = (game.key(), game.moves().len());
    Explorer::new(&mut game, &mut Material).alphabeta_quiescent(Window::FULL, 2, 6);
    assert_eq!((game.key(), game.moves().len()), (key, moves));
}

/// Positions of the Win at Chess suite with the depths in plies at which a forced mate is found, with and without
/// singular extensions.
const MATES: [(&str, &str, u16, u16); 4] = [
    (
        "WAC.004",
        "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1",
        2,
        3,
    ),
    (
        "WAC.050",
        "k4r2/1R4pb/1pQp1n1p/3P4/5p1P/3P2P1/r1q1R2K/8 w - - 0 1",
        3,
        5,
    ),
    (
        "WAC.172",
        "5r1k/p5pp/8/1P1pq3/P1p2nR1/Q7/5BPP/6K1 b - - 0 1",
        3,
        5,
    ),
    (
        "WAC.186",
        "r5r1/p1q2p1k/1p1R2pB/3pP3/6bQ/2p5/P1P1NPPP/6K1 w - - 0 1",
        2,
        5,
    ),
];

#[test]
fn singular_extensions_find_mates_at_a_smaller_depth() {
    let rule = Singularity {
        margin_cp: 200,
        depth_min: 1,
        reduction: 1,
        extensions_max: 3,
    };
    let decisive = Window::new(Score::CENTIPAWNS_MAX, Score::MAX);
    for (id, fen, singular_depth, plain_depth) in MATES {
        let (game, evaluator) = (&mut line(fen), &mut Material);
        let mut explorer = Explorer::new(game, evaluator);
        assert!(
            explorer
                .singular(rule, decisive, singular_depth)
                .is_decisive(),
            "{id}"
        );
        assert!(
            explorer.alphabeta(decisive, plain_depth).is_decisive(),
            "{id}"
        );
        assert!(
            !explorer.alphabeta(decisive, plain_depth - 1).is_decisive(),
            "{id}"
        );
    }
}

/// Every 25th position of the strategic test suite, without its operations.
fn strategic_positions() -> Vec<Line> {
    let suite = include_str!("../positions/sts.epd");
    let fields = |epd: &str| epd.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
    suite
        .lines()
        .filter(|epd| !epd.starts_with('#'))
        .step_by(25)
        .map(|epd| line(&(fields(epd) + " 0 1")))
        .collect()
}

/// The regression is fitted on one half of the positions, and the cutoffs are evaluated on the other.
#[test]
fn probcut_errs_no_more_often_than_its_threshold() {
    let (shallow, deep, confidence) = (2, 4, 1.5);
    let evaluator = &mut Material;
    let scored: Vec<_> = strategic_positions()
        .into_iter()
        .map(|mut game| {
            let mut explorer = Explorer::new(&mut game, evaluator);
            let scores = (
                explorer.pvs(Window::FULL, shallow),
                explorer.pvs(Window::FULL, deep),
            );
            (game, scores)
        })
        .collect();
    let pairs: Vec<_> = scored
        .iter()
        .step_by(2)
        .map(|&(_, scores)| scores)
        .collect();
    let prediction = Prediction::fit(deep, shallow, &pairs).unwrap();
    let (mut cuts, mut wrong) = (0, 0);
    for (game, (_, value)) in scored.iter().skip(1).step_by(2) {
        for distance in (-300..=300).step_by(100) {
            let window = Window::null_above(*value + distance);
            let mut game = game.clone();
            if let Some(bound) = Explorer::new(&mut game, evaluator).predicted_cutoff(
                &prediction,
                confidence,
                window,
            ) {
                cuts += 1;
                wrong += u32::from((bound == window.beta()) != (*value >= window.beta()));
            }
        }
    }
    // A normally distributed error exceeds 1.5 standard deviations in 6.7 % of the cases.
    assert!(cuts > 100, "{cuts} cutoffs");
    assert!(
        f64::from(wrong) <= 0.067 * f64::from(cuts),
        "{wrong} of {cuts} cutoffs wrong"
    );
}
