//! Deliberate evaluation errors, for limited strength.

use crate::game::SplitMix64;

/// Numbers added up for one error: enough for the shape of a bell, few enough for an error within 3.5 deviations.
const TERMS: u32 = 4;
/// Standard deviation of the sum of [`TERMS`] numbers, each equally likely from 0 to 65,535: 65,536 * sqrt(4 / 12).
const SUM_DEVIATION: i64 = 37_837;

/// The evaluation error of the position with this key, in centipawns, for this standard deviation. Roughly normal with
/// mean 0 (Irwin-Hall). It is always the same for a position, so a search cannot average it away.
pub(super) fn error(key: u64, deviation_cp: i32) -> i32 {
    // The keys of neighbours differ by xor: only mixed are their errors independent.
    let bits = SplitMix64::mix(key);
    let sum: u64 = (0..TERMS).map(|term| (bits >> (16 * term)) & 0xFFFF).sum();
    let centred = sum as i64 - i64::from(TERMS) * 0xFFFF / 2;
    (centred * i64::from(deviation_cp) / SUM_DEVIATION) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_roughly_normal_and_always_the_same() {
        let mut rng = SplitMix64::new(5);
        let keys: Vec<u64> = (0..40_000).map(|_| rng.next_u64()).collect();
        let errors: Vec<f64> = keys.iter().map(|&key| f64::from(error(key, 200))).collect();
        let count = errors.len() as f64;
        let mean = errors.iter().sum::<f64>() / count;
        let deviation = (errors.iter().map(|error| error * error).sum::<f64>() / count).sqrt();
        assert!(mean.abs() < 4.0, "{mean}");
        assert!((deviation - 200.0).abs() < 3.0, "{deviation}");
        let near = errors.iter().filter(|error| error.abs() < 200.0).count() as f64 / count;
        assert!((0.64..0.70).contains(&near), "{near}");
        assert!(errors.iter().all(|error| error.abs() < 700.0));
        assert!(keys.iter().all(|&key| error(key, 200) == error(key, 200)));
        assert!(keys.iter().all(|&key| error(key, 0) == 0));
    }

    #[test]
    fn neighbouring_keys_have_independent_errors() {
        let product: f64 = (0..40_000)
            .map(|key: u64| f64::from(error(key, 100)) * f64::from(error(key ^ 1, 100)))
            .sum();
        assert!((product / 40_000.0 / 10_000.0).abs() < 0.03, "{product}");
    }
}
