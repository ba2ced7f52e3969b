//! Commands that wait for a search to end, in the order of the input.
//!
//! Commands sent at once have the same effect as commands sent one by one. A `ponderhit` belongs to the last `go`
//! before it, running or waiting. A `stop` ends every search requested before it.

use std::collections::VecDeque;

use super::command::Command;
use crate::engine::Timestamp;

/// Bytes of commands kept at most.
const BYTES_MAX: usize = 16 << 20;

/// A command, when it was read, and of how many bytes.
struct WaitingCommand {
    command: Command,
    moment: Timestamp,
    bytes: usize,
}

/// The commands not yet carried out.
#[derive(Default)]
pub struct Waiting {
    entries: VecDeque<WaitingCommand>,
    bytes: usize,
    stops: usize,
    /// Number of leading commands that only concern the time after the running search.
    passed: usize,
}

impl Waiting {
    /// Adds a command; false: there are too many.
    pub fn push(&mut self, command: Command, moment: Timestamp, bytes: usize) -> bool {
        let is_order = matches!(command, Command::Stop | Command::PonderHit);
        if is_order {
            // These are never refused, or a search might never end; so they must not become many.
            if self.is_said(&command) {
                return true;
            }
        } else if self.bytes + bytes > BYTES_MAX {
            return false;
        }
        self.bytes += bytes;
        self.stops += usize::from(command == Command::Stop);
        self.entries.push_back(WaitingCommand {
            command,
            moment,
            bytes,
        });
        true
    }

    /// Whether an order changes nothing behind the one before it.
    fn is_said(&self, order: &Command) -> bool {
        let last = self.entries.back().map(|entry| &entry.command);
        last == Some(&Command::Stop) || last == Some(order)
    }

    /// The next command, when nothing is running.
    pub fn next(&mut self) -> Option<(Command, Timestamp)> {
        let entry = self.entries.pop_front()?;
        self.passed = self.passed.saturating_sub(1);
        Some(self.taken(entry))
    }

    /// The next command for the running search: a control command or, if the search is infinite, a `go` that cannot
    /// run. After a `go` that will run, there is none.
    pub fn next_for_search(&mut self, is_endless: bool) -> Option<(Command, Timestamp)> {
        loop {
            match &self.entries.get(self.passed)?.command {
                Command::Stop | Command::PonderHit => break,
                Command::Go(_) if is_endless => break,
                Command::Go(_) => return None,
                _ => self.passed += 1,
            }
        }
        let entry = self.entries.remove(self.passed)?;
        Some(self.taken(entry))
    }

    fn taken(&mut self, entry: WaitingCommand) -> (Command, Timestamp) {
        self.bytes -= entry.bytes;
        self.stops -= usize::from(entry.command == Command::Stop);
        (entry.command, entry.moment)
    }

    /// Whether a `stop` waits.
    pub fn has_stop(&self) -> bool {
        self.stops > 0
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(lines: &[&str]) -> Waiting {
        let mut waiting = Waiting::default();
        for line in lines {
            let command = Command::parse(line).unwrap();
            assert!(waiting.push(command, Timestamp::now(), line.len()));
        }
        waiting
    }

    fn command(line: &str) -> Command {
        Command::parse(line).unwrap()
    }

    #[test]
    fn an_order_belongs_to_the_last_go_before_it() {
        let mut queue = waiting(&["d", "stop", "eval", "go depth 1", "ponderhit", "stop"]);
        let for_search = |queue: &mut Waiting| queue.next_for_search(false).map(|(next, _)| next);
        let next = |queue: &mut Waiting| queue.next().map(|(next, _)| next);
        assert_eq!(for_search(&mut queue), Some(command("stop")));
        assert_eq!(for_search(&mut queue), None);
        assert!(queue.has_stop());
        assert_eq!(next(&mut queue), Some(command("d")));
        assert_eq!(next(&mut queue), Some(command("eval")));
        assert_eq!(next(&mut queue), Some(command("go depth 1")));
        assert_eq!(for_search(&mut queue), Some(command("ponderhit")));
        assert_eq!(for_search(&mut queue), Some(command("stop")));
        assert_eq!(for_search(&mut queue), None);
        assert!(queue.is_empty() && !queue.has_stop());
        assert_eq!((queue.bytes, queue.passed), (0, 0));
    }

    #[test]
    fn a_go_has_no_turn_while_an_endless_search_runs() {
        let mut queue = waiting(&["d", "go depth 1", "eval", "stop", "go depth 2"]);
        let for_search = |queue: &mut Waiting, is_endless| {
            let next = queue.next_for_search(is_endless);
            next.map(|(next, _)| next)
        };
        assert_eq!(for_search(&mut queue, true), Some(command("go depth 1")));
        assert_eq!(for_search(&mut queue, true), Some(command("stop")));
        assert_eq!(for_search(&mut queue, false), None);
        assert_eq!(queue.entries.len(), 3);
    }

    #[test]
    fn orders_are_never_too_many() {
        let line = "position startpos";
        let mut queue = waiting(&[line]);
        let position = Command::parse(line).unwrap();
        assert!(!queue.push(position.clone(), Timestamp::now(), BYTES_MAX));
        assert!(queue.push(position, Timestamp::now(), BYTES_MAX - line.len()));
        for line in ["ponderhit", "ponderhit", "stop", "ponderhit", "stop"] {
            let order = Command::parse(line).unwrap();
            assert!(queue.push(order, Timestamp::now(), line.len()));
        }
        let orders = queue.entries.iter().skip(2).map(|entry| &entry.command);
        assert_eq!(
            orders.collect::<Vec<_>>(),
            [&Command::PonderHit, &Command::Stop]
        );
    }
}
