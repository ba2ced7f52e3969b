//! Searches by name.

use super::cc2s_search::Cc2sSearch;
use super::params::EngineParams;
use super::pvs::PvsSearch;
use super::search::{MemoryError, Search};

/// A search users can choose.
#[derive(Clone, Copy, Debug)]
pub struct SearchEntry {
    /// The name users choose it by.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub meaning: &'static str,
    /// Makes one, within the memory the parameters allow.
    pub build: fn(&EngineParams) -> Result<Box<dyn Search>, MemoryError>,
}

/// All searches, the default one first.
pub const SEARCHES: &[SearchEntry] = &[
    SearchEntry {
        name: "Cc2s",
        meaning: "Controlled Conspiracy Number Search with the conspiracy number the parameters demand.",
        build: build_cc2s,
    },
    SearchEntry {
        name: "Cc1s",
        meaning: "The same with conspiracy number 1, whatever the parameters demand.",
        build: build_cc1s,
    },
    SearchEntry {
        name: "PVS",
        meaning: "Classical iterative deepening alpha-beta with the same evaluation.",
        build: build_pvs,
    },
];

/// The search of that name; capitals do not matter.
pub fn find<'a>(searches: &'a [SearchEntry], name: &str) -> Option<&'a SearchEntry> {
    searches
        .iter()
        .find(|entry| entry.name.eq_ignore_ascii_case(name))
}

fn build_cc2s(params: &EngineParams) -> Result<Box<dyn Search>, MemoryError> {
    let search = Cc2sSearch::new(
        params.cc2s.clone(),
        &params.leaf,
        params.engine.hash_mib as usize,
    )?;
    Ok(Box::new(search))
}

fn build_cc1s(params: &EngineParams) -> Result<Box<dyn Search>, MemoryError> {
    let mut params = params.clone();
    params.cc2s.conspiracy_max = 1;
    build_cc2s(&params)
}

fn build_pvs(params: &EngineParams) -> Result<Box<dyn Search>, MemoryError> {
    let search = PvsSearch::new(&params.leaf, params.engine.hash_mib as usize)?;
    Ok(Box::new(search))
}
