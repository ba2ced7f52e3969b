//! The HTML page of an explanation.

use serde::Serialize;
use shakmaty::{Color, Position as _};

use super::evidence::Side;
use super::explanation::{AnalysisStage, Explanation};
use crate::chess::Position;
use crate::chess::notation::parse_uci_move;
use crate::game::Score;
use crate::report::board::{men, svg};
use crate::report::page::{PageError, render};
use crate::report::plot::{Axis, SvgCurve, steps};
use crate::report::words::pawns;

/// Larger scores are drawn at the edge of the chart, in centipawns.
const SCORE_MAX_CP: i16 = 1_000;
/// Minimum space around the scores in the chart, in centipawns.
const ROOM_CP: f64 = 50.0;

#[derive(Serialize)]
struct ExplanationPage<'a> {
    why: &'a Explanation,
    board: String,
    men: String,
    is_decisive: bool,
    low: String,
    high: String,
    /// The possible advantage of another move within the proven bounds, in pawns.
    slack: String,
    /// Number of moves other than the chosen one.
    others: usize,
    course: AnalysisChart,
}

#[derive(Serialize)]
struct AnalysisChart {
    score: SvgCurve,
    depth: SvgCurve,
    safe_depth: SvgCurve,
    /// The scores at the lower and the upper edge.
    scores: [String; 2],
    depth_max: u16,
    /// The quantity of the horizontal axis.
    effort: &'static str,
    /// The total of that quantity.
    spent: String,
}

/// Renders the explanation of a decision in the position `root`.
///
/// # Errors
/// The template does not match the data, which is a bug.
pub fn page(why: &Explanation, root: &Position) -> Result<String, PageError> {
    let bottom = match why.side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    };
    let score = |raw: i16| pawns(Score::from_raw(raw.into()));
    let slack = i32::from(why.high) - i32::from(why.low);
    let shown = ExplanationPage {
        why,
        board: svg(root, bottom, parse_uci_move(root, &why.uci).ok()),
        men: men(root),
        is_decisive: Score::from_raw(why.score.into()).is_decisive(),
        low: score(why.low),
        high: score(why.high),
        slack: format!("{:.2}", f64::from(slack.max(0)) / 100.0),
        others: why.claims.len().saturating_sub(1),
        course: course(why),
    };
    let number = root.chess().fullmoves();
    let dots = bottom.fold_wb(".", "...");
    render(
        "explain.html",
        &format!("Why {number}{dots} {}?", why.san),
        &shown,
    )
}

/// The horizontal coordinate of a stage: logarithmic, because early stages are short.
fn place(moment: &AnalysisStage) -> f64 {
    let effort = moment.milliseconds.unwrap_or(moment.nodes);
    (effort as f64 + 1.0).ln()
}

fn points(moments: &[AnalysisStage], value: impl Fn(&AnalysisStage) -> f64) -> Vec<(f64, f64)> {
    let point = |moment: &AnalysisStage| (place(moment), value(moment));
    moments.iter().map(point).collect()
}

fn score_height(moment: &AnalysisStage) -> f64 {
    f64::from(moment.score.clamp(-SCORE_MAX_CP, SCORE_MAX_CP))
}

/// The depth to which two strategies were shown; 0 before.
fn safe_depth(safety: Option<[u16; 2]>) -> f64 {
    let safe = safety.filter(|[_, conspiracy]| *conspiracy > 1);
    safe.map_or(0.0, |[depth, _]| depth.into())
}

fn course(why: &Explanation) -> AnalysisChart {
    let moments = &why.course;
    let last = moments.last();
    let time = last.and_then(|last| last.milliseconds);
    let scores = points(moments, score_height);
    let heights = || scores.iter().map(|&(_, height)| height);
    let lowest = heights().fold(0.0, f64::min) - ROOM_CP;
    let highest = heights().fold(0.0, f64::max) + ROOM_CP;
    let depth_max = moments.iter().map(|moment| moment.depth).max().unwrap_or(1);
    let (end, deep) = (last.map_or(0.0, place), Axis::up(0.0, f64::from(depth_max)));
    let (x, up) = (Axis::across(0.0, end), Axis::up(lowest, highest));
    let depths = points(moments, |moment| moment.depth.into());
    let mut safe = points(moments, |moment| safe_depth(moment.safety));
    // The second strategy may be found after the last report on the first.
    safe.push((end, safe_depth(Some(why.safety))));
    AnalysisChart {
        score: steps("score", &scores, end, x, up),
        depth: steps("depth", &depths, end, x, deep),
        safe_depth: steps("depth of two strategies", &safe, end, x, deep),
        scores: [lowest, highest].map(|edge| format!("{:+.1}", edge / 100.0)),
        depth_max,
        effort: if time.is_some() { "time" } else { "nodes" },
        spent: match time {
            Some(time) => format!("{:.1} s", time as f64 / 1e3),
            None => format!("{} nodes", last.map_or(0, |last| last.nodes)),
        },
    }
}
