//! What is not understood has an answer that says what is wrong, and changes nothing.

use std::fmt::Write;

use reqwest::Method;
use serde_json::json;

use crate::support::{ALLOW, INPUT, Project, answer};

#[tokio::test(flavor = "multi_thread")]
async fn each_has_its_answer() {
    let project = Project::new()
        .hook("guard", INPUT, ALLOW)
        .hook("off", INPUT, ALLOW)
        .file("amodal.json", r#"{"hooks": {"disabled": ["off"]}}"#);
    let service = project.open().await;
    let bodies = [
        "",
        "nonsense",
        r#"{"point": "preInput","#,
        "{\n  \"point\": \"preInput\",\n  \"payload\": {\"text\": }\n}",
        r#"{"point": "preInput", "payload": {}} {}"#,
        "[]",
        "null",
        r#"{"point": "preInput"}"#,
        r#"{"payload": {}}"#,
        r#"{"point": "preInput", "payload": []}"#,
        r#"{"point": "preInput", "payload": "text"}"#,
        r#"{"point": 7, "payload": {}}"#,
        r#"{"point": "preInptu", "payload": {}}"#,
        r#"{"point": "nowhere", "payload": {}}"#,
        r#"{"point": "tool:pre", "payload": {}}"#,
        r#"{"point": "preInput", "payload": {}, "hook": "guard"}"#,
        r#"{"point": "preInput", "payload": {}, "hookName": "gaurd"}"#,
        r#"{"point": "preInput", "payload": {}, "hookName": "somebody"}"#,
        r#"{"point": "preInput", "payload": {}, "hookName": "off"}"#,
        r#"{"point": "preOutput", "payload": {}, "hookName": "guard"}"#,
        r#"{"point": "preInput", "payload": {}, "context": {"k": 1}}"#,
        r#"{"point": "preInput", "payload": {}, "caller": {"user": "u1"}}"#,
        r#"{"point": "preInput", "payload": {}, "payload": {}}"#,
        r#"["preInput", null, {}, null, null, null, null, null]"#,
        r#"{"point": "preInput", "payload": {}, "caller": ["u1", "chat", "o1"]}"#,
    ];
    let mut said = String::new();
    for body in bodies {
        let request = service.request(Method::POST, "/v1/decide").header("content-type", "application/json").body(body);
        let answer = answer(request).await;
        assert!(answer.status.is_client_error(), "{body}: {answer:?}");
        writeln!(said, "{body}\n  {} {}", answer.status.as_u16(), answer.json()["error"]).unwrap();
    }
    insta::assert_snapshot!(said);
    let deep = format!(r#"{{"point": "preInput", "payload": {{"a": {}}}}}"#, "[".repeat(100_000));
    let request = service.request(Method::POST, "/v1/decide").header("content-type", "application/json").body(deep);
    assert_eq!(answer(request).await.status, 400);
    assert_eq!(service.get("/inspect/hooks").await.json()["hooks"][0]["counters"]["calls"], 0, "nobody was asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_has_to_be_said_to_be_json() {
    let service = Project::of(ALLOW).open().await;
    let body = json!({ "point": "preInput", "payload": {} }).to_string();
    for (kind, status) in [
        (Some("application/json"), 200),
        (Some("Application/JSON; charset=utf-8"), 200),
        (Some("text/plain"), 415),
        (Some("application/x-www-form-urlencoded"), 415),
        (Some("application/jsonp"), 415),
        (None, 415),
    ] {
        let mut request = service.request(Method::POST, "/v1/decide").body(body.clone());
        if let Some(kind) = kind {
            request = request.header("content-type", kind);
        }
        assert_eq!(answer(request).await.status, status, "{kind:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn paths_and_methods_that_are_none() {
    let service = Project::of(ALLOW).guarded().await;
    for (method, path, status, code) in [
        (Method::GET, "/nowhere", 404, "unknown_path"),
        (Method::GET, "/inspect", 404, "unknown_path"),
        (Method::GET, "/assets/../Cargo.toml", 404, "unknown_path"),
        (Method::POST, "/healthz", 405, "wrong_method"),
        (Method::DELETE, "/", 405, "wrong_method"),
    ] {
        let answer = answer(service.request(method.clone(), path)).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (status, code), "{method} {path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_of_two_mebibytes_is_refused_and_the_answer_arrives() {
    let service = Project::of(ALLOW).open().await;
    let body = json!({ "point": "preInput", "payload": { "text": "x".repeat(2 << 20) } }).to_string();
    let request = || service.request(Method::POST, "/v1/decide").header("content-type", "application/json");
    let announced = answer(request().body(body.clone())).await;
    assert_eq!((announced.status.as_u16(), announced.code().as_str()), (413, "too_large"));

    let pieces = body.as_bytes().chunks(1000).map(|piece| Ok::<_, std::io::Error>(piece.to_vec())).collect::<Vec<_>>();
    let streamed = answer(request().body(reqwest::Body::wrap_stream(futures::stream::iter(pieces)))).await;
    assert_eq!((streamed.status.as_u16(), streamed.code().as_str()), (413, "too_large"));

    // Who waits for a word before sending gets it at once.
    let head = "POST /v1/decide HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
                content-length: 2097152\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n";
    let waiting = service.raw(head, false).await;
    assert!(waiting.starts_with("HTTP/1.1 413 "), "{waiting}");

    let fits = json!({ "point": "preInput", "payload": { "text": "x".repeat((1 << 20) - 100) } });
    assert_eq!(service.post("/v1/decide", fits).await.status, 200, "just below the limit");
}
