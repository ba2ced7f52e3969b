//! The schedule of a match: players, openings and colours.

/// A game of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Index in the schedule.
    pub number: usize,
    /// Index of the pair of games with the same opening and players.
    pub pair: usize,
    /// Index of the opening.
    pub opening: usize,
    /// Index of the white player.
    pub white: usize,
    /// Index of the black player.
    pub black: usize,
}

/// Creates a round robin with `games` games per pairing, rounded up to pairs. The two games of a pair have the
/// same opening and reversed colours. Openings are used in order and repeat when exhausted.
pub fn schedule(players: usize, games: usize, openings: usize) -> Vec<ScheduledGame> {
    assert!(openings > 0, "no openings");
    let mut plans = Vec::new();
    for round in 0..games.div_ceil(2) {
        for first in 0..players {
            for second in first + 1..players {
                let pair = plans.len() / 2;
                for (white, black) in [(first, second), (second, first)] {
                    plans.push(ScheduledGame {
                        number: plans.len(),
                        pair,
                        opening: round % openings,
                        white,
                        black,
                    });
                }
            }
        }
    }
    plans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_with_both_colours() {
        let plans = schedule(3, 4, 2);
        assert_eq!(plans.len(), 12);
        for (at, pair) in plans.chunks(2).enumerate() {
            assert_eq!(
                (pair[0].white, pair[0].black),
                (pair[1].black, pair[1].white)
            );
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_eq!((pair[0].pair, pair[1].pair), (at, at));
        }
        let meetings = |a, b| {
            plans
                .iter()
                .filter(|plan| (plan.white, plan.black) == (a, b))
                .count()
        };
        assert!((0..3).all(|a| (0..3).all(|b| meetings(a, b) == if a == b { 0 } else { 2 })));
        assert_eq!(plans[6].opening, 1);
        assert_eq!(schedule(2, 3, 1).len(), 4);
    }
}
