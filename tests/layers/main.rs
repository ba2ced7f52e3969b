//! The layers of the crate: which module may depend on which, checked in the source text.
//!
//! A module depends only on those below it. Each line of [`TABLE`] lists the modules of this crate, foreign crates
//! and capabilities of the standard library that a module may use; everything else is forbidden. Unit tests (below
//! `#[cfg(test)]`) are exempt.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

mod circles;
mod signatures;

/// The dependencies permitted to a module or one of its folders.
struct Rule {
    module: &'static str,
    /// Modules of this crate.
    inner: &'static str,
    /// Foreign crates in addition to [`EVERYWHERE`]. `name@file` permits a crate in one file only.
    outer: &'static str,
    /// Capabilities of the standard library, see [`POWERS`].
    powers: &'static str,
}

const fn rule(
    module: &'static str,
    inner: &'static str,
    outer: &'static str,
    powers: &'static str,
) -> Rule {
    Rule {
        module,
        inner,
        outer,
        powers,
    }
}

/// Permitted in every layer: error types, vectors in large pages, declared parameters (and their macro), and words
/// shared by threads.
const EVERYWHERE: [&str; 5] = ["thiserror", "large_pages", "params", "parameters", "sync"];

/// The permitted dependencies. `shakmaty` in addition to `chess` means its basic types (squares, roles,
/// bitboards), which `chess` also uses.
#[rustfmt::skip]
const TABLE: &[Rule] = &[
    rule("large_pages", "", "libc", "unsafe"),
    rule("params", "", "", ""),
    rule("sync", "", "crossbeam parking_lot@event.rs", "unsafe@prefetch.rs"),
    rule("game", "", "serde@job.rs serde@score.rs serde@window.rs", ""),
    rule("chess", "game", "encoding_rs@text.rs pgn_reader@visitor.rs serde@mv.rs shakmaty", ""),
    rule("eval", "game chess", "bytemuck@layers.rs shakmaty wide@layers.rs xxhash_rust@file.rs", ""),
    rule("search", "game chess eval", "shakmaty parking_lot@shared_search.rs", ""),
    rule("cc2s", "game", "", ""),
    rule("endgame/make", "game", "shakmaty crossbeam@threads.rs xxhash_rust zstd", "files threads hash"),
    rule("thesis", "game", "crossbeam@pool.rs parking_lot@pool.rs", "hash@table.rs threads@pool.rs"),
    rule("endgame/probe", "game chess", "directories@own.rs lzma_rust2@gaviota.rs shakmaty shakmaty_syzygy", "files threads@maker.rs hash"),
    rule("time", "game", "", ""),
    rule("settings", "search cc2s thesis endgame time", "toml", "files@config.rs"),
    rule("cluster", "game chess search cc2s endgame time settings", "crossbeam@executor.rs crossbeam@pump.rs mpi@mpi.rs mpi@sending.rs parking_lot@world.rs postcard@message.rs serde", "clock@world.rs threads@executor.rs threads@world.rs unsafe@sending.rs"),
    rule("engine", "game chess eval search cc2s thesis endgame time settings cluster", "crossbeam parking_lot shakmaty", "clock files threads"),
    rule("uci", "game chess time settings engine", "crossbeam vampirc_uci@command.rs", "files threads print"),
    rule("tools", "game chess search settings engine", "crossbeam csv jiff@pgn.rs libm@stats.rs parking_lot serde serde_json shakmaty strsim@options.rs", "clock files threads processes print@source.rs hash"),
    rule("lab", "game chess eval search cc2s thesis endgame settings cluster engine tools", "corosensei@diver.rs crossbeam parking_lot plotters serde serde_json shakmaty xxhash_rust", "clock files threads hash"),
    rule("report", "game chess eval cc2s thesis engine", "minijinja serde serde_json shakmaty", "clock"),
    rule("cli", "game chess eval search thesis endgame settings cluster engine uci tools lab report", "anyhow clap clap_complete clap_mangen csv ctrlc indicatif parking_lot serde serde_json shakmaty xxhash_rust", "clock files threads processes hash print"),
    rule("endgame", "", "", ""),
    rule("main", "", "cc2s", "processes"),
    rule("lib", "", "", ""),
];

