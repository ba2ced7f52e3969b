//! `go mate N`: the search is asked first; what it does not see, proof-number search proves or refutes.

use super::prover::{ProofTable, Prover};
use crate::chess::Move;
use crate::engine::search::{BestMove, Question, Report, ScoreBound, Search, Watch};
use crate::game::Score;
use crate::time::Progress;

/// Nodes the search gets before the proof begins.
const SEARCH_NODES: u64 = 50_000;
/// Entries of the table, 24 bytes each: 12 MiB beside the search's own memory, while the proof lasts.
const ENTRIES: usize = 1 << 19;

/// Answers the question with the search; where a mate is asked for, with a proof.
pub fn think(search: &mut dyn Search, question: &Question, watch: &mut dyn Watch) -> BestMove {
    let Some(moves_max) = question.mate else {
        return search.think(question, watch);
    };
    let mut first = FirstWord {
        watch: &mut *watch,
        nodes: 0,
        is_stopped: false,
        plies_max: 2 * i32::from(moves_max) - 1,
        is_found: false,
    };
    let answer = search.think(question, &mut first);
    let (nodes, is_over) = (first.nodes, first.is_stopped || first.is_found);
    if is_over {
        return answer;
    }
    let mut table = ProofTable::new(ENTRIES);
    let mut prover = Prover::new(&mut table, question.tables.as_deref(), nodes, watch);
    let shortest = prover.shortest(question, moves_max);
    let nodes = prover.nodes();
    match shortest {
        Some((plies, variation)) => announce(plies, variation, nodes, watch),
        None => answer,
    }
}

/// The search's own attempt, cut short.
struct FirstWord<'a> {
    watch: &'a mut dyn Watch,
    nodes: u64,
    is_stopped: bool,
    plies_max: i32,
    is_found: bool,
}

impl Watch for FirstWord<'_> {
    fn proceed(&mut self, progress: &Progress) -> bool {
        self.nodes = self.nodes.max(progress.nodes);
        self.is_stopped |= !self.watch.proceed(progress);
        !self.is_stopped && self.nodes < SEARCH_NODES
    }

    fn complain(&mut self, text: String) {
        self.watch.complain(text);
    }

    fn report(&mut self, report: &Report) {
        if report.multi_pv == 1 {
            let plies = report.score.mate_distance();
            self.is_found = plies.is_some_and(|plies| (1..=self.plies_max).contains(&plies));
        }
        self.watch.report(report);
    }
}

fn announce(plies: u16, pv: Vec<Move>, nodes: u64, watch: &mut dyn Watch) -> BestMove {
    let answer = BestMove {
        best: pv[0],
        ponder: pv.get(1).copied().filter(|_| pv.len() > 2),
    };
    watch.report(&Report {
        depth: plies,
        selective_depth: plies,
        multi_pv: 1,
        score: Score::mate_in(plies),
        bound: ScoreBound::Exact,
        nodes,
        tablebase_hits: 0,
        memory_permille: 0,
        pv,
        safety: None,
        claim: None,
    });
    answer
}
