//! An estimate of a move's value, for a search that was stopped before its first report.

use crate::chess::{Line, Move};
use crate::engine::search::RootUpdate;
use crate::eval::{Evaluation, EvaluationKind, under_count};
use crate::game::{Bound, Game, Score};

/// A search of one ply: the static evaluation after the move, or the end of the game.
pub(super) fn static_guess(line: &Line, mv: Move, kind: &EvaluationKind) -> RootUpdate {
    let mut line = line.clone();
    line.play(mv);
    let value = || {
        let value = Evaluation::new(kind).evaluate(line.position(), 0);
        under_count(value, line.position())
    };
    let after = line
        .end_score()
        .unwrap_or_else(|| Score::centipawns(value()));
    RootUpdate {
        depth: 1,
        selective_depth: 1,
        multi_pv: 1,
        score: after.to_parent(),
        bound: Bound::Exact,
        nodes: 1,
        tablebase_hits: 0,
        memory_permille: 0,
        pv: vec![mv],
        safety: None,
        claim: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::{parse_fen, parse_uci_move};

    #[test]
    fn it_sees_material_and_mate() {
        let root = parse_fen("6k1/5ppp/8/8/8/q7/8/1K2R3 b - - 0 1").unwrap();
        let look = |line: &Line, text: &str| {
            let mv = parse_uci_move(line.position(), text).unwrap();
            static_guess(line, mv, &EvaluationKind::Classical).score
        };
        let black = Line::new(root);
        assert!(look(&black, "a3b3") > Score::centipawns(200));
        let mate = Line::new(parse_fen("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1").unwrap());
        assert_eq!(look(&mate, "e1e8"), Score::mate_in(1));
    }
}
