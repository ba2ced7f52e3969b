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
    /// moves of `proposal` are worth their scores, all others at most the last of these. What the tree holds against it is
    /// forgotten. The decision shows what became of it; without a met requirement beyond `met` it is the proposal itself.
    pub fn secure(
        &mut self,
        moves: &[G::Move],
        proposal: &[(G::Move, Score)],
        (schedule, met, depth_max): (Schedule, Requirement, u16),
    ) -> Decision<G::Move> {
        assert!(!proposal.is_empty(), "a proposal names a move");
        self.state.status.met = met;
        let director = Director::new(moves, schedule, depth_max, proposal.len());
        self.direct(director.with_proposal(proposal, met))
    }

    /// Gives the root's moves the values they are believed to have.
    pub(crate) fn take_proposal(&mut self, proposal: &[(G::Move, Score)]) {
        let root = Tree::<G::Move>::ROOT;
        let Some(&(_, last)) = proposal.last() else {
            return;
        };
        for index in 0..self.tree[root].successor_count() {
            let successor = self.tree.successor(root, index);
            if self.tree[successor].is_end() {
                continue;
            }
            let mv = self.tree[successor].mv();
            let own = proposal.iter().find(|&&(proposed, _)| proposed == mv);
            let value = own.map_or(Value::at_most(last), |&(_, score)| Value::exact(score));
            self.tree.forget_below(successor);
            self.tree[successor].set_value(value.to_parent());
        }
        self.tree.update_value(root);
    }
}

#[cfg(test)]
mod tests {
    use crate::cc2s::search::monitor::Patience;
    use crate::cc2s::search::searcher::TestSearch;
    use crate::cc2s::{Decision, Requirement, Schedule};
    use crate::game::synthetic::{GrownGame, Shape};
    use crate::game::{Game, Score};

    type Move = <GrownGame as Game>::Move;

    const SCHEDULE: Schedule = Schedule {
        conspiracy_max: 2,
        rise_depth: 3,
        elementary: false,
    };

    /// What becomes of `proposal`, or without one of an analysis, in a grown tree.
    fn decide(
        seed: u64,
        proposal: Option<(Move, Score)>,
        met: Requirement,
        patience: usize,
    ) -> Decision<Move> {
        let mut game = GrownGame::new(Shape::uniform(seed, 5, 6));
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let mut monitor = Patience(patience);
        let mut search = TestSearch::new(1 << 18);
        let mut searcher = search.searcher(&mut game, &mut monitor);
        match proposal {
            Some(proposal) => searcher.secure(&moves, &[proposal], (SCHEDULE, met, 4)),
            None => searcher.analyse(&moves, SCHEDULE, 4),
        }
    }

    const LAST: Requirement = Requirement {
        depth: 4,
        conspiracy: 2,
    };

    #[test]
    fn a_right_proposal_is_secured() {
        for seed in 0..20 {
            let right = decide(seed, None, LAST, usize::MAX);
            let proposal = (right.pv[0], right.value.score);
            let found = decide(seed, Some(proposal), Requirement::default(), usize::MAX);
            assert_eq!((found.pv[0], found.met), (right.pv[0], LAST), "seed {seed}");
        }
    }

    #[test]
    fn a_wrong_proposal_is_overturned() {
        let mut overturned = 0;
        for seed in 0..20 {
            let right = decide(seed, None, LAST, usize::MAX);
            let game = GrownGame::new(Shape::uniform(seed, 5, 6));
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            let wrong = *moves.iter().find(|&&mv| mv != right.pv[0]).unwrap();
            let proposal = (wrong, Score::centipawns(3_000));
            let found = decide(seed, Some(proposal), Requirement::default(), usize::MAX);
            assert_eq!(found.met, LAST, "seed {seed}");
            overturned += usize::from(found.pv[0] == right.pv[0]);
        }
        assert!(overturned >= 18, "{overturned} of 20 found the better move");
    }

    #[test]
    fn without_work_a_proposal_stays_a_proposal() {
        let right = decide(7, None, LAST, usize::MAX);
        let met = Requirement {
            depth: 2,
            conspiracy: 1,
        };
        let found = decide(7, Some((right.pv[0], right.value.score)), met, 1);
        assert_eq!((found.pv[0], found.met), (right.pv[0], met));
    }
}
