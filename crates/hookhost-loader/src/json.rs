//! JSON with places: strict parsing, and typed reading that says where a value is and what to write instead.

use jsonc_parser::ast::{NumberLit, Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use jsonc_parser::{CollectOptions, ParseOptions, ParseStringErrorKind, parse_to_ast};

use crate::text::shown;

/// The deepest nesting that is read. Far more than any settings need, and within what every reader of JSON accepts.
pub(crate) const MAX_NESTING: usize = 100;

/// A parsed text: once with the place of everything, once as plain data.
pub(crate) struct Document<'t> {
    pub(crate) tree: Value<'t>,
    pub(crate) data: serde_json::Value,
}

/// A text that is not JSON, or a value of the wrong type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The byte it is about.
    pub(crate) offset: usize,
    /// What is wrong and what to write.
    pub(crate) message: String,
}

impl Fault {
    fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into() }
    }
}

/// Parses JSON as `JSON.parse` does, up to [`MAX_NESTING`]. Two oddities that `JSON.parse` lets pass are refused, since
/// Rust has no value for them: half a surrogate pair, and a number beyond the range of f64.
///
/// Two parsers have a say: `jsonc-parser` knows the place of each value, and its messages come first since they name
/// what was meant; but it lets some things pass that are not JSON (raw line breaks in strings, exotic blanks), so
/// `serde_json` has the last word.
pub(crate) fn parse(text: &str) -> Result<Document<'_>, Fault> {
    if text.trim().is_empty() {
        return Err(Fault::new(0, "the file is empty: write a JSON object"));
    }
    let raw_break = control_in_string(text);
    let tree = match parse_to_ast(text, &CollectOptions::default(), &strict()) {
        Ok(result) => result.value,
        Err(error) => {
            // A string that was never closed swallows the next lines, and the parser stumbles far below the mistake.
            let fault = match raw_break {
                Some(place) if place.string_start <= error.range().start => place.fault(text),
                _ => syntax_fault(text, &error),
            };
            return Err(fault);
        }
    };
    if let Some(place) = raw_break {
        return Err(place.fault(text));
    }
    let Some(tree) = tree else {
        return Err(Fault::new(0, "bad JSON: no value in it"));
    };
    if let Some(offset) = too_deep(&tree, MAX_NESTING) {
        return Err(nesting_fault(offset));
    }
    if let Some(number) = too_large(&tree) {
        let message = format!("bad JSON: the number {} is too large", shown(number.value));
        return Err(Fault::new(number.start(), message));
    }
    let data = serde_json::from_str(text).map_err(|error| last_word(text, &error))?;
    Ok(Document { tree, data })
}

