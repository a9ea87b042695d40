//! What came of a call against what was expected.

use hookhost::{Decision, HookRun};
use hookhost_contract::{Expect, JsonObject};
use regex::Regex;
use serde::Serialize;
use serde_json::{Value, json};

use crate::diff::{DiffLine, diff_json};

/// One thing that is otherwise than expected.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Mismatch {
    /// Which key of `expect` it is about.
    pub key: &'static str,
    /// What was expected, in words.
    pub expected: String,
    /// What was found, in words.
    pub found: String,
    /// For the payload: where the two differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diff: Vec<DiffLine>,
    /// What `expect` would have to say instead. `None`: nothing that could be written down makes it right.
    #[serde(skip)]
    pub update: Option<Value>,
}

impl Mismatch {
    fn new(key: &'static str, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { key, expected: expected.into(), found: found.into(), diff: Vec::new(), update: None }
    }

    fn update(mut self, value: Value) -> Self {
        self.update = Some(value);
        self
    }
}

/// Everything that is otherwise than expected. `took_ms` is how long the decision took.
///
/// A hook that failed is a mismatch, whatever its fail policy made of that: unless `expect.failure` names the cause, or
/// `expect.reason` fits the reason that the failure was given, and says `failed` itself. A guard that crashes must not pass
/// for one that guards.
pub(crate) fn compare(expect: &Expect, decision: &Decision, took_ms: f64) -> Vec<Mismatch> {
    let mut wrong = Vec::new();
    if decision.action != expect.action {
        wrong.push(
            Mismatch::new("action", expect.action.as_str(), decision.action.as_str()).update(json!(decision.action)),
        );
    }
    let names_failure = match &expect.reason {
        Some(expected) => match reason(expected, decision.reason.as_deref()) {
            // A shorter text would fit by chance.
            None => expected.contains("failed"),
            Some(mismatch) => {
                wrong.push(mismatch.update(json!(decision.reason)));
                false
            }
        },
        None => false,
    };
    if let Some(expected) = &expect.hook
        && decision.hook.as_ref() != Some(expected)
    {
        let found = decision.hook.as_deref().map_or("no hook".to_owned(), quoted);
        wrong.push(Mismatch::new("hook", quoted(expected), found).update(json!(decision.hook)));
    }
    if let Some(expected) = &expect.ran {
        let ran: Vec<_> = decision.runs.iter().map(|run| run.hook.as_str()).collect();
        if *expected != ran {
            let list = |names: &[&str]| if names.is_empty() { "no hook".to_owned() } else { names.join(", ") };
            let expected: Vec<_> = expected.iter().map(String::as_str).collect();
            wrong.push(Mismatch::new("ran", list(&expected), list(&ran)).update(json!(ran)));
        }
    }
    if let Some(expected) = &expect.payload {
        wrong.extend(payload(expected, &decision.output));
    }
    let said = [
        ("logs", &expect.logs, decision.logs.iter().map(|it| it.message.as_str()).collect::<Vec<_>>()),
        ("messages", &expect.messages, decision.messages.iter().map(|it| it.text.as_str()).collect()),
        ("injections", &expect.injections, decision.injections.iter().map(|it| it.content.as_str()).collect()),
    ];
    for (key, parts, lines) in said {
        wrong.extend(parts.iter().filter_map(|part| contained(key, part, &lines)));
    }
    // The cause stands before what follows from it.
    wrong.splice(0..0, failures(expect, decision, names_failure));
    if let Some(most) = expect.max_ms
        && took_ms > most
    {
        wrong.push(Mismatch::new("maxMs", format!("at most {most} ms"), format!("{took_ms:.1} ms")));
    }
    wrong
}

/// `None` if the reason fits.
fn reason(expected: &str, found: Option<&str>) -> Option<Mismatch> {
    let shown = found.map_or("no reason".to_owned(), quoted);
    let pattern = expected.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')).filter(|it| !it.is_empty());
    let Some(pattern) = pattern else {
        return match found.is_some_and(|reason| reason.contains(expected)) {
            true => None,
            false => Some(Mismatch::new("reason", format!("a text with {}", quoted(expected)), shown)),
        };
    };
    match Regex::new(pattern) {
        Ok(regex) if found.is_some_and(|reason| regex.is_match(reason)) => None,
        Ok(_) => Some(Mismatch::new("reason", format!("a text that fits {expected}"), shown)),
        // The crate's message draws a picture over several lines; its last line says what is wrong.
        Err(error) => {
            let text = error.to_string();
            let what = text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            Some(Mismatch::new("reason", format!("{expected}, which is no regular expression: {what}"), shown))
        }
    }
}

fn payload(expected: &JsonObject, found: &JsonObject) -> Option<Mismatch> {
    if expected == found {
        return None;
    }
    let diff = diff_json(&json!(expected), &json!(found));
    let mut mismatch = Mismatch::new("payload", json!(expected).to_string(), json!(found).to_string());
    mismatch.diff = diff;
    Some(mismatch.update(json!(found)))
}

fn contained(key: &'static str, part: &str, lines: &[&str]) -> Option<Mismatch> {
    if lines.iter().any(|line| line.contains(part)) {
        return None;
    }
    let found = match lines {
        [] => "nothing".to_owned(),
        lines => lines.iter().map(|line| quoted(line)).collect::<Vec<_>>().join(", "),
    };
    let update = if lines.is_empty() { Value::Null } else { json!(lines) };
    Some(Mismatch::new(key, format!("a line with {}", quoted(part)), found).update(update))
}

