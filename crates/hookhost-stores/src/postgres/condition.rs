//! What of a filter PostgreSQL can look for.
//!
//! A condition may let more rows through than fit, never fewer: the filter itself is applied afterwards.

use hookhost_contract::JsonObject;
use serde_json::Value;

use super::relation::Column;
use crate::filter::{exact, whole};
use crate::table::quoted;

/// What a column's type means for comparing it with JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Integers between these two.
    Integer(i64, i64),
    /// `numeric`: more digits than a double has.
    Numeric,
    /// `double precision`.
    Double,
    Boolean,
    Text,
    Uuid,
    /// A type that JSON has as text, and of which the server may refuse a text: dates, times, enums.
    Spelled,
    /// `jsonb`.
    Jsonb,
    /// `json`.
    Json,
    /// Any other type.
    Other,
}

impl Kind {
    /// The kind of a built-in type; `enum` stands for all of them.
    pub(super) fn of(name: &str) -> Self {
        match name {
            "int2" => Self::Integer(i16::MIN.into(), i16::MAX.into()),
            "int4" => Self::Integer(i32::MIN.into(), i32::MAX.into()),
            "int8" => Self::Integer(i64::MIN, i64::MAX),
            "numeric" => Self::Numeric,
            "float8" => Self::Double,
            "bool" => Self::Boolean,
            "text" | "varchar" | "bpchar" | "name" => Self::Text,
            "uuid" => Self::Uuid,
            "date" | "timestamp" | "timestamptz" | "enum" => Self::Spelled,
            "jsonb" => Self::Jsonb,
            "json" => Self::Json,
            _ => Self::Other,
        }
    }

    /// Whether a column of it can hold whole rows.
    pub(super) fn holds_json(self) -> bool {
        matches!(self, Self::Jsonb | Self::Json | Self::Text)
    }
}

/// What to ask the server, so that it leaves out what cannot fit.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// Nothing: any row may fit.
    Any,
    /// No row fits.
    Never,
    /// This SQL in front of a parameter, such as `"role" =`.
    Compare(String, String),
    /// This SQL.
    Test(String),
}

/// A condition for rows whose key has this text.
pub(super) fn key(column: &Column, key: &str) -> Condition {
    // No text of PostgreSQL's has a NUL.
    if key.contains('\0') {
        return Condition::Never;
    }
    let name = quoted(&column.name);
    let equals = || Condition::Compare(format!("{name} ="), key.to_owned());
    match column.kind {
        Kind::Text | Kind::Spelled => equals(),
        Kind::Uuid if is_uuid(key) => equals(),
        Kind::Integer(least, most) if key.parse().is_ok_and(|key: i64| (least..=most).contains(&key)) => equals(),
        Kind::Uuid | Kind::Integer(..) => Condition::Never,
        _ => Condition::Compare(format!("{name}::text ="), key.to_owned()),
    }
}

/// A condition for rows whose field, which has a column, equals `wanted`.
pub(super) fn field(column: &Column, wanted: &Value) -> Condition {
    let name = quoted(&column.name);
    let equals = |text: String| Condition::Compare(format!("{name} ="), text);
    match (column.kind, wanted) {
        // NULL and JSON's null are both null; and what NULL means inside of other types, they know best.
        (Kind::Jsonb | Kind::Json | Kind::Other, _) => Condition::Any,
        (_, Value::Null) => Condition::Test(format!("{name} IS NULL")),
        (Kind::Integer(least, most), Value::Number(wanted)) => {
            match whole(wanted).filter(|wanted| (least.into()..=most.into()).contains(wanted)) {
                Some(wanted) => equals(wanted.to_string()),
                None => Condition::Never,
            }
        }
        // In a fraction, digits beyond a double's would count for the server and not for us.
        (Kind::Numeric, Value::Number(wanted)) => {
            exact(wanted).map_or(Condition::Any, |wanted| equals(wanted.to_string()))
        }
        (Kind::Double, Value::Number(wanted)) => equals(wanted.to_string()),
        // Not a number, and the infinite ones, are texts in JSON.
        (Kind::Numeric | Kind::Double, _) => Condition::Any,
        (Kind::Boolean, Value::Bool(wanted)) => equals(wanted.to_string()),
        (Kind::Uuid, Value::String(wanted)) if is_uuid(wanted) => equals(wanted.clone()),
        (Kind::Text | Kind::Spelled, Value::String(wanted)) if !wanted.contains('\0') => equals(wanted.clone()),
        _ => Condition::Never,
    }
}

