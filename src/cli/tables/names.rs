//! Command-line names of algorithms, metrics and rules.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::endgame::make::awari::GrandSlam;
use crate::endgame::make::{Algorithm, Metric};

impl ValueEnum for Algorithm {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::BalAllis => "A counter and a value per position; any number of threads",
            Self::WuBeal => "One bit of random-access memory per position of one side",
            Self::Muller => "One byte per position",
            Self::Words => {
                "Wu and Beal's steps on 64 positions at a time; by far the fastest; any number of threads"
            }
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

impl ValueEnum for Metric {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Distance, Self::Points]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Distance => PossibleValue::new("dtm").help("Moves to mate"),
            Self::Points => PossibleValue::new("wdl").help("Win, draw or loss"),
        })
    }
}

impl ValueEnum for GrandSlam {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::CapturesNothing => "It captures nothing",
            Self::CapturesAll => "It captures all",
            Self::OnlyMove => "It is illegal unless it is the only move",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}
