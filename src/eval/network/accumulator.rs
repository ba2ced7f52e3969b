//! The accumulator: the hidden units of both sides, updated from those of a similar board.
//!
//! Moves are not needed: each set of units stores its board, and comparing boards shows the differences. So castling,
//! en passant, promotions, null moves and undo need no special code. If a king changes its [`View`], the units come
//! from the last board in that view instead (a Finny table, from the engine Koivisto).

use shakmaty::{Bitboard, Board, Color, Role};

use super::Network;
use super::features::View;
use super::layers::{Lanes, adjust, fused};

/// So many plies back units are looked for, the likeliest first: the node before, one move away; what was here before,
/// two moves away; and farther back, for a node in check has no units, nor has one whose value was remembered.
const LOOK_BACK: [usize; 4] = [1, 0, 2, 3];
/// A board that differs on so few squares is near enough: one move away.
const NEAR: usize = 2;

/// The hidden units of one side, and what they were made from.
#[derive(Clone)]
struct SideAccumulator {
    view: View,
    board: Board,
    units: Vec<Lanes>,
}

/// The hidden units at each ply of a line, and the last ones of each view.
pub(super) struct Accumulators {
    /// By ply and side; `None` where none were ever made.
    plies: Vec<[Option<SideAccumulator>; 2]>,
    /// By [`View::index`].
    views: Vec<Option<SideAccumulator>>,
    /// Takes the units being made.
    spare: Vec<Lanes>,
}

/// Where units are made from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UpdateSource {
    Ply(usize),
    View,
}

impl Accumulators {
    /// Units of no board yet.
    pub(super) fn new(network: &Network) -> Self {
        Self {
            plies: Vec::new(),
            views: vec![None; View::COUNT],
            spare: network.input_bias.clone(),
        }
    }

    /// Makes the hidden units for a board at `ply` of a line.
    pub(super) fn update(&mut self, network: &Network, board: &Board, ply: usize) {
        if self.plies.len() <= ply {
            self.plies.resize(ply + 1, [None, None]);
        }
        for side in Color::ALL {
            let king = board.king_of(side).expect("each side has a king");
            let view = View::new(side, king);
            let (source, changed) = self.nearest(board, view, ply, network);
            if changed.any() || source != UpdateSource::Ply(ply) {
                self.make(network, board, view, ply, source, changed);
            }
        }
    }

    /// The hidden units of `side` that were made last at `ply`.
    pub(super) fn units(&self, side: Color, ply: usize) -> &[Lanes] {
        let made = self.plies[ply][side as usize].as_ref();
        &made.expect("they were made before").units
    }

    /// The board least different from this one, and the squares on which it differs.
    fn nearest(
        &mut self,
        board: &Board,
        view: View,
        ply: usize,
        network: &Network,
    ) -> (UpdateSource, Bitboard) {
        let (mut best, mut least) = (UpdateSource::View, None::<Bitboard>);
        for back in LOOK_BACK.into_iter().filter(|&back| back <= ply) {
            let Some(side) = &self.plies[ply - back][view.perspective as usize] else {
                continue;
            };
            if side.view != view {
                continue;
            }
            let changed = differences(&side.board, board);
            if least.is_none_or(|least| changed.count() < least.count()) {
                (best, least) = (UpdateSource::Ply(ply - back), Some(changed));
            }
            if changed.count() <= NEAR {
                return (best, changed);
            }
        }
        let cached = self.views[view.index()].get_or_insert_with(|| SideAccumulator {
            view,
            board: Board::empty(),
            units: network.input_bias.clone(),
        });
        let changed = differences(&cached.board, board);
        match least {
            Some(least) if least.count() <= changed.count() => (best, least),
            _ => (UpdateSource::View, changed),
        }
    }

    /// Makes the units at `ply` from the source.
    fn make(
        &mut self,
        network: &Network,
        board: &Board,
        view: View,
        ply: usize,
        source: UpdateSource,
        changed: Bitboard,
    ) {
        let (side, index) = (view.perspective as usize, view.index());
        let from = match source {
            UpdateSource::Ply(ply) => self.plies[ply][side].as_ref(),
            UpdateSource::View => self.views[index].as_ref(),
        }
        .expect("a source has units");
        let (mut added, mut removed) = (Inputs::default(), Inputs::default());
        added.fill(view, board, changed);
        removed.fill(view, &from.board, changed);
        update(network, &mut self.spare, &from.units, &added, &removed);
        if source == UpdateSource::View {
            let cached = self.views[index].as_mut().expect("it was the source");
            cached.board.clone_from(board);
            cached.units.copy_from_slice(&self.spare);
        }
        let place = &mut self.plies[ply][side];
        let made = place.get_or_insert_with(|| SideAccumulator {
            view,
            board: board.clone(),
            units: self.spare.clone(),
        });
        (made.view, made.board) = (view, board.clone());
        std::mem::swap(&mut made.units, &mut self.spare);
    }
}

/// The squares on which two boards differ.
fn differences(one: &Board, other: &Board) -> Bitboard {
    let roles = Role::ALL.map(|role| one.by_role(role) ^ other.by_role(role));
    let first = one.white() ^ other.white();
    roles.into_iter().fold(first, |all, role| all | role)
}

/// The inputs that some men stand for. They are written anew for each position, so they are small, and never copied.
#[derive(Default)]
struct Inputs {
    features: [u16; 32],
    count: usize,
}

impl Inputs {
    /// Those of the men of a board on these squares.
    #[inline]
    fn fill(&mut self, view: View, board: &Board, squares: Bitboard) {
        for square in squares & board.occupied() {
            self.features[self.count] = view.feature_on(board, square) as u16;
            self.count += 1;
        }
    }

    fn all(&self) -> &[u16] {
        &self.features[..self.count]
    }
}

/// `target` becomes `source` with some rows added and some taken away. One move changes few of them.
fn update(
    network: &Network,
    target: &mut [Lanes],
    source: &[Lanes],
    added: &Inputs,
    removed: &Inputs,
) {
    let row = |feature: u16| network.row(feature.into());
    match (added.all(), removed.all()) {
        (&[add], &[remove]) => fused(target, source, [add].map(row), [remove].map(row)),
        (&[add], &[remove, capture]) => {
            fused(target, source, [add].map(row), [remove, capture].map(row));
        }
        (&[king, rook], &[king_before, rook_before]) => {
            let (added, removed) = ([king, rook], [king_before, rook_before]);
            fused(target, source, added.map(row), removed.map(row));
        }
        (added, removed) => {
            target.copy_from_slice(source);
            let [added, removed] = [added, removed].map(|all| all.iter().map(|&one| row(one)));
            adjust(target, added, removed);
        }
    }
}
