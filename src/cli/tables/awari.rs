//! `cc2s tables probe --awari`.

use std::collections::HashMap;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use serde::Serialize;

use super::directory::open;
use crate::cli::output::{say, say_json};
use crate::endgame::make::awari::{self, GrandSlam, Pits, STONES_MAX, Sown, index, moves, turned};
use crate::endgame::make::file::TableFile;
use crate::endgame::make::{Subject, TableError};

#[derive(Debug, Serialize)]
struct AwariRow {
    /// Future gain of the side to move minus that of its opponent.
    points: i8,
    /// Moves by pit, 1 to 6, with their values for the side to move, the best first.
    moves: Vec<(usize, i8)>,
}

/// Looks up the position with these pits, those of the side to move first.
pub(super) fn probe(
    words: &[String],
    rule: GrandSlam,
    directory: &Path,
    json: bool,
) -> Result<ExitCode> {
    let pits = pits_of(words)?;
    let mut tables = AwariTables {
        rule,
        directory,
        open: HashMap::new(),
    };
    let mut legal = Vec::new();
    for (pit, sown) in moves(&pits, rule).into_iter().enumerate() {
        if let Some(sown) = sown {
            legal.push((pit + 1, tables.worth(&sown)?));
        }
    }
    legal.sort_by_key(|&(_, points)| std::cmp::Reverse(points));
    let answer = AwariRow {
        points: tables.look_up(&pits)?,
        moves: legal,
    };
    if json {
        say_json(&answer)?;
    } else {
        say(format_args!("{:+}", answer.points))?;
        for (pit, points) in &answer.moves {
            say(format_args!("pit {pit}: {points:+}"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn pits_of(words: &[String]) -> Result<Pits> {
    let text = words.join(" ");
    let illegal = || TableError::Position(format!("{text}: not 12 numbers of stones"));
    let pits: Option<Vec<u8>> = text
        .split_whitespace()
        .map(|word| word.parse::<u8>().ok())
        .collect();
    let pits = Pits::try_from(pits.ok_or_else(illegal)?).map_err(|_| illegal())?;
    let stones: u32 = pits.iter().map(|&stones| u32::from(stones)).sum();
    ensure!(
        stones <= STONES_MAX.into(),
        TableError::NoTable(format!("{stones} stones"))
    );
    Ok(pits)
}

/// Tables under one rule, opened on demand.
struct AwariTables<'a> {
    rule: GrandSlam,
    directory: &'a Path,
    open: HashMap<u8, TableFile>,
}

impl AwariTables<'_> {
    fn look_up(&mut self, pits: &Pits) -> Result<i8> {
        let stones = awari::stones_of(pits);
        if stones == 0 {
            return Ok(0);
        }
        if !self.open.contains_key(&stones) {
            let file = open(self.directory, Subject::Awari(stones, self.rule))?;
            self.open.insert(stones, file);
        }
        let file = &self.open[&stones];
        let (block, at) = file.find(0, index(pits));
        Ok(file.value(file.read_block(block)?[at])?.raw())
    }

    /// The value of a move for the side that makes it.
    fn worth(&mut self, sown: &Sown) -> Result<i8> {
        Ok(sown.captured as i8 - self.look_up(&turned(&sown.pits))?)
    }
}
