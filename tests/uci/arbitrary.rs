//! Invalid input: random bytes, words in random order, commands with an error.

use cc2s::game::SplitMix64;

const WORDS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "infinite",
    "ponder",
    "depth",
    "nodes",
    "movetime",
    "mate",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "searchmoves",
    "stop",
    "ponderhit",
    "setoption",
    "name",
    "value",
    "Hash",
    "Ponder",
    "Clear",
    "UCI_Chess960",
    "true",
    "false",
    "debug",
    "on",
    "off",
    "register",
    "later",
    "d",
    "eval",
    "bench",
    "help",
    "e2e4",
    "e7e5",
    "g1f3",
    "e1g1",
    "e1h1",
    "a7a8q",
    "0000",
    "0",
    "1",
    "-1",
    "3",
    "100",
    "99999999999999999999",
    "-99999999999999999999",
    "1e5",
    "w",
    "b",
    "-",
    "KQkq",
    "HAha",
    "e3",
    "é",
    "\u{0}",
    "♔",
    "8/8/8/8/8/8/8/K1k5",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    "[",
    "]",
    "~",
    "+0+0",
    "info",
    "bestmove",
];

const COMMANDS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "go depth 2",
    "go infinite",
    "go ponder wtime 10 btime 10",
    "go wtime 20 btime 20 winc 1 binc 1 movestogo 3",
    "go movetime 1",
    "go nodes 10 searchmoves e2e4 d2d4",
    "go perft 1",
    "setoption name Hash value 1",
    "setoption name UCI_Chess960 value true",
    "setoption name MultiPV value 3",
    "setoption name Search value Brief",
    "setoption name Profile value thesis",
    "setoption name Clear Hash",
    "position startpos moves e2e4 e7e5 g1f3",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1",
    "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "position fen 8/8/8/8/8/8/8/K1k5 w - -",
];

/// A random line, but no `quit` (ends the test), no log file (fills the disk), and no long perft (exceeds the
/// time).
pub fn line(rng: &mut SplitMix64) -> Vec<u8> {
    let mut line = match rng.below(8) {
        0 => (0..rng.below(60)).map(|_| rng.next_u64() as u8).collect(),
        1..=3 => words(rng).into_bytes(),
        _ => pick(rng, COMMANDS).as_bytes().to_vec(),
    };
    if rng.below(3) == 0 {
        spoil(rng, &mut line);
    }
    let text = String::from_utf8_lossy(&line).to_lowercase();
    if text.contains("quit")
        || text.contains("log")
        || text.contains("perft") && !text.ends_with("perft 1")
    {
        return b"stop".to_vec();
    }
    line
}

fn pick(rng: &mut SplitMix64, words: &[&'static str]) -> &'static str {
    words[rng.below(words.len() as u64) as usize]
}

fn words(rng: &mut SplitMix64) -> String {
    let count = 1 + rng.below(8);
    let words: Vec<_> = (0..count).map(|_| pick(rng, WORDS)).collect();
    words.join(pick(rng, &[" ", " ", " ", "  ", "\t", ""]))
}

/// Changes, removes or duplicates a part of a line.
fn spoil(rng: &mut SplitMix64, line: &mut Vec<u8>) {
    for _ in 0..=rng.below(3) {
        if line.is_empty() {
            return;
        }
        let at = rng.below(line.len() as u64) as usize;
        match rng.below(5) {
            0 => line[at] = rng.next_u64() as u8,
            1 => drop(line.remove(at)),
            2 => line.insert(at, b' '),
            3 => line.truncate(at),
            _ => line.extend_from_within(at..),
        }
    }
}
