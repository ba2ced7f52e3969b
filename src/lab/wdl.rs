//! Fits the win, draw and loss probabilities of a score to games, from the reported score of each move and the
//! game's result.

use shakmaty::Position as _;

use crate::chess::pgn::{Game, Outcome};
use crate::engine::ChanceCurve;
use crate::game::Score;

/// Maximum absolute score used for the fit, in centipawns. Higher scores contribute nothing to the shape of the
/// curves.
const SCORE_MAX_CP: i32 = 1_000;

/// The result of a game for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// A win.
    Win,
    /// A draw.
    Draw,
    /// A loss.
    Loss,
}

/// The score an engine reported with a move, and its result of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredResult {
    /// The score in centipawns, from that engine's view.
    pub score_cp: i32,
    /// The result for that engine.
    pub ending: GameResult,
}

/// Returns the samples of a game written by `cc2s match --pgn`; none for a game without a result.
pub fn samples(game: &Game) -> Vec<ScoredResult> {
    let outcome = match game.tag("Result") {
        Some("1-0") => Outcome::White,
        Some("0-1") => Outcome::Black,
        Some("1/2-1/2") => Outcome::Draw,
        _ => game.outcome,
    };
    let starts_with_white = game.start.chess().turn().is_white();
    let all = game.plies.iter().enumerate().filter_map(|(at, ply)| {
        let is_white = starts_with_white == (at % 2 == 0);
        Some(ScoredResult {
            score_cp: ply.comments.iter().find_map(|text| announced(text))?,
            ending: ending(outcome, is_white)?,
        })
    });
    all.filter(|sample| sample.score_cp.abs() <= SCORE_MAX_CP)
        .collect()
}

/// The score in a comment such as `+0.61/4 0.1s`, in centipawns; `None` for a mate score.
fn announced(comment: &str) -> Option<i32> {
    let pawns: f64 = comment.split('/').next()?.parse().ok()?;
    Some((pawns * 100.0).round() as i32)
}

fn ending(outcome: Outcome, is_white: bool) -> Option<GameResult> {
    match outcome {
        Outcome::Unknown => None,
        Outcome::Draw => Some(GameResult::Draw),
        Outcome::White if is_white => Some(GameResult::Win),
        Outcome::Black if !is_white => Some(GameResult::Win),
        Outcome::White | Outcome::Black => Some(GameResult::Loss),
    }
}

/// Returns the mean negative log-likelihood of the results.
pub fn loss(curve: ChanceCurve, samples: &[ScoredResult]) -> f64 {
    let one = |sample: &ScoredResult| {
        let [win, draw, loss] = curve.chances(Score::centipawns(sample.score_cp));
        let chance = match sample.ending {
            GameResult::Win => win,
            GameResult::Draw => draw,
            GameResult::Loss => loss,
        };
        -chance.max(1e-6).ln()
    };
    samples.iter().map(one).sum::<f64>() / samples.len().max(1) as f64
}

/// Returns the curve with the least loss, to the centipawn.
pub fn fit(samples: &[ScoredResult]) -> ChanceCurve {
    let mut best = ChanceCurve::FITTED;
    let mut least = loss(best, samples);
    for step in [64.0, 16.0, 4.0, 1.0] {
        loop {
            let moves = [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)];
            let tried = moves.map(|(even, slope)| ChanceCurve {
                even_cp: (best.even_cp + even).max(0.0),
                slope_cp: (best.slope_cp + slope).max(1.0),
            });
            let better = tried
                .map(|curve| (loss(curve, samples), curve))
                .into_iter()
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .filter(|&(loss, _)| loss < least);
            let Some((less, curve)) = better else { break };
            (least, best) = (less, curve);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::games;
    use crate::game::SplitMix64;

    #[test]
    fn announcements_belong_to_whoever_made_the_move() {
        let pgn = "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 {book} e5 {-0.50/3 \
                   0.1s} 2. Nf3\n{+0.61/4 0.1s} Nc6 {-M3/5 0.1s} 3. Bb5 {+30.00/3 0.1s} {fault} 1-0\n\n[Event \"y\"]\n\
                   [Result \"1/2-1/2\"]\n[FEN \"4k3/3p4/8/8/8/8/8/4K3 b - - 0 1\"]\n\n1... d5 {+0.07/3 0.1s} 1/2-1/2\n\n\
                   [Event \"z\"]\n[Result \"*\"]\n\n1. e4 {+0.30/3 0.1s} *\n";
        let sample = |score_cp, ending| ScoredResult { score_cp, ending };
        let found = games(pgn).flat_map(|game| samples(&game.unwrap()));
        assert_eq!(
            found.collect::<Vec<_>>(),
            [
                sample(-50, GameResult::Loss),
                sample(61, GameResult::Win),
                sample(7, GameResult::Draw)
            ]
        );
    }

    #[test]
    fn the_fit_finds_the_curve_that_drew_the_endings() {
        let curve = ChanceCurve {
            even_cp: 210.0,
            slope_cp: 95.0,
        };
        let mut rng = SplitMix64::new(4);
        let draw = |_| {
            let score_cp = rng.below(1_201) as i32 - 600;
            let [win, draw, _] = curve.chances(Score::centipawns(score_cp));
            let fate = rng.unit();
            let ending = if fate < win {
                GameResult::Win
            } else if fate < win + draw {
                GameResult::Draw
            } else {
                GameResult::Loss
            };
            ScoredResult { score_cp, ending }
        };
        let samples: Vec<_> = (0..40_000).map(draw).collect();
        let found = fit(&samples);
        assert!((found.even_cp - curve.even_cp).abs() < 8.0, "{found:?}");
        assert!((found.slope_cp - curve.slope_cp).abs() < 8.0, "{found:?}");
        assert!(loss(found, &samples) <= loss(curve, &samples));
    }
}
