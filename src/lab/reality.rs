//! The theory of errors compared with endgame tables (thesis 4.5). Is a tree with two leaf-disjoint strategies for
//! the true value right more often than a tree with fewer?
//!
//! For every position of an endgame a tree of depth t is searched whose leaves are evaluated by material alone.
//! All trees of depth t are computed together, each from the trees of depth t - 1 of its successors.

use std::collections::HashMap;
use std::sync::Arc;

use shakmaty::{CastlingMode, Chess, Color, FromSetup, Move, Piece, Position, PositionError, Role};

use crate::endgame::make::bal_allis::solve;
use crate::endgame::make::endgame::Endgame;
use crate::endgame::make::material::Material;
use crate::endgame::make::prober::squares_of;
use crate::endgame::make::table::Table;
use crate::thesis::quality::Proof;
use crate::tools::ToolError;

/// Number of positions and of those with the right verdict. Mirror images are counted individually.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accuracy {
    /// All positions.
    pub positions: u64,
    /// Positions with the right verdict.
    pub right: u64,
}

impl Accuracy {
    /// Returns the share of positions with the right verdict; `None` without a position.
    pub fn rate(self) -> Option<f64> {
        (self.positions > 0).then(|| self.right as f64 / self.positions as f64)
    }

    /// Returns the sum of both.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            right: self.right + other.right,
        }
    }
}

/// The accuracy at one depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccuracyRow {
    /// Trees with fewer than two leaf-disjoint strategies for the true value.
    pub few: Accuracy,
    /// Trees with two or more.
    pub many: Accuracy,
}

/// The accuracy for one endgame and side to move, by depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name of the endgame, the side to move first, such as `KRvKB` or `KBvKR`.
    pub name: String,
    /// One row for each depth, starting with 0.
    pub rows: Vec<AccuracyRow>,
}

/// The counting of ends of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// As an ordinary leaf.
    AreLeaves,
    /// As any number of strategies, because their value cannot be wrong.
    AreCertain,
}

/// The result for a position at one depth. A win is that of the stronger side of the endgame, with either side to
/// move. A draw counts as a loss.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    /// Whether the position is won according to the table.
    wins: bool,
    /// Whether the search returns a win.
    verdict: bool,
    /// Leaf-disjoint strategies that prove the true value, up to [`CERTAIN`].
    strategies: u8,
}

/// Denotes any number of strategies.
const CERTAIN: u8 = u8::MAX;

/// A material class, and whether the colours are exchanged: the stronger side of the endgame may be the weaker one
/// in the class.
type Place = (Material, bool);

/// All positions of one class at one depth, with White and with Black to move.
type CellsBySide = [Vec<Cell>; 2];

/// The tables of an endgame and of all endgames that captures lead to.
struct World {
    tables: HashMap<Place, Arc<Table>>,
    men: HashMap<Material, Vec<Piece>>,
    ends: Ends,
}

/// Counts the accuracy for the endgame `name` and either side to move, at the depths 0 to `depth`.
///
/// # Errors
/// The name is not that of an endgame without pawns, or the weaker side comes first.
pub fn columns(
    name: &str,
    depth: usize,
    ends: Ends,
    mut done: impl FnMut(),
) -> Result<[Column; 2], ToolError> {
    let material = Material::parse(name).filter(|material| !material.has_pawns());
    let material = material.ok_or_else(|| {
        ToolError::Settings(format!("'{name}' is no ending of pieces such as KRvKB"))
    })?;
    let world = World::new(material, ends);
    let mut cells = world.at_depth_0();
    let mut rows = [Vec::new(), Vec::new()];
    for depth in 0..=depth {
        if depth > 0 {
            cells = world.deeper(&cells);
        }
        done();
        for (side, rows) in rows.iter_mut().enumerate() {
            rows.push(world.count((material, false), side, &cells));
        }
    }
    let (white, black) = name.split_once('v').expect("a name of a class");
    let [first, second] = rows;
    Ok([
        Column {
            name: format!("{white}v{black}"),
            rows: first,
        },
        Column {
            name: format!("{black}v{white}"),
            rows: second,
        },
    ])
}

impl World {
    fn new(material: Material, ends: Ends) -> Self {
        let mut solved: HashMap<Material, Arc<Table>> = HashMap::new();
        for class in [material.needs(), vec![material]].concat() {
            let endgame = Endgame::new(class, |need| solved.get(&need).cloned());
            let endgame = endgame.expect("smaller classes come first");
            solved.insert(class, Arc::new(endgame.table(&solve(&endgame))));
        }
        let men = solved.keys().map(|&class| (class, class.men()));
        let men = men.collect();
        let places = solved.into_iter();
        Self {
            men,
            tables: places
                .flat_map(|(class, table)| {
                    [false, true].map(|flipped| ((class, flipped), table.clone()))
                })
                .filter(|((class, flipped), _)| *class != material || !flipped)
                .collect(),
            ends,
        }
    }

