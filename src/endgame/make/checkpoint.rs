//! Saved analyses, such as `KRvKP.bal-allis.checkpoint`.
//!
//! ```text
//! 0 magic 8 | 8 class 16 | 24 algorithm 1 | 25 zero 3 | 28 indices 4 | 32 XXH3 of the rest 8 | 40 zstd of the saved state
//! ```

use super::algorithm::Algorithm;
use super::error::TableError;
use super::file::write_atomically;
use super::header::array;
use super::subject::Subject;
use std::fs;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: [u8; 8] = *b"CC2S-CP1";
const FRONT: usize = 40;

/// The subject of a saved analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The table to be generated.
    pub subject: Subject,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The number of indices of the class.
    pub size: u32,
}

impl Checkpoint {
    /// The path of the saved analysis.
    pub fn path(&self, directory: &Path) -> PathBuf {
        directory.join(format!("{}.{}.checkpoint", self.subject, self.algorithm))
    }

    fn front(&self) -> [u8; FRONT] {
        let mut bytes = [0; FRONT];
        let name = self.subject.to_string();
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..8 + name.len()].copy_from_slice(name.as_bytes());
        bytes[24] = self.algorithm as u8;
        bytes[28..32].copy_from_slice(&self.size.to_le_bytes());
        bytes
    }

    /// Saves `state`, replacing an older save.
    ///
    /// # Errors
    /// An I/O error.
    pub fn save(&self, directory: &Path, state: &[u8]) -> Result<(), TableError> {
        let packed = zstd::bulk::compress(state, 1).expect("compression into memory");
        let mut bytes = self.front().to_vec();
        bytes[32..40].copy_from_slice(&xxh3_64(&packed).to_le_bytes());
        bytes.extend(packed);
        write_atomically(&self.path(directory), &bytes).map(|_| ())
    }

    /// Loads the saved analysis, if there is one.
    ///
    /// # Errors
    /// The file belongs to another job or is damaged, or an I/O error.
    pub fn load(&self, directory: &Path) -> Result<Option<Vec<u8>>, TableError> {
        let path = self.path(directory);
        if !path.exists() {
            return Ok(None);
        }
        let bytes = fs::read(&path).map_err(TableError::io(&path))?;
        if bytes.len() < FRONT || bytes[..32] != self.front()[..32] {
            return Err(TableError::ForeignCheckpoint(path));
        }
        if xxh3_64(&bytes[FRONT..]) != u64::from_le_bytes(array(&bytes, 32)) {
            return Err(TableError::checksum(&path, "the saved state"));
        }
        let state = zstd::stream::decode_all(&bytes[FRONT..]);
        state
            .map(Some)
            .map_err(|_| TableError::content(&path, "saved state"))
    }

    /// Removes the saved analysis, if any.
    ///
    /// # Errors
    /// An I/O error.
    pub fn discard(&self, directory: &Path) -> Result<(), TableError> {
        let path = self.path(directory);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(TableError::io(&path)(error))
            }
            _ => Ok(()),
        }
    }
}
