//! Legal move generation without trial moves, by pins and checkers: noisy (captures, promotions), then quiet.

use shakmaty::{Bitboard, Board, CastlingSide, Color, Position as _, Role, Square, attacks};

use super::{Move, MoveKind, Position};

struct Generator<'a> {
    position: &'a Position,
    board: &'a Board,
    turn: Color,
    us: Bitboard,
    them: Bitboard,
    occupied: Bitboard,
    king: Square,
    /// Own men pinned to the king; they move only along that line.
    pinned: Bitboard,
    /// Target squares of men other than the king: all, or in check the checker and the squares in front of it.
    answers: Bitboard,
}

impl Position {
    /// Appends all legal moves, noisy ones first.
    pub fn legal_moves(&self, moves: &mut Vec<Move>) {
        let generator = Generator::new(self);
        generator.noisy(&mut |mv| moves.push(mv));
        generator.quiet(&mut |mv| moves.push(mv));
    }

    /// Calls `take` with every legal capture and promotion.
    pub fn noisy_moves(&self, mut take: impl FnMut(Move)) {
        Generator::new(self).noisy(&mut take);
    }

    /// Calls `take` with every legal move that is neither capture nor promotion.
    pub fn quiet_moves(&self, mut take: impl FnMut(Move)) {
        Generator::new(self).quiet(&mut take);
    }

    /// Whether the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        Generator::new(self).any()
    }

    /// Whether `mv`, a move of another position, is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        Generator::new(self).is_legal(mv)
    }

    /// Whether `mv` is a capture or a promotion.
    pub fn is_noisy(&self, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::Normal => self.chess().board().occupied().contains(mv.destination()),
            MoveKind::Promotion(_) | MoveKind::EnPassant => true,
            MoveKind::Castle => false,
        }
    }
}

impl<'a> Generator<'a> {
    fn new(position: &'a Position) -> Self {
        let board = position.chess().board();
        let turn = position.chess().turn();
        let king = position.king();
        let checkers = position.checkers();
        let answers = match checkers.first() {
            None => Bitboard::FULL,
            Some(_) if checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => attacks::between(king, checker).with(checker),
        };
        Self {
            position,
            board,
            turn,
            us: board.by_color(turn),
            them: board.by_color(!turn),
            occupied: board.occupied(),
            king,
            pinned: position.shields(king, !turn) & board.by_color(turn),
            answers,
        }
    }

    fn noisy(&self, take: &mut impl FnMut(Move)) {
        self.pawn_noisy(take);
        self.pieces(self.them & self.answers, take);
        self.king_moves(self.them, take);
    }

    fn quiet(&self, take: &mut impl FnMut(Move)) {
        self.pieces(!self.occupied & self.answers, take);
        self.pawn_quiet(take);
        self.king_moves(!self.occupied, take);
        self.castles(take);
    }

    /// Whether pins allow a man other than the king to move from `from` to `to`.
    fn unpinned(&self, from: Square, to: Square) -> bool {
        !self.pinned.contains(from) || attacks::ray(self.king, from).contains(to)
    }

    /// Returns the squares in `targets` that a knight, bishop, rook or queen can reach.
    fn piece_targets(&self, role: Role, from: Square, targets: Bitboard) -> Bitboard {
        let reach = attacks::attacks(from, role.of(self.turn), self.occupied) & targets;
        if self.pinned.contains(from) {
            reach & attacks::ray(self.king, from)
        } else {
            reach
        }
    }

