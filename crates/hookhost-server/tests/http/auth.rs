//! Who is let in.

use std::net::SocketAddr;

use hookhost_server::{CredentialSources, NewToken, Role, ServerError};
use reqwest::Method;
use serde_json::json;
use tokio::net::TcpListener;

use crate::support::{ALLOW, API_KEY, Answer, END_USER, OPERATOR, Project, Service, answer, raw_ask, three_roles};

const EVERYTHING: [(&str, &str); 10] = [
    ("POST", "/v1/decide"),
    ("POST", "/inspect/hooks/test"),
    ("GET", "/inspect/hooks"),
    ("GET", "/v1/decisions"),
    ("GET", "/metrics"),
    ("POST", "/v1/reload"),
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/openapi.json"),
    ("GET", "/"),
];

async fn ask(service: &Service, (method, path): (&str, &str), token: Option<&str>) -> u16 {
    let mut request = service
        .request(Method::from_bytes(method.as_bytes()).unwrap(), path)
        .json(&json!({ "point": "preInput", "payload": {} }));
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    // One of them never ends: its head is enough.
    request.send().await.unwrap().status().as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_role_may_do_what_it_may() {
    let project = Project::of(ALLOW);
    let service = project.guarded().await;
    let mut table = String::new();
    for route in EVERYTHING {
        let mut line = format!("{:<4} {:<20}", route.0, route.1);
        for token in [None, Some("unknown-0123456789abcdef"), Some(END_USER), Some(API_KEY), Some(OPERATOR)] {
            line.push_str(&format!(" {}", ask(&service, route, token).await));
        }
        table.push_str(&line);
        table.push('\n');
    }
    insta::assert_snapshot!(table, @r"
    POST /v1/decide           401 401 403 200 200
    POST /inspect/hooks/test  401 401 403 200 200
    GET  /inspect/hooks       401 401 403 200 200
    GET  /v1/decisions        401 401 403 200 200
    GET  /metrics             401 401 403 200 200
    POST /v1/reload           401 401 403 403 200
    GET  /healthz             200 200 200 200 200
    GET  /readyz              200 200 200 200 200
    GET  /openapi.json        200 200 200 200 200
    GET  /                    200 200 200 200 200
    ");
    let calls = service.request(Method::GET, "/inspect/hooks").bearer_auth(API_KEY);
    assert_eq!(answer(calls).await.json()["hooks"][0]["counters"]["calls"], 2, "who is not let in asks nobody");
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_can_be_public() {
    let service = Project::of(ALLOW).serve(|it| it.credentials(three_roles()).public_metrics(true)).await;
    assert_eq!(ask(&service, ("GET", "/metrics"), None).await, 200);
    assert_eq!(ask(&service, ("GET", "/inspect/hooks"), None).await, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_says_what_to_send_and_never_what_was_sent() {
    let service = Project::of(ALLOW).guarded().await;
    let get = async |header: Option<&str>| -> Answer {
        let mut request = service.request(Method::GET, "/inspect/hooks");
        if let Some(header) = header {
            request = request.header("authorization", header);
        }
        answer(request).await
    };
    let none = get(None).await;
    assert_eq!(
        (none.code().as_str(), &none.headers["www-authenticate"]),
        ("no_token", &r#"Bearer realm="hookhost""#.parse().unwrap())
    );
    let unknown = get(Some("Bearer some-secret-token-of-somebody")).await;
    assert_eq!(unknown.headers["www-authenticate"], r#"Bearer realm="hookhost", error="invalid_token""#);
    assert!(!unknown.text.contains("some-secret"), "{unknown:?}");
    assert_eq!(get(Some("Basic YTpi")).await.code(), "malformed_authorization");
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_tokens_are_counted_by_address_and_right_ones_still_let_in() {
    let service = Project::of(ALLOW).serve(|it| it.credentials(three_roles()).trusted_proxies(1)).await;
    let guess = async |address: &str| {
        let request = service.request(Method::GET, "/inspect/hooks").header("x-forwarded-for", address);
        answer(request.bearer_auth("unknown-0123456789abcdef")).await
    };
    for _ in 0..10 {
        assert_eq!(guess("203.0.113.1").await.status, 401);
    }
    let limited = guess("203.0.113.1").await;
    assert_eq!((limited.status.as_u16(), limited.code().as_str()), (429, "too_many_failures"));
    let wait: u64 = limited.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(guess("203.0.113.2").await.status, 401, "another address");
    assert_eq!(guess("203.0.113.1, 203.0.113.3").await.status, 401, "what a client says of itself counts for nothing");
    let right = service.request(Method::GET, "/inspect/hooks").header("x-forwarded-for", "203.0.113.1");
    assert_eq!(answer(right.bearer_auth(API_KEY)).await.status, 200, "a neighbour takes nobody's guards away");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_tokens_it_is_open_to_its_own_machine_and_page_only() {
    let service = Project::of(ALLOW).open().await;
    let ask = async |headers: &str| {
        let request = raw_ask(&format!("connection: close\r\n{headers}"));
        service.raw(&request, false).await[9..12].to_owned()
    };
    assert_eq!(ask("").await, "200");
    assert_eq!(ask("origin: http://localhost\r\n").await, "200");
    assert_eq!(ask("origin: https://page.example\r\n").await, "403");
    assert_eq!(ask("x-forwarded-for: 203.0.113.1\r\n").await, "403", "a proxy brings somebody else");
    let rebound = raw_ask("connection: close\r\n").replace("host: localhost", "host: rebound.example");
    assert_eq!(&service.raw(&rebound, false).await[9..12], "403");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_tokens_it_listens_on_loopback_only() {
    let project = Project::of(ALLOW);
    let service = project.open().await;
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let refused = service.server.serve(listener, std::future::ready(())).await;
    assert!(matches!(refused, Err(ServerError::Open(SocketAddr::V4(_)))), "{refused:?}");
    let proxied = project.try_serve(|it| it.trusted_proxies(1)).await.err().unwrap();
    assert!(matches!(proxied, ServerError::OpenBehindProxies), "{proxied}");
    let guarded = project.guarded().await;
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    guarded.server.serve(listener, std::future::ready(())).await.unwrap();
}

/// A program that mounts the routes and forgets to note addresses lets nobody in, instead of everybody.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_from_nowhere_is_not_let_in() {
    use tower::ServiceExt;

    let service = Project::of(ALLOW).open().await;
    let request =
        axum::http::Request::get("/inspect/hooks").header("host", "localhost").body(axum::body::Body::empty());
    let response = service.server.router().oneshot(request.unwrap()).await.unwrap();
    assert_eq!(response.status(), 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_tokens_has_only_digests() {
    let NewToken { token, sha256: digest, .. } = NewToken::make().unwrap();
    let file = json!({ "tokens": [{ "name": "ci", "role": "api-key", "sha256": digest }] }).to_string();
    let project = Project::of(ALLOW).file("tokens.json", &file);
    let path = project.path("tokens.json");
    let service = project.serve(|it| it.credentials(CredentialSources::new().file(path))).await;
    assert_eq!(ask(&service, ("GET", "/inspect/hooks"), Some(&token)).await, 200);
    assert_eq!(ask(&service, ("GET", "/inspect/hooks"), Some(&digest)).await, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_that_cannot_be_used_stop_the_start() {
    let project = Project::of(ALLOW)
        .file("empty.json", r#"{"tokens": []}"#)
        .file("bad.json", r#"{"tokens": [{"name": "a"}]}"#)
        .file("short.json", r#"{"tokens": [{"name": "a", "role": "operator", "sha256": "abc"}]}"#)
        .file("role.json", r#"{"tokens": [{"name": "a", "role": "root", "sha256": "abc"}]}"#);
    let mut said = String::new();
    for file in ["missing.json", "empty.json", "bad.json", "short.json", "role.json"] {
        let sources = CredentialSources::new().file(project.path(file));
        let error = project.try_serve(|it| it.credentials(sources)).await.err().expect(file);
        said.push_str(&format!("{error}\n"));
    }
    let short = CredentialSources::new().token("HOOKHOST_API_KEY", Role::ApiKey, "secret");
    let error = project.try_serve(|it| it.credentials(short)).await.err().unwrap();
    said.push_str(&error.to_string());
    insta::assert_snapshot!(said.replace(&project.path("").display().to_string(), "<project>/"));
}
