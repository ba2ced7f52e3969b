//! The algorithms, as the command line names them.

use clap::ValueEnum;

use crate::retro::Algorithm;

/// An algorithm, as the command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum AlgorithmName {
    /// A counter and a value per position, on any number of threads
    BalAllis,
    /// One bit of random-access memory per position of one side
    WuBeal,
    /// One byte per position
    Muller,
    /// Wu and Beal's steps on 64 positions at a time: by far the fastest, on any number of threads
    Words,
}

impl From<AlgorithmName> for Algorithm {
    fn from(name: AlgorithmName) -> Self {
        match name {
            AlgorithmName::BalAllis => Self::BalAllis,
            AlgorithmName::WuBeal => Self::WuBeal,
            AlgorithmName::Muller => Self::Muller,
            AlgorithmName::Words => Self::Words,
        }
    }
}