    fn pieces(&self, targets: Bitboard, take: &mut impl FnMut(Move)) {
        if targets.is_empty() {
            return;
        }
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in self.us & self.board.by_role(role) {
                for to in self.piece_targets(role, from, targets) {
                    take(Move::new(from, to, MoveKind::Normal));
                }
            }
        }
    }

    /// The king counts as absent, since it must leave the line of a checking slider.
    fn is_safe_for_king(&self, to: Square) -> bool {
        self.board
            .attacks_to(to, !self.turn, self.occupied.without(self.king))
            .is_empty()
    }

    fn king_moves(&self, targets: Bitboard, take: &mut impl FnMut(Move)) {
        for to in attacks::king_attacks(self.king) & targets {
            if self.is_safe_for_king(to) {
                take(Move::new(self.king, to, MoveKind::Normal));
            }
        }
    }

    fn castles(&self, take: &mut impl FnMut(Move)) {
        let castles = self.position.chess().castles();
        if self.answers != Bitboard::FULL || !castles.has_color(self.turn) {
            return;
        }
        for side in CastlingSide::ALL {
            let Some(rook) = castles.rook(self.turn, side) else {
                continue;
            };
            let is_free = (castles.path(self.turn, side) & self.occupied).is_empty();
            if is_free && self.is_safe_castle(side, rook) {
                take(Move::new(self.king, rook, MoveKind::Castle));
            }
        }
    }

    /// Whether no square crossed by the king is attacked and the rook's move does not expose the king (Chess960).
    fn is_safe_castle(&self, side: CastlingSide, rook: Square) -> bool {
        let king_to = side.king_to(self.turn);
        let crossed = attacks::between(self.king, king_to).with(king_to);
        let after = self
            .occupied
            .without(self.king)
            .without(rook)
            .with(side.rook_to(self.turn));
        crossed
            .into_iter()
            .all(|square| self.is_safe_for_king(square))
            && self
                .board
                .attacks_to(king_to, !self.turn, after.with(king_to))
                .is_empty()
    }

    fn pawns(&self) -> Bitboard {
        self.us & self.board.pawns()
    }

    fn last_rank(&self) -> Bitboard {
        Bitboard::from_rank((!self.turn).backrank())
    }

    fn ahead(&self, pawns: Bitboard) -> Bitboard {
        if self.turn == Color::White {
            pawns.shift(8)
        } else {
            pawns.shift(-8)
        }
    }

    /// Returns the square `steps` behind `to`, from which a pawn came.
    fn behind(&self, to: Square, steps: i32) -> Square {
        let offset = if self.turn == Color::White {
            -8 * steps
        } else {
            8 * steps
        };
        to.offset(offset).expect("a pawn came from the board")
    }

    fn pawn_noisy(&self, take: &mut impl FnMut(Move)) {
        let (pawns, last) = (self.pawns(), self.last_rank());
        for to in self.ahead(pawns) & !self.occupied & last & self.answers {
            let from = self.behind(to, 1);
            if self.unpinned(from, to) {
                promotions(from, to, take);
            }
        }
        for from in pawns {
            let targets = attacks::pawn_attacks(self.turn, from) & self.them & self.answers;
            for to in targets {
                if !self.unpinned(from, to) {
                } else if last.contains(to) {
                    promotions(from, to, take);
                } else {
                    take(Move::new(from, to, MoveKind::Normal));
                }
            }
        }
        self.en_passant(take);
    }

    fn en_passant(&self, take: &mut impl FnMut(Move)) {
        let Some(to) = self.position.chess().maybe_ep_square() else {
            return;
        };
        let victim = self.behind(to, 1);
        for from in attacks::pawn_attacks(!self.turn, to) & self.pawns() {
            // Two men leave the line at once, so pins do not apply: test the board after the capture.
            let after = self.occupied.without(from).without(victim).with(to);
            let attackers = self
                .board
                .attacks_to(self.king, !self.turn, after)
                .without(victim);
            if (attackers & after).is_empty() {
                take(Move::new(from, to, MoveKind::EnPassant));
            }
        }
    }

    fn pawn_quiet(&self, take: &mut impl FnMut(Move)) {
        let single = self.ahead(self.pawns()) & !self.occupied & !self.last_rank();
        let third = Bitboard::from_rank(self.turn.relative_rank(shakmaty::Rank::Third));
        let double = self.ahead(single & third) & !self.occupied;
        for (targets, steps) in [(single, 1), (double, 2)] {
            for to in targets & self.answers {
                let from = self.behind(to, steps);
                if self.unpinned(from, to) {
                    take(Move::new(from, to, MoveKind::Normal));
                }
            }
        }
    }

    /// Stops at the first kind of man with a legal move. Castling comes last; in Chess960 it may be the only move.
    fn any(&self) -> bool {
        let targets = !self.us & self.answers;
        let by_piece = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
            .into_iter()
            .any(|role| {
                (self.us & self.board.by_role(role))
                    .into_iter()
                    .any(|from| self.piece_targets(role, from, targets).any())
            });
        if by_piece {
            return true;
        }
        let mut found = false;
        self.king_moves(!self.us, &mut |_| found = true);
        if !found {
            self.pawn_quiet(&mut |_| found = true);
        }
        if !found {
            self.pawn_noisy(&mut |_| found = true);
        }
        if !found {
            self.castles(&mut |_| found = true);
        }
        found
    }

    fn is_legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.origin(), mv.destination());
        if !self.us.contains(from) {
            return false;
        }
        let mut found = false;
        match (mv.kind(), self.board.role_at(from)) {
            (MoveKind::Castle, _) => self.castles(&mut |other| found |= other == mv),
            (MoveKind::EnPassant, _) => self.en_passant(&mut |other| found |= other == mv),
            (MoveKind::Normal, Some(Role::King)) => {
                found = attacks::king_attacks(from).contains(to)
                    && !self.us.contains(to)
                    && self.is_safe_for_king(to);
            }
            (kind, Some(Role::Pawn)) => {
                let promotes = matches!(kind, MoveKind::Promotion(_));
                found = promotes == self.last_rank().contains(to)
                    && self.answers.contains(to)
                    && self.unpinned(from, to)
                    && self.pawn_reaches(from, to);
            }
            (MoveKind::Normal, Some(role)) => {
                found = self
                    .piece_targets(role, from, !self.us & self.answers)
                    .contains(to);
            }
            _ => {}
        }
        found
    }

    /// Whether the pawn on `from` can capture on `to` or step there.
    fn pawn_reaches(&self, from: Square, to: Square) -> bool {
        if self.them.contains(to) {
            return attacks::pawn_attacks(self.turn, from).contains(to);
        }
        let single = self.ahead(Bitboard::from(from)) & !self.occupied;
        let third = Bitboard::from_rank(self.turn.relative_rank(shakmaty::Rank::Third));
        let double = self.ahead(single & third) & !self.occupied;
        (single | double).contains(to)
    }
}

