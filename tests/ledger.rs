//! The form of the ledger of experiments: `docs/experiments.csv`, and the notes on its topics in `docs/experiments.md`.

use std::collections::BTreeSet;

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Experiment {
    date: String,
    commit: String,
    topic: String,
    what: String,
    #[serde(rename = "command")]
    _command: String,
    #[serde(rename = "sample")]
    _sample: String,
    effect: String,
    error: String,
    kept: String,
}

fn experiments() -> Vec<Experiment> {
    let reader = csv::Reader::from_path("docs/experiments.csv");
    let records = reader.unwrap().into_deserialize().collect::<Result<_, _>>();
    records.unwrap()
}

#[test]
fn every_line_says_when_what_and_what_came_out() {
    let first = jiff::civil::date(2026, 11, 21);
    let experiments = experiments();
    assert!(experiments.len() >= 395);
    for Experiment {
        date,
        commit,
        what,
        effect,
        kept,
        ..
    } in experiments
    {
        let day: jiff::civil::Date = date.parse().unwrap();
        assert!(day >= first, "{what}: {date}");
        let hash = commit.split([' ', ';', ',']).next().unwrap();
        let is_hash = (7..=40).contains(&hash.len()) && u64::from_str_radix(hash, 16).is_ok();
        assert!(is_hash, "{what}: commit {commit}");
        assert!(
            ![&what, &effect, &kept].iter().any(|cell| cell.is_empty()),
            "{what}: effect {effect}, kept {kept}"
        );
    }
}

/// An effect with one error has it in its column.
#[test]
fn errors_stand_beside_their_effects() {
    for experiment in experiments() {
        let errors: Vec<_> = experiment.effect.split('±').skip(1).collect();
        let is_named = !experiment.error.is_empty();
        assert_eq!(is_named, errors.len() == 1, "{}", experiment.what);
        if let [error] = errors[..] {
            let error = error.trim_start();
            assert!(error.starts_with(&experiment.error), "{}", experiment.what);
        }
    }
}

#[test]
fn every_topic_has_a_note_and_every_note_a_line() {
    let page = std::fs::read_to_string("docs/experiments.md").unwrap();
    let noted: BTreeSet<_> = page
        .lines()
        .filter_map(|line| line.strip_prefix("Topic `")?.strip_suffix("`."))
        .map(str::to_owned)
        .collect();
    let used: BTreeSet<_> = experiments().into_iter().map(|it| it.topic).collect();
    assert_eq!(noted, used);
}
