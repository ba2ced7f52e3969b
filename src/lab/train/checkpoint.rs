//! Checkpoints of the training, written after each epoch.
//!
//! A file contains a line of JSON (settings, hidden units, positions, losses), then all numbers and the moments of
//! Adam as 4 bytes each. It ends with a checksum of 8 bytes (XXH3 of all preceding bytes). Numbers are
//! little-endian.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::data::Dataset;
use super::trainer::{Loss, Trainer, TrainingSettings};
use crate::tools::ToolError;
use crate::tools::files::replace;

/// Settings that determine the result. Checkpoints of earlier versions have other settings and are rejected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrainingConditions {
    plan: TrainingSettings,
    hidden: usize,
    start: Option<u64>,
    training_positions: usize,
    held_out_positions: usize,
}

impl TrainingConditions {
    fn of(trainer: &Trainer, data: &Dataset) -> Self {
        Self {
            plan: trainer.plan,
            hidden: trainer.model.shape.hidden,
            start: trainer.start,
            training_positions: data.training.len(),
            held_out_positions: data.held_out.len(),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Head {
    conditions: TrainingConditions,
    losses: Vec<Loss>,
    steps: i32,
}

impl Trainer {
    /// Writes a checkpoint atomically.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, path: &Path, data: &Dataset) -> Result<(), ToolError> {
        let head = Head {
            conditions: TrainingConditions::of(self, data),
            losses: self.losses.clone(),
            steps: self.adam.steps,
        };
        let mut bytes = serde_json::to_vec(&head).expect("the head is plain data");
        bytes.push(b'\n');
        for numbers in [&self.model.numbers, &self.adam.first, &self.adam.second] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        replace(path, &bytes)
    }

    /// Resumes training from a checkpoint, if there is one.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or has other settings.
    pub fn resume(&mut self, path: &Path, data: &Dataset) -> Result<(), ToolError> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(ToolError::file(path)(error)),
        };
        let damaged = || ToolError::Results {
            path: path.to_owned(),
            reason: "no state of a training by this version, or a damaged one".to_owned(),
        };
        let (content, checksum) = bytes.split_last_chunk::<8>().ok_or_else(damaged)?;
        let end = content.iter().position(|&byte| byte == b'\n');
        if xxh3_64(content).to_le_bytes() != *checksum {
            return Err(damaged());
        }
        let (head, numbers) = content.split_at(end.ok_or_else(damaged)?);
        let head: Head = serde_json::from_slice(head).map_err(|_| damaged())?;
        let wanted = TrainingConditions::of(self, data);
        if head.conditions != wanted {
            return Err(ToolError::other_run(path, &head.conditions, &wanted));
        }
        let numbers = numbers[1..].as_chunks().0.iter().copied();
        let mut numbers = numbers.map(f32::from_le_bytes);
        for part in [
            &mut self.model.numbers,
            &mut self.adam.first,
            &mut self.adam.second,
        ] {
            for number in part {
                *number = numbers.next().ok_or_else(damaged)?;
            }
        }
        self.adam.steps = head.steps;
        self.losses = head.losses;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::lab::selfplay::PackedPosition;

    fn trainer(seed: u64) -> Trainer {
        let plan = TrainingSettings {
            scale_cp: 200,
            result_share: 0.5,
            epochs: 3,
            batch: 2,
            rate: 0.01,
            decay: 0.0,
            seed,
        };
        Trainer::new(16, plan)
    }

    fn data() -> Dataset {
        let records =
            [30, -20, 10, 5, 4].map(|score| PackedPosition::new(&Position::initial(), score));
        Dataset {
            training: records.to_vec(),
            held_out: records[..1].to_vec(),
            games: 1,
        }
    }

    #[test]
    fn states_of_earlier_versions_are_refused() {
        let mut conditions =
            serde_json::to_value(TrainingConditions::of(&trainer(1), &data())).unwrap();
        conditions["king_buckets"] = 1.into();
        assert!(serde_json::from_value::<TrainingConditions>(conditions).is_err());
    }

    #[test]
    fn goes_on_as_if_nothing_had_happened() {
        let folder = std::env::temp_dir().join(format!("cc2s-checkpoint-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (path, data) = (folder.join("state"), data());
        let mut first = trainer(1);
        first.resume(&path, &data).unwrap();
        first.pass(&data, 1, |_| {});
        first.save(&path, &data).unwrap();
        first.pass(&data, 1, |_| {});
        let mut second = trainer(1);
        second.resume(&path, &data).unwrap();
        second.pass(&data, 1, |_| {});
        assert_eq!(first, second);
        let other = trainer(2).resume(&path, &data).unwrap_err();
        assert!(
            other
                .to_string()
                .contains("plan.seed is 1 there and 2 here"),
            "{other}"
        );
        let mut bytes = fs::read(&path).unwrap();
        bytes[600] ^= 1;
        fs::write(&path, bytes).unwrap();
        let before = second.clone();
        assert!(second.resume(&path, &data).is_err());
        assert_eq!(before, second, "the old state stays");
        fs::remove_dir_all(folder).unwrap();
    }
}
