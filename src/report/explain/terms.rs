//! The largest terms of a static evaluation; for a network, the contributions of the men.

use std::collections::BTreeMap;

use serde::Serialize;
use shakmaty::{Color, Position as _, Role, Square};

use crate::chess::Position;
use crate::eval::{Attack, Evaluation, EvaluationKind, Trace, Weights};

/// Maximum number of terms shown.
const SHOWN: usize = 3;
/// Minimum size of a term shown, in centipawns.
const SMALL_CP: i32 = 5;

/// A term of the static evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Term {
    /// The name of the term.
    pub name: String,
    /// Value in centipawns, from the view of the side to move at the root.
    pub cp: i32,
}

/// Splits the static evaluation into terms.
pub(super) struct Analyst {
    evaluation: Evaluation,
    weights: Weights,
    /// For each weight the name of its table, and its middlegame and endgame value.
    parts: Vec<(&'static str, [f32; 2])>,
}

impl Analyst {
    pub fn new(kind: &EvaluationKind) -> Self {
        let mut weights = Weights::DEFAULT;
        let mut parts = Vec::new();
        for (name, table, _) in weights.tables() {
            let values = table.iter().map(|weight| {
                let value = [weight.middlegame() as f32, weight.ending() as f32];
                (name, value)
            });
            parts.extend(values);
        }
        Self {
            evaluation: Evaluation::new(kind),
            weights,
            parts,
        }
    }

    /// Returns the static evaluation from `view` and its largest terms, if known.
    pub fn look(&mut self, position: &Position, view: Color) -> (i32, Vec<Term>) {
        let sign = if position.chess().turn() == view {
            1
        } else {
            -1
        };
        let value = sign * self.evaluation.evaluate(position, 0);
        let terms = match self.evaluation.explain(position) {
            Some(said) => men(position, &said.men),
            None => self.terms(position),
        };
        (value, most(terms, sign))
    }

    fn terms(&mut self, position: &Position) -> Vec<Term> {
        let Some(trace) = Trace::of(position, &self.weights) else {
            return Vec::new();
        };
        let mut sums: BTreeMap<&str, f32> = BTreeMap::new();
        for &(weight, count) in &trace.counts {
            let (name, [middlegame, ending]) = self.parts[usize::from(weight)];
            let value = middlegame * trace.shares[0] + ending * trace.shares[1];
            *sums.entry(words(name)).or_default() += f32::from(count) * value;
        }
        *sums.entry("king danger").or_default() += self.danger(&trace);
        let term = |(name, value): (&str, f32)| Term {
            name: name.replace('_', " "),
            cp: value.round() as i32,
        };
        sums.into_iter().map(term).collect()
    }

    /// The danger of the enemy king minus that of the own king.
    fn danger(&mut self, trace: &Trace) -> f32 {
        let units: Vec<f32> = self.weights.danger.all().map(|unit| *unit as f32).collect();
        let cost = |attack: &Option<Attack>| {
            let [(middlegame, _), (ending, _)] = attack.as_ref()?.cost(&units);
            Some(middlegame * trace.shares[0] + ending * trace.shares[1])
        };
        let [own, other] = [0, 1].map(|side| cost(&trace.attacks[side]).unwrap_or(0.0));
        other - own
    }
}

/// Returns the largest terms, negated if `sign` is negative.
fn most(mut terms: Vec<Term>, sign: i32) -> Vec<Term> {
    terms.retain(|term| term.cp.abs() >= SMALL_CP);
    terms.sort_by_key(|term| -term.cp.abs());
    terms.truncate(SHOWN);
    for term in &mut terms {
        term.cp *= sign;
    }
    terms
}

/// For each man, the loss in the network's evaluation without it.
fn men(position: &Position, losses: &[(Square, i32)]) -> Vec<Term> {
    let board = position.chess().board();
    let term = |&(square, cp): &(Square, i32)| {
        let letter = match board.role_at(square) {
            None | Some(Role::Pawn) => String::new(),
            Some(role) => role.upper_char().to_string(),
        };
        Term {
            name: format!("{letter}{square}"),
            cp,
        }
    };
    losses.iter().map(term).collect()
}

/// The table of squares contains the values of the men.
fn words(name: &'static str) -> &'static str {
    if name == "squares" {
        "men and their squares"
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;

    #[test]
    fn a_rook_more_is_seen_by_white() {
        for turn in ["w", "b"] {
            let position =
                parse_fen(&format!("r3k3/pppp4/8/8/8/8/PPPP4/R3K2R {turn} - - 0 1")).unwrap();
            let (value, terms) =
                Analyst::new(&EvaluationKind::Classical).look(&position, Color::White);
            assert!(value > 300, "{value}");
            assert_eq!(terms[0].name, "men and their squares");
            assert!(terms[0].cp > 300, "{terms:?}");
        }
    }
}
