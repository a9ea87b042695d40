//! Two JSON values, line by line.

use serde::Serialize;
use serde_json::Value;
use similar::{ChangeTag, TextDiff};

/// A line of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DiffLine {
    /// Which side it is on.
    pub side: Side,
    /// The line, without its end.
    pub text: String,
}

/// Which side a line is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Expected, and not there.
    Expected,
    /// There, and not expected.
    Found,
    /// On both.
    Both,
    /// Lines on both sides are left out here.
    Gap,
}

/// How many equal lines are shown around a difference.
const CONTEXT: usize = 3;

/// What differs between two values: their lines, with the equal ones around. The order of keys is no difference.
pub fn diff_json(expected: &Value, found: &Value) -> Vec<DiffLine> {
    let [old, new] = [expected, found].map(|value| pretty(&sorted(value)));
    let diff = TextDiff::from_lines(&old, &new);
    let mut lines = Vec::new();
    for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if index > 0 {
            lines.push(DiffLine { side: Side::Gap, text: String::new() });
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let side = match change.tag() {
                ChangeTag::Delete => Side::Expected,
                ChangeTag::Insert => Side::Found,
                ChangeTag::Equal => Side::Both,
            };
            lines.push(DiffLine { side, text: change.value().trim_end_matches('\n').to_owned() });
        }
    }
    lines
}

fn pretty(value: &Value) -> String {
    // A value without text does not exist.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut keys: Vec<_> = object.keys().collect();
            keys.sort();
            Value::Object(keys.into_iter().filter_map(|key| Some((key.clone(), sorted(object.get(key)?)))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(expected: Value, found: Value) -> String {
        diff_json(&expected, &found)
            .into_iter()
            .map(|line| {
                let sign = match line.side {
                    Side::Expected => "-",
                    Side::Found => "+",
                    Side::Both => " ",
                    Side::Gap => "~",
                };
                format!("{sign}{}\n", line.text)
            })
            .collect()
    }

    #[test]
    fn a_line_that_differs_stands_with_its_neighbours() {
        let many: Vec<_> = (0..20).collect();
        let mut other = many.clone();
        other[1] = 100;
        other[18] = 200;
        let diff = text(json!(many), json!(other));
        assert_eq!(diff.matches('~').count(), 1);
        assert!(diff.contains("-  1,\n+  100,\n"), "{diff}");
        assert!(!diff.contains(" 10,"), "{diff}");
    }

    #[test]
    fn the_order_of_keys_is_no_difference() {
        assert_eq!(text(json!({ "a": 1, "b": { "c": 2, "d": 3 } }), json!({ "b": { "d": 3, "c": 2 }, "a": 1 })), "");
    }
}
