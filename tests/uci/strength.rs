//! Limited strength: few nodes and misjudged positions, but mates in one are found.

use cc2s::chess::notation::{fen, parse_uci_move};
use cc2s::chess::{Line, Position};
use cc2s::engine::ELO_MIN;
use cc2s::game::{Game, Score, SplitMix64};

use super::gui::{Gui, nodes};
use super::mock;

fn limited(elo: i32) -> String {
    format!("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value {elo}")
}

#[test]
fn limited_strength_searches_few_nodes_but_analysis_is_never_limited() {
    let mut gui = Gui::inside(mock::engine("Patient"), mock::TOOLS);
    gui.send(&limited(1_000));
    let few = nodes(&gui.search("go nodes 50000"));
    gui.send("setoption name UCI_AnalyseMode value true");
    let free = nodes(&gui.search("go nodes 50000"));
    assert!(few <= 2_000 && free >= 50_000, "{few} {free}");
}

#[test]
fn limited_strength_misjudges_always_alike_but_analysis_never() {
    let mut gui = Gui::ready();
    let mut scores = |setting: &str| {
        gui.send(setting);
        let lines = gui.search("go depth 1");
        let info = lines.iter().rfind(|line| line.contains(" score ")).unwrap();
        let (_, score) = info.split_once(" score ").unwrap();
        score.split(" nodes").next().unwrap().to_owned()
    };
    let sound = scores("setoption name Clear Hash");
    let weak = scores(&limited(ELO_MIN));
    assert_ne!(weak, sound);
    assert_eq!(scores("setoption name UCI_AnalyseMode value true"), sound);
    assert_eq!(scores("setoption name UCI_AnalyseMode value false"), weak);
    assert_eq!(
        scores("setoption name UCI_LimitStrength value false"),
        sound
    );
}

fn has_mate_in_one(position: &Position) -> bool {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
        .iter()
        .any(|&mv| position.after(mv).end_score() == Some(Score::MATED))
}

/// Positions of random games with a mate in one.
fn mates_in_one(count: usize) -> Vec<Position> {
    let (mut rng, mut found, mut moves) = (SplitMix64::new(35), Vec::new(), Vec::new());
    while found.len() < count {
        let mut line = Line::new(Position::initial());
        while line.end_score().is_none() {
            if has_mate_in_one(line.position()) {
                found.push(line.position().clone());
                break;
            }
            moves.clear();
            line.legal_moves(&mut moves);
            line.play(moves[rng.below(moves.len() as u64) as usize]);
        }
    }
    found
}

#[test]
fn the_weakest_see_a_mate_in_one() {
    let positions = mates_in_one(60);
    let mut gui = Gui::ready();
    gui.send(&limited(ELO_MIN));
    let mated = positions.iter().filter(|position| {
        gui.send(&format!("position fen {}", fen(position)));
        let lines = gui.search("go nodes 1000000");
        let answer = lines.last().unwrap().split(' ').nth(1).unwrap();
        let mv = parse_uci_move(position, answer).unwrap();
        position.after(mv).end_score() == Some(Score::MATED)
    });
    let mated = mated.count();
    assert!(mated >= 57, "{mated} of 60");
}
