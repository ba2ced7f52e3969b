//! The user's choice of evaluation: the built-in network, a network from a file, or the classical evaluation.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use crate::eval::EvaluationKind;
use crate::eval::network::{FILE_BYTES_MAX, Network, NetworkError};

/// The names of the evaluations.
pub const EVALUATIONS: [&str; 2] = ["Network", "Classical"];

/// Why the evaluation stays as it was.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EvaluationError {
    /// The file cannot be read, or is no sound network.
    #[error("{file}: {error}")]
    File {
        /// The file.
        file: String,
        /// The fault.
        error: NetworkError,
    },
    /// None of [`EVALUATIONS`].
    #[error("no evaluation named '{0}'")]
    NoSuchName(String),
}

/// The loaded network, and whether it is in use.
#[derive(Clone, Debug)]
pub struct EvaluationChoice {
    network: Arc<Network>,
    uses_network: bool,
}

impl Default for EvaluationChoice {
    fn default() -> Self {
        Self::of(&EvaluationKind::default())
    }
}

impl EvaluationChoice {
    /// The choice that corresponds to this evaluation.
    pub fn of(kind: &EvaluationKind) -> Self {
        match kind {
            EvaluationKind::Classical => Self {
                network: Network::built_in(),
                uses_network: false,
            },
            EvaluationKind::Network(network) => Self {
                network: Arc::clone(network),
                uses_network: true,
            },
        }
    }

    /// The evaluation chosen.
    pub fn kind(&self) -> EvaluationKind {
        if self.uses_network {
            EvaluationKind::Network(Arc::clone(&self.network))
        } else {
            EvaluationKind::Classical
        }
    }

    /// The name of the evaluation chosen, one of [`EVALUATIONS`].
    pub fn name(&self) -> &'static str {
        EVALUATIONS[usize::from(!self.uses_network)]
    }

    /// Chooses by name; capitals do not matter.
    ///
    /// # Errors
    /// No such name; the choice stays.
    pub fn choose(&mut self, name: &str) -> Result<(), EvaluationError> {
        let known = EVALUATIONS
            .iter()
            .position(|known| known.eq_ignore_ascii_case(name));
        let place = known.ok_or_else(|| EvaluationError::NoSuchName(name.to_owned()))?;
        self.uses_network = place == 0;
        Ok(())
    }

    /// Loads the network of this file; without a file, the built-in one. It is in use if the previous network was.
    ///
    /// # Errors
    /// It cannot be loaded; the previous network stays.
    pub fn open(&mut self, file: &str) -> Result<(), EvaluationError> {
        self.network = if file.is_empty() {
            Network::built_in()
        } else {
            let error = |error| EvaluationError::File {
                file: file.to_owned(),
                error,
            };
            let bytes = network_bytes(Path::new(file)).map_err(error)?;
            Arc::new(Network::from_bytes(&bytes).map_err(error)?)
        };
        Ok(())
    }
}

/// The bytes of a file that may be a network's.
///
/// # Errors
/// It cannot be read, or is no plain file.
pub fn network_bytes(path: &Path) -> Result<Vec<u8>, NetworkError> {
    let mut bytes = Vec::new();
    // What is no plain file may never end; what is longer than any network need not be read to its end.
    let unreadable = |error: std::io::Error| NetworkError::Unreadable(error.to_string());
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(NetworkError::Unreadable("not a file".to_owned()));
    }
    let file = File::open(path).map_err(unreadable)?;
    let mut file = file.take(FILE_BYTES_MAX as u64 + 1);
    file.read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}
