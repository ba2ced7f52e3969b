//! Calibration of the reported safety: how often a move is still best after a search with many more nodes. Results
//! are grouped by depth, by whether two strategies were shown for the decision, and by their margin.

use crate::chess::epd::Record;
use crate::chess::{Line, Position, pgn};
use crate::engine::search::Search;
use crate::game::Game as _;
use crate::tools::epd::trial::{SearchBudget, attempt};

/// The first plies of a game are skipped because openings come from books.
const FIRST_PLY: usize = 16;

/// A decision, compared with that of a longer search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Depth reached with one strategy, in plies.
    pub depth: u16,
    /// Strategies shown for the decision.
    pub conspiracy: u16,
    /// Plies that the strategies look ahead.
    pub safe_plies: u16,
    /// The margin within which two strategies were shown, in centipawns; `None` without two.
    pub margin_cp: Option<u16>,
    /// Whether the longer search chose the same move.
    pub is_kept: bool,
}

/// Number of cases and of those with the same move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptMoves {
    /// All cases.
    pub cases: u32,
    /// Cases with the same move.
    pub kept: u32,
}

impl KeptMoves {
    fn add(&mut self, case: Case) {
        self.cases += 1;
        self.kept += u32::from(case.is_kept);
    }

    /// Returns the share of moves kept and its standard error; `None` without a case.
    pub fn rate(self) -> Option<(f64, f64)> {
        let n = f64::from(self.cases);
        let rate = f64::from(self.kept) / n;
        (self.cases > 0).then(|| (rate, (rate * (1.0 - rate) / n).sqrt()))
    }
}

/// All cases of one depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CalibrationRow {
    /// Depth reached with one strategy, in plies.
    pub depth: u16,
    /// Cases with one strategy.
    pub one: KeptMoves,
    /// Cases with two strategies or more.
    pub two: KeptMoves,
}

/// The positions of a game to test: every `every`-th ply, from the end of the opening, with at least two legal
/// moves.
pub fn positions(game: &pgn::Game, every: usize) -> Vec<Position> {
    let mut line = Line::new(game.start.clone());
    let mut found = Vec::new();
    for (ply, played) in game.plies.iter().enumerate() {
        let mut moves = Vec::new();
        line.legal_moves(&mut moves);
        if ply >= FIRST_PLY && ply.is_multiple_of(every) && moves.len() > 1 {
            found.push(line.position().clone());
        }
        line.play_ply(played.mv);
    }
    found
}

/// Searches with `nodes` nodes and again with `factor` times as many, each time from an empty hash table.
pub fn judge(search: &mut dyn Search, position: &Position, nodes: u64, factor: u64) -> Case {
    let record = Record::bare(position.clone());
    let budget = |nodes| SearchBudget {
        nodes: Some(nodes),
        ..SearchBudget::default()
    };
    let first = attempt(search, &record, budget(nodes));
    let second = attempt(search, &record, budget(nodes.saturating_mul(factor)));
    let safety = first.safety.unwrap_or_default();
    Case {
        depth: first.depth(),
        conspiracy: safety.conspiracy,
        safe_plies: safety.depth,
        margin_cp: first.margin_cp(),
        is_kept: first.best == second.best,
    }
}

/// Groups the cases by depth, in rising order.
pub fn rows(cases: &[Case]) -> Vec<CalibrationRow> {
    let mut rows: Vec<CalibrationRow> = Vec::new();
    for &case in cases {
        let place = rows.partition_point(|row| row.depth < case.depth);
        if rows.get(place).is_none_or(|row| row.depth != case.depth) {
            rows.insert(
                place,
                CalibrationRow {
                    depth: case.depth,
                    ..CalibrationRow::default()
                },
            );
        }
        let row = &mut rows[place];
        if case.conspiracy >= 2 {
            row.two.add(case);
        } else {
            row.one.add(case);
        }
    }
    rows
}

/// Groups the cases by margin, in rising order; cases without two strategies come last.
pub fn by_margin(cases: &[Case]) -> Vec<(Option<u16>, KeptMoves)> {
    let mut shares: Vec<(Option<u16>, KeptMoves)> = Vec::new();
    let order = |margin: Option<u16>| margin.map_or(u32::MAX, u32::from);
    for &case in cases {
        let margin = case.margin_cp;
        let place = shares.partition_point(|&(known, _)| order(known) < order(margin));
        if shares.get(place).is_none_or(|&(known, _)| known != margin) {
            shares.insert(place, (margin, KeptMoves::default()));
        }
        shares[place].1.add(case);
    }
    shares
}

/// Returns the increase of the share of moves kept from one strategy to two, and its standard error. The depths
/// are compared one by one and averaged, weighted by the cases they can compare (Mantel, Haenszel 1959). `None`
/// where no depth has both kinds.
pub fn advantage(rows: &[CalibrationRow]) -> Option<(f64, f64)> {
    let (mut sum, mut weights, mut variance) = (0.0, 0.0, 0.0);
    for row in rows {
        let (Some((one, one_error)), Some((two, two_error))) = (row.one.rate(), row.two.rate())
        else {
            continue;
        };
        let (n, m) = (f64::from(row.one.cases), f64::from(row.two.cases));
        let weight = n * m / (n + m);
        sum += weight * (two - one);
        variance += weight * weight * (one_error * one_error + two_error * two_error);
        weights += weight;
    }
    (weights > 0.0).then(|| (sum / weights, variance.sqrt() / weights))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(depth: u16, conspiracy: u16, kept: usize, lost: usize) -> Vec<Case> {
        let case = |is_kept| Case {
            depth,
            conspiracy,
            safe_plies: 3,
            margin_cp: (conspiracy > 1).then_some(10 * depth),
            is_kept,
        };
        [vec![case(true); kept], vec![case(false); lost]].concat()
    }

    #[test]
    fn cases_are_counted_by_depth_and_strategies() {
        let all = [cases(9, 1, 3, 1), cases(8, 2, 2, 0), cases(9, 2, 1, 0)].concat();
        let rows = rows(&all);
        assert_eq!(rows.iter().map(|row| row.depth).collect::<Vec<_>>(), [8, 9]);
        assert_eq!(rows[1].one, KeptMoves { cases: 4, kept: 3 });
        assert_eq!(rows[1].two, KeptMoves { cases: 1, kept: 1 });
        assert_eq!(rows[0].one.rate(), None);
        let share = |cases, kept| KeptMoves { cases, kept };
        assert_eq!(
            by_margin(&all),
            [
                (Some(80), share(2, 2)),
                (Some(90), share(1, 1)),
                (None, share(4, 3))
            ]
        );
    }

    /// Deeper decisions are kept more often and have two strategies less often. Without grouping by depth, this
    /// hides the effect of the second strategy.
    #[test]
    fn the_advantage_is_taken_at_equal_depth() {
        let all = [
            cases(8, 1, 10, 10),
            cases(8, 2, 48, 32),
            cases(12, 1, 64, 16),
            cases(12, 2, 18, 2),
        ];
        let (advantage, error) = advantage(&rows(&all.concat())).unwrap();
        assert!((advantage - 0.1).abs() < 1e-9, "{advantage}");
        assert!(error > 0.03 && error < 0.12, "{error}");
        assert_eq!(super::advantage(&rows(&cases(8, 1, 5, 5))), None);
    }
}
