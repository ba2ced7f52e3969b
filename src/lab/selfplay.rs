//! Games of PVS against itself, for fitting the evaluation: quiet positions, what the search thought of them, how the game
//! ended.

use std::fmt;

use shakmaty::Position as _;

use super::LabError;
use crate::chess::epd::Record;
use crate::chess::{Line, Move, MoveKind, Position, notation};
use crate::engine::pvs::PvsSearch;
use crate::engine::search::{Question, Report, Search, Watch};
use crate::game::{Game as _, Score, SplitMix64};
use crate::leaf::{LeafParams, RootWindow};
use crate::time::Progress;

/// Memory of the search, in MiB: games of a few thousand nodes a move need no more, and it is cleared before each game.
const MEBIBYTES: usize = 4;
/// Random moves at the start of each game: at least so many, and at most three more.
const RANDOM_PLIES: u64 = 6;
/// A game starts from a position no worse than this for either side, in centipawns.
const START_MAX_CP: i32 = 200;
/// A game is decided when the score has been so high for one side...
const DECIDED_CP: i32 = 900;
/// ... for so many plies.
const DECIDED_PLIES: u32 = 6;
/// A game is drawn after so many plies.
const PLIES_MAX: usize = 320;

/// A quiet position of a game.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The position: nobody is in check, and the move played neither captured nor promoted.
    pub position: Position,
    /// What the search found it worth, White's view.
    pub score_cp: i32,
    /// What White got in the end: 0, 0.5 or 1.
    pub white: f32,
    /// Number of the game.
    pub game: u64,
}

impl Sample {
    /// Reads what [`Display`](fmt::Display) has written; `None` if score, result or number of the game are missing.
    pub fn read(record: &Record) -> Option<Self> {
        let own: i32 = record.operand("ce")?.parse().ok()?;
        let turn = record.position.chess().turn();
        Some(Self {
            position: record.position.clone(),
            score_cp: turn.fold_wb(own, -own),
            white: match record.operand("c9")? {
                "1-0" => 1.0,
                "0-1" => 0.0,
                "1/2-1/2" => 0.5,
                _ => return None,
            },
            game: record.id.as_deref()?.parse().ok()?,
        })
    }
}

/// A line of Extended Position Description: score by `ce` (side to move's view), result by `c9`, game by `id`.
impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = notation::fen(&self.position);
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        let turn = self.position.chess().turn();
        let score = turn.fold_wb(self.score_cp, -self.score_cp);
        let result = match self.white {
            0.0 => "0-1",
            1.0 => "1-0",
            _ => "1/2-1/2",
        };
        write!(
            f,
            "{} ce {score}; id \"{}\"; c9 \"{result}\";",
            fields.join(" "),
            self.game
        )
    }
}

/// Plays games, each from a few random moves.
pub struct School {
    search: PvsSearch,
    nodes: u64,
}

impl School {
    /// A school whose players look at `nodes` nodes before each move.
    ///
    /// # Errors
    /// The memory cannot be had.
    pub fn new(nodes: u64) -> Result<Self, LabError> {
        let params = LeafParams::default();
        let search = PvsSearch::new(RootWindow::Aspiration, &params, 1, MEBIBYTES)
            .map_err(LabError::refused)?;
        Ok(Self { search, nodes })
    }

    /// Plays game number `game`; the same number gives the same game.
    pub fn play(&mut self, game: u64) -> Vec<Sample> {
        let mut rng = SplitMix64::new(SplitMix64::mix(game));
        self.search.new_game();
        loop {
            if let Some(line) = random_start(&mut rng)
                && let Some(samples) = self.play_from(line, game)
            {
                return samples;
            }
        }
    }

    /// The game from here on; `None` if one side is much better already.
    fn play_from(&mut self, mut line: Line, game: u64) -> Option<Vec<Sample>> {
        let mut samples = Vec::new();
        let start = line.moves().len();
        let mut decided = 0;
        let white = loop {
            if let Some(score) = line.end_score() {
                break white_gets(white_view(&line, score));
            }
            if line.moves().len() >= PLIES_MAX {
                break 0.5;
            }
            let (best, score) = self.think(&line);
            let score_cp = white_view(&line, score);
            if line.moves().len() == start && score_cp.abs() > START_MAX_CP {
                return None;
            }
            decided = if score_cp.abs() < DECIDED_CP {
                0
            } else {
                decided + 1
            };
            if decided == DECIDED_PLIES {
                break white_gets(score_cp);
            }
            if decided == 0 && is_quiet(line.position(), best) {
                samples.push(Sample {
                    position: line.position().clone(),
                    score_cp,
                    white: 0.5,
                    game,
                });
            }
            line.play(best);
        };
        for sample in &mut samples {
            sample.white = white;
        }
        Some(samples)
    }

    fn think(&mut self, line: &Line) -> (Move, Score) {
        let question = Question::about(line.clone());
        let mut limit = Limit {
            nodes: self.nodes,
            score: Score::centipawns(0),
        };
        let best = self.search.think(&question, &mut limit).best;
        (best, limit.score)
    }
}

/// Random legal moves from the initial position; `None` if they end the game.
fn random_start(rng: &mut SplitMix64) -> Option<Line> {
    let mut line = Line::new(Position::initial());
    let mut moves = Vec::new();
    for _ in 0..RANDOM_PLIES + rng.below(4) {
        moves.clear();
        line.legal_moves(&mut moves);
        let at = rng.below(moves.len() as u64) as usize;
        line.play(moves[at]);
        if line.end_score().is_some() {
            return None;
        }
    }
    Some(line)
}

/// A score of the side to move as White sees it.
fn white_view(line: &Line, score: Score) -> i32 {
    let own = i32::from(score.raw());
    line.turn().fold_wb(own, -own)
}

/// What a side gets that has this score in the end.
fn white_gets(score: i32) -> f32 {
    match score {
        0 => 0.5,
        1.. => 1.0,
        _ => 0.0,
    }
}

/// Nobody is in check, and the best move wins nothing at once.
fn is_quiet(position: &Position, best: Move) -> bool {
    !position.is_check()
        && position.captured(best).is_none()
        && !matches!(best.kind(), MoveKind::Promotion(_))
}

/// Stops at a number of nodes and keeps the last score.
struct Limit {
    nodes: u64,
    score: Score,
}

impl Watch for Limit {
    fn proceed(&mut self, progress: &Progress) -> bool {
        progress.nodes < self.nodes
    }

    fn report(&mut self, report: &Report) {
        self.score = report.score;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::epd;

    #[test]
    fn a_number_names_a_game_and_its_lines_can_be_read_back() {
        let mut school = School::new(200).unwrap();
        let game: Vec<String> = school.play(7).iter().map(Sample::to_string).collect();
        let other = school.play(8);
        let again: Vec<String> = school.play(7).iter().map(Sample::to_string).collect();
        assert_eq!(game, again, "whatever was played between");
        assert_ne!(game[0], other[0].to_string());
        assert!(game.len() > 20);
        for line in &game {
            let record = epd::parse_line(line).unwrap();
            let sample = Sample::read(&record).unwrap();
            assert_eq!(sample.game, 7);
            assert!(!sample.position.is_check());
            assert_eq!(&sample.to_string(), line);
        }
    }
}
