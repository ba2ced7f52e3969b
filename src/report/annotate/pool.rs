//! Several games at the same time, each by a search of its own.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crossbeam::channel;

use super::game::{Annotated, annotate};
use crate::chess::pgn::Game;
use crate::engine::search::Search;
use crate::report::look::Allowed;

/// Annotates the games, each given with its number, and hands them to `done` as they are finished: in any order where there
/// are several searches, but what is said of a game does not hang on that. `advance` is called for each position. Once
/// `stop` is set nothing more is finished.
///
/// # Errors
/// The first error of `done`; the work ends with it.
pub fn annotate_all<E>(
    games: &[(usize, &Game)],
    searches: Vec<Box<dyn Search>>,
    allowed: Allowed,
    stop: &AtomicBool,
    advance: &(dyn Fn() + Sync),
    mut done: impl FnMut(Annotated) -> Result<(), E>,
) -> Result<(), E> {
    let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = channel::unbounded();
    thread::scope(|scope| {
        for mut search in searches {
            let (next, is_over, sender) = (&next, &is_over, sender.clone());
            scope.spawn(move || {
                while let Some(&game) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let annotated = annotate(search.as_mut(), game, allowed, stop, advance);
                    let Some(annotated) = annotated else { break };
                    if is_over.load(Ordering::Relaxed) || sender.send(annotated).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut result = Ok(());
        for annotated in receiver {
            result = done(annotated);
            if result.is_err() {
                is_over.store(true, Ordering::Relaxed);
                next.store(games.len(), Ordering::Relaxed);
                break;
            }
        }
        result
    })
}
