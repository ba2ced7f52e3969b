//! Limits cyclic dependencies between files, because such files can only be understood, tested and changed
//! together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{all_sources, code, is_name, names, root};

/// Maximum number of files in a cycle.
const FILES_MAX: usize = 3;
/// Modules without any cycle.
const FREE: [&str; 4] = ["cc2s", "search", "thesis", "sync"];

/// Keywords of items other than modules and imports.
const ITEMS: [&str; 9] = [
    "const",
    "enum",
    "fn",
    "impl",
    "macro_rules",
    "static",
    "struct",
    "trait",
    "type",
];

/// The path of a module from the crate root.
type Module = Vec<String>;

fn module(path: &Path) -> Module {
    let inside = path.strip_prefix(root().join("src")).unwrap();
    let names = inside.with_extension("");
    let names = names.iter().map(|name| name.to_str().unwrap().to_owned());
    names.filter(|name| name != "mod").collect()
}

/// The full paths named in a file.
#[derive(Default)]
struct Named {
    used: Vec<Module>,
    /// Reexported paths.
    passed_on: Vec<Module>,
    /// Whether the file has other items than modules and reexports.
    holds_code: bool,
}

/// Adds all paths of a text such as `a::{b, c::d}`, relative to `base`. Returns the text after it.
fn read_paths<'a>(text: &'a str, base: &[String], found: &mut Vec<Module>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        while !rest.starts_with('}') {
            rest = read_paths(rest, base, found);
            rest = &rest[rest.find([',', '}']).unwrap()..];
            rest = rest.trim_start_matches(',').trim_start();
        }
        return &rest[1..];
    }
    let end = text.find(|letter| !is_name(letter)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let mut path = base.to_vec();
    match name {
        "crate" => path.clear(),
        "super" => path.truncate(path.len().saturating_sub(1)),
        "self" | "" => {}
        name => path.push(name.to_owned()),
    }
    if let Some(rest) = rest.strip_prefix("::") {
        return read_paths(rest, &path, found);
    }
    found.push(path);
    rest
}

/// The paths of this crate named in the code of `file`.
fn named(code: &str, file: &[String]) -> Named {
    let words = names(code);
    let declares = |(before, _, after): &&(&str, &str, &str)| {
        before.ends_with("mod ") && after.starts_with(';')
    };
    let children = words.iter().filter(declares).map(|(_, name, _)| *name);
    let mut starts: BTreeSet<&str> = children.collect();
    starts.extend(["crate", "self", "super"]);
    let mut found = Named {
        holds_code: words.iter().any(|(_, name, _)| ITEMS.contains(name)),
        ..Named::default()
    };
    let mut read = 0;
    for (before, name, after) in words {
        let is_start = starts.contains(name) && after.starts_with("::") && !before.ends_with(':');
        if before.len() < read || !is_start || before.ends_with("pub(in ") {
            continue;
        }
        let line = before.rsplit('\n').next().unwrap().trim_start();
        let list = if line.starts_with("pub") && line.ends_with("use ") {
            &mut found.passed_on
        } else {
            &mut found.used
        };
        let rest = read_paths(&code[before.len()..], file, list);
        read = code.len() - rest.len();
    }
    found
}

/// The file that defines the item `path`, following reexports.
fn file_of(path: &[String], files: &BTreeMap<Module, Named>) -> Option<Module> {
    let lengths = (1..=path.len()).rev();
    let mut prefixes = lengths.map(|length| path.split_at(length));
    let (file, inside) = prefixes.find(|(file, _)| files.contains_key(*file))?;
    let mut passed_on = files[file].passed_on.iter();
    let is_same = |other: &&Module| other.last() == inside.first() && **other != path;
    match passed_on.find(is_same) {
        Some(origin) if !inside.is_empty() => file_of(&[origin, &inside[1..]].concat(), files),
        _ => Some(file.to_vec()),
    }
}

/// The files each file depends on. A file with only reexports depends on none.
fn known_files(texts: &BTreeMap<Module, String>) -> BTreeMap<Module, BTreeSet<Module>> {
    let read = |(file, text): (&Module, &String)| (file.clone(), named(&code(text), file));
    let files: BTreeMap<Module, Named> = texts.iter().map(read).collect();
    let known = |(file, named): (&Module, &Named)| {
        let passed_on = named.passed_on.iter().filter(|_| named.holds_code);
        let paths = named.used.iter().chain(passed_on);
        let known = paths.filter_map(|path| file_of(path, &files));
        (file.clone(), known.filter(|other| other != file).collect())
    };
    files.iter().map(known).collect()
}

fn reachable(from: &Module, known: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        for next in &known[file] {
            if found.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    found
}

fn circles(known: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<BTreeSet<Module>> {
    let reach: BTreeMap<&Module, BTreeSet<Module>> = known
        .keys()
        .map(|file| (file, reachable(file, known)))
        .collect();
    let circle = |(file, reached): (&&Module, &BTreeSet<Module>)| -> BTreeSet<Module> {
        let back = reached.iter().filter(|other| reach[other].contains(*file));
        back.cloned().collect()
    };
    let all = reach.iter().map(circle);
    all.filter(|circle| !circle.is_empty()).collect()
}

#[test]
fn files_know_each_other_in_small_circles_at_most() {
    let read = |path: &std::path::PathBuf| (module(path), std::fs::read_to_string(path).unwrap());
    let texts: BTreeMap<Module, String> = all_sources().iter().map(read).collect();
    assert!(texts.len() > 200, "the scan finds no files");
    for circle in circles(&known_files(&texts)) {
        let top = circle.first().unwrap()[0].as_str();
        let files_max = if FREE.contains(&top) { 0 } else { FILES_MAX };
        assert!(
            circle.len() <= files_max,
            "a circle of {}: {circle:?}",
            circle.len()
        );
    }
}

fn path(written: &str) -> Module {
    written.split("::").map(str::to_owned).collect()
}

#[test]
fn paths_are_read() {
    let text = "use super::y::Z;\nuse crate::a::{w::{B, C as D}, self};\nlet q = my_super::x::y;\n\
                mod child;\npub use child::{E, f::G};\npub(in crate::a) fn h() -> super::super::I {}";
    let named = named(text, &path("a::x"));
    let used = ["a::y::Z", "a::w::B", "a::w::C", "a", "I"].map(path);
    assert_eq!(named.used, used);
    let passed_on = ["a::x::child::E", "a::x::child::f::G"].map(path);
    assert_eq!(named.passed_on, passed_on);
    assert!(named.holds_code);
}

#[test]
fn circles_are_found() {
    let text = |(file, text): (&str, &str)| (path(file), text.to_owned());
    let texts = [
        // Declarations and reexports only: no dependencies, and its items are attributed to their files.
        ("a", "mod x;\nmod y;\nmod z;\npub use x::X;\npub use z::Z;"),
        ("a::x", "use super::y::Y;"),
        ("a::y", "use super::Z;"),
        ("a::z", "use super::{w, y::Y};"),
        ("a::w", ""),
        // Holds items used by the files below it.
        ("b", "mod inner;\npub use inner::Inner;\npub struct B;"),
        (
            "b::inner",
            "use super::B;\n#[cfg(test)]\nmod tests;\nuse crate::a::X;",
        ),
    ];
    let known = known_files(&texts.map(text).into());
    assert_eq!(known[&path("b::inner")], ["a::x", "b"].map(path).into());
    let expected = [["a::y", "a::z"], ["b", "b::inner"]].map(|circle| circle.map(path).into());
    assert_eq!(circles(&known), expected.into());
}
