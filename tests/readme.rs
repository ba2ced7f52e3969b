//! The README against the program it describes.

use std::io::Write as _;
use std::process::{Command, Stdio};

use cc2s::settings::EngineParams;

const README: &str = include_str!("../README.md");
const ARCHITECTURE: &str = include_str!("../docs/architecture.md");
const HOSTS: &str = include_str!("../docs/hosts.md");
const SECURITY: &str = include_str!("../docs/security.md");
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

/// Name and default of every option the engine offers by default, and without delegation.
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

/// The first two cells of the table of options.
fn documented() -> Vec<(String, String)> {
    let (_, after) = README.split_once("### Options").unwrap();
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
    let (options, documented) = (options(), documented());
    for row in &documented {
        assert!(
            options.contains(row),
            "README documents {row:?}, which the engine does not offer"
        );
    }
    for (name, _) in options {
        let is_parameter = EngineParams::by_option_name(&name).is_some();
        let is_documented = documented.iter().any(|row| row.0 == name);
        assert!(
            is_parameter || is_documented,
            "README says nothing of '{name}'"
        );
    }
}

#[test]
fn every_search_profile_and_command_is_named() {
    let uci = conversation("uci\nquit\n");
    let choices = uci.lines().filter(|line| line.contains(" type combo "));
    for choice in choices.flat_map(|line| line.split(" var ").skip(1)) {
        assert!(README.contains(&format!("`{choice}`")), "{choice}");
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
            command == "help" || README.contains(&format!("`cc2s {command}")),
            "{command}"
        );
    }
}

#[test]
fn every_file_named_exists() {
    let all = [README, ARCHITECTURE, HOSTS, SECURITY, CHANGES].concat();
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

/// The block of a language in docs/hosts.md.
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
