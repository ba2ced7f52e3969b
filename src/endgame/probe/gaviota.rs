//! Comparison of our tables with Gaviota tables, position by position.
//!
//! A `.gtb.cp4` file starts with ten 32-bit words, the ninth being the offset of the first block. The offsets of
//! all blocks and of the end follow, then the blocks: 16 Ki entries each, White to move first, compressed with
//! LZMA.

mod index;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use lzma_rust2::LzmaReader;
use shakmaty::Color;
use shakmaty::fen::Fen;
use thiserror::Error;

use super::agreement::{each_position, fen_of};
use crate::endgame::make::TableValue;
use crate::endgame::make::material::Material;
use crate::endgame::make::table::Table;
use index::GaviotaIndex;

/// Entries per block.
const BLOCK: usize = 1 << 14;
/// The file offset of the block offsets.
const OFFSETS: usize = 40;
/// The LZMA properties of streams without a header: literal context, literal position and position bits.
const PROPERTIES: u8 = (2 * 5) * 9 + 3;
const DICTIONARY: u32 = 4096;

/// An error or a difference in a comparison with Gaviota tables.
#[derive(Debug, Error)]
pub enum GaviotaTrouble {
    /// The file cannot be read.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        reason: std::io::Error,
    },
    /// The file is not a valid table of the class.
    #[error("{}: not the Gaviota table of {class}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The endgame class.
        class: Material,
    },
    /// The values differ.
    #[error("{fen}: ours {ours:?}, Gaviota {gaviota:?}")]
    Difference {
        /// The position.
        fen: Box<Fen>,
        /// Our value.
        ours: TableValue,
        /// The Gaviota value.
        gaviota: TableValue,
    },
}

/// A Gaviota table in memory.
pub struct GaviotaTable {
    index: GaviotaIndex,
    /// Entries with White and Black to move.
    sides: [Vec<u8>; 2],
}

impl GaviotaTable {
    /// Opens the table of `class` in `directory`; `None` if it is missing or the class is not supported.
    ///
    /// # Errors
    /// The file cannot be read or is damaged.
    pub fn open(directory: &Path, class: Material) -> Result<Option<Self>, GaviotaTrouble> {
        let name = class.to_string().replace('v', "").to_lowercase();
        let path = directory.join(format!("{name}.gtb.cp4"));
        let (Some(index), true) = (GaviotaIndex::new(&class.men()), path.exists()) else {
            return Ok(None);
        };
        let file = fs::read(&path).map_err(|reason| GaviotaTrouble::Io {
            path: path.clone(),
            reason,
        })?;
        let blocks = index.size().div_ceil(BLOCK);
        let side = |number: usize| read_side(&file, number * blocks, index.size());
        let (Some(white), Some(black)) = (side(0), side(1)) else {
            return Err(GaviotaTrouble::Format { path, class });
        };
        Ok(Some(Self {
            index,
            sides: [white, black],
        }))
    }

    /// Compares result and distance to mate of every position of `table` and returns the number of positions.
    ///
    /// # Errors
    /// The first difference.
    pub fn check(&self, table: &Table) -> Result<u64, GaviotaTrouble> {
        each_position(table, |squares, turn| {
            let ours = table.value(squares, turn);
            let entry = self.index.entry(squares);
            let gaviota = value_of(turn, self.sides[turn.is_black() as usize][entry]);
            if ours == gaviota {
                return Ok(());
            }
            Err(GaviotaTrouble::Difference {
                fen: Box::new(fen_of(&table.setup(squares, turn))),
                ours,
                gaviota,
            })
        })
    }
}

/// Reads the entries of one side, whose first block is `first`; `None` if they are missing.
fn read_side(file: &[u8], first: usize, size: usize) -> Option<Vec<u8>> {
    let word = |at: usize| {
        let bytes = file.get(at..at + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
    };
    let mut entries = Vec::with_capacity(size);
    for block in first..first + size.div_ceil(BLOCK) {
        let at = OFFSETS + 4 * block;
        let packed = file.get(word(at)?..word(at + 4)?)?;
        let length = BLOCK.min(size - entries.len());
        let start = entries.len();
        entries.resize(start + length, 0);
        unpack(packed, &mut entries[start..])?;
    }
    Some(entries)
}

/// Decompresses a block: two bytes before a stream with a header, or fifteen before one without.
fn unpack(packed: &[u8], entries: &mut [u8]) -> Option<()> {
    let mut reader = if *packed.first()? == 0 {
        LzmaReader::new_mem_limit(packed.get(2..)?, u32::MAX, None)
    } else {
        let size = entries.len() as u64;
        LzmaReader::new_with_props(packed.get(15..)?, size, PROPERTIES, DICTIONARY, None)
    }
    .ok()?;
    reader.read_exact(entries).ok()
}

/// Decodes an entry for the side to move. The two low bits are the mating side, 1 for White and 2 for Black, the
/// others the distance in moves. Long distances, from 63 on, have the low bits 0 for a win and 3 for a loss.
fn value_of(turn: Color, entry: u8) -> TableValue {
    let (who, moves) = (entry & 3, entry >> 2);
    let own = if turn.is_white() { 1 } else { 2 };
    match who {
        0 if entry == 0 => TableValue::DRAW,
        0 => TableValue::win_in(moves + 64),
        3 => TableValue::loss_in(moves + 63),
        _ if who == own => TableValue::win_in(moves + 1),
        _ => TableValue::loss_in(moves),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_a_side_that_mates() {
        assert_eq!(value_of(Color::White, 0), TableValue::DRAW);
        assert_eq!(value_of(Color::White, 1), TableValue::win_in(1));
        assert_eq!(value_of(Color::White, 2), TableValue::MATED);
        assert_eq!(value_of(Color::Black, 2), TableValue::win_in(1));
        assert_eq!(value_of(Color::Black, 9 << 2 | 1), TableValue::loss_in(9));
        assert_eq!(value_of(Color::Black, 1 << 2), TableValue::win_in(65));
        assert_eq!(value_of(Color::White, 1 << 2 | 3), TableValue::loss_in(64));
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let folder = std::env::temp_dir().join(format!("cc2s-gaviota-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let class = Material::parse("KPvK").unwrap();
        assert!(GaviotaTable::open(&folder, class).unwrap().is_none());
        let past_the_end = [[0; OFFSETS].as_slice(), &[255; 400]].concat();
        let empty_blocks = vec![0; 400];
        for content in [Vec::new(), vec![7; 100], past_the_end, empty_blocks] {
            fs::write(folder.join("kpk.gtb.cp4"), content).unwrap();
            let refused = GaviotaTable::open(&folder, class).err().unwrap();
            assert!(
                refused
                    .to_string()
                    .ends_with("not the Gaviota table of KPvK")
            );
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
