//! `/v1/decide` and `/inspect/hooks/test`.

use serde_json::{Value, json};

use crate::support::{ALLOW, BLOCK, INPUT, Project};

const TELL: &str = "export default { run(point, payload, ctx) {
  const { scopeId, context, caller, sessionId, turnId } = ctx;
  ctx.log(JSON.stringify({ point, payload, scopeId, context, caller, sessionId, turnId }));
  return { action: 'allow' };
} };";

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_sees_all_that_the_request_says() {
    let project = Project::of(TELL);
    let service = project.open().await;
    let request = json!({
        "point": "preInput", "hookName": "guard", "payload": { "text": "hi", "more": [1.5, null] },
        "scopeId": "s1", "context": { "k": "v" }, "caller": { "userId": "u1", "orgId": "o1", "source": "chat" },
        "sessionId": "se1", "turnId": "t1",
    });
    for path in ["/v1/decide", "/inspect/hooks/test"] {
        let answer = service.post(path, request.clone()).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let decision = answer.json();
        assert_eq!(decision["action"], "allow");
        let mut seen = request.clone();
        seen.as_object_mut().unwrap().remove("hookName");
        let logged: Value = serde_json::from_str(decision["logs"][0]["message"].as_str().unwrap()).unwrap();
        assert_eq!(logged, seen);
    }
    let logged = service.ask("hi").await.json()["logs"][0]["message"].as_str().unwrap().to_owned();
    assert_eq!(logged, r#"{"point":"preInput","payload":{"text":"hi"}}"#, "what is not said is absent");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_hook_or_the_whole_chain_is_asked() {
    let project = Project::new().hook("first", INPUT, ALLOW).hook("second", INPUT, BLOCK);
    let service = project.open().await;
    let ask = async |hook: Option<&str>| {
        let request = json!({ "point": "preInput", "payload": { "text": "hi" }, "hookName": hook });
        let decision = service.post("/inspect/hooks/test", request).await.json();
        let ran: Vec<_> = decision["ran"].as_array().unwrap().iter().map(|run| run["hook"].clone()).collect();
        (decision["action"].clone(), Value::from(ran))
    };
    assert_eq!(ask(None).await, (json!("block"), json!(["first", "second"])));
    assert_eq!(ask(Some("first")).await, (json!("allow"), json!(["first"])));
    assert_eq!(ask(Some("second")).await, (json!("block"), json!(["second"])));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_step_says_what_it_rewrote() {
    let add = |text: &str| {
        format!(
            "export default {{ run: (point, payload) => ({{ action: 'modify', payload: {{ text: payload.text + '{text}' }} }}) }};"
        )
    };
    let project = Project::new().hook("a", INPUT, &add("1")).hook("b", INPUT, ALLOW).hook("c", INPUT, &add("2"));
    let decision = project.open().await.ask("x").await.json();
    let rewrote: Vec<_> = decision["ran"].as_array().unwrap().iter().map(|run| run.get("rewrote").cloned()).collect();
    assert_eq!(rewrote, [Some(json!({ "text": "x1" })), None, Some(json!({ "text": "x12" }))]);
    assert_eq!(decision["output"]["text"], "x12");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guard_that_fails_is_no_allow() {
    for (module, cause) in [
        ("export default { run() { throw new Error('broken') } };", "threw"),
        ("export default { run() { while (true); } };", "timed_out"),
        ("throw new Error('cannot start');", "load_failed"),
        ("export default { run: () => 'allow' };", "invalid_decision"),
    ] {
        let project = Project::new().hook("guard", r#"{"points": ["preInput"], "timeoutMs": 200}"#, module);
        let answer = project.open().await.ask("hi").await;
        assert_eq!(answer.status, 200);
        let decision = answer.json();
        assert_eq!((&decision["action"], &decision["ran"][0]["failure"]["cause"]), (&json!("block"), &json!(cause)));
    }
}

/// Keys that mean something to the JSON library when it is not careful.
#[tokio::test(flavor = "multi_thread")]
async fn a_payload_comes_as_it_was_sent() {
    let service = Project::of(ALLOW).open().await;
    let payload = json!({
        "text": "\u{0}é\u{2028}", "z": 1, "a": { "__proto__": [], "$serde_json::private::RawValue": "1" }, "n": 0.1,
        "big": 18446744073709551615u64,
    });
    let decision = service.post("/v1/decide", json!({ "point": "preInput", "payload": payload })).await.json();
    assert_eq!(decision["input"], payload);
    assert_eq!(decision["output"], payload);
    assert_eq!(decision["action"], "allow");
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_at_once_is_said_and_is_no_decision() {
    let wait = "export default { run: () => new Promise((done) => setTimeout(done, 3000, { action: 'allow' })) };";
    let project = Project::new().hook("guard", r#"{"points": ["preInput"], "timeoutMs": 20000}"#, wait);
    let service = project.serve(|builder| builder.max_decisions(2)).await;
    let answers = futures::future::join_all((0..5).map(|_| service.ask("hi"))).await;
    let (decided, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!((decided.len(), refused.len()), (2, 3), "{answers:?}");
    assert!(refused.iter().all(|answer| answer.code() == "overloaded" && answer.headers["retry-after"] == "1"));
    assert_eq!(service.ask("hi").await.status, 200, "there is room again");
}
