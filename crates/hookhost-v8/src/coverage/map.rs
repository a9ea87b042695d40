//! V8's counts, which go by ranges of the text it was given, in terms of the author's lines.

use std::collections::BTreeMap;
use std::path::Path;

use deno_ast::swc::lexer::token::Token;
use deno_ast::{MediaType, TokenOrComment};
use deno_core::sourcemap::SourceMap;
use serde::Deserialize;

use super::{FileCoverage, FunctionCoverage};
use crate::modules::typescript;

/// One script, as the inspector tells of it.
#[derive(Debug, Deserialize)]
pub(super) struct Script {
    pub(super) url: String,
    functions: Vec<Function>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Function {
    function_name: String,
    ranges: Vec<Range>,
}

/// From and to in UTF-16 units. Ranges are nested, never overlapping.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Range {
    start_offset: usize,
    end_offset: usize,
    count: u64,
}

/// What V8 was given for a file.
#[derive(Debug, Clone)]
pub(crate) struct SourceText {
    /// The text.
    pub(crate) code: String,
    /// The way back to the author's text, where that is another one.
    pub(crate) map: Option<Vec<u8>>,
}

/// A place in a file, both from 1.
type Place = (u32, u32);

/// `None` if the script is not this text: another script goes by the same URL where a CommonJS module is imported.
pub(super) fn coverage(script: &Script, source: &SourceText, path: &Path) -> Option<FileCoverage> {
    let text = Text::new(&source.code);
    let ranges = || script.functions.iter().flat_map(|function| &function.ranges);
    if ranges().map(|range| range.end_offset).max() != Some(text.length) {
        return None;
    }
    let map = match &source.map {
        Some(map) => Some(SourceMap::from_slice(map).ok()?),
        None => None,
    };
    // Where a byte of the text is for its author.
    let place = |byte: usize| -> Option<Place> {
        let (line, column) = text.place(byte);
        match &map {
            None => Some((line + 1, column + 1)),
            Some(map) => {
                let token = map.lookup_token(line, column)?;
                // What is before the first mapping of its line belongs to no line of the author's.
                (token.get_dst_line() == line).then(|| (token.get_src_line() + 1, token.get_src_col() + 1))
            }
        }
    };
    let counts = Counts::new(ranges().copied().collect());
    let mut lines = BTreeMap::new();
    for byte in code_bytes(&source.code)? {
        let Some((line, _)) = place(byte) else { continue };
        let count = counts.at(text.utf16(byte));
        let most: &mut u64 = lines.entry(line).or_default();
        *most = count.max(*most);
    }
    Some(FileCoverage { path: path.to_owned(), lines, functions: functions(script, &text, place) })
}

/// Every function but the module itself.
fn functions(script: &Script, text: &Text, place: impl Fn(usize) -> Option<Place>) -> Vec<FunctionCoverage> {
    let mut functions = Vec::new();
    for function in &script.functions {
        let Some(range) = function.ranges.first() else { continue };
        if range.start_offset == 0 && range.end_offset == text.length {
            continue;
        }
        let Some((line, column)) = text.byte(range.start_offset).and_then(&place) else { continue };
        functions.push(FunctionCoverage { name: function.function_name.clone(), line, column, count: range.count });
    }
    functions.sort();
    for function in functions.iter_mut().filter(|function| function.name.is_empty()) {
        function.name = format!("(anonymous_{}:{})", function.line, function.column);
    }
    functions
}

/// Where each token begins that is more than a bracket or a comma. `None` for a text that cannot be read.
fn code_bytes(code: &str) -> Option<Vec<usize>> {
    let tokens = typescript::on_a_stack(|| Ok(deno_ast::lex(code, MediaType::JavaScript))).ok()?;
    let is_code = |token: &Token| {
        !matches!(
            token,
            Token::LParen
                | Token::RParen
                | Token::LBracket
                | Token::RBracket
                | Token::LBrace
                | Token::RBrace
                | Token::Semi
                | Token::Comma
                | Token::Error(_)
        )
    };
    let code = tokens.into_iter().filter_map(|item| match item.inner {
        TokenOrComment::Token(token) if is_code(&token) => Some(item.range.start),
        _ => None,
    });
    Some(code.collect())
}

/// A text whose places are asked for by bytes, by lines and by UTF-16 units.
struct Text<'t> {
    text: &'t str,
    /// Where each line begins, in bytes.
    lines: Vec<usize>,
    /// The length in UTF-16 units.
    length: usize,
    /// For a text that is all ASCII, bytes and units are the same.
    is_ascii: bool,
}

impl<'t> Text<'t> {
    fn new(text: &'t str) -> Self {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let is_ascii = text.is_ascii();
        let length = if is_ascii { text.len() } else { text.encode_utf16().count() };
        Self { text, lines, length, is_ascii }
    }

