//! Depth-first proof-number search [Nagai 2002] for a mate in a given number of moves.
//!
//! A mate in a given number of moves is a yes-or-no question. For each position and number of remaining plies, `phi` is
//! the minimum number of undecided positions that the side to move must win to reach its goal; `delta` is the same for
//! the opponent. The search always expands the position where the least is missing. The lengths are tried in order, so
//! a mate found is the shortest. In a shortest mate no position occurs twice, so repetitions need no care. Every answer
//! depends only on the position and the remaining plies. Positions in endgame tables are proved or refuted at once.

use crate::chess::{Move, Position};
use crate::engine::search::{Question, RootUpdate, SearchListener};
use crate::game::{Progress, Score, Tablebase};

/// The listener is asked every so many nodes.
const POLL_NODES: u64 = 1_024;
/// Entries of the table for the end of a variation: its proof is small, and must not begin with clearing much memory.
const END_ENTRIES: usize = 1 << 14;
/// Places an entry may take.
const BUCKET: usize = 4;
/// A reply to a move that is no check counts for so many.
const QUIET_COST: u32 = 2;
/// Beyond reach: the aim is missed.
const INFINITE: u32 = 1 << 30;

/// Proof and disproof numbers, seen by the side to move: leaves it and its opponent must still win. One of them is 0
/// once it is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ProofNumbers {
    phi: u32,
    delta: u32,
}

const WON: ProofNumbers = ProofNumbers {
    phi: 0,
    delta: INFINITE,
};
const LOST: ProofNumbers = ProofNumbers {
    phi: INFINITE,
    delta: 0,
};

#[derive(Clone, Copy)]
struct ProofEntry {
    key: u64,
    numbers: ProofNumbers,
    /// Nodes spent on it; 0 marks an empty entry.
    work: u32,
}

const EMPTY: ProofEntry = ProofEntry {
    key: 0,
    numbers: WON,
    work: 0,
};

struct Successor {
    position: Position,
    mv: Move,
    numbers: ProofNumbers,
}

/// Out of time; nothing is proved.
pub(super) struct ProofStopped;

/// The hash table of the proof; without memory it is empty.
pub(super) struct ProofTable(Vec<ProofEntry>);

impl ProofTable {
    /// A table with this number of entries of 24 bytes, or an empty table if the memory cannot be allocated.
    pub(super) fn new(entries: usize) -> Self {
        let mut table = Vec::new();
        if table.try_reserve_exact(entries).is_ok() {
            table.resize(entries, EMPTY);
        }
        Self(table)
    }

    fn recall(&self, position: &Position, plies: u16) -> Option<ProofNumbers> {
        let key = key(position, plies);
        let start = self.start(key);
        let mut known = self.0.get(start..start + BUCKET)?.iter();
        known
            .find(|entry| entry.work > 0 && entry.key == key)
            .map(|entry| entry.numbers)
    }

    /// Takes the place of the same position, or of the least work in its bucket.
    fn remember(&mut self, position: &Position, plies: u16, numbers: ProofNumbers, work: u64) {
        let key = key(position, plies);
        let start = self.start(key);
        let Some(bucket) = self.0.get_mut(start..start + BUCKET) else {
            return;
        };
        let place = bucket
            .iter_mut()
            .min_by_key(|entry| (entry.key != key, entry.work))
            .expect("a bucket has places");
        *place = ProofEntry {
            key,
            numbers,
            work: u32::try_from(work).unwrap_or(u32::MAX).max(1),
        };
    }

    fn start(&self, key: u64) -> usize {
        ((u128::from(key) * (self.0.len() / BUCKET) as u128) >> 64) as usize * BUCKET
    }
}

/// The forced end of a variation: `plies` moves to mate, the side to move mating if they are odd, else being mated,
/// which resists as long as it can. `None` where that is not proved within `nodes_max` nodes. Counts the nodes in
/// `nodes`.
pub(super) fn forced_end(
    position: &Position,
    plies: u16,
    tablebase: Option<&dyn Tablebase<Position>>,
    nodes_max: u64,
    nodes: &mut u64,
) -> Option<Vec<Move>> {
    let mut budget = ProofBudget(nodes_max);
    let mut table = ProofTable::new(END_ENTRIES);
    let mut prover = Prover::new(&mut table, tablebase, 0, &mut budget);
    let end = prover.forced_end(position, plies);
    *nodes += prover.nodes;
    end.ok().flatten()
}

