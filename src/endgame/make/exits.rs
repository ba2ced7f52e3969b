//! Moves that leave a chess class: captures and promotions are looked up in the tables of smaller classes.

use super::indexing::Squares;
use super::material::{MEN_MAX, Material};
use super::table::Table;
use super::{Metric, TableValue};
use shakmaty::{Color, Piece, Role, Square};
use std::sync::Arc;

/// The roles a pawn can promote to.
pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// A change of material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The slot of the captured man.
    pub captured: Option<usize>,
    /// The slot of the promoted pawn, and its new role as an index into [`PROMOTIONS`].
    pub promoted: Option<(usize, usize)>,
}

impl Change {
    const KINDS: usize = (MEN_MAX + 1) * (4 * MEN_MAX + 1);

    fn number(self) -> usize {
        let promoted = self.promoted.map_or(0, |(slot, role)| 1 + 4 * slot + role);
        self.captured.map_or(0, |slot| 1 + slot) * (4 * MEN_MAX + 1) + promoted
    }
}

/// The table reached by one change, with the mapping of slots.
#[derive(Clone)]
struct Exit {
    /// `None` for bare kings.
    table: Option<Arc<Table>>,
    /// The slot in this class for each slot in the table.
    slots: [usize; MEN_MAX],
    /// Whether the colours are exchanged in the table.
    flipped: bool,
}

impl Exit {
    fn value(&self, squares: Squares, turn: Color) -> TableValue {
        let Some(table) = &self.table else {
            return TableValue::DRAW;
        };
        let mut there = self.slots.map(|slot| squares[slot]);
        if self.flipped {
            there = there.map(Square::flip_vertical);
        }
        table.value(there, if self.flipped { turn.other() } else { turn })
    }
}

/// All exits of a class.
pub struct Exits {
    metric: Metric,
    exits: Vec<Option<Exit>>,
}

impl Exits {
    /// Creates the exits of `material` from the tables of `table`, which must be on the scale of `metric`.
    ///
    /// # Errors
    /// The first class whose table is missing.
    pub fn new(
        material: Material,
        metric: Metric,
        table: impl Fn(Material) -> Option<Arc<Table>>,
    ) -> Result<Self, Material> {
        let men = material.men();
        let mut exits = vec![None; Change::KINDS];
        let captures = std::iter::once(None).chain((2..men.len() + 2).map(Some));
        for captured in captures {
            let taker = captured.map(|slot: usize| men[slot - 2].color.other());
            let pawns = (2..men.len() + 2).filter(|&slot| {
                let man = men[slot - 2];
                man.role == Role::Pawn && taker.is_none_or(|color| color == man.color)
            });
            let promotions = pawns.flat_map(|slot| (0..4).map(move |role| Some((slot, role))));
            for promoted in std::iter::once(None).chain(promotions) {
                let change = Change { captured, promoted };
                if captured.is_some() || promoted.is_some() {
                    exits[change.number()] = Some(Self::exit(material, change, &table)?);
                }
            }
        }
        let mut tables = exits
            .iter()
            .flatten()
            .filter_map(|exit| exit.table.as_ref());
        assert!(
            tables.all(|table| table.metric() == metric),
            "tables on two scales"
        );
        Ok(Self { metric, exits })
    }

    /// No exits, for tests where only moves inside the class matter.
    #[cfg(test)]
    pub const fn none() -> Self {
        Self {
            metric: Metric::Distance,
            exits: Vec::new(),
        }
    }

    fn exit(
        material: Material,
        change: Change,
        table: impl Fn(Material) -> Option<Arc<Table>>,
    ) -> Result<Exit, Material> {
        let men = material.men();
        let promoted = |slot: usize| {
            change
                .promoted
                .filter(|&(pawn, _)| pawn == slot)
                .map(|(_, role)| PROMOTIONS[role])
        };
        let mut here: Vec<(usize, Piece)> = (2..men.len() + 2)
            .filter(|&slot| change.captured != Some(slot))
            .map(|slot| {
                (
                    slot,
                    promoted(slot).map_or(men[slot - 2], |role| role.of(men[slot - 2].color)),
                )
            })
            .collect();
        let (class, flipped) = Material::new(here.iter().map(|&(_, man)| man));
        let mut slots = [0; MEN_MAX];
        slots[usize::from(!flipped)] = 1;
        for (there, man) in class.men().into_iter().enumerate() {
            let man = if flipped {
                man.role.of(man.color.other())
            } else {
                man
            };
            let at = here
                .iter()
                .position(|&(_, other)| other == man)
                .expect("the same men");
            slots[there + 2] = here.swap_remove(at).0;
        }
        if class.is_bare() {
            return Ok(Exit {
                table: None,
                slots,
                flipped,
            });
        }
        Ok(Exit {
            table: Some(table(class).ok_or(class)?),
            slots,
            flipped,
        })
    }

    /// Returns the value of the move for its mover. `squares` are those after the move (anything for the captured
    /// man), with `turn` to move.
    pub fn value(&self, change: Change, squares: Squares, turn: Color) -> TableValue {
        let exit = self.exits[change.number()]
            .as_ref()
            .expect("a change that can happen");
        self.metric.lift(exit.value(squares, turn))
    }
}
