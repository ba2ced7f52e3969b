//! Function signatures: no function hides several arguments in a tuple pattern.

use super::{all_sources, code, names, root};
use std::fs;

/// The parameters of a function, from the text after its name.
fn parameters(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut previous) = (0, None, ' ');
    let mut found = Vec::new();
    for (at, letter) in text.char_indices() {
        let is_arrow = previous == '-' && letter == '>';
        previous = letter;
        match letter {
            '(' | '[' | '{' | '<' => {
                depth += 1;
                if depth == 1 && letter == '(' {
                    start = Some(at + 1);
                }
            }
            ')' | ']' | '}' | '>' if !is_arrow => {
                depth -= 1;
                if let Some(start) = start.filter(|_| depth == 0) {
                    found.push(text[start..at].trim());
                    return found;
                }
            }
            ',' if depth == 1 => {
                if let Some(from) = start {
                    found.push(text[from..at].trim());
                    start = Some(at + 1);
                }
            }
            ';' if depth == 0 => break,
            _ => {}
        }
    }
    found
}

/// Whether a parameter is a nonempty tuple pattern.
fn is_tuple_pattern(parameter: &str) -> bool {
    let pattern = parameter.trim_start_matches('&').trim_start();
    let pattern = pattern.strip_prefix("mut ").unwrap_or(pattern);
    pattern.starts_with('(') && !pattern.starts_with("()")
}

/// The functions with arguments in tuple patterns.
fn offenders(code: &str) -> Vec<&str> {
    let named = names(code);
    // The space after `fn` distinguishes a function from a function type.
    let is_function =
        |pair: &&[(&str, &str, &str)]| pair[0].1 == "fn" && pair[0].2.starts_with(' ');
    let functions = named.windows(2).filter(is_function);
    let has_pattern = |text| parameters(text).into_iter().any(is_tuple_pattern);
    functions
        .filter(|pair| has_pattern(pair[1].2))
        .map(|pair| pair[1].1)
        .collect()
}

#[test]
fn no_function_takes_its_arguments_in_tuple_patterns() {
    let mut found = Vec::new();
    for path in all_sources() {
        let code = code(&fs::read_to_string(&path).unwrap());
        let shown = path.strip_prefix(root()).unwrap().display().to_string();
        found.extend(
            offenders(&code)
                .iter()
                .map(|name| format!("{shown}: {name}")),
        );
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn tuple_patterns_are_seen() {
    let text = "fn a(b: (u8, u8), c: [u8; 2]) {}
        fn d<E: Fn(u8, u8) -> u8>(&self, (e, f): (u8, E)) {}
        fn g((): ()) {}
        fn h(i: impl Fn((u8, u8)), mut j: u8,) -> (u8, u8) {}
        fn k(&(l, m): &(u8, u8)) {}";
    assert_eq!(offenders(text), ["d", "k"]);
}
