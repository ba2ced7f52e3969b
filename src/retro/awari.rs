//! Awari classes: all positions with a number of stones on the board.
//!
//! Twelve pits; the mover owns 0 to 5. A move empties one of them and sows counter-clockwise, leaving the origin out. If
//! the last stone makes 2 or 3 in an opponent's pit, those are captured, and with them the unbroken run of such pits
//! before it. An opponent without stones must be fed if that is possible; otherwise the game is over, and each side
//! keeps the stones in its own pits. A value is what the mover will gain from here on, less what the opponent will.

use super::{Class, Metric, Survey, Value};
use std::fmt;
use std::sync::Arc;

const PITS: usize = 12;
const OWN: usize = 6;
/// The most stones a class can have: with more the index outgrows 32 bits.
pub const STONES_MAX: u8 = 30;

/// Stones in each pit, the mover's first.
pub type Pits = [u8; PITS];

/// What becomes of a move that would capture all the opponent has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GrandSlam {
    /// It is legal and captures nothing.
    CapturesNothing,
    /// It is legal and captures all.
    CapturesAll,
    /// It is illegal unless there is no other move.
    OnlyMove,
}

impl GrandSlam {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::CapturesNothing, Self::CapturesAll, Self::OnlyMove];
}

impl fmt::Display for GrandSlam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::CapturesNothing => "nothing",
            Self::CapturesAll => "all",
            Self::OnlyMove => "only",
        })
    }
}

/// How many positions there are with `stones` stones: ways to choose 11 borders between pits.
pub fn size(stones: u8) -> u32 {
    let ways = (1..=11).fold(1_u64, |ways, border| {
        ways * (u64::from(stones) + border) / border
    });
    u32::try_from(ways).expect("at most STONES_MAX stones")
}

/// Numbers of the placements of up to [`STONES_MAX`] stones, in lexicographic order.
struct Ranks {
    /// `before[pits][stones][first]`: ways to place `stones` in `pits` with fewer than `first` in the first of them.
    before: Vec<Vec<Vec<u32>>>,
}

impl Ranks {
    fn new(stones: u8) -> Self {
        let stones = usize::from(stones);
        // ways[pits][n]: placements of n stones.
        let mut ways = vec![vec![0u32; stones + 1]; PITS + 1];
        ways[0][0] = 1;
        let mut before = vec![Vec::new()];
        for pits in 1..=PITS {
            let mut table = Vec::new();
            for total in 0..=stones {
                let mut sums = vec![0];
                for first in 0..=total {
                    sums.push(sums[first] + ways[pits - 1][total - first]);
                }
                ways[pits][total] = sums[total + 1];
                table.push(sums);
            }
            before.push(table);
        }
        Self { before }
    }

    fn index(&self, pits: &Pits) -> u32 {
        let mut left: usize = pits.iter().map(|&stones| usize::from(stones)).sum();
        let mut index = 0;
        for (at, &stones) in pits.iter().enumerate() {
            index += self.before[PITS - at][left][usize::from(stones)];
            left -= usize::from(stones);
        }
        index
    }

    fn pits(&self, stones: u8, mut index: u32) -> Pits {
        let mut left = usize::from(stones);
        let mut pits = [0; PITS];
        for (at, pit) in pits.iter_mut().enumerate() {
            let sums = &self.before[PITS - at][left];
            let first = sums.partition_point(|&sum| sum <= index) - 1;
            index -= sums[first];
            *pit = first as u8;
            left -= first;
        }
        pits
    }
}

/// A move: the pits after it, still as the mover sees them, and what was captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sown {
    /// Pits after the move, the mover's first.
    pub pits: Pits,
    /// Stones captured.
    pub captured: u8,
    slam: bool,
}

/// All stones in these pits.
pub fn stones_of(pits: &[u8]) -> u8 {
    pits.iter().sum()
}

/// Sows from one of the mover's pits, which must not be empty.
fn sow(mut pits: Pits, origin: usize, rule: GrandSlam) -> Sown {
    let stones = std::mem::take(&mut pits[origin]);
    let mut at = origin;
    for _ in 0..stones {
        at = (at + 1) % PITS;
        if at == origin {
            at = (at + 1) % PITS;
        }
        pits[at] += 1;
    }
    let first = (OWN..=at)
        .rev()
        .take_while(|&pit| matches!(pits[pit], 2 | 3))
        .last();
    let taken = first.map_or(0..0, |first| first..at + 1);
    let captured = stones_of(&pits[taken.clone()]);
    let slam = captured > 0 && captured == stones_of(&pits[OWN..]);
    if slam && rule == GrandSlam::CapturesNothing {
        return Sown {
            pits,
            captured: 0,
            slam,
        };
    }
    pits[taken].fill(0);
    Sown {
        pits,
        captured,
        slam,
    }
}

