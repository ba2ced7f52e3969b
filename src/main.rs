//! The binary: everything is in the library.

fn main() -> std::process::ExitCode {
    cc2s::cli::run()
}
