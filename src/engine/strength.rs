//! Playing weaker on purpose (`UCI_LimitStrength`, `UCI_Elo`).
//!
//! A weaker player looks less far and overlooks moves. So the search gets fewer nodes, and each root move is overlooked
//! with some probability: the engine plays the best of the moves it has seen. At [`ELO_MIN`] these are a few hundred nodes
//! and every third move overlooked, at [`ELO_MAX`] a million nodes and none. The distances between the levels are
//! measured, by games between neighbours; where the whole scale lies among people is an estimate.

use crate::chess::Move;
use crate::game::SplitMix64;

/// Weakest play on offer.
pub const ELO_MIN: i32 = 800;
/// Strongest play that is still limited.
pub const ELO_MAX: i32 = 2_400;
/// Skills, from 0 to 1, and the strength measured there relative to [`ELO_MIN`]: 80 games between each two neighbours
/// (`docs/experiments.md`), errors of about 85. Above the last but one it is extrapolated.
const LEVELS: [(f64, f64); 8] = [
    (0.0, 0.0),
    (0.125, 89.0),
    (0.25, 317.0),
    (0.375, 508.0),
    (0.5, 693.0),
    (0.625, 921.0),
    (0.75, 1_230.0),
    (1.0, 1_600.0),
];
/// Nodes at [`ELO_MIN`], and by what factor they grow until [`ELO_MAX`].
const NODES_MIN: f64 = 300.0;
const NODES_PER_RANGE: f64 = 3_500.0;
/// Probability of overlooking a move at [`ELO_MIN`]; it falls linearly to 0.
const OVERLOOKED_MAX: f64 = 0.35;

/// 0 at the weakest, 1 at the strongest.
fn skill(elo: i32) -> f64 {
    let wanted = f64::from(elo.clamp(ELO_MIN, ELO_MAX) - ELO_MIN);
    let above = LEVELS.windows(2).find(|pair| wanted <= pair[1].1);
    above.map_or(1.0, |pair| {
        let ((skill, strength), (next_skill, next_strength)) = (pair[0], pair[1]);
        skill + (next_skill - skill) * (wanted - strength) / (next_strength - strength)
    })
}

/// The nodes a player of that rating may search.
pub fn nodes(elo: i32) -> u64 {
    (NODES_MIN * NODES_PER_RANGE.powf(skill(elo))) as u64
}

/// The moves a player of that rating sees, at least one.
pub fn seen(elo: i32, moves: &[Move], rng: &mut SplitMix64) -> Vec<Move> {
    let overlooked = OVERLOOKED_MAX * (1.0 - skill(elo));
    let seen: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|_| rng.unit() >= overlooked)
        .collect();
    if seen.is_empty() {
        let any = rng.below(moves.len().max(1) as u64) as usize;
        return moves.iter().copied().skip(any).take(1).collect();
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn the_scale_rises_from_hundreds_to_a_million_nodes() {
        assert_eq!(nodes(ELO_MIN), 300);
        assert!((1_000_000..1_100_000).contains(&nodes(ELO_MAX)));
        assert!((ELO_MIN..ELO_MAX).all(|elo| nodes(elo) <= nodes(elo + 1)));
        // A level that was measured has the nodes it was measured with.
        assert_eq!(nodes(ELO_MIN + 693), (300.0 * 3_500_f64.sqrt()) as u64);
    }

    #[test]
    fn the_strongest_see_everything_and_the_weakest_something() {
        let mut moves = Vec::new();
        Position::initial().legal_moves(&mut moves);
        let mut rng = SplitMix64::new(7);
        assert_eq!(seen(ELO_MAX, &moves, &mut rng), moves);
        let total: usize = (0..1_000)
            .map(|_| seen(ELO_MIN, &moves, &mut rng).len())
            .sum();
        assert!((12_000..14_000).contains(&total), "{total} of 20,000");
        assert!((0..1_000).all(|_| seen(ELO_MIN, &moves[..1], &mut rng) == moves[..1]));
    }
}