/// Whether the opponent has stones, or gets some.
fn feeds(before: &Pits, sown: &Sown) -> bool {
    [before, &sown.pits]
        .iter()
        .any(|pits| stones_of(&pits[OWN..]) > 0)
}

/// The moves by pit; `None` where the rules allow none.
pub fn moves(pits: &Pits, rule: GrandSlam) -> [Option<Sown>; OWN] {
    let mut moves = [None; OWN];
    for origin in 0..OWN {
        let sown = (pits[origin] > 0).then(|| sow(*pits, origin, rule));
        moves[origin] = sown.filter(|sown| feeds(pits, sown));
    }
    if rule == GrandSlam::OnlyMove && moves.iter().flatten().any(|sown| !sown.slam) {
        return moves.map(|sown| sown.filter(|sown| !sown.slam));
    }
    moves
}

/// The board as the other side sees it.
pub fn turned(pits: &Pits) -> Pits {
    let mut turned = *pits;
    turned.rotate_left(OWN);
    turned
}

/// The number of a position among those with as many stones.
pub fn index(pits: &Pits) -> u32 {
    Ranks::new(stones_of(pits)).index(pits)
}

/// The class of positions with a number of stones.
pub struct Awari {
    stones: u8,
    rule: GrandSlam,
    ranks: Ranks,
    /// Values of the classes with fewer stones.
    smaller: Vec<Arc<Vec<Value>>>,
}

impl Awari {
    /// The class with `stones` stones, 1 to [`STONES_MAX`]; `smaller` holds the values of the classes with 0 to
    /// `stones - 1`.
    pub fn new(stones: u8, rule: GrandSlam, smaller: Vec<Arc<Vec<Value>>>) -> Self {
        assert!((1..=STONES_MAX).contains(&stones) && smaller.len() == usize::from(stones));
        Self {
            stones,
            rule,
            ranks: Ranks::new(stones),
            smaller,
        }
    }

    /// Solves the classes with 0 to `stones` stones; values by number of stones, then by index.
    pub fn solve_up_to(
        stones: u8,
        rule: GrandSlam,
        solve: impl Fn(&Self) -> Vec<Value>,
    ) -> Vec<Arc<Vec<Value>>> {
        let mut classes = vec![Arc::new(vec![Value::DRAW])];
        for stones in 1..=stones {
            let class = Self::new(stones, rule, classes.clone());
            classes.push(Arc::new(solve(&class)));
        }
        classes
    }

    /// The index of a position with the class's number of stones.
    pub fn index(&self, pits: &Pits) -> u32 {
        assert_eq!(stones_of(pits), self.stones);
        self.ranks.index(pits)
    }

    /// The position with that index.
    pub fn position(&self, index: u32) -> Pits {
        self.ranks.pits(self.stones, index)
    }

    /// Whether emptying this pit is a move inside the class that leads from one position to the other. No rule but that of
    /// feeding forbids what captures nothing.
    fn is_move(&self, before: &Pits, origin: usize, after: &Pits) -> bool {
        let sown = sow(*before, origin, self.rule);
        sown.captured == 0 && sown.pits == *after && feeds(before, &sown)
    }
}

impl Class for Awari {
    fn metric(&self) -> Metric {
        Metric::Points
    }

    fn size(&self) -> u32 {
        size(self.stones)
    }

    fn amount_max(&self) -> u8 {
        self.stones
    }

    fn survey(&self, index: u32) -> Option<Survey> {
        let pits = self.position(index);
        let (mut inside, mut outside, mut any) = (0, None, false);
        for sown in moves(&pits, self.rule).into_iter().flatten() {
            any = true;
            if sown.captured == 0 {
                inside += 1;
                continue;
            }
            let there = &self.smaller[usize::from(self.stones - sown.captured)];
            let value = there[self.ranks.index(&turned(&sown.pits)) as usize];
            outside = outside.max(Some(Value::points(sown.captured as i8 - value.raw())));
        }
        let kept = stones_of(&pits[..OWN]) as i8 - stones_of(&pits[OWN..]) as i8;
        Some(if any {
            Survey::Open { inside, outside }
        } else {
            Survey::End(Value::points(kept))
        })
    }

    fn children(&self, index: u32, children: &mut Vec<u32>) {
        let pits = self.position(index);
        let quiet = moves(&pits, self.rule)
            .into_iter()
            .flatten()
            .filter(|sown| sown.captured == 0);
        children.extend(quiet.map(|sown| self.ranks.index(&turned(&sown.pits))));
    }

