//! The words of an operand: moves, and what stands between and beside them.

use crate::chess::notation;

/// The words of an operand that holds moves, without what says nothing: the opcode again, move numbers, evaluations,
/// `or`, `e.p.`.
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

/// A word without brackets, quotes and evaluations around it, and without the number of a move.
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

/// Whether a character is part of signs such as `+-`, `!` and `±`.
pub(super) fn is_sign(c: char) -> bool {
    ".+-−–=/!?~±∓⩲⩱∞".contains(c)
}

/// Whether a word says how good something is, and not what to play: `+-`, `(=)`, `+0.35`, `$18`.
pub(super) fn is_evaluation(word: &str) -> bool {
    let word = word.trim_matches(['(', ')', '[', ']', '{', '}', '\'']);
    let number = word.trim_start_matches(|c| is_sign(c) || c == '$');
    number.len() < word.len() && number.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// The distance in a word such as `#3` or `M3`, in moves.
pub(super) fn mate_distance(word: &str) -> Option<u16> {
    let distance = word.strip_prefix(['#', 'M'])?.parse().ok();
    distance.filter(|&moves| moves > 0)
}

/// Whether a word looks like a move.
pub(super) fn is_move(word: &str) -> bool {
    notation::standard_san(bare(word)).is_some()
}
