//! Table files, such as `KRvKP.egt`, `KRvKP.wdl.egt` and `awari-07-only.egt`.
//!
//! A file consists of a header, zstd blocks of 64 Ki entries (White to move first) and a directory. The directory
//! holds offset, length and XXH3 of each block, followed by its own XXH3. Files are always complete: they are
//! written under another name, synced and renamed.

use super::TableValue;
use super::entries::{Encoder, decode, encode, from_byte, pack, packed_length, unpack};
use super::error::TableError;
use super::header::{BLOCK, HEADER, Header, SideSummary, array};
use super::indexing::side_color;
use super::solver::InFiles;
use super::subject::Subject;
use super::table::Table;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes per entry of the directory.
const PLACE: usize = 20;

/// The path of the table of `subject` in `directory`.
pub fn path_of(directory: &Path, subject: impl Into<Subject>) -> PathBuf {
    directory.join(format!("{}.egt", subject.into()))
}

/// Writes a chess table into `directory` with the zstd `level` and returns the file size in bytes.
///
/// # Errors
/// An I/O error; no file is left behind.
pub fn write(table: &Table, directory: &Path, level: i32) -> Result<u64, TableError> {
    let subject = Subject::Chess(table.material(), table.metric());
    let sides = (0..2).map(|side| {
        let values = table.values()[side].iter().enumerate();
        let legal = values.map(|(index, &value)| {
            let placement = table.position(index as u32, side_color(side));
            placement.map(|_| value)
        });
        Ok(encode(subject, legal))
    });
    write_sides(subject, sides, directory, level)
}

/// Like [`write()`], for a game such as awari, whose positions are the same for either side.
///
/// # Errors
/// An I/O error; no file is left behind.
pub fn write_values(
    subject: Subject,
    values: &[TableValue],
    directory: &Path,
    level: i32,
) -> Result<u64, TableError> {
    assert_eq!(subject.sides(), 1);
    let side = encode(subject, values.iter().copied().map(Some));
    write_sides(subject, std::iter::once(Ok(side)), directory, level)
}

/// Like [`write()`], for the results of an analysis in working files, one side after the other.
///
/// # Errors
/// An I/O error; no file is left behind.
pub fn write_from_files(
    subject: Subject,
    analysis: &mut dyn InFiles,
    directory: &Path,
    level: i32,
) -> Result<u64, TableError> {
    let sides = (0..subject.sides() as usize).map(|side| {
        let mut encoder = Encoder::new(subject);
        let shown = analysis.show(side, &mut |value| encoder.push(value));
        shown.map_err(TableError::io(directory))?;
        Ok(encoder.finish())
    });
    write_sides(subject, sides, directory, level)
}

/// The entries of one side, one byte each, and their summary.
type EncodedSide = (Vec<u8>, SideSummary);

fn write_sides(
    subject: Subject,
    sides: impl Iterator<Item = Result<EncodedSide, TableError>>,
    directory: &Path,
    level: i32,
) -> Result<u64, TableError> {
    let mut file = vec![0; HEADER];
    let mut places = Vec::new();
    let mut summaries = [SideSummary::default(); 2];
    for (side, kept) in sides.zip(&mut summaries) {
        let (bytes, summary) = side?;
        for block in bytes.chunks(BLOCK as usize) {
            let packed = zstd::bulk::compress(&pack(subject, block), level)
                .expect("compression into memory");
            places.extend((file.len() as u64).to_le_bytes());
            places.extend((packed.len() as u32).to_le_bytes());
            places.extend(xxh3_64(&packed).to_le_bytes());
            file.extend(packed);
        }
        *kept = summary;
    }
    let header = Header {
        subject,
        entries: subject.entries(),
        sides: summaries,
        directory: file.len() as u64,
    };
    file[..HEADER].copy_from_slice(&header.to_bytes());
    let sum = xxh3_64(&places);
    file.extend(places);
    file.extend(sum.to_le_bytes());
    write_atomically(&path_of(directory, subject), &file)
}

/// Writes a file atomically.
///
/// # Errors
/// An I/O error; no file is left behind.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<u64, TableError> {
    let temporary = path.with_added_extension("part");
    let written = File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The removal may fail as well; the first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    written.map_err(TableError::io(path))?;
    Ok(bytes.len() as u64)
}

#[derive(Clone, Copy, Debug)]
struct BlockLocation {
    offset: u64,
    length: u32,
    checksum: u64,
}

enum TableStorage {
    File(Mutex<File>),
    Memory(&'static [u8]),
}

impl TableStorage {
    fn read_at(&self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        match self {
            Self::File(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(offset))?;
                let mut bytes = vec![0; length];
                file.read_exact(&mut bytes)?;
                Ok(bytes)
            }
            Self::Memory(bytes) => {
                let part = bytes
                    .get(offset as usize..)
                    .and_then(|rest| rest.get(..length));
                part.map(<[u8]>::to_vec)
                    .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
            }
        }
    }
}

/// An open table file. Header and directory are verified at opening, each block when it is read.
pub struct TableFile {
    path: PathBuf,
    header: Header,
    places: Vec<BlockLocation>,
    source: TableStorage,
    length: u64,
}

