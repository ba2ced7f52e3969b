//! Glyphs (NAGs) and their printed signs.

/// Numbers and signs; assessments of moves come first.
const SIGNS: [(u8, &str); 16] = [
    (1, "!"),
    (2, "?"),
    (3, "!!"),
    (4, "??"),
    (5, "!?"),
    (6, "?!"),
    (7, "□"),
    (8, "□"),
    (10, "="),
    (13, "∞"),
    (14, "⩲"),
    (15, "⩱"),
    (16, "±"),
    (17, "∓"),
    (18, "+−"),
    (19, "−+"),
];

/// Returns the sign of a glyph, if it has one.
pub fn sign(glyph: u8) -> Option<&'static str> {
    let known = SIGNS.iter().find(|(number, _)| *number == glyph);
    known.map(|(_, sign)| *sign)
}

/// Returns the glyph of a sign, in print or as typed.
pub(super) fn of_sign(word: &str) -> Option<u8> {
    let sign = match word {
        "+=" | "+/=" => "⩲",
        "=+" | "=/+" => "⩱",
        "+/-" => "±",
        "-/+" => "∓",
        "+-" => "+−",
        "-+" => "−+",
        other => other,
    };
    let known = SIGNS.iter().find(|(_, known)| *known == sign);
    known.map(|(number, _)| *number)
}
