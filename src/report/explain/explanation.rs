//! A decision with all that it rests on: asked for, gathered, and weighed.

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

/// Strategies that are shown at most; the search demands no more.
const SHOWN: u64 = 2;

/// Why no evaluation can change a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// There is no other legal move.
    OnlyMove,
    /// The move mates.
    Mate,
    /// Ends of the game show all that is claimed.
    Proved,
}

/// A decision and what it rests on. Scores are seen by the side to move at the root: centipawns up to 28000 either way;
/// beyond 30000, 32000 less the plies to a mate.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// The position.
    pub fen: String,
    /// Side to move in it.
    pub side: Side,
    /// The move chosen, as UCI writes it.
    pub uci: String,
    /// The same as people write it.
    pub san: String,
    /// Its score at the end of the search.
    pub score: i16,
    /// The same in pawns.
    pub score_text: String,
    /// The variation expected, with move numbers.
    pub line: String,
    /// How safe it is: plies that every leaf of the strategies shown reaches, and their number, as far as the search
    /// demanded them. Zeros where the stored tree does not show the decision.
    pub safety: [u16; 2],
    /// Within which margin the strategies show it, in centipawns; `None` where two were not reached.
    pub margin: Option<u16>,
    /// Why no evaluation can change it, where none can.
    pub certain: Option<Certainty>,
    /// The lower bound shown for the chosen move.
    pub low: i16,
    /// The upper bound shown for every other move.
    pub high: i16,
    /// Leaf-disjoint strategies that show all of it, at most two; 0 where the stored tree does not show it.
    pub shown: u64,
    /// One for each legal move, the chosen one first, then the closest.
    pub claims: Vec<MoveEvidence>,
    /// All leaves; others refer to them by their place.
    pub leaves: Vec<Leaf>,
    /// The leaves of each of the strategies shown.
    pub strategies: Vec<Vec<usize>>,
    /// The least set of leaves whose change breaks a claim, found exactly; `None` where no change of leaves changes the
    /// decision.
    pub conspirators: Option<Conspiracy>,
    /// Positions that more than one leaf stands for, by transposition.
    pub shared_positions: usize,
    /// The course of the analysis.
    pub course: Vec<AnalysisStage>,
    /// Nodes searched.
    pub nodes: u64,
}

/// A stage of the analysis.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysisStage {
    /// Since its beginning; `None` where only nodes were counted, so that the same comes out everywhere.
    pub milliseconds: Option<u64>,
    /// Nodes searched.
    pub nodes: u64,
    /// Depth of the requirement worked on, in plies.
    pub depth: u16,
    /// The best move.
    pub san: String,
    /// Its score before.
    pub score: i16,
    /// How to read that: `exact`, `at least` or `at most`.
    pub bound: &'static str,
    /// Plies and strategies.
    pub safety: Option<[u16; 2]>,
    /// Within which margin two strategies showed it, in centipawns; `None` where they did not.
    pub margin: Option<u16>,
}

/// Lets the search decide at the end of `line`, and reads its tree. Ends early, with what is known by then, once
/// `stop` is set. The position must have a legal move; `evaluation` is what the search evaluates by.
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

/// The safety by the search, as far as the strategies shown reach.
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

/// Number of values that occur more than once.
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
