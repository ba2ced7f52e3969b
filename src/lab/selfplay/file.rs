//! Files of self-play games. They are only appended to, so that a killed process loses at most the game being
//! written.
//!
//! A file has a header of 32 bytes (`cc2sgame`, version as `u32`, 0 as `u32`, nodes a move as `u64`, seed as
//! `u64`). It is followed by games. Each game has a header of 24 bytes (number as `u64`, number of records as
//! `u32`, 0 as `u32`, checksum as `u64`) and its [records](super::PackedPosition). The checksum is XXH3 of the
//! header's first 16 bytes and the records. Numbers are little-endian.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, ErrorKind, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

use super::record::PackedPosition;
use crate::tools::ToolError;

const MAGIC: [u8; 8] = *b"cc2sgame";
const VERSION: u32 = 1;
const FILE_HEAD: usize = 32;
const GAME_HEAD: usize = 24;
/// Games end at this ply; a larger number indicates a damaged file.
const RECORDS_MAX: u32 = super::judge::PLIES_MAX as u32;

/// Settings that determine the games of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfPlaySettings {
    /// Nodes a move after which no iteration starts.
    pub nodes: u64,
    /// Equal seeds give equal games.
    pub seed: u64,
}

/// The training positions of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlayGame {
    /// The number of the game.
    pub number: u64,
    /// The positions in the order of the game.
    pub records: Vec<PackedPosition>,
}

impl SelfPlayGame {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(GAME_HEAD + self.records.len() * PackedPosition::BYTES);
        bytes.extend(self.number.to_le_bytes());
        bytes.extend((self.records.len() as u64).to_le_bytes());
        let mut hash = Xxh3::new();
        hash.update(&bytes);
        let records = self.records.iter().flat_map(PackedPosition::bytes);
        let records: Vec<u8> = records.copied().collect();
        hash.update(&records);
        bytes.extend(hash.digest().to_le_bytes());
        bytes.extend(records);
        bytes
    }
}

/// Reads the games of a file in order. A truncated game counts as the end of the file.
pub struct GameReader {
    path: PathBuf,
    reader: BufReader<File>,
    settings: SelfPlaySettings,
    /// Size of the file when it was opened, in bytes.
    length: u64,
    /// Offset of the end of the last complete game.
    end: u64,
}

impl GameReader {
    /// Opens a file.
    ///
    /// # Errors
    /// The file cannot be read or is not a file of games.
    pub fn open(path: &Path) -> Result<Self, ToolError> {
        Self::over(path, File::open(path).map_err(named(path))?)
    }

    fn over(path: &Path, file: File) -> Result<Self, ToolError> {
        let length = file.metadata().map_err(named(path))?.len();
        let mut reader = BufReader::new(file);
        let mut head = [0; FILE_HEAD];
        reader.read_exact(&mut head).map_err(|error| match error {
            error if error.kind() == ErrorKind::UnexpectedEof => no_games(path, "it is too short"),
            error => named(path)(error),
        })?;
        if head[..8] != MAGIC {
            return Err(no_games(path, "it begins with other bytes"));
        }
        if head[8..16] != u64::from(VERSION).to_le_bytes() {
            return Err(no_games(path, "its version is another"));
        }
        Ok(Self {
            path: path.to_owned(),
            reader,
            settings: SelfPlaySettings {
                nodes: u64::from_le_bytes(part(&head, 16)),
                seed: u64::from_le_bytes(part(&head, 24)),
            },
            length,
            end: FILE_HEAD as u64,
        })
    }

    /// Returns the settings of the games.
    pub fn settings(&self) -> SelfPlaySettings {
        self.settings
    }

    /// Returns the next game; `None` at the end.
    ///
    /// # Errors
    /// The file cannot be read or is damaged.
    pub fn next_game(&mut self) -> Result<Option<SelfPlayGame>, ToolError> {
        if self.length - self.end < GAME_HEAD as u64 {
            return Ok(None);
        }
        let mut head = [0; GAME_HEAD];
        self.fill(&mut head)?;
        let count = u32::from_le_bytes(part(&head, 8));
        if count > RECORDS_MAX {
            return Err(self.damaged());
        }
        let bytes = u64::from(count) * PackedPosition::BYTES as u64;
        if self.length - self.end < GAME_HEAD as u64 + bytes {
            return Ok(None);
        }
        let mut body = vec![0; bytes as usize];
        self.fill(&mut body)?;
        let records = body
            .as_chunks()
            .0
            .iter()
            .map(|&bytes| PackedPosition::from_bytes(bytes));
        let game = SelfPlayGame {
            number: u64::from_le_bytes(part(&head, 0)),
            records: records.collect(),
        };
        if game.to_bytes()[..GAME_HEAD] != head {
            return Err(self.damaged());
        }
        self.end += GAME_HEAD as u64 + bytes;
        Ok(Some(game))
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), ToolError> {
        self.reader.read_exact(bytes).map_err(named(&self.path))
    }

    fn damaged(&self) -> ToolError {
        no_games(
            &self.path,
            &format!("the game at byte {} is damaged", self.end),
        )
    }
}

/// Appends games to a file.
pub struct GameWriter {
    path: PathBuf,
    file: File,
}

