//! Counting move sequences as a job.

use super::active::Post;
use super::event::SearchEvent;
use crate::chess::Position;
use crate::chess::perft::perft;

/// Move sequences of this depth are counted without looking up: that takes about a millisecond.
const COUNT_UNWATCHED: u32 = 3;

/// Counts move by move, so that it can be shown and stopped.
pub(super) fn count(position: &Position, depth: u32, post: &Post) {
    let mut moves = Vec::new();
    if depth > 0 {
        position.legal_moves(&mut moves);
    }
    let mut total = u64::from(depth == 0);
    for mv in moves {
        let Some(nodes) = count_watched(&position.after(mv), depth - 1, post) else {
            let elapsed = post.start.elapsed();
            return post.send(SearchEvent::Counted {
                nodes: total,
                elapsed,
                is_stopped: true,
            });
        };
        total += nodes;
        post.send(SearchEvent::Part { mv, nodes });
    }
    let elapsed = post.start.elapsed();
    post.send(SearchEvent::Counted {
        nodes: total,
        elapsed,
        is_stopped: false,
    });
}

/// Like [`perft`], but `None` when told to stop.
fn count_watched(position: &Position, depth: u32, post: &Post) -> Option<u64> {
    if depth <= COUNT_UNWATCHED {
        return (!post.is_stopped()).then(|| perft(position, depth));
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
        .into_iter()
        .map(|mv| count_watched(&position.after(mv), depth - 1, post))
        .sum()
}
