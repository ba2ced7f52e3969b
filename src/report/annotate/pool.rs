//! Several games at the same time, each by a search of its own.

use std::sync::atomic::AtomicBool;

use super::game::{Annotated, annotate};
use crate::chess::pgn::Game;
use crate::engine::search::Search;
use crate::engine::side_by_side;
use crate::report::look::Allowed;

/// Annotates the games, each given with its number, and hands them to `done` as they are finished: in any order where
/// there are several searches, but what is said of a game does not hang on that. `advance` is called for each
/// position. Once `stop` is set nothing more is finished.
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
    let work = |search: &mut dyn Search, &(number, game): &(usize, &Game)| {
        annotate(search, number, game, allowed, stop, advance)
    };
    side_by_side(games, searches, work, |_, annotated| done(annotated))
}
