//! Endgame tables against values of an independent program.
//!
//! `data/endgames.txt` was computed by a brute-force program with another index; its tables agree with the Syzygy
//! and Gaviota tables in every position.

use cc2s::endgame::make::endgame::Endgame;
use cc2s::endgame::make::indexing::Indexing;
use cc2s::endgame::make::material::Material;
use cc2s::endgame::make::stats::{Longest, ResultCounts, SideStatistics};
use cc2s::endgame::make::table::Table;
use cc2s::endgame::make::{Algorithm, Class, Metric, Survey, TableValue, bal_allis, solver};
use shakmaty::Color;
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

const TRUTH: &str = include_str!("data/endgames.txt");

#[derive(Default)]
struct Library(HashMap<Material, Arc<Table>>);

impl Library {
    fn class(&self, material: Material) -> Endgame {
        Endgame::new(material, |need| self.0.get(&need).cloned()).expect("the smaller tables")
    }

    fn add(&mut self, material: Material) -> Arc<Table> {
        if let Some(table) = self.0.get(&material) {
            return table.clone();
        }
        for need in material.exits() {
            self.add(need);
        }
        let class = self.class(material);
        let table = Arc::new(class.table(&bal_allis::solve(&class)));
        self.0.insert(material, table.clone());
        table
    }
}

fn line(name: &str, turn: Color, side: &SideStatistics) -> String {
    let results = |r: &ResultCounts| {
        format!(
            "{} W {} D {} L {}",
            r.positions(),
            r.wins,
            r.draws,
            r.losses
        )
    };
    let longest = |l: &Longest| {
        format!(
            "{} (full {} orb {})",
            l.plies.map_or(-1, i32::from),
            l.full,
            l.orbits
        )
    };
    let mut line = format!(
        "{name} {} full {}",
        turn.fold_wb("wtm", "btm"),
        results(&side.full)
    );
    write!(
        line,
        " | orbits {} | maxwin {} maxloss {}",
        results(&side.orbits),
        longest(&side.win),
        longest(&side.loss)
    )
    .unwrap();
    line
}

fn check(library: &mut Library, men: usize) {
    for material in Material::with_men(men) {
        let table = library.add(material);
        for turn in Color::ALL {
            let line = line(
                &material.to_string(),
                turn,
                &SideStatistics::of(&table, turn),
            );
            assert!(
                TRUTH.lines().any(|truth| truth == line),
                "not the truth: {line}"
            );
        }
    }
}

/// Every edge found by moves is found by unmoves and vice versa, once each; the survey counts the same edges.
fn check_edges(class: &Endgame, step: usize) {
    let legal = |index: u32| class.survey(index).is_some();
    let (mut listed, mut back) = (Vec::new(), Vec::new());
    for index in (0..class.size())
        .step_by(step)
        .filter(|&index| legal(index))
    {
        listed.clear();
        class.children(index, &mut listed);
        if let Some(Survey::Open { inside, .. }) = class.survey(index) {
            assert_eq!(usize::from(inside), listed.len());
        }
        for &child in &listed {
            back.clear();
            class.parents(child, &mut back);
            assert!(legal(child));
            assert_eq!(
                back.iter().filter(|&&parent| parent == index).count(),
                1,
                "{index} to {child}"
            );
        }
        listed.clear();
        class.parents(index, &mut listed);
        for &parent in listed.iter().filter(|&&parent| legal(parent)) {
            back.clear();
            class.children(parent, &mut back);
            assert_eq!(
                back.iter().filter(|&&child| child == index).count(),
                1,
                "{parent} to {index}"
            );
        }
    }
}

/// A class whose exits are all draws, for tests of edges only.
fn bare_class(name: &str) -> Endgame {
    let drawn = |material: Material| {
        let side = vec![TableValue::DRAW; Indexing::new(material).size() as usize];
        Some(Arc::new(Table::new(
            material,
            Metric::Distance,
            [side.clone(), side],
        )))
    };
    Endgame::new(Material::parse(name).expect("a class"), drawn).expect("the smaller tables")
}

#[test]
fn moves_and_unmoves_are_inverse() {
    for material in Material::with_men(3) {
        check_edges(&bare_class(&material.to_string()), 1);
    }
    for name in [
        "KQQvK", "KBBvK", "KQvKQ", "KBNvK", "KPvKP", "KPPvK", "KPPvKP",
    ] {
        check_edges(&bare_class(name), 4_999);
    }
}

/// 43,786 en passant states per side, counting mirror images individually.
#[test]
fn en_passant_states_are_counted() {
    assert_eq!(bare_class("KPvKP").passing_counts(), [43_786 / 2; 2]);
}

/// Every algorithm writes the same bytes with any number of threads.
fn check_agreement(names: &[&str]) {
    let mut library = Library::default();
    for name in names {
        let material = Material::parse(name).expect("a class");
        let table = library.add(material);
        let class = library.class(material);
        let runs = [
            (Algorithm::BalAllis, 2),
            (Algorithm::BalAllis, 3),
            (Algorithm::WuBeal, 1),
            (Algorithm::Muller, 1),
            (Algorithm::Words, 1),
            (Algorithm::Words, 3),
        ];
        for (algorithm, threads) in runs {
            let values = solver::run(algorithm.start(&class, threads, None));
            assert!(
                class.table(&values).values() == table.values(),
                "{name} {algorithm} {threads}"
            );
        }
    }
}

#[test]
fn all_algorithms_agree_on_three_men() {
    check_agreement(&["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]);
}

#[test]
#[ignore = "a minute; run with --release"]
fn all_algorithms_agree_on_four_men() {
    check_agreement(&["KBNvK", "KQvKR", "KRvKP", "KPvKP"]);
}

#[test]
fn three_men_endings_are_as_known() {
    check(&mut Library::default(), 3);
}

#[test]
#[ignore = "a minute; run with --release"]
fn four_men_endings_are_as_known() {
    check(&mut Library::default(), 4);
}
