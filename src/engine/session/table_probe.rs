//! Endgame tables in one search: before it begins, and in each of its reports.

use std::sync::Arc;

use crossbeam::channel::Sender;

use super::event::{SearchEvent, TableNews, send};
use crate::chess::Position;
use crate::endgame::probe::{Rooted, Tables};
use crate::engine::search::{Question, RootUpdate};
use crate::game::{Bound, Score, Tablebase};

/// The tables of one search, and their result for its root.
pub struct TableProbe {
    tables: Option<Arc<Tables>>,
    rooted: Option<Rooted>,
}

impl TableProbe {
    /// Probes the root, keeps only the moves that preserve its result, and reports this.
    ///
    /// In a drawn position the search gets no tables: all moves that keep the draw are equal to them, but not to an
    /// opponent who has none.
    pub fn new(
        question: &mut Question,
        tables: Option<Arc<Tables>>,
        events: &Sender<SearchEvent>,
    ) -> Self {
        let Some(tables) = tables else {
            return Self {
                tables: None,
                rooted: None,
            };
        };
        tables.want(question.line.position());
        let rooted = tables.root(&question.line, &question.moves, question.multi_pv);
        if let Some(rooted) = &rooted {
            question.moves = rooted.moves.iter().map(|&(mv, _)| mv).collect();
            let news = TableNews {
                answer: rooted.answer(),
                source: rooted.source,
                moves: rooted.moves.len(),
            };
            send(events, SearchEvent::Known(news));
        }
        for trouble in tables.take_troubles() {
            send(events, SearchEvent::TableTrouble(trouble));
        }
        let is_drawn = rooted.as_ref().and_then(Rooted::score) == Some(Score::DRAW);
        question.tables = (!is_drawn).then(|| tables.clone() as _);
        Self {
            tables: Some(tables),
            rooted,
        }
    }

    /// Whether the 50-move rule may change the table result of the root. Then scores stored with a smaller counter
    /// would mislead the search.
    pub fn is_doubtful(&self) -> bool {
        self.rooted.as_ref().is_some_and(Rooted::is_doubtful)
    }

    /// The reports of the best moves if tables have the distance to mate and no search is needed. Their variations are
    /// single moves; the rest is completed as for any announced mate.
    pub fn solution(&self, question: &Question) -> Option<Vec<RootUpdate>> {
        let tables = self.tables.as_ref()?;
        let rooted = self.rooted.as_ref().filter(|rooted| rooted.is_solved())?;
        let best = rooted.moves.iter().take(question.multi_pv).enumerate();
        best.map(|(at, &(mv, answer))| {
            let score = answer.score()?;
            let plies = score.mate_distance()?.unsigned_abs() as u16;
            Some(RootUpdate {
                depth: plies,
                selective_depth: plies,
                multi_pv: at + 1,
                score,
                bound: Bound::Exact,
                nodes: 0,
                tablebase_hits: tables.hits(),
                memory_permille: 0,
                pv: vec![mv],
                safety: None,
                claim: None,
            })
        })
        .collect()
    }

    /// Counts hits, and replaces a score by the table result. A mate found by the search is kept, because tables may
    /// not have its distance.
    pub fn correct(&self, report: &mut RootUpdate) {
        report.tablebase_hits = self.tables.as_ref().map_or(0, |tables| tables.hits());
        let mv = report.pv.first().copied();
        let truth = mv.and_then(|mv| self.rooted.as_ref()?.score_of(mv));
        let Some(truth) = truth else { return };
        let is_mate = |score: Score| score.mate_distance().is_some();
        if is_mate(truth) || !is_mate(report.score) {
            (report.score, report.bound) = (truth, Bound::Exact);
        }
    }

    /// The tables, for any position.
    pub fn tablebase(&self) -> Option<&dyn Tablebase<Position>> {
        self.tables.as_deref().map(|tables| tables as _)
    }
}
