//! Large pages for large tables: the one file of the crate with `unsafe` in it.
//!
//! A hash table is read at random. With pages of 4 KiB nearly every look waits for the processor to find the page first; with
//! pages of 2 MiB, `cc2s bench` takes 88 % of the time (`docs/experiments.csv`, 2026-11-26).

#![allow(unsafe_code)]

/// Asks the operating system for large pages for the memory that a vector has reserved and not used yet.
///
/// What is in the vector stays as it is. Linux gives large pages unasked only where it was configured to; on other systems
/// this does nothing.
pub fn advise<T>(memory: &mut Vec<T>) {
    #[cfg(target_os = "linux")]
    {
        /// What `madvise` takes addresses in multiples of, on any processor: ordinary pages have at most 64 KiB.
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
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_vector_stays_and_it_grows_as_before() {
        for capacity in [0, 1, 100_000, 3_000_000] {
            let mut memory: Vec<usize> = Vec::with_capacity(capacity);
            memory.extend((0..capacity).take(10));
            advise(&mut memory);
            memory.resize(capacity, 7);
            assert!(memory.iter().take(10).copied().eq(0..capacity.min(10)));
            assert!(memory.iter().skip(10).all(|&number| number == 7));
        }
    }
}
