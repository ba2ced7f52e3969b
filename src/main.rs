//! The binary: everything is in the library.

fn main() -> anyhow::Result<()> {
    cc2s::cli::run()
}
