//! Checks of the machine: processor, memory and clock.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

use crate::cli::processor;

/// Maximum clock step that is accurate enough to time moves.
const CLOCK_STEP_MAX: Duration = Duration::from_millis(1);
/// Number of clock steps measured.
const CLOCK_STEPS: usize = 100;

/// Version and required instruction set of the program.
pub(super) fn program() -> String {
    format!(
        "cc2s {} for {} on {}",
        env!("CARGO_PKG_VERSION"),
        processor::LEVEL,
        std::env::consts::OS
    )
}

/// Checks the instruction set of the processor and reports its number of threads.
pub(super) fn processor() -> Result<String> {
    ensure!(processor::suffices(), "{}", processor::TOO_OLD);
    let threads = thread::available_parallelism().context("the number of processors is unknown")?;
    Ok(format!(
        "has the instructions of {}; {threads} threads at a time",
        processor::LEVEL
    ))
}

/// Checks that the clock is fine enough, and reports the delay of a short sleep.
pub(super) fn clock() -> Result<String> {
    let steps = (0..CLOCK_STEPS).map(|_| clock_step());
    let finest = steps.min().context("no clock step was seen")?;
    ensure!(
        finest <= CLOCK_STEP_MAX,
        "its steps of {finest:?} are too coarse to time moves"
    );
    let start = Instant::now();
    thread::sleep(CLOCK_STEP_MAX);
    let late = start.elapsed().saturating_sub(CLOCK_STEP_MAX);
    Ok(format!(
        "steps of {finest:?}; a sleep of 1 ms ends {} µs late",
        late.as_micros()
    ))
}

/// The time until the clock changes.
fn clock_step() -> Duration {
    let start = Instant::now();
    loop {
        let step = start.elapsed();
        if !step.is_zero() {
            return step;
        }
    }
}

/// Checks that the memory for the hash tables, in MiB, is free and within the limits of the process.
pub(super) fn memory(wanted: u64) -> Result<String> {
    let allowed = address_space();
    ensure!(
        allowed.is_none_or(|allowed| allowed >= wanted),
        "this program may use {} MiB (ulimit -v), but its tables need {wanted} MiB; set a smaller Hash",
        allowed.unwrap_or_default()
    );
    let Some(available) = available_memory() else {
        return Ok(format!(
            "tables need {wanted} MiB; the free memory is unknown on this system"
        ));
    };
    ensure!(
        available >= wanted,
        "{available} MiB are free, but tables need {wanted} MiB; set a smaller Hash"
    );
    Ok(format!("{available} MiB free, tables need {wanted} MiB"))
}

/// Memory available to programs, in MiB.
fn available_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let kibibytes: u64 = first_word_after("MemAvailable:", &text)?.parse().ok()?;
    Some(kibibytes / 1024)
}

/// The limit of the process's address space in MiB, if there is one.
fn address_space() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/limits").ok()?;
    let bytes: u64 = first_word_after("Max address space", &text)?.parse().ok()?;
    Some(bytes >> 20)
}

fn first_word_after<'a>(start: &str, text: &'a str) -> Option<&'a str> {
    let line = text.lines().find_map(|line| line.strip_prefix(start))?;
    line.split_whitespace().next()
}
