//! Formats records as UCI lines.

use std::fmt::Write as _;
use std::time::Duration;

use crate::chess::notation::{CastlingStyle, uci_move};
use crate::chess::{Move, Position};
use crate::engine::search::RootUpdate;
use crate::engine::tables::{Distance, Source, TableOutcome};
use crate::engine::{ChanceCurve, SearchOutcome, TableNews, TimedReport};
use crate::game::{Bound, Score};

/// The form of a search's output.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// The form of castling.
    pub castling: CastlingStyle,
    /// Show chances to win, draw and lose.
    pub shows_wdl: bool,
}

/// Moves from `root` on, each in the position it is played in.
fn line_of_moves(root: &Position, moves: &[Move], castling: CastlingStyle) -> String {
    let mut position = root.clone();
    let mut words = Vec::with_capacity(moves.len());
    for &mv in moves {
        words.push(uci_move(&position, mv, castling));
        position = position.after(mv);
    }
    words.join(" ")
}

/// The `info` line of a report. Scores are those of the side to move at the root, as UCI wants them.
pub fn info(root: &Position, timed: &TimedReport, style: Style) -> String {
    let RootUpdate {
        depth,
        selective_depth,
        multi_pv,
        score,
        nodes,
        tablebase_hits,
        memory_permille,
        ..
    } = timed.report;
    let mut text = format!(
        "info depth {depth} seldepth {selective_depth} multipv {multi_pv} score {}",
        score_text(score)
    );
    match timed.report.bound {
        Bound::Exact => {}
        Bound::Lower => text.push_str(" lowerbound"),
        Bound::Upper => text.push_str(" upperbound"),
    }
    if style.shows_wdl {
        let [win, draw, loss] = wdl(score);
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, " wdl {win} {draw} {loss}");
    }
    let _ = write!(
        text,
        " nodes {nodes} nps {} hashfull {memory_permille} tbhits {tablebase_hits} time {}",
        nodes_per_second(nodes, timed.elapsed),
        timed.elapsed.as_millis()
    );
    if !timed.report.pv.is_empty() {
        let _ = write!(
            text,
            " pv {}",
            line_of_moves(root, &timed.report.pv, style.castling)
        );
    }
    text
}

/// The safety of the decision, if known: the conspiracy number, the depth in plies, the margin and the hypothesis. No
/// keyword of `info` occurs in free text, because some GUIs parse these even after `string`.
pub fn safety(report: &RootUpdate) -> Option<String> {
    let safety = report.safety?;
    let mut text = format!(
        "info string safety {} plies {}",
        safety.conspiracy, safety.depth
    );
    if let Some(claim) = report.claim {
        let _ = write!(text, " margin {}", claim.margin_cp);
        let _ = match claim.hypothesis.mate_distance() {
            Some(plies) => write!(text, " hypothesis #{}", moves_to_mate(plies)),
            None => write!(text, " hypothesis {}", claim.hypothesis.raw()),
        };
    }
    Some(text)
}

/// The answer of endgame tables for the root.
pub fn known(news: TableNews) -> String {
    let result = match news.answer.outcome {
        TableOutcome::Loss => "loss",
        TableOutcome::DoubtfulLoss => "loss unless 50 moves pass",
        TableOutcome::Draw => "draw",
        TableOutcome::DoubtfulWin => "win unless 50 moves pass",
        TableOutcome::Win => "win",
    };
    let distance = match news.answer.distance {
        _ if news.answer.outcome == TableOutcome::Draw => String::new(),
        Distance::Mate(plies) => format!(" in {plies} plies"),
        Distance::Zeroing(plies) => format!(", {plies} plies to a capture or pawn move"),
        Distance::Unknown => String::new(),
    };
    let source = match news.source {
        Source::Own => "own tables",
        Source::Syzygy => "Syzygy tables",
    };
    let moves = if news.moves == 1 { "move" } else { "moves" };
    format!(
        "info string {source}: {result}{distance}, {} {moves} to choose from",
        news.moves
    )
}

/// A node count from a search without new results.
pub fn pulse(nodes: u64, elapsed: Duration) -> String {
    format!(
        "info nodes {nodes} nps {} time {}",
        nodes_per_second(nodes, elapsed),
        elapsed.as_millis()
    )
}

