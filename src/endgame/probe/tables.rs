//! All tables together, as used by a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use shakmaty::Position as _;

use super::answer::{Distance, TableAnswer};
use super::own::Own;
use super::params::TableParams;
use super::syzygy::Syzygy;
use crate::chess::Position;
use crate::game::{Score, Tablebase};

/// The source of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Our own tables, with the distance to mate.
    Own,
    /// Syzygy tables.
    Syzygy,
}

/// The tables of one search, with a count of their answers.
#[derive(Debug, Default)]
pub struct Tables {
    pub(super) own: Option<Arc<Own>>,
    pub(super) syzygy: Option<Arc<Syzygy>>,
    pub(super) params: TableParams,
    hits: AtomicU64,
}

impl Tables {
    /// Combines the tables, to be probed according to `params`.
    pub fn new(own: Option<Arc<Own>>, syzygy: Option<Arc<Syzygy>>, params: TableParams) -> Self {
        Self {
            own: own.filter(|_| params.own_tables),
            syzygy: syzygy.filter(|tables| tables.men_max() > 0),
            params,
            hits: AtomicU64::new(0),
        }
    }

    /// The number of successful probes.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// Requests missing tables for this position.
    pub fn want(&self, position: &Position) {
        if let Some(own) = &self.own {
            own.want(position.chess());
        }
    }

    /// Takes the errors since the last call.
    pub fn take_troubles(&self) -> Vec<String> {
        let own = self.own.iter().flat_map(|own| own.take_troubles());
        let syzygy = self.syzygy.iter().flat_map(|syzygy| syzygy.take_troubles());
        own.chain(syzygy).collect()
    }

    pub(super) fn ask_own(&self, position: &Position) -> Option<TableAnswer> {
        let own = self.own.as_ref()?;
        self.counted(own.answer(position.chess(), self.params.syzygy_50_move_rule))
    }

    /// Returns the answer of the Syzygy tables with a distance.
    pub(super) fn ask_syzygy(&self, position: &Position) -> Option<TableAnswer> {
        let syzygy = self.syzygy_for(position, u16::MAX)?;
        self.counted(syzygy.answer(position.chess(), self.params.syzygy_50_move_rule))
    }

    /// Returns the Syzygy tables if they may be probed at this position.
    fn syzygy_for(&self, position: &Position, depth: u16) -> Option<&Syzygy> {
        let syzygy = self.syzygy.as_deref()?;
        let men = position.chess().board().occupied().count();
        let limit = syzygy
            .men_max()
            .min(self.params.syzygy_probe_limit as usize);
        let is_deep = i32::from(depth) >= self.params.syzygy_probe_depth;
        (men < limit || men == limit && is_deep).then_some(syzygy)
    }

    fn counted<T>(&self, answer: Option<T>) -> Option<T> {
        self.hits
            .fetch_add(u64::from(answer.is_some()), Ordering::Relaxed);
        answer
    }

    fn syzygy_score(&self, position: &Position, depth: u16) -> Option<Score> {
        let syzygy = self.syzygy_for(position, depth)?;
        let outcome = syzygy.outcome(position.chess(), self.params.syzygy_50_move_rule);
        let distance = Distance::Unknown;
        self.counted(outcome.and_then(|outcome| TableAnswer { outcome, distance }.score()))
    }
}

impl Tablebase<Position> for Tables {
    fn score(&self, position: &Position, depth: u16) -> Option<Score> {
        // Most positions have too many men for any table.
        if position.chess().board().occupied().count() > 7 {
            return None;
        }
        let own = self.ask_own(position).and_then(TableAnswer::score);
        own.or_else(|| self.syzygy_score(position, depth))
    }
}
