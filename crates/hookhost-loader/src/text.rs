//! Texts that others wrote, made fit for a message: short, and nothing in them that a terminal would obey.

use std::path::Path;

/// A path as messages show it: forward slashes, and nothing that a terminal would obey.
pub(crate) fn path_text(path: &Path) -> String {
    let text = path.to_string_lossy();
    // Elsewhere a backslash is an ordinary character of a name.
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
    without_controls(&text)
}

/// A text from a file, as messages quote it: short, and nothing that a terminal would obey.
pub(crate) fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", without_controls(&text[..end])),
        None => without_controls(text),
    }
}

/// Names in backticks, as messages list them: the first few, and how many more there are.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 8;
    let names: Vec<_> = names.into_iter().collect();
    let mut text = names.iter().take(MOST).map(|name| format!("`{}`", shown(name))).collect::<Vec<_>>().join(", ");
    if names.len() > MOST {
        text.push_str(&format!(" and {} more", names.len() - MOST));
    }
    text
}

/// The text with its control characters written out.
pub(crate) fn without_controls(text: &str) -> String {
    // Besides control characters: the marks that reverse the direction of text, which can disguise a path.
    let obeyed = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars()
        .map(|c| match obeyed(c) {
            true => c.escape_default().to_string(),
            false => c.to_string(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_text_is_short_and_harmless() {
        assert_eq!(shown("guard"), "guard");
        assert_eq!(shown("\u{1b}[2J\n"), "\\u{1b}[2J\\n");
        assert_eq!(shown(&"é".repeat(61)), format!("{}…", "é".repeat(60)));
        assert_eq!(
            listed(["a", "b", "c", "d", "e", "f", "g", "h", "i"]),
            "`a`, `b`, `c`, `d`, `e`, `f`, `g`, `h` and 1 more"
        );
    }
}
