//! Answers to jobs about grown trees, exact: by alpha-beta without any memory.

use cc2s::cc2s::{Ask, Found, Job, Reply};
use cc2s::game::synthetic::GrownGame;
use cc2s::game::{Game, Heuristic, Score};

/// Moves of grown trees.
pub type Move = u16;

/// Fail-soft alpha-beta to a horizon, all moves tried; counts nodes.
fn alpha_beta(
    game: &mut GrownGame,
    depth: u16,
    (mut alpha, beta): (Score, Score),
    excluded: Option<Move>,
    nodes: &mut u64,
) -> (Score, Option<Move>) {
    *nodes += 1;
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    if depth == 0 || moves.is_empty() {
        return (game.heuristic(), None);
    }
    let mut best = (Score::MIN, None);
    for mv in moves.into_iter().filter(|&mv| Some(mv) != excluded) {
        game.play(mv);
        let window = (beta.to_successor(), alpha.to_successor());
        let (score, _) = alpha_beta(game, depth - 1, window, None, nodes);
        game.undo();
        let score = score.to_parent();
        if score > best.0 {
            best = (score, Some(mv));
            alpha = alpha.max(score);
        }
        if alpha >= beta {
            break;
        }
    }
    best
}

/// The value at that depth.
pub fn minimax(game: &mut GrownGame, depth: u16) -> Score {
    let full = (Score::MIN, Score::MAX);
    alpha_beta(game, depth, full, None, &mut 0).0
}

/// Does a job.
pub fn answer(game: &mut GrownGame, job: &Job<Move>) -> Reply<Move> {
    for &mv in &job.path {
        game.play(mv);
    }
    let mut nodes = 0;
    let reply = match job.ask {
        Ask::Successors => {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            Reply::Successors(moves.into_iter().map(|mv| (mv, false)).collect())
        }
        Ask::Value { depth, window, .. } => {
            let is_null = window.is_null();
            let window = (window.alpha(), window.beta());
            let (score, best) = alpha_beta(game, depth, window, None, &mut nodes);
            let line = best.into_iter().filter(|_| !is_null).collect();
            Reply::Score(Found {
                line,
                ..found(score, None, nodes)
            })
        }
        Ask::Strategy {
            depth,
            at_least,
            excluded,
        } => {
            let window = (at_least - 1, at_least);
            let (score, best) = alpha_beta(game, depth, window, excluded, &mut nodes);
            Reply::Score(found(score, best, nodes))
        }
    };
    for _ in &job.path {
        game.undo();
    }
    reply
}

fn found(score: Score, best: Option<Move>, nodes: u64) -> Found<Move> {
    Found {
        score,
        best,
        line: Vec::new(),
        nodes,
        level: 0,
    }
}

/// Legal moves, as a planner begins with them.
pub fn root_moves(game: &GrownGame) -> Vec<(Move, bool)> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves.into_iter().map(|mv| (mv, false)).collect()
}
