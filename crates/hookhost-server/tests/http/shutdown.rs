//! The end of the service.

use std::time::Duration;

#[cfg(target_os = "linux")]
use reqwest::Client;
use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{ALLOW, INPUT, Project, answer, raw_ask, read_to_end};

const SLOW: &str =
    "export default { run: () => new Promise((done) => setTimeout(done, 1400, { action: 'block', reason: 'late' })) };";

#[tokio::test(flavor = "multi_thread")]
async fn what_is_under_way_is_finished() {
    let project = Project::of(SLOW);
    let service = project.open().await;
    let asking = service.request(Method::POST, "/v1/decide").json(&json!({ "point": "preInput", "payload": {} }));
    let asking = tokio::spawn(answer(asking));
    service.until_in_flight(2).await;
    let address = service.address;
    service.stop().await.unwrap();
    let answer = asking.await.unwrap();
    assert_eq!((answer.status.as_u16(), &answer.json()["reason"]), (200, &json!("late")));
    assert_eq!(answer.headers["connection"], "close");
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens any more");
}

#[tokio::test(flavor = "multi_thread")]
async fn while_it_drains_it_is_not_ready_and_still_answers() {
    let service = Project::of(ALLOW).serve(|it| it.drain(Duration::from_secs(3))).await;
    let (ready, ask) = (service.request(Method::GET, "/readyz"), service.request(Method::POST, "/v1/decide"));
    let watching = service.request(Method::GET, "/v1/decisions").send().await.unwrap();
    assert_eq!(answer(ready.try_clone().unwrap()).await.status, 200);
    let stopped = service.stop();
    loop {
        let ready = answer(ready.try_clone().unwrap()).await;
        if ready.status == 503 {
            assert_eq!(ready.json()["status"], "draining");
            break;
        }
    }
    let decided = answer(ask.json(&json!({ "point": "preInput", "payload": {} }))).await;
    assert_eq!((decided.status.as_u16(), decided.headers["connection"].to_str().unwrap()), (200, "close"));
    // A stream without end ends, so that nobody has to be cut off.
    watching.bytes().await.unwrap();
    stopped.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_takes_too_long_is_cut_off() {
    let never = "export default { run: () => new Promise(() => {}) };";
    let project = Project::new().hook("guard", r#"{"points": ["preInput"], "timeoutMs": 60000}"#, never);
    let service = project.serve(|it| it.grace(Duration::from_millis(300))).await;
    let mut stream = TcpStream::connect(service.address).await.unwrap();
    stream.write_all(raw_ask("").as_bytes()).await.unwrap();
    service.until_in_flight(2).await;
    tokio::time::timeout(Duration::from_secs(30), service.stop()).await.expect("it ends").unwrap();
    assert_eq!(read_to_end(stream).await, "", "no answer is no allow");
}

/// What has been handed over to the connection has not arrived yet.
#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_gets_the_whole_answer() {
    let long = "export default { run: () => ({ action: 'block', reason: 'x'.repeat(900_000) }) };";
    let project =
        Project::new().hook("a", r#"{"points": ["preInput"], "mode": "observe"}"#, long).hook("b", INPUT, long);
    let service = project.open().await;
    let request = |text: &str| {
        let body = json!({ "point": "preInput", "payload": { "text": text } }).to_string();
        format!(
            "POST /v1/decide HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    // So that most of the answer waits at the service.
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(service.address).await.unwrap();
    stream.write_all(request(&"y".repeat(900_000)).as_bytes()).await.unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    let stopped = service.stop();
    // Longer than connections without a request have.
    tokio::time::sleep(Duration::from_secs(4)).await;
    let rest = read_to_end(stream).await;
    let (head, body) = rest.split_once("\r\n\r\n").unwrap();
    assert!(
        body.len() > 1_000_000 && head.contains(&format!("content-length: {}", body.len())),
        "{}: {head}",
        body.len()
    );
    stopped.await.unwrap();
}

/// A socket that somebody else goes on with answers again.
#[tokio::test(flavor = "multi_thread")]
async fn a_listener_that_is_shared_goes_on() {
    let service = Project::of(ALLOW).open().await;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let shared = listener.try_clone().unwrap();
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    service.server.serve(listener, std::future::ready(())).await.unwrap();
    let connecting = TcpStream::connect(shared.local_addr().unwrap());
    tokio::time::timeout(Duration::from_secs(30), connecting).await.expect("somebody greets").unwrap();
}

/// Anybody can open a connection and send half a request, or watch and never read.
#[tokio::test(flavor = "multi_thread")]
async fn who_stops_half_way_does_not_hold_up_the_end() {
    let service = Project::of(ALLOW).serve(|it| it.grace(Duration::from_secs(600))).await;
    let mut half = TcpStream::connect(service.address).await.unwrap();
    half.write_all(b"POST /v1/decide HTTP/1.1\r\nhost: loc").await.unwrap();
    let mut watcher = TcpStream::connect(service.address).await.unwrap();
    watcher.write_all(b"GET /v1/decisions HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    let _silent = TcpStream::connect(service.address).await.unwrap();
    assert_eq!(service.get("/healthz").await.status, 200);
    for _ in 0..20 {
        service.ask("hi").await;
    }
    tokio::time::timeout(Duration::from_secs(60), service.stop()).await.expect("it ends").unwrap();
    assert_eq!(read_to_end(half).await, "");
}

/// Clients that ask again and again, on connections that they keep, until the service is gone: whatever they sent was
/// answered. Elsewhere a connection may be lost that the operating system had accepted and the service had not.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn under_load_no_request_is_lost() {
    let project = Project::new().hook("guard", INPUT, ALLOW);
    let service = project.open().await;
    let clients: Vec<_> = (0..32)
        .map(|_| {
            let url = format!("http://{}/v1/decide", service.address);
            tokio::spawn(async move {
                let client = Client::new();
                let mut answered = 0_u32;
                loop {
                    let asking = client.post(&url).json(&json!({ "point": "preInput", "payload": {} })).send();
                    match asking.await {
                        Ok(response) => {
                            assert_eq!(response.status(), 200);
                            response.bytes().await.expect("a whole answer");
                            answered += 1;
                        }
                        // It was not even connected: nothing was sent.
                        Err(error) if error.is_connect() => return answered,
                        Err(error) => panic!("a request was lost: {error:?}"),
                    }
                }
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(500)).await;
    service.stop().await.unwrap();
    let answered = futures::future::join_all(clients).await.into_iter().map(Result::unwrap);
    assert!(answered.min().unwrap() > 0, "every client was at it");
}
