//! `go mate N`: the search and a proof-number search alternate until one finds the mate or the proof refutes it.

use super::prover::{ProofTable, Prover};
use crate::chess::Move;
use crate::engine::search::{BestMove, Question, RootUpdate, Search, SearchListener, decide};
use crate::game::{Bound, Progress, Score};

/// Nodes of the first turn of the search, and of the first of the proof.
const FIRST_TURN: u64 = 50_000;
/// Each turn has so many times the nodes of the one before: what the search sees late and the proof never, or the other way
/// round, takes a few times as long as alone.
const GROWTH: u64 = 4;
/// Entries of the table, 24 bytes each: 12 MiB beside the search's own memory, while the proof lasts.
const ENTRIES: usize = 1 << 19;

/// Answers the question with the search; where a mate is asked for, with a proof.
pub fn think(
    search: &mut dyn Search,
    question: &Question,
    listener: &mut dyn SearchListener<Move>,
) {
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
    listener: &mut dyn SearchListener<Move>,
) -> BestMove {
    let mut table = None;
    let (mut nodes, mut turn_nodes) = (0, FIRST_TURN);
    loop {
        let mut turn = TurnListener {
            listener: &mut *listener,
            before: nodes,
            nodes,
            nodes_max: nodes + turn_nodes,
            moves_max,
            is_stopped: false,
            is_seen: false,
            is_shown: false,
        };
        let answer = decide(search, question, &mut turn);
        if turn.is_stopped || turn.is_seen {
            return answer;
        }
        // A search that ends by itself has nothing to add.
        let is_last = !turn.is_over();
        nodes = turn.nodes;
        let mut turn = TurnListener {
            before: 0,
            nodes_max: if is_last {
                u64::MAX
            } else {
                nodes + turn_nodes
            },
            ..turn
        };
        let table = table.get_or_insert_with(|| ProofTable::new(ENTRIES));
        let mut prover = Prover::new(table, question.tables.as_deref(), nodes, &mut turn);
        let shortest = prover.shortest(question, moves_max);
        nodes = prover.nodes();
        // A proof that ends before its turn is over has refuted the mate.
        let is_done = turn.is_stopped || !turn.is_over();
        if let Some((plies, variation)) = shortest {
            return announce(plies, variation, nodes, listener);
        }
        if is_done {
            return answer;
        }
        turn_nodes *= GROWTH;
    }
}

/// Listens to one turn, of the search or of the proof, and ends it in time.
struct TurnListener<'a> {
    listener: &'a mut dyn SearchListener<Move>,
    /// Nodes of earlier turns that the reports do not include.
    before: u64,
    /// Nodes of all turns.
    nodes: u64,
    nodes_max: u64,
    moves_max: u16,
    is_stopped: bool,
    /// The mate asked for was reported, ...
    is_seen: bool,
    /// ... move by move.
    is_shown: bool,
}

impl TurnListener<'_> {
    fn is_over(&self) -> bool {
        self.nodes >= self.nodes_max
    }
}

impl SearchListener<Move> for TurnListener<'_> {
    fn proceed(&mut self, progress: &Progress) -> bool {
        let nodes = self.before + progress.nodes;
        self.nodes = self.nodes.max(nodes);
        self.is_stopped |= !self.listener.proceed(&Progress { nodes, ..*progress });
        !self.is_stopped && !self.is_shown && !self.is_over()
    }

    fn complain(&mut self, text: String) {
        self.listener.complain(text);
    }

    fn report(&mut self, report: &RootUpdate) {
        if report.multi_pv == 1 {
            self.is_seen = report.score.is_mate_within(self.moves_max);
            self.is_shown = self.is_seen && is_shown(report);
        }
        self.listener.report(&RootUpdate {
            nodes: self.before + report.nodes,
            ..report.clone()
        });
    }
}

/// Whether the search has seen the mate move by move. One known from the hash table alone has a shorter variation, which
/// grows with the depth.
fn is_shown(report: &RootUpdate) -> bool {
    let plies = report.score.mate_distance().map_or(0, i32::unsigned_abs) as usize;
    report.pv.len() >= plies || usize::from(report.depth) >= plies
}

