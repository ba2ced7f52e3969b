//! A limit on the rate of reports.

use std::time::Duration;

/// So many reports may come at once; after that one more per [`REPORT_INTERVAL`].
const REPORT_BURST: u32 = 10;
/// Minimum time between frequent reports.
pub(super) const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Number of reports that may still be shown: some at once, then a few per second.
#[derive(Debug)]
pub(super) struct RateLimiter {
    left: u32,
    renewed: Duration,
}

impl Default for RateLimiter {
    fn default() -> Self {
        Self {
            left: REPORT_BURST,
            renewed: Duration::ZERO,
        }
    }
}

impl RateLimiter {
    /// Whether a report may be shown now; if so, it is counted.
    pub(super) fn take(&mut self, elapsed: Duration) -> bool {
        while self.left < REPORT_BURST && elapsed.saturating_sub(self.renewed) >= REPORT_INTERVAL {
            self.left += 1;
            self.renewed += REPORT_INTERVAL;
        }
        if self.left == REPORT_BURST {
            self.renewed = elapsed;
        }
        let is_allowed = self.left > 0;
        self.left = self.left.saturating_sub(1);
        is_allowed
    }
}
