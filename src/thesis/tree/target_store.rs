//! The target tables as used by one search.

use super::table::{Log, TargetTables};
use super::target::{Target, Verdict};

/// Target tables, and the outcomes to be stored in them later.
#[derive(Debug)]
pub(crate) struct TargetStore<'a> {
    tables: &'a TargetTables,
    /// Outcomes kept for the tables, if they are not stored at once.
    log: Option<Log>,
}

impl<'a> TargetStore<'a> {
    /// Creates a store that writes to the tables at once.
    pub(crate) fn new(tables: &'a TargetTables) -> Self {
        Self { tables, log: None }
    }

    /// Makes the store keep a log instead of writing to the tables.
    #[must_use]
    pub(crate) fn logging(self, capacity: usize) -> Self {
        Self {
            log: Some(Log::with_capacity(capacity)),
            ..self
        }
    }

    /// Whether a target at least as demanding as this one was met at the position of `key`.
    pub(crate) fn is_met(&self, key: u64, target: Target) -> bool {
        match &self.log {
            Some(log) => self.tables.is_met_after(log, key, target),
            None => self.tables.is_met(key, target),
        }
    }

    /// Stores the outcome of a target at the position of `key`.
    pub(crate) fn note(&mut self, key: u64, target: Target, verdict: Verdict) {
        match &mut self.log {
            Some(log) => log.push((key, target, verdict)),
            None => self.tables.note(key, target, verdict),
        }
    }

    /// Lets entries written from now on replace all earlier ones.
    pub(crate) fn start_analysis(&self) {
        self.tables.start_analysis();
    }

    /// Returns the length of the log.
    pub(crate) fn logged(&self) -> usize {
        self.log.as_ref().map_or(0, Log::len)
    }

    /// Returns the log, empty if there is none.
    pub(crate) fn into_log(self) -> Log {
        self.log.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Score, TargetBound};

    #[test]
    fn a_log_is_read_before_the_tables_and_does_not_change_them() {
        let tables = TargetTables::with_entries(16).unwrap();
        let target = Target {
            bound: TargetBound::AtLeast(Score::centipawns(10)),
            depth: 2,
            conspiracy: 1,
        };
        tables.note(7, target, Verdict::Met);
        let mut store = TargetStore::new(&tables).logging(4);
        store.note(7, target, Verdict::Missed);
        store.note(8, target, Verdict::Met);
        assert!(!store.is_met(7, target) && store.is_met(8, target));
        assert!(tables.is_met(7, target) && !tables.is_met(8, target));
        assert_eq!(store.into_log().len(), 2);
    }
}
