//! The experiment of section 4.5 against a search of each tree.

use cc2s::endgame::probe::{Own, TableOutcome};
use cc2s::lab::reality::{AccuracyRow, Column, Ends, columns};
use cc2s::thesis::quality::Proof;
use shakmaty::{CastlingMode, Chess, Color, FromSetup, Position, Setup, Square};

/// Whether White wins in truth and by the search, and the number of leaf-disjoint strategies that prove the truth.
fn search(own: &Own, chess: &Chess, depth: u32) -> (bool, bool, u64) {
    let answer = own.answer(chess, false);
    // There is no table of bare kings.
    let outcome = answer.map_or(TableOutcome::Draw, |answer| answer.outcome);
    let is_white = chess.turn().is_white();
    let wins = if is_white {
        outcome == TableOutcome::Win
    } else {
        outcome == TableOutcome::Loss
    };
    let moves = chess.legal_moves();
    let is_bare = chess.board().occupied().count() == 2;
    if depth == 0 && !is_bare {
        return (wins, chess.board().rooks().any(), 1);
    }
    if moves.is_empty() || is_bare {
        return (wins, wins, 1);
    }
    let mut verdict = !is_white;
    let mut proofs = Vec::new();
    for mv in moves {
        let mut after = chess.clone();
        after.play_unchecked(mv);
        let (wins, by_search, strategies) = search(own, &after, depth - 1);
        verdict = if is_white {
            verdict || by_search
        } else {
            verdict && by_search
        };
        let won = wins != is_white;
        proofs.push(Proof { won, strategies });
    }
    (wins, verdict, Proof::inner(proofs).strategies)
}

fn position(white: Square, black: Square, rook: Square, turn: Color) -> Option<Chess> {
    let mut setup = Setup::empty();
    setup.board.set_piece_at(white, Color::White.king());
    setup.board.set_piece_at(black, Color::Black.king());
    setup.board.set_piece_at(rook, Color::White.rook());
    setup.turn = turn;
    Chess::from_setup(setup, CastlingMode::Standard)
        .ok()
        .filter(|chess| chess.board().occupied().count() == 3)
}

/// Searches every placement individually, including mirror images.
fn one_by_one(turn: Color, depth: u32) -> AccuracyRow {
    let own = Own::built_in();
    let mut row = AccuracyRow::default();
    for white in Square::ALL {
        for black in Square::ALL {
            for rook in Square::ALL {
                let Some(chess) = position(white, black, rook, turn) else {
                    continue;
                };
                let (wins, verdict, strategies) = search(&own, &chess, depth);
                let share = if strategies < 2 {
                    &mut row.few
                } else {
                    &mut row.many
                };
                share.positions += 1;
                share.right += u64::from(verdict == wins);
            }
        }
    }
    row
}

#[test]
fn folding_all_trees_at_once_counts_what_searching_each_does() {
    let [white, black] = columns("KRvK", 1, Ends::AreLeaves, || ()).unwrap();
    assert_eq!((white.name.as_str(), black.name.as_str()), ("KRvK", "KvKR"));
    for (Column { rows, .. }, turn) in [(white, Color::White), (black, Color::Black)] {
        for (depth, row) in rows.iter().enumerate() {
            assert_eq!(*row, one_by_one(turn, depth as u32), "{turn} {depth}");
        }
    }
}

#[test]
fn certain_ends_only_add_strategies() {
    let leaves = columns("KQvK", 2, Ends::AreLeaves, || ()).unwrap();
    let certain = columns("KQvK", 2, Ends::AreCertain, || ()).unwrap();
    for (leaves, certain) in leaves.iter().zip(&certain) {
        for (leaves, certain) in leaves.rows.iter().zip(&certain.rows) {
            assert_eq!(leaves.few.with(leaves.many), certain.few.with(certain.many));
            assert!(certain.many.positions >= leaves.many.positions);
        }
    }
    assert!(columns("KPvK", 1, Ends::AreLeaves, || ()).is_err());
    assert!(columns("KvKR", 1, Ends::AreLeaves, || ()).is_err());
}
