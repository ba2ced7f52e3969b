//! Splits PGN comments into text and commands such as `[%clk 0:10:00]`.

/// Returns the comment without the commands selected by `is_gone`, with single spaces between words.
pub(super) fn without(comment: &str, is_gone: impl Fn(&str) -> bool) -> String {
    let mut kept = String::new();
    let mut rest = comment;
    while let Some((before, command)) = rest.split_once("[%") {
        let Some((inside, after)) = command.split_once(']') else {
            break;
        };
        kept.push_str(before);
        if is_gone(inside.split_whitespace().next().unwrap_or_default()) {
            kept.push(' ');
        } else {
            kept.extend(["[%", inside, "]"]);
        }
        rest = after;
    }
    kept.push_str(rest);
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the text of comments, skipping those that consist of commands only.
pub(super) fn words(comments: &[String]) -> Vec<String> {
    let words = comments.iter().map(|comment| without(comment, |_| true));
    words.filter(|words| !words.is_empty()).collect()
}

/// Returns the player's clock time, if given.
pub(super) fn clock(comments: &[String]) -> Option<String> {
    comments.iter().find_map(|comment| {
        let (_, command) = comment.split_once("[%clk ")?;
        let (time, _) = command.split_once(']')?;
        Some(time.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_words() {
        for (comment, without_eval, said) in [
            ("[%clk 0:10:00][%eval 0.3] ok", "[%clk 0:10:00] ok", "ok"),
            ("a[%eval 1.0]b [%csl Ga1,Ra2]", "a b [%csl Ga1,Ra2]", "a b"),
            ("[%eval #-3,20]", "", ""),
            ("no end [%eval 1", "no end [%eval 1", "no end [%eval 1"),
        ] {
            assert_eq!(without(comment, |name| name == "eval"), without_eval);
            assert_eq!(words(&[comment.to_owned()]).concat(), said);
        }
        let comments = ["a", "[%emt 1] [%clk 0:01:02] b"].map(str::to_owned);
        assert_eq!(clock(&comments).as_deref(), Some("0:01:02"));
    }
}
