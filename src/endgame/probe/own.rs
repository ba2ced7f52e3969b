//! Our own tables: those with three men are built in, larger ones are in a folder and generated on demand.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use directories::ProjectDirs;
use shakmaty::{Chess, Position as _};

use super::answer::{Distance, TableAnswer, TableOutcome};
use super::maker::Maker;
use crate::endgame::make::material::{MEN_MAX, Material};
use crate::endgame::make::prober::{BuiltIn, Prober};
use crate::endgame::make::{TableError, TableValue};

/// Plies without capture or pawn move after which the game is a draw.
const MOVES_COUNTED_MAX: u32 = 100;
/// The most men of tables generated on demand; larger ones take too long.
const MADE_MEN_MAX: usize = 4;
/// The maximum number of errors kept for the user.
const TROUBLES_MAX: usize = 8;

const THREE_MEN: BuiltIn = &[
    ("KQvK", include_bytes!("three_men/KQvK.egt")),
    ("KRvK", include_bytes!("three_men/KRvK.egt")),
    ("KBvK", include_bytes!("three_men/KBvK.egt")),
    ("KNvK", include_bytes!("three_men/KNvK.egt")),
    ("KPvK", include_bytes!("three_men/KPvK.egt")),
];

/// Our own tables, which store the distance to mate (DTM).
pub struct Own {
    prober: Arc<Prober>,
    maker: Option<Maker>,
    /// Probe errors, without duplicates.
    troubles: Arc<Mutex<Vec<String>>>,
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Own")
            .field("makes_tables", &self.maker.is_some())
            .finish_non_exhaustive()
    }
}

impl Own {
    /// Opens only the built-in tables.
    pub fn built_in() -> Self {
        Self {
            prober: Arc::new(Prober::with_built_in(THREE_MEN, None)),
            maker: None,
            troubles: Arc::default(),
        }
    }

    /// Opens the built-in tables and those in `folder`, into which [`Own::want`] generates missing ones. Does not
    /// access the folder yet.
    pub fn in_folder(folder: &Path) -> Self {
        let prober = Arc::new(Prober::with_built_in(THREE_MEN, Some(folder)));
        let troubles = Arc::default();
        Self {
            maker: Some(Maker::new(folder, prober.clone(), Arc::clone(&troubles))),
            prober,
            troubles,
        }
    }

    /// The default folder, in the platform's cache directory.
    pub fn default_folder() -> Option<PathBuf> {
        ProjectDirs::from("", "", "cc2s").map(|folders| folders.cache_dir().join("tables"))
    }

    /// Requests the tables of this position and of those after one capture or promotion. Returns at once.
    pub fn want(&self, chess: &Chess) {
        let Some(maker) = &self.maker else {
            return;
        };
        if chess.castles().any() || chess.board().occupied().count() > MADE_MEN_MAX + 1 {
            return;
        }
        self.prober.refresh();
        let (material, _) = Material::of_board(chess.board());
        let mut wanted = material.exits();
        wanted.push(material);
        wanted.retain(|class| (4..=MADE_MEN_MAX).contains(&class.men_count()));
        for class in wanted {
            maker.want(class);
        }
    }

    /// Returns the answer for a position; under `counts_moves` the halfmove clock is taken into account.
    pub fn answer(&self, chess: &Chess, counts_moves: bool) -> Option<TableAnswer> {
        if chess.board().occupied().count() > MEN_MAX || chess.castles().any() {
            return None;
        }
        let value = match self.prober.probe(chess) {
            Ok(value) => value?,
            Err(error) => {
                self.complain(&error);
                return None;
            }
        };
        let plies = u32::from(value.plies().unwrap_or_default());
        let is_doubtful = counts_moves && chess.halfmoves() + plies > MOVES_COUNTED_MAX;
        Some(answer_of(value, is_doubtful))
    }

    /// Takes the errors since the last call.
    pub fn take_troubles(&self) -> Vec<String> {
        let mut troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut troubles)
    }

    fn complain(&self, error: &TableError) {
        complain(&self.troubles, error);
    }
}

pub(super) fn complain(troubles: &Mutex<Vec<String>>, error: &TableError) {
    let text = error.to_string();
    let mut troubles = troubles.lock().unwrap_or_else(PoisonError::into_inner);
    if troubles.len() < TROUBLES_MAX && !troubles.contains(&text) {
        troubles.push(text);
    }
}

const fn answer_of(value: TableValue, is_doubtful: bool) -> TableAnswer {
    let Some(plies) = value.plies() else {
        return TableAnswer::DRAW;
    };
    let outcome = match (value.sign() > 0, is_doubtful) {
        (true, false) => TableOutcome::Win,
        (true, true) => TableOutcome::DoubtfulWin,
        (false, true) => TableOutcome::DoubtfulLoss,
        (false, false) => TableOutcome::Loss,
    };
    TableAnswer {
        outcome,
        distance: Distance::Mate(plies),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;
    use crate::endgame::make::bal_allis::solve;
    use crate::endgame::make::endgame::Endgame;
    use crate::endgame::make::file;
    use crate::endgame::make::table::Table;
    use crate::game::Score;
    use std::collections::HashMap;

    #[test]
    fn the_built_in_tables_are_what_the_analysis_finds() {
        let folder = std::env::temp_dir().join(format!("cc2s-three-men-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut tables: HashMap<Material, Arc<Table>> = HashMap::new();
        for (name, bytes) in THREE_MEN {
            let material = Material::parse(name).unwrap();
            let class = Endgame::new(material, |need| tables.get(&need).cloned()).unwrap();
            let table = class.table(&solve(&class));
            file::write(&table, &folder, 12).unwrap();
            let written = std::fs::read(file::path_of(&folder, material)).unwrap();
            assert!(written == *bytes, "{name}");
            tables.insert(material, Arc::new(table));
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    fn score(fen: &str) -> Option<Score> {
        let position = parse_fen(fen).unwrap();
        Own::built_in()
            .answer(position.chess(), true)
            .and_then(TableAnswer::score)
    }

    #[test]
    fn distances_become_scores_and_the_clock_casts_doubt() {
        assert_eq!(
            score("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"),
            Some(Score::mate_in(1))
        );
        assert_eq!(
            score("7k/8/5K2/6Q1/8/8/8/8 w - - 99 99"),
            Some(Score::mate_in(1))
        );
        assert_eq!(score("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), Some(Score::MATED));
        assert_eq!(score("8/8/8/4k3/8/8/8/R3K3 w - - 74 99"), None);
        assert_eq!(score("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"), Some(Score::DRAW));
        assert_eq!(score("4k3/8/8/8/8/8/8/R3K2R w - - 0 1"), None);
    }
}