fn announce(
    plies: u16,
    pv: Vec<Move>,
    nodes: u64,
    listener: &mut dyn SearchListener<Move>,
) -> BestMove {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Line, Position};

    /// Sees the mate in its `turns`th turn, and knows nothing before; each turn goes on until it is ended.
    struct Late {
        turns: u32,
    }

    impl Search for Late {
        fn think(&mut self, question: &Question, listener: &mut dyn SearchListener<Move>) {
            let best = question.moves[0];
            self.turns -= 1;
            let is_seen = self.turns == 0;
            let mut nodes = 0;
            loop {
                nodes += 10_000;
                listener.report(&RootUpdate {
                    depth: 1,
                    selective_depth: 1,
                    multi_pv: 1,
                    score: if is_seen {
                        Score::mate_in(23)
                    } else {
                        Score::DRAW
                    },
                    bound: Bound::Exact,
                    nodes,
                    tablebase_hits: 0,
                    memory_permille: 0,
                    pv: vec![best],
                    safety: None,
                    claim: None,
                });
                let progress = Progress {
                    nodes,
                    ..Progress::default()
                };
                if is_seen || !listener.proceed(&progress) {
                    break;
                }
            }
            listener.answer(&BestMove { best, ponder: None });
        }

        fn new_game(&mut self) {}
    }

    /// Hears all, and says stop after so many nodes.
    struct Ear {
        nodes: Vec<u64>,
        last: Score,
        nodes_max: u64,
    }

    impl SearchListener<Move> for Ear {
        fn proceed(&mut self, progress: &Progress) -> bool {
            self.nodes.push(progress.nodes);
            progress.nodes < self.nodes_max
        }

        fn report(&mut self, update: &RootUpdate) {
            self.last = update.score;
        }
    }

    fn heard(turns: u32, nodes_max: u64) -> (Ear, u32) {
        let mut ear = Ear {
            nodes: Vec::new(),
            last: Score::DRAW,
            nodes_max,
        };
        let question = Question {
            mate: Some(12),
            ..Question::about(Line::new(Position::initial()))
        };
        let mut search = Late { turns };
        think(&mut search, &question, &mut ear);
        (ear, search.turns)
    }

    #[test]
    fn a_search_that_sees_the_mate_in_its_third_turn_gets_it() {
        let (ear, left) = heard(3, u64::MAX);
        assert_eq!((ear.last, left), (Score::mate_in(23), 0));
        assert!(ear.nodes.is_sorted(), "nodes of all turns are counted on");
        let all = ear.nodes.last().unwrap();
        assert!((2 * 250_000..2 * 250_000 + 10_000).contains(all), "{all}");
    }

    #[test]
    fn a_mate_known_without_its_moves_is_searched_on() {
        let mut ear = Ear {
            nodes: Vec::new(),
            last: Score::DRAW,
            nodes_max: u64::MAX,
        };
        let mut turn = TurnListener {
            listener: &mut ear,
            before: 0,
            nodes: 0,
            nodes_max: u64::MAX,
            moves_max: 2,
            is_stopped: false,
            is_seen: false,
            is_shown: false,
        };
        let moves = Question::about(Line::new(Position::initial())).moves;
        let mut goes_on = |depth, plies: u16, pv: &[Move]| {
            turn.report(&RootUpdate {
                depth,
                selective_depth: depth,
                multi_pv: 1,
                score: Score::mate_in(plies),
                bound: Bound::Exact,
                nodes: 1,
                tablebase_hits: 0,
                memory_permille: 0,
                pv: pv.to_vec(),
                safety: None,
                claim: None,
            });
            turn.proceed(&Progress::default())
        };
        assert!(goes_on(1, 5, &moves[..5]), "longer than asked for");
        assert!(goes_on(2, 3, &moves[..1]), "from the hash table");
        assert!(!goes_on(2, 3, &moves[..3]), "move by move");
        assert!(!goes_on(3, 3, &moves[..1]), "searched to its end");
    }

    #[test]
    fn either_turn_ends_when_it_is_told_to() {
        for nodes_max in [20_000, 70_000, 150_000] {
            let (ear, left) = heard(9, nodes_max);
            let turns = if nodes_max > 100_000 { 2 } else { 1 };
            assert_eq!(9 - left, turns, "{nodes_max}");
            assert!(*ear.nodes.last().unwrap() < nodes_max + 10_001);
        }
    }
}
