//! Check of the processor for the instructions this program was built with.
//!
//! `is_x86_feature_detected!` is always true for features enabled at build time, so the processor is queried
//! directly. This code runs before all other code and may be built with these instructions itself, so it is simple
//! enough not to need them. `.ci/release` runs every build on an emulated old processor.

/// The required instruction set: the x86-64 level, or the architecture and its vector extension.
pub(super) const LEVEL: &str = if cfg!(target_feature = "avx512f") {
    "x86-64-v4"
} else if cfg!(target_feature = "avx2") {
    "x86-64-v3"
} else if cfg!(target_feature = "sse4.2") {
    "x86-64-v2"
} else if cfg!(all(target_arch = "aarch64", target_feature = "neon")) {
    "aarch64 with NEON"
} else {
    std::env::consts::ARCH
};

/// The error message for an older processor, composed at build time.
pub(super) const TOO_OLD: &str = if cfg!(target_feature = "avx512f") {
    "error: this build of cc2s needs a processor with AVX-512 (x86-64-v4); take a build for x86-64-v3 or v2"
} else if cfg!(target_feature = "avx2") {
    "error: this build of cc2s needs a processor with AVX2, BMI2 and FMA (x86-64-v3); take the build for x86-64-v2"
} else {
    "error: this build of cc2s needs a processor with SSE 4.2 and POPCNT (x86-64-v2); build it from its source with \
     RUSTFLAGS=\"-C target-cpu=x86-64\""
};

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    /// The bit of a feature if the compiler may use it, otherwise 0.
    const fn bit(is_used: bool, place: u32) -> u32 {
        if is_used { 1 << place } else { 0 }
    }

    /// Leaf 1, register ECX.
    const BASIC: u32 = bit(cfg!(target_feature = "ssse3"), 9)
        | bit(cfg!(target_feature = "fma"), 12)
        | bit(cfg!(target_feature = "sse4.1"), 19)
        | bit(cfg!(target_feature = "sse4.2"), 20)
        | bit(cfg!(target_feature = "movbe"), 22)
        | bit(cfg!(target_feature = "popcnt"), 23)
        // The operating system saves the wide registers.
        | bit(cfg!(target_feature = "avx"), 27)
        | bit(cfg!(target_feature = "avx"), 28)
        | bit(cfg!(target_feature = "f16c"), 29);
    /// Leaf 7, register EBX.
    const EXTENDED: u32 = bit(cfg!(target_feature = "bmi1"), 3)
        | bit(cfg!(target_feature = "avx2"), 5)
        | bit(cfg!(target_feature = "bmi2"), 8)
        | bit(cfg!(target_feature = "avx512f"), 16);
    /// Leaf `8000_0001` (hexadecimal), register ECX.
    const AMD: u32 = bit(cfg!(target_feature = "lzcnt"), 5);

    pub(super) fn suffices() -> bool {
        let highest = __cpuid(0).eax;
        (BASIC == 0 || __cpuid(1).ecx & BASIC == BASIC)
            && (EXTENDED == 0 || (highest >= 7 && __cpuid_count(7, 0).ebx & EXTENDED == EXTENDED))
            && (AMD == 0 || __cpuid(0x8000_0001).ecx & AMD == AMD)
    }
}

/// Whether the processor has all instructions that the compiler may use.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
pub(super) fn suffices() -> bool {
    x86_64::suffices()
}

/// Builds for other architectures need only their baseline.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn suffices() -> bool {
    true
}
