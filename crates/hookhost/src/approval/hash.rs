//! The name of a payload.

use std::fmt;

use hookhost_contract::{JsonObject, Point};
use serde::{Serialize, Serializer};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Names a payload: SHA-256 over its point and its JSON, with the keys of every object in order. Payloads that mean the
/// same have the same hash, and no other payload has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PayloadHash([u8; 32]);

impl PayloadHash {
    pub(crate) fn of(point: &Point, payload: &JsonObject) -> Self {
        let mut payload = Value::Object(payload.clone());
        payload.sort_all_objects();
        let mut hash = Sha256::new();
        hash.update(point.as_str());
        // No name of a point holds it, so the point and the payload cannot run into each other.
        hash.update([0]);
        hash.update(payload.to_string());
        Self(hash.finalize().into())
    }
}

impl fmt::Display for PayloadHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for PayloadHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PayloadHash({self})")
    }
}

impl Serialize for PayloadHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn hash(point: Point, payload: Value) -> PayloadHash {
        PayloadHash::of(&point, payload.as_object().unwrap())
    }

    #[test]
    fn the_order_of_keys_does_not_matter_and_all_else_does() {
        let one = hash(Point::PreToolUse, json!({ "toolName": "t", "args": { "a": 1, "b": { "c": 2, "d": [3, 4] } } }));
        let same =
            hash(Point::PreToolUse, json!({ "args": { "b": { "d": [3, 4], "c": 2 }, "a": 1 }, "toolName": "t" }));
        assert_eq!(one, same);
        for (point, other) in [
            (Point::PostToolUse, json!({ "toolName": "t", "args": { "a": 1, "b": { "c": 2, "d": [3, 4] } } })),
            (Point::PreToolUse, json!({ "toolName": "u", "args": { "a": 1, "b": { "c": 2, "d": [3, 4] } } })),
            (Point::PreToolUse, json!({ "toolName": "t", "args": { "a": 1, "b": { "c": 2, "d": [4, 3] } } })),
            (Point::PreToolUse, json!({ "toolName": "t", "args": { "a": "1", "b": { "c": 2, "d": [3, 4] } } })),
        ] {
            assert_ne!(one, hash(point, other));
        }
    }
}
