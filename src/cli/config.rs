//! `cc2s config`.

/// Prints `engine.toml`: every parameter with its default, range, unit and source, and the profiles.
pub(super) fn run() {
    print!("{}", crate::engine::config::render());
}
