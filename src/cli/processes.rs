//! Several processes started by MPI: the first one runs the command, the others work for it.

use std::process::ExitCode;

/// Environment variables with the number of processes: Open MPI, and launchers with PMI.
const SIZES: [&str; 2] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"];

/// The number of processes according to the MPI launcher.
fn announced() -> usize {
    let number = |name| std::env::var(name).ok()?.parse().ok();
    SIZES.into_iter().find_map(number).unwrap_or(1)
}

/// Runs the command, or works for the process that runs it.
#[cfg(feature = "mpi")]
pub(super) fn run(command: impl FnOnce() -> ExitCode + Send + 'static) -> ExitCode {
    if announced() == 1 {
        command()
    } else {
        joined::run(command)
    }
}

/// Runs the command; fails if several processes would run it.
#[cfg(not(feature = "mpi"))]
pub(super) fn run(command: impl FnOnce() -> ExitCode) -> ExitCode {
    if announced() == 1 {
        return command();
    }
    super::output::warn(
        "error: several processes were started, but this program was built without MPI: cargo build --release --features mpi",
    );
    ExitCode::from(super::FAILED)
}

#[cfg(feature = "mpi")]
mod joined {
    use std::fs;
    use std::process::{self, ExitCode};
    use std::thread;
    use std::time::Instant;

    use crate::chess::Move;
    use crate::cli::FAILED;
    use crate::cli::output::warn;
    use crate::cluster::mpi::MpiLink;
    use crate::cluster::world::{self, RankCount};
    use crate::cluster::{
        Backoff, ChannelLink, Identity, Link as _, RankExecutor, RankWorker, ToCoordinator,
        channel_link, decode_all, encode, pump,
    };
    use crate::search::STACK_BYTES;

    pub(super) fn run(command: impl FnOnce() -> ExitCode + Send + 'static) -> ExitCode {
        let Some(mut link) = MpiLink::open() else {
            warn("error: this MPI library does not support multithreaded programs");
            return ExitCode::from(FAILED);
        };
        let own = match identity() {
            Ok(own) => own,
            Err(error) => {
                warn(format_args!("error: cannot read this program: {error}"));
                process::exit(FAILED.into());
            }
        };
        match (link.ranks(), link.rank()) {
            (1, _) => command(),
            (_, 0) => lead(&mut link, own, command),
            _ => work(&mut link, own),
        }
    }

    /// The identity of this program, for a comparison with other ranks.
    fn identity() -> std::io::Result<Identity> {
        let program = fs::read(std::env::current_exe()?)?;
        Ok(Identity {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build: xxhash_rust::xxh3::xxh3_64(&program),
            host: MpiLink::host(),
        })
    }

    fn count(link: &MpiLink) -> RankCount {
        RankCount {
            all: link.ranks(),
            on_machine: link.ranks_on_machine(),
        }
    }

    /// The exit code of the command, and whether all ranks have been notified.
    type End = (ExitCode, bool);

    /// This thread handles MPI; another one runs the command.
    fn lead(
        link: &mut MpiLink,
        own: Identity,
        command: impl FnOnce() -> ExitCode + Send + 'static,
    ) -> ExitCode {
        let count = count(link);
        let (channels, ends) = channel_link(count.all);
        let builder = thread::Builder::new().stack_size(STACK_BYTES);
        let thread = builder.spawn(move || conduct(channels, count, &own, command));
        let thread = match thread {
            Ok(thread) => thread,
            Err(error) => {
                warn(format_args!("error: cannot start a thread: {error}"));
                process::exit(FAILED.into());
            }
        };
        let has_left = pump(link, &ends);
        match thread.join() {
            Ok((code, true)) if has_left => code,
            // Finalising MPI would wait for lost ranks.
            Ok(_) | Err(_) => process::exit(FAILED.into()),
        }
    }

    fn conduct(
        channels: ChannelLink,
        count: RankCount,
        own: &Identity,
        command: impl FnOnce() -> ExitCode,
    ) -> End {
        if let Err(error) = world::join(channels, count, own) {
            warn(format_args!("error: {error}"));
            return (ExitCode::from(FAILED), false);
        }
        let _leave = Leave;
        let code = command();
        let lost = world::leave();
        if !lost.is_empty() {
            warn(format_args!("error: ranks were lost: {lost:?}"));
        }
        (code, lost.is_empty())
    }

    /// Ends the other ranks together with the command, even after a panic.
    struct Leave;

    impl Drop for Leave {
        fn drop(&mut self) {
            world::leave();
        }
    }

    /// Works for the first rank until it ends.
    fn work(link: &mut MpiLink, own: Identity) -> ExitCode {
        let start = Instant::now();
        let mut worker = RankWorker::new(link.rank(), link.ranks());
        let mut executor = RankExecutor::new(count(link));
        let mut backoff = Backoff::default();
        // The link cannot be full yet.
        let _ = link.send(0, &encode(&ToCoordinator::<Move>::Hello(own)));
        while !worker.is_over() {
            let mut has_worked = false;
            while let Some((_, bytes)) = link.receive() {
                has_worked = true;
                for message in decode_all(&bytes) {
                    match message {
                        Ok(message) => worker.receive(message, &mut executor),
                        Err(error) => warn(format_args!("error: rank {}: {error}", link.rank())),
                    }
                }
            }
            worker.set_poll_policy(executor.poll_policy());
            let now_us = start.elapsed().as_micros() as u64;
            has_worked |= worker.step(now_us, &mut executor);
            has_worked |= worker.flush(link);
            if has_worked {
                backoff.reset();
            } else {
                executor.wait(backoff.take(executor.poll_policy()));
            }
        }
        ExitCode::SUCCESS
    }
}
