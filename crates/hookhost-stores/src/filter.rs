//! What equals what, for every store.
//!
//! A database says which rows may fit, with what it can do well; [`fits`] has the last word. So all stores agree.

use hookhost_contract::{JsonObject, Row, StoreError};
use serde_json::{Number, Value};

/// How many rows one query may give.
pub(crate) const MOST_ROWS: usize = 10_000;

/// Whether every field of the filter is in the row, with an equal value. A field that is not there equals nothing, not even
/// null.
pub(crate) fn fits(row: &Row, filter: &JsonObject) -> bool {
    filter.iter().all(|(field, value)| row.get(field).is_some_and(|own| equal(own, value)))
}

/// JSON values that mean the same: numbers by value (`1` is `1.0`), objects whatever the order of their keys.
fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => same_number(one, other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => one.len() == other.len() && fits(one, other),
        _ => one == other,
    }
}

fn same_number(one: &Number, other: &Number) -> bool {
    // Whole numbers beyond 2^53 differ by less than a float can tell.
    match (one.as_i128(), other.as_i128()) {
        (Some(one), Some(other)) => one == other,
        _ => one.as_f64() == other.as_f64(),
    }
}

/// A query that would give too much has failed: half of the rows are none.
pub(crate) fn too_many() -> StoreError {
    StoreError(format!("more than {MOST_ROWS} rows: ask for fewer, with a filter that says more"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_equal_as_json() {
        for (one, other, same) in [
            (json!(1), json!(1.0), true),
            (json!(1), json!("1"), false),
            (json!(1), json!(true), false),
            (json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992_u64), false),
            (json!(u64::MAX), json!(-1), false),
            (json!(null), json!(false), false),
            (json!({ "a": 1, "b": [1, 2] }), json!({ "b": [1.0, 2], "a": 1 }), true),
            (json!({ "a": 1 }), json!({ "a": 1, "b": 2 }), false),
            (json!([1, 2]), json!([2, 1]), false),
            (json!(""), json!(null), false),
        ] {
            assert_eq!(equal(&one, &other), same, "{one} {other}");
            assert_eq!(equal(&other, &one), same, "{other} {one}");
        }
    }

    #[test]
    fn a_field_that_is_not_there_equals_nothing() {
        let row = json!({ "a": null });
        let fits = |filter: Value| fits(row.as_object().unwrap(), filter.as_object().unwrap());
        assert!(fits(json!({})) && fits(json!({ "a": null })));
        assert!(!fits(json!({ "b": null })));
    }
}
