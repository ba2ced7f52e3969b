//! Curves as points in a box, drawn by the templates.

use serde::{Deserialize, Serialize};

/// Width and height of the box, in units of the drawing.
pub(super) const WIDTH: f64 = 600.0;
pub(super) const HEIGHT: f64 = 160.0;

/// A curve as SVG points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SvgCurve {
    /// The quantity shown.
    pub name: String,
    /// `x,y x,y ...`, rounded to tenths.
    pub points: String,
}

/// The mapping of a range of values to an axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    from: f64,
    to: f64,
    length: f64,
}

impl Axis {
    /// From left to right.
    pub fn across(from: f64, to: f64) -> Self {
        Self {
            from,
            to: to.max(from + 1e-9),
            length: WIDTH,
        }
    }

    /// From bottom to top.
    pub fn up(from: f64, to: f64) -> Self {
        Self {
            from: to.max(from + 1e-9),
            to: from,
            length: HEIGHT,
        }
    }

    /// Returns the coordinate of a value, clamped to the axis.
    pub fn place(self, value: f64) -> f64 {
        let share = (value - self.from) / (self.to - self.from);
        (share.clamp(0.0, 1.0) * self.length * 10.0).round() / 10.0
    }
}

pub(super) fn curve(name: &str, points: &[(f64, f64)], x: Axis, y: Axis) -> SvgCurve {
    let placed = points
        .iter()
        .map(|&(right, high)| format!("{},{}", x.place(right), y.place(high)));
    SvgCurve {
        name: name.to_owned(),
        points: placed.collect::<Vec<_>>().join(" "),
    }
}

/// Creates a step curve: each value holds until the next point, the last one until `end`.
pub(super) fn steps(name: &str, points: &[(f64, f64)], end: f64, x: Axis, y: Axis) -> SvgCurve {
    let mut all = Vec::new();
    for (at, &(right, high)) in points.iter().enumerate() {
        let until = points.get(at + 1).map_or(end, |next| next.0);
        all.extend([(right, high), (until, high)]);
    }
    curve(name, &all, x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lie_where_they_should() {
        let (x, y) = (Axis::across(0.0, 10.0), Axis::up(-1.0, 1.0));
        let drawn = steps("a", &[(0.0, -1.0), (5.0, 2.0)], 10.0, x, y);
        assert_eq!(drawn.points, "0,160 300,160 300,0 600,0");
        assert_eq!(curve("b", &[(2.5, 0.0)], x, y).points, "150,80");
    }
}
