//! Perft: counting the leaves of the legal move tree to verify move generation.

use super::{Move, Position};

/// The largest depth accepted, in plies: already the count of 20 plies takes centuries.
pub const DEPTH_MAX: u32 = 100;

/// Returns the number of legal move sequences of `depth` plies from `position`.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |&mv: &Move| perft(&position.after(mv), depth - 1);
    moves.iter().map(after).sum()
}

/// Returns the same count for each legal move of `position`; `depth` includes that move. Empty at depth 0.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let mut moves = Vec::new();
    if depth > 0 {
        position.legal_moves(&mut moves);
    }
    moves
        .into_iter()
        .map(|mv| (mv, perft(&position.after(mv), depth - 1)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_from_the_initial_position() {
        let position = Position::initial();
        let counts: Vec<u64> = (0..4).map(|depth| perft(&position, depth)).collect();
        assert_eq!(counts, [1, 20, 400, 8902]);
    }

    #[test]
    fn divide_adds_up() {
        let position = Position::initial();
        let parts = divide(&position, 3);
        assert_eq!(parts.len(), 20);
        assert_eq!(parts.iter().map(|part| part.1).sum::<u64>(), 8902);
        assert!(divide(&position, 0).is_empty());
    }
}