impl GameWriter {
    /// Opens or creates a file, and returns it with the numbers of its games. A truncated game at the end is
    /// removed.
    ///
    /// # Errors
    /// The file cannot be read or written, is in use, is not a file of games, is damaged, or has other settings.
    pub fn open(path: &Path, settings: SelfPlaySettings) -> Result<(Self, Vec<u64>), ToolError> {
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(path);
        let mut file = file.map_err(named(path))?;
        if file.try_lock().is_err() {
            return Err(ToolError::Settings(format!(
                "{} is in use by another process",
                path.display()
            )));
        }
        let mut numbers = Vec::new();
        let length = file.metadata().map_err(named(path))?.len();
        if length == 0 {
            file.write_all(&file_head(settings)).map_err(named(path))?;
        } else {
            let again = file.try_clone().map_err(named(path))?;
            let mut reader = GameReader::over(path, again)?;
            if reader.settings() != settings {
                return Err(ToolError::OtherRun {
                    path: path.to_owned(),
                    differences: format!(
                        "{} there and {} here",
                        shown(reader.settings()),
                        shown(settings)
                    ),
                });
            }
            while let Some(game) = reader.next_game()? {
                numbers.push(game.number);
            }
            file.set_len(reader.end).map_err(named(path))?;
            file.seek(SeekFrom::End(0)).map_err(named(path))?;
        }
        Ok((
            Self {
                path: path.to_owned(),
                file,
            },
            numbers,
        ))
    }

    /// Appends a game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append(&mut self, game: &SelfPlayGame) -> Result<(), ToolError> {
        let written = self.file.write_all(&game.to_bytes());
        written.map_err(named(&self.path))
    }
}

fn file_head(settings: SelfPlaySettings) -> Vec<u8> {
    let mut head = MAGIC.to_vec();
    for number in [u64::from(VERSION), settings.nodes, settings.seed] {
        head.extend(number.to_le_bytes());
    }
    head
}

fn shown(settings: SelfPlaySettings) -> String {
    format!("{} nodes a move and seed {}", settings.nodes, settings.seed)
}

fn part<const N: usize>(bytes: &[u8], from: usize) -> [u8; N] {
    let part = bytes[from..from + N].try_into();
    part.expect("as many bytes as asked for")
}

fn named(path: &Path) -> impl Fn(std::io::Error) -> ToolError {
    move |error| ToolError::File {
        path: path.to_owned(),
        error,
    }
}

fn no_games(path: &Path, reason: &str) -> ToolError {
    ToolError::Games {
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use std::fs;

    const SETTINGS: SelfPlaySettings = SelfPlaySettings {
        nodes: 1_500,
        seed: 9,
    };

    fn file(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("cc2s-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    fn game(number: u64, records: i16) -> SelfPlayGame {
        let record = |score| PackedPosition::new(&Position::initial(), score);
        SelfPlayGame {
            number,
            records: (0..records).map(record).collect(),
        }
    }

    fn written(path: &Path, games: &[SelfPlayGame]) {
        let (mut writer, _) = GameWriter::open(path, SETTINGS).unwrap();
        for game in games {
            writer.append(game).unwrap();
        }
    }

    fn read(path: &Path) -> Result<Vec<SelfPlayGame>, ToolError> {
        let mut reader = GameReader::open(path)?;
        let mut games = Vec::new();
        while let Some(game) = reader.next_game()? {
            games.push(game);
        }
        Ok(games)
    }

    #[test]
    fn a_cut_game_is_dropped_and_the_file_goes_on() {
        let path = file("cut");
        let games = [game(4, 3), game(2, 0), game(5, 2)];
        written(&path, &games);
        assert_eq!(read(&path).unwrap(), games);
        let whole = fs::read(&path).unwrap();
        let kept = whole.len() - GAME_HEAD - 2 * PackedPosition::BYTES;
        for cut in kept..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            assert_eq!(read(&path).unwrap(), games[..2], "{cut}");
            let (mut writer, numbers) = GameWriter::open(&path, SETTINGS).unwrap();
            assert_eq!(numbers, [4, 2]);
            writer.append(&games[2]).unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole, "{cut}");
        }
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn damage_is_named_and_nothing_is_lost() {
        let path = file("damaged");
        written(&path, &[game(0, 2), game(1, 1)]);
        let whole = fs::read(&path).unwrap();
        for at in [
            0,
            8,
            FILE_HEAD,
            FILE_HEAD + 11,
            FILE_HEAD + 16,
            FILE_HEAD + 30,
        ] {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            fs::write(&path, &bytes).unwrap();
            assert!(matches!(read(&path), Err(ToolError::Games { .. })), "{at}");
            assert!(GameWriter::open(&path, SETTINGS).is_err(), "{at}");
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn other_settings_and_a_second_writer_are_refused() {
        let path = file("other");
        let first = GameWriter::open(&path, SETTINGS).unwrap();
        let second = GameWriter::open(&path, SETTINGS).err().unwrap();
        assert!(second.to_string().ends_with("is in use by another process"));
        drop(first);
        let other = SelfPlaySettings {
            seed: 8,
            ..SETTINGS
        };
        let error = GameWriter::open(&path, other).err().unwrap();
        assert!(error.to_string().contains("seed 9 there"), "{error}");
        fs::remove_file(path).unwrap();
    }
}
