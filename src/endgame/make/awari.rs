//! Awari classes: all positions with a given number of stones.
//!
//! The board has twelve pits; the mover owns 0 to 5. A move empties one of them and sows counter-clockwise,
//! skipping the origin. If the last stone makes 2 or 3 in an opponent's pit, these are captured, together with the
//! unbroken run of such pits before it. An opponent without stones must be fed if possible. Otherwise the game is
//! over, and each side keeps the stones in its own pits. A value is the mover's future gain less the opponent's.

use super::{Class, Metric, Survey, TableValue};
use std::fmt;
use std::sync::Arc;

const PITS: usize = 12;
const OWN: usize = 6;
/// The maximum number of stones in a class: with more the index exceeds 32 bits.
pub const STONES_MAX: u8 = 30;

/// Stones in each pit, the mover's pits first.
pub type Pits = [u8; PITS];

/// The rule for a move that would capture all stones of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GrandSlam {
    /// The move is legal and captures nothing.
    CapturesNothing,
    /// The move is legal and captures all.
    CapturesAll,
    /// The move is illegal unless there is no other.
    OnlyMove,
}

impl GrandSlam {
    /// All rules.
    pub const ALL: [Self; 3] = [Self::CapturesNothing, Self::CapturesAll, Self::OnlyMove];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CapturesNothing => "nothing",
            Self::CapturesAll => "all",
            Self::OnlyMove => "only",
        }
    }
}

impl fmt::Display for GrandSlam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The number of positions with `stones` stones: ways to choose 11 borders between pits.
pub fn size(stones: u8) -> u32 {
    let ways = (1..=11).fold(1_u64, |ways, border| {
        ways * (u64::from(stones) + border) / border
    });
    u32::try_from(ways).expect("at most STONES_MAX stones")
}

/// Ranks of the placements of up to [`STONES_MAX`] stones, in lexicographic order.
struct PlacementRanks {
    /// `before[pits][stones][first]`: ways to place `stones` in `pits` with fewer than `first` in the first pit.
    before: Vec<[Row; ROWS]>,
}

/// One row for each number of stones.
const ROWS: usize = STONES_MAX as usize + 1;
/// Indexed by the number of stones in the first pit, with an end.
type Row = [u32; ROWS + 1];