/// The folders that the files of a folder may use within a module; they must precede it in the list. Files outside
/// the folders may be used by all.
const FOLDERS: [(&str, &str); 15] = [
    ("endgame/make", ""),
    ("endgame/probe", "make"),
    ("engine/mate", ""),
    ("engine/session", "mate"),
    ("engine/searches", "mate"),
    ("thesis/tree", ""),
    ("thesis/search", "tree"),
    ("thesis/root", "tree search"),
    ("thesis/messages", "tree search"),
    ("thesis/tasks", "tree search root messages"),
    ("thesis/workers", "tree search root messages tasks"),
    ("thesis/threads", "tree search messages tasks workers"),
    ("thesis/simulator", ""),
    ("thesis/baseline", ""),
    ("thesis/quality", ""),
];

/// Capabilities of the standard library and the language, and the words that indicate their use. `hash` is a map
/// whose iteration order varies from run to run.
const POWERS: &[(&str, &[&str])] = &[
    ("clock", &["Instant", "SystemTime"]),
    ("files", &["fs", "OpenOptions"]),
    ("threads", &["thread", "mpsc"]),
    ("processes", &["process"]),
    ("hash", &["HashMap", "HashSet"]),
    ("unsafe", &["unsafe", "unsafe_code"]),
    (
        "print",
        &[
            "println", "eprintln", "print", "eprint", "stdout", "stderr", "stdin",
        ],
    ),
    (
        "debug prints, which nobody needs in the end",
        &["dbg", "todo", "unimplemented"],
    ),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn all_sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    sources(&root().join("src"), &mut found);
    found.sort();
    assert!(found.len() > 20, "the sources have moved");
    found
}

/// The text before the unit tests, without comments and string contents. The declaration of a test module does not
/// end it.
fn code(text: &str) -> String {
    let mut tests = text.match_indices("\n#[cfg(test)]\n");
    let is_end = |&(at, mark): &(usize, &str)| {
        let next = text[at + mark.len()..].lines().next();
        !next.is_some_and(|line| line.ends_with(';'))
    };
    let end = tests.find(is_end).map_or(text.len(), |(at, _)| at);
    let text = &text[..end];
    let mut kept = String::new();
    for line in text.lines() {
        let mut quoted = false;
        let mut previous = ' ';
        for (at, letter) in line.char_indices() {
            if !quoted && line[at..].starts_with("//") {
                break;
            }
            if letter == '"' && previous != '\\' && previous != '\'' {
                quoted = !quoted;
            } else if !quoted {
                kept.push(letter);
            }
            previous = letter;
        }
        kept.push('\n');
    }
    kept
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// All identifiers with the text before and after each.
fn names(code: &str) -> Vec<(&str, &str, &str)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, letter) in code.char_indices().chain([(code.len(), ' ')]) {
        match (is_name(letter), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push((&code[..from], &code[from..at], &code[at..]));
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// The modules named after `crate::`, including `crate::{a, b::c}`.
fn inner_modules(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (before, name, after) in names(code) {
        if name != "crate" || before.ends_with('$') {
            continue;
        }
        let Some(path) = after.strip_prefix("::") else {
            continue;
        };
        let mut depth = 0;
        for (before, name, _) in names(path) {
            let between = before.rsplit(is_name).next().unwrap();
            for letter in between.chars() {
                depth += i32::from(letter == '{') - i32::from(letter == '}');
            }
            let is_first = before.is_empty();
            if is_first || (depth == 1 && !between.contains("::")) || before == "{" {
                found.insert(name.to_owned());
            }
            if depth <= 0 {
                break;
            }
        }
    }
    found
}

/// The foreign crates named at the start of a path.
fn outer_crates(code: &str, known: &BTreeSet<String>) -> BTreeSet<String> {
    let starts_path = |(before, name, after): &(&str, &str, &str)| {
        known.contains(*name) && after.starts_with("::") && !before.ends_with("::")
    };
    let paths = names(code).into_iter().filter(starts_path);
    paths.map(|(_, name, _)| name.to_owned()).collect()
}

fn powers(code: &str) -> BTreeSet<String> {
    let words: BTreeSet<&str> = names(code)
        .into_iter()
        .filter(|(before, _, _)| !before.ends_with('.'))
        .map(|(_, name, _)| name)
        .collect();
    let used =
        |(_, betrayers): &&(&str, &[&str])| betrayers.iter().any(|word| words.contains(word));
    let found = POWERS.iter().filter(used);
    found.map(|(power, _)| (*power).to_owned()).collect()
}

/// The crates of `[dependencies]` with their names in code, and this crate itself.
fn dependencies() -> BTreeSet<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, after) = manifest.split_once("[dependencies]\n").unwrap();
    let mut found: BTreeSet<String> = after
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name.replace('-', "_"))
        .collect();
    found.insert("cc2s".to_owned());
    found
}

