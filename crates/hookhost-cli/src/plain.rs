//! Text that hooks and payloads wrote, made fit for a terminal.

/// The text with everything written out that a terminal would obey: a reason may quote what a model wrote. Line ends
/// and tabs stay; the lines after the first begin with `indent`.
pub(crate) fn plain(text: &str, indent: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => {
                out.push('\n');
                out.push_str(indent);
            }
            '\t' => out.push(c),
            // Besides control characters: the marks that reverse the direction of text, which can disguise it.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.extend(c.escape_default()),
            _ if c.is_control() => out.extend(c.escape_default()),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn what_a_terminal_would_obey_is_written_out() {
        assert_eq!(plain("grüße\tyou", ""), "grüße\tyou");
        assert_eq!(plain("\u{1b}[31mred\u{7}", ""), "\\u{1b}[31mred\\u{7}");
        assert_eq!(plain("a\u{9b}2J\u{202e}b", ""), "a\\u{9b}2J\\u{202e}b");
    }

    #[test]
    fn later_lines_are_indented() {
        assert_eq!(plain("one\r\ntwo", "  "), "one\\r\n  two");
    }
}
