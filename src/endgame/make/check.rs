//! One-ply consistency check: every entry must be the best value of its moves.

use super::endgame::Endgame;
use super::table::Table;
use super::{Class, Survey, TableValue, TwoSided};
use std::ops::Range;

/// A position whose entry does not follow from its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The index within the side to move.
    pub index: u32,
    /// 0 with White, 1 with Black to move; 0 if the side to move makes no difference.
    pub side: usize,
    /// The value in the table.
    pub found: TableValue,
    /// The value that follows from the moves.
    pub expected: TableValue,
}

/// Compares each entry of `table` with the best of its moves; returns the number of positions.
///
/// # Errors
/// The first contradiction.
pub fn check(class: &Endgame, table: &Table) -> Result<u64, Contradiction> {
    let values = class.values(table);
    let mut positions = 0;
    for (side, indices) in class.sides().into_iter().enumerate() {
        let start = indices.start;
        let plain = start..start + table.size();
        positions += check_values(class, &values, plain).map_err(|wrong| Contradiction {
            index: wrong.index - start,
            side,
            ..wrong
        })?;
    }
    Ok(positions)
}

/// Compares the values at `indices` with the best of their moves; returns the number of positions. `values` covers
/// all indices of `class`.
///
/// # Errors
/// The first contradiction.
pub fn check_values(
    class: &impl Class,
    values: &[TableValue],
    indices: Range<u32>,
) -> Result<u64, Contradiction> {
    let mut children = Vec::new();
    let mut positions = 0;
    for index in indices {
        let Some(survey) = class.survey(index) else {
            continue;
        };
        positions += 1;
        let expected = best(class, index, survey, values, &mut children);
        let found = values[index as usize];
        if found != expected {
            return Err(Contradiction {
                index,
                side: 0,
                found,
                expected,
            });
        }
    }
    Ok(positions)
}

fn best(
    class: &impl Class,
    index: u32,
    survey: Survey,
    values: &[TableValue],
    children: &mut Vec<u32>,
) -> TableValue {
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
