//! Asking tables about positions.

use super::board::king_slot;
use super::error::TableError;
use super::file::{TableFile, path_of};
use super::indexing::{Indexing, Squares};
use super::material::{MEN_MAX, Material};
use super::{Metric, Value};
use shakmaty::{Board, Chess, Color, EnPassantMode, Move, Position, Role, Square};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Blocks kept decoded; 64 KiB each.
const CACHE: usize = 256;

/// Tables of one directory, opened when first needed. Can be shared between threads.
pub struct Prober {
    directory: PathBuf,
    open: Mutex<HashMap<Material, Option<Arc<Opened>>>>,
    cache: Mutex<Cache>,
}

struct Opened {
    file: TableFile,
    indexing: Indexing,
}

/// A decoded block and when it was used last.
type Used = (Arc<Vec<Value>>, u64);

/// The blocks used last.
#[derive(Default)]
struct Cache {
    blocks: HashMap<(Material, u32), Used>,
    clock: u64,
}

impl Cache {
    fn get(&mut self, key: (Material, u32)) -> Option<Arc<Vec<Value>>> {
        self.clock += 1;
        let (block, used) = self.blocks.get_mut(&key)?;
        *used = self.clock;
        Some(block.clone())
    }

    fn put(&mut self, key: (Material, u32), block: Arc<Vec<Value>>) {
        if self.blocks.len() >= CACHE {
            let oldest = self
                .blocks
                .iter()
                .min_by_key(|(_, (_, used))| *used)
                .map(|(key, _)| *key);
            oldest.map(|key| self.blocks.remove(&key));
        }
        self.blocks.insert(key, (block, self.clock));
    }
}

impl Prober {
    /// Tables in `directory`, which need not exist.
    pub fn new(directory: &Path) -> Self {
        Self {
            directory: directory.to_owned(),
            open: Mutex::default(),
            cache: Mutex::default(),
        }
    }

    /// The value of a position for the side to move, without regard to the 50-move rule and repetitions; `None` if the
    /// table is missing.
    ///
    /// # Errors
    /// Castling rights, too many men, or a damaged file.
    pub fn probe(&self, position: &Chess) -> Result<Option<Value>, TableError> {
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
        // The right to take en passant is in no table; one ply further it is gone.
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
            best = best.max(Some(Metric::Distance.lift(value)));
        }
        Ok(best)
    }

    fn probe_plain(&self, board: &Board, turn: Color) -> Result<Option<Value>, TableError> {
        let men = board
            .clone()
            .into_iter()
            .map(|(_, man)| man)
            .filter(|man| man.role != Role::King);
        let (material, flipped) = Material::new(men);
        if material.is_bare() {
            return Ok(Some(Value::DRAW));
        }
        let Some(opened) = self.opened(material)? else {
            return Ok(None);
        };
        let squares = squares_of(board, material, flipped);
        let side = usize::from(turn.is_black() != flipped);
        let (block, at) = opened.file.find(side, opened.indexing.index(squares));
        let cached = self
            .cache
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get((material, block));
        let values = if let Some(values) = cached {
            values
        } else {
            let values = Arc::new(opened.file.read_block(block)?);
            self.cache
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .put((material, block), values.clone());
            values
        };
        Ok(Some(values[at]))
    }

    fn opened(&self, material: Material) -> Result<Option<Arc<Opened>>, TableError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = open.get(&material) {
            return Ok(known.clone());
        }
        let path = path_of(&self.directory, material);
        let opened = if path.exists() {
            let (file, indexing) = (TableFile::open(&path)?, Indexing::new(material));
            Some(Arc::new(Opened { file, indexing }))
        } else {
            None
        };
        open.insert(material, opened.clone());
        Ok(opened)
    }
}

/// The squares of the men as the class lists them, colours exchanged if `flipped`.
fn squares_of(board: &Board, material: Material, flipped: bool) -> Squares {
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
    let mut left = board.clone();
    for (slot, man) in material.men().into_iter().enumerate() {
        let man = if flipped {
            man.role.of(man.color.other())
        } else {
            man
        };
        let square = left.by_piece(man).first().expect("the class of these men");
        left.discard_piece_at(square);
        squares[slot + 2] = mirrored(square);
    }
    squares
}
