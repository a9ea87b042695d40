//! Tools that only pretend, so that the example hooks have something to guard. What they keep ends with the command.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use serde_json::{Map, Number, Value, json};

use super::super::model::ToolSpec;
use super::spec;

pub(super) const TRANSFER: &str = "payments__transfer";
pub(super) const SET_SUBMISSION: &str = "store__submissions__set";

/// What was pretended so far.
#[derive(Debug, Default)]
pub(super) struct Demo {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    transfers: usize,
    submissions: BTreeMap<String, Map<String, Value>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Transfer {
    amount: Number,
    #[serde(default = "euro")]
    currency: String,
    to: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SetSubmission {
    key: String,
    value: Map<String, Value>,
}

fn euro() -> String {
    "EUR".to_owned()
}

impl Demo {
    pub(super) fn specs(&self) -> [ToolSpec; 2] {
        let amount = json!({ "type": "number", "exclusiveMinimum": 0 });
        let currency = json!({ "type": "string", "description": "A code such as EUR, which is the default" });
        [
            spec(
                TRANSFER,
                "Demo tool: pretends to pay. No money moves.",
                json!({ "amount": amount, "currency": currency, "to": { "type": "string" } }),
                &["amount", "to"],
            ),
            spec(
                SET_SUBMISSION,
                "Demo tool: keeps a row of the store of submissions in memory, in place of the one with that key.",
                json!({ "key": { "type": "string" }, "value": { "type": "object" } }),
                &["key", "value"],
            ),
        ]
    }

    /// `{"transferId": "demo-1", "amount": 12.5, "currency": "EUR", "to": ".."}`
    pub(super) fn transfer(&self, Transfer { amount, currency, to }: Transfer) -> Result<Value, String> {
        if amount.as_f64().is_none_or(|amount| amount <= 0.0) {
            return Err(format!("the amount is {amount}: only more than nothing can be paid"));
        }
        let mut kept = self.kept();
        kept.transfers += 1;
        let id = format!("demo-{}", kept.transfers);
        Ok(json!({ "transferId": id, "amount": amount, "currency": currency, "to": to }))
    }

    /// `{"key": "..", "before": {..}}`: the row that was there before, or null.
    pub(super) fn set_submission(&self, SetSubmission { key, value }: SetSubmission) -> Result<Value, String> {
        let before = self.kept().submissions.insert(key.clone(), value);
        Ok(json!({ "key": key, "before": before }))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transfers_are_counted() {
        let demo = Demo::default();
        let pay = |args: Value| demo.transfer(serde_json::from_value(args).map_err(|error| error.to_string())?);
        let first = pay(json!({ "amount": 12.5, "to": "a" })).unwrap();
        assert_eq!(first, json!({ "transferId": "demo-1", "amount": 12.5, "currency": "EUR", "to": "a" }));
        for amount in [json!(0), json!(-1), json!("1"), json!(null)] {
            pay(json!({ "amount": amount, "to": "a" })).unwrap_err();
        }
        let second = pay(json!({ "amount": 1, "currency": "USD", "to": "b" })).unwrap();
        assert_eq!(second, json!({ "transferId": "demo-2", "amount": 1, "currency": "USD", "to": "b" }));
    }

    #[test]
    fn rows_are_kept() {
        let demo = Demo::default();
        let set = |args: Value| demo.set_submission(serde_json::from_value(args).map_err(|error| error.to_string())?);
        let row = json!({ "recommendation": "review" });
        let first = set(json!({ "key": "s1", "value": row })).unwrap();
        assert_eq!(first, json!({ "key": "s1", "before": null }));
        assert_eq!(set(json!({ "key": "s1", "value": {} })).unwrap(), json!({ "key": "s1", "before": row }));
        set(json!({ "key": "s1", "value": "review" })).unwrap_err();
    }
}
