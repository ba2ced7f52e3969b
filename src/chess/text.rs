//! Decoding of text files from any program.

use encoding_rs::{UTF_8, WINDOWS_1252};

/// Decodes a text file: UTF-16 with a byte order mark, UTF-8, or else Windows-1252, which includes Latin-1.
/// Removes the mark and trailing Ctrl-Z or NUL characters, and converts `\r\n` and `\r` to `\n`.
pub fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let is_utf8 = std::str::from_utf8(bytes).is_ok();
    let encoding = if is_utf8 { UTF_8 } else { WINDOWS_1252 };
    // A UTF-16 byte order mark overrides this; such text is never valid UTF-8.
    let (text, ..) = encoding.decode(bytes);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let end = text.trim_end_matches(['\u{1a}', '\0']);
    end.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_all_ages_are_read() {
        assert_eq!(decode(b"\xef\xbb\xbfa\r\nb\rc\n\x1a"), "a\nb\nc\n");
        assert_eq!(decode("Müller".as_bytes()), "Müller");
        assert_eq!(decode(b"M\xfcller"), "Müller");
        assert_eq!(
            decode(b"\x93smart\x94 \x96 \x80 \x8a\x9f"),
            "“smart” – € ŠŸ"
        );
        assert_eq!(decode("a\u{93}".as_bytes()), "a\u{93}");
        assert_eq!(decode(b"\xef\xbb\xbf\x80"), "€");
        assert_eq!(decode(b""), "");
        assert_eq!(decode(b"\xff\xfeM\0\xfc\0\r\0\n\0a\0\x1a\0"), "M\u{fc}\na");
        assert_eq!(decode(b"\xfe\xff\0M\0\xfc"), "M\u{fc}");
        assert_eq!(decode(b"\xff\xfe"), "");
        assert_eq!(decode(b"\xff\xfee\x004"), "e\u{fffd}");
    }
}
