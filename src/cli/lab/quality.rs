//! `cc2s lab quality`.

use std::fmt::Write as _;
use std::io::Write as _;

use anyhow::{Context, Result};
use clap::Args;

use super::files::Files;
use crate::chess::notation::{CastlingStyle, parse_fen, uci_move};
use crate::chess::{Line, Position};
use crate::cli::engine::EngineArguments;
use crate::game::Game as _;
use crate::lab::plot::{Curve, PlotFrame};
use crate::lab::quality::{Examined, examine, examine_delegated};
use crate::thesis::quality::{Hull, Proof, break_even, critical_leaves, error_probability};

/// Which position, how deep, and where to write.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// The position, as FEN with or without the two counters [default: the initial position]
    #[arg(num_args = 0..=6, value_name = "FEN")]
    fen: Vec<String>,
    /// Depth of the requirement to meet, in plies; its conspiracy number comes from the settings
    #[arg(long, default_value_t = 5, value_name = "D", value_parser = clap::value_parser!(u16).range(1..))]
    depth: u16,
    /// Nodes after which to stop
    #[arg(long, default_value_t = 5_000_000, value_name = "N")]
    nodes: u64,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    engine: EngineArguments,
}

/// Leaf error probabilities listed in the report.
const NAMED: [f64; 5] = [0.001, 0.01, 0.02, 0.05, 0.1];

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    let given = arguments.fen.join(" ");
    let position = if given.is_empty() {
        Position::initial()
    } else {
        parse_fen(&given)?
    };
    let line = Line::new(position);
    anyhow::ensure!(
        line.end_score().is_none(),
        "the game is over in this position"
    );
    let params = arguments.engine.params()?;
    let look = if params.delegation.delegate {
        examine_delegated
    } else {
        examine
    };
    let examined = look(&line, &params, arguments.depth, arguments.nodes)?
        .context("too few nodes for the first requirement")?;
    let report = claims(line.position(), &examined)? + &decision(&examined)?;
    std::io::stdout().write_all(report.as_bytes())?;
    let points = curve(&examined.decision.hull);
    let rows: Vec<Vec<String>> = points
        .iter()
        .map(|(leaf, decision)| vec![leaf.to_string(), decision.to_string()])
        .collect();
    arguments
        .files
        .write_csv(&["leaf_error", "decision_error"], &rows)?;
    let frame = PlotFrame {
        caption: "How errors at leaves spread",
        x_label: "probability that a leaf is wrong",
        y_label: "probability of error",
        x: (0.0, 0.3),
        y: (0.0, 1.0),
        is_logarithmic: false,
    };
    let decision = Curve {
        name: "the decision".to_owned(),
        points,
    };
    let leaf = Curve {
        name: "a leaf".to_owned(),
        points: vec![(0.0, 0.0), (0.3, 0.3)],
    };
    arguments.files.draw(frame, &[decision, leaf])
}

/// The claim about each root move, and its proof.
fn claims(position: &Position, examined: &Examined) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let Examined {
        met,
        hypothesis,
        margin_cp,
        nodes,
        decision,
    } = examined;
    writeln!(
        text,
        "requirement ({},{}) met, splitting value {hypothesis} +- {margin_cp}, {nodes} nodes",
        met.depth, met.conspiracy
    )?;
    writeln!(
        text,
        "{:<6} {:>15} {:>10} {:>8} {:>8}",
        "move", "claim", "strategies", "critical", "leaves"
    )?;
    for claim in &decision.claims {
        let mv = uci_move(position, claim.mv, CastlingStyle::KingMoves);
        let side = if claim.mv == decision.claims[0].mv {
            "at least"
        } else {
            "at most"
        };
        let claimed = format!("{side} {}", claim.bound.score());
        let strategies = count(claim.strategies);
        writeln!(
            text,
            "{mv:<6} {claimed:>15} {strategies:>10} {:>8} {:>8}",
            claim.critical_leaves, claim.leaves
        )?;
    }
    Ok(text)
}

/// The reliability of the decision as a whole.
fn decision(examined: &Examined) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let hull = &examined.decision.hull;
    let strategies = examined.decision.strategies();
    if strategies == 0 {
        writeln!(text, "the stored tree does not prove the decision")?;
        return Ok(text);
    }
    let critical = critical_leaves(hull).len();
    let verdict = if critical == 0 {
        "useful"
    } else {
        "not useful (Definition 4.3-15)"
    };
    writeln!(
        text,
        "decision: {} strategies, {critical} critical of {} leaves: {verdict}",
        count(strategies),
        hull.leaves()
    )?;
    for e in NAMED {
        writeln!(
            text,
            "leaves wrong with probability {e}: decision wrong with {:.3e}",
            error_probability(hull, e)
        )?;
    }
    match break_even(hull) {
        Some(e) => writeln!(
            text,
            "better than a single valuation up to {:.2} % errors",
            100.0 * e
        ),
        None => writeln!(
            text,
            "no break-even: worse than a single valuation from the start, or better everywhere"
        ),
    }?;
    Ok(text)
}

fn count(strategies: u64) -> String {
    match strategies {
        0 => "none".to_owned(),
        Proof::CERTAIN => "certain".to_owned(),
        number => number.to_string(),
    }
}

/// The error probability of the root by that of a leaf.
fn curve(hull: &Hull) -> Vec<(f64, f64)> {
    let steps = 300;
    (0..=steps)
        .map(|step| f64::from(step) / 1_000.0)
        .map(|e| (e, error_probability(hull, e)))
        .collect()
}
