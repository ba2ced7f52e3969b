//! Chances to win, draw and lose at a score (`UCI_ShowWDL`).

use crate::game::Score;

/// Two logistic curves, one for winning and its mirror image for losing; what they leave is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChanceCurve {
    /// The score, in centipawns, at which every other game is won.
    pub even_cp: f64,
    /// The width of the transition, in centipawns.
    pub slope_cp: f64,
}

impl ChanceCurve {
    /// Fitted by `cc2s lab wdl` to games of the engine against itself; `docs/experiments.md` says which.
    pub const FITTED: Self = Self {
        even_cp: 101.0,
        slope_cp: 64.0,
    };

    /// Probabilities of a win, a draw and a loss for the side whose score this is.
    pub fn chances(self, score: Score) -> [f64; 3] {
        let (win, loss) = if score.is_decisive() {
            let is_win = score > Score::DRAW;
            (f64::from(u8::from(is_win)), f64::from(u8::from(!is_win)))
        } else {
            let chance = |score: f64| 1.0 / (1.0 + ((self.even_cp - score) / self.slope_cp).exp());
            let centipawns = f64::from(score.raw());
            (chance(centipawns), chance(-centipawns))
        };
        [win, 1.0 - win - loss, loss]
    }
}
