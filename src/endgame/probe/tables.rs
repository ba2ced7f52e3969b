//! All tables together, as a search sees them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use shakmaty::Position as _;

use super::answer::{Distance, TableAnswer};
use super::own::Own;
use super::params::TableParams;
use super::syzygy::Syzygy;
use crate::chess::Position;
use crate::game::{Score, Tablebase};

/// Which tables answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Our own, with the distance to mate.
    Own,
    /// Syzygy tables.
    Syzygy,
}

/// The tables of one search, which counts what they answered.
#[derive(Debug, Default)]
pub struct Tables {
    pub(super) own: Option<Arc<Own>>,
    pub(super) syzygy: Option<Arc<Syzygy>>,
    pub(super) params: TableParams,
    hits: AtomicU64,
}

impl Tables {
    /// Tables to be asked as `params` say.
    pub fn new(own: Option<Arc<Own>>, syzygy: Option<Arc<Syzygy>>, params: TableParams) -> Self {
        Self {
            own: own.filter(|_| params.own_tables),
            syzygy: syzygy.filter(|tables| tables.men_max() > 0),
            params,
            hits: AtomicU64::new(0),
        }
    }

    /// Questions answered so far.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// Sees to it that missing tables about this position are made.
    pub fn want(&self, position: &Position) {
        if let Some(own) = &self.own {
            own.want(position.chess());
        }
    }

    /// The last faults, in words.
    pub fn take_troubles(&self) -> Vec<String> {
        let own = self.own.iter().flat_map(|own| own.take_troubles());
        let syzygy = self.syzygy.iter().flat_map(|syzygy| syzygy.take_troubles());
        own.chain(syzygy).collect()
    }

    /// The answer of the own tables.
    pub(super) fn ask_own(&self, position: &Position) -> Option<TableAnswer> {
        let own = self.own.as_ref()?;
        self.counted(own.answer(position.chess(), self.params.syzygy_50_move_rule))
    }

    /// The answer of the Syzygy tables, with a distance.
    pub(super) fn ask_syzygy(&self, position: &Position) -> Option<TableAnswer> {
        let syzygy = self.syzygy_for(position, u16::MAX)?;
        self.counted(syzygy.answer(position.chess(), self.params.syzygy_50_move_rule))
    }

    /// The Syzygy tables, if they may be asked about the position.
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
        // Most positions are far too full for any table.
        if position.chess().board().occupied().count() > 7 {
            return None;
        }
        let own = self.ask_own(position).and_then(TableAnswer::score);
        own.or_else(|| self.syzygy_score(position, depth))
    }
}
