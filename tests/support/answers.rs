//! Exact answers to jobs about grown trees, by alpha-beta without memory.

use cc2s::game::synthetic::GrownGame;
use cc2s::game::{Game, Heuristic, Job, Request, Response, Score, SearchResult};

/// A move of a grown tree.
pub type Move = u16;

/// Fail-soft alpha-beta of all moves to a horizon, with node count.
fn alpha_beta(
    game: &mut GrownGame,
    depth: u16,
    window: (Score, Score),
    excluded: Option<Move>,
    nodes: &mut u64,
) -> (Score, Option<Move>) {
    *nodes += 1;
    let (mut alpha, beta) = window;
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

/// The value at this depth.
pub fn minimax(game: &mut GrownGame, depth: u16) -> Score {
    let full = (Score::MIN, Score::MAX);
    alpha_beta(game, depth, full, None, &mut 0).0
}

pub fn answer(game: &mut GrownGame, job: &Job<Move>) -> Response<Move> {
    for &mv in &job.path {
        game.play(mv);
    }
    let mut nodes = 0;
    let response = match job.request {
        Request::Expand => {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            Response::Expanded(moves.into_iter().map(|mv| (mv, false)).collect())
        }
        Request::Search { depth, window, .. } => {
            let is_null = window.is_null();
            let window = (window.alpha(), window.beta());
            let (score, best) = alpha_beta(game, depth, window, None, &mut nodes);
            let pv = best.into_iter().filter(|_| !is_null).collect();
            Response::Searched(SearchResult {
                pv,
                ..found(score, None, nodes)
            })
        }
        Request::SearchExcluding {
            depth,
            at_least,
            excluded,
        } => {
            let window = (at_least - 1, at_least);
            let (score, best) = alpha_beta(game, depth, window, excluded, &mut nodes);
            Response::Searched(found(score, best, nodes))
        }
    };
    for _ in &job.path {
        game.undo();
    }
    response
}

fn found(score: Score, best: Option<Move>, nodes: u64) -> SearchResult<Move> {
    SearchResult {
        score,
        best,
        pv: Vec::new(),
        nodes,
        level: 0,
    }
}

/// The legal moves in the form a planner needs.
pub fn root_moves(game: &GrownGame) -> Vec<(Move, bool)> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves.into_iter().map(|mv| (mv, false)).collect()
}
