//! Reading JSON text as it stands.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads JSON text as it stands.
///
/// `serde_json::from_str` does nearly that. But where any crate of a program switches on its feature `raw_value`, an object
/// whose first key is `$serde_json::private::RawValue` is replaced by what its text says: a hook would see an object, and
/// the tool would get something else.
///
/// # Errors
/// The text is not JSON, or is nested deeper than 128 levels.
pub fn parse_json(text: &str) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let Plain(value) = Plain::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// A value whose keys mean nothing but themselves.
struct Plain(Value);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PlainVisitor).map(Plain)
    }
}

struct PlainVisitor;

impl<'de> Visitor<'de> for PlainVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(Plain(item)) = items.next_element()? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((key, Plain(value))) = entries.next_entry::<String, _>()? {
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_read_is_what_is_written() {
        let value = json!({
            "z": [null, true, -1, 18446744073709551615u64, 0.1, 1e300, "é\n\u{0}"],
            "a": { "": {}, "__proto__": [] },
        });
        assert_eq!(parse_json(&value.to_string()).unwrap(), value);
        assert_eq!(parse_json(r#"{"a":1,"a":2}"#).unwrap(), json!({ "a": 2 }));
        for text in ["", "1 2", "{", "[1,]", "nul", "1e999", &"[".repeat(1000)] {
            assert!(parse_json(text).is_err(), "{text}");
        }
    }

    #[test]
    fn no_key_means_more_than_itself() {
        for key in ["$serde_json::private::RawValue", "$serde_json::private::Number"] {
            for text in [r#""hidden""#, "7", "\"no JSON\""] {
                let text = format!(r#"{{"a":{{"{key}":{text}}}}}"#);
                assert_eq!(parse_json(&text).unwrap().to_string(), text);
            }
        }
    }
}
