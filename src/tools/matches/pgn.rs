//! PGN output of games.

use std::fmt::Write as _;

use shakmaty::Color;

use super::clock::Allowance;
use super::game::PlayedGame;
use crate::chess::notation::fen;

/// Maximum length of a line is less than this, in characters.
const WIDTH: usize = 100;

pub fn result(winner: Option<Color>) -> &'static str {
    match winner {
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
        None => "1/2-1/2",
    }
}

/// Formats a game with its headers, ending in an empty line.
pub fn pgn(game: &PlayedGame, names: [&str; 2], round: &str, allowance: &Allowance) -> String {
    let start = fen(&game.start);
    let variant = if game.start.is_chess960() {
        &[("Variant", "Chess960")][..]
    } else {
        &[]
    };
    let headers = [
        ("Event", "cc2s match"),
        ("Site", "?"),
        ("Date", &today()),
        ("Round", round),
        ("White", names[0]),
        ("Black", names[1]),
        ("Result", result(game.winner)),
        ("SetUp", "1"),
        ("FEN", &start),
        ("PlyCount", &game.plies.len().to_string()),
        ("TimeControl", &allowance.to_string()),
        ("Termination", &game.ending.to_string()),
    ];
    let mut text = String::new();
    for (name, value) in variant.iter().copied().chain(headers) {
        let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{escaped}\"]");
    }
    text.push('\n');
    wrap(&mut text, words(game));
    text.push_str("\n\n");
    text
}

/// Move numbers, moves, comments and the result, as words that must not be split.
fn words(game: &PlayedGame) -> Vec<String> {
    let chess = game.start.chess();
    let first = shakmaty::Position::fullmoves(chess).get() as usize;
    let offset = usize::from(shakmaty::Position::turn(chess).is_black());
    let mut words = Vec::new();
    for (at, ply) in game.plies.iter().enumerate() {
        let half_move = at + offset;
        let (number, is_black) = (first + half_move / 2, half_move % 2 == 1);
        if !is_black {
            words.push(format!("{number}."));
        } else if at == 0 {
            words.push(format!("{number}..."));
        }
        words.push(ply.san.clone());
        let Some((elapsed, info)) = &ply.thought else {
            words.push("{book}".to_owned());
            continue;
        };
        let seconds = elapsed.as_secs_f64();
        words.push(match (info.score, info.depth) {
            (Some(score), Some(depth)) => format!("{{{score}/{depth} {seconds:.3}s}}"),
            _ => format!("{{{seconds:.3}s}}"),
        });
    }
    if let Some(fault) = &game.fault {
        words.push(format!("{{{}}}", fault.replace(['{', '}'], "")));
    }
    words.push(result(game.winner).to_owned());
    words
}

fn wrap(text: &mut String, words: Vec<String>) {
    let mut width = 0;
    for word in words {
        if width > 0 && width + 1 + word.len() >= WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        width += word.len();
        text.push_str(&word);
    }
}

/// The current date in UTC.
fn today() -> String {
    jiff::Timestamp::now().strftime("%Y.%m.%d").to_string()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::game::{Ending, PlayedMove};
    use super::super::info::{Announced, Info};
    use super::*;
    use crate::chess::notation::parse_fen;

    #[test]
    fn a_game_reads_as_it_should() {
        let start = "4k3/8/8/8/8/8/8/4K2R b K - 3 7";
        let ply = |san: &str, score: Option<Announced>| PlayedMove {
            san: san.to_owned(),
            thought: score.map(|score| {
                let info = Info {
                    score: Some(score),
                    depth: Some(5),
                    nodes: None,
                };
                (Duration::from_millis(120), info)
            }),
        };
        let game = PlayedGame {
            start: parse_fen(start).unwrap(),
            plies: vec![
                ply("Kd7", Some(Announced::Centipawns(-510))),
                ply("O-O", None),
            ],
            winner: Some(Color::White),
            ending: Ending::IllegalMove,
            fault: Some("illegal move 'e8e9'".to_owned()),
        };
        let text = pgn(&game, ["a \"b\"", "c"], "1.2", &Allowance::Nodes(9));
        assert!(text.contains("[White \"a \\\"b\\\"\"]\n[Black \"c\"]\n[Result \"1-0\"]"));
        assert!(text.contains(&format!("[FEN \"{start}\"]")));
        assert!(!text.contains("[Variant"));
        assert!(text.ends_with(
            "\n\n7... Kd7 {-5.10/5 0.120s} 8. O-O {book} {illegal move 'e8e9'} 1-0\n\n"
        ));
    }

    #[test]
    fn chess960_is_named() {
        let game = PlayedGame {
            start: parse_fen("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf -")
                .unwrap(),
            plies: Vec::new(),
            winner: None,
            ending: Ending::Agreement,
            fault: None,
        };
        let text = pgn(&game, ["a", "b"], "1.1", &Allowance::Nodes(9));
        assert!(text.contains("[Variant \"Chess960\"]\n"), "{text}");
    }
}
