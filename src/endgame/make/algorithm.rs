//! The choice of an algorithm.

use super::bal_allis::BalAllis;
use super::class::TwoSided;
use super::muller::Muller;
use super::solver::Solver;
use super::words::{self, WordParallel};
use super::wu_beal::WuBeal;
use std::fmt;
use std::path::Path;

/// A retrograde analysis algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// A counter and a value per position; parallel.
    BalAllis,
    /// One bit of random-access memory per position; the smallest.
    WuBeal,
    /// One byte per position.
    Muller,
    /// Wu and Beal's steps on 64 positions at a time; parallel, and by far the fastest.
    Words,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Self; 4] = [Self::BalAllis, Self::WuBeal, Self::Muller, Self::Words];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BalAllis => "bal-allis",
            Self::WuBeal => "wu-beal",
            Self::Muller => "muller",
            Self::Words => "words",
        }
    }

    /// Whether several threads can be used.
    pub const fn is_parallel(self) -> bool {
        matches!(self, Self::BalAllis | Self::Words)
    }

    /// Starts an analysis; only parallel algorithms use `threads`. Sequential files, if any, have paths that start
    /// with `work`, or are in memory without it.
    pub fn start<'a, C: TwoSided>(
        self,
        class: &'a C,
        threads: u32,
        work: Option<&Path>,
    ) -> Box<dyn Solver + 'a> {
        match self {
            Self::BalAllis => Box::new(BalAllis::new(class, threads)),
            Self::WuBeal => Box::new(WuBeal::new(class, work)),
            Self::Muller => Box::new(Muller::new(class)),
            Self::Words => Box::new(WordParallel::new(words::of(class, threads), class.size())),
        }
    }

    /// Resumes a saved analysis; `None` if `saved` does not fit the class.
    pub fn resume<'a, C: TwoSided>(
        self,
        class: &'a C,
        threads: u32,
        work: Option<&Path>,
        saved: &[u8],
    ) -> Option<Box<dyn Solver + 'a>> {
        Some(match self {
            Self::BalAllis => Box::new(BalAllis::restore(class, threads, saved)?),
            Self::WuBeal => Box::new(WuBeal::restore(class, work, saved)?),
            Self::Muller => Box::new(Muller::restore(class, saved)?),
            Self::Words => Box::new(WordParallel::restore(
                words::of(class, threads),
                class.size(),
                saved,
            )?),
        })
    }

    /// The approximate peak memory of an analysis of `size` indices, result included, in bytes.
    pub const fn memory(self, size: u64) -> u64 {
        match self {
            // States, the buckets of the largest bounds, the result.
            Self::BalAllis => size * 4,
            // With working files: two bitmaps of one side, a compressed save; at the end the entries of one side.
            Self::WuBeal => size / 2 + size / 4,
            // The result twice while it is written to a file, and the bytes of a side. One byte for both sides and
            // the conversions take less.
            Self::Muller => size * 3,
            // The same, and six bitmaps of each side, with equal men counted twice and 64 squares for pawns.
            Self::Words => size * 5,
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
