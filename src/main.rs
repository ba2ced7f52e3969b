//! The binary: everything is in the library.

fn main() -> anyhow::Result<std::process::ExitCode> {
    cc2s::cli::run()
}
