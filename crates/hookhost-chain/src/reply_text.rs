//! JSON as JavaScript writes it.

use serde_json::Value;

/// Reads JSON text that JavaScript wrote.
///
/// A JavaScript string may hold half of a surrogate pair (`text.slice(0, 100)` in the middle of an emoji), and
/// `JSON.stringify` writes it as an escape that no Rust string can hold. A hook that blocks with such a reason still
/// blocks: the half becomes U+FFFD, as it does wherever else such a string leaves JavaScript.
pub(crate) fn read_json(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).or_else(|error| {
        // Rare enough to pay for a second reading.
        match replace_lone_surrogates(text) {
            Some(repaired) => serde_json::from_str(&repaired),
            None => Err(error),
        }
    })
}

/// The text with every lone surrogate escape replaced, or `None` if it has none.
fn replace_lone_surrogates(text: &str) -> Option<String> {
    let mut repaired = String::with_capacity(text.len());
    let mut found = false;
    let mut rest = text;
    while let Some(backslash) = rest.find('\\') {
        repaired.push_str(&rest[..backslash]);
        rest = &rest[backslash..];
        let length = match unicode_escape(rest) {
            Some(0xD800..=0xDBFF) if matches!(unicode_escape(&rest[6..]), Some(0xDC00..=0xDFFF)) => 12,
            Some(0xD800..=0xDFFF) => {
                found = true;
                repaired.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            Some(_) => 6,
            // Another escape, or no JSON at all: the backslash and what it escapes.
            None => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        repaired.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    repaired.push_str(rest);
    found.then_some(repaired)
}

/// The code unit of a `\uXXXX` at the start of `text`.
fn unicode_escape(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn half_a_pair_becomes_the_replacement_character() {
        for (text, value) in [
            (r#""\ud83d""#, "\u{fffd}"),
            (r#""a\uDE00b""#, "a\u{fffd}b"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
            (r#""\ud83d\n""#, "\u{fffd}\n"),
            (r#""\\\ud83d\\ud83d""#, "\\\u{fffd}\\ud83d"),
            (r#""é\ud83dé""#, "é\u{fffd}é"),
        ] {
            assert_eq!(read_json(text).unwrap(), json!(value), "{text}");
        }
    }

    #[test]
    fn whole_text_is_left_alone() {
        for text in [r#""\ud83d\ude00""#, r#""\\ud83d""#, r#""\u00e9""#, "\"\u{1f600}\"", "{}"] {
            assert_eq!(replace_lone_surrogates(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_json_stays_none() {
        for text in ["", "\\", "\\u", "\\ud8", "\\ué000", "\"\\ud83d", "\\é", "undefined"] {
            assert!(read_json(text).is_err(), "{text}");
        }
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        assert!(read_json(&deep).is_err());
    }
}
