//! Latency of the program: from its start to `uciok`, and from `stop` to `bestmove`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};

/// A running program and a host's end of the conversation.
struct Conversation {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Conversation {
    fn begin() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cc2s"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Self {
            child,
            input,
            output,
        }
    }

    /// Sends a line and waits for one that begins with `answer`.
    fn ask(&mut self, question: &str, answer: &str) {
        writeln!(self.input, "{question}").expect("it listens");
        let mut line = String::new();
        while !line.starts_with(answer) {
            line.clear();
            let length = self.output.read_line(&mut line).expect("it speaks");
            assert!(length > 0, "it ended before '{answer}'");
        }
    }

    fn end(mut self) {
        drop(self.input);
        self.child.wait().expect("it ends");
    }
}

/// The limit for `uciok` is 100 ms.
fn introduction(group: &mut BenchmarkGroup<'_, WallTime>) {
    group.bench_function("start to uciok", |bencher| {
        bencher.iter_custom(|rounds| {
            let mut taken = Duration::ZERO;
            for _ in 0..rounds {
                let start = Instant::now();
                let mut conversation = Conversation::begin();
                conversation.ask("uci", "uciok");
                taken += start.elapsed();
                conversation.end();
            }
            taken
        });
    });
}

/// The limit for the answer is 10 ms. Each search is stopped slightly later than the previous one.
fn stops(group: &mut BenchmarkGroup<'_, WallTime>, threads: usize) {
    let mut conversation = Conversation::begin();
    conversation.ask(
        &format!("setoption name Threads value {threads}\nisready"),
        "readyok",
    );
    let mut delays = (20..100).step_by(7).cycle().map(Duration::from_millis);
    group.bench_function(format!("stop to bestmove, {threads} threads"), |bencher| {
        bencher.iter_custom(|rounds| {
            let mut taken = Duration::ZERO;
            for delay in delays.by_ref().take(rounds as usize) {
                let position = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5";
                conversation.ask(&format!("{position}\ngo infinite"), "info ");
                thread::sleep(delay);
                let start = Instant::now();
                conversation.ask("stop", "bestmove ");
                taken += start.elapsed();
            }
            taken
        });
    });
    conversation.end();
}

fn answers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("answers");
    group.sample_size(20);
    introduction(&mut group);
    stops(&mut group, 1);
    stops(&mut group, 2);
    group.finish();
}

criterion_group!(benches, answers);
criterion_main!(benches);
