//! Dependencies of the program: compatible licences, one registry, no unnecessary duplicates.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde::Deserialize;

/// Licences compatible with GPL-3.0-or-later.
const LICENCES: [&str; 10] = [
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-3-Clause",
    "BSL-1.0",
    "GPL-3.0-or-later",
    "ISC",
    "MIT",
    "MPL-2.0",
    "Unicode-3.0",
    "Zlib",
];

/// Crates needed in two versions: by postcard, by macros of different age, by the build of the MPI bindings, on
/// Windows.
const TWICE: [&str; 10] = [
    "embedded-io",
    "shlex",
    "syn",
    "windows-core",
    "windows-implement",
    "windows-interface",
    "windows-link",
    "windows-result",
    "windows-strings",
    "windows-sys",
];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    source: Option<String>,
}

/// All packages in `Cargo.lock`, for all features and systems, including the program itself.
fn packages() -> Vec<Package> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "metadata",
        "--format-version=1",
        "--locked",
        "--all-features",
    ]);
    let output = cargo.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let metadata: Metadata = serde_json::from_slice(&output.stdout).unwrap();
    assert!(metadata.packages.len() > 100);
    metadata.packages
}

/// Whether a licence expression permits an allowed choice. All parts joined by AND must be allowed.
fn is_allowed(expression: &str) -> bool {
    expression.split(" AND ").all(|part| {
        let part = part.trim_matches(['(', ')']);
        let mut choices = part.split(" OR ").flat_map(|choice| choice.split('/'));
        choices.any(|choice| LICENCES.contains(&choice))
    })
}

#[test]
fn licences_agree_with_the_program_s() {
    assert!(is_allowed("(MIT OR LGPL-3.0-only) AND Unicode-3.0"));
    assert!(!is_allowed("MIT AND CC-BY-NC-4.0") && !is_allowed("GPL-2.0-only"));
    for Package { name, license, .. } in packages() {
        let license = license.unwrap_or_default();
        assert!(is_allowed(&license), "{name}: {license}");
    }
}

#[test]
fn all_comes_from_one_registry() {
    let mut sources = BTreeMap::<_, Vec<_>>::new();
    for Package { name, source, .. } in packages() {
        sources.entry(source).or_default().push(name);
    }
    assert_eq!(sources.remove(&None).unwrap(), ["cc2s"]);
    let registries: Vec<String> = sources.into_keys().flatten().collect();
    assert_eq!(registries.len(), 1, "{registries:?}");
    assert!(registries[0].starts_with("registry+"), "{registries:?}");
}

#[test]
fn no_crate_is_there_twice_without_need() {
    let mut versions: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for Package { name, version, .. } in packages() {
        versions.entry(name).or_default().insert(version);
    }
    let twice = versions.iter().filter(|(_, versions)| versions.len() > 1);
    let twice: Vec<_> = twice.map(|(name, _)| name.as_str()).collect();
    assert_eq!(twice, TWICE);
}
