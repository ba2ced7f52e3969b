//! What has to be solved, in which order, and whether it fits into memory.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;

use super::class_named;
use crate::retro::endgame::Endgame;
use crate::retro::file::{TableFile, path_of};
use crate::retro::indexing::Indexing;
use crate::retro::material::Material;
use crate::retro::table::Table;
use crate::retro::{Algorithm, TableError};

/// The classes of `names` and all classes with one of the numbers of `men`.
pub(super) fn chosen(names: &[String], men: &[u8]) -> Result<Vec<Material>> {
    let mut classes: Vec<_> = men
        .iter()
        .flat_map(|&count| Material::with_men(count.into()))
        .collect();
    for name in names {
        classes.push(class_named(name)?);
    }
    Ok(classes)
}

/// `classes` and everything they need, in an order in which each can be solved.
pub(super) fn in_order(classes: &[Material]) -> Vec<Material> {
    let mut all: Vec<_> = classes
        .iter()
        .flat_map(|class| [class.needs(), vec![*class]].concat())
        .collect();
    all.sort_unstable_by_key(|class| class.order());
    all.dedup();
    all
}

/// Bytes the analysis of `class` takes: its own and the tables it looks into.
pub(super) fn memory(class: Material, algorithm: Algorithm) -> u64 {
    let indices = |class: Material| 2 * u64::from(Indexing::new(class).size());
    let exits: u64 = class.exits().into_iter().map(indices).sum();
    algorithm.memory(indices(class)) + exits
}

/// Complains about the first class that does not fit.
pub(super) fn check_memory(
    classes: &[Material],
    algorithm: Algorithm,
    limit_mib: u64,
) -> Result<()> {
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    for &class in classes {
        if mib(memory(class, algorithm)) > limit_mib {
            let needs = Algorithm::ALL
                .map(|other| format!("{other} needs {} MiB", mib(memory(class, other))));
            return Err(TableError::Memory {
                class: class.to_string(),
                limit_mib,
                needs: needs.join(", "),
            }
            .into());
        }
    }
    Ok(())
}

/// The tables a class looks into, kept from one class to the next where the next needs them too.
#[derive(Default)]
pub(super) struct Shelf(HashMap<Material, Arc<Table>>);

impl Shelf {
    /// The class of `material` with its tables from `directory`.
    pub(super) fn class(
        &mut self,
        material: Material,
        directory: &Path,
    ) -> Result<Endgame, TableError> {
        let exits = material.exits();
        self.0.retain(|class, _| exits.contains(class));
        for exit in exits {
            let path = path_of(directory, exit);
            if !self.0.contains_key(&exit) && path.exists() {
                self.0
                    .insert(exit, Arc::new(TableFile::open(&path)?.load()?));
            }
        }
        Endgame::new(material, |exit| self.0.get(&exit).cloned()).map_err(|missing| {
            TableError::MissingTable {
                class: material.to_string(),
                missing: missing.to_string(),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_respects_every_need() {
        let order = in_order(&Material::with_men(4));
        assert_eq!(order.len(), 35);
        for (at, class) in order.iter().enumerate() {
            assert!(
                class.exits().iter().all(|exit| order[..at].contains(exit)),
                "{class}"
            );
        }
    }

    #[test]
    fn a_low_limit_is_refused_with_figures() {
        let class = Material::parse("KPvKP").expect("a class");
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
