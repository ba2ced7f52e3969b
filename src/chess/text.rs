//! Text files as people keep them, whatever program wrote them.

/// The text of a file: UTF-16 where a byte order mark says so, UTF-8, or else Latin-1; without that mark and a final
/// Ctrl-Z, and with lines that end in `\n` wherever they ended in `\r\n` or a lone `\r`.
pub fn decode(bytes: &[u8]) -> String {
    let text = match bytes {
        [0xff, 0xfe, units @ ..] => utf16(units, u16::from_le_bytes),
        [0xfe, 0xff, units @ ..] => utf16(units, u16::from_be_bytes),
        _ => utf8_or_latin1(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)),
    };
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let end = text.trim_end_matches(['\u{1a}', '\0']);
    end.to_owned()
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    // Half a unit at the end can only be left over from a file that was cut off.
    let (units, rest) = bytes.as_chunks::<2>();
    let units: Vec<u16> = units.iter().map(|&pair| unit(pair)).collect();
    let mut text = String::from_utf16_lossy(&units);
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    text
}

fn utf8_or_latin1(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_all_ages_are_read() {
        assert_eq!(decode(b"\xef\xbb\xbfa\r\nb\rc\n\x1a"), "a\nb\nc\n");
        assert_eq!(decode("Müller".as_bytes()), "Müller");
        assert_eq!(decode(b"M\xfcller"), "Müller");
        assert_eq!(decode(b""), "");
        assert_eq!(decode(b"\xff\xfeM\0\xfc\0\r\0\n\0a\0\x1a\0"), "M\u{fc}\na");
        assert_eq!(decode(b"\xfe\xff\0M\0\xfc"), "M\u{fc}");
        assert_eq!(decode(b"\xff\xfe"), "");
        assert_eq!(decode(b"\xff\xfee\x004"), "e\u{fffd}");
    }
}
