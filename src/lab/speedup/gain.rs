//! The measures of parallel search of the thesis (3.5.3).

use super::machine::Run;

/// Speedup by several workers on a set of problems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// Speedup over one worker (SPE): the ratio of the total times of all problems.
    pub spe: f64,
    /// Geometric mean of the speedups of the problems, which no single problem dominates.
    pub mean_spe: f64,
    /// Factor of the 95 % confidence interval of the geometric mean, upwards and downwards; `None` for a single
    /// problem.
    pub mean_spe_factor: Option<f64>,
    /// Arithmetic mean of the speedups, as given in the thesis (3.5.3), which the greatest speedups dominate.
    pub average_spe: f64,
    /// SPE per processor, in percent (EFF).
    pub eff: f64,
    /// Share of the time in which the workers are busy, in percent (LOAD), if measured.
    pub load: Option<f64>,
    /// Additional nodes compared with one worker, in percent (SOVD).
    pub sovd: f64,
    /// Nodes per second (LSTG).
    pub lstg: f64,
    /// Messages per second.
    pub messages: f64,
    /// Bytes per second.
    pub bytes: f64,
}

impl Gain {
    /// Compares the runs of workers on `processors` processors with those of one worker on the same problems.
    pub fn of(processors: u32, alone: &[Run], together: &[Run]) -> Self {
        assert_eq!(alone.len(), together.len(), "the same problems");
        let sum = |runs: &[Run], of: fn(&Run) -> u64| runs.iter().map(of).sum::<u64>() as f64;
        let elapsed = sum(together, |run| run.elapsed_ns);
        let (nodes, seconds) = (sum(together, |run| run.nodes), elapsed / 1e9);
        let spe = sum(alone, |run| run.elapsed_ns) / elapsed;
        let ratios = std::iter::zip(alone, together)
            .map(|(one, many)| one.elapsed_ns as f64 / many.elapsed_ns as f64);
        let count = alone.len() as f64;
        let mean = |of: fn(f64) -> f64| ratios.clone().map(of).sum::<f64>() / count;
        let mean_log = mean(f64::ln);
        let squares = ratios.clone().map(|ratio| (ratio.ln() - mean_log).powi(2));
        let error = (squares.sum::<f64>() / (count - 1.0) / count).sqrt();
        let busy: Option<u64> = together.iter().map(|run| run.busy_ns).sum();
        Self {
            spe,
            mean_spe: mean_log.exp(),
            mean_spe_factor: (alone.len() > 1).then(|| (1.96 * error).exp()),
            average_spe: mean(|ratio| ratio),
            eff: 100.0 * spe / f64::from(processors),
            load: busy.map(|busy| 100.0 * busy as f64 / f64::from(processors) / elapsed),
            sovd: 100.0 * (nodes / sum(alone, |run| run.nodes) - 1.0),
            lstg: nodes / seconds,
            messages: sum(together, |run| run.messages) / seconds,
            bytes: sum(together, |run| run.bytes) / seconds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(elapsed_ns: u64, busy_ns: u64, nodes: u64) -> Run {
        Run {
            elapsed_ns,
            busy_ns: Some(busy_ns),
            nodes,
            ..Run::default()
        }
    }

    #[test]
    fn the_measures_fit_together() {
        let alone = [run(1_000, 1_000, 100), run(3_000, 3_000, 300)];
        let together = [run(500, 900, 120), run(500, 1_000, 360)];
        let same = Gain::of(1, &alone, &alone);
        assert_eq!((same.spe, same.eff, same.sovd), (1.0, 100.0, 0.0));
        assert_eq!(same.load, Some(100.0));
        let four = Gain::of(4, &alone, &together);
        assert_eq!((four.spe, four.eff, four.load), (4.0, 100.0, Some(47.5)));
        assert!((four.sovd - 20.0).abs() < 1e-9);
        // The speedups are 2 and 6.
        assert!((four.average_spe - 4.0).abs() < 1e-9);
        assert!((four.mean_spe - 12.0_f64.sqrt()).abs() < 1e-9);
        // The mean of the logarithms 0.69 and 1.79 has a standard error of 0.55.
        let factor = four.mean_spe_factor.unwrap();
        assert!((factor.ln() - 1.96 * 0.55).abs() < 0.01, "{factor}");
        assert_eq!(
            Gain::of(4, &alone[..1], &together[..1]).mean_spe_factor,
            None
        );
        // The consistency check of 3.5.3.
        let check = four.lstg / same.lstg * 100.0 / (four.sovd + 100.0);
        assert!((four.spe - check).abs() < 1e-9);
    }

    #[test]
    fn a_load_that_nobody_has_measured_is_none() {
        let clocked = Run {
            busy_ns: None,
            ..run(10, 0, 1)
        };
        assert_eq!(Gain::of(2, &[clocked], &[clocked]).load, None);
    }
}
