//! Reading JSON text as it stands.

use std::fmt;
use std::sync::LazyLock;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads JSON text as it stands.
///
/// `serde_json::from_str` does nearly that. But where any crate of a program switches on its feature `raw_value`, an
/// object whose first key is `$serde_json::private::RawValue` is replaced by what its text says: a hook would see an
/// object, and the tool would get something else.
///
/// Where any crate of a program switches on the feature `arbitrary_precision`, numbers keep all of their digits here too.
/// One object cannot be told from a number then: `{"$serde_json::private::Number":"1"}`, with this key alone and a text
/// that is a JSON number, is read as that number.
///
/// # Errors
/// The text is not JSON, or is nested deeper than 128 levels. A number beyond what a double can hold is an error too,
/// unless `arbitrary_precision` is on.
pub fn parse_json(text: &str) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Plain { numbers_are_maps: *NUMBERS_ARE_MAPS }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// How serde_json hands over a number as a map: this key, and the number's text.
const NUMBER: &str = "$serde_json::private::Number";

/// Whether serde_json has its feature `arbitrary_precision`. A crate cannot ask for the features of another one, and only
/// with this one is such a number no error.
static NUMBERS_ARE_MAPS: LazyLock<bool> = LazyLock::new(|| serde_json::from_str::<Number>("1e999").is_ok());

/// Reads a value whose keys mean nothing but themselves.
#[derive(Clone, Copy)]
struct Plain {
    /// A number that is no integer of 64 bits comes as a map.
    numbers_are_maps: bool,
}

impl<'de> DeserializeSeed<'de> for Plain {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Plain {
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
        while let Some(item) = items.next_element_seed(self)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            object.insert(key, entries.next_value_seed(self)?);
        }
        if self.numbers_are_maps
            && object.len() == 1
            && let Some(Ok(number)) = object.get(NUMBER).and_then(Value::as_str).map(str::parse)
        {
            return Ok(Value::Number(number));
        }
        Ok(Value::Object(object))
    }
}

/// For `#[serde(deserialize_with = ...)]`: an object as it stands, where a derived reader would take some keys for more than
/// themselves; see [`parse_json`]. Never `None`.
///
/// # Errors
/// The value is something else.
pub fn plain_object<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<crate::JsonObject>, D::Error> {
    match (Plain { numbers_are_maps: *NUMBERS_ARE_MAPS }).deserialize(deserializer)? {
        Value::Object(object) => Ok(Some(object)),
        other => {
            let found = crate::call::json_kind(&other);
            Err(serde::de::Error::custom(format!("{found} where an object belongs")))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::de::value::{Error, MapDeserializer};
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
        for text in ["", "1 2", "{", "[1,]", "nul", "1e", &"[".repeat(1000)] {
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

    /// Reads a map as a deserializer hands it over.
    fn read(numbers_are_maps: bool, entries: &[(&str, &str)]) -> Value {
        let map = MapDeserializer::<_, Error>::new(entries.iter().copied());
        Plain { numbers_are_maps }.deserialize(map).unwrap()
    }

    #[test]
    fn a_number_that_comes_as_a_map_is_a_number() {
        for text in ["0.1", "-0", "1e3", "-12.50E-3", "18446744073709551616"] {
            let number: Number = text.parse().unwrap();
            assert_eq!(read(true, &[(NUMBER, text)]), Value::Number(number), "{text}");
            assert_eq!(read(false, &[(NUMBER, text)]), json!({ NUMBER: text }));
        }
    }

    #[test]
    fn no_other_map_is_a_number() {
        for text in ["", " 1", "1 ", "+1", "01", "1.", "NaN", "Infinity", "0x1", "[1]", "hidden"] {
            assert_eq!(read(true, &[(NUMBER, text)]), json!({ NUMBER: text }));
        }
        assert_eq!(read(true, &[]), json!({}));
        assert_eq!(read(true, &[("n", "1")]), json!({ "n": "1" }));
        assert_eq!(read(true, &[(NUMBER, "1"), ("n", "1")]), json!({ NUMBER: "1", "n": "1" }));
        assert_eq!(read(true, &[("n", "1"), (NUMBER, "1")]), json!({ "n": "1", NUMBER: "1" }));
    }

    /// Holds with and without the feature: `cargo test -p hookhost-contract --features serde_json/arbitrary_precision`.
    #[test]
    fn numbers_are_those_of_serde_json() {
        for text in
            ["0", "-0", "0.1", "1.50", "1E3", "18446744073709551616", "-9223372036854775809", "1e999", "-1e-999"]
        {
            let nested = format!(r#"{{"a":[{text}]}}"#);
            assert_eq!(parse_json(&nested).ok(), serde_json::from_str(&nested).ok(), "{text}");
        }
        assert_eq!(parse_json("1e999").is_ok(), *NUMBERS_ARE_MAPS);
    }
}
