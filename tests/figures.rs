//! The table of figures in `docs/thesis.md` lists all figures of the thesis, and the tests it names exist.

use std::fs;
use std::path::Path;

/// Number of figures in each chapter of the thesis.
const FIGURES: [(u32, u32); 4] = [(1, 6), (2, 29), (3, 22), (4, 6)];

/// The rows of the table: the first cell and the rest.
fn rows(page: &str) -> Vec<(&str, &str)> {
    let (_, below) = page
        .split_once("\n## Figures\n")
        .expect("the table is there");
    let lines = below.lines().skip_while(|line| !line.starts_with("|---"));
    let rows = lines.skip(1).take_while(|line| line.starts_with('|'));
    rows.filter_map(|row| row.strip_prefix("| ")?.split_once(" | "))
        .collect()
}

/// The figures in the first cell of a row: "2.8", "2.28, 2.29" or "2.3 to 2.5".
fn figures(cell: &str) -> Vec<(u32, u32)> {
    let figure = |text: &str| {
        let (chapter, number) = text.trim().split_once('.').expect("a figure");
        (chapter.parse().unwrap(), number.parse().unwrap())
    };
    match cell.split_once(" to ") {
        Some((from, to)) => {
            let ((chapter, from), (_, to)): ((u32, u32), (u32, u32)) = (figure(from), figure(to));
            (from..=to).map(|number| (chapter, number)).collect()
        }
        None => cell.split(',').map(figure).collect(),
    }
}

fn read_all(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_all(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_figure_has_its_row() {
    let page = fs::read_to_string("docs/thesis.md").unwrap();
    let named: Vec<_> = rows(&page)
        .into_iter()
        .flat_map(|(cell, _)| figures(cell))
        .collect();
    let all = FIGURES
        .iter()
        .flat_map(|&(chapter, count)| (1..=count).map(move |number| (chapter, number)));
    assert_eq!(named, all.collect::<Vec<_>>());
}

#[test]
fn the_tests_named_are_there() {
    let page = fs::read_to_string("docs/thesis.md").unwrap();
    let mut sources = String::new();
    read_all(Path::new("src"), &mut sources);
    read_all(Path::new("tests"), &mut sources);
    let mut count = 0;
    for (_, rest) in rows(&page) {
        for name in rest.split('`').skip(1).step_by(2) {
            assert!(sources.contains(&format!("fn {name}()")), "{name}");
            count += 1;
        }
    }
    assert!(count > 35, "{count} tests are named");
}
