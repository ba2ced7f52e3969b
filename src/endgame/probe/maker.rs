//! Background generation of tables, by one process at a time.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::own::complain;
use crate::endgame::make::endgame::Endgame;
use crate::endgame::make::file::{self, TableFile, path_of};
use crate::endgame::make::material::Material;
use crate::endgame::make::prober::Prober;
use crate::endgame::make::table::Table;
use crate::endgame::make::{Algorithm, TableError};

/// The zstd compression level; higher levels save too little for their time.
const LEVEL: i32 = 3;

/// Sends orders to a thread that generates tables. The thread ends with the maker, after its current step.
pub struct Maker {
    folder: PathBuf,
    prober: Arc<Prober>,
    troubles: Arc<Mutex<Vec<String>>>,
    orders: Mutex<Orders>,
    stop: Arc<AtomicBool>,
}

#[derive(Default)]
struct Orders {
    given: HashSet<Material>,
    /// `None` before the first order.
    sender: Option<Sender<Material>>,
}

impl Maker {
    /// Generates tables into `folder`, announces them to `prober` and reports failures in `troubles`.
    pub fn new(folder: &Path, prober: Arc<Prober>, troubles: Arc<Mutex<Vec<String>>>) -> Self {
        Self {
            folder: folder.to_owned(),
            prober,
            troubles,
            orders: Mutex::default(),
            stop: Arc::default(),
        }
    }

    /// Requests the table of `class` and the tables it needs, unless it exists. Returns at once.
    pub fn want(&self, class: Material) {
        let mut orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        if path_of(&self.folder, class).exists() || !orders.given.insert(class) {
            return;
        }
        let sender = orders.sender.get_or_insert_with(|| self.start());
        // If the thread could not be started, the tables stay missing, which is always allowed.
        let _ = sender.send(class);
    }

    fn start(&self) -> Sender<Material> {
        let (sender, orders) = mpsc::channel();
        let workshop = Workshop {
            folder: self.folder.clone(),
            prober: self.prober.clone(),
            stop: self.stop.clone(),
        };
        let troubles = self.troubles.clone();
        let builder = thread::Builder::new().name("tables".to_owned());
        let started = builder.spawn(move || {
            if let Err(error) = workshop.work(&orders) {
                complain(&troubles, &error);
            }
        });
        if let Err(source) = started {
            complain(&self.troubles, &TableError::io(&self.folder)(source));
        }
        sender
    }
}

impl Drop for Maker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

struct Workshop {
    folder: PathBuf,
    prober: Arc<Prober>,
    stop: Arc<AtomicBool>,
}

impl Workshop {
    fn work(&self, orders: &Receiver<Material>) -> Result<(), TableError> {
        fs::create_dir_all(&self.folder).map_err(TableError::io(&self.folder))?;
        // Another process that generates tables here holds the lock; it does the same work.
        let lock = self.folder.join("lock");
        let lock = File::create(&lock).map_err(TableError::io(&lock))?;
        while let Ok(class) = orders.recv() {
            if lock.lock().is_err() {
                return Ok(());
            }
            let classes = [class.needs(), vec![class]].concat();
            for class in classes {
                if !path_of(&self.folder, class).exists() && !self.make(class)? {
                    return Ok(());
                }
            }
            self.prober.refresh();
            let _ = lock.unlock();
        }
        Ok(())
    }

    /// Generates one table; the tables it needs exist. Returns false if stopped early.
    fn make(&self, class: Material) -> Result<bool, TableError> {
        let mut tables: Vec<Arc<Table>> = Vec::new();
        for exit in class.exits() {
            tables.push(Arc::new(
                TableFile::open(&path_of(&self.folder, exit))?.load()?,
            ));
        }
        let find = |exit| {
            tables
                .iter()
                .find(|table| table.material() == exit)
                .cloned()
        };
        let endgame = Endgame::new(class, find).map_err(|missing| TableError::MissingTable {
            class: class.to_string(),
            missing: missing.to_string(),
        })?;
        let mut solver = Algorithm::Words.start(&endgame, 1, None);
        while solver.step() {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
        }
        file::write(&endgame.table(&solver.finish()), &self.folder, LEVEL)?;
        Ok(true)
    }
}
