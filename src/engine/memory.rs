//! Allocation of memory in decreasing sizes.

use std::fs;

use super::search::MemoryError;

/// Allocates `mebibytes` with `take`, halved until it fits. Returns the result of `take`, and an error to report if it
/// was less.
///
/// # Errors
/// Not even one MiB can be allocated.
pub(super) fn largest<T>(
    mebibytes: i32,
    mut take: impl FnMut(usize) -> Result<T, MemoryError>,
) -> Result<(T, Option<MemoryError>), MemoryError> {
    let asked = mebibytes.max(1) as usize;
    let free = free_mebibytes().unwrap_or(usize::MAX);
    let mut tried = asked;
    // What is promised beyond the memory there is, systems take back by force.
    while tried > free.max(1) {
        tried /= 2;
    }
    loop {
        match take(tried) {
            Ok(taken) => {
                let less = (tried < asked).then_some(MemoryError {
                    mebibytes: asked,
                    kept_mebibytes: tried,
                });
                return Ok((taken, less));
            }
            Err(error) if tried <= 1 => return Err(error),
            Err(_) => tried /= 2,
        }
    }
}

/// Memory that is neither used nor refused to this process, where the system tells (Linux).
fn free_mebibytes() -> Option<usize> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let free: usize = line.trim().strip_suffix(" kB")?.parse().ok()?;
    let within = group_mebibytes().unwrap_or(usize::MAX);
    Some(within.min(free / 1_024))
}

/// Memory left within the limit of the process group.
fn group_mebibytes() -> Option<usize> {
    let bytes = |name: &str| {
        let text = fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?;
        text.trim().parse::<usize>().ok()
    };
    let left = bytes("memory.max")?.saturating_sub(bytes("memory.current")?);
    Some(left >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(asked: i32, most: usize) -> Result<Option<usize>, usize> {
        let take = |mebibytes| {
            if mebibytes <= most {
                Ok(())
            } else {
                Err(MemoryError {
                    mebibytes,
                    kept_mebibytes: 0,
                })
            }
        };
        largest(asked, take)
            .map(|((), less)| less.map(|less| less.kept_mebibytes))
            .map_err(|error| error.mebibytes)
    }

    #[test]
    fn the_largest_half_that_can_be_had_is_taken() {
        assert_eq!(taken(8, 8), Ok(None));
        assert_eq!(taken(8, 7), Ok(Some(4)));
        assert_eq!(taken(9, 3), Ok(Some(2)));
        assert_eq!(taken(64, 1), Ok(Some(1)));
        assert_eq!(taken(64, 0), Err(1));
        let more_than_there_is = taken(i32::MAX, usize::MAX).unwrap();
        assert!(free_mebibytes().is_none() || more_than_there_is.is_some());
    }
}
