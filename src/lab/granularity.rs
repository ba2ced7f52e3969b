//! Why classical conspiracy number search does not end (thesis 1.5.2): the finer the scale of scores, the more
//! expansions.

use crate::game::HeuristicEvaluator;
use crate::game::synthetic::{GrownGame, Shape};
use crate::thesis::baseline::{ConspiracyReport, Explorer, Scale};

/// Greatest true score of the games, in centipawns.
const RANGE_CP: u16 = 300;
/// Greatest score of the scales: a true score and its error.
const SCALE_CP: u16 = 400;
/// Greatest error of a heuristic score.
const NOISE_CP: u16 = 100;

/// A game of four moves at each node, too deep to be searched to its end.
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
    /// Scores of the scale.
    pub scores: usize,
    /// Bytes of the vector that every node stores.
    pub vector_bytes: usize,
    /// Expansions of the searches that ended by themselves, in rising order.
    pub ended: Vec<usize>,
}

impl Runs {
    /// The median of all `games`, those that did not end counting as endless: `None` where half of them are.
    pub fn median(&self, games: usize) -> Option<usize> {
        self.ended.get(games / 2).copied()
    }
}

/// Searches `games` games on a scale with this step until the conspiracy number of every other value of the root is at
/// least `conspiracy`, or `limit` nodes are expanded.
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