fn strict() -> ParseOptions {
    ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn syntax_fault(text: &str, error: &ParseError) -> Fault {
    use ParseErrorKind as Kind;
    let range = error.range();
    let found = text.get(range.start..range.end).map(shown).filter(|found| !found.is_empty());
    let what = match error.kind() {
        Kind::NestingDepthExceeded => return nesting_fault(range.start),
        Kind::CommentsNotAllowed | Kind::UnterminatedCommentBlock => "comments are not allowed: remove it".into(),
        Kind::TrailingCommasNotAllowed => "a comma after the last entry: remove it".into(),
        Kind::ExpectedComma => "a comma is missing here".into(),
        Kind::ExpectedColonAfterObjectKey => "a `:` is missing after the key".into(),
        Kind::ExpectedObjectValue => "a value is missing after the `:`".into(),
        Kind::ExpectedStringObjectProperty | Kind::SingleQuotedStringsNotAllowed => {
            "keys and strings need double quotes".into()
        }
        Kind::MultipleRootJsonValues => "something follows the end of the JSON value: remove it".into(),
        Kind::UnterminatedObject => "this `{` is never closed: is the end of the file missing?".into(),
        Kind::UnterminatedArray => "this `[` is never closed: is the end of the file missing?".into(),
        Kind::String(ParseStringErrorKind::UnterminatedStringLiteral) => {
            "this string is never closed: is a `\"` missing?".into()
        }
        Kind::String(ParseStringErrorKind::InvalidUnicodeEscapeSequence(_)) => {
            "a `\\u` escape that stands for no character".into()
        }
        Kind::String(ParseStringErrorKind::ExpectedFourHexDigits) => "`\\u` needs four hexadecimal digits".into(),
        Kind::String(_) => "an escape that JSON does not have: write `\\\\` for a backslash".into(),
        Kind::UnexpectedCloseBrace
        | Kind::UnexpectedCloseBracket
        | Kind::UnexpectedColon
        | Kind::UnexpectedComma
        | Kind::UnexpectedToken
        | Kind::UnexpectedTokenInObject
        | Kind::UnexpectedWord => match found {
            Some(found) => format!("unexpected `{found}`"),
            None => "the file ends too early".into(),
        },
        other => {
            let text = other.to_string();
            let mut letters = text.chars();
            match letters.next() {
                Some(first) => format!("{}{}", first.to_lowercase(), letters.as_str()),
                None => text,
            }
        }
    };
    Fault::new(range.start, format!("bad JSON: {what}"))
}

fn nesting_fault(offset: usize) -> Fault {
    Fault::new(offset, format!("nested more than {MAX_NESTING} levels deep: make it flatter"))
}

/// What `serde_json` refuses although the first parser did not.
fn last_word(text: &str, error: &serde_json::Error) -> Fault {
    let line_start = match error.line() {
        0 | 1 => 0,
        line => text.match_indices('\n').nth(line - 2).map_or(0, |(newline, _)| newline + 1),
    };
    let offset = line_start + error.column().saturating_sub(1);
    let blank = text.get(offset..).and_then(|rest| rest.chars().next());
    if let Some(blank) = blank.filter(|c| c.is_whitespace() && !matches!(c, ' ' | '\t' | '\n' | '\r')) {
        let message = format!("bad JSON: U+{:04X} is no blank in JSON: write a space", u32::from(blank));
        return Fault::new(offset, message);
    }
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = error.to_string();
    let message = message.strip_suffix(&place).unwrap_or(&message);
    Fault::new(offset, format!("bad JSON: {message}"))
}

struct ControlInString {
    string_start: usize,
    offset: usize,
}

impl ControlInString {
    fn fault(&self, text: &str) -> Fault {
        if text[self.offset..].starts_with(['\n', '\r']) {
            // The place to look at is the string, not the end of its line.
            Fault::new(
                self.string_start,
                "bad JSON: this string is never closed on its line: is a `\"` missing? (a line break is written `\\n`)",
            )
        } else {
            Fault::new(self.offset, "bad JSON: a control character in a string: write it as an escape, as in `\\t`")
        }
    }
}

fn control_in_string(text: &str) -> Option<ControlInString> {
    let mut string_start = None;
    let mut bytes = text.bytes().enumerate();
    while let Some((offset, byte)) = bytes.next() {
        match (string_start, byte) {
            (None, b'"') => string_start = Some(offset),
            (Some(_), b'"') => string_start = None,
            (Some(start), 0..0x20) => {
                return Some(ControlInString { string_start: start, offset });
            }
            (Some(_), b'\\') => {
                bytes.next();
            }
            _ => {}
        }
    }
    None
}

/// The place of the first value below `levels` levels.
fn too_deep(value: &Value, levels: usize) -> Option<usize> {
    let Some(levels) = levels.checked_sub(1) else {
        return matches!(value, Value::Object(_) | Value::Array(_)).then(|| value.start());
    };
    match value {
        Value::Object(object) => object.properties.iter().find_map(|property| too_deep(&property.value, levels)),
        Value::Array(array) => array.elements.iter().find_map(|element| too_deep(element, levels)),
        _ => None,
    }
}

/// The first number that is beyond the range of f64.
fn too_large<'v, 't>(value: &'v Value<'t>) -> Option<&'v NumberLit<'t>> {
    match value {
        Value::NumberLit(number) => number.value.parse::<f64>().is_ok_and(f64::is_infinite).then_some(number),
        Value::Object(object) => object.properties.iter().find_map(|property| too_large(&property.value)),
        Value::Array(array) => array.elements.iter().find_map(too_large),
        _ => None,
    }
}

/// What a value is, in words.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::NullKeyword(_) => "null",
        Value::BooleanLit(_) => "a boolean",
        Value::NumberLit(_) => "a number",
        Value::StringLit(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A fault of `value`, which `name` names in messages: not what was `expected`.
fn wrong_type(name: &str, value: &Value, expected: &str) -> Fault {
    Fault::new(value.start(), format!("{name} is {}: write {expected}", kind(value)))
}

pub(crate) fn string<'v>(name: &str, value: &'v Value, expected: &str) -> Result<&'v str, Fault> {
    match value {
        Value::StringLit(literal) => Ok(&literal.value),
        _ => Err(wrong_type(name, value, expected)),
    }
}

pub(crate) fn number(name: &str, value: &Value, expected: &str) -> Result<f64, Fault> {
    match value {
        // Every number that is left at this point is a JSON number within the range of f64.
        Value::NumberLit(literal) => literal.value.parse().map_err(|_| wrong_type(name, value, expected)),
        _ => Err(wrong_type(name, value, expected)),
    }
}

pub(crate) fn object<'v, 't>(name: &str, value: &'v Value<'t>, expected: &str) -> Result<&'v Object<'t>, Fault> {
    match value {
        Value::Object(object) => Ok(object),
        _ => Err(wrong_type(name, value, expected)),
    }
}

pub(crate) fn list<'v, 't>(name: &str, value: &'v Value<'t>, expected: &str) -> Result<&'v [Value<'t>], Fault> {
    match value {
        Value::Array(array) => Ok(&array.elements),
        _ => Err(wrong_type(name, value, expected)),
    }
}

