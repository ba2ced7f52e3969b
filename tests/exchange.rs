//! Difficult orders of messages, as scripts with recorded transcripts.
//!
//! A script gives a tree, the number of workers and a depth, followed by commands. `hold A B` holds back messages
//! from A to B, `release A B` delivers them, and `run` lets all workers run until they are idle. Each message is
//! recorded on arrival. `CC2S_UPDATE=1 cargo test --test exchange` updates the transcripts.

mod support;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use cc2s::game::explicit::{Sketch, TreeGame};
use cc2s::game::{Game, HeuristicEvaluator};
use cc2s::thesis::{
    Activity, Envelope, Message, Schedule, TargetTables, TeamParams, Tree, Worker, WorkerId,
};
use support::cc2s_run::plain;
use support::environment::variable;

struct Room {
    workers: Vec<Worker<TreeGame>>,
    links: BTreeMap<(u16, u16), VecDeque<Envelope<u16>>>,
    held: BTreeSet<(u16, u16)>,
    transcript: String,
}

impl Room {
    fn new(sketch: &Sketch, count: u16, depth: u16) -> Self {
        let game = TreeGame::new(sketch);
        let team = TeamParams {
            leftmost_first: false,
            prefetch: false,
            ..TeamParams::default()
        };
        let worker = |number| {
            let tree = Tree::with_capacity(1 << 12).unwrap();
            let tables = TargetTables::with_entries(16).unwrap();
            let id = WorkerId(number);
            Worker::new(id, count, plain(1), game.clone(), tree, tables).sharing(team.clone())
        };
        let mut workers: Vec<_> = (0..count).map(worker).collect();
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let schedule = Schedule {
            conspiracy_max: 1,
            rise_depth: 1,
            elementary: false,
        };
        workers[0].lead(&moves, schedule, depth, 1);
        Self {
            workers,
            links: BTreeMap::new(),
            held: BTreeSet::new(),
            transcript: String::new(),
        }
    }

    fn run(&mut self) {
        loop {
            let mut is_quiet = true;
            for worker in &mut self.workers {
                while let Activity::Worked(_) = worker.step(&mut HeuristicEvaluator::default()) {
                    is_quiet = false;
                }
                for envelope in worker.take_outbox() {
                    let link = (envelope.from.0, envelope.to.0);
                    self.links.entry(link).or_default().push_back(envelope);
                }
            }
            for (link, messages) in &mut self.links {
                if !self.held.contains(link)
                    && let Some(envelope) = messages.pop_front()
                {
                    is_quiet = false;
                    writeln!(self.transcript, "    {}", shown(&envelope)).unwrap();
                    self.workers[usize::from(link.1)].receive(envelope);
                }
            }
            if is_quiet {
                return;
            }
        }
    }
}

fn shown(envelope: &Envelope<u16>) -> String {
    let text = match &envelope.message {
        Message::Problem(problem) => format!(
            "problem {} {:?} {:?} depth {}",
            problem.code.0,
            problem.path.iter().flatten().collect::<Vec<_>>(),
            problem.target.bound,
            problem.target.depth
        ),
        Message::Answer(answer) => format!(
            "answer {} {:?} {:?} {}",
            answer.code.0, answer.verdict, answer.value.bound, answer.value.score
        ),
        Message::Stop(code) => format!("stop {}", code.0),
        other => format!("{other:?}"),
    };
    format!("{} -> {}: {text}", envelope.from.0, envelope.to.0)
}

/// Runs a script and returns it with the events after each command.
fn play(text: &str) -> String {
    let mut lines = text.lines().filter(|line| !line.starts_with(' '));
    let mut setting = |name: &str| {
        let line = lines.next().unwrap();
        line.strip_prefix(name).unwrap().trim().to_owned()
    };
    let sketch = setting("tree").parse().unwrap();
    let count = setting("workers").parse().unwrap();
    let depth = setting("depth").parse().unwrap();
    let mut room = Room::new(&sketch, count, depth);
    for line in text.lines().take(3) {
        writeln!(room.transcript, "{line}").unwrap();
    }
    for line in lines {
        writeln!(room.transcript, "{line}").unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let link = |words: &[&str]| (words[1].parse().unwrap(), words[2].parse().unwrap());
        match words[0] {
            "hold" => assert!(room.held.insert(link(&words))),
            "release" => assert!(room.held.remove(&link(&words))),
            "run" => room.run(),
            other => panic!("unknown command '{other}'"),
        }
    }
    assert!(room.workers.iter().all(Worker::is_at_rest));
    let decision = room.workers[0].decision().unwrap();
    let (mv, value) = (decision.pv[0], decision.value);
    writeln!(
        room.transcript,
        "    decided: {mv}, {:?} {}",
        value.bound, value.score
    )
    .unwrap();
    room.transcript
}

#[test]
fn figure_3_11_messages_come_as_the_scripts_have_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exchange");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let recorded = fs::read_to_string(&path).unwrap();
        let played = play(&recorded);
        if variable("CC2S_UPDATE").is_some() {
            fs::write(&path, played).unwrap();
        } else {
            assert_eq!(played, recorded, "{}", path.display());
        }
        count += 1;
    }
    assert!(count > 0, "no scripts");
}
