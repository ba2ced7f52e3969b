//! The words of an operand: moves, and the text between them.

use crate::chess::notation;

/// Returns the words of an operand that are moves: without a repeated opcode, move numbers, evaluations, `or`,
/// `and` and `e.p.`.
pub(super) fn moves<'a>(opcode: &'a str, operand: &'a str) -> impl Iterator<Item = &'a str> {
    let words = operand.split([' ', '\t', ',']);
    let words = words.filter(|word| !is_evaluation(word)).map(bare);
    words.filter(move |word| {
        let nothing = ["", "e.p", "ep", opcode];
        !is_conjunction(word) && !nothing.iter().any(|each| each.eq_ignore_ascii_case(word))
    })
}

pub(super) fn is_conjunction(word: &str) -> bool {
    ["or", "and"]
        .iter()
        .any(|each| each.eq_ignore_ascii_case(word))
}

/// Strips brackets, quotes, evaluations and the move number from a word.
pub(super) fn bare(word: &str) -> &str {
    let word = word.trim_start_matches(['(', '[', '{', '\'', '.']);
    let word = notation::without_number(word);
    let word = match word.split_once('(') {
        Some((mv, behind)) if is_evaluation(behind) => mv,
        _ => word,
    };
    // The bracket may belong to a promotion: e8(Q).
    let is_end = |c: char| is_sign(c) || "]}'".contains(c) || c == ')' && !word.contains('(');
    word.trim_end_matches(is_end)
}

/// Whether a character belongs to signs such as `+-`, `!` and `±`.
pub(super) fn is_sign(c: char) -> bool {
    ".+-−–=/!?~±∓⩲⩱∞".contains(c)
}

/// Whether a word is an evaluation, such as `+-`, `(=)`, `+0.35` or `$18`.
pub(super) fn is_evaluation(word: &str) -> bool {
    let word = word.trim_matches(['(', ')', '[', ']', '{', '}', '\'']);
    let number = word.trim_start_matches(|c| is_sign(c) || c == '$');
    number.len() < word.len() && number.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// Returns the number of moves in a word such as `#3` or `M3`.
pub(super) fn mate_distance(word: &str) -> Option<u16> {
    let distance = word.strip_prefix(['#', 'M'])?.parse().ok();
    distance.filter(|&moves| moves > 0)
}

pub(super) fn is_move(word: &str) -> bool {
    notation::standard_san(bare(word)).is_some()
}
