//! Conversations against a model of the protocol. Each `go` is answered once and in order, and nothing hangs,
//! whether the lines are sent at once or one by one.

use cc2s::engine::Engine;
use cc2s::settings::config::Config;
use proptest::prelude::*;

use super::gui::{Gui, PATIENCE};
use super::mock;

/// Two moves of the initial position for each search of a conversation, which identify its answer.
const MOVES: [&str; 20] = [
    "a2a3", "a2a4", "b2b3", "b2b4", "c2c3", "c2c4", "d2d3", "d2d4", "e2e3", "e2e4", "f2f3", "f2f4",
    "g2g3", "g2g4", "h2h3", "h2h4", "b1a3", "b1c3", "g1f3", "g1h3",
];
const SEARCHES_MAX: usize = MOVES.len() / 2;

/// The limits of a `go`.
#[derive(Clone, Copy, Debug)]
struct Search {
    limits: &'static str,
    is_infinite: bool,
    ponders: bool,
}

const SEARCHES: [Search; 11] = [
    search("depth 1", false, false),
    search("nodes 3000", false, false),
    search("movetime 3", false, false),
    search("wtime 40 btime 40", false, false),
    search("mate 1", false, false),
    search("infinite", true, false),
    search("", true, false),
    search("ponder depth 2", false, true),
    search("ponder wtime 40 btime 40", false, true),
    search("ponder infinite", true, true),
    search("ponder", true, true),
];