/// A condition for rows in a JSON column that hold all of `filter`.
pub(super) fn object(column: &Column, filter: &JsonObject) -> Condition {
    if column.kind != Kind::Jsonb {
        return Condition::Any;
    }
    // `jsonb` has no NUL in its texts.
    if filter.iter().any(|(field, wanted)| field.contains('\0') || has_nul(wanted)) {
        return Condition::Never;
    }
    let certain: JsonObject =
        filter.iter().filter_map(|(field, wanted)| Some((field.clone(), certain(wanted)?))).collect();
    match certain.is_empty() {
        true => Condition::Any,
        false => Condition::Compare(format!("{} @>", quoted(&column.name)), Value::Object(certain).to_string()),
    }
}

/// The value, if the server compares it as we do. It keeps all digits of a number, where we have a double.
fn certain(wanted: &Value) -> Option<Value> {
    match wanted {
        Value::Number(number) => exact(number).map(Value::from),
        Value::Array(items) => items.iter().map(certain).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(field, value)| Some((field.clone(), certain(value)?)))
            .collect::<Option<_>>()
            .map(Value::Object),
        other => Some(other.clone()),
    }
}

fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(has_nul),
        Value::Object(fields) => fields.iter().any(|(field, value)| field.contains('\0') || has_nul(value)),
        _ => false,
    }
}

/// Whether the text is a UUID as the server writes it.
fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(n, byte)| match n {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn column(kind: Kind) -> Column {
        Column { name: "c".to_owned(), kind }
    }

    fn compare(operator: &str, text: &str) -> Condition {
        Condition::Compare(format!("\"c\" {operator}"), text.to_owned())
    }

    #[test]
    fn a_column_is_asked_for_what_it_can_hold() {
        let int4 = Kind::of("int4");
        for (kind, wanted, condition) in [
            (int4, json!(1), compare("=", "1")),
            (int4, json!(1.0), compare("=", "1")),
            (int4, json!(1.5), Condition::Never),
            (int4, json!(3_000_000_000_u64), Condition::Never),
            (int4, json!("1"), Condition::Never),
            (int4, json!(null), Condition::Test("\"c\" IS NULL".to_owned())),
            (Kind::Numeric, json!(1.0), compare("=", "1")),
            (Kind::Numeric, json!(0.1), Condition::Any),
            (Kind::Numeric, json!("NaN"), Condition::Any),
            (Kind::Double, json!(0.1), compare("=", "0.1")),
            (Kind::Double, json!("Infinity"), Condition::Any),
            (Kind::Boolean, json!(true), compare("=", "true")),
            (Kind::Boolean, json!(1), Condition::Never),
            (Kind::Text, json!("a'b"), compare("=", "a'b")),
            (Kind::Text, json!("a\0b"), Condition::Never),
            (Kind::Uuid, json!("A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"), Condition::Never),
            (
                Kind::Uuid,
                json!("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
                compare("=", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
            ),
            (Kind::Spelled, json!("2026-12-01"), compare("=", "2026-12-01")),
            (Kind::Jsonb, json!(null), Condition::Any),
            (Kind::Other, json!("x"), Condition::Any),
        ] {
            assert_eq!(field(&column(kind), &wanted), condition, "{kind:?} {wanted}");
        }
    }

    #[test]
    fn an_object_is_asked_for_what_is_certain() {
        for (filter, condition) in [
            (json!({ "a": "x", "b": 0.1, "c": 9_007_199_254_740_993_u64 }), compare("@>", r#"{"a":"x"}"#)),
            (json!({ "a": { "b": [1.0, null] } }), compare("@>", r#"{"a":{"b":[1,null]}}"#)),
            (json!({ "a": { "b": [0.5] } }), Condition::Any),
            (json!({ "a": [{ "b\0": 1 }] }), Condition::Never),
            (json!({}), Condition::Any),
        ] {
            assert_eq!(object(&column(Kind::Jsonb), filter.as_object().unwrap()), condition, "{filter}");
        }
        let filter = json!({ "a": 1 });
        assert_eq!(object(&column(Kind::Json), filter.as_object().unwrap()), Condition::Any);
    }

    #[test]
    fn a_key_is_a_text_whatever_the_column_is() {
        for (kind, text, condition) in [
            (Kind::of("int2"), "7", compare("=", "7")),
            (Kind::of("int2"), "70000", Condition::Never),
            (Kind::of("int8"), "u1", Condition::Never),
            (Kind::Text, "u1", compare("=", "u1")),
            (Kind::Text, "\0", Condition::Never),
            (Kind::Uuid, "u1", Condition::Never),
            (Kind::Other, "u1", Condition::Compare("\"c\"::text =".to_owned(), "u1".to_owned())),
        ] {
            assert_eq!(key(&column(kind), text), condition, "{kind:?} {text}");
        }
    }
}
