//! JSON on its way to JavaScript.
//!
//! V8's `JSON.parse` guesses the next key of an object from objects that it has seen before, and compares the guess with
//! the text as it is written. After an object with the key `\n` (a backslash and an n), it takes the key that is written
//! `"\n"` (a line end) for that one. So a payload could show a hook other keys than the tool gets. Where a key is written
//! with a backslash, objects are handed over as lists, and `js/hook.js` makes objects of them again.

use std::borrow::Cow;

/// How such a text begins: no JSON does.
const AS_LISTS: char = '!';
/// What a list begins with that stands for an array, and one that stands for an object.
const ARRAY: char = '0';
const OBJECT: char = '1';

/// The text that `parse` in `js/hook.js` reads `json` from.
pub(crate) fn to_javascript(json: &str) -> Cow<'_, str> {
    match has_escaped_key(json) {
        true => Cow::Owned(as_lists(json)),
        false => Cow::Borrowed(json),
    }
}

/// True if a key of an object is written with a backslash.
fn has_escaped_key(json: &str) -> bool {
    // The usual case, and a quick one.
    if !json.contains('\\') {
        return false;
    }
    let mut bytes = json.bytes().peekable();
    while bytes.by_ref().any(|byte| byte == b'"') {
        let mut escaped = false;
        while let Some(byte) = bytes.next() {
            match byte {
                b'"' => break,
                b'\\' => {
                    escaped = true;
                    bytes.next();
                }
                _ => {}
            }
        }
        while bytes.next_if(|byte| byte.is_ascii_whitespace()).is_some() {}
        if escaped && bytes.peek() == Some(&b':') {
            return true;
        }
    }
    false
}

/// Only brackets and colons are others then; what is in a string stays. However deep it nests, nothing is parsed.
fn as_lists(json: &str) -> String {
    let mut lists = String::with_capacity(json.len() + json.len() / 4);
    lists.push(AS_LISTS);
    let (mut in_string, mut escaped) = (false, false);
    for (at, character) in json.char_indices() {
        if in_string {
            lists.push(character);
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
            continue;
        }
        match character {
            '{' | '[' => {
                lists.push('[');
                lists.push(if character == '{' { OBJECT } else { ARRAY });
                let is_empty = json[at + 1..].trim_start().starts_with(['}', ']']);
                lists.extend((!is_empty).then_some(','));
            }
            '}' => lists.push(']'),
            ':' => lists.push(','),
            _ => {
                in_string = character == '"';
                lists.push(character);
            }
        }
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_are_written_as_they_are_pass() {
        for json in [r#"{"a":"\n","b":["\\",{"c":"\""}]}"#, r#"{"é":1}"#, "{}", "[]", r#""\\""#, ""] {
            assert_eq!(to_javascript(json), json);
        }
    }

    #[test]
    fn an_escaped_key_makes_lists_of_objects() {
        for (json, lists) in [
            (r#"{"\n":1}"#, r#"![1,"\n",1]"#),
            (r#"{"a":[{"\\":{}},"x"]}"#, r#"![1,"a",[0,[1,"\\",[1]],"x"]]"#),
            (r#"{"a":"{[:]}\"\\","b\"":null,"c":[]}"#, r#"![1,"a","{[:]}\"\\","b\"",null,"c",[0]]"#),
        ] {
            assert_eq!(to_javascript(json), lists);
        }
    }
}