impl PlacementRanks {
    fn new(stones: u8) -> Self {
        let stones = usize::from(stones);
        // ways[pits][n]: placements of n stones.
        let mut ways = vec![vec![0u32; stones + 1]; PITS + 1];
        ways[0][0] = 1;
        let mut before = vec![[[0; ROWS + 1]; ROWS]];
        for pits in 1..=PITS {
            let mut table = [[0; ROWS + 1]; ROWS];
            for (total, sums) in table.iter_mut().enumerate().take(stones + 1) {
                for first in 0..=total {
                    sums[first + 1] = sums[first] + ways[pits - 1][total - first];
                }
                ways[pits][total] = sums[total + 1];
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
}

type Half = [u8; OWN];

/// Placements by index, looked up by halves of the board.
struct Placements {
    /// Placements of up to all stones in the first six pits, in order, each with its first index.
    first: Vec<(u32, Half)>,
    /// Positions in `first` of the indices `0`, [`STRIDE`], `2 * STRIDE`, ...
    hints: Vec<u32>,
    /// Placements in the other six pits by number of stones, in order.
    second: Vec<Vec<Half>>,
}

/// Indices per hint.
const STRIDE: u32 = 128;

impl Placements {
    fn new(stones: u8) -> Self {
        let mut second = vec![Vec::new(); usize::from(stones) + 1];
        let mut halves = Vec::new();
        list_halves(stones, 0, &mut [0; OWN], &mut halves);
        for half in &halves {
            second[usize::from(stones_of(half))].push(*half);
        }
        let (mut first, mut hints, mut number) = (Vec::new(), Vec::new(), 0);
        for half in halves {
            first.push((number, half));
            number += second[usize::from(stones - stones_of(&half))].len() as u32;
            while hints.len() as u32 * STRIDE < number {
                hints.push(first.len() as u32 - 1);
            }
        }
        Self {
            first,
            hints,
            second,
        }
    }

    fn pits(&self, stones: u8, index: u32) -> Pits {
        let hint = self.hints[(index / STRIDE) as usize] as usize;
        let further = self.first[hint + 1..].iter();
        let steps = further.take_while(|(start, _)| *start <= index).count();
        let (start, first) = self.first[hint + steps];
        let second = self.second[usize::from(stones - stones_of(&first))][(index - start) as usize];
        std::array::from_fn(|pit| {
            if pit < OWN {
                first[pit]
            } else {
                second[pit - OWN]
            }
        })
    }
}

/// Appends all ways to place up to `left` stones in the pits of `half` from `at` on, in lexicographic order.
fn list_halves(left: u8, at: usize, half: &mut Half, list: &mut Vec<Half>) {
    if at == OWN {
        list.push(*half);
        return;
    }
    for stones in 0..=left {
        half[at] = stones;
        list_halves(left - stones, at + 1, half, list);
    }
    half[at] = 0;
}

/// A move: the pits after it from the mover's view, and the captured stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sown {
    /// Pits after the move, the mover's first.
    pub pits: Pits,
    /// The number of captured stones.
    pub captured: u8,
    slam: bool,
}

/// The total of the stones in these pits.
pub fn stones_of(pits: &[u8]) -> u8 {
    pits.iter().sum()
}

/// The stones that sowing adds to each pit, by origin and number of stones.
static SOWN: [[Pits; ROWS]; OWN] = sowings();

const fn sowings() -> [[Pits; ROWS]; OWN] {
    let mut table = [[[0; PITS]; ROWS]; OWN];
    let mut origin = 0;
    while origin < OWN {
        let mut stones = 1;
        while stones < ROWS {
            table[origin][stones] = table[origin][stones - 1];
            table[origin][stones][last_pit(origin, stones)] += 1;
            stones += 1;
        }
        origin += 1;
    }
    table
}

/// The pit of the last stone; the origin is skipped.
const fn last_pit(origin: usize, stones: usize) -> usize {
    (origin + 1 + (stones - 1) % (PITS - 1)) % PITS
}

/// Whether a last stone in `pit` captures, with `stones` in the pit after it.
const fn captures(pit: usize, stones: u8) -> bool {
    pit >= OWN && (stones == 2 || stones == 3)
}

/// Sows from one of the mover's pits, which must not be empty.
#[inline]
fn sow(mut pits: Pits, origin: usize, rule: GrandSlam) -> Sown {
    let stones = usize::from(std::mem::take(&mut pits[origin]));
    for (pit, more) in pits.iter_mut().zip(SOWN[origin][stones]) {
        *pit += more;
    }
    let last = last_pit(origin, stones);
    if !captures(last, pits[last]) {
        return Sown {
            pits,
            captured: 0,
            slam: false,
        };
    }
    capture(pits, last, rule)
}

/// Captures from the pit of the last stone backwards.
fn capture(mut pits: Pits, last: usize, rule: GrandSlam) -> Sown {
    let run = (OWN..=last)
        .rev()
        .take_while(|&pit| captures(pit, pits[pit]));
    let taken = last + 1 - run.count()..last + 1;
    let captured = stones_of(&pits[taken.clone()]);
    let slam = captured == stones_of(&pits[OWN..]);
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

/// Calls `show` with every legal move and its pit.
#[inline]
fn each_move(pits: &Pits, rule: GrandSlam, mut show: impl FnMut(usize, Sown)) {
    let had_stones = stones_of(&pits[OWN..]) > 0;
    let (mut any, mut slams) = (false, false);
    for origin in (0..OWN).filter(|&origin| pits[origin] > 0) {
        let sown = sow(*pits, origin, rule);
        // An opponent without stones must get some.
        if !had_stones && stones_of(&sown.pits[OWN..]) == 0 {
            continue;
        }
        if sown.slam && rule == GrandSlam::OnlyMove {
            slams = true;
        } else {
            any = true;
            show(origin, sown);
        }
    }
    if any || !slams {
        return;
    }
    // All moves are grand slams, which occur only if the opponent had stones.
    for origin in (0..OWN).filter(|&origin| pits[origin] > 0) {
        show(origin, sow(*pits, origin, rule));
    }
}

/// Returns the moves by pit; `None` if illegal.
pub fn moves(pits: &Pits, rule: GrandSlam) -> [Option<Sown>; OWN] {
    let mut moves = [None; OWN];
    each_move(pits, rule, |origin, sown| moves[origin] = Some(sown));
    moves
}

/// Returns the board from the other side's view.
pub fn turned(pits: &Pits) -> Pits {
    let mut turned = *pits;
    turned.rotate_left(OWN);
    turned
}

/// Returns the index of a position among those with the same number of stones.
pub fn index(pits: &Pits) -> u32 {
    PlacementRanks::new(stones_of(pits)).index(pits)
}

/// The class of positions with a given number of stones.
pub struct Awari {
    stones: u8,
    rule: GrandSlam,
    ranks: PlacementRanks,
    placements: Placements,
    /// Values of the classes with fewer stones.
    smaller: Vec<Arc<Vec<TableValue>>>,
}

impl Awari {
    /// Creates the class with `stones` stones, 1 to [`STONES_MAX`]. `smaller` holds the values of the classes with
    /// 0 to `stones - 1`.
    pub fn new(stones: u8, rule: GrandSlam, smaller: Vec<Arc<Vec<TableValue>>>) -> Self {
        assert!((1..=STONES_MAX).contains(&stones) && smaller.len() == usize::from(stones));
        Self {
            stones,
            rule,
            ranks: PlacementRanks::new(stones),
            placements: Placements::new(stones),
            smaller,
        }
    }

    /// Solves the classes with 0 to `stones` stones; returns values by number of stones, then by index.
    pub fn solve_up_to(
        stones: u8,
        rule: GrandSlam,
        solve: impl Fn(&Self) -> Vec<TableValue>,
    ) -> Vec<Arc<Vec<TableValue>>> {
        let mut classes = vec![Arc::new(vec![TableValue::DRAW])];
        for stones in 1..=stones {
            let class = Self::new(stones, rule, classes.clone());
            classes.push(Arc::new(solve(&class)));
        }
        classes
    }

    /// Returns the index of a position with the class's number of stones.
    pub fn index(&self, pits: &Pits) -> u32 {
        assert_eq!(stones_of(pits), self.stones);
        self.ranks.index(pits)
    }

    /// Returns the position with this index.
    pub fn position(&self, index: u32) -> Pits {
        self.placements.pits(self.stones, index)
    }

    /// Whether a last stone in `pit` that leads to the board `after` captures nothing; the opponent has stones.
    fn stays(&self, pit: usize, after: &Pits) -> bool {
        !captures(pit, after[pit]) || capture(*after, pit, self.rule).captured == 0
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
        each_move(&pits, self.rule, |_, sown| {
            any = true;
            if sown.captured == 0 {
                inside += 1;
                return;
            }
            let there = &self.smaller[usize::from(self.stones - sown.captured)];
            let value = there[self.ranks.index(&turned(&sown.pits)) as usize];
            outside = outside.max(Some(TableValue::points(sown.captured as i8 - value.raw())));
        });
        let kept = stones_of(&pits[..OWN]) as i8 - stones_of(&pits[OWN..]) as i8;
        Some(if any {
            Survey::Open { inside, outside }
        } else {
            Survey::End(TableValue::points(kept))
        })
    }

    fn children(&self, index: u32, children: &mut Vec<u32>) {
        let pits = self.position(index);
        each_move(&pits, self.rule, |_, sown| {
            if sown.captured == 0 {
                children.push(self.ranks.index(&turned(&sown.pits)));
            }
        });
    }

    /// Takes back stone by stone from behind each empty pit. A move without capture is legal if the opponent has
    /// stones after it, whether it had some before or was fed.
    fn parents(&self, index: u32, parents: &mut Vec<u32>) {
        let after = turned(&self.position(index));
        if stones_of(&after[OWN..]) == 0 {
            return;
        }
        for origin in (0..OWN).filter(|&origin| after[origin] == 0) {
            let mut before = after;
            for stones in 1.. {
                let last = last_pit(origin, stones);
                if before[last] == 0 {
                    break;
                }
                before[last] -= 1;
                before[origin] += 1;
                if self.stays(last, &after) {
                    parents.push(self.ranks.index(&before));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{bal_allis, reference};
    use super::*;

    fn counts(values: &[TableValue]) -> [usize; 3] {
        [1, 0, -1].map(|sign| values.iter().filter(|value| value.sign() == sign).count())
    }

    #[test]
    fn indices_and_edges_fit_together() {
        for rule in GrandSlam::ALL {
            let smaller = Awari::solve_up_to(6, rule, bal_allis::solve);
            check_edges(&Awari::new(7, rule, smaller));
        }
    }

    fn check_edges(class: &Awari) {
        assert_eq!(class.size(), 31_824);
        assert_eq!(class.position(31_823), [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
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
                Awari::solve_up_to(6, rule, bal_allis::solve) == slow,
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
            let solved = Awari::solve_up_to(9, rule, bal_allis::solve);
            for (values, known) in solved[1..].iter().zip(known) {
                assert_eq!(counts(values), known, "{rule:?}");
            }
        }
        let all = Awari::solve_up_to(6, GrandSlam::CapturesAll, bal_allis::solve);
        assert_eq!(counts(&all[6]), [5781, 1540, 5055]);
        let five = &Awari::solve_up_to(5, GrandSlam::CapturesNothing, bal_allis::solve)[5];
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
        let solved = Awari::solve_up_to(16, rule, bal_allis::solve);
        assert_eq!(counts(&solved[13]), [1_364_947, 312_251, 818_946]);
        assert_eq!(counts(&solved[16]), [7_298_334, 1_445_158, 4_294_403]);
        let class = Awari::new(16, rule, solved[..16].to_vec());
        let pits = [1, 1, 1, 1, 1, 2, 4, 2, 3, 0, 0, 0];
        assert_eq!(solved[16][class.index(&pits) as usize].raw(), 0);
        let value = |sown: Sown| {
            let left = solved[usize::from(16 - sown.captured)].clone();
            let ranks = PlacementRanks::new(16);
            sown.captured as i8 - left[ranks.index(&turned(&sown.pits)) as usize].raw()
        };
        assert_eq!(
            moves(&pits, rule).map(|sown| sown.map(value)),
            [-1, -1, -2, -2, -2, 0].map(Some)
        );
    }
}
