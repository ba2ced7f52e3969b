//! A mate search beside a search: proof-number search gets a share of the work while a mate may be near.
//!
//! The lengths are tried in order, each resumed where the last probe stopped, so a mate found is the shortest.

use super::prover::{ProofStopped, ProofTable, Prover};
use crate::chess::Move;
use crate::engine::search::{Question, RootUpdate, SearchListener};
use crate::game::{Progress, Score};

/// Entries of the table, 24 bytes each: 1.5 MiB, taken when the first probe is due.
const ENTRIES: usize = 1 << 16;
/// Longer mates are not searched for.
const MOVES_MAX: u16 = 30;
/// Least nodes of a probe.
const NODES_MIN: u64 = 1_024;
/// Nodes to find the variation of a mate that is proved.
const VARIATION_NODES: u64 = 100_000;
/// From this score on, in centipawns, a mate may be near though no check is to be given.
const WINNING_CP: i32 = 300;

/// The search for mates in the position.
pub(crate) struct MateScout {
    table: Option<ProofTable>,
    /// The length asked next, in moves.
    moves: u16,
    /// Nodes spent on this position.
    nodes: u64,
}

/// The result of a probe.
pub(crate) enum Sight {
    /// The shortest mate in so many plies, and a variation, perhaps only its beginning.
    Mate(u16, Vec<Move>),
    /// None yet.
    Nothing,
    /// The listener said stop.
    Stopped,
}

impl MateScout {
    /// A scout without a position.
    pub(crate) const fn new() -> Self {
        Self {
            table: None,
            moves: 1,
            nodes: 0,
        }
    }

    /// Prepares for another position. Earlier proofs stay valid.
    pub(crate) fn turn_to_new_position(&mut self) {
        (self.moves, self.nodes) = (1, 0);
    }

    /// Forgets everything.
    pub(crate) fn forget(&mut self) {
        *self = Self::new();
    }

    /// Nodes spent on this position.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether a mate may be near that is shorter than what `score` announces.
    pub(crate) fn is_worthwhile(&self, question: &Question, score: Score) -> bool {
        if question.mate.is_some() || question.multi_pv > 1 || self.moves > MOVES_MAX {
            return false;
        }
        if let Some(plies) = score.mate_distance() {
            return plies > i32::from(plies_of(self.moves));
        }
        let position = question.line.position();
        let is_winning = score >= Score::centipawns(WINNING_CP);
        is_winning || question.moves.iter().any(|&mv| position.gives_check(mv))
    }

    /// Searches until `nodes_max` nodes in total are spent on the position. `progress` is reported to the listener with
    /// the nodes.
    pub(crate) fn probe(
        &mut self,
        question: &Question,
        nodes_max: u64,
        progress: &mut Progress,
        listener: &mut dyn SearchListener<Move>,
    ) -> Sight {
        let Some(nodes_max) = nodes_max.checked_sub(self.nodes) else {
            return Sight::Nothing;
        };
        if nodes_max < NODES_MIN {
            return Sight::Nothing;
        }
        let table = self.table.get_or_insert_with(|| ProofTable::new(ENTRIES));
        let mut share = ScoutListener::new(nodes_max, progress, listener);
        let mut prover = Prover::new(table, question.tables.as_deref(), 0, &mut share);
        let mut found = None;
        while self.moves <= MOVES_MAX {
            let plies = plies_of(self.moves);
            match prover.winning_move(question.line.position(), &question.moves, plies) {
                Ok(None) => self.moves += 1,
                Ok(Some(mv)) => found = Some((plies, mv)),
                Err(ProofStopped) => break,
            }
            if found.is_some() {
                break;
            }
        }
        self.nodes += prover.nodes();
        match found {
            Some((plies, mv)) => Sight::Mate(
                plies,
                self.variation(question, plies, mv, progress, listener),
            ),
            None if share.is_stopped => Sight::Stopped,
            None => Sight::Nothing,
        }
    }

    /// The proved mate with the longest resistance, as far as there is time.
    fn variation(
        &mut self,
        question: &Question,
        plies: u16,
        first: Move,
        progress: &mut Progress,
        listener: &mut dyn SearchListener<Move>,
    ) -> Vec<Move> {
        let mut variation = vec![first];
        if let Some(table) = &mut self.table {
            let mut share = ScoutListener::new(VARIATION_NODES, progress, listener);
            let mut prover = Prover::new(table, question.tables.as_deref(), 0, &mut share);
            let after = question.line.position().after(first);
            // The mate is proved; if there is no time for its end, its beginning must do.
            let _ = prover.play_on(&after, plies - 1, &mut variation);
            self.nodes += prover.nodes();
        }
        variation
    }
}

/// Plies of a mate in so many moves.
const fn plies_of(moves: u16) -> u16 {
    2 * moves - 1
}

/// Ends the work when its share is used up or the listener says stop.
struct ScoutListener<'a> {
    nodes_before: u64,
    nodes_max: u64,
    progress: &'a mut Progress,
    listener: &'a mut dyn SearchListener<Move>,
    is_stopped: bool,
}

impl<'a> ScoutListener<'a> {
    fn new(
        nodes_max: u64,
        progress: &'a mut Progress,
        listener: &'a mut dyn SearchListener<Move>,
    ) -> Self {
        Self {
            nodes_before: progress.nodes,
            nodes_max,
            progress,
            listener,
            is_stopped: false,
        }
    }
}

impl SearchListener<Move> for ScoutListener<'_> {
    fn proceed(&mut self, prover: &Progress) -> bool {
        self.progress.nodes = self.nodes_before + prover.nodes;
        self.is_stopped = self.is_stopped || !self.listener.proceed(self.progress);
        !self.is_stopped && prover.nodes < self.nodes_max
    }

    fn report(&mut self, _: &RootUpdate) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Line;
    use crate::chess::notation::parse_fen;

    /// Never stops.
    struct Quiet;

    impl SearchListener<Move> for Quiet {
        fn proceed(&mut self, _: &Progress) -> bool {
            true
        }
        fn report(&mut self, _: &RootUpdate) {}
    }

    fn probe(scout: &mut MateScout, fen: &str, nodes_max: u64) -> Sight {
        let question = Question::about(Line::new(parse_fen(fen).unwrap()));
        scout.probe(&question, nodes_max, &mut Progress::default(), &mut Quiet)
    }

    #[test]
    fn small_probes_find_in_the_end_what_one_great_probe_finds() {
        let fen = "7k/8/8/8/8/3R4/8/1R5K w - - 0 1";
        let mut scout = MateScout::new();
        let found = (1..100).find_map(|turn| match probe(&mut scout, fen, turn * 2_000) {
            Sight::Mate(plies, variation) => Some((plies, variation)),
            _ => None,
        });
        let (plies, variation) = found.expect("a mate with two rooks");
        assert_eq!(plies, 3);
        assert_eq!(variation.len(), 3);
    }

    #[test]
    fn probes_only_where_there_may_be_something_to_see() {
        let scout = MateScout::new();
        let start = Question::initial(1, None);
        assert!(!scout.is_worthwhile(&start, Score::DRAW), "no check");
        assert!(scout.is_worthwhile(&start, Score::centipawns(500)));
        assert!(!scout.is_worthwhile(&start, Score::mate_in(1)), "known");
        assert!(scout.is_worthwhile(&start, Score::mate_in(9)));
        let many = Question::initial(2, None);
        assert!(!scout.is_worthwhile(&many, Score::centipawns(500)));
    }
}
