//! Access to Syzygy files that holds small ones in memory, to save system calls.
//!
//! The memory map of `shakmaty-syzygy` is not safe Rust: a file changed by another process would end this one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};

/// The maximum size of a file held in memory, in bytes: covers all tables with up to four men.
const SMALL: u64 = 1 << 20;
/// The maximum size of all files held in memory, in bytes.
const HELD_MAX: u64 = 24 << 20;

/// A file system that holds small table files in memory.
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
        if size > SMALL || !self.reserve(size) {
            return self.system.open(path);
        }
        let bytes = fs::read(path).inspect_err(|_| {
            self.held.fetch_sub(size, Ordering::Relaxed);
        })?;
        Ok(Box::new(Held(bytes)))
    }
}

impl ReadFiles {
    /// Reserves memory for a file of `size` bytes; false if there is none left.
    fn reserve(&self, size: u64) -> bool {
        let grow = |held| Some(held + size).filter(|&held| held <= HELD_MAX);
        let reserved = self
            .held
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, grow);
        reserved.is_ok()
    }
}

struct Held(Vec<u8>);

impl RandomAccessFile for Held {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let rest = self.0.get(offset as usize..).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}
