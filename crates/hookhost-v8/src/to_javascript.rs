//! JSON on its way to JavaScript.
//!
//! V8's `JSON.parse` guesses the next key of an object from objects that it has seen before, and compares the guess with
//! the text as it is written. After an object with the key `\n` (a backslash and an n), it takes the key that is written
//! `"\n"` (a line end) for that one. So a payload could show a hook other keys than the tool gets. Where a key is written
//! with a backslash, objects are handed over as lists, and `js/hook.js` makes objects of them again.

use std::borrow::Cow;

use hookhost_contract::parse_json;
use serde_json::Value;

/// How such a text begins: no JSON does.
const AS_LISTS: char = '!';
/// What a list begins with that stands for an array, and one that stands for an object.
const ARRAY: u8 = 0;
const OBJECT: u8 = 1;

/// The text that `parse` in `js/hook.js` reads `json` from.
pub(crate) fn to_javascript(json: &str) -> Cow<'_, str> {
    if !has_escaped_key(json) {
        return Cow::Borrowed(json);
    }
    match parse_json(json) {
        Ok(value) => Cow::Owned(format!("{AS_LISTS}{}", as_lists(value))),
        // It is refused there too.
        Err(_) => Cow::Borrowed(json),
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

fn as_lists(value: Value) -> Value {
    match value {
        Value::Array(items) => {
            Value::Array(std::iter::once(ARRAY.into()).chain(items.into_iter().map(as_lists)).collect())
        }
        Value::Object(fields) => {
            let fields = fields.into_iter().flat_map(|(key, value)| [Value::String(key), as_lists(value)]);
            Value::Array(std::iter::once(OBJECT.into()).chain(fields).collect())
        }
        value => value,
    }
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
            (r#"{"a":"\\","b\"" : null}"#, r#"![1,"a","\\","b\"",null]"#),
        ] {
            assert_eq!(to_javascript(json), lists);
        }
        assert_eq!(to_javascript(r#"{"\n":}"#), r#"{"\n":}"#);
    }
}
