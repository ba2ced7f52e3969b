//! The weights of the evaluation, each declared once.

use super::{Tapered, squares};

/// Declares the table of weights: name, number of entries, (middlegame, ending) centipawns of each, meaning.
macro_rules! weights {
    ($($name:ident: $count:literal = [$(($middlegame:literal, $ending:literal)),* $(,)?], $meaning:literal;)*) => {
        /// Weights in centipawns, seen by the side that owns the feature; arrays count from the least.
        #[derive(Clone, Debug)]
        pub struct Weights {
            /// Value of each man on each square: 64 squares for each role.
            pub squares: [Tapered; 384],
            $(#[doc = $meaning] pub $name: [Tapered; $count],)*
        }

        impl Weights {
            /// The weights in use.
            pub const DEFAULT: Self = Self { squares: squares::VALUES, $($name: [$(Tapered::new($middlegame, $ending)),*],)* };

            /// All tables by name, for tuning.
            pub fn tables(&mut self) -> Vec<(&'static str, &mut [Tapered])> {
                vec![("squares", &mut self.squares[..]), $((stringify!($name), &mut self.$name[..]),)*]
            }
        }
    };
}

weights! {
    // Pawns (ranks counted from 0 on the own first rank).
    isolated: 1 = [(-7, -12)], "A pawn without neighbours on the files beside.";
    doubled: 1 = [(-8, -18)], "A pawn with an own pawn ahead on its file.";
    backward: 1 = [(-8, -8)], "A pawn that cannot advance safely and that no pawn can support.";
    connected: 8 = [(0, 0), (2, 0), (5, 4), (7, 6), (12, 14), (28, 35), (50, 60), (0, 0)], "A pawn beside or protected by another, by rank.";
    passed: 8 = [(0, 0), (0, 6), (0, 12), (5, 28), (20, 52), (48, 92), (80, 140), (0, 0)], "A passed pawn, by rank.";
    passed_free: 8 = [(0, 0), (0, 0), (0, 2), (0, 6), (2, 16), (6, 32), (10, 50), (0, 0)], "The square ahead of a passed pawn is empty and not attacked, by rank.";
    passed_enemy_king: 8 = [(0, 0), (0, 4), (0, 8), (0, 12), (0, 18), (0, 24), (0, 30), (0, 36)], "Distance of the enemy king from the square ahead of a pawn past rank 3.";
    passed_own_king: 8 = [(0, 0), (0, -2), (0, -5), (0, -8), (0, -11), (0, -14), (0, -17), (0, -20)], "Distance of the own king from that square.";

    // Pieces.
    bishop_pair: 1 = [(24, 46)], "Two bishops.";
    knight_mobility: 9 = [(-38, -46), (-22, -26), (-8, -12), (-3, -2), (2, 4), (7, 8), (12, 10), (16, 10), (20, 8)], "Safe squares a knight attacks.";
    bishop_mobility: 14 = [(-30, -40), (-18, -26), (-6, -12), (0, -4), (5, 4), (10, 9), (14, 13), (17, 16), (19, 18), (21, 19), (24, 19), (28, 18), (30, 20), (34, 18)], "Safe squares a bishop attacks.";
    rook_mobility: 15 = [(-24, -44), (-16, -26), (-9, -10), (-6, -2), (-4, 4), (-2, 8), (1, 12), (4, 15), (7, 18), (10, 21), (12, 24), (14, 26), (16, 28), (18, 29), (22, 28)], "Safe squares a rook attacks.";
    queen_mobility: 28 = [(-24, -40), (-18, -32), (-12, -24), (-9, -18), (-6, -12), (-4, -6), (-2, -2), (0, 2), (1, 6), (2, 9), (3, 12), (4, 15), (5, 17), (6, 19), (7, 21), (8, 22), (8, 23), (9, 24), (9, 25), (10, 26), (11, 26), (13, 26), (15, 25), (18, 24), (20, 24), (22, 24), (24, 24), (26, 24)], "Safe squares a queen attacks.";
    outpost: 2 = [(22, 14), (14, 8)], "A knight, a bishop on a square protected by a pawn that no enemy pawn can ever attack.";
    bishop_pawns: 1 = [(-2, -5)], "Each own pawn on the squares of an own bishop.";
    rook_file: 2 = [(12, 8), (28, 8)], "A rook on a file without own pawns; without any pawns.";
    rook_seventh: 1 = [(4, 18)], "A rook on the seventh rank.";
    minor_behind_pawn: 1 = [(5, 2)], "A knight or bishop right behind a pawn.";

    // King.
    shelter: 8 = [(-24, 0), (22, -2), (14, 0), (4, 0), (0, 0), (-2, 0), (-6, 0), (-6, 0)], "The hindmost own pawn of a file near the king, by rank; 0 where there is none.";
    storm: 8 = [(0, 0), (-6, 0), (-20, 0), (-12, 0), (-4, 0), (0, 0), (0, 0), (0, 0)], "The foremost enemy pawn of such a file, by rank.";
    open_king_file: 1 = [(-14, 4)], "The king on a file without own pawns.";

    // Threats.
    pawn_threat: 1 = [(48, 36)], "A piece attacked by a safe pawn.";
    minor_threat: 6 = [(0, 0), (4, 14), (20, 20), (26, 22), (44, 24), (40, 40)], "A pawn, knight, bishop, rook, queen attacked by a knight or bishop.";
    rook_threat: 6 = [(0, 0), (2, 18), (18, 20), (20, 22), (4, 16), (44, 24)], "The same attacked by a rook.";
    king_threat: 1 = [(8, 34)], "A man without sufficient protection attacked by the king.";
    hanging: 1 = [(24, 16)], "An attacked man without protection.";
    push_threat: 1 = [(14, 12)], "A piece that a safe pawn step would attack.";
    tempo: 1 = [(16, 14)], "The right to move.";
}

/// Attack on a king in units; a nonlinear curve turns them into centipawns.
pub struct KingDanger {
    /// A knight, bishop, rook, queen that attacks the zone around the king.
    pub attacker: [i32; 4],
    /// Each attack on a square of the zone.
    pub zone_attack: i32,
    /// Each square of the zone that only king or queen protects.
    pub weak_square: i32,
    /// A safe check by a knight, bishop, rook, queen.
    pub safe_check: [i32; 4],
    /// The attacker has no queen.
    pub queenless: i32,
    /// Every so many middlegame centipawns of shelter lower the danger by one unit.
    pub shelter_divisor: i32,
}

/// The king danger in use.
pub const KING_DANGER: KingDanger = KingDanger {
    attacker: [16, 12, 18, 22],
    zone_attack: 5,
    weak_square: 9,
    safe_check: [42, 30, 46, 38],
    queenless: -60,
    shelter_divisor: 3,
};
