//! The engine for front ends: settings, a search, at most one running job, and its events. It contains no text.

use std::io;
use std::path::Path;

use crossbeam::channel::{self, Receiver, Sender};
use thiserror::Error;

use super::acts_in;
use super::evaluation_choice::{EvaluationChoice, EvaluationError};
use super::preparation::{self, Predecessors, Preparation};
use super::registry::{self, SEARCHES, SearchEntry};
use super::search::{MemoryError, Question, Search};
use super::searches::kept_root::moves_between;
use super::session::active::{ActiveSearch, Finished, SearchSetup};
use super::session::channels::Timestamp;
use super::session::event::SearchEvent;
use super::strength::Handicap;
use crate::chess::{Line, Move, Position};
use crate::cluster::world;
use crate::endgame::probe::{SyzygyTrouble, TableSet};
use crate::eval::network::NetworkView;
use crate::eval::{Evaluation, under_count};
use crate::game::Score;
use crate::params::ParameterError;
use crate::settings::config::{Config, DEFAULT_PROFILE};
use crate::settings::{EngineParams, ParameterEntry};
use crate::time::{Lag, Limits};

/// A mate in n moves takes 2n-1 plies, and late moves are searched less deep: at twice that depth, and a little more,
/// it is not there, or too well hidden.
const MATE_PLIES_PER_MOVE: u16 = 4;
const MATE_EXTRA_PLIES: u16 = 4;

/// Why the engine rejects a request. Except for memory, nothing changes.
#[derive(Debug, Error)]
pub enum EngineError {
    /// A job is running.
    #[error("a search is running")]
    Busy,
    /// A name that is not on the list.
    #[error("no {what} named '{name}'")]
    NoSuchName {
        /// The kind of thing named.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A parameter's name or value.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// An evaluation that cannot be loaded.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// Not enough memory: the available part is used, as the error says.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The rules leave nothing to search.
    #[error("no legal move to search")]
    NoMoves,
    /// The system refuses a thread.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
}

/// Settings for the opponent and the user, beside the parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaySettings {
    /// Play as a player of this rating would, if set; roughly on the scale of Stockfish 15.1's `UCI_Elo`.
    pub elo: Option<i32>,
    /// This is analysis, not a game: never limit the strength.
    pub is_analysis: bool,
    /// Number of best moves to report, at least 1.
    pub multi_pv: usize,
}

impl Default for PlaySettings {
    fn default() -> Self {
        Self {
            elo: None,
            is_analysis: false,
            multi_pv: 1,
        }
    }
}

/// Settings, search and running job.
pub struct Engine {
    config: Config,
    searches: &'static [SearchEntry],
    chosen: &'static SearchEntry,
    profile: String,
    /// The defaults with the parameters users have set one by one.
    wished: EngineParams,
    /// The parameters in force: the user's value if it is not the default, otherwise the profile's; and evaluation
    /// errors, if the strength is limited.
    params: EngineParams,
    evaluation: EvaluationChoice,
    /// Settings for the opponent and the user.
    pub play_settings: PlaySettings,
    table_set: TableSet,
    /// Held between jobs.
    search: Option<Box<dyn Search>>,
    /// The parameters and the kind of search that is held.
    built: Option<(EngineParams, &'static str)>,
    /// The search in preparation.
    preparation: Option<Preparation>,
    active: Option<ActiveSearch>,
    lag: Lag,
    /// The game up to the position last searched.
    searched: Option<Line>,
    sender: Sender<SearchEvent>,
    receiver: Receiver<SearchEvent>,
}

impl Engine {
    /// An engine with all its searches. Takes no memory yet.
    pub fn new(config: Config) -> Self {
        Self::with_searches(config, SEARCHES, &SEARCHES[0])
    }

    /// An engine with searches of one's own; `chosen` is the one in force.
    pub fn with_searches(
        config: Config,
        searches: &'static [SearchEntry],
        chosen: &'static SearchEntry,
    ) -> Self {
        let (sender, receiver) = channel::unbounded();
        Self {
            evaluation: EvaluationChoice::of(&config.params().leaf.evaluation),
            wished: config.params().clone(),
            params: config.params().clone(),
            config,
            searches,
            chosen,
            profile: DEFAULT_PROFILE.to_owned(),
            play_settings: PlaySettings::default(),
            table_set: TableSet::default(),
            search: None,
            built: None,
            preparation: None,
            active: None,
            lag: Lag::default(),
            searched: None,
            sender,
            receiver,
        }
    }

