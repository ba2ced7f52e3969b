//! `cc2s lab reality`.

use anyhow::Result;
use clap::Args;

use super::files::Files;
use crate::cli::output::{progress_bar, say};
use crate::lab::plot::{Curve, PlotFrame};
use crate::lab::reality::{Accuracy, AccuracyRow, Column, Ends, columns};

/// The error theory compared with reality (thesis 4.5, Fig. 4.6). Every position of an ending is searched to a fixed
/// depth with a material-only evaluation. The command counts how often the verdict is right, with and without two
/// leaf-disjoint strategies for the true value.
///
/// The tables are generated in memory. Verdicts are "the stronger side wins" or "it does not".
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// Endings, the stronger side first, separated by commas
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "KRvKB,KRvKN",
        value_name = "NAME,NAME"
    )]
    endings: Vec<String>,
    /// Maximum depth, in plies
    #[arg(long, default_value_t = 5, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(0..=12))]
    depth: u8,
    /// Count an end of the game for any number of strategies, since its value is certain
    #[arg(long)]
    certain_ends: bool,
    #[command(flatten)]
    files: Files,
}

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    let ends = if arguments.certain_ends {
        Ends::AreCertain
    } else {
        Ends::AreLeaves
    };
    let depths = usize::from(arguments.depth) + 1;
    let bar = progress_bar(depths * arguments.endings.len(), 0)?;
    let mut all = Vec::new();
    for name in &arguments.endings {
        all.extend(columns(name, depths - 1, ends, || bar.inc(1))?);
    }
    bar.finish_and_clear();
    for column in &all {
        report(column)?;
    }
    let header = ["ending", "depth", "strategies", "positions", "right"];
    let rows: Vec<_> = all.iter().flat_map(csv_rows).collect();
    arguments.files.write_csv(&header, &rows)?;
    let frame = PlotFrame {
        caption: "Right verdicts: fewer than two leaf-disjoint strategies, and two or more",
        x_label: "depth of the search, in plies",
        y_label: "right, in percent",
        x: (0.0, f64::from(arguments.depth)),
        y: (0.0, 100.0),
        is_logarithmic: false,
    };
    let curves: Vec<_> = all.iter().flat_map(curves).collect();
    arguments.files.draw(frame, &curves)
}

fn report(column: &Column) -> Result<()> {
    say(format_args!("{}: right verdicts, in percent", column.name))?;
    say("depth   fewer than 2      2 or more            all   trees with 2 or more")?;
    for (depth, row) in column.rows.iter().enumerate() {
        let all = row.few.with(row.many);
        say(format_args!(
            "{depth:>5} {:>14} {:>14} {:>14} {:>14}",
            percent(row.few),
            percent(row.many),
            percent(all),
            format!(
                "{:.1}",
                100.0 * row.many.positions as f64 / all.positions as f64
            )
        ))?;
    }
    say("")?;
    Ok(())
}

fn percent(share: Accuracy) -> String {
    share
        .rate()
        .map_or("-".to_owned(), |rate| format!("{:.1}", 100.0 * rate))
}

fn csv_rows(column: &Column) -> Vec<Vec<String>> {
    let line = |depth: usize, strategies: &str, share: Accuracy| {
        vec![
            column.name.clone(),
            depth.to_string(),
            strategies.to_owned(),
            share.positions.to_string(),
            share.right.to_string(),
        ]
    };
    let rows = column.rows.iter().enumerate();
    rows.flat_map(|(depth, row)| {
        [
            line(depth, "fewer than 2", row.few),
            line(depth, "2 or more", row.many),
        ]
    })
    .collect()
}

fn curves(column: &Column) -> [Curve; 2] {
    let curve = |name: &str, share: fn(&AccuracyRow) -> Accuracy| Curve {
        name: format!("{} {name}", column.name),
        points: (column.rows.iter().enumerate())
            .filter_map(|(depth, row)| Some((depth as f64, 100.0 * share(row).rate()?)))
            .collect(),
    };
    [
        curve("fewer than 2", |row| row.few),
        curve("2 or more", |row| row.many),
    ]
}
