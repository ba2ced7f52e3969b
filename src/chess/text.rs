//! Text files as people keep them, whatever program wrote them.

/// The text of a file: UTF-8, or else Latin-1; without byte order mark and final Ctrl-Z, and with lines that end in `\n`
/// wherever they ended in `\r\n` or a lone `\r`.
pub fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    };
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
        assert_eq!(decode(b""), "");
    }
}
