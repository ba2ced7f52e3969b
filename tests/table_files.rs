//! Table files: reading returns what was written, and any damage is detected.

use cc2s::endgame::make::checkpoint::Checkpoint;
use cc2s::endgame::make::endgame::Endgame;
use cc2s::endgame::make::error::TableError;
use cc2s::endgame::make::file::{self, TableFile};
use cc2s::endgame::make::indexing::Indexing;
use cc2s::endgame::make::material::Material;
use cc2s::endgame::make::prober::Prober;
use cc2s::endgame::make::table::Table;
use cc2s::endgame::make::{Algorithm, Class, Metric, TableValue, bal_allis};
use shakmaty::{CastlingMode, Chess, Color, fen::Fen};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A separate directory for each test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("cc2s-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary directory");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn material(name: &str) -> Material {
    Material::parse(name).expect("a class")
}

fn three_men() -> HashMap<Material, Arc<Table>> {
    let mut tables = HashMap::new();
    for name in ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"] {
        let class =
            Endgame::new(material(name), |need| tables.get(&need).cloned()).expect("tables");
        let table = Arc::new(class.table(&bal_allis::solve(&class)));
        tables.insert(material(name), table);
    }
    tables
}

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>()
        .expect("FEN")
        .into_position(CastlingMode::Standard)
        .expect("legal")
}

fn read(path: &Path) -> Result<Table, TableError> {
    TableFile::open(path)?.load()
}

#[test]
fn what_is_written_is_read() {
    let scratch = Scratch::new("round-trip");
    for (material, table) in three_men() {
        file::write(&table, &scratch.0, 3).expect("written");
        let again = read(&file::path_of(&scratch.0, material)).expect("read");
        for turn in Color::ALL {
            for index in 0..table.size() {
                if let Some(squares) = table.position(index, turn) {
                    assert_eq!(again.value(squares, turn), table.value(squares, turn));
                }
            }
        }
    }
}

/// Every byte of the file is covered by a checksum: any flipped bit makes reading fail.
#[test]
fn no_flipped_bit_goes_unnoticed() {
    let scratch = Scratch::new("flips");
    let table = &three_men()[&material("KPvK")];
    file::write(table, &scratch.0, 3).expect("written");
    let path = file::path_of(&scratch.0, material("KPvK"));
    let whole = fs::read(&path).expect("the file");
    let positions = (0..128)
        .chain((128..whole.len()).step_by(61))
        .chain(whole.len() - 100..whole.len());
    for (number, at) in positions.enumerate() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (number % 8);
        fs::write(&path, &damaged).expect("written");
        assert!(read(&path).is_err(), "byte {at} of {}", whole.len());
    }
}

#[test]
fn no_truncation_goes_unnoticed() {
    let scratch = Scratch::new("truncations");
    let table = &three_men()[&material("KPvK")];
    file::write(table, &scratch.0, 3).expect("written");
    let path = file::path_of(&scratch.0, material("KPvK"));
    let whole = fs::read(&path).expect("the file");
    for length in [
        0,
        1,
        7,
        8,
        100,
        127,
        128,
        129,
        1000,
        whole.len() / 2,
        whole.len() - 9,
        whole.len() - 1,
    ] {
        fs::write(&path, &whole[..length]).expect("written");
        assert!(
            matches!(TableFile::open(&path), Err(TableError::Truncated { .. })),
            "{length}"
        );
    }
    fs::write(&path, [whole.as_slice(), b"x"].concat()).expect("written");
    assert!(TableFile::open(&path).is_err(), "longer than it says");
}

#[test]
fn messages_name_the_trouble() {
    let scratch = Scratch::new("messages");
    let table = &three_men()[&material("KQvK")];
    file::write(table, &scratch.0, 3).expect("written");
    let path = file::path_of(&scratch.0, material("KQvK"));
    let other = scratch.0.join("KRvK.egt");
    fs::copy(&path, &other).expect("copied");
    let message = |path: &Path| TableFile::open(path).err().expect("an error").to_string();
    assert!(message(&other).contains("holds the table of KQvK"));
    assert!(message(&scratch.0.join("KBvK.egt")).contains("KBvK.egt"));
    fs::write(&other, [b'x'; 500]).expect("written");
    assert!(message(&other).contains("not a table file"));
    let mut bytes = fs::read(&path).expect("the file");
    bytes[8] = 9;
    fs::write(&path, &bytes).expect("written");
    assert!(message(&path).contains("format version 9"));
    assert_eq!(
        Endgame::new(material("KPvK"), |_| None).err(),
        Some(material("KQvK"))
    );
}