const fn search(limits: &'static str, is_infinite: bool, ponders: bool) -> Search {
    Search {
        limits,
        is_infinite,
        ponders,
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Situation {
    Start,
    Mated,
    Invalid,
}

#[derive(Clone, Copy, Debug)]
enum Line {
    Go(Search),
    Count,
    Stop,
    PonderHit,
    Position(Situation),
    SetOption(&'static str),
    NewGame,
    IsReady,
    Uci,
}

/// The required answer to a line.
#[derive(Clone, Debug, PartialEq)]
enum Answer {
    /// One of two moves.
    Move([&'static str; 2]),
    Exactly(&'static str),
}

const REFUSED: &str = "info string error: an infinite search is running; go ignored until stop";
const NO_MOVE: &str = "bestmove (none)";
const COUNTED: &str = "Nodes searched: ";

impl Answer {
    fn is_met_by(&self, said: &str) -> bool {
        match self {
            Self::Move(moves) => {
                let best = said.strip_prefix("bestmove ").unwrap_or_default();
                moves.iter().any(|mv| best.split(' ').next() == Some(mv))
            }
            Self::Exactly(COUNTED) => said.starts_with(COUNTED),
            Self::Exactly(text) => said == *text,
        }
    }
}

/// The state of the last search that affects the following lines.
#[derive(Clone, Copy, Debug, Default)]
struct Running {
    is_endless: bool,
    ponders: bool,
    is_infinite: bool,
    /// The answer without a move that it holds back.
    due: Option<&'static str>,
}

/// The protocol: lines take effect one after the other.
#[derive(Debug)]
struct Model {
    situation: Situation,
    running: Running,
    /// The answers due by now.
    answers: Vec<Answer>,
    asked: usize,
    ready: usize,
    introduced: usize,
}

impl Model {
    fn new() -> Self {
        Self {
            situation: Situation::Start,
            running: Running::default(),
            answers: Vec::new(),
            asked: 0,
            ready: 0,
            introduced: 0,
        }
    }

    /// Processes a line and returns its text.
    fn take(&mut self, line: Line) -> String {
        match line {
            Line::Go(search) => return self.go(search),
            Line::Count if self.running.is_endless => self.refuse(),
            Line::Count => self.answers.push(Answer::Exactly(match self.situation {
                Situation::Invalid => "bestmove 0000",
                Situation::Start | Situation::Mated => COUNTED,
            })),
            Line::Stop => self.stop(),
            Line::PonderHit => self.ponder_hit(),
            Line::Position(situation) => self.situation = situation,
            Line::NewGame => self.situation = Situation::Start,
            Line::IsReady => self.ready += 1,
            Line::Uci => self.introduced += 1,
            Line::SetOption(_) => {}
        }
        match line {
            Line::Go(_) => unreachable!(),
            Line::Count => "go perft 2",
            Line::Stop => "stop",
            Line::PonderHit => "ponderhit",
            Line::Position(Situation::Start) => "position startpos",
            Line::Position(Situation::Mated) => "position startpos moves f2f3 e7e5 g2g4 d8h4",
            Line::Position(Situation::Invalid) => "position startpos moves e2e5",
            Line::NewGame => "ucinewgame",
            Line::IsReady => "isready",
            Line::Uci => "uci",
            Line::SetOption(text) => text,
        }
        .to_owned()
    }

    fn refuse(&mut self) {
        // While a search holds back its answer, refusals come before that answer.
        let at =
            self.answers.len() - usize::from(self.running.is_endless && self.running.due.is_none());
        self.answers.insert(at, Answer::Exactly(REFUSED));
    }

    fn go(&mut self, search: Search) -> String {
        let moves = [MOVES[2 * self.asked], MOVES[2 * self.asked + 1]];
        self.asked += 1;
        // Whether `infinite` is given explicitly.
        let is_said = search.limits.contains("infinite");
        if self.running.is_endless {
            self.refuse();
        } else {
            self.running = Running::default();
            match self.situation {
                Situation::Invalid => self.answers.push(Answer::Exactly("bestmove 0000")),
                Situation::Mated if is_said || search.ponders => {
                    self.running = Running {
                        is_endless: true,
                        ponders: search.ponders && !is_said,
                        is_infinite: false,
                        due: Some(NO_MOVE),
                    }
                }
                Situation::Mated => self.answers.push(Answer::Exactly(NO_MOVE)),
                Situation::Start => {
                    self.running = Running {
                        is_endless: search.is_infinite || search.ponders,
                        ponders: search.ponders,
                        is_infinite: search.is_infinite,
                        due: None,
                    };
                    self.answers.push(Answer::Move(moves));
                }
            }
        }
        format!("go {} searchmoves {} {}", search.limits, moves[0], moves[1])
    }

    fn stop(&mut self) {
        let due = std::mem::take(&mut self.running).due;
        self.answers.extend(due.map(Answer::Exactly));
    }

    fn ponder_hit(&mut self) {
        if self.running.ponders && self.running.due.is_some() {
            self.stop();
        } else if self.running.ponders {
            self.running.ponders = false;
            self.running.is_endless = self.running.is_infinite;
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Pace {
    AtOnce,
    OneByOne,
}

/// Runs a conversation and compares the output with the model.
fn converse(gui: &mut Gui, lines: &[Line], pace: Pace) {
    let mut model = Model::new();
    let mut written: Vec<String> = vec!["ucinewgame".to_owned()];
    for line in lines {
        let is_one_too_many = matches!(line, Line::Go(_)) && model.asked == SEARCHES_MAX;
        if !is_one_too_many {
            written.push(model.take(*line));
        }
    }
    if model.running.is_endless {
        written.push(model.take(Line::Stop));
    }
    match pace {
        Pace::AtOnce => gui.send(&written.join("\n")),
        Pace::OneByOne => {
            for line in &written {
                gui.send(line);
                gui.send("isready");
                model.ready += 1;
            }
        }
    }
    let mut said = Said::default();
    while said.answers.len() < model.answers.len()
        || said.ready < model.ready
        || said.introduced < model.introduced
    {
        let line = gui
            .next(PATIENCE)
            .unwrap_or_else(|_| panic!("{written:#?} hangs: {:?}, {said:?}", model.answers));
        said.hear(&line);
    }
    gui.synchronise().iter().for_each(|line| said.hear(line));
    let is_right = said.answers.len() == model.answers.len()
        && (said.ready, said.introduced) == (model.ready, model.introduced)
        && std::iter::zip(&model.answers, &said.answers).all(|(due, said)| due.is_met_by(said));
    assert!(is_right, "{written:#?}: {said:?}, not {model:?}");
}

/// The output, to be compared with the model.
#[derive(Debug, Default)]
struct Said {
    answers: Vec<String>,
    ready: usize,
    introduced: usize,
}

impl Said {
    fn hear(&mut self, line: &str) {
        match line {
            "readyok" => self.ready += 1,
            "uciok" => self.introduced += 1,
            _ if line.starts_with("bestmove") || line.starts_with(COUNTED) || line == REFUSED => {
                self.answers.push(line.to_owned());
            }
            _ => {}
        }
    }
}

fn any_line() -> impl Strategy<Value = Line> {
    prop_oneof![
        6 => prop::sample::select(&SEARCHES[..]).prop_map(Line::Go),
        4 => Just(Line::Stop),
        3 => Just(Line::PonderHit),
        1 => Just(Line::Count),
        2 => prop::sample::select(vec![
            Situation::Start,
            Situation::Start,
            Situation::Mated,
            Situation::Invalid,
        ])
        .prop_map(Line::Position),
        1 => prop::sample::select(vec![
            "setoption name Hash value 2",
            "setoption name Hash value 1",
            "setoption name Threads value 2",
            "setoption name Threads value 1",
            "setoption name MultiPV value 2",
            "setoption name Clear Hash",
        ])
        .prop_map(Line::SetOption),
        1 => Just(Line::NewGame),
        1 => Just(Line::IsReady),
        1 => Just(Line::Uci),
    ]
}

fn any_pace() -> impl Strategy<Value = Pace> {
    prop_oneof![3 => Just(Pace::AtOnce), 1 => Just(Pace::OneByOne)]
}

/// An engine with a real search and little memory.
fn real() -> Engine {
    let config = Config::built_in().unwrap();
    let mut params = config.params().clone();
    params.engine.hash_mib = 1;
    Engine::new(config.based_on(params))
}

fn engine(name: &str) -> Engine {
    if name == "real" {
        real()
    } else {
        mock::engine(name)
    }
}

/// Every conversation is the first of its engine, or comes after a search.
fn converse_with(name: &str, is_warm: bool, lines: &[Line], pace: Pace) {
    let mut gui = Gui::inside(engine(name), mock::TOOLS);
    if is_warm {
        gui.search("go depth 1");
    }
    converse(&mut gui, lines, pace);
    gui.quit();
}

proptest! {
    // Cases that hang are short enough to read, and take too long to shrink.
    #![proptest_config(ProptestConfig {
        cases: 256,
        max_shrink_iters: 0,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn all_orders_of_commands_are_answered_as_the_protocol_says(
        lines in prop::collection::vec(any_line(), 1..16),
        pace in any_pace(),
        name in prop::sample::select(vec!["real", "real", "Hasty", "Patient"]),
        is_warm in any::<bool>(),
    ) {
        converse_with(name, is_warm, &lines, pace);
    }
}

/// A search that runs as long as it may.
fn ask_at_once(text: &str, moves: usize) {
    for is_warm in [false, true] {
        let mut gui = Gui::spawn();
        if is_warm {
            gui.synchronise();
            gui.search("go depth 1");
        }
        gui.send(text);
        gui.best_moves(moves);
        gui.quit();
    }
}

#[test]
fn a_stop_belongs_to_the_go_that_waits_before_it() {
    ask_at_once("position startpos\ngo infinite\nstop\ngo infinite\nstop", 2);
    ask_at_once(
        "go infinite\nstop\nposition startpos\nsetoption name Hash value 8\ngo\nstop\nstop",
        2,
    );
}

#[test]
fn a_ponder_hit_belongs_to_the_go_that_waits_before_it() {
    ask_at_once(
        "go infinite\nstop\ngo ponder wtime 3000 btime 3000\nponderhit",
        2,
    );
    ask_at_once(
        "go ponder depth 3\nstop\nponderhit\ngo ponder depth 3\nponderhit",
        2,
    );
}

/// A `stop` ends all searches requested before it.
#[test]
fn a_stop_ends_every_search_asked_for_before_it() {
    ask_at_once(
        "go depth 90\ngo movetime 9999999\ngo mate 50\ngo infinite\nstop",
        4,
    );
    ask_at_once("go depth 90\ngo perft 12\ngo depth 90\nstop", 2);
}

#[test]
fn a_go_that_waits_behind_an_endless_one_is_refused_whenever_it_was_written() {
    let lines = [
        Line::Go(SEARCHES[5]),
        Line::Stop,
        Line::Go(SEARCHES[5]),
        Line::Go(SEARCHES[0]),
        Line::Stop,
        Line::Go(SEARCHES[0]),
    ];
    for pace in [Pace::AtOnce, Pace::OneByOne] {
        converse_with("real", false, &lines, pace);
    }
}

#[test]
fn the_end_of_the_input_does_not_overtake_a_ponder_hit_that_waits() {
    let mut gui = Gui::inside(mock::engine("Patient"), mock::TOOLS);
    gui.send("go depth 20\ngo ponder depth 30\nponderhit");
    let lines = gui.close();
    let depths = lines
        .iter()
        .filter(|line| line.starts_with("info depth 30 "));
    assert!(depths.count() > 0, "{lines:?}");
}

#[test]
fn an_introduction_is_given_while_a_search_runs() {
    let mut gui = Gui::ready();
    gui.send("go infinite\nuci");
    let said = gui.until("uciok");
    assert!(
        said.iter().any(|line| line.starts_with("id name cc2s")),
        "{said:?}"
    );
    assert!(
        !said.iter().any(|line| line.starts_with("bestmove")),
        "{said:?}"
    );
    gui.send("stop");
    gui.best_moves(1);
    gui.quit();
}

/// The proof of a nonexistent mate ends with the input; a short mate is still found.
#[test]
fn the_end_of_the_input_ends_a_proof() {
    let mut gui = Gui::ready();
    gui.send("go mate 30");
    let lines = gui.close();
    assert!(lines.last().unwrap().starts_with("bestmove"), "{lines:?}");
    let mut gui = Gui::ready();
    gui.send("position fen 1b1R2B1/p1n1p3/p3P2K/N1k5/2N2P2/5P2/2PP4/R7 w - - 0 1\ngo mate 4");
    let lines = gui.close();
    let info = &lines[lines.len() - 2];
    assert!(info.contains(" score mate 4 "), "{lines:?}");
}
