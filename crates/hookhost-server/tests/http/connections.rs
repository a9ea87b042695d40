//! Clients that are slow, stop half way, or go away.

use std::time::Duration;

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::support::{ALLOW, INPUT, Project, raw_ask, read_to_end};

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_does_not_come_is_answered_and_the_connection_closed() {
    let service = Project::of(ALLOW).serve(|builder| builder.body_timeout(Duration::from_millis(300))).await;
    let head =
        "POST /v1/decide HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{";
    let answer = service.raw(head, false).await;
    assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("too_slow"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_does_not_come_ends_the_connection() {
    let service = Project::of(ALLOW).serve(|builder| builder.head_timeout(Duration::from_millis(300))).await;
    for begun in ["", "POST /v1/dec", "GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-a: "] {
        let answer = service.raw(begun, false).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408 "), "{begun:?}: {answer}");
    }
    // The same between two requests.
    let mut answer = service.raw("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n", false).await;
    answer.truncate(15);
    assert_eq!(answer, "HTTP/1.1 200 OK");
    assert_eq!(service.get("/healthz").await.status, 200, "others are not kept waiting");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_sent_everything_and_closes_that_side_gets_the_answer() {
    let wait = "export default { run: () => new Promise((done) => setTimeout(done, 300, { action: 'block', reason: 'late' })) };";
    let service = Project::of(wait).open().await;
    let answer = service.raw(&raw_ask(""), true).await;
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains(r#""reason":"late""#), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_breaks_off_is_no_call() {
    let service = Project::of(ALLOW).open().await;
    let whole = raw_ask("");
    let answer = service.raw(&whole[..whole.len() - 5], true).await;
    assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("bad_body"), "{answer}");
    assert_eq!(service.get("/inspect/hooks").await.json()["hooks"][0]["counters"]["calls"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_on_the_wire_hurts_nobody() {
    let service = Project::of(ALLOW).open().await;
    for nonsense in ["\u{16}\u{3}\u{1}", "GET\r\n\r\n", "POST /v1/decide HTTP/9.9\r\n\r\n", "\r\n\r\n\r\n"] {
        let answer = service.raw(nonsense, true).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400 "), "{nonsense:?}: {answer}");
    }
    let many = format!("GET /healthz HTTP/1.1\r\nhost: localhost\r\n{}\r\n", "x-a: b\r\n".repeat(500));
    let answer = service.raw(&many, true).await;
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    assert_eq!(service.get("/healthz").await.status, 200);
}

/// A decision that has begun is on record, whoever asked.
#[tokio::test(flavor = "multi_thread")]
async fn who_goes_away_takes_no_decision_along() {
    let wait = "export default { run: () => new Promise((done) => setTimeout(done, 1400, { action: 'block' })) };";
    let project = Project::new().hook("guard", INPUT, wait);
    let service = project.open().await;
    let mut stream = TcpStream::connect(service.address).await.unwrap();
    stream.write_all(raw_ask("").as_bytes()).await.unwrap();
    // The call is under way, as the metrics say.
    service.until_in_flight(2).await;
    stream.set_zero_linger().unwrap();
    drop(stream);
    let counters = async || service.get("/inspect/hooks").await.json()["hooks"][0]["counters"].clone();
    while counters().await["calls"] == 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(counters().await["actions"], json!({ "block": 1 }));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_requests_in_one_piece_get_two_answers() {
    let service = Project::of(ALLOW).open().await;
    let mut stream = TcpStream::connect(service.address).await.unwrap();
    let two = format!("{}{}", raw_ask(""), raw_ask("connection: close\r\n"));
    stream.write_all(two.as_bytes()).await.unwrap();
    assert_eq!(read_to_end(stream).await.matches("HTTP/1.1 200 OK").count(), 2);
}
