//! `go mate N`: the search is asked first; what it does not see, proof-number search proves or refutes.

use super::prover::{ProofTable, Prover};
use crate::chess::Move;
use crate::engine::search::{BestMove, Question, RootUpdate, Search, SearchListener, decide};
use crate::game::{Bound, Progress, Score};

/// Nodes the search gets before the proof begins.
const SEARCH_NODES: u64 = 50_000;
/// Entries of the table, 24 bytes each: 12 MiB beside the search's own memory, while the proof lasts.
const ENTRIES: usize = 1 << 19;

/// Answers the question with the search; where a mate is asked for, with a proof.
pub fn think(search: &mut dyn Search, question: &Question, listener: &mut dyn SearchListener) {
    match question.mate {
        Some(moves_max) => {
            let answer = mate_or_best(search, question, moves_max, listener);
            listener.answer(&answer);
        }
        None => search.think(question, listener),
    }
}

fn mate_or_best(
    search: &mut dyn Search,
    question: &Question,
    moves_max: u16,
    listener: &mut dyn SearchListener,
) -> BestMove {
    let mut attempt = Attempt {
        listener: &mut *listener,
        nodes: 0,
        is_stopped: false,
        moves_max,
        is_found: false,
    };
    let answer = decide(search, question, &mut attempt);
    let nodes = attempt.nodes;
    if attempt.is_stopped || attempt.is_found {
        return answer;
    }
    let mut table = ProofTable::new(ENTRIES);
    let mut prover = Prover::new(&mut table, question.tables.as_deref(), nodes, listener);
    let shortest = prover.shortest(question, moves_max);
    let nodes = prover.nodes();
    match shortest {
        Some((plies, variation)) => announce(plies, variation, nodes, listener),
        None => answer,
    }
}

/// The search's own attempt, cut short.
struct Attempt<'a> {
    listener: &'a mut dyn SearchListener,
    nodes: u64,
    is_stopped: bool,
    moves_max: u16,
    is_found: bool,
}

impl SearchListener for Attempt<'_> {
    fn proceed(&mut self, progress: &Progress) -> bool {
        self.nodes = self.nodes.max(progress.nodes);
        self.is_stopped |= !self.listener.proceed(progress);
        !self.is_stopped && self.nodes < SEARCH_NODES
    }

    fn complain(&mut self, text: String) {
        self.listener.complain(text);
    }

    fn report(&mut self, report: &RootUpdate) {
        if report.multi_pv == 1 {
            self.is_found = report.score.is_mate_within(self.moves_max);
        }
        self.listener.report(report);
    }
}

fn announce(plies: u16, pv: Vec<Move>, nodes: u64, listener: &mut dyn SearchListener) -> BestMove {
    let answer = BestMove {
        best: pv[0],
        ponder: pv.get(1).copied().filter(|_| pv.len() > 2),
    };
    listener.report(&RootUpdate {
        depth: plies,
        selective_depth: plies,
        multi_pv: 1,
        score: Score::mate_in(plies),
        bound: Bound::Exact,
        nodes,
        tablebase_hits: 0,
        memory_permille: 0,
        pv,
        safety: None,
        claim: None,
    });
    answer
}
