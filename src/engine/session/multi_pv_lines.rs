//! The best moves reported by a search: collected until the list of a depth is complete, then ordered.

use crate::chess::Move;
use crate::engine::search::RootUpdate;

/// The best moves reported so far.
#[derive(Debug)]
pub(super) struct MultiPvLines {
    /// Moves in a complete list.
    wanted: usize,
    /// Reports of a list that is not yet whole.
    arriving: Vec<RootUpdate>,
    /// The last whole list, best first.
    whole: Vec<RootUpdate>,
    /// The last report on each move that was ever best, the latest last.
    history: Vec<RootUpdate>,
}

impl MultiPvLines {
    /// Nothing reported yet; `wanted` moves (at least 1) make a list complete.
    pub(super) fn new(wanted: usize) -> Self {
        Self {
            wanted,
            arriving: Vec::new(),
            whole: Vec::new(),
            history: Vec::new(),
        }
    }

    /// Adds a report with at least one move; the reports of a list come in order. Returns whether the list is now
    /// complete.
    pub(super) fn add(&mut self, report: RootUpdate) -> bool {
        if report.multi_pv == 1 {
            self.arriving.clear();
        }
        self.arriving.push(report);
        if self.arriving.len() < self.wanted {
            return false;
        }
        self.whole = ranked(std::mem::take(&mut self.arriving));
        self.remember(self.whole[0].clone());
        true
    }

    fn remember(&mut self, report: RootUpdate) {
        self.history.retain(|known| known.pv[0] != report.pv[0]);
        self.history.push(report);
    }

    /// Moves in a complete list.
    pub(super) fn wanted(&self) -> usize {
        self.wanted
    }

    /// The last whole list, best first; empty before the first.
    pub(super) fn whole(&self) -> &[RootUpdate] {
        &self.whole
    }

    /// The move known to be best.
    pub(super) fn best(&self) -> Option<Move> {
        self.history.last().map(|report| report.pv[0])
    }

    /// The reports at the end of a search that answers with `best`: the last one on that move; where several are
    /// wanted, the last complete list if it begins with that move; else the reports since then, completed from the
    /// list before, whose first move is the answer then. Empty if nothing is known.
    pub(super) fn last_words(mut self, best: Move) -> Vec<RootUpdate> {
        if self.wanted == 1 {
            self.history.retain(|report| report.pv[0] == best);
            return self.history;
        }
        if self
            .whole
            .first()
            .is_some_and(|report| report.pv[0] == best)
        {
            return self.whole;
        }
        let mut list = ranked(self.arriving);
        for report in self.whole {
            if list.iter().all(|known| known.pv[0] != report.pv[0]) {
                list.push(report);
            }
        }
        list.truncate(self.wanted);
        renumbered(list)
    }
}

/// The list with as many of the others, best first, as are missing for `wanted` reports.
pub(super) fn extended(
    mut list: Vec<RootUpdate>,
    others: Vec<RootUpdate>,
    wanted: usize,
) -> Vec<RootUpdate> {
    list.extend(ranked(others));
    list.truncate(wanted);
    renumbered(list)
}

/// The same reports, the greatest score first; equals keep their order.
fn ranked(mut list: Vec<RootUpdate>) -> Vec<RootUpdate> {
    list.sort_by_key(|report| std::cmp::Reverse(report.score));
    renumbered(list)
}

fn renumbered(mut list: Vec<RootUpdate>) -> Vec<RootUpdate> {
    for (report, place) in list.iter_mut().zip(1..) {
        report.multi_pv = place;
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::search::Question;
    use crate::game::{Bound, Score};

    /// Reports on moves of the initial position, by number, with their scores.
    fn told(wanted: usize, reports: &[(usize, usize, u16, i32)]) -> MultiPvLines {
        let moves = Question::initial(wanted, None).moves;
        let mut lines = MultiPvLines::new(wanted);
        for &(rank, mv, depth, score) in reports {
            lines.add(RootUpdate {
                depth,
                selective_depth: depth,
                multi_pv: rank,
                score: Score::centipawns(score),
                bound: Bound::Exact,
                nodes: 1,
                tablebase_hits: 0,
                memory_permille: 0,
                pv: vec![moves[mv]],
                safety: None,
                claim: None,
            });
        }
        lines
    }

    fn shown(list: &[RootUpdate]) -> Vec<(usize, usize, u16, i16)> {
        let moves = Question::initial(1, None).moves;
        let number = |mv| moves.iter().position(|&known| known == mv).unwrap();
        list.iter()
            .map(|report| {
                let score = report.score.raw();
                (report.multi_pv, number(report.pv[0]), report.depth, score)
            })
            .collect()
    }

    #[test]
    fn a_whole_list_is_ordered_by_score() {
        let lines = told(
            3,
            &[(1, 4, 2, 10), (2, 5, 2, 10), (3, 6, 2, 90), (1, 4, 3, 0)],
        );
        assert_eq!(
            shown(lines.whole()),
            [(1, 6, 2, 90), (2, 4, 2, 10), (3, 5, 2, 10)]
        );
    }

    #[test]
    fn the_last_list_holds_no_move_twice() {
        let moves = Question::initial(1, None).moves;
        let told = told(2, &[(1, 4, 2, 10), (2, 5, 2, 5), (1, 5, 3, 20)]);
        assert_eq!(
            shown(&told.last_words(moves[5])),
            [(1, 5, 3, 20), (2, 4, 2, 10)]
        );
    }

    #[test]
    fn a_list_of_one_depth_is_the_last_one_where_the_best_move_is_the_same() {
        let moves = Question::initial(1, None).moves;
        let told = told(2, &[(1, 4, 2, 10), (2, 5, 2, 5), (1, 4, 3, -90)]);
        assert_eq!(
            shown(&told.last_words(moves[4])),
            [(1, 4, 2, 10), (2, 5, 2, 5)]
        );
    }

    #[test]
    fn a_single_move_has_its_own_last_report() {
        let moves = Question::initial(1, None).moves;
        let reports = [(1, 4, 1, 3), (1, 5, 2, 5), (1, 4, 3, -7), (1, 5, 4, 0)];
        let told = |mv: usize| shown(&told(1, &reports).last_words(moves[mv]));
        assert_eq!(told(4), [(1, 4, 3, -7)]);
        assert_eq!(told(5), [(1, 5, 4, 0)]);
        assert!(told(6).is_empty());
    }
}
