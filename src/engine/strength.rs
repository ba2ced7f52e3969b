//! Playing weaker on purpose (`UCI_LimitStrength`, `UCI_Elo`).
//!
//! A weaker player searches less and misjudges positions. So the search gets fewer nodes, and the evaluation gets
//! errors, always the same for a position. A mate ends the game before evaluation, so the engine still sees a mate in
//! one.
//!
//! The scale is that of `UCI_Elo` in Stockfish 15.1. From 1400 to 2600 it agrees within 62 Elo, in 80 to 100 games at
//! each level, with errors of 47 to 78 (`docs/measurements.md`). The nodes of 2600 take longer than 2+0.02 allows; 800
//! is extrapolated.

/// Minimum rating.
pub const ELO_MIN: i32 = LEVELS[0].0;
/// Maximum rating.
pub const ELO_MAX: i32 = LEVELS[LEVELS.len() - 1].0;
/// Ratings, and the nodes and centipawns of error meant to give them. Between them nodes grow geometrically and errors
/// fall linearly.
const LEVELS: [(i32, f64, f64); 6] = [
    (800, 100.0, 400.0),
    (1_400, 950.0, 145.0),
    (1_800, 2_600.0, 97.0),
    (2_000, 10_500.0, 64.0),
    (2_200, 55_000.0, 29.0),
    (2_600, 250_000.0, 10.0),
];

/// Limits of a player's strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// Maximum nodes of one search.
    pub nodes: u64,
    /// Standard deviation of the errors of the evaluation, in centipawns.
    pub error_cp: i32,
}

impl Handicap {
    /// The limits for that rating, clamped to the scale.
    pub fn of(elo: i32) -> Self {
        let elo = elo.clamp(ELO_MIN, ELO_MAX);
        let above = LEVELS.partition_point(|level| level.0 < elo).max(1);
        let ((low, few, large), (high, many, small)) = (LEVELS[above - 1], LEVELS[above]);
        let share = f64::from(elo - low) / f64::from(high - low);
        Self {
            nodes: (few * (many / few).powf(share)).round() as u64,
            error_cp: (large + share * (small - large)).round() as i32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_stronger_looks_further_and_errs_less() {
        for elo in ELO_MIN..ELO_MAX {
            let (weaker, stronger) = (Handicap::of(elo), Handicap::of(elo + 1));
            assert!(weaker.nodes <= stronger.nodes, "{elo}");
            assert!(weaker.error_cp >= stronger.error_cp, "{elo}");
        }
        assert!((ELO_MIN..ELO_MAX - 50).all(|elo| Handicap::of(elo) != Handicap::of(elo + 50)));
    }

    #[test]
    fn a_level_of_the_table_has_what_the_table_says() {
        for (elo, nodes, error_cp) in LEVELS {
            let handicap = Handicap::of(elo);
            assert_eq!(handicap.nodes, nodes as u64);
            assert_eq!(handicap.error_cp, error_cp as i32);
        }
        assert_eq!(Handicap::of(i32::MIN), Handicap::of(ELO_MIN));
        assert_eq!(Handicap::of(i32::MAX), Handicap::of(ELO_MAX));
    }
}
