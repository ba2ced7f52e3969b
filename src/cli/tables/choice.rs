//! Selection of tables by material or name.

use anyhow::Result;
use clap::Args;

use crate::endgame::make::awari::GrandSlam;
use crate::endgame::make::material::Material;
use crate::endgame::make::{Metric, Subject, TableError};

/// Tables chosen by name or by kind.
#[derive(Debug, Args)]
pub(super) struct TableChoice {
    #[arg(
        help = "Tables such as KQvKR, KQvKR.wdl or awari-07-only",
        value_name = "NAME",
        required_unless_present_any = ["men", "awari"]
    )]
    names: Vec<String>,
    /// All endings with this many men, kings included; may be repeated
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=5))]
    men: Vec<u8>,
    /// Awari with this many stones on the board
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=30))]
    awari: Option<u8>,
    /// Awari: rule for a move that captures all of the opponent's stones
    #[arg(long, value_enum, default_value_t = GrandSlam::OnlyMove)]
    rule: GrandSlam,
    /// Chess: contents of the tables
    #[arg(long, value_enum, default_value_t = Metric::Distance)]
    metric: Metric,
    /// Chess: results only, two bits per entry; short for --metric wdl
    #[arg(long, conflicts_with = "metric")]
    bits: bool,
}

impl TableChoice {
    /// The selected subjects, those given by name last.
    pub(super) fn subjects(&self) -> Result<Vec<Subject>> {
        let metric = if self.bits {
            Metric::Points
        } else {
            self.metric
        };
        let classes = self
            .men
            .iter()
            .flat_map(|&count| Material::with_men(count.into()));
        let mut subjects: Vec<_> = classes.map(|class| Subject::Chess(class, metric)).collect();
        subjects.extend(self.awari.map(|stones| Subject::Awari(stones, self.rule)));
        for name in &self.names {
            subjects.push(match subject_named(name)? {
                Subject::Chess(class, Metric::Distance) => Subject::Chess(class, metric),
                other => other,
            });
        }
        Ok(subjects)
    }
}

pub(super) fn subject_named(name: &str) -> Result<Subject> {
    let unknown = || TableError::UnknownName(name.to_owned());
    Ok(Subject::parse(name).ok_or_else(unknown)?)
}
