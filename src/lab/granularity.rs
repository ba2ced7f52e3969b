//! Why classical conspiracy number search does not terminate (thesis 1.5.2): a finer scale of scores needs more
//! expansions.

use crate::game::HeuristicEvaluator;
use crate::game::synthetic::{GrownGame, Shape};
use crate::thesis::baseline::{ConspiracyReport, Explorer, Scale};

/// Maximum true score of the games, in centipawns.
const RANGE_CP: u16 = 300;
/// Maximum score of the scales, a true score plus its error, in centipawns.
const SCALE_CP: u16 = 400;
/// Maximum error of a heuristic score, in centipawns.
const NOISE_CP: u16 = 100;

/// A game with four moves at each node, too deep for a complete search.
fn game(seed: u64) -> GrownGame {
    GrownGame::new(Shape {
        order: 0.5,
        noise_cp: NOISE_CP,
        range_cp: RANGE_CP,
        spread_cp: 200,
        ..Shape::uniform(seed, 4, 60)
    })
}

/// The results of searches with one scale and one threshold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runs {
    /// Number of scores on the scale.
    pub scores: usize,
    /// Size of the vector stored in each node, in bytes.
    pub vector_bytes: usize,
    /// Expansions of the searches that terminated, in rising order.
    pub ended: Vec<usize>,
}

impl Runs {
    /// Returns the median over `games` games, where those that did not terminate count as infinite. `None` if the
    /// median is one of these.
    pub fn median(&self, games: usize) -> Option<usize> {
        self.ended.get(games / 2).copied()
    }
}

/// Searches `games` games on a scale with this step. A search ends when every other root value has a conspiracy
/// number of at least `conspiracy`, or after `limit` expansions.
pub fn search(step_cp: u16, conspiracy: u32, games: u64, limit: usize) -> Runs {
    let scale = Scale {
        step_cp,
        steps: SCALE_CP / step_cp,
    };
    let reports = (0..games).map(|seed| {
        let (mut game, mut evaluator) = (game(seed), HeuristicEvaluator::default());
        Explorer::new(&mut game, &mut evaluator).conspiracy_search(scale, conspiracy, limit)
    });
    let ended = reports.filter(|report: &ConspiracyReport<_>| report.safe);
    let mut ended: Vec<usize> = ended.map(|report| report.expansions).collect();
    ended.sort_unstable();
    Runs {
        scores: scale.places(),
        vector_bytes: scale.places() * size_of::<u32>(),
        ended,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_needs_half_of_the_games() {
        let runs = Runs {
            scores: 5,
            vector_bytes: 20,
            ended: vec![3, 5, 8],
        };
        assert_eq!((runs.median(4), runs.median(5)), (Some(8), Some(8)));
        assert_eq!(runs.median(6), None);
    }
}
