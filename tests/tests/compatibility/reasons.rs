//! Why something does not work: written by hand, and held to what is seen.

use std::collections::BTreeMap;

use hookhost_tests::Fault;
use serde::Deserialize;

use crate::compare::{Findings, State};

/// One reason, and everything that it explains.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    /// Why, and what to do about it.
    why: String,
    items: Vec<String>,
}

/// The reasons of one tier, by what they explain.
pub(crate) struct Reasons(BTreeMap<String, String>);

impl Reasons {
    /// Reads those of each tier.
    pub(crate) fn read(text: &str) -> Result<BTreeMap<String, Self>, Fault> {
        let tiers: BTreeMap<String, Vec<Reason>> = serde_json::from_str(text)?;
        tiers.into_iter().map(|(tier, reasons)| Ok((tier, Self::new(reasons)?))).collect()
    }

    fn new(reasons: Vec<Reason>) -> Result<Self, Fault> {
        let mut by_item = BTreeMap::new();
        for Reason { why, items } in reasons {
            for item in items {
                if let Some(other) = by_item.insert(item.clone(), why.clone()) {
                    return Err(format!("`{item}` has two reasons: {other}; {why}").into());
                }
            }
        }
        Ok(Self(by_item))
    }

    /// Why `item` is as it is, or nothing.
    pub(crate) fn of(&self, item: &str) -> &str {
        self.0.get(item).map_or("", String::as_str)
    }

    /// What has no reason and needs one, and what has one and works.
    pub(crate) fn mistakes(&self, findings: &Findings) -> Vec<String> {
        let unexplained = findings.iter().filter(|(item, state)| **state != State::Yes && !self.0.contains_key(*item));
        let mut mistakes: Vec<_> = unexplained.map(|(item, state)| format!("no reason: {item}: {state:?}")).collect();
        for item in self.0.keys() {
            match findings.get(item) {
                None => mistakes.push(format!("stale reason: {item}: there is no such thing")),
                Some(State::Yes) => mistakes.push(format!("stale reason: {item}: it works")),
                Some(_) => {}
            }
        }
        mistakes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings() -> Findings {
        let states = [("works", State::Yes), ("fails", State::No), ("differs", State::Differs(String::new()))];
        states.map(|(item, state)| (item.to_owned(), state)).into()
    }

    fn mistakes(text: &str) -> Vec<String> {
        Reasons::read(text).unwrap()["node"].mistakes(&findings())
    }

    #[test]
    fn what_does_not_work_needs_a_reason() {
        assert_eq!(mistakes(r#"{ "node": [{ "why": "so", "items": ["fails", "differs"] }] }"#), [""; 0]);
        assert_eq!(mistakes(r#"{ "node": [] }"#), [r#"no reason: differs: Differs("")"#, "no reason: fails: No"]);
    }

    #[test]
    fn what_works_has_none() {
        assert_eq!(
            mistakes(r#"{ "node": [{ "why": "so", "items": ["fails", "differs", "works", "other"] }] }"#),
            ["stale reason: other: there is no such thing", "stale reason: works: it works"]
        );
    }

    #[test]
    fn nothing_has_two() {
        let twice = r#"{ "node": [{ "why": "a", "items": ["x"] }, { "why": "b", "items": ["x"] }] }"#;
        assert!(Reasons::read(twice).is_err_and(|error| error.to_string() == "`x` has two reasons: a; b"));
    }
}