/// Ends a proof after so many nodes.
struct ProofBudget(u64);

impl SearchListener<Move> for ProofBudget {
    fn proceed(&mut self, progress: &Progress) -> bool {
        progress.nodes < self.0
    }

    fn report(&mut self, _: &RootUpdate) {}
}

/// Proves mates of one question.
pub(super) struct Prover<'a> {
    table: &'a mut ProofTable,
    tablebase: Option<&'a dyn Tablebase<Position>>,
    nodes: u64,
    listener: &'a mut dyn SearchListener<Move>,
}

impl<'a> Prover<'a> {
    /// A prover that goes on counting from `nodes`, and believes `tablebase`.
    pub(super) fn new(
        table: &'a mut ProofTable,
        tablebase: Option<&'a dyn Tablebase<Position>>,
        nodes: u64,
        listener: &'a mut dyn SearchListener<Move>,
    ) -> Self {
        Self {
            table,
            tablebase,
            nodes,
            listener,
        }
    }

    /// Nodes so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The plies and the variation of the shortest mate within the limit that begins with a move of the question;
    /// `None` if there is none or the listener stopped the search.
    pub(super) fn shortest(
        &mut self,
        question: &Question,
        moves_max: u16,
    ) -> Option<(u16, Vec<Move>)> {
        let root = question.line.position();
        let mut ahead = (1..=moves_max).map(|moves| 2 * moves - 1);
        let (plies, best) = ahead.find_map(|plies| {
            let winning = self.winning_move(root, &question.moves, plies);
            match winning {
                Ok(winning) => winning.map(|mv| Some((plies, mv))),
                Err(ProofStopped) => Some(None),
            }
        })??;
        let mut variation = vec![best];
        // The mate is proved; if there is no time for its end, its beginning must do.
        let _ = self.play_on(&root.after(best), plies - 1, &mut variation);
        Some((plies, variation))
    }

    /// The moves to a mate in `plies` at most; `None` if there is none.
    fn forced_end(
        &mut self,
        position: &Position,
        plies: u16,
    ) -> Result<Option<Vec<Move>>, ProofStopped> {
        let moves = legal_moves(position);
        let mut variation = Vec::new();
        if self.decided(position, plies) == Some(aim(plies)) {
            self.play_as_known(position, &mut variation);
        } else if plies.is_multiple_of(2) {
            let mut successors = self.successors(position, moves.into_iter(), plies)?;
            if self.work(&mut successors, plies, INFINITE, INFINITE)?.delta > 0 {
                return Ok(None);
            }
            self.play_on(position, plies, &mut variation)?;
        } else {
            let Some(best) = self.winning_move(position, &moves, plies)? else {
                return Ok(None);
            };
            variation.push(best);
            self.play_on(&position.after(best), plies - 1, &mut variation)?;
        }
        Ok(Some(variation))
    }

    /// A move that mates within `plies` (odd).
    pub(super) fn winning_move(
        &mut self,
        position: &Position,
        moves: &[Move],
        plies: u16,
    ) -> Result<Option<Move>, ProofStopped> {
        let mut successors = self.successors(position, moves.iter().copied(), plies)?;
        self.work(&mut successors, plies, INFINITE, INFINITE)?;
        let winning = successors
            .iter()
            .find(|successor| successor.numbers.delta == 0);
        Ok(winning.map(|successor| successor.mv))
    }

