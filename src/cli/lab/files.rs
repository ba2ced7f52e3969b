//! Output files of an experiment.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::cli::output::{file, keep_apart};
use crate::lab::plot::{self, Bar, Curve, PlotFrame};

/// Output files, with distinct names.
#[derive(Debug)]
pub(super) struct Files(Names);

#[derive(Debug, Args)]
struct Names {
    /// Draw the results as SVG
    #[arg(long, value_name = "FILE", value_parser = file())]
    svg: Option<PathBuf>,
    /// Write the results as CSV
    #[arg(long, value_name = "FILE", value_parser = file())]
    csv: Option<PathBuf>,
}

impl Args for Files {
    fn augment_args(command: Command) -> Command {
        Names::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Names::augment_args_for_update(command)
    }
}

impl FromArgMatches for Files {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let names = Names::from_arg_matches(matches)?;
        keep_apart([], names.svg.iter().chain(&names.csv))
            .map_err(|error| clap::Error::raw(ErrorKind::ArgumentConflict, format!("{error}\n")))?;
        Ok(Self(names))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Files {
    /// Writes the CSV file, if requested.
    pub fn write_csv(&self, header: &[&str], rows: &[Vec<String>]) -> Result<()> {
        let Some(path) = &self.0.csv else {
            return Ok(());
        };
        let mut writer =
            csv::Writer::from_path(path).with_context(|| path.display().to_string())?;
        writer.write_record(header)?;
        for row in rows {
            writer.write_record(row)?;
        }
        writer.flush()?;
        Ok(())
    }

    /// Draws the curves, if requested.
    pub fn draw(&self, frame: PlotFrame<'_>, curves: &[Curve]) -> Result<()> {
        if let Some(path) = &self.0.svg {
            plot::draw(path, frame, curves)?;
        }
        Ok(())
    }

    /// Draws the bars, if requested.
    pub fn draw_bars(&self, caption: &str, x_label: &str, bars: &[Bar]) -> Result<()> {
        if let Some(path) = &self.0.svg {
            plot::draw_bars(path, caption, x_label, bars)?;
        }
        Ok(())
    }
}
