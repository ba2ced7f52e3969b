//! Large pages for large tables: the one file with `unsafe` of a program without MPI.
//!
//! A hash table is read at random. With pages of 4 KiB nearly every look waits for the processor to find the page
//! first; with pages of 2 MiB, `cc2s bench` takes 88 % of the time (`docs/experiments.csv`, 2026-11-26).

#![allow(unsafe_code)]

use std::collections::TryReserveError;

use thiserror::Error;

/// Memory that could not be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("cannot allocate {mebibytes} MiB, keeping {kept_mebibytes} MiB")]
pub struct MemoryError {
    /// Asked for.
    pub mebibytes: usize,
    /// Still in use.
    pub kept_mebibytes: usize,
}

impl MemoryError {
    /// So many MiB could not be had, and nothing is in use.
    pub const fn of(mebibytes: usize) -> Self {
        Self {
            mebibytes,
            kept_mebibytes: 0,
        }
    }
}

/// An empty vector with room for so many, for which the operating system was asked for large pages.
///
/// Linux gives them unasked only where it was configured to; other systems are not asked. The memory is reserved at
/// once, touched only as it is used.
///
/// # Errors
/// The memory cannot be allocated.
pub fn vector<T>(capacity: usize) -> Result<Vec<T>, TryReserveError> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(capacity)?;
    #[cfg(target_os = "linux")]
    advise(&mut memory);
    Ok(memory)
}

/// Asks for large pages for what a vector has reserved and not used yet.
#[cfg(target_os = "linux")]
fn advise<T>(memory: &mut Vec<T>) {
    /// Alignment that `madvise` wants on any processor: ordinary pages have at most 64 KiB.
    const PAGE: usize = 1 << 16;
    let spare = memory.spare_capacity_mut();
    let bytes = size_of_val(spare);
    let start = spare.as_mut_ptr().cast::<u8>();
    let skipped = start.align_offset(PAGE);
    if skipped >= bytes {
        return;
    }
    // SAFETY: the range lies within the vector's own memory, and this advice changes no byte of it. A refusal (a kernel
    // without large pages) leaves all as it was, so the answer is not needed.
    unsafe {
        libc::madvise(
            start.add(skipped).cast(),
            bytes - skipped,
            libc::MADV_HUGEPAGE,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_have_the_room_asked_for_and_grow_as_others_do() {
        for capacity in [0, 1, 100_000, 3_000_000] {
            let mut memory: Vec<usize> = vector(capacity).unwrap();
            assert!(memory.is_empty() && memory.capacity() >= capacity);
            memory.extend(0..capacity);
            assert!(memory.iter().copied().eq(0..capacity));
            memory.push(7);
            assert_eq!(memory.last(), Some(&7));
        }
        assert!(vector::<u64>(usize::MAX / 8).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn advice_leaves_what_is_in_a_vector() {
        let mut memory: Vec<usize> = Vec::with_capacity(1_000_000);
        memory.extend(0..10);
        advise(&mut memory);
        memory.resize(1_000_000, 7);
        assert!(memory.iter().take(10).copied().eq(0..10));
        assert!(memory.iter().skip(10).all(|&number| number == 7));
    }
}
