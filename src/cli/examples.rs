//! The examples in the help of each command, in one place for a test of their syntax.

use clap::Command;

/// The words of a command after `cc2s`, and its examples.
type Examples = (&'static str, &'static [&'static str]);

#[rustfmt::skip]
const EXAMPLES: &[Examples] = &[
    ("", &["cc2s", "cc2s match -e search=Cc2s -e search=PVS --tc 5+0.1 --games 10", "cc2s doctor"]),
    ("uci", &["cc2s uci --hash 256", "cc2s uci --search PVS --tunables"]),
    ("epd", &[
        "cc2s epd positions/wac.epd --movetime 1000",
        "cc2s epd positions/bt2630.epd --nodes 1000000 --score bt2630 --csv results.csv",
    ]),
    ("annotate", &["cc2s annotate games.pgn --movetime 1000 --pgn annotated.pgn --html report.html"]),
    ("explain", &["cc2s explain --line \"startpos moves e4 e5\" --movetime 5000 -o why.html"]),
    ("match", &[
        "cc2s match -e search=Cc2s -e search=PVS --tc 10+0.1 --games 100 --openings positions/openings8.pgn",
        "cc2s match -e search=Cc2s -e cmd=/usr/games/fairymax,proto=xboard --movetime 100 --sprt 0,10",
    ]),
    ("bench", &["cc2s bench", "cc2s bench --search PVS --depth 6"]),
    ("perft", &["cc2s perft 5", "cc2s perft 4 r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"]),
    ("tables", &["cc2s tables generate --men 3 --men 4", "cc2s tables list"]),
    ("tables generate", &["cc2s tables generate --men 3 --men 4 --threads 2", "cc2s tables generate KRvKP"]),
    ("tables verify", &["cc2s tables verify --quick", "cc2s tables verify --against-syzygy tables/syzygy"]),
    ("tables stats", &["cc2s tables stats KRvKP"]),
    ("tables probe", &["cc2s tables probe 8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"]),
    ("tables list", &["cc2s tables list", "cc2s tables list --json"]),
    ("tables bench", &["cc2s tables bench --men 3 --algorithm words,wu-beal"]),
    ("lab", &["cc2s lab quality --depth 6 --profile thesis", "cc2s lab speedup threads --nodes 1000000"]),
    ("lab quality", &["cc2s lab quality --depth 6 --profile thesis"]),
    ("lab calibration", &["cc2s lab calibration games.pgn --positions 500"]),
    ("lab safety", &["cc2s lab safety --nodes 100000", "cc2s lab safety --depth 12"]),
    ("lab reality", &["cc2s lab reality --depth 4"]),
    ("lab fig2-27", &["cc2s lab fig2-27 --nodes 1000000"]),
    ("lab levels", &["cc2s lab levels --nodes 1000000"]),
    ("lab ablation", &["cc2s lab ablation --every 10 --nodes 100000"]),
    ("lab sweep", &["cc2s lab sweep conspiracy_max=1,2,3 --profile thesis"]),
    ("lab conspiracy", &["cc2s lab conspiracy --games 4 --conspiracies 2,3"]),
    ("lab fit", &["cc2s lab fit games.cgm --passes 10 --out weights.rs"]),
    ("lab tune", &["cc2s lab tune tune.jsonl -p futility_cp,razor_cp=20 --nodes 25000 --concurrency 2"]),
    ("lab book", &["cc2s lab book book.epd --lines 5000 --seed 1"]),
    ("lab selfplay", &["cc2s lab selfplay games.cgm --games 1000 --nodes 1500 --threads 2"]),
    (
        "lab train",
        &[
            "cc2s lab train games.cgm --out new.net --hidden 256",
            "cc2s lab train more.cgm --start new.net --rate 0.0002 --epochs 3 --out newer.net",
        ],
    ),
    ("lab speedup", &["cc2s lab speedup threads --nodes 1000000", "cc2s lab speedup ranks --workers 2,8"]),
    ("lab speedup threads", &["cc2s lab speedup threads --search PVS --nodes 1000000 --workers 2"]),
    ("lab speedup ranks", &["cc2s lab speedup ranks --pick 1,5 --nodes 400000 --hash 16 --workers 2,8"]),
    ("lab speedup thesis", &["cc2s lab speedup thesis --profile thesis --workers 9,39 --pick 1,2 --nodes 50000"]),
    ("lab wdl", &["cc2s lab wdl games.pgn"]),
    ("config", &["cc2s config", "cc2s config > engine.toml"]),
    ("completions", &["cc2s completions bash > ~/.local/share/bash-completion/completions/cc2s"]),
    ("man", &["cc2s man | man -l -", "cc2s man --dir /usr/local/share/man/man1"]),
    ("doctor", &["cc2s doctor", "cc2s doctor --syzygy tables/syzygy --eval-file other.net"]),
];

/// Adds the examples to the help of each command.
pub(super) fn added_to(command: Command) -> Command {
    EXAMPLES.iter().fold(command, |command, (path, examples)| {
        let words: Vec<&str> = path.split_whitespace().collect();
        add(command, &words, &text(examples))
    })
}

fn add(command: Command, path: &[&str], text: &str) -> Command {
    match path {
        [] => command.after_help(text.to_owned()),
        [first, rest @ ..] => command.mut_subcommand(*first, |inner| add(inner, rest, text)),
    }
}

fn text(examples: &[&str]) -> String {
    format!("Examples:\n  {}", examples.join("\n  "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;

    fn paths(command: &Command, path: &str, found: &mut Vec<String>) {
        found.push(path.trim().to_owned());
        for inner in command.get_subcommands() {
            paths(inner, &format!("{path} {}", inner.get_name()), found);
        }
    }

    #[test]
    fn every_command_has_an_example() {
        let mut found = Vec::new();
        paths(&command(), "", &mut found);
        assert!(found.len() > 20);
        for path in found {
            assert!(EXAMPLES.iter().any(|(known, _)| *known == path), "{path}");
        }
    }

    /// Redirections and pipes are not arguments of an example.
    #[test]
    fn examples_are_understood() {
        for example in EXAMPLES.iter().flat_map(|(_, examples)| *examples) {
            // Output files are opened while parsing, which this test avoids.
            let writes = ["--out", "--csv", "--pgn", "-o"];
            if example.split(' ').any(|word| writes.contains(&word)) {
                continue;
            }
            let line = example.split(['>', '|']).next().unwrap();
            let parsed = command().try_get_matches_from(line.split_whitespace());
            assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
        }
    }
}