/// The answer; with a move to ponder on if one is known.
pub fn best_move(root: &Position, outcome: &SearchOutcome, castling: CastlingStyle) -> String {
    let best = outcome.answer.best;
    let mut text = format!("bestmove {}", uci_move(root, best, castling));
    if let Some(reply) = outcome.answer.ponder {
        let _ = write!(
            text,
            " ponder {}",
            uci_move(&root.after(best), reply, castling)
        );
    }
    text
}

/// `cp` and `mate` as UCI writes them; mates count moves, not plies.
pub fn score_text(score: Score) -> String {
    match score.mate_distance() {
        Some(plies) => format!("mate {}", moves_to_mate(plies)),
        None => format!("cp {}", score.raw()),
    }
}

/// Moves of the side that mates, negative where that is the opponent; from plies, signed alike.
fn moves_to_mate(plies: i32) -> i32 {
    if plies > 0 { plies / 2 + 1 } else { plies / 2 }
}

/// Chances to win, draw and lose in thousandths.
pub fn wdl(score: Score) -> [u16; 3] {
    let [win, _, loss] = ChanceCurve::FITTED.chances(score);
    let [win, loss] = [win, loss].map(|chance| (1_000.0 * chance).round() as u16);
    [win, 1_000 - win - loss, loss]
}

fn nodes_per_second(nodes: u64, elapsed: Duration) -> u64 {
    let microseconds = elapsed.as_micros().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000 / microseconds).unwrap_or(u64::MAX)
}

/// The output of `help`.
pub const HELP: &str = "\
cc2s speaks the Universal Chess Interface (UCI). A chess program starts it and exchanges lines of text with it.
By hand:
  position startpos [moves e2e4 ...]    set up a position (or: position fen FEN [moves ...])
  go movetime 1000                      search for one second (also: depth, nodes, mate, infinite, wtime ...)
  go perft 5                            count move sequences
  stop                                  end the search
  d, eval                               show the position, its static evaluation
  bench                                 search fixed positions and count nodes
  uci, setoption name NAME value VALUE  list the options, set an option
  quit                                  leave
Other uses of the program: cc2s --help";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_uci_move;
    use crate::engine::search::Claim;
    use crate::game::Requirement;

    #[test]
    fn mates_count_moves_of_the_side_that_mates() {
        for (score, text) in [
            (Score::mate_in(1), "mate 1"),
            (Score::mate_in(3), "mate 2"),
            (Score::mated_in(2), "mate -1"),
            (Score::mated_in(4), "mate -2"),
            (Score::MATED, "mate 0"),
            (Score::centipawns(-37), "cp -37"),
        ] {
            assert_eq!(score_text(score), text);
        }
    }

    #[test]
    fn an_info_line_has_everything_in_order() {
        let root = Position::initial();
        let best = parse_uci_move(&root, "e2e4").unwrap();
        let reply = parse_uci_move(&root.after(best), "e7e5").unwrap();
        let report = RootUpdate {
            depth: 6,
            selective_depth: 14,
            multi_pv: 1,
            score: Score::centipawns(25),
            bound: Bound::Lower,
            nodes: 5_000,
            tablebase_hits: 0,
            memory_permille: 12,
            pv: vec![best, reply],
            safety: Some(Requirement {
                depth: 6,
                conspiracy: 2,
            }),
            claim: Some(Claim {
                hypothesis: Score::centipawns(20),
                margin_cp: 25,
            }),
        };
        let timed = TimedReport {
            report,
            elapsed: Duration::from_millis(250),
        };
        let style = Style {
            castling: CastlingStyle::KingMoves,
            shows_wdl: true,
        };
        assert_eq!(
            info(&root, &timed, style),
            "info depth 6 seldepth 14 multipv 1 score cp 25 lowerbound wdl 234 643 123 nodes 5000 nps 20000 \
             hashfull 12 tbhits 0 time 250 pv e2e4 e7e5"
        );
        assert_eq!(
            safety(&timed.report).unwrap(),
            "info string safety 2 plies 6 margin 25 hypothesis 20"
        );
    }

    #[test]
    fn chances_add_up_and_rise_with_the_score() {
        let mut before = 0;
        for raw in -32_000..=32_000 {
            let [win, draw, loss] = wdl(Score::from_raw(raw));
            assert_eq!(win + draw + loss, 1_000);
            assert!(win >= before);
            before = win;
        }
        assert_eq!(wdl(Score::mate_in(3)), [1_000, 0, 0]);
        assert_eq!(wdl(Score::centipawns(101))[0], 500);
    }
}
