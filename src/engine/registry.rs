//! Searches by name.

use super::acts_in::Family;
use super::search::{MemoryError, Search};
use super::searches::cc2s::DelegatedCc2s;
use super::searches::pvs::PvsSearch;
use super::searches::textbook::{Method, TextbookSearch};
use super::searches::thesis::Cc2sSearch;
use super::searches::thesis_threads::ParallelCc2s;
use crate::search::RootWindow;
use crate::settings::EngineParams;

/// A search users can choose.
#[derive(Clone, Copy, Debug)]
pub struct SearchEntry {
    /// The name users choose it by.
    pub name: &'static str,
    /// A description in one sentence.
    pub meaning: &'static str,
    /// Its kind.
    pub family: Family,
    /// Makes one, within the memory the parameters allow.
    pub build: fn(&EngineParams) -> Result<Box<dyn Search>, MemoryError>,
}

/// All searches, the default one first.
pub const SEARCHES: &[SearchEntry] = &[
    SearchEntry {
        name: "Cc2s",
        meaning: "Controlled Conspiracy Number Search: targets are delegated to alpha-beta, which counts strategies at deep cut nodes.",
        family: Family::Cc2s,
        build: build_cc2s,
    },
    SearchEntry {
        name: "Cc1s",
        meaning: "The same search with one strategy, whatever the parameters say.",
        family: Family::Cc1s,
        build: build_cc1s,
    },
    SearchEntry {
        name: "PVS",
        meaning: "Classical iterative deepening alpha-beta with the same evaluation.",
        family: Family::AlphaBeta,
        build: build_pvs,
    },
    SearchEntry {
        name: "MTDf",
        meaning: "The same search with its table, driven by MTD(f): null windows only.",
        family: Family::AlphaBeta,
        build: build_mtdf,
    },
    SearchEntry {
        name: "NegaScout",
        meaning: "Textbook principal variation search, no table and no pruning beyond alpha-beta.",
        family: Family::Textbook,
        build: |params| textbook(Method::NegaScout, params),
    },
    SearchEntry {
        name: "Aspiration",
        meaning: "Textbook alpha-beta in a window around the last value.",
        family: Family::Textbook,
        build: |params| textbook(Method::Aspiration, params),
    },
    SearchEntry {
        name: "AlphaBeta",
        meaning: "Textbook alpha-beta with the full window.",
        family: Family::Textbook,
        build: |params| textbook(Method::AlphaBeta, params),
    },
    SearchEntry {
        name: "Negamax",
        meaning: "Textbook minimax from the point of view of the side to move: every leaf is evaluated.",
        family: Family::Textbook,
        build: |params| textbook(Method::Negamax, params),
    },
    SearchEntry {
        name: "Minimax",
        meaning: "Textbook minimax with two players: the definition of all values, and the slowest search.",
        family: Family::Textbook,
        build: |params| textbook(Method::Minimax, params),
    },
];

/// The search of that name; capitals do not matter.
pub fn find<'a>(searches: &'a [SearchEntry], name: &str) -> Option<&'a SearchEntry> {
    searches
        .iter()
        .find(|entry| entry.name.eq_ignore_ascii_case(name))
}

fn build_cc2s(params: &EngineParams) -> Result<Box<dyn Search>, MemoryError> {
    if params.delegation.delegate {
        let search = DelegatedCc2s::new(
            params.delegation.clone(),
            &params.delegate(),
            params.engine.threads as usize,
            params.engine.hash_mib as usize,
        )?;
        return Ok(Box::new(search.with_ranks(params)));
    }
    let (cc2s, leaf) = (params.cc2s.clone(), &params.leaf);
    let mebibytes = params.engine.hash_mib as usize;
    match params.engine.threads {
        1 => Ok(Box::new(Cc2sSearch::new(cc2s, leaf, mebibytes)?)),
        threads => {
            let search =
                ParallelCc2s::new(cc2s, params.team.clone(), leaf, threads as usize, mebibytes)?;
            Ok(Box::new(search))
        }
    }
}

fn build_cc1s(params: &EngineParams) -> Result<Box<dyn Search>, MemoryError> {
    let mut params = params.clone();
    params.cc2s.conspiracy_max = 1;
    params.delegation.conspiracy = 1;
    build_cc2s(&params)
}

fn build_pvs(params: &EngineParams) -> Result<Box<dyn Search>, MemoryError> {
    classical(RootWindow::Aspiration, params)
}

fn build_mtdf(params: &EngineParams) -> Result<Box<dyn Search>, MemoryError> {
    classical(RootWindow::Mtdf, params)
}

fn classical(window: RootWindow, params: &EngineParams) -> Result<Box<dyn Search>, MemoryError> {
    let search = PvsSearch::new(
        window,
        &params.leaf,
        params.engine.threads as usize,
        params.engine.hash_mib as usize,
    )?;
    Ok(Box::new(search))
}

fn textbook(method: Method, params: &EngineParams) -> Result<Box<dyn Search>, MemoryError> {
    Ok(Box::new(TextbookSearch::new(method, &params.leaf)?))
}