    /// Takes back stone after stone behind each empty pit; whether the game really goes that way is left to the rules.
    fn parents(&self, index: u32, parents: &mut Vec<u32>) {
        let after = turned(&self.position(index));
        for origin in (0..OWN).filter(|&origin| after[origin] == 0) {
            let mut before = after;
            let mut at = origin;
            loop {
                at = (at + 1) % PITS;
                if at == origin {
                    continue;
                }
                if before[at] == 0 {
                    break;
                }
                before[at] -= 1;
                before[origin] += 1;
                if self.is_move(&before, origin, &after) {
                    parents.push(self.ranks.index(&before));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{reference, solver};
    use super::*;

    fn counts(values: &[Value]) -> [usize; 3] {
        [1, 0, -1].map(|sign| values.iter().filter(|value| value.sign() == sign).count())
    }

    #[test]
    fn indices_and_edges_fit_together() {
        for rule in GrandSlam::ALL {
            let smaller = Awari::solve_up_to(6, rule, solver::solve);
            check_edges(&Awari::new(7, rule, smaller));
        }
    }

    fn check_edges(class: &Awari) {
        assert_eq!(class.size(), 31_824);
        assert_eq!(
            class.ranks.pits(7, 31_823),
            [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        );
        let mut list = Vec::new();
        let mut pairs = [Vec::new(), Vec::new()];
        for index in 0..class.size() {
            assert_eq!(class.index(&class.position(index)), index);
            list.clear();
            class.children(index, &mut list);
            pairs[0].extend(list.iter().map(|&child| (index, child)));
            list.clear();
            class.parents(index, &mut list);
            pairs[1].extend(list.iter().map(|&parent| (parent, index)));
        }
        for list in &mut pairs {
            list.sort_unstable();
        }
        assert_eq!(pairs[0], pairs[1]);
        assert!(pairs[0].windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn the_definition_gives_the_same_values() {
        for rule in GrandSlam::ALL {
            let slow = Awari::solve_up_to(6, rule, reference::solve);
            assert!(
                Awari::solve_up_to(6, rule, solver::solve) == slow,
                "{rule:?}"
            );
        }
    }

    /// Wins, draws and losses of the mover for 1 to 9 stones, computed by an independent program.
    #[test]
    fn counts_are_as_known() {
        let nothing = [
            [5, 0, 7],
            [24, 13, 41],
            [121, 64, 179],
            [577, 143, 645],
            [2161, 0, 2207],
            [5707, 1545, 5124],
            [14944, 4483, 12397],
            [37806, 8333, 29443],
            [85273, 20449, 62238],
        ];
        let only = [
            [5, 0, 7],
            [25, 13, 40],
            [123, 63, 178],
            [580, 143, 642],
            [2165, 0, 2203],
            [5698, 1548, 5130],
            [14921, 4487, 12416],
            [37767, 8351, 29464],
            [85285, 20308, 62367],
        ];
        for (rule, known) in [
            (GrandSlam::CapturesNothing, nothing),
            (GrandSlam::OnlyMove, only),
        ] {
            let solved = Awari::solve_up_to(9, rule, solver::solve);
            for (values, known) in solved[1..].iter().zip(known) {
                assert_eq!(counts(values), known, "{rule:?}");
            }
        }
        let all = Awari::solve_up_to(6, GrandSlam::CapturesAll, solver::solve);
        assert_eq!(counts(&all[6]), [5781, 1540, 5055]);
        let five = &Awari::solve_up_to(5, GrandSlam::CapturesNothing, solver::solve)[5];
        let histogram = [
            (-5, 1891),
            (-3, 2),
            (-2, 85),
            (-1, 229),
            (1, 120),
            (2, 180),
            (3, 23),
            (5, 1838),
        ];
        for (value, count) in histogram {
            assert_eq!(
                five.iter().filter(|other| other.raw() == value).count(),
                count,
                "{value}"
            );
        }
    }

    /// A published position with 16 stones, its value and those of its moves.
    #[test]
    #[ignore = "half a minute; run with --release"]
    fn a_published_position_has_its_value() {
        let rule = GrandSlam::OnlyMove;
        let solved = Awari::solve_up_to(16, rule, solver::solve);
        assert_eq!(counts(&solved[13]), [1_364_947, 312_251, 818_946]);
        assert_eq!(counts(&solved[16]), [7_298_334, 1_445_158, 4_294_403]);
        let class = Awari::new(16, rule, solved[..16].to_vec());
        let pits = [1, 1, 1, 1, 1, 2, 4, 2, 3, 0, 0, 0];
        assert_eq!(solved[16][class.index(&pits) as usize].raw(), 0);
        let value = |sown: Sown| {
            let left = solved[usize::from(16 - sown.captured)].clone();
            let ranks = Ranks::new(16);
            sown.captured as i8 - left[ranks.index(&turned(&sown.pits)) as usize].raw()
        };
        assert_eq!(
            moves(&pits, rule).map(|sown| sown.map(value)),
            [-1, -1, -2, -2, -2, 0].map(Some)
        );
    }
}
