//! Who worked when: a row for each rank, a bar for each job.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;

use crate::driver::ranks::Span;
use crate::lab::LabError;

/// Height of a rank's row, in pixels.
const ROW: u32 = 14;
const WIDTH: u32 = 1_200;
/// Above and below the rows.
const FRAME: u32 = 90;

/// Draws the jobs of a search: blue where the answer was wanted, red where the job was broken off, blank where a rank waited.
///
/// # Errors
/// The file cannot be written.
pub fn draw(path: &Path, caption: &str, ranks: usize, spans: &[Span]) -> Result<(), LabError> {
    draw_on(path, caption, ranks, spans).map_err(|error| LabError::File {
        path: path.to_owned(),
        error: std::io::Error::other(error.to_string()),
    })
}

fn draw_on(path: &Path, caption: &str, ranks: usize, spans: &[Span]) -> Result<(), Box<dyn Error>> {
    let end_us = spans.iter().map(|span| span.to_us).max().unwrap_or(1);
    let start_us = spans.iter().map(|span| span.from_us).min().unwrap_or(0);
    let ms = |us: u64| (us - start_us) as f64 / 1e3;
    let height = FRAME + ROW * ranks as u32;
    let area = SVGBackend::new(path, (WIDTH, height)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(caption, ("sans-serif", 16))
        .margin(8)
        .x_label_area_size(34)
        .y_label_area_size(40)
        .build_cartesian_2d(0.0..ms(end_us), ranks as f64..0.0)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .x_desc("milliseconds")
        .y_desc("rank")
        .y_label_formatter(&|row| format!("{row:.0}"))
        .draw()?;
    let bar = |span: &Span| {
        let color = if span.is_broken_off { RED } else { BLUE };
        let row = span.rank as f64;
        let corners = [(ms(span.from_us), row + 0.1), (ms(span.to_us), row + 0.9)];
        Rectangle::new(corners, color.mix(0.6).filled())
    };
    chart.draw_series(spans.iter().map(bar))?;
    area.present()?;
    Ok(())
}
