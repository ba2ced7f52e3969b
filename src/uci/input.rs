//! Lines of input, with the time at which each was read.

use std::io::{self, BufRead, BufReader, Read};
use std::thread;

use crossbeam::channel::{self, Receiver};

use crate::engine::Timestamp;

/// Longer lines are rejected: a game of 10,000 moves has about 100,000 bytes.
pub const BYTES_MAX: usize = 1 << 18;
/// Lines read ahead of their being understood.
const QUEUE: usize = 1_024;

/// Input that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// A line without the blanks around it.
    Line(String),
    /// A line longer than [`BYTES_MAX`].
    TooLong {
        /// It begins as the command `position` does.
        is_position: bool,
    },
}

/// One line of input.
#[derive(Clone, Debug)]
pub struct Input {
    /// Input that was read.
    pub text: Text,
    /// When it was read.
    pub moment: Timestamp,
}

/// Starts the thread that reads. The channel closes at the end of the input.
///
/// # Errors
/// The system cannot start a thread.
pub fn spawn(input: impl Read + Send + 'static) -> io::Result<Receiver<Input>> {
    let (sender, receiver) = channel::bounded(QUEUE);
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || {
            let mut reader = BufReader::new(input);
            // Whatever goes wrong while reading ends the input.
            while let Ok(Some(text)) = read_line(&mut reader) {
                let moment = Timestamp::now();
                if sender.send(Input { text, moment }).is_err() {
                    break;
                }
            }
        })?;
    Ok(receiver)
}

/// The next line; `None` at the end. Any bytes are text somehow.
fn read_line(reader: &mut impl BufRead) -> io::Result<Option<Text>> {
    let mut bytes = Vec::new();
    let limit = BYTES_MAX as u64 + 1;
    if reader.by_ref().take(limit).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() > BYTES_MAX {
        if bytes.last() != Some(&b'\n') {
            skip_line(reader)?;
        }
        let is_position = bytes.trim_ascii_start().starts_with(b"position ");
        return Ok(Some(Text::TooLong { is_position }));
    }
    let text = String::from_utf8_lossy(&bytes);
    let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}';
    Ok(Some(Text::Line(text.trim_matches(is_blank).to_owned())))
}

fn skip_line(reader: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let length = end.map_or(buffer.len(), |at| at + 1);
        reader.consume(length);
        if end.is_some() || length == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_trimmed_and_capped() {
        let mut bytes = b"\xef\xbb\xbf uci \r\n\n\xff\xfe\n".to_vec();
        bytes.extend(vec![b'x'; 3 * BYTES_MAX]);
        bytes.extend(b"\nstop");
        let mut reader = BufReader::with_capacity(1_000, bytes.as_slice());
        let mut next = || read_line(&mut reader).unwrap();
        assert_eq!(next(), Some(Text::Line("uci".to_owned())));
        assert_eq!(next(), Some(Text::Line(String::new())));
        assert_eq!(next(), Some(Text::Line("\u{fffd}\u{fffd}".to_owned())));
        assert_eq!(next(), Some(Text::TooLong { is_position: false }));
        assert_eq!(next(), Some(Text::Line("stop".to_owned())));
        assert_eq!(next(), None);
    }

    #[test]
    fn a_line_of_exactly_the_limit_ends_where_it_ends() {
        let mut bytes = vec![b'x'; BYTES_MAX];
        bytes.extend(b"\nstop\n");
        let mut reader = bytes.as_slice();
        assert_eq!(
            read_line(&mut reader).unwrap(),
            Some(Text::TooLong { is_position: false })
        );
        assert_eq!(
            read_line(&mut reader).unwrap(),
            Some(Text::Line("stop".to_owned()))
        );
    }
}
