//! Sums over a suite: solved positions, means of solving times, the BT2630 rating.

/// Rating of the BT2630 test (Bednorz, Tönissen 1994): 2630 less the sum of the solving times in seconds over 30, an
/// unsolved position counting the full 900 seconds. With another limit the times are scaled to 900 seconds, which makes
/// the figure comparable between runs of equal limit, not with published ones.
///
/// `times` are the solving times in seconds, `None` for unsolved; `limit` is the time given to each position in
/// seconds.
pub fn bt2630(times: &[Option<f64>], limit: f64) -> f64 {
    let scale = 900.0 / limit;
    let spent = |time: &Option<f64>| time.map_or(900.0, |time| (time * scale).min(900.0));
    2630.0 - times.iter().map(spent).sum::<f64>() / 30.0
}

/// Number of positions the BT2630 test has; its rating means nothing for fewer.
pub const BT2630_POSITIONS: usize = 30;

/// Arithmetic mean; `None` of nothing.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Geometric mean, values below `floor` counting as `floor`; `None` of nothing.
pub fn geometric_mean(values: &[f64], floor: f64) -> Option<f64> {
    let logarithms: Vec<f64> = values.iter().map(|value| value.max(floor).ln()).collect();
    mean(&logarithms).map(f64::exp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rating_of_the_extremes() {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(close(bt2630(&[Some(0.0); 30], 900.0), 2630.0));
        assert!(close(bt2630(&[None; 30], 900.0), 1730.0));
        assert!(close(bt2630(&[Some(7.5); 30], 15.0), 2180.0));
        let mut times = [None; 30];
        times[0] = Some(300.0);
        assert!(close(bt2630(&times, 900.0), 1750.0));
    }

    #[test]
    fn means() {
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[1.0, 3.0]), Some(2.0));
        let geometric = geometric_mean(&[0.0, 100.0], 1.0).unwrap();
        assert!((geometric - 10.0).abs() < 1e-9);
    }
}