/// Whether `list` permits `name` in the file `file`.
fn permits(list: &str, name: &str, file: &str) -> bool {
    list.split_whitespace()
        .any(|entry| match entry.split_once('@') {
            Some((permitted, only_in)) => permitted == name && only_in == file,
            None => entry == name,
        })
}

/// The first name in the path of a module.
fn top(module: &str) -> &str {
    module.split('/').next().unwrap()
}

/// The module of the table line for a file: its folder's line takes precedence over its module's.
fn module_of(path: &Path) -> String {
    let inside = path.strip_prefix(root().join("src")).unwrap();
    let has_line = |folder: &&Path| TABLE.iter().any(|rule| Path::new(rule.module) == *folder);
    if let Some(folder) = inside.ancestors().skip(1).find(has_line) {
        return folder.to_str().unwrap().to_owned();
    }
    let first = inside.components().next().unwrap().as_os_str();
    first.to_str().unwrap().trim_end_matches(".rs").to_owned()
}

/// The modules, crates and capabilities that a file names.
fn named_in(path: &Path, known: &BTreeSet<String>) -> [BTreeSet<String>; 3] {
    let code = code(&fs::read_to_string(path).unwrap());
    [
        inner_modules(&code),
        outer_crates(&code, known),
        powers(&code),
    ]
}

fn offences(path: &Path, known: &BTreeSet<String>) -> Vec<String> {
    let module = module_of(path);
    let file = path.file_name().unwrap().to_str().unwrap();
    let shown = path.strip_prefix(root()).unwrap().display();
    let Some(rule) = TABLE.iter().find(|rule| rule.module == module) else {
        return vec![format!("{shown}: the table has no line for '{module}'")];
    };
    let permits_of = [rule.inner, rule.outer, rule.powers];
    let mut found = Vec::new();
    for (names, permitted) in named_in(path, known).into_iter().zip(permits_of) {
        for name in names {
            let is_free = name == top(&module) || EVERYWHERE.contains(&name.as_str());
            if !is_free && !permits(permitted, &name, file) {
                found.push(format!("{shown}: '{module}' must not know '{name}'"));
            }
        }
    }
    found
}

