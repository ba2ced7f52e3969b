//! Several searches at work on a list of items.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crossbeam::channel;

use super::search::Search;

/// Gives each item to one of the searches, one thread per search. Passes the result of `work` and the number of the
/// item to `done`. A search whose `work` returns `None` takes no more items.
///
/// # Errors
/// The first error of `done`; the work ends with it.
pub fn side_by_side<T: Sync, R: Send, E>(
    items: &[T],
    searches: Vec<Box<dyn Search>>,
    work: impl Fn(&mut dyn Search, &T) -> Option<R> + Sync,
    mut done: impl FnMut(usize, R) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel::unbounded();
    thread::scope(|scope| {
        for mut search in searches {
            let (next, work, sender) = (&next, &work, sender.clone());
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let made = items.get(at).and_then(|item| work(search.as_mut(), item));
                    let Some(made) = made else { break };
                    if sender.send((at, made)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (at, made) in receiver {
            if let Err(error) = done(at, made) {
                next.store(items.len(), Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    })
}
