//! Files that know each other in a circle can only be understood, tested and changed together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{all_sources, code, is_name, root};

/// No greater circle of files anywhere.
const FILES_MAX: usize = 3;
/// Circles that are greater still, by the folder of their files, and with how many of them: to become smaller, never
/// greater.
const GREATER: [(&str, usize); 2] = [("leaf", 5), ("retro", 6)];
/// No circle at all here.
const FREE: [&str; 2] = ["cc2s", "parallel"];

/// The names of a file's module, from the crate's root on.
type Module = Vec<String>;

fn module(path: &Path) -> Module {
    let inside = path.strip_prefix(root().join("src")).unwrap();
    let names = inside.with_extension("");
    let names = names.iter().map(|name| name.to_str().unwrap().to_owned());
    names.filter(|name| name != "mod").collect()
}

/// All paths that begin with `crate` or `super`, as written; `file` is the module they are written in.
fn paths(code: &str, file: &Module) -> Vec<Module> {
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            if code[..at].ends_with(|letter: char| is_name(letter) || letter == ':') {
                continue;
            }
            let written = &code[at + start.len()..];
            let end = written.find(|letter: char| !is_name(letter) && letter != ':');
            let names = written[..end.unwrap_or(written.len())].split("::");
            let base = if start == "super::" {
                &file[..file.len() - 1]
            } else {
                &[]
            };
            let names = names.map(str::to_owned);
            found.push(base.iter().cloned().chain(names).collect());
        }
    }
    found
}

/// Which files each file names. What only declares modules and passes their names on is left out.
fn known_files() -> BTreeMap<Module, BTreeSet<Module>> {
    let sources = all_sources();
    let sources = sources.iter().filter(|path| !path.ends_with("mod.rs"));
    let files: BTreeMap<Module, &std::path::PathBuf> =
        sources.map(|path| (module(path), path)).collect();
    let named_by = |(file, path): (&Module, &&std::path::PathBuf)| {
        let text = code(&std::fs::read_to_string(path).unwrap());
        let named = paths(&text, file).into_iter().filter_map(|mut path| {
            while !path.is_empty() && !files.contains_key(&path) {
                path.pop();
            }
            (!path.is_empty() && path != *file).then_some(path)
        });
        (file.clone(), named.collect())
    };
    files.iter().map(named_by).collect()
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
    let known = known_files();
    assert!(known.len() > 200, "the scan finds no files");
    for circle in circles(&known) {
        let top = &circle.first().unwrap()[0];
        let greater = GREATER.iter().find(|(folder, _)| folder == top);
        let files_max = match greater {
            _ if FREE.contains(&top.as_str()) => 0,
            Some(&(_, files)) => files,
            None => FILES_MAX,
        };
        assert!(
            circle.len() <= files_max,
            "a circle of {}: {circle:?}",
            circle.len()
        );
    }
}

#[test]
fn circles_are_found() {
    let file = |name: &str| vec!["a".to_owned(), name.to_owned()];
    let text = "use super::y::Z;\nuse crate::a::w::{B, C};\nlet q = my_super::x::y;";
    assert!(
        paths(text, &file("x"))
            .iter()
            .any(|path| path[..2] == file("y"))
    );
    assert!(
        paths(text, &file("x"))
            .iter()
            .any(|path| path[..2] == file("w"))
    );
    assert_eq!(paths(text, &file("x")).len(), 2);
    let entry = |name, others: &[&str]| (file(name), others.iter().map(|it| file(it)).collect());
    let known = [
        entry("x", &["y"]),
        entry("y", &["z"]),
        entry("z", &["y", "w"]),
        entry("w", &[]),
    ];
    let circle = BTreeSet::from([file("y"), file("z")]);
    assert_eq!(circles(&known.into()), BTreeSet::from([circle]));
}
