//! Annotation of several games in parallel, each by its own search.

use std::sync::atomic::AtomicBool;

use super::game::{Annotated, annotate};
use crate::chess::pgn::Game;
use crate::engine::search::Search;
use crate::engine::side_by_side;
use crate::report::look::Allowed;

/// Annotates the games, given with their numbers, and calls `done` with each finished game. With several searches
/// the order of the games varies, but their annotations do not. `advance` is called for each position. No game is
/// finished after `stop` is set.
///
/// # Errors
/// The first error of `done`, which ends the work.
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
