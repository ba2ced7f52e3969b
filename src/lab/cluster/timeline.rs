//! A chart of a search: a row for each rank, a bar for each job, and below them the updates that reached the first
//! rank.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;

use crate::cluster::{Received, Span, Timeline};
use crate::lab::plot::Area;
use crate::tools::ToolError;

const WIDTH: u32 = 1_200;
/// Height of all rows together, in pixels; less with few rows.
const ROWS: u32 = 540;
/// Maximum height of one row, in pixels.
const ROW_MAX: u32 = 40;
/// Space above and below the rows, in pixels.
const FRAME: u32 = 60;
/// Height of the curve of updates, in pixels.
const HINTS: u32 = 140;
/// Points of the curve of updates.
const POINTS: usize = 300;
/// Minimum length of a visible bar, in pixels.
const BAR_MIN: f64 = 0.25;

/// A time interval, in microseconds.
#[derive(Clone, Copy)]
struct Stretch {
    start_us: u64,
    end_us: u64,
}

/// Draws the jobs of a search: blue if answered, red if cancelled, blank while the rank waited. A line marks the
/// start of each bar, when the job had been sent and the previous one answered. Ranks perform one job at a time.
///
/// # Errors
/// The file cannot be written.
pub fn draw(
    path: &Path,
    caption: &str,
    ranks: usize,
    timeline: &Timeline,
) -> Result<(), ToolError> {
    draw_on(path, caption, ranks, timeline).map_err(|error| ToolError::File {
        path: path.to_owned(),
        error: std::io::Error::other(error.to_string()),
    })
}

fn draw_on(
    path: &Path,
    caption: &str,
    ranks: usize,
    timeline: &Timeline,
) -> Result<(), Box<dyn Error>> {
    let Timeline { spans, received } = timeline;
    let stretch = Stretch {
        start_us: spans.iter().map(|span| span.from_us).min().unwrap_or(0),
        end_us: spans.iter().map(|span| span.to_us).max().unwrap_or(1),
    };
    let rows = ROWS.min(ROW_MAX * ranks as u32) + FRAME;
    let area = SVGBackend::new(path, (WIDTH, rows + HINTS)).into_drawing_area();
    area.fill(&WHITE)?;
    let (above, below) = area.split_vertically(rows);
    draw_rows(&above, caption, ranks, stretch, &one_by_one(spans))?;
    draw_updates(&below, stretch, received)?;
    area.present()?;
    Ok(())
}

/// Removes the time that jobs waited for the previous job of the same rank.
fn one_by_one(spans: &[Span]) -> Vec<Span> {
    let mut sorted = spans.to_vec();
    sorted.sort_by_key(|span| (span.rank, span.to_us));
    let mut before: Option<Span> = None;
    for span in &mut sorted {
        if let Some(before) = before.filter(|before| before.rank == span.rank) {
            span.from_us = span.from_us.max(before.to_us);
        }
        before = Some(*span);
    }
    sorted
}

/// Returns the visible bars by rank and time. Consecutive short jobs of the same kind are merged, and jobs that
/// are still too short are left out.
fn seen(spans: &[Span], shortest_us: u64) -> Vec<Span> {
    let mut seen: Vec<Span> = Vec::new();
    for span in spans {
        let is_short = span.to_us - span.from_us < shortest_us;
        match seen.last_mut() {
            Some(last)
                if is_short
                    && (last.rank, last.is_broken_off) == (span.rank, span.is_broken_off)
                    && span.from_us < last.to_us + shortest_us =>
            {
                last.to_us = span.to_us;
            }
            _ => seen.push(*span),
        }
    }
    seen.retain(|span| span.to_us - span.from_us >= shortest_us);
    seen
}

impl Stretch {
    fn ms(self, us: u64) -> f64 {
        us.saturating_sub(self.start_us) as f64 / 1e3
    }

    fn all(self) -> std::ops::Range<f64> {
        0.0..self.ms(self.end_us).max(0.001)
    }
}

fn draw_rows(
    area: &Area<'_>,
    caption: &str,
    ranks: usize,
    stretch: Stretch,
    spans: &[Span],
) -> Result<(), Box<dyn Error>> {
    let mut chart = ChartBuilder::on(area)
        .caption(caption, ("sans-serif", 18))
        .margin(8)
        .margin_right(24)
        .x_label_area_size(18)
        .y_label_area_size(70)
        .build_cartesian_2d(stretch.all(), ranks as f64..0.0)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .y_desc("rank")
        .y_labels(ranks.min(14))
        .y_label_formatter(&|row| format!("{row:.0}"))
        .draw()?;
    let shortest_us = (stretch.end_us - stretch.start_us) as f64 * BAR_MIN / f64::from(WIDTH);
    let spans = seen(spans, shortest_us as u64);
    let bar = |span: &Span| {
        let color = if span.is_broken_off { RED } else { BLUE };
        let (row, from, to) = (
            span.rank as f64,
            stretch.ms(span.from_us),
            stretch.ms(span.to_us),
        );
        let corners = [(from, row + 0.1), (to, row + 0.9)];
        Rectangle::new(corners, color.mix(0.55).filled())
    };
    chart.draw_series(spans.iter().map(bar))?;
    let begin = |span: &Span| {
        let (row, from) = (span.rank as f64, stretch.ms(span.from_us));
        PathElement::new([(from, row + 0.1), (from, row + 0.9)], BLACK.mix(0.7))
    };
    chart.draw_series(spans.iter().map(begin))?;
    Ok(())
}

fn draw_updates(
    area: &Area<'_>,
    stretch: Stretch,
    received: &[Received],
) -> Result<(), Box<dyn Error>> {
    let each_ms = stretch.all().end / POINTS as f64;
    let mut rates = vec![0.0; POINTS];
    for received in received {
        let place = (stretch.ms(received.at_us) / each_ms) as usize;
        rates[place.min(POINTS - 1)] += received.updates as f64 / each_ms;
    }
    let most = rates.iter().copied().fold(1.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .margin_right(24)
        .x_label_area_size(34)
        .y_label_area_size(70)
        .build_cartesian_2d(stretch.all(), 0.0..most)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .x_desc("milliseconds")
        .y_desc("updates a ms")
        .y_labels(4)
        .y_label_formatter(&|rate| format!("{rate:.0}"))
        .draw()?;
    let point = |(place, &rate): (usize, &f64)| ((place as f64 + 0.5) * each_ms, rate);
    let ends = [(stretch.all().end, 0.0), (0.0, 0.0)];
    let outline: Vec<_> = rates.iter().enumerate().map(point).chain(ends).collect();
    chart.draw_series([Polygon::new(outline, BLACK.mix(0.35))])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(rank: usize, from_us: u64, to_us: u64) -> Span {
        Span {
            rank,
            from_us,
            to_us,
            nodes: 1,
            is_broken_off: false,
        }
    }

    #[test]
    fn a_job_that_waited_begins_where_the_one_before_ends() {
        let spans = [span(2, 5, 30), span(1, 0, 20), span(2, 0, 10)];
        let expected = [span(1, 0, 20), span(2, 0, 10), span(2, 10, 30)];
        assert_eq!(one_by_one(&spans), expected);
    }

    #[test]
    fn short_jobs_in_a_row_are_seen_as_one() {
        let spans = [
            span(1, 0, 4),
            span(1, 4, 8),
            span(1, 9, 12),
            span(1, 40, 43),
            span(1, 60, 80),
        ];
        assert_eq!(seen(&spans, 10), [span(1, 0, 12), span(1, 60, 80)]);
    }
}
