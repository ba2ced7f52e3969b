//! What threads gain in the time to a demanded depth, by the clock.

use std::time::Duration;

use super::LabError;
use super::suite::Problem;
use super::trial::{Budget, Moment, attempt};
use crate::chess::epd::Record;
use crate::engine::params::EngineParams;
use crate::engine::registry::SearchEntry;
use crate::engine::search::Search;

/// A search with one number of threads, ready for questions.
pub struct ThreadedSearch {
    threads: u16,
    search: Box<dyn Search>,
}

impl ThreadedSearch {
    /// The search of that entry with these parameters but for the threads.
    ///
    /// # Errors
    /// The memory cannot be had, or there may not be so many threads.
    pub fn new(entry: &SearchEntry, params: &EngineParams, threads: u16) -> Result<Self, LabError> {
        let mut params = params.clone();
        let set = params.set("engine", "threads", threads.into());
        set.map_err(LabError::refused)?;
        let search = (entry.build)(&params).map_err(LabError::refused)?;
        Ok(Self { threads, search })
    }

    /// Number of threads.
    pub fn threads(&self) -> u16 {
        self.threads
    }

    /// The depth met within so many nodes, in plies, on the position with colours exchanged.
    ///
    /// As much work on the average, but another run: the one that all are compared with must not be one that was chosen
    /// because it took little.
    pub fn depth_within(&mut self, problem: &Problem, nodes: u64) -> u16 {
        let budget = Budget {
            nodes: Some(nodes),
            ..Budget::default()
        };
        let mirrored = Record::bare(problem.record.position.mirrored());
        attempt(self.search.as_mut(), &mirrored, budget).depth()
    }

    /// Time and nodes until that depth is met.
    pub fn reach(&mut self, problem: &Problem, depth: u16) -> Moment {
        let budget = Budget {
            depth: Some(depth),
            ..Budget::default()
        };
        attempt(self.search.as_mut(), &problem.record, budget).end
    }
}

/// The measures of the thesis's 3.5.3 that a clock and a node counter give, over a set of problems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// How many times faster than one thread (SPE): time of all problems over time of all.
    pub spe: f64,
    /// The geometric mean of how many times faster each problem is solved, which no single problem decides.
    pub mean_spe: f64,
    /// The geometric mean may be off by this factor either way, by 95 % of samples of as many problems; nothing for one problem.
    pub mean_spe_factor: Option<f64>,
    /// Their arithmetic mean, which is what the thesis shows (3.5.3): the problems with the greatest speedups count most.
    pub average_spe: f64,
    /// SPE for each thread, in percent (EFF).
    pub eff: f64,
    /// Nodes more than one thread needs, in percent (SOVD).
    pub sovd: f64,
    /// Nodes per second (LSTG).
    pub lstg: f64,
}

impl Gain {
    /// Compares what `threads` threads needed for some problems with what one needed for the same.
    pub fn of(threads: u32, alone: &[Moment], together: &[Moment]) -> Self {
        assert_eq!(alone.len(), together.len(), "the same problems");
        let seconds = |runs: &[Moment]| {
            let total: Duration = runs.iter().map(|run| run.elapsed).sum();
            total.as_secs_f64()
        };
        let nodes = |runs: &[Moment]| runs.iter().map(|run| run.nodes).sum::<u64>() as f64;
        let spe = seconds(alone) / seconds(together);
        let ratios = std::iter::zip(alone, together)
            .map(|(one, many)| one.elapsed.as_secs_f64() / many.elapsed.as_secs_f64());
        let count = alone.len() as f64;
        let mean = |of: fn(f64) -> f64| ratios.clone().map(of).sum::<f64>() / count;
        let mean_log = mean(f64::ln);
        let squares = ratios.clone().map(|ratio| (ratio.ln() - mean_log).powi(2));
        let error = (squares.sum::<f64>() / (count - 1.0) / count).sqrt();
        Self {
            spe,
            mean_spe: mean_log.exp(),
            mean_spe_factor: (alone.len() > 1).then(|| (1.96 * error).exp()),
            average_spe: mean(|ratio| ratio),
            eff: 100.0 * spe / f64::from(threads),
            sovd: 100.0 * (nodes(together) / nodes(alone) - 1.0),
            lstg: nodes(together) / seconds(together),
        }
    }

    /// [`Gain::mean_spe_factor`] for a table.
    pub fn factor(&self) -> String {
        self.mean_spe_factor
            .map_or_else(|| "-".to_owned(), |factor| format!("{factor:.2}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measures_fit_together() {
        let run = |ms, nodes| Moment {
            elapsed: Duration::from_millis(ms),
            nodes,
        };
        let alone = [run(100, 1_000), run(300, 3_000)];
        let together = [run(50, 1_200), run(150, 3_600)];
        let one = Gain::of(1, &alone, &alone);
        assert_eq!((one.spe, one.eff, one.sovd), (1.0, 100.0, 0.0));
        let four = Gain::of(4, &alone, &together);
        assert!((four.spe - 2.0).abs() < 1e-9 && (four.eff - 50.0).abs() < 1e-9);
        assert!((four.sovd - 20.0).abs() < 1e-9);
        assert!((four.mean_spe - 2.0).abs() < 1e-9 && four.factor() == "1.00");
        assert_eq!(Gain::of(4, &alone[..1], &together[..1]).factor(), "-");
        let uneven = Gain::of(4, &alone, &[run(50, 1_200), run(37, 900)]);
        assert!((uneven.mean_spe - 4.0).abs() < 0.1, "{uneven:?}");
        // The logarithms 0.69 and 2.09 have a mean with a standard error of 0.70.
        assert!(
            (uneven.mean_spe_factor.unwrap().ln() - 1.96 * 0.70).abs() < 0.01,
            "{uneven:?}"
        );
        // The check of 3.5.3.
        let check = four.lstg / one.lstg * 100.0 / (four.sovd + 100.0);
        assert!((four.spe - check).abs() < 1e-9);
    }
}