impl TableFile {
    /// Opens a file, whose name must match its class.
    ///
    /// # Errors
    /// An I/O error, or an error in the header, directory, length or name.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        let file = File::open(path).map_err(TableError::io(path))?;
        let length = file.metadata().map_err(TableError::io(path))?.len();
        Self::with_source(path, TableStorage::File(Mutex::new(file)), length)
    }

    /// Opens a built-in file; `path` names it in messages and states its class.
    ///
    /// # Errors
    /// An error in the header, directory, length or name.
    pub fn built_in(path: &Path, bytes: &'static [u8]) -> Result<Self, TableError> {
        Self::with_source(path, TableStorage::Memory(bytes), bytes.len() as u64)
    }

    fn with_source(path: &Path, source: TableStorage, length: u64) -> Result<Self, TableError> {
        let read = |offset, length| source.read_at(offset, length).map_err(TableError::io(path));
        let truncated = |expected| TableError::Truncated {
            path: path.to_owned(),
            found: length,
            expected,
        };
        if length < HEADER as u64 {
            return Err(truncated(HEADER as u64));
        }
        let header = Header::from_bytes(&array(&read(0, HEADER)?, 0), path)?;
        let size = header.blocks() as usize * PLACE + 8;
        let expected = header.directory + size as u64;
        if length != expected {
            return Err(truncated(expected));
        }
        let name = header.subject.to_string();
        if path
            .file_stem()
            .is_none_or(|stem| stem.to_string_lossy() != name)
        {
            return Err(TableError::WrongName {
                path: path.to_owned(),
                inside: name,
            });
        }
        let places = parse_directory(&read(header.directory, size)?, &header, path)?;
        Ok(Self {
            path: path.to_owned(),
            header,
            places,
            source,
            length,
        })
    }

    /// The header.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The length of the file in bytes.
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// The block and the position in it of the entry of `index` with White (0) or Black (1) to move.
    pub const fn find(&self, side: usize, index: u32) -> (u32, usize) {
        (
            side as u32 * self.header.blocks_a_side() + index / BLOCK,
            (index % BLOCK) as usize,
        )
    }

    /// Decodes an entry of a block.
    ///
    /// # Errors
    /// The entry is invalid.
    pub fn value(&self, entry: u8) -> Result<TableValue, TableError> {
        from_byte(self.header.subject, entry)
            .ok_or_else(|| TableError::content(&self.path, "entry"))
    }

    /// Reads a block, one byte per entry, and verifies its checksum.
    ///
    /// # Errors
    /// A damaged file or an I/O error.
    pub fn read_block(&self, block: u32) -> Result<Vec<u8>, TableError> {
        let place = self.places[block as usize];
        let packed = self
            .source
            .read_at(place.offset, place.length as usize)
            .map_err(TableError::io(&self.path))?;
        if xxh3_64(&packed) != place.checksum {
            return Err(TableError::checksum(&self.path, format!("block {block}")));
        }
        let (subject, entries) = (self.header.subject, self.entries_of(block));
        let length = packed_length(subject, entries);
        match zstd::bulk::decompress(&packed, length) {
            Ok(bytes) if bytes.len() == length => Ok(unpack(subject, bytes, entries)),
            _ => Err(TableError::content(&self.path, format!("block {block}"))),
        }
    }

    fn decode(&self, bytes: &[u8]) -> Result<Vec<TableValue>, TableError> {
        decode(self.header.subject, bytes).ok_or_else(|| TableError::content(&self.path, "entry"))
    }

    fn entries_of(&self, block: u32) -> usize {
        let first = block % self.header.blocks_a_side() * BLOCK;
        BLOCK.min(self.header.entries - first) as usize
    }

    /// Reads a chess table and verifies all checksums.
    ///
    /// # Errors
    /// A damaged file, an I/O error, or the table of another game.
    pub fn load(&self) -> Result<Table, TableError> {
        let Subject::Chess(material, metric) = self.header.subject else {
            return Err(TableError::content(
                &self.path,
                "table where one of chess was expected",
            ));
        };
        Ok(Table::new(
            material,
            metric,
            [self.load_side(0)?, self.load_side(1)?],
        ))
    }

    /// Reads the values of one side and verifies their checksums.
    ///
    /// # Errors
    /// A damaged file or an I/O error.
    pub fn load_side(&self, side: usize) -> Result<Vec<TableValue>, TableError> {
        let mut bytes = Vec::with_capacity(self.header.entries as usize);
        let blocks = self.header.blocks_a_side();
        for block in 0..blocks {
            bytes.extend(self.read_block(side as u32 * blocks + block)?);
        }
        if xxh3_64(&bytes) != self.header.sides[side].checksum {
            let mover = if side == 0 { "White" } else { "Black" };
            let part = format!("the entries with {mover} to move");
            return Err(TableError::checksum(&self.path, part));
        }
        self.decode(&bytes)
    }
}

fn parse_directory(
    bytes: &[u8],
    header: &Header,
    path: &Path,
) -> Result<Vec<BlockLocation>, TableError> {
    let (places, sum) = bytes.split_at(bytes.len() - 8);
    if xxh3_64(places).to_le_bytes() != sum {
        return Err(TableError::checksum(path, "the directory"));
    }
    let places: Vec<_> = places
        .chunks_exact(PLACE)
        .map(|place| BlockLocation {
            offset: u64::from_le_bytes(array(place, 0)),
            length: u32::from_le_bytes(array(place, 8)),
            checksum: u64::from_le_bytes(array(place, 12)),
        })
        .collect();
    // Blocks must be contiguous, which also prevents a forged length from requesting all memory.
    let mut at = HEADER as u64;
    for place in &places {
        if place.offset != at {
            return Err(TableError::content(path, "directory"));
        }
        at += u64::from(place.length);
    }
    if at == header.directory {
        Ok(places)
    } else {
        Err(TableError::content(path, "directory"))
    }
}
