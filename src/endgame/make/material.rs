//! Chess classes by their men, and their dependencies.

use shakmaty::{Board, Color, Piece, Role};
use std::fmt;

/// The maximum number of men in a class, kings included.
pub const MEN_MAX: usize = 5;

/// Roles other than the king, the strongest first, as in names and lists of men.
const ROLES: [Role; 5] = [
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

/// The men of a class, kings included. White is the stronger side: the one with more men, then the stronger ones.
///
/// Displays as the class's name, such as `KRvKP`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    /// The number of men for each of [`ROLES`], White then Black.
    counts: [[u8; 5]; 2],
}

impl Material {
    /// Creates the class of `men`, without kings. Returns whether colours were exchanged to make White stronger.
    pub fn new(men: impl IntoIterator<Item = Piece>) -> (Self, bool) {
        let mut counts = [[0; 5]; 2];
        for man in men {
            let role = ROLES
                .iter()
                .position(|&role| role == man.role)
                .expect("no king among the men");
            counts[side(man.color)][role] += 1;
        }
        let strength = |counts: [u8; 5]| (counts.iter().sum::<u8>(), counts);
        let flipped = strength(counts[1]) > strength(counts[0]);
        if flipped {
            counts.swap(0, 1);
        }
        (Self { counts }, flipped)
    }

    /// Creates the class of the men on a board. Returns whether the colours were exchanged.
    pub fn of_board(board: &Board) -> (Self, bool) {
        let men = board.clone().into_iter().map(|(_, man)| man);
        Self::new(men.filter(|man| man.role != Role::King))
    }

    /// Parses a class name; `None` unless it is canonical and has 3 to 5 men.
    pub fn parse(name: &str) -> Option<Self> {
        let (white, black) = name.split_once('v')?;
        let men_of = |text: &str, color: Color| -> Option<Vec<Piece>> {
            let men = text.strip_prefix('K')?;
            men.chars()
                .map(|c| {
                    ROLES
                        .into_iter()
                        .find(|role| role.upper_char() == c)
                        .map(|role| role.of(color))
                })
                .collect()
        };
        let men = [men_of(white, Color::White)?, men_of(black, Color::Black)?].concat();
        let (material, _) = Self::new(men);
        let small_enough = (3..=MEN_MAX).contains(&material.men_count());
        (small_enough && material.to_string() == name).then_some(material)
    }

    /// Returns all classes with this many men, the strongest first.
    pub fn with_men(count: usize) -> Vec<Self> {
        let pieces: Vec<Piece> = Color::ALL
            .iter()
            .flat_map(|&color| ROLES.map(|role| role.of(color)))
            .collect();
        let mut sets: Vec<Vec<Piece>> = vec![Vec::new()];
        for _ in 2..count {
            sets = sets
                .iter()
                .flat_map(|set| pieces.iter().map(|&man| [set.as_slice(), &[man]].concat()))
                .collect();
        }
        let mut classes: Vec<_> = sets.into_iter().map(|set| Self::new(set).0).collect();
        classes.sort_unstable();
        classes.dedup();
        classes.reverse();
        classes
    }

    /// The men without kings: White's, then Black's, strongest first, equal ones together.
    pub fn men(self) -> Vec<Piece> {
        let of = |color: Color| {
            let counts = self.counts[side(color)];
            ROLES
                .iter()
                .zip(counts)
                .flat_map(move |(role, count)| vec![role.of(color); usize::from(count)])
        };
        of(Color::White).chain(of(Color::Black)).collect()
    }

    /// The number of men, kings included.
    pub fn men_count(self) -> usize {
        2 + self
            .counts
            .iter()
            .flatten()
            .map(|&count| usize::from(count))
            .sum::<usize>()
    }

    /// Whether a side has a pawn.
    pub fn has_pawns(self) -> bool {
        self.pawns() > 0
    }

