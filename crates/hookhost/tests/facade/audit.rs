//! The audit sink gets every answer that is not an allow, and every failure.

use hookhost::{Call, Caller, JsonlSink, Recorder};
use serde_json::{Value, json};

use crate::support::Project;

#[tokio::test]
async fn each_record_is_a_line_of_json() {
    let project = Project::new()
        .hook("a-reader", r#"{"points": ["preInput"]}"#, "export default { run: () => ({ action: 'allow' }) };")
        .hook(
            "b-editor",
            r#"{"points": ["preInput"]}"#,
            "export default { run: () => ({ action: 'modify', payload: { text: '***', source: 'x' }, note: 'redacted' }) };",
        )
        .hook(
            "c-broken",
            r#"{"points": ["preInput"], "failPolicy": "open"}"#,
            "export default { run: () => { throw new Error('broken'); } };",
        )
        .hook("d-watcher", r#"{"points": ["preInput"], "mode": "observe"}"#, "export default { run: () => ({ action: 'block', reason: 'would' }) };")
        .hook("e-guard", r#"{"points": ["preInput"]}"#, "export default { run: () => ({ action: 'block', reason: 'no' }) };");
    let file = project.path("audit.jsonl");
    let host = project.builder().audit(JsonlSink::create(&file).unwrap()).build().await.unwrap();
    let call = Call::pre_input("a secret")
        .caller(Caller { user_id: Some("u1".into()), ..Caller::default() })
        .turn("session-1", "turn-1");
    let decision = host.decide(call).await;

    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains("a secret"), "a record says what was decided, not what was said");
    let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<_> = records
        .iter()
        .map(|record| {
            let keys = ["hook", "action", "reason", "note", "mode", "changed", "dropped"];
            let failure = record["failure"]["cause"].clone();
            keys.iter().map(|key| record[key].clone()).chain([failure]).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(
        json!(told),
        json!([
            ["b-editor", "modify", null, "redacted", "enforce", true, ["source"], null],
            ["c-broken", "allow", null, null, "enforce", false, null, "threw"],
            ["d-watcher", "block", "would", null, "observe", false, null, null],
            ["e-guard", "block", "no", null, "enforce", false, null, null],
        ])
    );
    for record in &records {
        assert_eq!(record["event"], "guardrail_decision");
        assert_eq!(record["decision"], decision.id);
        assert_eq!(record["point"], "preInput");
        assert_eq!([&record["callerUserId"], &record["sessionId"], &record["turnId"]], ["u1", "session-1", "turn-1"]);
        assert!(record["time"].as_str().unwrap().ends_with('Z') && record["durationMs"].is_number(), "{record}");
    }
}

#[tokio::test]
async fn a_call_for_a_hook_that_is_not_there_is_recorded() {
    let project = Project::new();
    let file = project.path("audit.jsonl");
    let host = project.builder().audit(JsonlSink::create(&file).unwrap()).build().await.unwrap();
    host.decide(Call::pre_input("hello").only_hook("nobody")).await;
    let record: Value = serde_json::from_str(std::fs::read_to_string(&file).unwrap().trim()).unwrap();
    assert_eq!([&record["hook"], &record["action"]], [&Value::Null, &json!("block")]);
}

#[tokio::test]
async fn a_recorder_beside_another_sink_keeps_every_decision() {
    let project = Project::of(
        r#"{"points": ["preInput"]}"#,
        "export default { run: (_, { text }) => text === 'no' ? { action: 'block', reason: 'no' } : { action: 'allow' } };",
    );
    let (audit, lines) = (project.path("audit.jsonl"), project.path("calls.jsonl"));
    let host = project
        .builder()
        .audit(JsonlSink::create(&audit).unwrap())
        .audit(Recorder::lines(&lines).unwrap())
        .build()
        .await
        .unwrap();
    for text in ["yes", "no"] {
        host.decide(Call::pre_input(text)).await;
    }
    host.decide(Call::pre_input("yes").only_hook("nobody")).await;
    let read = |path| std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(read(&audit).len(), 2, "the block, and the question to nobody");
    let recorded: Vec<Value> = read(&lines).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<_> = recorded
        .iter()
        .map(|fixture| json!([fixture["payload"]["text"], fixture["hook"], fixture["expect"]]))
        .collect();
    assert_eq!(
        json!(told),
        json!([
            ["yes", null, { "action": "allow" }],
            ["no", null, { "action": "block", "reason": "no" }],
            ["yes", "nobody", { "action": "block", "reason": "no hook named \"nobody\" is loaded", "ran": [] }],
        ])
    );
}
