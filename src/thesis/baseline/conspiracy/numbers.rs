use crate::game::Score;

/// The granularity of scores: integer multiples of a step, equally many above and below 0. Scores beyond are
/// clamped to the outermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The distance between neighbouring scores, in centipawns, at least 1.
    pub step_cp: u16,
    /// The number of scores above 0, and as many below.
    pub steps: u16,
}

impl Scale {
    /// Returns the number of scores, which is the length of every node's vector.
    pub fn places(self) -> usize {
        2 * usize::from(self.steps) + 1
    }

    /// Returns the place of the nearest score on the scale; of two, the one further from 0.
    pub(super) fn place(self, score: Score) -> usize {
        let (step, steps) = (i32::from(self.step_cp), i32::from(self.steps));
        let raw = i32::from(score.raw());
        let rounded = (raw.abs() + step / 2) / step * raw.signum();
        (rounded.clamp(-steps, steps) + steps) as usize
    }

    pub(super) fn score(self, place: usize) -> Score {
        Score::centipawns((place as i32 - i32::from(self.steps)) * i32::from(self.step_cp))
    }

    /// Returns the place of the same score in the opponent's view.
    pub(super) fn turned(self, place: usize) -> usize {
        self.places() - 1 - place
    }
}

/// The number of an impossible conspiracy: a game that has ended does not change its result.
pub(super) const IMPOSSIBLE: u32 = u32::MAX;

/// A node's place on the scale and, for every place, the minimum number of leaves below the node that must change
/// to move it there. In the side to move's view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ConspiracyNumbers {
    pub(super) place: usize,
    pub(super) by_place: Box<[u32]>,
}

impl ConspiracyNumbers {
    /// Creates the numbers of a leaf: one change moves it to any place, and an end of the game to none.
    pub(super) fn leaf(scale: Scale, score: Score, ended: bool) -> Self {
        let place = scale.place(score);
        let elsewhere = if ended { IMPOSSIBLE } else { 1 };
        let by_place = (0..scale.places())
            .map(|other| if other == place { 0 } else { elsewhere })
            .collect();
        Self { place, by_place }
    }

    /// Returns the numbers of a node, given those of all its successors (Fig. 1.4).
    pub(super) fn inner(scale: Scale, successors: &[&Self]) -> Self {
        let places = successors
            .iter()
            .map(|successor| scale.turned(successor.place));
        let place = places.max().expect("an inner node has successors");
        let number = |other: usize| {
            let turned = scale.turned(other);
            if other > place {
                let numbers = successors
                    .iter()
                    .map(|successor| successor.by_place[turned]);
                return numbers.min().expect("an inner node has successors");
            }
            let above = successors
                .iter()
                .filter(|successor| successor.place < turned);
            above
                .map(|successor| successor.by_place[turned])
                .fold(0, u32::saturating_add)
        };
        let by_place = (0..scale.places()).map(number).collect();
        Self { place, by_place }
    }

    /// Returns the lowest and the highest place to which fewer than `safety` leaves could move the node.
    pub(super) fn plausible(&self, safety: u32) -> (usize, usize) {
        let plausible = |&place: &usize| self.by_place[place] < safety;
        let lowest = (0..self.by_place.len())
            .find(plausible)
            .expect("the node's own place needs no change");
        let highest = (0..self.by_place.len())
            .rfind(plausible)
            .expect("the node's own place needs no change");
        (lowest, highest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::SplitMix64;
    use crate::game::explicit::Sketch;
    use crate::game::synthetic::SketchBounds;

    fn numbers(scale: Scale, sketch: &Sketch) -> ConspiracyNumbers {
        if sketch.successors.is_empty() {
            return ConspiracyNumbers::leaf(scale, Score::centipawns(sketch.score), false);
        }
        let below: Vec<_> = sketch
            .successors
            .iter()
            .map(|successor| numbers(scale, successor))
            .collect();
        ConspiracyNumbers::inner(scale, &below.iter().collect::<Vec<_>>())
    }

    /// The minimax value where the leaves in `turned` have the value `score`, in the root's view.
    fn minimax(sketch: &Sketch, turned: u32, score: i32, next_leaf: &mut u32) -> i32 {
        if sketch.successors.is_empty() {
            *next_leaf += 1;
            return if turned >> (*next_leaf - 1) & 1 == 1 {
                score
            } else {
                sketch.score
            };
        }
        sketch
            .successors
            .iter()
            .map(|successor| -minimax(successor, turned, -score, next_leaf))
            .max()
            .unwrap_or(score)
    }

    #[test]
    fn places_are_symmetric() {
        let scale = Scale {
            step_cp: 10,
            steps: 3,
        };
        for raw in -60..=60 {
            let score = Score::centipawns(raw);
            assert_eq!(scale.place(-score), scale.turned(scale.place(score)));
        }
        assert_eq!(
            scale.score(scale.place(Score::centipawns(14))),
            Score::centipawns(10)
        );
        assert_eq!(
            scale.score(scale.place(Score::centipawns(15))),
            Score::centipawns(20)
        );
        assert_eq!(scale.score(scale.place(Score::MAX)), Score::centipawns(30));
    }

    /// Definition 1.5-1, checked by trying every set of leaves.
    #[test]
    fn figure_1_4_numbers_are_the_least_conspiracies() {
        let scale = Scale {
            step_cp: 1,
            steps: 3,
        };
        let bounds = SketchBounds {
            branching: 3,
            depth: 3,
            scores: (-3..=3).collect(),
        };
        for seed in 0..400 {
            let sketch = bounds.random(&mut SplitMix64::new(seed), 0.4);
            let leaves = {
                let mut count = 0;
                minimax(&sketch, 0, 0, &mut count);
                count
            };
            if leaves > 9 {
                continue;
            }
            let found = numbers(scale, &sketch);
            for score in -3..=3 {
                let conspiracies = (0..1_u32 << leaves)
                    .filter(|&set| minimax(&sketch, set, score, &mut 0) == score);
                let least = conspiracies.map(u32::count_ones).min().unwrap();
                assert_eq!(
                    found.by_place[scale.place(Score::centipawns(score))],
                    least,
                    "seed {seed}: {sketch} to {score}"
                );
            }
        }
    }
}