fn failures(expect: &Expect, decision: &Decision, names_failure: bool) -> Vec<Mismatch> {
    let failed = |run: &&HookRun| run.failure.is_some();
    let shown = |run: &HookRun| match &run.failure {
        Some(failure) => format!("hook {} failed: {failure}", quoted(&run.hook)),
        None => String::new(),
    };
    let Some(cause) = expect.failure else {
        return decision
            .runs
            .iter()
            .filter(failed)
            // Who expects the reason of this very failure knows of it.
            .filter(|run| !(names_failure && decision.hook.as_ref() == Some(&run.hook)))
            .map(|run| Mismatch::new("failure", "no hook that fails", shown(run)))
            .collect();
    };
    let expected = format!("a hook that fails: {cause}");
    let is_it = |run: &&HookRun| run.failure.as_ref().is_some_and(|failure| failure.cause == cause);
    let others: Vec<_> = decision.runs.iter().filter(failed).filter(|run| !is_it(run)).collect();
    match (decision.runs.iter().any(|run| is_it(&run)), &others[..]) {
        (true, []) => Vec::new(),
        (false, []) => vec![Mismatch::new("failure", expected, "no hook failed").update(Value::Null)],
        (_, others) => others.iter().map(|run| Mismatch::new("failure", expected.clone(), shown(run))).collect(),
    }
}

/// A text in quotes, its control characters written out.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}

#[cfg(test)]
mod tests {
    use hookhost::{Action, Failure, FailureCause, Mode, Point};

    use super::*;

    fn run(hook: &str, action: Action, failure: Option<FailureCause>) -> HookRun {
        HookRun {
            hook: hook.to_owned(),
            action,
            reason: None,
            note: None,
            duration_ms: 0.1,
            failure: failure.map(|cause| Failure::new(cause, "no")),
            changed: false,
            rewrote: None,
            dropped: Vec::new(),
            mode: Mode::Enforce,
        }
    }

    fn decision(action: Action, reason: Option<&str>, runs: Vec<HookRun>) -> Decision {
        Decision {
            id: String::new(),
            point: Point::PreInput,
            action,
            reason: reason.map(str::to_owned),
            hook: runs.first().filter(|_| action != Action::Allow).map(|run| run.hook.clone()),
            input: JsonObject::new(),
            output: JsonObject::new(),
            runs,
            logs: Vec::new(),
            messages: Vec::new(),
            injections: Vec::new(),
            approval: None,
        }
    }

    fn keys(expect: &Expect, decision: &Decision) -> Vec<&'static str> {
        compare(expect, decision, 1.0).into_iter().map(|mismatch| mismatch.key).collect()
    }

    #[test]
    fn a_reason_is_a_part_or_a_regular_expression() {
        let blocked = decision(Action::Block, Some("over 500 EUR"), vec![run("h", Action::Block, None)]);
        for (reason, fits) in
            [("500", true), ("/^over \\d+/", true), ("600", false), ("/^\\d/", false), ("/", false), ("/(/", false)]
        {
            let expect = Expect { reason: Some(reason.to_owned()), ..Expect::new(Action::Block) };
            assert_eq!(keys(&expect, &blocked).is_empty(), fits, "{reason}");
        }
    }

    #[test]
    fn a_hook_that_crashes_does_not_pass_for_one_that_guards() {
        let reason = "Hook \"h\" failed (fail-closed)";
        let crashed = decision(Action::Block, Some(reason), vec![run("h", Action::Block, Some(FailureCause::Threw))]);
        let expect = Expect::new(Action::Block);
        assert_eq!(keys(&expect, &crashed), ["failure"]);
        for chance in ["", "Hook", "/./"] {
            let chance = Expect { reason: Some(chance.to_owned()), ..expect.clone() };
            assert_eq!(keys(&chance, &crashed), ["failure"]);
        }
        let knows = Expect { reason: Some("failed (fail-closed)".to_owned()), ..expect.clone() };
        assert_eq!(keys(&knows, &crashed), [""; 0]);
        let names = Expect { failure: Some(FailureCause::Threw), ..expect.clone() };
        assert_eq!(keys(&names, &crashed), [""; 0]);
        let other = Expect { failure: Some(FailureCause::TimedOut), ..expect.clone() };
        assert_eq!(keys(&other, &crashed), ["failure"]);
        // An open hook that crashed lets the call pass, and that is no pass either.
        let open = decision(Action::Allow, None, vec![run("h", Action::Allow, Some(FailureCause::Threw))]);
        assert_eq!(keys(&Expect::new(Action::Allow), &open), ["failure"]);
        let healthy = decision(Action::Allow, None, vec![run("h", Action::Allow, None)]);
        let wants = Expect { failure: Some(FailureCause::Threw), ..Expect::new(Action::Allow) };
        assert_eq!(keys(&wants, &healthy), ["failure"]);
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        let mut found = decision(Action::Allow, None, vec![run("h", Action::Allow, None)]);
        found.output.insert("text".to_owned(), json!("b"));
        let expect = Expect {
            reason: Some("x".to_owned()),
            hook: Some("g".to_owned()),
            payload: Some(JsonObject::from_iter([("text".to_owned(), json!("a"))])),
            logs: vec!["l".to_owned()],
            messages: vec!["m".to_owned()],
            injections: vec!["i".to_owned()],
            ran: Some(Vec::new()),
            max_ms: Some(0.5),
            ..Expect::new(Action::Block)
        };
        assert_eq!(
            keys(&expect, &found),
            ["action", "reason", "hook", "ran", "payload", "logs", "messages", "injections", "maxMs"]
        );
    }

    #[test]
    fn the_order_of_keys_in_a_payload_is_no_difference() {
        let object = |text: &str| match serde_json::from_str(text) {
            Ok(Value::Object(object)) => object,
            _ => JsonObject::new(),
        };
        assert_eq!(payload(&object(r#"{"a":1,"b":2}"#), &object(r#"{"b":2,"a":1}"#)), None);
    }
}
