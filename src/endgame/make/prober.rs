//! Probing of tables.

use super::board::king_slot;
use super::error::TableError;
use super::file::{TableFile, path_of};
use super::indexing::{Indexing, Squares};
use super::material::{MEN_MAX, Material};
use super::subject::Subject;
use super::{Metric, TableValue};
use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Move, Piece, Position, Square};
use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// The maximum number of decoded blocks, 64 KiB each.
const CACHE: usize = 256;

/// Built-in tables: class and file.
pub type BuiltIn = &'static [(&'static str, &'static [u8])];

/// Tables of one directory, opened on demand. Can be shared between threads, which only read unless a block is
/// missing.
pub struct Prober {
    metric: Metric,
    /// `None` for built-in tables only.
    directory: Option<PathBuf>,
    built_in: BuiltIn,
    open: RwLock<HashMap<Material, Option<Arc<Opened>>>>,
    /// The decoded blocks, oldest first.
    decoded: Mutex<VecDeque<(Arc<Opened>, u32)>>,
}

struct Opened {
    file: TableFile,
    indexing: Indexing,
    men: Vec<Piece>,
    blocks: Vec<RwLock<Option<Vec<u8>>>>,
}

impl Opened {
    fn new(material: Material, file: TableFile) -> Self {
        let header = file.header();
        Self {
            indexing: Indexing::new(material),
            men: material.men(),
            blocks: (0..header.blocks()).map(|_| RwLock::default()).collect(),
            file,
        }
    }

    fn block(&self, block: u32) -> &RwLock<Option<Vec<u8>>> {
        &self.blocks[block as usize]
    }

    /// Returns the entry, if its block is decoded.
    fn look(&self, block: u32, at: usize) -> Option<u8> {
        let block = self.block(block).read();
        let entries = block.unwrap_or_else(PoisonError::into_inner);
        entries.as_ref().map(|entries| entries[at])
    }
}

impl Prober {
    /// Uses the tables in `directory`, which need not exist.
    pub fn new(directory: &Path) -> Self {
        Self::with_built_in(&[], Some(directory))
    }

    /// Uses the result tables (WDL) in `directory`; a win is one point.
    pub fn of_results(directory: &Path) -> Self {
        Self {
            metric: Metric::Points,
            ..Self::new(directory)
        }
    }

    /// Uses the built-in tables, and those in `directory` if given.
    pub fn with_built_in(built_in: BuiltIn, directory: Option<&Path>) -> Self {
        Self {
            metric: Metric::Distance,
            directory: directory.map(Path::to_owned),
            built_in,
            open: RwLock::default(),
            decoded: Mutex::default(),
        }
    }

    /// Forgets which tables are missing, so that they are searched for again.
    pub fn refresh(&self) {
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, table| table.is_some());
    }

    /// Returns the value of a position for the side to move, without the 50-move rule and repetitions; `None` if
    /// the table is missing.
    ///
    /// # Errors
    /// The position has castling rights or too many men, or a file is damaged.
    pub fn probe(&self, position: &Chess) -> Result<Option<TableValue>, TableError> {
        if position.castles().any() {
            return Err(TableError::Castling);
        }
        if position.board().occupied().count() > MEN_MAX {
            return Err(TableError::NoTable(format!(
                "{} men",
                position.board().occupied().count()
            )));
        }
        let Some(plain) = self.probe_plain(position.board(), position.turn())? else {
            return Ok(None);
        };
        if position.ep_square(EnPassantMode::Legal).is_none() {
            return Ok(Some(plain));
        }
        // Tables have no en passant rights; after one more ply the right is gone.
        let moves = position.legal_moves();
        let (captures, others): (Vec<&Move>, Vec<&Move>) =
            moves.iter().partition(|mv| mv.is_en_passant());
        let mut best = (!others.is_empty()).then_some(plain);
        for mv in captures {
            let mut after = position.clone();
            after.play_unchecked(*mv);
            let Some(value) = self.probe_plain(after.board(), after.turn())? else {
                return Ok(None);
            };
            best = best.max(Some(self.metric.lift(value)));
        }
        Ok(best)
    }

    fn probe_plain(&self, board: &Board, turn: Color) -> Result<Option<TableValue>, TableError> {
        let (material, flipped) = Material::of_board(board);
        if material.is_bare() {
            return Ok(Some(TableValue::DRAW));
        }
        let Some(opened) = self.opened(material)? else {
            return Ok(None);
        };
        let squares = squares_of(board, &opened.men, flipped);
        let side = usize::from(turn.is_black() != flipped);
        let (block, at) = opened.file.find(side, opened.indexing.index(squares));
        let entry = match opened.look(block, at) {
            Some(entry) => entry,
            None => self.fetch(&opened, block, at)?,
        };
        opened.file.value(entry).map(Some)
    }

    /// Decodes a block, caches it and returns an entry. The oldest block is dropped if there are too many.
    fn fetch(&self, opened: &Arc<Opened>, block: u32, at: usize) -> Result<u8, TableError> {
        let entries = opened.file.read_block(block)?;
        let entry = entries[at];
        let set = |opened: &Opened, block, entries| {
            let kept = opened.block(block).write();
            std::mem::replace(&mut *kept.unwrap_or_else(PoisonError::into_inner), entries)
        };
        let mut decoded = self.decoded.lock().unwrap_or_else(PoisonError::into_inner);
        if set(opened, block, Some(entries)).is_some() {
            // Another thread was faster.
            return Ok(entry);
        }
        decoded.push_back((opened.clone(), block));
        if decoded.len() > CACHE
            && let Some((oldest, block)) = decoded.pop_front()
        {
            set(&oldest, block, None);
        }
        Ok(entry)
    }

    fn opened(&self, material: Material) -> Result<Option<Arc<Opened>>, TableError> {
        {
            let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(known) = open.get(&material) {
                return Ok(known.clone());
            }
        }
        let opened = self.find(material)?;
        let opened = opened.map(|file| Arc::new(Opened::new(material, file)));
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        Ok(open.entry(material).or_insert(opened).clone())
    }

    fn find(&self, material: Material) -> Result<Option<TableFile>, TableError> {
        let path = self
            .directory
            .as_deref()
            .map(|directory| path_of(directory, Subject::Chess(material, self.metric)));
        if let Some(path) = path.filter(|path| path.exists()) {
            return TableFile::open(&path).map(Some);
        }
        let name = material.to_string();
        let built_in = self.built_in.iter().find(|(class, _)| *class == name);
        built_in
            .map(|(class, bytes)| TableFile::built_in(Path::new(class), bytes))
            .transpose()
    }
}

/// Returns the squares of `men` in the order of the class, with colours exchanged if `flipped`.
pub fn squares_of(board: &Board, men: &[Piece], flipped: bool) -> Squares {
    let mut squares = [Square::A1; MEN_MAX];
    let mirrored = |square: Square| {
        if flipped {
            square.flip_vertical()
        } else {
            square
        }
    };
    for color in Color::ALL {
        let king = board.king_of(color).expect("each side has a king");
        squares[king_slot(if flipped { color.other() } else { color })] = mirrored(king);
    }
    let mut used = Bitboard::EMPTY;
    for (slot, man) in men.iter().enumerate() {
        let color = if flipped {
            man.color.other()
        } else {
            man.color
        };
        let left = board.by_piece(man.role.of(color)).without(used);
        let square = left.first().expect("the class of these men");
        used.add(square);
        squares[slot + 2] = mirrored(square);
    }
    squares
}