/// A text and the byte where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) text: String,
    pub(crate) offset: usize,
}

impl Placed {
    pub(crate) fn key(property: &ObjectProp) -> Self {
        Self { text: property.name.as_str().to_owned(), offset: property.start() }
    }
}

pub(crate) fn placed_string(name: &str, value: &Value, expected: &str) -> Result<Placed, Fault> {
    string(name, value, expected).map(|text| Placed { text: text.to_owned(), offset: value.start() })
}

/// The strings of a list, and what is wrong with the other elements.
pub(crate) fn strings(name: &str, value: &Value, expected: &str) -> (Vec<Placed>, Vec<Fault>) {
    let elements = match list(name, value, expected) {
        Ok(elements) => elements,
        Err(fault) => return (Vec::new(), vec![fault]),
    };
    let mut strings = Vec::new();
    let mut faults = Vec::new();
    for element in elements {
        match placed_string(&format!("an entry of {name}"), element, "a string") {
            Ok(string) => strings.push(string),
            Err(fault) => faults.push(fault),
        }
    }
    (strings, faults)
}

/// The keys that an object has twice: the later ones, at every depth.
pub(crate) fn repeated_keys(value: &Value) -> Vec<Placed> {
    let mut repeated = Vec::new();
    collect_repeated(value, &mut repeated);
    repeated
}

fn collect_repeated(value: &Value, repeated: &mut Vec<Placed>) {
    match value {
        Value::Object(object) => {
            let (_, again) = split_repeated(object);
            repeated.extend(again.into_iter().map(Placed::key));
            for property in &object.properties {
                collect_repeated(&property.value, repeated);
            }
        }
        Value::Array(array) => {
            for element in &array.elements {
                collect_repeated(element, repeated);
            }
        }
        _ => {}
    }
}

/// The properties of an object whose key is new, and those whose key came before.
pub(crate) fn split_repeated<'v, 't>(object: &'v Object<'t>) -> (Vec<&'v ObjectProp<'t>>, Vec<&'v ObjectProp<'t>>) {
    let mut seen = std::collections::HashSet::new();
    object.properties.iter().partition(|property| seen.insert(property.name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        match parse(text) {
            Ok(document) => panic!("{text:?} was read as {}", document.data),
            Err(fault) => format!("{}: {}", fault.offset, fault.message),
        }
    }

    #[test]
    fn only_json_is_accepted() {
        for text in [
            "",
            "{",
            "[",
            "{\"a\": 1,}",
            "[1,]",
            "{a: 1}",
            "{'a': 1}",
            "{\"a\" 1}",
            "{\"a\":}",
            "{\"a\": 1 \"b\": 2}",
            "[1 2]",
            "[[1] [2]]",
            "{} {}",
            "// c\n{}",
            "{} /* c */",
            "[0x1]",
            "[+1]",
            "[.5]",
            "[5.]",
            "[01]",
            "[NaN]",
            "[Infinity]",
            "[-Infinity]",
            "[1e999]",
            "[\"\\x41\"]",
            "[\"\\ud800\"]",
            "[\"\\u12\"]",
            "[\"a\nb\"]",
            "[\"a\tb\"]",
            "[\"a]",
            "[undefined]",
            "\u{a0}{}",
            "\u{b}{}",
            "[1,,2]",
            "[,1]",
            "]",
            "\u{0}",
        ] {
            refusal(text);
        }
        for text in ["{}", " [1, -2.5e3, \"\\u00e9\\n\", true, null, {\"a\": []}]\r\n", "\"x\"", "0"] {
            assert!(parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_string_that_swallows_lines_is_found_where_it_starts() {
        let text = "{\n  \"name\": \"guard,\n  \"points\": [\"preInput\"]\n}";
        assert_eq!(
            refusal(text),
            "12: bad JSON: this string is never closed on its line: is a `\"` missing? (a line break is written `\\n`)"
        );
        // A quote in a comment opens no string.
        assert_eq!(refusal("{ // say \"hi\n}"), "2: bad JSON: comments are not allowed: remove it");
    }

    #[test]
    fn depth_is_limited_and_costs_no_stack() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(parse(&nested(MAX_NESTING)).is_ok());
        let message = format!("{MAX_NESTING}: nested more than {MAX_NESTING} levels deep: make it flatter");
        assert_eq!(refusal(&nested(MAX_NESTING + 1)), message);
        assert!(refusal(&"[".repeat(100_000)).contains("levels deep"));
        assert!(refusal(&"{\"a\":".repeat(100_000)).contains("levels deep"));
    }

    #[test]
    fn the_last_word_has_a_place() {
        assert_eq!(refusal("{\n \"a\":\u{a0}1 }"), "7: bad JSON: U+00A0 is no blank in JSON: write a space");
    }
}