    fn pawns(self) -> u8 {
        self.counts[0][4] + self.counts[1][4]
    }

    /// Whether there are only kings: always a draw, and not a class.
    pub fn is_bare(self) -> bool {
        self.men_count() == 2
    }

    /// Returns the men after a capture, a promotion or both, and whether the colours are exchanged. `captured` is
    /// removed; `promoted` replaces a pawn of its colour.
    pub fn after(self, captured: Option<Piece>, promoted: Option<Piece>) -> (Self, bool) {
        let mut men = self.men();
        let mut remove = |man: Piece| {
            let at = men
                .iter()
                .position(|&other| other == man)
                .expect("such a man");
            men.remove(at);
        };
        if let Some(man) = captured {
            remove(man);
        }
        if let Some(man) = promoted {
            remove(man.color.pawn());
            men.push(man);
        }
        Self::new(men)
    }

    /// Returns the classes reached by one move, without bare kings.
    pub fn exits(self) -> Vec<Self> {
        let men = self.men();
        let mut exits = Vec::new();
        let captures: Vec<Option<Piece>> = std::iter::once(None)
            .chain(men.iter().copied().map(Some))
            .collect();
        for &captured in &captures {
            if captured.is_some() {
                exits.push(self.after(captured, None).0);
            }
            for pawn in men.iter().filter(|man| man.role == Role::Pawn) {
                if captured.is_none_or(|man| man.color != pawn.color) {
                    exits.extend(
                        ROLES[..4]
                            .iter()
                            .map(|role| self.after(captured, Some(role.of(pawn.color))).0),
                    );
                }
            }
        }
        exits.retain(|class| !class.is_bare());
        exits.sort_unstable();
        exits.dedup();
        exits
    }

    /// Returns a sort key that puts every class after those it needs: a move reduces the men or the pawns.
    pub fn order(self) -> (usize, u8, std::cmp::Reverse<Self>) {
        (self.men_count(), self.pawns(), std::cmp::Reverse(self))
    }

    /// Returns all classes to be solved before this one, in an order that is valid for each of them.
    pub fn needs(self) -> Vec<Self> {
        let mut needs: Vec<Self> = Vec::new();
        let mut open = self.exits();
        while let Some(class) = open.pop() {
            if !needs.contains(&class) {
                needs.push(class);
                open.extend(class.exits());
            }
        }
        needs.sort_by_key(|class| class.order());
        needs
    }
}

const fn side(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [white, black] = self.counts.map(|counts| {
            let men = ROLES
                .iter()
                .zip(counts)
                .map(|(role, count)| role.upper_char().to_string().repeat(count.into()));
            format!("K{}", men.collect::<String>())
        });
        write!(f, "{white}v{black}")
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_5_30_and_110_classes() {
        assert_eq!(
            [3, 4, 5].map(|men| Material::with_men(men).len()),
            [5, 30, 110]
        );
        assert_eq!(Material::with_men(3)[0].to_string(), "KQvK");
        for class in Material::with_men(5) {
            assert_eq!(Material::parse(&class.to_string()), Some(class));
        }
    }

    #[test]
    fn only_canonical_names_are_names() {
        for name in [
            "", "KvK", "KQK", "KvKQ", "KPvKR", "KNBvK", "KQQQQvK", "kqvk", "KQvKvK", "KXvK", "QvK",
        ] {
            assert_eq!(Material::parse(name), None, "{name}");
        }
    }

    #[test]
    fn needs_come_in_order() {
        let names = |name| {
            Material::parse(name)
                .unwrap()
                .needs()
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(names("KPvK"), ["KQvK", "KRvK", "KBvK", "KNvK"]);
        let needs = Material::parse("KPvKP").unwrap().needs();
        for (at, class) in needs.iter().enumerate() {
            assert!(
                class.exits().iter().all(|exit| needs[..at].contains(exit)),
                "{class}"
            );
        }
    }
}
