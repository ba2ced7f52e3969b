//! The command line.

/// Runs the program.
///
/// # Errors
/// Whatever went wrong, for people.
pub fn run() -> anyhow::Result<()> {
    Ok(())
}
