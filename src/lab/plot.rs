//! Line charts and bar charts as SVG.

use std::path::Path;

use plotters::prelude::*;

use crate::tools::ToolError;

/// Maximum number of points of a curve that is drawn with a mark at each.
const MARKED_MAX: usize = 16;

/// A named curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The text in the legend.
    pub name: String,
    /// Points from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Title, labels and ranges of a chart.
#[derive(Clone, Copy, Debug)]
pub struct PlotFrame<'a> {
    /// Title above the chart.
    pub caption: &'a str,
    /// Label of the horizontal axis.
    pub x_label: &'a str,
    /// Label of the vertical axis.
    pub y_label: &'a str,
    /// Range of the horizontal axis.
    pub x: (f64, f64),
    /// Range of the vertical axis.
    pub y: (f64, f64),
    /// Whether the vertical axis is logarithmic to base 10. Curves and ranges are given unscaled and must be
    /// positive.
    pub is_logarithmic: bool,
}

impl<'a> PlotFrame<'a> {
    /// The frame of a chart of speedups by the number of workers.
    pub fn of_speedups(caption: &'a str, x_label: &'a str, curves: &[Curve]) -> Self {
        let points = || curves.iter().flat_map(|curve| &curve.points);
        Self {
            caption,
            x_label,
            y_label: "speedup",
            x: (0.0, points().fold(1.0, |most, point| most.max(point.0))),
            y: (0.0, points().fold(1.0, |most, point| most.max(point.1))),
            is_logarithmic: false,
        }
    }

    fn y(&self, y: f64) -> f64 {
        if self.is_logarithmic { y.log10() } else { y }
    }
}

/// A named bar that starts at zero.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The label of the bar.
    pub name: String,
    /// The value at the end of the bar.
    pub value: f64,
    /// Half the length of the error bar.
    pub error: f64,
}

/// Draws curves.
///
/// # Errors
/// The file cannot be written.
pub fn draw(path: &Path, frame: PlotFrame<'_>, curves: &[Curve]) -> Result<(), ToolError> {
    let area = SVGBackend::new(path, (800, 560)).into_drawing_area();
    draw_on(&area, frame, curves).map_err(|error| failed(path, error.as_ref()))
}

/// Draws horizontal bars, the first one at the top.
///
/// # Errors
/// The file cannot be written.
pub fn draw_bars(path: &Path, caption: &str, x_label: &str, bars: &[Bar]) -> Result<(), ToolError> {
    let height = 110 + 24 * bars.len() as u32;
    let area = SVGBackend::new(path, (800, height)).into_drawing_area();
    draw_bars_on(&area, caption, x_label, bars).map_err(|error| failed(path, error.as_ref()))
}

fn failed(path: &Path, error: &dyn std::error::Error) -> ToolError {
    ToolError::File {
        path: path.to_owned(),
        error: std::io::Error::other(error.to_string()),
    }
}

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn draw_on(
    area: &Area<'_>,
    frame: PlotFrame<'_>,
    curves: &[Curve],
) -> Result<(), Box<dyn std::error::Error>> {
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(area)
        .caption(frame.caption, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(frame.x.0..frame.x.1, frame.y(frame.y.0)..frame.y(frame.y.1))?;
    let label = |y: &f64| {
        if frame.is_logarithmic {
            format!("{:.0}", 10_f64.powf(*y))
        } else {
            format!("{}", (y * 1_000.0).round() / 1_000.0)
        }
    };
    chart
        .configure_mesh()
        .x_desc(frame.x_label)
        .y_desc(frame.y_label)
        .y_label_formatter(&label)
        .draw()?;
    for (index, curve) in curves.iter().enumerate() {
        let color = Palette99::pick(index).to_rgba();
        let points = curve.points.iter().map(|&(x, y)| (x, frame.y(y)));
        if curve.points.len() <= MARKED_MAX {
            let marks = points.clone();
            chart.draw_series(marks.map(|point| Circle::new(point, 4, color.filled())))?;
        }
        let line = LineSeries::new(points, color.stroke_width(2));
        chart
            .draw_series(line)?
            .label(&curve.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()?;
    area.present()?;
    Ok(())
}

fn draw_bars_on(
    area: &Area<'_>,
    caption: &str,
    x_label: &str,
    bars: &[Bar],
) -> Result<(), Box<dyn std::error::Error>> {
    area.fill(&WHITE)?;
    let ends = bars
        .iter()
        .flat_map(|bar| [bar.value - bar.error, bar.value + bar.error]);
    let (least, greatest) = ends.fold((0.0_f64, 0.0_f64), |(least, greatest), end| {
        (least.min(end), greatest.max(end))
    });
    let room = 0.05 * (greatest - least).max(f64::MIN_POSITIVE);
    let count = bars.len() as f64;
    let mut chart = ChartBuilder::on(area)
        .caption(caption, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(44)
        .build_cartesian_2d(least - room..greatest + room, count..0.0)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .x_desc(x_label)
        .draw()?;
    for (index, bar) in bars.iter().enumerate() {
        let (top, bottom) = (index as f64 + 0.2, index as f64 + 0.8);
        let middle = f64::midpoint(top, bottom);
        let color = Palette99::pick(0).mix(0.4).filled();
        chart
            .plotting_area()
            .draw(&Rectangle::new([(0.0, top), (bar.value, bottom)], color))?;
        let whisker = [
            (bar.value - bar.error, middle),
            (bar.value + bar.error, middle),
        ];
        chart
            .plotting_area()
            .draw(&PathElement::new(whisker, BLACK.stroke_width(1)))?;
        let name = Text::new(bar.name.as_str(), (least - room, top), ("sans-serif", 14));
        chart.plotting_area().draw(&name)?;
    }
    area.present()?;
    Ok(())
}