    /// The channel for events of running jobs.
    pub fn events(&self) -> Receiver<SearchEvent> {
        self.receiver.clone()
    }

    /// The parameters in force.
    pub fn params(&self) -> &EngineParams {
        &self.params
    }

    /// The defaults and the profiles.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The names of the searches, the one in force.
    pub fn searches(&self) -> (Vec<&'static str>, &'static str) {
        (
            self.searches.iter().map(|entry| entry.name).collect(),
            self.chosen.name,
        )
    }

    /// Why a parameter has no effect with the search and the parameters in force; `None` where it has one.
    pub fn without_effect(&self, entry: ParameterEntry) -> Option<String> {
        acts_in::without_effect(entry, self.chosen.family, &self.params)
    }

    /// The profile last chosen.
    pub fn profile(&self) -> &str {
        &self.profile
    }

    /// Whether a job is running.
    pub fn is_busy(&self) -> bool {
        self.active.is_some()
    }

    /// Changes a parameter. A parameter set to its default follows the profile, because some GUIs set every option. A
    /// change of memory is made at once, so that a failure is reported at once.
    ///
    /// # Errors
    /// Unknown, out of range, too much memory, or busy.
    pub fn set_parameter(
        &mut self,
        section: &str,
        name: &str,
        value: i64,
    ) -> Result<(), EngineError> {
        self.idle()?;
        self.wished.set(section, name, value)?;
        self.resolve();
        let hash_mib = self.params.engine.hash_mib;
        let is_right = |(built, _): &(EngineParams, _)| built.engine.hash_mib == hash_mib;
        if (section, name) != ("engine", "hash_mib") || self.built.as_ref().is_some_and(is_right) {
            return Ok(());
        }
        let less = self.build()?;
        less.map_or(Ok(()), |less| Err(less.into()))
    }

    /// Works out the parameters in force.
    fn resolve(&mut self) {
        let default = self.config.params();
        let profile = self.config.profile(&self.profile).unwrap_or(default);
        self.params = self.wished.clone();
        self.params.take_search_from(profile);
        self.params.take_changes(&self.wished, default);
        if let Some(handicap) = self.handicap() {
            let error_cp = &mut self.params.leaf.evaluation_error_cp;
            *error_cp = handicap.error_cp.max(*error_cp);
        }
    }

    /// Uses the Syzygy tables in these folders from now on, and returns the problems with them.
    ///
    /// # Errors
    /// A job is running.
    pub fn set_syzygy_path(&mut self, list: &str) -> Result<Vec<SyzygyTrouble>, EngineError> {
        self.idle()?;
        let troubles = self.table_set.open_syzygy(list);
        world::use_tables(|tables| list.clone_into(&mut tables.syzygy));
        self.new_game()?;
        Ok(troubles)
    }

    /// Stores own tables in this folder from now on; `None`: uses only the built-in tables.
    ///
    /// # Errors
    /// A job is running.
    pub fn set_tables_folder(&mut self, folder: Option<&Path>) -> Result<(), EngineError> {
        self.idle()?;
        self.table_set.open_own(folder);
        let name = folder.map(|folder| folder.to_string_lossy().into_owned());
        world::use_tables(|tables| tables.own = name);
        self.new_game()
    }

    /// Chooses another search.
    ///
    /// # Errors
    /// No such search, or busy.
    pub fn choose_search(&mut self, name: &str) -> Result<(), EngineError> {
        self.idle()?;
        let unknown = || EngineError::NoSuchName {
            what: "search",
            name: name.to_owned(),
        };
        self.chosen = registry::find(self.searches, name).ok_or_else(unknown)?;
        Ok(())
    }

    /// Sets all parameters of the search from a profile, except those with a user value other than the default.
    ///
    /// # Errors
    /// No such profile, or busy.
    pub fn choose_profile(&mut self, name: &str) -> Result<(), EngineError> {
        self.idle()?;
        let unknown = || EngineError::NoSuchName {
            what: "profile",
            name: name.to_owned(),
        };
        self.config.profile(name).ok_or_else(unknown)?;
        self.profile = name.to_ascii_lowercase();
        self.resolve();
        Ok(())
    }

