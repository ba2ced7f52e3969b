//! One-ply consistency: every entry must be the best its moves lead to.

use super::endgame::Endgame;
use super::table::Table;
use super::{Class, Survey, TwoSided, Value};

/// A position whose entry does not follow from its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// Index within the side to move.
    pub index: u32,
    /// 0 with White, 1 with Black to move.
    pub side: usize,
    /// What the table says.
    pub found: Value,
    /// What the moves say.
    pub expected: Value,
}

/// Compares each entry of `table` with the best of its moves; how many positions there are.
///
/// # Errors
/// The first contradiction.
pub fn check(class: &Endgame, table: &Table) -> Result<u64, Contradiction> {
    let values = class.values(table);
    let mut children = Vec::new();
    let mut positions = 0;
    for (side, indices) in class.sides().into_iter().enumerate() {
        let plain = indices.start..indices.start + table.size();
        for index in plain {
            let Some(survey) = class.survey(index) else {
                continue;
            };
            positions += 1;
            let expected = best(class, index, survey, &values, &mut children);
            let found = values[index as usize];
            if found != expected {
                return Err(Contradiction {
                    index: index - indices.start,
                    side,
                    found,
                    expected,
                });
            }
        }
    }
    Ok(positions)
}

fn best(
    class: &Endgame,
    index: u32,
    survey: Survey,
    values: &[Value],
    children: &mut Vec<u32>,
) -> Value {
    match survey {
        Survey::End(value) => value,
        Survey::Open { outside, .. } => {
            children.clear();
            class.children(index, children);
            let inside = children
                .iter()
                .map(|&child| class.metric().lift(values[child as usize]));
            inside
                .chain(outside)
                .max()
                .expect("a position that has not ended has a move")
        }
    }
}