fn promotions(from: Square, to: Square, take: &mut impl FnMut(Move)) {
    for role in [Role::Queen, Role::Knight, Role::Rook, Role::Bishop] {
        take(Move::new(from, to, MoveKind::Promotion(role)));
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use crate::game::SplitMix64;

    fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
        moves.sort_unstable();
        moves
    }

    /// Compares all functions of move generation with `shakmaty`.
    fn check(position: &Position) {
        let expected = sorted(
            position
                .chess()
                .legal_moves()
                .into_iter()
                .map(Move::from)
                .collect(),
        );
        let mut generated = Vec::new();
        position.legal_moves(&mut generated);
        assert_eq!(sorted(generated), expected, "{:?}", position.chess());
        assert_eq!(position.has_legal_move(), !expected.is_empty());
        position.noisy_moves(|mv| assert!(position.is_noisy(mv) && position.is_legal(mv)));
        position.quiet_moves(|mv| assert!(!position.is_noisy(mv) && position.is_legal(mv)));
        assert_eq!(position.checkers(), position.chess().checkers());
        for &mv in &expected {
            let after = position.after(mv);
            assert_eq!(
                position.gives_check(mv),
                after.is_check(),
                "{mv:?} in {:?}",
                position.chess()
            );
            let fresh = Position::new(after.chess().clone());
            assert_eq!(
                (after.key(), after.pawn_key()),
                (fresh.key(), fresh.pawn_key()),
                "{mv:?}"
            );
        }
    }

    fn random_games(start: &Position, seed: u64) {
        let mut rng = SplitMix64::new(seed);
        let mut earlier: Vec<Move> = Vec::new();
        for _ in 0..40 {
            let mut position = start.clone();
            for _ in 0..120 {
                check(&position);
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                for &mv in &earlier {
                    assert_eq!(
                        position.is_legal(mv),
                        moves.contains(&mv),
                        "{mv:?} in {:?}",
                        position.chess()
                    );
                }
                let Some(&mv) = moves.get(rng.below(moves.len().max(1) as u64) as usize) else {
                    break;
                };
                if rng.below(16) == 0 {
                    earlier.push(mv);
                }
                position = position.after(mv);
            }
        }
    }

    #[test]
    fn equals_the_rules_library_in_random_games() {
        random_games(&Position::initial(), 1);
        for (seed, sharnagl) in [(2, 0), (3, 959), (4, 411)] {
            let setup = shakmaty::Setup {
                board: shakmaty::Board::chess960(sharnagl),
                castling_rights: shakmaty::Board::chess960(sharnagl).rooks(),
                ..shakmaty::Setup::initial()
            };
            random_games(
                &Position::new(setup.position::<Chess>(CastlingMode::Chess960).unwrap()),
                seed,
            );
        }
    }

    #[test]
    fn equals_the_rules_library_in_tricky_positions() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "8/8/8/2k5/3Pp3/8/8/4K2Q b - d3 0 1",
            "8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1",
            "8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1",
        ] {
            let chess = fen
                .parse::<Fen>()
                .unwrap()
                .into_position(CastlingMode::Standard)
                .unwrap();
            let position = Position::new(chess);
            check(&position);
            random_games(&position, 5);
        }
    }
}
