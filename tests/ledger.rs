//! The form of the ledger of experiments: `docs/experiments.csv`, and the notes on its topics in
//! `docs/experiments.md`; and that every parameter of `engine.toml` says where its default comes from.

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

/// The name by which a heading can be linked to, as forges make it.
fn anchor(heading: &str) -> String {
    let kept = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
    let text: String = heading.chars().filter(kept).collect();
    text.trim().to_lowercase().replace(' ', "-")
}

/// The text below a heading, up to the next one.
fn section(page: &str, wanted: &str) -> Option<String> {
    let mut lines = page.lines();
    let is_wanted =
        |line: &str| line.starts_with('#') && anchor(line.trim_start_matches('#')) == wanted;
    lines.find(|line| is_wanted(line))?;
    let below: Vec<_> = lines.take_while(|line| !line.starts_with('#')).collect();
    Some(below.join("\n"))
}

/// Why a source is none; a link must lead to a heading, and in the notes on experiments to one with a topic.
fn fault(source: &str) -> Option<String> {
    let Some((page, heading)) = source.split_once('#') else {
        let year = source.rsplit(' ').next().and_then(|word| word.parse().ok());
        let is_paper = year.is_some_and(|year: u16| (1950..2030).contains(&year));
        let is_named = source.starts_with("thesis ") || source.starts_with("games at ") || is_paper;
        let is_plain = ["custom", "not measured", "technical bound"].contains(&source);
        return (!is_named && !is_plain).then(|| "neither a link nor a source".to_owned());
    };
    let Ok(text) = std::fs::read_to_string(page) else {
        return Some(format!("there is no {page}"));
    };
    let Some(below) = section(&text, heading) else {
        return Some(format!("{page} has no such heading"));
    };
    (page == "docs/experiments.md" && !below.contains("Topic `"))
        .then(|| "a heading without a topic".to_owned())
}

#[test]
fn every_default_has_a_source() {
    let parameters = include_str!("../engine.toml");
    let sources = parameters
        .lines()
        .filter_map(|line| line.strip_prefix("# default ")?.split_once("; "));
    let sources: Vec<_> = sources.map(|(_, source)| source).collect();
    assert!(sources.len() > 80, "{} parameters", sources.len());
    let faults: Vec<_> = (sources.iter())
        .filter_map(|source| Some(format!("{source}: {}", fault(source)?)))
        .collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_bare_link_is_no_source() {
    for bare in [
        "docs/experiments.md",
        "measured",
        "estimate",
        "docs/experiments.md#",
        "docs/experiments.md#mate",
    ] {
        assert!(fault(bare).is_some(), "{bare}");
    }
    assert_eq!(fault("docs/experiments.md#mates"), None);
}
