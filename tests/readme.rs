//! Compares the README and the pages in `docs` with the program.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cc2s::settings::EngineParams;

const README: &str = include_str!("../README.md");
const OPTIONS: &str = include_str!("../docs/options.md");
const HOSTS: &str = include_str!("../docs/hosts.md");
const CHANGES: &str = include_str!("../docs/CHANGELOG.md");

fn conversation(input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cc2s"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

/// Name and default of every option, with default settings and without delegation.
fn options() -> Vec<(String, String)> {
    let text = conversation("uci\nsetoption name Profile value alone\nuci\nquit\n");
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("option name "));
    lines
        .map(|line| {
            let (name, rest) = line.split_once(" type ").unwrap();
            let default = rest.split_once(" default ").map_or("", |(_, after)| after);
            let default = default.split(" var ").next().unwrap();
            let default = default.split(" min ").next().unwrap();
            (name.to_owned(), default.to_owned())
        })
        .collect()
}

/// The first two cells of the option table below a heading.
fn documented(page: &str, heading: &str) -> Vec<(String, String)> {
    let (_, after) = page.split_once(heading).unwrap();
    let rows = after.lines().skip_while(|line| !line.starts_with("|---"));
    rows.skip(1)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<&str> = line
                .split('|')
                .map(|cell| cell.trim().trim_matches('`'))
                .collect();
            (cells[1].to_owned(), cells[2].to_owned())
        })
        .collect()
}

#[test]
fn every_option_is_documented_with_its_default() {
    let options = options();
    let documented = documented(OPTIONS, "## UCI options\n");
    let few = self::documented(README, "## Options\n");
    assert_eq!(few.len(), 10);
    for row in documented.iter().chain(&few) {
        assert!(
            options.contains(row),
            "{row:?} is documented, but the engine does not offer it"
        );
    }
    for (name, _) in options {
        let is_parameter = EngineParams::by_option_name(&name).is_some();
        let is_documented = documented.iter().any(|row| row.0 == name);
        assert!(
            is_parameter || is_documented,
            "docs/options.md says nothing of '{name}'"
        );
    }
}

#[test]
fn every_search_profile_and_command_is_named() {
    let uci = conversation("uci\nquit\n");
    let choices = uci.lines().filter(|line| line.contains(" type combo "));
    for choice in choices.flat_map(|line| line.split(" var ").skip(1)) {
        assert!(OPTIONS.contains(&format!("`{choice}`")), "{choice}");
    }
    let help = Command::new(env!("CARGO_BIN_EXE_cc2s"))
        .arg("--help")
        .output()
        .unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let (_, after) = help.split_once("Commands:\n").unwrap();
    let commands = after.lines().take_while(|line| !line.is_empty());
    for command in commands.filter_map(|line| line.split_whitespace().next()) {
        assert!(
            command == "help" || OPTIONS.contains(&format!("`cc2s {command}")),
            "{command}"
        );
    }
}

#[test]
fn every_file_named_exists() {
    let all: String = pages().into_values().collect();
    let words = all.split(|c: char| c.is_whitespace() || "`|()[],;:".contains(c));
    let prefixes = ["src/", "positions/", "docs/", "tests/", ".ci/"];
    let named: Vec<&str> = words
        .filter(|word| prefixes.iter().any(|p| word.starts_with(p)))
        .collect();
    assert!(named.len() > 20);
    for path in named {
        let full = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        assert!(full.exists(), "{path}");
    }
}

/// The code block of a language in docs/hosts.md.
fn snippet(language: &str) -> &'static str {
    let (_, after) = HOSTS.split_once(&format!("```{language}\n")).unwrap();
    after.split("```").next().unwrap()
}

#[test]
fn hosts_are_told_of_options_that_exist() {
    let list: serde_json::Value = serde_json::from_str(snippet("json")).unwrap();
    let given = list[0]["options"].as_array().unwrap();
    let uci = conversation("uci\nquit\n");
    assert_eq!(given.len(), 2);
    for option in given {
        let word = |key: &str| option[key].to_string().replace('"', "");
        let keys = ["name", "type", "default", "min", "max"];
        let line = keys.map(|key| format!("{key} {}", word(key))).join(" ");
        assert!(uci.contains(&format!("option {line}\n")), "{line}");
    }
    let (_, after) = snippet("yaml").split_once("uci_options:\n").unwrap();
    let names: Vec<&str> = after
        .lines()
        .map(|line| line.split(':').next().unwrap().trim())
        .collect();
    assert_eq!(names.len(), 3);
    for name in names {
        assert!(options().iter().any(|(known, _)| known == name), "{name}");
    }
}

#[test]
fn the_changes_begin_with_this_version() {
    let newest = CHANGES.lines().find_map(|line| line.strip_prefix("## "));
    assert_eq!(newest, Some(env!("CARGO_PKG_VERSION")));
}

/// The README and the pages in `docs`, by path.
fn pages() -> BTreeMap<PathBuf, String> {
    let docs = std::fs::read_dir("docs").unwrap();
    let paths = docs.map(|entry| entry.unwrap().path());
    let paths = paths.filter(|path| path.extension().is_some_and(|it| it == "md"));
    let all = paths.chain([PathBuf::from("README.md")]);
    all.map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()))
        .collect()
}

/// The anchors of a page's headings, as generated by forges.
fn anchors(page: &str) -> Vec<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|heading| {
            let kept = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
            let text: String = heading.chars().filter(kept).collect();
            text.trim().to_lowercase().replace(' ', "-")
        })
        .collect()
}

/// The targets of a page's links and images, except those on the web.
fn links(page: &str) -> impl Iterator<Item = &str> {
    let after = page.split("](").skip(1);
    let targets = after.filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://"))
}

#[test]
fn every_link_leads_somewhere() {
    let pages = pages();
    let mut count = 0;
    for (path, text) in &pages {
        for link in links(text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                _ => path.parent().unwrap_or(Path::new("")).join(file),
            };
            assert!(target.exists(), "{}: {link}", path.display());
            let there = pages.get(&target).map(|page| anchors(page));
            let is_there =
                anchor.is_empty() || there.is_some_and(|it| it.iter().any(|a| a == anchor));
            assert!(is_there, "{}: {link}", path.display());
            count += 1;
        }
    }
    assert!(count > 50, "{count} links");
}

#[test]
fn texts_stay_short() {
    let words = |text: &str| text.split_whitespace().count();
    assert!(words(README) <= 1_200, "README has {}", words(README));
    let docs: usize = pages().values().map(|text| words(text)).sum::<usize>() - words(README);
    assert!(docs <= 20_000, "docs have {docs}");
}