    /// Appends the longest resistance to a mate in `plies` (even), and the mate.
    pub(super) fn play_on(
        &mut self,
        position: &Position,
        plies: u16,
        variation: &mut Vec<Move>,
    ) -> Result<(), ProofStopped> {
        if self.decided(position, plies) == Some(LOST) {
            self.play_as_known(position, variation);
            return Ok(());
        }
        let mut longest: Option<(u16, Move, Move)> = None;
        for mv in legal_moves(position) {
            let after = position.after(mv);
            let moves = legal_moves(&after);
            for left in (1..plies).step_by(2) {
                if let Some(answer) = self.winning_move(&after, &moves, left)? {
                    if longest.is_none_or(|(most, ..)| left > most) {
                        longest = Some((left, mv, answer));
                    }
                    break;
                }
            }
        }
        let Some((left, mv, answer)) = longest else {
            return Ok(());
        };
        variation.extend([mv, answer]);
        self.play_on(&after_both(position, mv, answer), left - 1, variation)
    }

    /// Appends best play of both sides to a mate that the tables know, as far as they know it.
    fn play_as_known(&self, position: &Position, variation: &mut Vec<Move>) {
        let mut position = position.clone();
        let known = |position: &Position| self.tablebase?.score(position, 0);
        while let Some(score) = known(&position) {
            let is_best = |&mv: &Move| {
                let after = position.after(mv);
                let answer = after.end_score().or_else(|| known(&after));
                answer.map(Score::to_parent) == Some(score)
            };
            let Some(best) = legal_moves(&position).into_iter().find(is_best) else {
                return;
            };
            variation.push(best);
            position = position.after(best);
            if position.end_score().is_some() {
                return;
            }
        }
    }

    /// Works on a node until its side needs at least `phi_max` or its opponent `delta_max`; then its numbers.
    fn work(
        &mut self,
        successors: &mut [Successor],
        plies: u16,
        phi_max: u32,
        delta_max: u32,
    ) -> Result<ProofNumbers, ProofStopped> {
        loop {
            let now = numbers(successors);
            if now.phi >= phi_max || now.delta >= delta_max || successors.is_empty() {
                return Ok(now);
            }
            let (mut best, mut second) = (0, INFINITE);
            for (index, successor) in successors.iter().enumerate().skip(1) {
                let delta = successor.numbers.delta;
                if delta < successors[best].numbers.delta {
                    second = successors[best].numbers.delta;
                    best = index;
                } else {
                    second = second.min(delta);
                }
            }
            let chosen = &mut successors[best];
            // A little more than the next best needs, so that the work does not jump to and fro.
            let enough = second.saturating_add(1 + second / 4);
            chosen.numbers = self.examine(
                &chosen.position,
                plies - 1,
                delta_max - (now.delta - chosen.numbers.phi),
                phi_max.min(enough),
            )?;
        }
    }

    /// The same for a position; what is learned is remembered.
    fn examine(
        &mut self,
        position: &Position,
        plies: u16,
        phi_max: u32,
        delta_max: u32,
    ) -> Result<ProofNumbers, ProofStopped> {
        let before = self.nodes;
        let moves = legal_moves(position);
        let mut successors = self.successors(position, moves.into_iter(), plies)?;
        let numbers = self.work(&mut successors, plies, phi_max, delta_max)?;
        self.table
            .remember(position, plies, numbers, self.nodes - before);
        Ok(numbers)
    }

    /// The positions after these moves. With one ply left only checks can mate.
    fn successors(
        &mut self,
        position: &Position,
        moves: impl Iterator<Item = Move>,
        plies: u16,
    ) -> Result<Vec<Successor>, ProofStopped> {
        let mut successors = Vec::new();
        for mv in moves.filter(|&mv| plies > 1 || position.gives_check(mv)) {
            self.nodes += 1;
            if self.nodes.is_multiple_of(POLL_NODES) && !self.proceed() {
                return Err(ProofStopped);
            }
            let after = position.after(mv);
            let numbers = self.first_numbers(&after, plies - 1);
            successors.push(Successor {
                position: after,
                mv,
                numbers,
            });
        }
        Ok(successors)
    }

