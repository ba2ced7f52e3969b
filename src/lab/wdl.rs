//! The chances a score stands for, fitted to games: what was announced before a move, and how the game ended.

use crate::engine::ChanceCurve;
use crate::game::Score;

/// Announcements beyond this say nothing about where the curves bend, in centipawns.
const SCORE_MAX_CP: i32 = 1_000;

/// How a game ended for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Won.
    Win,
    /// Drawn.
    Draw,
    /// Lost.
    Loss,
}

/// What a player announced before one of its moves, and how the game ended for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// In centipawns, that player's view.
    pub score_cp: i32,
    /// For that player.
    pub ending: Ending,
}

/// The samples of a collection of games as `cc2s match --pgn` writes them; games without a result have none.
pub fn samples(pgn: &str) -> Vec<Sample> {
    let mut all = Vec::new();
    let mut white = None;
    let mut is_white = true;
    let mut rest = pgn;
    while let Some(start) = rest.find(|c: char| !c.is_whitespace()) {
        rest = &rest[start..];
        let (token, after) = match rest.chars().next() {
            Some('[') => split_after(rest, ']'),
            Some('{') => split_after(rest, '}'),
            _ => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
        };
        rest = after;
        if let Some(header) = token.strip_prefix('[') {
            if header.starts_with("Event ") {
                (white, is_white) = (None, true);
            } else if let Some(result) = header.strip_prefix("Result ") {
                white = ending(result.trim_end_matches(']').trim_matches('"'));
            } else if header.starts_with("FEN ") {
                is_white = !header.contains(" b ");
            }
        } else if let Some(comment) = token.strip_prefix('{') {
            let announced = comment
                .split('/')
                .next()
                .and_then(|text| text.parse::<f64>().ok());
            // The comment stands behind the move, when the other side is to move.
            if let (Some(pawns), Some(white)) = (announced, white) {
                all.push(Sample {
                    score_cp: (pawns * 100.0).round() as i32,
                    ending: if is_white { turned(white) } else { white },
                });
            }
        } else if !token.ends_with('.') {
            is_white = !is_white;
        }
    }
    all.retain(|sample| sample.score_cp.abs() <= SCORE_MAX_CP);
    all
}

fn split_after(text: &str, end: char) -> (&str, &str) {
    text.split_at(text.find(end).map_or(text.len(), |at| at + 1))
}

fn ending(result: &str) -> Option<Ending> {
    match result {
        "1-0" => Some(Ending::Win),
        "0-1" => Some(Ending::Loss),
        "1/2-1/2" => Some(Ending::Draw),
        _ => None,
    }
}

fn turned(ending: Ending) -> Ending {
    match ending {
        Ending::Win => Ending::Loss,
        Ending::Draw => Ending::Draw,
        Ending::Loss => Ending::Win,
    }
}

/// How badly the curve foretells the endings: the mean of the negative logarithm of the chance it gave to what happened.
pub fn loss(curve: ChanceCurve, samples: &[Sample]) -> f64 {
    let one = |sample: &Sample| {
        let [win, draw, loss] = curve.chances(Score::centipawns(sample.score_cp));
        let chance = match sample.ending {
            Ending::Win => win,
            Ending::Draw => draw,
            Ending::Loss => loss,
        };
        -chance.max(1e-6).ln()
    };
    samples.iter().map(one).sum::<f64>() / samples.len().max(1) as f64
}

/// The curve that foretells the endings best, to the centipawn.
pub fn fit(samples: &[Sample]) -> ChanceCurve {
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
    use crate::game::SplitMix64;

    #[test]
    fn announcements_belong_to_whoever_made_the_move() {
        let pgn = "[Event \"x\"]\n[Result \"1-0\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 {book} e5 {-0.50/3 \
                   0.1s} 2. Nf3\n{+0.61/4 0.1s} Nc6 {-M3/5 0.1s} 3. Bb5 {+30.00/3 0.1s} {fault} 1-0\n\n[Event \"y\"]\n\
                   [Result \"1/2-1/2\"]\n[FEN \"8/8/8/8/8/8/8/8 b - - 0 1\"]\n\n1... d5 {+0.07/3 0.1s} 1/2-1/2\n\n\
                   [Event \"z\"]\n[Result \"*\"]\n\n1. e4 {+0.30/3 0.1s} *\n";
        let sample = |score_cp, ending| Sample { score_cp, ending };
        assert_eq!(
            samples(pgn),
            [
                sample(-50, Ending::Loss),
                sample(61, Ending::Win),
                sample(7, Ending::Draw)
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
                Ending::Win
            } else if fate < win + draw {
                Ending::Draw
            } else {
                Ending::Loss
            };
            Sample { score_cp, ending }
        };
        let samples: Vec<_> = (0..40_000).map(draw).collect();
        let found = fit(&samples);
        assert!((found.even_cp - curve.even_cp).abs() < 8.0, "{found:?}");
        assert!((found.slope_cp - curve.slope_cp).abs() < 8.0, "{found:?}");
        assert!(loss(found, &samples) <= loss(curve, &samples));
    }
}