    /// Line and column of a byte, both from 0; the column in UTF-16 units.
    fn place(&self, byte: usize) -> (u32, u32) {
        let line = self.lines.partition_point(|start| *start <= byte).saturating_sub(1);
        let start = self.lines.get(line).copied().unwrap_or_default();
        let column = self.text.get(start..byte).map_or(0, |text| text.encode_utf16().count());
        (line as u32, column as u32)
    }

    /// The unit of a byte.
    fn utf16(&self, byte: usize) -> usize {
        if self.is_ascii { byte } else { self.text.get(..byte).map_or(byte, |text| text.encode_utf16().count()) }
    }

    /// The byte of a unit.
    fn byte(&self, unit: usize) -> Option<usize> {
        if self.is_ascii {
            return (unit <= self.text.len()).then_some(unit);
        }
        let mut units = 0;
        for (byte, c) in self.text.char_indices() {
            if units >= unit {
                return Some(byte);
            }
            units += c.len_utf16();
        }
        (units == unit).then_some(self.text.len())
    }
}

/// Which count holds where.
struct Counts {
    /// From which unit on, which count; ascending.
    steps: Vec<(usize, u64)>,
}

impl Counts {
    fn new(mut ranges: Vec<Range>) -> Self {
        // Outer ones first; of the same extent, as they were told: a function's own count comes before that of its blocks.
        ranges.sort_by_key(|range| (range.start_offset, std::cmp::Reverse(range.end_offset)));
        let mut steps = vec![(0, 0)];
        let mut open: Vec<Range> = Vec::new();
        let close = |open: &mut Vec<Range>, steps: &mut Vec<(usize, u64)>, until: usize| {
            while let Some(range) = open.pop_if(|range| range.end_offset <= until) {
                steps.push((range.end_offset, open.last().map_or(0, |outer| outer.count)));
            }
        };
        for range in ranges {
            close(&mut open, &mut steps, range.start_offset);
            steps.push((range.start_offset, range.count));
            open.push(range);
        }
        close(&mut open, &mut steps, usize::MAX);
        Self { steps }
    }

    /// The count of the innermost range around a unit.
    fn at(&self, unit: usize) -> u64 {
        let after = self.steps.partition_point(|(start, _)| *start <= unit);
        after.checked_sub(1).and_then(|last| self.steps.get(last)).map_or(0, |(_, count)| *count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(functions: serde_json::Value) -> Script {
        serde_json::from_value(serde_json::json!({ "url": "file:///a.mjs", "functions": functions })).unwrap()
    }

    fn range(text: &str, part: &str, count: u64) -> serde_json::Value {
        let start = text.find(part).unwrap();
        let units = |text: &str| text.encode_utf16().count();
        let from = units(&text[..start]);
        serde_json::json!({ "startOffset": from, "endOffset": from + units(part), "count": count })
    }

    #[test]
    fn a_line_has_the_count_of_the_part_that_ran_most() {
        let code = "// é𝄞 a comment\nexport function f(a) {\n  if (a) {\n    return 1;\n  } else {\n    no();\n  }\n}\nconst g = () => 2;\n";
        let whole = range(code, code, 1);
        let script = script(serde_json::json!([
            { "functionName": "", "ranges": [whole] },
            { "functionName": "f", "ranges": [
                range(code, "function f(a) {\n  if (a) {\n    return 1;\n  } else {\n    no();\n  }\n}", 3),
                range(code, " else {\n    no();\n  }", 0),
            ] },
            { "functionName": "", "ranges": [range(code, "() => 2", 0)] },
        ]));
        let source = SourceText { code: code.to_owned(), map: None };
        let found = coverage(&script, &source, Path::new("/a.mjs")).unwrap();
        let lines: Vec<_> = found.lines.into_iter().collect();
        assert_eq!(lines, [(2, 3), (3, 3), (4, 3), (5, 0), (6, 0), (9, 1)]);
        let functions: Vec<_> = found.functions.iter().map(|f| (f.name.as_str(), f.line, f.column, f.count)).collect();
        assert_eq!(functions, [("f", 2, 8, 3), ("(anonymous_9:11)", 9, 11, 0)]);
    }

    #[test]
    fn a_script_of_another_length_is_another_script() {
        let source = SourceText { code: "a();\n".to_owned(), map: None };
        let other = script(serde_json::json!([
            { "functionName": "", "ranges": [{ "startOffset": 0, "endOffset": 99, "count": 1 }] },
        ]));
        assert_eq!(coverage(&other, &source, Path::new("/a.mjs")), None);
    }

    #[test]
    fn ranges_in_ranges_count_innermost() {
        let range = |start_offset, end_offset, count| Range { start_offset, end_offset, count };
        let counts = Counts::new(vec![range(0, 100, 1), range(10, 50, 5), range(20, 30, 0), range(50, 60, 2)]);
        for (unit, count) in [(0, 1), (10, 5), (19, 5), (20, 0), (29, 0), (30, 5), (50, 2), (59, 2), (60, 1), (100, 0)]
        {
            assert_eq!(counts.at(unit), count, "{unit}");
        }
    }
}