    /// The numbers of a position before any work on it.
    fn first_numbers(&self, position: &Position, plies: u16) -> ProofNumbers {
        let is_defending = plies.is_multiple_of(2);
        if let Some(end) = position.end_score() {
            // Whoever is mated has lost; any other end saves the defender.
            return if end == Score::MATED || !is_defending {
                LOST
            } else {
                WON
            };
        }
        if plies == 0 {
            return WON;
        }
        let known = self.decided(position, plies);
        let known = known.or_else(|| self.table.recall(position, plies));
        known.unwrap_or_else(|| {
            let replies = if is_defending {
                legal_moves(position).len() as u32
            } else {
                1
            };
            // Mates are mostly given by checks.
            let replies = if is_defending && !position.is_check() {
                QUIET_COST * replies
            } else {
                replies
            };
            ProofNumbers {
                phi: 1,
                delta: replies,
            }
        })
    }

    /// The numbers by tables for a mate in so many plies; `None` where they know nothing, or no distance of a win.
    fn decided(&self, position: &Position, plies: u16) -> Option<ProofNumbers> {
        let score = self.tablebase?.score(position, 0)?;
        let is_defending = plies.is_multiple_of(2);
        let attacked = if is_defending { -score } else { score };
        let is_mate = match attacked.mate_distance() {
            Some(distance) => (0..=i32::from(plies)).contains(&distance),
            None if attacked.is_decisive() && attacked > Score::DRAW => return None,
            None => false,
        };
        Some(if is_mate == is_defending { LOST } else { WON })
    }

    fn proceed(&mut self) -> bool {
        self.listener.proceed(&Progress {
            nodes: self.nodes,
            ..Progress::default()
        })
    }
}

/// The numbers of a proved mate in so many plies.
const fn aim(plies: u16) -> ProofNumbers {
    if plies.is_multiple_of(2) { LOST } else { WON }
}

fn numbers(successors: &[Successor]) -> ProofNumbers {
    let each = successors.iter().map(|successor| successor.numbers);
    let least = each.clone().map(|numbers| numbers.delta).min();
    let sum: u64 = each.map(|numbers| u64::from(numbers.phi)).sum();
    ProofNumbers {
        phi: least.unwrap_or(INFINITE),
        delta: sum.min(INFINITE.into()) as u32,
    }
}

/// Of the position and the plies left: a proof holds for both together.
fn key(position: &Position, plies: u16) -> u64 {
    (position.key() ^ u64::from(plies)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn legal_moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

fn after_both(position: &Position, mv: Move, answer: Move) -> Position {
    position.after(mv).after(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Line, epd};

    fn question(position: &Position) -> Question {
        Question::about(Line::new(position.clone()))
    }

    fn prove(position: &Position, moves_max: u16, nodes: u64) -> Option<(u16, Vec<Move>)> {
        let mut listener = ProofBudget(nodes);
        Prover::new(&mut ProofTable::new(1 << 19), None, 0, &mut listener)
            .shortest(&question(position), moves_max)
    }

    /// The known lengths are the shortest: one move less is refuted, and the variation mates in exactly so many.
    #[test]
    fn mates_are_found_and_shorter_ones_refuted() {
        let text = include_str!("../../../positions/mate.epd");
        let mut proved = 0;
        for (_, record) in epd::parse(text).unwrap().iter().step_by(4) {
            let mate = record.mate_in.unwrap();
            if mate > 3 {
                continue;
            }
            let (plies, variation) = prove(&record.position, mate, 3_000_000).expect("a mate");
            assert_eq!(plies, 2 * mate - 1);
            assert_eq!(variation.len(), usize::from(plies));
            let end = variation.iter().fold(record.position.clone(), |at, &mv| {
                assert!(at.is_legal(mv));
                at.after(mv)
            });
            assert_eq!(end.end_score(), Some(Score::MATED));
            assert_eq!(prove(&record.position, mate - 1, u64::MAX), None);
            proved += 1;
        }
        assert!(proved > 25, "{proved}");
    }

    #[test]
    fn nothing_is_proved_where_the_watch_says_stop() {
        let text = include_str!("../../../positions/mate.epd");
        let records = epd::parse(text).unwrap();
        let record = &records.last().unwrap().1;
        assert_eq!(prove(&record.position, 6, POLL_NODES), None);
    }
}
