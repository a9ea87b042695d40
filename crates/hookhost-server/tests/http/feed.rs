//! `GET /v1/decisions`.

use futures::StreamExt;
use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::support::{ALLOW, BLOCK, INPUT, Project};

/// Reads events until there are so many.
async fn events(response: Response, count: usize) -> Vec<(String, Value)> {
    let mut text = String::new();
    let mut pieces = response.bytes_stream();
    while text.matches("\n\n").count() < count {
        text.push_str(std::str::from_utf8(&pieces.next().await.unwrap().unwrap()).unwrap());
    }
    let event = |event: &str| {
        let line = |field: &str| event.lines().find_map(|line| line.strip_prefix(field)).unwrap_or_default().trim();
        (line("event:").to_owned(), serde_json::from_str(line("data:")).unwrap())
    };
    text.trim_end().split("\n\n").map(event).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_latest_decisions_come_first_and_then_the_others_as_they_are_made() {
    let project = Project::new()
        .hook("a", INPUT, ALLOW)
        .hook("b", r#"{"points": ["preInput", "preToolUse"]}"#, BLOCK)
        .hook("c", INPUT, ALLOW);
    let service = project.open().await;
    service.ask("my secret").await;
    let watching = service.request(Method::GET, "/v1/decisions").send().await.unwrap();
    assert_eq!(watching.headers()["content-type"], "text/event-stream");
    let tool = json!({ "point": "preToolUse", "payload": { "toolName": "shell", "args": { "command": "my secret" } } });
    service.post("/inspect/hooks/test", tool).await;
    service.post("/v1/reload", json!({})).await;

    let events = events(watching, 3).await;
    let (kind, first) = &events[0];
    assert_eq!(kind, "decision");
    let told: Vec<_> = ["point", "toolName", "action", "reason", "hook", "via"].map(|key| first[key].clone()).into();
    assert_eq!(Value::from(told), json!(["preInput", null, "block", "no", "b", "decide"]));
    let ran: Vec<_> = first["ran"].as_array().unwrap().iter().map(|run| run["hook"].clone()).collect();
    assert_eq!(Value::from(ran), json!(["a", "b"]));
    let second = &events[1].1;
    assert_eq!((&second["toolName"], &second["via"]), (&json!("shell"), &json!("test")));
    assert_eq!(events[2].0, "reload");
    assert!(!format!("{events:?}").contains("my secret"), "payloads are not for watchers");
}