    /// The name of the evaluation in use, one of [`super::EVALUATIONS`].
    pub fn evaluation(&self) -> &'static str {
        self.evaluation.name()
    }

    /// Chooses the evaluation by name. Everything learned with another one is forgotten.
    ///
    /// # Errors
    /// No such name, or busy.
    pub fn choose_evaluation(&mut self, name: &str) -> Result<(), EngineError> {
        self.change_evaluation(|choice| choice.choose(name))
    }

    /// Loads the network of this file; without a file, the built-in one.
    ///
    /// # Errors
    /// It cannot be loaded, or busy; the network in use stays.
    pub fn open_network(&mut self, file: &str) -> Result<(), EngineError> {
        self.change_evaluation(|choice| choice.open(file))
    }

    fn change_evaluation(
        &mut self,
        change: impl FnOnce(&mut EvaluationChoice) -> Result<(), EvaluationError>,
    ) -> Result<(), EngineError> {
        self.idle()?;
        change(&mut self.evaluation)?;
        self.wished.leaf.evaluation = self.evaluation.kind();
        self.resolve();
        Ok(())
    }

    /// Creates the search for the settings, if it is not the current one, and prepares it for the next question. All
    /// slow work happens here. If the memory cannot be allocated, it is halved until it fits, and the result reports
    /// this.
    ///
    /// # Errors
    /// Not even the least memory can be had.
    pub fn prepare(&mut self) -> Result<Option<MemoryError>, EngineError> {
        let less = self.build()?;
        if let Some(search) = &mut self.search {
            search.prepare();
        }
        Ok(less)
    }

    /// Makes the search, as [`Engine::prepare`] says.
    fn build(&mut self) -> Result<Option<MemoryError>, EngineError> {
        if self.active.is_some() {
            return Ok(None);
        }
        // How to play may have changed.
        self.resolve();
        if self.is_built() {
            return Ok(None);
        }
        let is_prepared = self.is_in_preparation();
        // The old search's memory may be needed for the new one.
        (self.search, self.built) = (None, None);
        let prepared = self.preparation.take().and_then(Preparation::finish);
        let made = match prepared.filter(|_| is_prepared) {
            Some(made) => made,
            None => preparation::make(self.chosen, &self.params)?,
        };
        let had = made.params.engine.hash_mib;
        (self.wished.engine.hash_mib, self.params.engine.hash_mib) = (had, had);
        self.search = Some(made.search);
        self.built = Some((made.params, self.chosen.name));
        Ok(made.less)
    }

    /// Whether the search held is the one asked for.
    fn is_built(&self) -> bool {
        let is_right = |(params, name): &(EngineParams, &str)| {
            *name == self.chosen.name && params.is_same_search(&self.params)
        };
        self.built.as_ref().is_some_and(is_right)
    }

    /// Whether the search in the making is the one asked for.
    fn is_in_preparation(&self) -> bool {
        let is_right = |preparation: &Preparation| preparation.is_for(self.chosen, &self.params);
        self.preparation.as_ref().is_some_and(is_right)
    }

    /// Whether [`Engine::prepare_ahead`] would start anything.
    pub fn is_unprepared(&mut self) -> bool {
        if self.active.is_some() {
            return false;
        }
        self.resolve();
        !self.is_built() && !self.is_in_preparation()
    }

    /// Starts creating the search for the settings in a separate thread. An idle front end calls this so that
    /// [`Engine::think`] need not wait. Errors are reported there, or by [`Engine::prepare`].
    pub fn prepare_ahead(&mut self) {
        if !self.is_unprepared() {
            return;
        }
        self.built = None;
        let predecessors = Predecessors {
            search: self.search.take(),
            preparation: self.preparation.take(),
        };
        // Without a thread to spare it is made when it is needed.
        self.preparation = Preparation::begin(self.chosen, &self.params, predecessors).ok();
    }

