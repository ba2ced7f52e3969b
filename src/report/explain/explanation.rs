//! The explanation of a decision: runs the search and evaluates the proof in its tree.

use std::sync::atomic::AtomicBool;

use serde::Serialize;

use super::collect::{Gathered, collect};
use super::conspirators::{least, sort_key};
use super::evidence::{Conspiracy, Leaf, MoveEvidence, Side};
use super::strategies::{count, pick};
use crate::chess::notation::{CastlingStyle, fen, san, uci_move};
use crate::chess::{Line, Move, Position};
use crate::engine::search::Question;
use crate::engine::searches::cc2s::DelegatedCc2s;
use crate::eval::EvaluationKind;
use crate::game::{Bound, Requirement, Score};
use crate::report::look::{Allowed, BestMoveReport, Look, look};
use crate::report::words::{pawns, variation};
use crate::thesis::quality::Proof;

/// Maximum number of strategies shown; the search demands no more.
const SHOWN: u64 = 2;

/// The reason why no evaluation can change a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// There is no other legal move.
    OnlyMove,
    /// The move gives mate.
    Mate,
    /// Ends of the game prove all claims.
    Proved,
}

/// A decision and its proof. Scores are from the view of the side to move at the root. They are centipawns up to
/// 28000, and 32000 minus the plies to mate above 30000.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// The position as FEN.
    pub fen: String,
    /// The side to move.
    pub side: Side,
    /// The chosen move in UCI notation.
    pub uci: String,
    /// The chosen move in SAN.
    pub san: String,
    /// The score of the chosen move at the end of the search.
    pub score: i16,
    /// The score in pawns.
    pub score_text: String,
    /// The principal variation with move numbers.
    pub line: String,
    /// The safety of the decision: least depth in plies of the strategies' leaves, and number of strategies. Both
    /// are limited to what the search demanded. Zeros if the stored tree does not prove the decision.
    pub safety: [u16; 2],
    /// The margin within which the strategies show the decision, in centipawns; `None` with fewer than two.
    pub margin: Option<u16>,
    /// The reason why no evaluation can change the decision, if there is one.
    pub certain: Option<Certainty>,
    /// The lower bound proven for the chosen move.
    pub low: i16,
    /// The upper bound proven for every other move.
    pub high: i16,
    /// Leaf-disjoint strategies that prove all claims, at most two; 0 if the stored tree does not prove the
    /// decision.
    pub shown: u64,
    /// One claim for each legal move: the chosen one first, then by how easily they are refuted.
    pub claims: Vec<MoveEvidence>,
    /// All leaves; other fields refer to them by index.
    pub leaves: Vec<Leaf>,
    /// The leaves of each strategy.
    pub strategies: Vec<Vec<usize>>,
    /// The smallest set of leaves whose change refutes a claim, found exactly; `None` if no change of leaves
    /// changes the decision.
    pub conspirators: Option<Conspiracy>,
    /// Number of positions that several leaves share by transposition.
    pub shared_positions: usize,
    /// The course of the analysis.
    pub course: Vec<AnalysisStage>,
    /// Nodes searched.
    pub nodes: u64,
}

/// A stage of the analysis.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysisStage {
    /// Time since the start of the analysis; `None` with a node limit only, which makes the result reproducible.
    pub milliseconds: Option<u64>,
    /// Nodes searched.
    pub nodes: u64,
    /// Depth of the current requirement, in plies.
    pub depth: u16,
    /// The best move in SAN.
    pub san: String,
    /// The score of the best move at this stage.
    pub score: i16,
    /// The kind of bound: `exact`, `at least` or `at most`.
    pub bound: &'static str,
    /// Depth in plies and number of strategies.
    pub safety: Option<[u16; 2]>,
    /// The margin within which two strategies showed the decision, in centipawns; `None` if they did not.
    pub margin: Option<u16>,
}

/// Searches the position at the end of `line` and explains the decision. The position must have a legal move.
/// Setting `stop` ends the search early. `evaluation` is the evaluation of the search.
pub fn explain(
    search: &mut DelegatedCc2s,
    evaluation: &EvaluationKind,
    line: &Line,
    allowed: Allowed,
    stop: &AtomicBool,
) -> Explanation {
    let Question { line, moves, .. } = &Question::about(line.clone());
    let seen = look(search, line, moves.clone(), allowed, stop);
    let gathered = collect(search.planner(), evaluation, line, &seen);
    explanation(line.position(), &seen, allowed, gathered)
}

