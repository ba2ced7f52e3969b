//! Syzygy files read without system calls: small ones are held in memory.
//!
//! The crate's own memory map is beyond safe Rust, and rightly so: a file changed by somebody else would end the
//! process.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};

/// Files up to this size are held in memory, in bytes: every table with up to four men.
const SMALL: u64 = 1 << 20;
/// All of them together, in bytes.
const HELD_MAX: u64 = 24 << 20;

/// Opens table files and holds what is small in memory.
#[derive(Default)]
pub struct ReadFiles {
    system: OsFilesystem,
    held: AtomicU64,
}

impl Filesystem for ReadFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.system.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.system.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let size = self.regular_file_size(path)?;
        let is_small = size <= SMALL && self.held.load(Ordering::Relaxed) + size <= HELD_MAX;
        if !is_small {
            return self.system.open(path);
        }
        self.held.fetch_add(size, Ordering::Relaxed);
        Ok(Box::new(Held(fs::read(path)?)))
    }
}

/// The bytes of a file.
struct Held(Vec<u8>);

impl RandomAccessFile for Held {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let rest = self.0.get(offset as usize..).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}
