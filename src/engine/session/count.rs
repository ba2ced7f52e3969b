//! Counting move sequences as a job.

use super::channels::JobChannels;
use super::event::SearchEvent;
use crate::chess::Position;
use crate::chess::perft::perft;

/// Move sequences of this depth are counted without looking up: that takes about a millisecond.
const COUNT_UNWATCHED: u32 = 3;

/// Counts move by move, so that it can be shown and stopped.
pub(super) fn count(position: &Position, depth: u32, channels: &JobChannels) {
    let mut moves = Vec::new();
    if depth > 0 {
        position.legal_moves(&mut moves);
    }
    let mut total = u64::from(depth == 0);
    for mv in moves {
        let Some(nodes) = count_watched(&position.after(mv), depth - 1, channels) else {
            let elapsed = channels.start.elapsed();
            return channels.send(SearchEvent::Counted {
                nodes: total,
                elapsed,
                is_stopped: true,
            });
        };
        total += nodes;
        channels.send(SearchEvent::Part { mv, nodes });
    }
    let elapsed = channels.start.elapsed();
    channels.send(SearchEvent::Counted {
        nodes: total,
        elapsed,
        is_stopped: false,
    });
}

/// Like [`perft`], but `None` when told to stop.
fn count_watched(position: &Position, depth: u32, channels: &JobChannels) -> Option<u64> {
    if depth <= COUNT_UNWATCHED {
        return (!channels.is_stopped()).then(|| perft(position, depth));
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
        .into_iter()
        .map(|mv| count_watched(&position.after(mv), depth - 1, channels))
        .sum()
}