    fn at_depth_0(&self) -> HashMap<Place, CellsBySide> {
        self.map(|place, table, index, side| {
            let turn = color(side);
            let squares = table.position(index, turn)?;
            Some(Cell {
                wins: wins(place, table, index, side),
                verdict: material_wins(&table.setup(squares, turn).board, place.1),
                strategies: 1,
            })
        })
    }

    fn deeper(&self, before: &HashMap<Place, CellsBySide>) -> HashMap<Place, CellsBySide> {
        self.map(|place, table, index, side| {
            let squares = table.position(index, color(side))?;
            let setup = table.setup(squares, color(side));
            let chess = Chess::from_setup(setup, CastlingMode::Standard)
                .or_else(PositionError::ignore_impossible_check)
                .expect("legal positions are listed");
            let wins = wins(place, table, index, side);
            Some(self.fold(place, &chess, wins, before))
        })
    }

    /// Computes the tree with root `chess` from the trees of its successors.
    fn fold(
        &self,
        place: Place,
        chess: &Chess,
        wins: bool,
        before: &HashMap<Place, CellsBySide>,
    ) -> Cell {
        let moves = chess.legal_moves();
        if moves.is_empty() {
            return self.end(wins);
        }
        let is_ours = chess.turn().is_white() != place.1;
        let successors: Vec<Cell> = moves
            .iter()
            .map(|&mv| self.after(place, chess, mv, before))
            .collect();
        let verdicts = || successors.iter().map(|cell| cell.verdict);
        let proof = Proof::inner(successors.iter().map(|cell| Proof {
            // The other side is to move after the move.
            won: cell.wins != is_ours,
            strategies: match cell.strategies {
                CERTAIN => Proof::CERTAIN,
                strategies => strategies.into(),
            },
        }));
        assert!(
            proof.won == (wins == is_ours),
            "the table contradicts itself"
        );
        Cell {
            wins,
            verdict: if is_ours {
                verdicts().any(|wins| wins)
            } else {
                verdicts().all(|wins| wins)
            },
            strategies: u8::try_from(proof.strategies).unwrap_or(CERTAIN),
        }
    }

    fn after(
        &self,
        place: Place,
        chess: &Chess,
        mv: Move,
        before: &HashMap<Place, CellsBySide>,
    ) -> Cell {
        let mut after = chess.clone();
        after.play_unchecked(mv);
        let (place, turned) = if mv.is_capture() {
            let (material, turned) = Material::of_board(after.board());
            if material.is_bare() {
                return self.end(false);
            }
            ((material, place.1 != turned), turned)
        } else {
            (place, false)
        };
        let table = &self.tables[&place];
        let squares = squares_of(after.board(), &self.men[&place.0], turned);
        let side = usize::from(after.turn().is_black() != turned);
        before[&place][side][table.index(squares) as usize]
    }

    const fn end(&self, wins: bool) -> Cell {
        Cell {
            wins,
            verdict: wins,
            strategies: match self.ends {
                Ends::AreLeaves => 1,
                Ends::AreCertain => CERTAIN,
            },
        }
    }

    fn map(
        &self,
        cell: impl Fn(Place, &Table, u32, usize) -> Option<Cell>,
    ) -> HashMap<Place, CellsBySide> {
        let cells = |place: Place, table: &Table| {
            [0, 1].map(|side| {
                (0..table.size())
                    .map(|index| cell(place, table, index, side).unwrap_or_default())
                    .collect()
            })
        };
        let places = self.tables.iter();
        places
            .map(|(&place, table)| (place, cells(place, table)))
            .collect()
    }

    fn count(&self, place: Place, side: usize, cells: &HashMap<Place, CellsBySide>) -> AccuracyRow {
        let table = &self.tables[&place];
        let mut row = AccuracyRow::default();
        for (index, cell) in cells[&place][side].iter().enumerate() {
            let Some(squares) = table.position(index as u32, color(side)) else {
                continue;
            };
            let images = table.images(squares);
            let share = if cell.strategies < 2 {
                &mut row.few
            } else {
                &mut row.many
            };
            share.positions += images;
            share.right += images * u64::from(cell.verdict == cell.wins);
        }
        row
    }
}

/// Whether the stronger side of the endgame wins. `side` is relative to the colours of the class.
fn wins(place: Place, table: &Table, index: u32, side: usize) -> bool {
    let is_ours = (side == 0) != place.1;
    let sign = table.values()[side][index as usize].sign();
    if is_ours { sign > 0 } else { sign < 0 }
}

const fn color(side: usize) -> Color {
    if side == 0 {
        Color::White
    } else {
        Color::Black
    }
}

/// The evaluation of the thesis: a rook or a queen wins against a bare king, everything else is a draw. With
/// `flipped` Black is the stronger side.
fn material_wins(board: &shakmaty::Board, flipped: bool) -> bool {
    let ours = if flipped { Color::Black } else { Color::White };
    let is_bare = board.by_color(ours.other()).count() == 1;
    let major = board.by_role(Role::Rook) | board.by_role(Role::Queen);
    is_bare && (major & board.by_color(ours)).any()
}
