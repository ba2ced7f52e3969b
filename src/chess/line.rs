//! A game as a sequence of positions.

use shakmaty::{Color, Position as _};

use super::position::DRAW_PLIES;
use super::{Move, Position};
use crate::game::{Game, Score};

/// The positions of a game from the first to the current one. A search plays moves on it and undoes them.
#[derive(Clone, Debug)]
pub struct Line {
    positions: Vec<Position>,
    /// Moves between the positions; `None` is a null move.
    moves: Vec<Option<Move>>,
}

impl Line {
    /// Starts a game at `position`.
    pub fn new(position: Position) -> Self {
        Self {
            positions: vec![position],
            moves: Vec::new(),
        }
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        self.positions
            .last()
            .expect("a line holds at least its first position")
    }

    /// The first position of the game.
    pub fn first(&self) -> &Position {
        &self.positions[0]
    }

    /// The moves played since [`Line::first`], oldest first; `None` is a null move.
    pub fn moves(&self) -> &[Option<Move>] {
        &self.moves
    }

    /// The last move; `None` if there is none or it was a null move.
    pub fn last_move(&self) -> Option<Move> {
        self.moves.last().copied().flatten()
    }

    /// Plays a move, or a null move for `None`. Returns false for a null move in check.
    pub fn play_ply(&mut self, mv: Option<Move>) -> bool {
        let next = match mv {
            Some(mv) => Some(self.position().after(mv)),
            None => self.position().after_pass(),
        };
        let Some(next) = next else { return false };
        self.positions.push(next);
        self.moves.push(mv);
        true
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.position().chess().turn()
    }

    /// Returns the game for a search after an unclaimed draw by the 50-move rule. The next draw is at 75 moves,
    /// and after that every 25 moves. The halfmove clocks are reduced so that 100 plies are reached at that draw.
    #[must_use]
    pub fn past_claims(self) -> Self {
        if !self.position().is_claimable() {
            return self;
        }
        let plies = self.position().chess().halfmoves();
        let dropped = (plies / DRAW_PLIES - 1) * DRAW_PLIES;
        let positions = self.positions.iter();
        Self {
            positions: positions
                .map(|position| position.without_plies(dropped))
                .collect(),
            moves: self.moves,
        }
    }

    /// Returns how often the current position occurred before, since the last capture, pawn move or null move.
    pub fn repetitions(&self) -> usize {
        self.earlier().count()
    }

    /// Whether the current position occurred before.
    pub fn is_repeated(&self) -> bool {
        self.position().chess().halfmoves() >= 4 && self.earlier().next().is_some()
    }

    /// Returns the distances in plies to earlier occurrences of the current position, the latest first.
    fn earlier(&self) -> impl Iterator<Item = usize> {
        let current = self.positions.len() - 1;
        let reversible = (self.position().chess().halfmoves() as usize).min(current);
        let key = self.position().key();
        (1..=reversible)
            .take_while(move |&back| self.moves[current - back].is_some())
            .filter(move |back| back % 2 == 0 && self.positions[current - back].key() == key)
    }
}

impl Game for Line {
    type Move = Move;

    fn key(&self) -> u64 {
        self.position().key()
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        self.position().legal_moves(moves);
    }

    fn play(&mut self, mv: Move) {
        let next = self.position().after(mv);
        self.positions.push(next);
        self.moves.push(Some(mv));
    }

    fn undo(&mut self) {
        assert!(self.moves.pop().is_some(), "nothing to take back");
        self.positions.pop();
    }

    /// Scores a single repetition as a draw: a side that can repeat once can repeat again.
    fn end_score(&self) -> Option<Score> {
        self.position()
            .end_score()
            .or_else(|| self.is_repeated().then_some(Score::DRAW))
    }

    /// Fails in check, and if the side to move has only king and pawns, where zugzwang is common.
    fn pass(&mut self) -> bool {
        let chess = self.position().chess();
        let board = chess.board();
        let pieces = board
            .by_color(chess.turn())
            .without_const(board.pawns() | board.kings());
        !pieces.is_empty() && self.play_ply(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;

    fn play(line: &mut Line, uci: &str) {
        let uci: shakmaty::uci::UciMove = uci.parse().unwrap();
        let mv = uci.to_move(line.position().chess()).unwrap();
        line.play(mv.into());
    }

    #[test]
    fn without_a_claim_the_game_goes_on_to_75_moves() {
        for (count, left) in [(0, 100), (99, 1), (100, 50), (104, 46), (149, 1), (150, 50)] {
            let fen = format!("5R2/p5p1/4P1k1/5n1p/7P/5N2/3K4/r7 b - - {count} 106");
            let position = parse_fen(&fen).unwrap();
            let line = Line::new(position.clone()).past_claims();
            assert_eq!(line.position().chess().halfmoves(), 100 - left);
            let is_same = line.key() == position.key();
            assert_eq!(is_same, count < 100, "{count}: a draw before is none now");
        }
    }

    #[test]
    fn who_repeats_a_position_does_so_past_claims_too() {
        let fen = "5R2/p5p1/4P1k1/5n1p/7P/5N2/3K4/r7 b - - 100 106";
        let mut line = Line::new(parse_fen(fen).unwrap());
        for mv in ["f5h6", "d2c2", "h6f5", "c2c3"] {
            play(&mut line, mv);
        }
        let mut line = line.past_claims();
        play(&mut line, "f5h6");
        assert!(!line.is_repeated());
        play(&mut line, "c3c2");
        assert!(line.is_repeated());
    }

    #[test]
    fn counts_repetitions_since_the_last_irreversible_move() {
        let mut line = Line::new(Position::initial());
        for mv in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            assert_eq!(line.end_score(), None);
            play(&mut line, mv);
        }
        assert_eq!(line.repetitions(), 1);
        assert_eq!(line.end_score(), Some(Score::DRAW));
        play(&mut line, "e2e4");
        assert_eq!(line.repetitions(), 0);
        line.undo();
        assert_eq!(line.repetitions(), 1);
    }
}
