//! `ProbCut` (Buro 1995): a shallow search predicts the result of a deep one.

use super::{Explorer, explorer::above};
use crate::game::{Evaluator, Game, Score, Window};

/// A linear regression: the deep score is `slope` * shallow score + `offset_cp`, with a normal error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The depth predicted, in plies.
    pub deep: u16,
    /// The depth of the shallow search, in plies; below `deep`.
    pub shallow: u16,
    /// The slope of the deep score over the shallow one, positive.
    pub slope: f64,
    /// The offset, in centipawns.
    pub offset_cp: f64,
    /// The standard deviation of the error, in centipawns.
    pub deviation_cp: f64,
}

impl Prediction {
    /// Fits the prediction by least squares to pairs of a shallow and the deep score of the same position. Returns
    /// `None` if the pairs predict nothing: too few, all shallow scores equal, or no positive slope.
    pub fn fit(deep: u16, shallow: u16, pairs: &[(Score, Score)]) -> Option<Self> {
        assert!(shallow < deep);
        if pairs.len() < 3 {
            return None;
        }
        let count = pairs.len() as f64;
        let points = || {
            pairs
                .iter()
                .map(|&(x, y)| (f64::from(x.raw()), f64::from(y.raw())))
        };
        let mean_x = points().map(|(x, _)| x).sum::<f64>() / count;
        let mean_y = points().map(|(_, y)| y).sum::<f64>() / count;
        let variance = points().map(|(x, _)| (x - mean_x).powi(2)).sum::<f64>();
        let covariance = points()
            .map(|(x, y)| (x - mean_x) * (y - mean_y))
            .sum::<f64>();
        if variance == 0.0 || covariance <= 0.0 {
            return None;
        }
        let slope = covariance / variance;
        let offset_cp = mean_y - slope * mean_x;
        let squares = points()
            .map(|(x, y)| (y - slope * x - offset_cp).powi(2))
            .sum::<f64>();
        Some(Self {
            deep,
            shallow,
            slope,
            offset_cp,
            deviation_cp: (squares / (count - 2.0)).sqrt(),
        })
    }

    /// Returns the minimum shallow score at which the deep score is at least `beta`. The exception has the
    /// probability that a normal error exceeds `confidence` standard deviations.
    pub fn shallow_beta(&self, beta: Score, confidence: f64) -> Score {
        let shallow =
            (confidence * self.deviation_cp + f64::from(beta.raw()) - self.offset_cp) / self.slope;
        Score::from_raw(shallow.ceil() as i32)
    }

    /// Returns the maximum shallow score at which the deep score is at most `alpha`, except with that probability.
    pub fn shallow_alpha(&self, alpha: Score, confidence: f64) -> Score {
        let shallow = (-confidence * self.deviation_cp + f64::from(alpha.raw()) - self.offset_cp)
            / self.slope;
        Score::from_raw(shallow.floor() as i32)
    }
}

impl<G: Game, E: Evaluator<G>> Explorer<'_, G, E> {
    /// [`Explorer::alphabeta`] that trusts the prediction where the predicted depth remains: not sound, but rarely
    /// wrong.
    pub fn probcut(
        &mut self,
        prediction: &Prediction,
        confidence: f64,
        window: Window,
        depth: u16,
    ) -> Score {
        if let Some(score) = self.visit(window, depth) {
            return score;
        }
        if depth == prediction.deep
            && let Some(score) = self.predicted_cutoff(prediction, confidence, window)
        {
            return score;
        }
        let mut best = Score::MIN;
        for mv in self.moves() {
            let open = above(window, best).to_successor();
            best = best.max(self.after(mv, |explorer| {
                explorer.probcut(prediction, confidence, open, depth - 1)
            }));
            if best >= window.beta() {
                break;
            }
        }
        best
    }

    /// Returns the end of the window beyond which a shallow search predicts the deep score, if it does.
    pub fn predicted_cutoff(
        &mut self,
        prediction: &Prediction,
        confidence: f64,
        window: Window,
    ) -> Option<Score> {
        let beta = prediction.shallow_beta(window.beta(), confidence);
        if !beta.is_decisive()
            && self.alphabeta(Window::null_below(beta), prediction.shallow) >= beta
        {
            return Some(window.beta());
        }
        let alpha = prediction.shallow_alpha(window.alpha(), confidence);
        if !alpha.is_decisive()
            && self.alphabeta(Window::null_above(alpha), prediction.shallow) <= alpha
        {
            return Some(window.alpha());
        }
        None
    }
}
