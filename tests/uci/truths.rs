//! Random endgames with results and distances to mate from other programs' tables (`positions/tbtruth.epd`).

use cc2s::chess::epd::{self, Record};
use cc2s::endgame::make::Metric;
use cc2s::endgame::make::prober::Prober;

use super::endings::{ask, engine, play, tables, value};

fn records(classes: &[&str]) -> Vec<Record> {
    let records = epd::parse(include_str!("../../positions/tbtruth.epd")).unwrap();
    let records = records.into_iter().map(|(_, record)| record);
    records
        .filter(|record| {
            let name = record.id.as_deref().unwrap();
            classes.contains(&name.split('.').nth(1).unwrap())
        })
        .collect()
}

/// The number that a record's comment gives for `key`.
fn truth(record: &Record, key: &str) -> i32 {
    let mut words = record.operand("c0").unwrap().split_whitespace();
    let number = words.find_map(|word| word.strip_prefix(key));
    number.unwrap().parse().unwrap()
}

/// With own tables of `classes` the engine announces the true distance to mate or a draw. Its move preserves the
/// result and the distance. Tests `count` positions.
fn solves(folder: &str, classes: &[&str], count: usize) {
    let folder = tables(folder, classes);
    let prober = Prober::new(&folder);
    let path = folder.display().to_string();
    let mut gui = engine(&[("TablesPath", &path)]);
    let records = records(classes);
    assert_eq!(records.len(), count);
    for record in &records {
        let (wdl, plies) = (truth(record, "wdl="), truth(record, "dtm="));
        let wanted = match wdl {
            0 => "cp 0".to_owned(),
            // The winner makes the last move, so the number of plies is odd.
            _ => format!("mate {}", plies / 2 + wdl.signum().max(0)),
        };
        let (score, mv) = ask(&mut gui, &record.position);
        assert_eq!(score, wanted, "{:?}", record.id);
        let kept = Metric::Distance.lift(value(&prober, &play(&record.position, &mv)));
        assert_eq!(i32::from(kept.sign()), wdl.signum(), "{:?} {mv}", record.id);
        if wdl != 0 {
            let left = kept.plies().map(i32::from);
            assert_eq!(left, Some(plies.abs()), "{:?} {mv}", record.id);
        }
    }
    gui.quit();
}

#[test]
fn the_truth_about_endings_is_announced_and_kept() {
    let three = ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"];
    let four = ["KBNvK", "KQvKR", "KRvKP"];
    solves("egt-truth", &[&three[..], &four].concat(), 128);
}

/// All 35 endgames; generating their tables takes a minute or more.
#[test]
#[ignore = "makes all tables with four men"]
fn the_truth_about_all_endings_is_announced_and_kept() {
    let records = epd::parse(include_str!("../../positions/tbtruth.epd")).unwrap();
    let mut classes: Vec<&str> = records
        .iter()
        .map(|(_, record)| record.id.as_deref().unwrap().split('.').nth(1).unwrap())
        .collect();
    classes.dedup();
    solves("egt-truths", &classes, 607);
}
