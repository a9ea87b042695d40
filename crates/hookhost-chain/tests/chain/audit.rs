//! What an audit sink receives.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use futures::executor::block_on;
use hookhost_chain::testing::ScriptedHook;
use hookhost_chain::{AuditRecord, AuditSink, Chain, ChainHook, JsonlSink};
use hookhost_contract::{Action, Call, Caller, Failure, FailureCause, Point};
use serde_json::{Value, json};

use crate::support::*;

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The audit lines of one decision.
fn audit(hooks: Vec<ChainHook>, call: Call) -> String {
    let written = Shared::default();
    let sink = Arc::new(JsonlSink::new(written.clone()));
    block_on(Chain::new(hooks, BTreeMap::new(), Some(sink)).decide(call));
    String::from_utf8(written.0.lock().unwrap().clone()).unwrap()
}

fn threw() -> Arc<ScriptedHook> {
    let failure = Failure::new(FailureCause::Threw, "oops").at(Some("index.mjs:3:9".into()));
    ScriptedHook::new(move |_| hookhost_contract::Answer { reply: Err(failure.clone()), logs: vec![] })
}

#[test]
fn every_answer_but_an_allow_is_a_line() {
    let hooks = vec![
        allows("allow"),
        answers("modify", json!({ "action": "modify", "payload": { "args": {}, "toolName": "x" }, "note": "emptied" })),
        injects("inject", "look"),
        asks("ask", "sure?"),
        hook("fails-open", json!({ "failPolicy": "open" }), &threw()),
        hook("observes", json!({ "mode": "observe" }), &threw()),
        hook("fails-closed", json!({}), &threw()),
    ];
    let caller = Caller { user_id: Some("u1".into()), ..Caller::default() };
    let call = call(&Point::PreToolUse).caller(caller).turn("s1", "t1");
    let lines = audit(hooks, call);
    insta::with_settings!({ filters => [
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "<time>"),
        (r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}", "<id>"),
        (r#""durationMs":[0-9.]+"#, r#""durationMs":<ms>"#),
    ] }, { insta::assert_snapshot!(lines) });
}

#[test]
fn allows_leave_no_line() {
    for point in TURN {
        assert_eq!(audit(vec![allows("a"), allows("b")], call(&point)), "");
    }
}

#[test]
fn what_was_recorded_only_is_a_line_too() {
    let lines = audit(vec![blocks("late", "no")], call(&Point::PostTurn));
    let line: Value = serde_json::from_str(&lines).unwrap();
    assert_eq!((&line["point"], &line["action"]), (&json!("postTurn"), &json!("block")));
}

#[test]
fn a_question_to_nobody_is_a_line_without_a_hook() {
    let lines = audit(vec![], call(&Point::PreInput).only_hook("x"));
    let line: Value = serde_json::from_str(&lines).unwrap();
    assert_eq!((&line["hook"], &line["action"]), (&json!(null), &json!("block")));
    assert_eq!(line["reason"], "no hook named \"x\" is loaded");
}

/// A sink and a disk that are of no use.
struct Useless;

impl AuditSink for Useless {
    fn record(&self, _: &AuditRecord<'_>) {
        panic!("no room");
    }
}

impl Write for Useless {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_sink_cannot_change_a_decision() {
    let sinks: [Arc<dyn AuditSink>; 2] = [Arc::new(Useless), Arc::new(JsonlSink::new(Useless))];
    for sink in sinks {
        let chain = Chain::new(vec![asks("a", "?"), blocks("b", "no")], BTreeMap::new(), Some(sink));
        let decision = block_on(chain.decide(call(&Point::PreInput)));
        assert_eq!(decision.action, Action::Block);
        assert_eq!(ran(&decision), ["a", "b"]);
    }
}