    /// Forgets the last game.
    ///
    /// # Errors
    /// A job is running.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.idle()?;
        if let Some(search) = &mut self.search {
            search.new_game();
        }
        Ok(())
    }

    /// Starts a search of the last position of the line. `moves` are all its legal moves, or fewer if the user limits
    /// them. Events arrive at [`Engine::events`]; after the last one, call [`Engine::finish`]. Does the work of
    /// [`Engine::prepare`] if that was not called, and returns the same result.
    ///
    /// # Errors
    /// Busy, no moves, no memory or no thread.
    pub fn think(
        &mut self,
        line: Line,
        moves: Vec<Move>,
        limits: Limits,
        start: Timestamp,
    ) -> Result<Option<MemoryError>, EngineError> {
        self.idle()?;
        if moves.is_empty() {
            return Err(EngineError::NoMoves);
        }
        let less = self.build()?;
        let tables = self
            .table_set
            .for_search(&self.params.tables, self.handicap().is_some());
        let limits = self.as_strong_as_wanted(limits);
        let Some(search) = self.search.take() else {
            return Err(EngineError::Busy);
        };
        self.learn_lag(&line, limits.clock_ms);
        let question = Question {
            moves,
            multi_pv: self.play_settings.multi_pv,
            depth: limits.depth.or(limits
                .mate
                .map(|moves| MATE_PLIES_PER_MOVE * moves.min(1_000) + MATE_EXTRA_PLIES)),
            mate: limits.mate,
            is_analysis: self.play_settings.is_analysis || limits.infinite,
            ..Question::about(line)
        };
        let started = ActiveSearch::think(
            search,
            question,
            SearchSetup {
                limits,
                time: self.params.time.clone(),
                lag: self.lag.clone(),
                tables,
                evaluation: self.params.leaf.evaluation.clone(),
            },
            start,
            self.sender.clone(),
        );
        // A search that did not start is lost with its thread.
        self.active = Some(started.inspect_err(|_| self.built = None)?);
        Ok(less)
    }

    /// Learns how late the last move was, if this is the same game after it and a reply.
    fn learn_lag(&mut self, line: &Line, clock_ms: Option<i64>) {
        let searched = self.searched.replace(line.clone());
        let moves = searched.and_then(|searched| moves_between(&searched, line));
        let goes_on = moves.is_some_and(|moves| moves.len() == 2);
        self.lag.learn(clock_ms.filter(|_| goes_on));
    }

    /// Starts counting move sequences.
    ///
    /// # Errors
    /// Busy, or no thread.
    pub fn count(
        &mut self,
        position: Position,
        depth: u32,
        start: Timestamp,
    ) -> Result<(), EngineError> {
        self.idle()?;
        self.active = Some(ActiveSearch::count(
            position,
            depth,
            start,
            self.sender.clone(),
        )?);
        Ok(())
    }

    /// Stops the running job at once.
    pub fn stop(&self) {
        if let Some(active) = &self.active {
            active.stop();
        }
    }

    /// The opponent played the expected move at `moment`.
    pub fn ponder_hit(&self, moment: Timestamp) {
        if let Some(active) = &self.active {
            active.ponder_hit(moment);
        }
    }

    /// Takes the search back after the last event of a job.
    pub fn finish(&mut self) {
        let Some(active) = self.active.take() else {
            return;
        };
        match active.join() {
            Some(Finished { search, made }) => {
                self.lag.note(made);
                self.search = Some(search);
            }
            // A count has none to give back; after a failure there is none.
            None if self.search.is_none() => self.built = None,
            None => {}
        }
    }

    /// Static evaluation of the position, seen by the side to move.
    pub fn static_value(&self, position: &Position) -> Score {
        let mut evaluation = Evaluation::new(&self.params.leaf.evaluation);
        let value = evaluation.evaluate(position, 0);
        Score::centipawns(under_count(value, position))
    }

    /// The network's view of a position; `None` where another evaluation is in use.
    pub fn explain(&self, position: &Position) -> Option<NetworkView> {
        Evaluation::new(&self.params.leaf.evaluation).explain(position)
    }

    fn idle(&self) -> Result<(), EngineError> {
        if self.active.is_some() {
            Err(EngineError::Busy)
        } else {
            Ok(())
        }
    }

    /// The handicap, if the strength is limited.
    fn handicap(&self) -> Option<Handicap> {
        let elo = self.play_settings.elo;
        elo.filter(|_| !self.play_settings.is_analysis)
            .map(Handicap::of)
    }

    fn as_strong_as_wanted(&self, mut limits: Limits) -> Limits {
        if let Some(Handicap { nodes, .. }) = self.handicap() {
            limits.nodes = Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes)));
        }
        limits
    }
}

/// The search of a running job must not outlive its engine.
impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.finish();
    }
}