#[test]
fn nobody_knows_more_than_the_table_allows() {
    let known = dependencies();
    let found: Vec<String> = all_sources()
        .iter()
        .flat_map(|path| offences(path, &known))
        .collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn nothing_is_permitted_that_nobody_uses() {
    let known = dependencies();
    let mut idle: BTreeSet<(&str, &str)> = BTreeSet::new();
    for rule in TABLE {
        for list in [rule.inner, rule.outer, rule.powers] {
            idle.extend(list.split_whitespace().map(|permit| (rule.module, permit)));
        }
    }
    for path in all_sources() {
        let module = module_of(&path);
        let file = path.file_name().unwrap().to_str().unwrap();
        for name in named_in(&path, &known).iter().flatten() {
            idle.retain(|(of, permit)| *of != module || !permits(permit, name, file));
        }
    }
    assert!(idle.is_empty(), "{idle:?}");
}

/// The folders of `module` that are named after `crate::module::`.
fn inner_folders(code: &str, module: &str) -> BTreeSet<String> {
    let start = format!("crate::{module}::");
    let written = code.split(&start).skip(1);
    let name = written.map(|path| path.split(|letter| !is_name(letter)).next().unwrap());
    let lower = name.filter(|name| name.starts_with(char::is_lowercase));
    lower.map(str::to_owned).collect()
}

#[test]
fn no_folder_knows_more_than_the_table_allows() {
    let source = root().join("src");
    let mut found = Vec::new();
    for path in all_sources() {
        let inside = path.strip_prefix(&source).unwrap().parent().unwrap();
        let Some((module, inner)) = inside.to_str().unwrap().split_once('/') else {
            continue;
        };
        if !FOLDERS
            .iter()
            .any(|(known, _)| known.starts_with(&format!("{module}/")))
        {
            continue;
        }
        let folder = inner.split('/').next().unwrap();
        let of_folder = format!("{module}/{folder}");
        let rule = FOLDERS.iter().find(|(known, _)| *known == of_folder);
        let permitted = rule.map_or("", |rule| rule.1);
        let known = inner_folders(&code(&fs::read_to_string(&path).unwrap()), module);
        let is_file = |name: &str| source.join(module).join(format!("{name}.rs")).is_file();
        let is_free = |name: &str| name == folder || is_file(name) || permits(permitted, name, "");
        let offences = known.into_iter().filter(|name| !is_free(name));
        found.extend(offences.map(|name| format!("{}: must not know '{name}'", path.display())));
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn no_folder_is_permitted_that_nobody_uses() {
    for (folder, permitted) in FOLDERS {
        let (module, _) = folder.split_once('/').unwrap();
        let inside = root().join("src").join(folder);
        let files = all_sources()
            .into_iter()
            .filter(|path| path.starts_with(&inside));
        let named: BTreeSet<String> = files
            .flat_map(|path| inner_folders(&code(&fs::read_to_string(path).unwrap()), module))
            .collect();
        for name in permitted.split_whitespace() {
            assert!(named.contains(name), "{folder} does not name {name}");
        }
    }
}

#[test]
fn folders_are_seen() {
    let text = "use crate::thesis::tree::node::TreeNode;\nlet a: crate::thesis::Value = crate::thesis::root::b();";
    let folders: Vec<String> = inner_folders(text, "thesis").into_iter().collect();
    assert_eq!(folders, ["root", "tree"]);
}

/// A folder may use only folders listed before it, so that there is no cycle.
#[test]
fn folders_are_listed_from_the_bottom_up() {
    for (place, (folder, permitted)) in FOLDERS.iter().enumerate() {
        let (module, _) = folder.split_once('/').unwrap();
        for name in permitted.split_whitespace() {
            let below = format!("{module}/{name}");
            assert!(
                FOLDERS[..place].iter().any(|(known, _)| *known == below),
                "{folder}: {name}"
            );
        }
    }
}

/// The table itself has no cycle: no module reaches itself through permitted modules.
#[test]
fn the_table_has_no_circle() {
    let mut settled: BTreeSet<&str> = BTreeSet::new();
    while settled.len() < TABLE.len() {
        let next = TABLE.iter().find(|rule| {
            let mut inner = rule.inner.split_whitespace();
            let is_settled = |name: &str| {
                let mut lines = TABLE.iter().filter(|rule| top(rule.module) == name);
                lines.all(|rule| settled.contains(rule.module))
            };
            !settled.contains(rule.module) && inner.all(is_settled)
        });
        settled.insert(next.expect("a circle in the table").module);
    }
}

#[test]
fn the_scan_sees_what_it_should() {
    let text = "use crate::{chess::{Line, epd}, game};\nuse super::x;\nlet a = crate::search::B; // crate::uci\n\
                let s = \"crate::lab\"; std::time::Instant::now(); shakmaty::Role; a::serde::b; x.print();\n\
                #[cfg(test)]\nmod tests { use crate::endgame; }";
    let code = code(text);
    let inner: Vec<String> = inner_modules(&code).into_iter().collect();
    assert_eq!(inner, ["chess", "game", "search"]);
    let known = ["shakmaty", "serde"].map(str::to_owned).into();
    let outer: Vec<String> = outer_crates(&code, &known).into_iter().collect();
    assert_eq!(outer, ["shakmaty"]);
    let used: Vec<String> = powers(&code).into_iter().collect();
    assert_eq!(used, ["clock"]);
    assert!(permits("a b@c.rs", "b", "c.rs"));
    assert!(!permits("a b@c.rs", "b", "d.rs"));
}

/// The types of `code` that are imported under another name, which is only needed if two types share a name.
fn renamed_types(code: &str) -> Vec<&str> {
    let starts_type = |name: &str| name.starts_with(char::is_uppercase);
    let words: Vec<&str> = names(code).into_iter().map(|(_, name, _)| name).collect();
    let renamed = words
        .windows(3)
        .filter(|words| words[1] == "as" && starts_type(words[0]) && starts_type(words[2]));
    renamed.map(|words| words[0]).collect()
}

/// Type names are unique in the crate (`search::Node`, but `thesis::TreeNode`), so that no renaming is needed.
#[test]
fn no_type_has_two_names() {
    let mut found = Vec::new();
    for path in all_sources() {
        let text = fs::read_to_string(&path).unwrap();
        let imports = code(&text)
            .split(';')
            .filter(|item| item.contains("use crate::"))
            .collect::<Vec<_>>()
            .join(";");
        let renamed = renamed_types(&imports)
            .into_iter()
            .map(|name| format!("{}: {name}", path.display()));
        found.extend(renamed);
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
    assert_eq!(
        renamed_types("use crate::a::{B as C, d as _, e as f}"),
        ["B"]
    );
}

fn defined_types(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let defined = line
            .split_once("struct ")
            .or_else(|| line.split_once("enum "));
        let (before, rest) = defined?;
        let qualifiers = ["", "pub", "pub(super)", "pub(crate)"];
        let name = rest
            .split(|letter: char| !letter.is_alphanumeric())
            .next()?;
        qualifiers.contains(&before.trim()).then_some(name)
    })
}

/// Each command has its `Arguments`; a `Command` is that of the command line or of UCI.
const NAMES_OF_SEVERAL: [&str; 2] = ["Arguments", "Command"];

#[test]
fn no_name_has_two_types() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in all_sources() {
        let text = code(&fs::read_to_string(&path).unwrap());
        for name in defined_types(&text) {
            let place = path.display().to_string();
            places.entry(name.to_owned()).or_default().push(place);
        }
    }
    assert!(places.len() > 500, "{} types", places.len());
    places.retain(|name, places| places.len() > 1 && !NAMES_OF_SEVERAL.contains(&name.as_str()));
    assert!(places.is_empty(), "{places:#?}");
    let text = "pub(super) struct A<T>(T);\nenum B {}\n    let structure = 1;\npub struct C;";
    assert!(defined_types(text).eq(["A", "B", "C"]));
}

/// The lengths of functions with a body in rustfmt's layout, from `fn` to the closing brace at the same
/// indentation.
fn function_lengths(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (from, line) in lines.iter().enumerate() {
        let trimmed = line.trim_start();
        let Some((before, rest)) = trimmed.split_once("fn ") else {
            continue;
        };
        let qualifiers = ["", "pub ", "pub(super) ", "pub(crate) "];
        if !qualifiers.contains(&before.trim_end_matches("const ")) {
            continue;
        }
        let indent = &line[..line.len() - trimmed.len()];
        let closes = |line: &&str| line.strip_prefix(indent).is_some_and(|rest| rest == "}");
        let ends = |line: &&str| closes(line) || line.starts_with(&format!("{indent}fn "));
        if line.ends_with('}') || line.ends_with(';') {
            continue;
        }
        let Some(length) = lines[from + 1..].iter().position(ends) else {
            continue;
        };
        let name = rest.split(['(', '<']).next().unwrap();
        found.push((name.to_owned(), length + 2));
    }
    found
}

/// Sizes are limited by shares, and a single function by its maximum length.
#[test]
fn functions_and_files_stay_readable() {
    let mut files = Vec::new();
    let mut functions = Vec::new();
    for path in all_sources() {
        let text = fs::read_to_string(&path).unwrap();
        files.push(text.lines().count());
        for (name, length) in function_lengths(&text) {
            functions.push((length, format!("{}: {name}", path.display())));
        }
    }
    files.sort_unstable();
    functions.sort();
    let length = |permille: usize| functions[functions.len() * permille / 1_000].0;
    println!(
        "{} files, {} lines, median {}, longest {}; {} functions, median {}, nine tenths up to {}, longest {}",
        files.len(),
        files.iter().sum::<usize>(),
        files[files.len() / 2],
        files[files.len() - 1],
        functions.len(),
        length(500),
        length(900),
        functions[functions.len() - 1].0,
    );
    assert!(functions.len() > 100, "the scan finds no functions");
    assert!(
        files[files.len() / 2] < 200,
        "the median file has {} lines",
        files[files.len() / 2]
    );
    let longest = functions.last().unwrap();
    assert!(longest.0 <= 80, "too long: {longest:?}");
    let long = functions.iter().filter(|(length, _)| *length > 40).count();
    assert!(
        long * 20 <= functions.len(),
        "{long} of {} functions exceed a screen",
        functions.len()
    );
}
