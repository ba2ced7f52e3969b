//! Planning: memory of classes, and the tables they depend on.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;

use super::solvable::Solvable;
use crate::endgame::make::awari::Awari;
use crate::endgame::make::endgame::Endgame;
use crate::endgame::make::file::{TableFile, path_of};
use crate::endgame::make::table::Table;
use crate::endgame::make::{Algorithm, Subject, TableError, TableValue};

/// Memory for the analysis of `subject` in bytes, including the tables it depends on.
pub(super) fn memory(subject: Subject, algorithm: Algorithm) -> u64 {
    let indices = |subject: Subject| u64::from(subject.sides()) * u64::from(subject.entries());
    let exits: u64 = subject.exits().into_iter().map(indices).sum();
    algorithm.memory(indices(subject)) + exits
}

/// Fails for the first subject that exceeds the limit.
pub(super) fn check_memory(
    subjects: &[Subject],
    algorithm: Algorithm,
    limit_mib: u64,
) -> Result<()> {
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    for &subject in subjects {
        if mib(memory(subject, algorithm)) > limit_mib {
            let needs = Algorithm::ALL
                .map(|other| format!("{other} needs {} MiB", mib(memory(subject, other))));
            return Err(TableError::Memory {
                class: subject.to_string(),
                limit_mib,
                needs: needs.join(", "),
            }
            .into());
        }
    }
    Ok(())
}

/// The path of a table in the first of `directories` that has it.
pub(super) fn find(directories: &[&Path], subject: Subject) -> Option<PathBuf> {
    let mut paths = directories
        .iter()
        .map(|directory| path_of(directory, subject));
    paths.find(|path| path.exists())
}

/// The tables a class depends on, kept from class to class as long as they are needed.
#[derive(Default)]
pub(super) struct TableCache {
    chess: HashMap<Subject, Arc<Table>>,
    awari: HashMap<Subject, Arc<Vec<TableValue>>>,
}

impl TableCache {
    /// Loads the class of `subject` with its tables, each from the first of `directories` that has it.
    pub(super) fn class(
        &mut self,
        subject: Subject,
        directories: &[&Path],
    ) -> Result<Solvable, TableError> {
        let exits = subject.exits();
        self.chess.retain(|kept, _| exits.contains(kept));
        self.awari.retain(|kept, _| exits.contains(kept));
        for exit in exits {
            if self.chess.contains_key(&exit) || self.awari.contains_key(&exit) {
                continue;
            }
            let Some(path) = find(directories, exit) else {
                continue;
            };
            let file = TableFile::open(&path)?;
            match exit {
                Subject::Chess(..) => drop(self.chess.insert(exit, Arc::new(file.load()?))),
                Subject::Awari(..) => drop(self.awari.insert(exit, Arc::new(file.load_side(0)?))),
            }
        }
        self.solvable(subject)
            .map_err(|missing| TableError::MissingTable {
                class: subject.to_string(),
                missing: missing.to_string(),
            })
    }

    /// The class, or the first missing table.
    fn solvable(&self, subject: Subject) -> Result<Solvable, Subject> {
        match subject {
            Subject::Chess(material, metric) => {
                let table = |exit| self.chess.get(&Subject::Chess(exit, metric)).cloned();
                let class = Endgame::on_scale(material, metric, table);
                class
                    .map(Solvable::Chess)
                    .map_err(|exit| Subject::Chess(exit, metric))
            }
            Subject::Awari(stones, rule) => {
                let nothing = Ok(Arc::new(vec![TableValue::DRAW]));
                let exits = subject.exits().into_iter();
                let smaller = exits.map(|exit| self.awari.get(&exit).cloned().ok_or(exit));
                let smaller = std::iter::once(nothing)
                    .chain(smaller)
                    .collect::<Result<_, _>>()?;
                Ok(Solvable::Awari(Awari::new(stones, rule, smaller)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_low_limit_is_refused_with_figures() {
        let class = Subject::parse("KPvKP").expect("a class");
        assert!(check_memory(&[class], Algorithm::BalAllis, 500).is_ok());
        let message = check_memory(&[class], Algorithm::BalAllis, 1)
            .expect_err("too low")
            .to_string();
        assert!(
            message.contains("KPvKP") && message.contains("wu-beal needs"),
            "{message}"
        );
    }
}