#[test]
fn probes_agree_with_the_tables() {
    let scratch = Scratch::new("probes");
    for table in three_men().values() {
        file::write(table, &scratch.0, 3).expect("written");
    }
    let prober = Prober::new(&scratch.0);
    let probe = |fen: &str| prober.probe(&position(fen));
    let value = |fen: &str| probe(fen).expect("no error").expect("a table");
    assert_eq!(value("8/8/8/8/8/8/8/K1k5 w - - 0 1"), TableValue::DRAW);
    assert_eq!(
        value("7k/8/5KQ1/8/8/8/8/8 w - - 0 1"),
        TableValue::win_in(1)
    );
    assert_eq!(value("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"), TableValue::MATED);
    // Colours exchanged: the same position with Black to win.
    assert_eq!(
        value("8/8/8/8/8/5kq1/8/7K b - - 0 1"),
        TableValue::win_in(1)
    );
    assert_eq!(value("8/8/8/8/8/5k2/6q1/7K w - - 0 1"), TableValue::MATED);
    assert_eq!(value("8/8/8/8/8/7k/7p/7K b - - 0 1"), TableValue::DRAW);
    assert!(
        probe("8/8/8/8/1R6/5k2/8/4K2r w - - 0 1")
            .expect("no error")
            .is_none()
    );
    assert!(matches!(
        probe("4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        Err(TableError::Castling)
    ));
    assert!(matches!(
        probe("rnbqkbnr/8/8/8/8/8/8/4K3 w - - 0 1"),
        Err(TableError::NoTable(_))
    ));
}

/// Tables do not contain en passant rights. With one, the value is that of the capture if it is better or the only
/// move.
#[test]
fn en_passant_is_resolved_by_one_ply() {
    let scratch = Scratch::new("passing");
    for table in three_men().values() {
        file::write(table, &scratch.0, 3).expect("written");
    }
    // In place of the real table: without the right everything is a draw.
    let side = vec![TableValue::DRAW; Indexing::new(material("KPvKP")).size() as usize];
    file::write(
        &Table::new(material("KPvKP"), Metric::Distance, [side.clone(), side]),
        &scratch.0,
        3,
    )
    .expect("written");
    let prober = Prober::new(&scratch.0);
    let probe = |fen: &str| {
        prober
            .probe(&position(fen))
            .expect("no error")
            .expect("a table")
    };
    assert_eq!(probe("8/8/8/4pP2/4K3/8/8/k7 w - - 0 1"), TableValue::DRAW);
    let taken = probe("8/8/4P3/8/4K3/8/8/k7 b - - 0 1");
    assert!(taken < TableValue::DRAW);
    let lifted = TableValue::win_in(taken.moves().expect("a loss") + 1);
    assert_eq!(probe("8/8/8/4pP2/4K3/8/8/k7 w - e6 0 1"), lifted);
}

#[test]
fn a_saved_analysis_belongs_to_its_job() {
    let scratch = Scratch::new("checkpoints");
    let job = Checkpoint {
        subject: material("KQvK").into(),
        algorithm: Algorithm::BalAllis,
        size: 59_136,
    };
    assert!(job.load(&scratch.0).expect("no error").is_none());
    job.save(&scratch.0, &[1, 2, 3]).expect("saved");
    assert_eq!(job.load(&scratch.0).expect("no error"), Some(vec![1, 2, 3]));
    let foreign = Checkpoint { size: 7, ..job };
    assert!(matches!(
        foreign.load(&scratch.0),
        Err(TableError::ForeignCheckpoint(_))
    ));
    let path = job.path(&scratch.0);
    let mut bytes = fs::read(&path).expect("the file");
    *bytes.last_mut().expect("content") ^= 1;
    fs::write(&path, &bytes).expect("written");
    assert!(matches!(
        job.load(&scratch.0),
        Err(TableError::Checksum { .. })
    ));
    job.discard(&scratch.0).expect("removed");
    assert!(job.load(&scratch.0).expect("no error").is_none());
}

/// Each algorithm ends with the same table when it is saved after every step and resumed by a new solver.
#[test]
fn an_analysis_survives_being_killed_after_every_step() {
    let tables = three_men();
    let class = Endgame::new(material("KPvK"), |need| tables.get(&need).cloned()).expect("tables");
    let expected = bal_allis::solve(&class);
    for algorithm in Algorithm::ALL {
        let mut running = algorithm.start(&class, 1, None);
        let mut threads = 1;
        while running.step() {
            let saved = running.save();
            threads = threads % 3 + 1;
            running = algorithm
                .resume(&class, threads, None, &saved)
                .expect("the same class");
        }
        assert!(running.finish() == expected, "{algorithm}");
        assert!(algorithm.resume(&class, 1, None, &[]).is_none());
        assert!(
            algorithm
                .resume(&class, 1, None, &vec![1; class.size() as usize])
                .is_none()
        );
    }
}
