//! Two bytes per position, accessed sequentially, in memory or in a working file.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The record of a position; only the first byte is mutable.
pub type StripRecord = [u8; 2];

/// Records read at a time.
const CHUNK: usize = 1 << 15;

enum Store {
    Memory(Vec<StripRecord>),
    /// `None` after an error.
    File(Option<File>),
}

/// The records of all positions. The first error of a working file is stored, and nothing is read after it.
pub struct Strip {
    store: Store,
    len: u32,
    trouble: Option<io::Error>,
}

impl Strip {
    /// Stores the records in a working file at `path`, or in memory. The file is unlinked once open, so that
    /// nothing remains after the process ends.
    pub fn new(path: Option<&Path>, len: u32, records: impl Iterator<Item = StripRecord>) -> Self {
        let Some(path) = path else {
            let records: Vec<_> = records.collect();
            assert_eq!(records.len(), len as usize);
            return Self::of(Store::Memory(records), len);
        };
        match write(path, records) {
            Ok(file) => Self::of(Store::File(Some(file)), len),
            Err(error) => Self {
                trouble: Some(error),
                ..Self::of(Store::File(None), len)
            },
        }
    }

    const fn of(store: Store, len: u32) -> Self {
        Self {
            store,
            len,
            trouble: None,
        }
    }

    /// Whether the records are in a file, or were meant to be.
    pub const fn is_file(&self) -> bool {
        matches!(self.store, Store::File(_))
    }

    /// The number of records.
    pub const fn size(&self) -> u32 {
        self.len
    }

    /// Takes the first error.
    pub const fn take_trouble(&mut self) -> Option<io::Error> {
        self.trouble.take()
    }

    /// Calls `each` with every record and its number, in order.
    pub fn for_each(&mut self, mut each: impl FnMut(u32, StripRecord)) {
        self.update(|number, record| {
            each(number, record);
            record[0]
        });
    }

    /// Calls `change` with every record and its number, in order, and stores the result as the first byte.
    pub fn update(&mut self, mut change: impl FnMut(u32, StripRecord) -> u8) {
        let updated = match &mut self.store {
            Store::Memory(records) => {
                update(0, records, &mut change);
                Ok(())
            }
            Store::File(Some(file)) => update_file(file, self.len, &mut change),
            Store::File(None) => Ok(()),
        };
        if let Err(error) = updated {
            self.trouble.get_or_insert(error);
            self.store = Store::File(None);
        }
    }
}

fn write(path: &Path, records: impl Iterator<Item = StripRecord>) -> io::Result<File> {
    let mut options = File::options();
    let file = options.read(true).write(true).create(true).truncate(true);
    let mut out = BufWriter::with_capacity(2 * CHUNK, file.open(path)?);
    fs::remove_file(path)?;
    for record in records {
        out.write_all(&record)?;
    }
    Ok(out.into_inner()?)
}

/// Returns whether anything has changed.
fn update(
    first: u32,
    records: &mut [StripRecord],
    change: &mut impl FnMut(u32, StripRecord) -> u8,
) -> bool {
    let mut changed = false;
    for (number, record) in (first..).zip(records) {
        let byte = change(number, *record);
        changed |= byte != record[0];
        record[0] = byte;
    }
    changed
}

fn update_file(
    file: &mut File,
    len: u32,
    change: &mut impl FnMut(u32, StripRecord) -> u8,
) -> io::Result<()> {
    let mut chunk = vec![[0; 2]; CHUNK];
    file.rewind()?;
    for first in (0..len).step_by(CHUNK) {
        let records = &mut chunk[..CHUNK.min((len - first) as usize)];
        file.read_exact(records.as_flattened_mut())?;
        if update(first, records, change) {
            file.seek(SeekFrom::Start(2 * u64::from(first)))?;
            file.write_all(records.as_flattened())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_holds_what_memory_holds() {
        let len = 3 * CHUNK as u32 + 7;
        let records = || (0..len).map(|number| [number as u8, (number >> 8) as u8]);
        let path = std::env::temp_dir().join(format!("cc2s-strip-{}", std::process::id()));
        let mut strips = [None, Some(path.as_path())].map(|path| Strip::new(path, len, records()));
        assert!(!path.exists(), "a working file has no name");
        for round in 0..3 {
            let seen = strips.each_mut().map(|strip| {
                let mut seen = Vec::new();
                strip.update(|number, [byte, other]| {
                    seen.push((number, byte, other));
                    // One chunk remains unchanged.
                    byte ^ u8::from(number as usize / CHUNK != 1 && number % 11 == round)
                });
                seen
            });
            assert!(seen[0] == seen[1] && seen[0].len() == len as usize);
        }
        assert!(
            strips
                .iter_mut()
                .all(|strip| strip.take_trouble().is_none())
        );
    }

    #[test]
    fn a_file_that_cannot_be_had_is_trouble() {
        let path = Path::new("/nowhere/at/all");
        let mut strip = Strip::new(Some(path), 1, std::iter::once([0, 0]));
        strip.for_each(|_, _| unreachable!("nothing is there"));
        assert!(strip.take_trouble().is_some());
    }
}