fn explanation(root: &Position, seen: &Look, allowed: Allowed, gathered: Gathered) -> Explanation {
    let Gathered {
        mut claims,
        mut leaves,
        safety,
        margin_cp,
        low,
        high,
        keys,
    } = gathered;
    for claim in &mut claims {
        claim.strategies = Some(count(&claim.tree)).filter(|&count| count < Proof::CERTAIN);
        claim.conspirators = least(&claim.tree, &leaves);
    }
    claims.sort_by_key(|claim| (!claim.is_best, sort_key(claim)));
    let counts = claims.iter().map(|claim| claim.strategies.unwrap_or(SHOWN));
    let shown = counts.min().unwrap_or(0).min(SHOWN);
    let strategies = pick(claims.iter().map(|claim| &claim.tree), shown);
    for (number, strategy) in (1..).zip(&strategies) {
        for &leaf in strategy {
            leaves[leaf].strategy = number;
        }
    }
    let shaky = claims.iter().min_by_key(|claim| sort_key(claim));
    let conspirators = shaky.and_then(|claim| claim.conspirators.clone());
    let certain = certainty(root, seen.best, &claims, conspirators.as_ref());
    let safety = safety_shown(safety, &strategies, &leaves);
    Explanation {
        fen: fen(root),
        side: Side::of(root),
        uci: uci_move(root, seen.best, CastlingStyle::KingTakesRook),
        san: san(root, seen.best),
        score: seen.score.raw(),
        score_text: pawns(seen.score),
        line: variation(root, &seen.line),
        margin: margin_cp.filter(|_| safety[1] > 1),
        safety,
        certain,
        low: low.raw(),
        high: high.raw(),
        shown,
        conspirators: conspirators.filter(|_| certain.is_none()),
        shared_positions: repeated(keys),
        claims,
        leaves,
        strategies,
        course: course(root, seen, allowed.move_time_ms.is_some()),
        nodes: seen.nodes,
    }
}

fn certainty(
    root: &Position,
    best: Move,
    claims: &[MoveEvidence],
    conspirators: Option<&Conspiracy>,
) -> Option<Certainty> {
    if claims.len() == 1 {
        Some(Certainty::OnlyMove)
    } else if root.after(best).end_score() == Some(Score::MATED) {
        Some(Certainty::Mate)
    } else {
        conspirators.is_none().then_some(Certainty::Proved)
    }
}

/// The safety reported by the search, limited to the depth of the strategies shown.
fn safety_shown(said: Requirement, strategies: &[Vec<usize>], leaves: &[Leaf]) -> [u16; 2] {
    let reached = strategies
        .iter()
        .flatten()
        .map(|&leaf| leaves[leaf].horizon);
    match strategies.len() as u16 {
        0 => [0, 0],
        shown => [
            reached.fold(said.depth, u16::min),
            said.conspiracy.min(shown),
        ],
    }
}

/// The number of values that occur more than once.
fn repeated(mut keys: Vec<u64>) -> usize {
    keys.sort_unstable();
    let groups = keys.chunk_by(|one, other| one == other);
    groups.filter(|group| group.len() > 1).count()
}

fn course(root: &Position, seen: &Look, is_timed: bool) -> Vec<AnalysisStage> {
    let moment = |stage: &BestMoveReport| AnalysisStage {
        milliseconds: is_timed.then_some(stage.elapsed.as_millis() as u64),
        nodes: stage.nodes,
        depth: stage.depth,
        san: san(root, stage.line[0]),
        score: stage.score.raw(),
        bound: match stage.bound {
            Bound::Exact => "exact",
            Bound::Lower => "at least",
            Bound::Upper => "at most",
        },
        safety: stage
            .safety
            .map(|Requirement { depth, conspiracy }| [depth, conspiracy]),
        margin: stage.margin_cp,
    };
    seen.stages.iter().map(moment).collect()
}
