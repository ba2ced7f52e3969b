//! Curves as SVG.

use std::path::Path;

use plotters::prelude::*;

use super::LabError;

/// A named curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// What the legend says.
    pub name: String,
    /// Points from left to right.
    pub points: Vec<(f64, f64)>,
}

/// What stands around the curves.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Above the picture.
    pub caption: &'a str,
    /// Below the horizontal axis.
    pub x_label: &'a str,
    /// Beside the vertical axis.
    pub y_label: &'a str,
    /// Ends of the horizontal axis.
    pub x: (f64, f64),
    /// Ends of the vertical axis.
    pub y: (f64, f64),
}

/// Draws curves over linear axes.
///
/// # Errors
/// The file cannot be written.
pub fn draw(path: &Path, frame: Frame<'_>, curves: &[Curve]) -> Result<(), LabError> {
    draw_on(
        &SVGBackend::new(path, (800, 560)).into_drawing_area(),
        frame,
        curves,
    )
    .map_err(|error| LabError::File {
        path: path.to_owned(),
        error: std::io::Error::other(error.to_string()),
    })
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn draw_on(
    area: &Area<'_>,
    frame: Frame<'_>,
    curves: &[Curve],
) -> Result<(), Box<dyn std::error::Error>> {
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(area)
        .caption(frame.caption, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(frame.x.0..frame.x.1, frame.y.0..frame.y.1)?;
    chart
        .configure_mesh()
        .x_desc(frame.x_label)
        .y_desc(frame.y_label)
        .draw()?;
    for (index, curve) in curves.iter().enumerate() {
        let color = Palette99::pick(index).to_rgba();
        let line = LineSeries::new(curve.points.iter().copied(), color.stroke_width(2));
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
