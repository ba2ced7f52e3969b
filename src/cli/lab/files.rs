//! Where an experiment writes besides the screen.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;

use crate::cli::output::file;
use crate::lab::plot::{self, Bar, Curve, Frame};

/// Files for other programs.
#[derive(Debug, Args)]
pub(super) struct Files {
    /// Draw the results as SVG
    #[arg(long, value_name = "FILE", value_parser = file())]
    svg: Option<PathBuf>,
    /// Write the results as CSV
    #[arg(long, value_name = "FILE", value_parser = file())]
    csv: Option<PathBuf>,
}

impl Files {
    /// Writes the table, if it is wanted.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_csv(&self, header: &[&str], rows: &[Vec<String>]) -> Result<()> {
        let Some(path) = &self.csv else {
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

    /// Draws the curves, if they are wanted.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn draw(&self, frame: Frame<'_>, curves: &[Curve]) -> Result<()> {
        if let Some(path) = &self.svg {
            plot::draw(path, frame, curves)?;
        }
        Ok(())
    }

    /// Draws the bars, if they are wanted.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn draw_bars(&self, caption: &str, x_label: &str, bars: &[Bar]) -> Result<()> {
        if let Some(path) = &self.svg {
            plot::draw_bars(path, caption, x_label, bars)?;
        }
        Ok(())
    }
}
