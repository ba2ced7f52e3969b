//! What another search says of the root, taken over and put to the test.

use super::decision::Decision;
use super::director::Director;
use crate::cc2s::search::monitor::Monitor;
use crate::cc2s::search::searcher::Searcher;
use crate::cc2s::tree::search_tree::Tree;
use crate::cc2s::tree::target::{Requirement, Schedule};
use crate::cc2s::tree::value::Value;
use crate::game::{Evaluator, Game, Score};

impl<G: Game, E: Evaluator<G>, W: Monitor<G::Move>> Searcher<'_, G, E, W> {
    /// [`Searcher::analyse`] from the requirement that follows `met` on, with hypotheses that are believed at first: the
    /// moves of `belief` are worth their scores, all others at most the last of these. What the tree holds against it is
    /// forgotten. The decision shows what became of it; without a met requirement beyond `met` it is the belief itself.
    pub fn secure(
        &mut self,
        moves: &[G::Move],
        belief: &[(G::Move, Score)],
        (schedule, met, depth_max): (Schedule, Requirement, u16),
    ) -> Decision<G::Move> {
        assert!(!belief.is_empty(), "a belief names a move");
        self.status.met = met;
        let director = Director::new(moves, schedule, depth_max, belief.len());
        self.direct(director.believing(belief, met))
    }

    /// Gives the root's moves the values they are believed to have.
    pub(crate) fn believe(&mut self, belief: &[(G::Move, Score)]) {
        let root = Tree::<G::Move>::ROOT;
        let Some(&(_, last)) = belief.last() else {
            return;
        };
        for index in 0..self.tree[root].kid_count() {
            let kid = self.tree.kid(root, index);
            if self.tree[kid].is_end() {
                continue;
            }
            let mv = self.tree[kid].mv();
            let own = belief.iter().find(|&&(believed, _)| believed == mv);
            let value = own.map_or(Value::at_most(last), |&(_, score)| Value::exact(score));
            self.tree.forget_below(kid);
            self.tree[kid].set_value(value.to_parent());
        }
        self.tree.update_value(root);
    }
}

#[cfg(test)]
mod tests {
    use crate::cc2s::search::monitor::Patience;
    use crate::cc2s::{Cc2sParams, Decision, Requirement, Schedule, Searcher, TargetTables, Tree};
    use crate::game::synthetic::{GrownGame, Shape};
    use crate::game::{Game, HeuristicEvaluator, Score};

    type Move = <GrownGame as Game>::Move;

    const SCHEDULE: Schedule = Schedule {
        conspiracy_max: 2,
        rise_depth: 3,
        elementary: false,
    };

    /// What becomes of `belief`, or without one of an analysis, in a grown tree.
    fn decide(
        seed: u64,
        belief: Option<(Move, Score)>,
        met: Requirement,
        patience: usize,
    ) -> Decision<Move> {
        let mut game = GrownGame::new(Shape::uniform(seed, 5, 6));
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let params = Cc2sParams::default();
        let mut tree = Tree::with_capacity(1 << 18).unwrap();
        let tables = TargetTables::with_entries(1 << 10).unwrap();
        let mut evaluator = HeuristicEvaluator::default();
        let mut monitor = Patience(patience);
        let mut searcher = Searcher::new(
            &mut game,
            &mut evaluator,
            &mut monitor,
            &mut tree,
            &tables,
            &params,
        );
        match belief {
            Some(belief) => searcher.secure(&moves, &[belief], (SCHEDULE, met, 4)),
            None => searcher.analyse(&moves, SCHEDULE, 4),
        }
    }

    const LAST: Requirement = Requirement {
        depth: 4,
        conspiracy: 2,
    };

    #[test]
    fn a_right_belief_is_secured() {
        for seed in 0..20 {
            let right = decide(seed, None, LAST, usize::MAX);
            let belief = (right.pv[0], right.value.score);
            let found = decide(seed, Some(belief), Requirement::default(), usize::MAX);
            assert_eq!((found.pv[0], found.met), (right.pv[0], LAST), "seed {seed}");
        }
    }

    #[test]
    fn a_wrong_belief_is_overturned() {
        let mut overturned = 0;
        for seed in 0..20 {
            let right = decide(seed, None, LAST, usize::MAX);
            let game = GrownGame::new(Shape::uniform(seed, 5, 6));
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            let wrong = *moves.iter().find(|&&mv| mv != right.pv[0]).unwrap();
            let belief = (wrong, Score::centipawns(3_000));
            let found = decide(seed, Some(belief), Requirement::default(), usize::MAX);
            assert_eq!(found.met, LAST, "seed {seed}");
            overturned += usize::from(found.pv[0] == right.pv[0]);
        }
        assert!(overturned >= 18, "{overturned} of 20 found the better move");
    }

    #[test]
    fn without_work_a_belief_stays_a_belief() {
        let right = decide(7, None, LAST, usize::MAX);
        let met = Requirement {
            depth: 2,
            conspiracy: 1,
        };
        let found = decide(7, Some((right.pv[0], right.value.score)), met, 1);
        assert_eq!((found.pv[0], found.met), (right.pv[0], met));
    }
}
