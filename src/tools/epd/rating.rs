//! Statistics of a suite: means of solving times and the BT2630 rating.

/// Rating of the BT2630 test (Bednorz, Tönissen 1994): 2630 minus the sum of the solving times in seconds over 30.
/// An unsolved position counts as 900 seconds. With another limit the times are scaled to 900 seconds, which makes
/// ratings comparable between runs with equal limits, but not with published ones.
///
/// `times` are the solving times in seconds, `None` for unsolved; `limit` is the time limit per position in
/// seconds.
pub fn bt2630(times: &[Option<f64>], limit: f64) -> f64 {
    let scale = 900.0 / limit;
    let spent = |time: &Option<f64>| time.map_or(900.0, |time| (time * scale).min(900.0));
    2630.0 - times.iter().map(spent).sum::<f64>() / 30.0
}

/// Number of positions of the BT2630 test; its rating is meaningless for fewer.
pub const BT2630_POSITIONS: usize = 30;

/// Returns the arithmetic mean; `None` without values.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Returns the geometric mean, where values below `floor` count as `floor`; `None` without values.
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
