//! Against a server on this machine.

use std::convert::Infallible;
use std::error::Error as StdError;
use std::io;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::Uri;
use axum::response::{IntoResponse, Response as Answered};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::super::{ToolCall, Usage};
use super::*;

type TestResult<T> = Result<T, Box<dyn StdError>>;

const KEY: &str = "not-a-real-key";

/// A server that answers as the test says, and what it was sent. It ends with this.
struct Server {
    base_url: String,
    received: Arc<Mutex<Vec<Received>>>,
    _serving: JoinSet<io::Result<()>>,
}

type Answering = (Arc<Mutex<Vec<Received>>>, Arc<dyn Fn(&Received) -> Answered + Send + Sync>);

#[derive(Debug, Clone)]
struct Received {
    uri: Uri,
    headers: HeaderMap,
    body: Value,
}

impl Server {
    async fn start(answer: impl Fn(&Received) -> Answered + Send + Sync + 'static) -> TestResult<Self> {
        let received = Arc::new(Mutex::new(Vec::new()));
        let state: Answering = (received.clone(), Arc::new(answer));
        let router = Router::new()
            .fallback(async |State((received, answer)): State<Answering>, uri, headers, body: Bytes| {
                let one = Received { uri, headers, body: serde_json::from_slice(&body).unwrap_or_default() };
                let answered = answer(&one);
                received.lock().into_iter().for_each(|mut received| received.push(one.clone()));
                answered
            })
            .with_state(state);
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let base_url = format!("http://{}/v1", listener.local_addr()?);
        let mut serving = JoinSet::new();
        serving.spawn(async move { axum::serve(listener, router).await });
        Ok(Self { base_url, received, _serving: serving })
    }

    fn received(&self) -> Vec<Received> {
        self.received.lock().map(|received| received.clone()).unwrap_or_default()
    }

    fn model(&self) -> Result<OpenAi, ModelError> {
        OpenAi::new(&self.base_url, "m", Some(KEY.to_owned()))
    }

    /// All that comes, and the error it ends with, if any.
    async fn ask(&self) -> TestResult<(Vec<Piece>, Option<ModelError>)> {
        Ok(all(self.model()?).await)
    }
}

/// A server that closes the connection amid its one answer.
async fn cut_off(said: String) -> TestResult<(String, JoinSet<io::Result<()>>)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let base_url = format!("http://{}", listener.local_addr()?);
    let mut serving = JoinSet::new();
    serving.spawn(async move {
        let (mut connection, _) = listener.accept().await?;
        let mut request = Vec::new();
        // To the end of its body: what is left unread would cost the client the answer.
        while !request.ends_with(b"}") && connection.read_buf(&mut request).await? > 0 {}
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 100000\r\n\r\n";
        connection.write_all(format!("{head}{said}").as_bytes()).await?;
        connection.shutdown().await
    });
    Ok((base_url, serving))
}

async fn all(model: OpenAi) -> (Vec<Piece>, Option<ModelError>) {
    let mut pieces = Vec::new();
    let mut stream = match model.reply(&[Message::User("hi".to_owned())], &[]).await {
        Ok(stream) => stream,
        Err(error) => return (pieces, Some(error)),
    };
    while let Some(piece) = stream.next().await {
        match piece {
            Ok(piece) => pieces.push(piece),
            Err(error) => return (pieces, Some(error)),
        }
    }
    (pieces, None)
}

fn events(body: impl Into<Body>) -> Answered {
    ([(CONTENT_TYPE, "text/event-stream")], body.into()).into_response()
}

/// The body in pieces of one byte: every character and every line is cut somewhere.
fn byte_by_byte(text: &str) -> Body {
    let bytes: Vec<_> = text.bytes().map(|byte| Ok::<_, Infallible>(vec![byte])).collect();
    Body::from_stream(stream::iter(bytes))
}

#[tokio::test]
async fn a_stream_is_read_wherever_it_is_cut() {
    let body = concat!(
        ": alive\n\ndata:\n\n",
        "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"Grüße, \"}}]}\n\n",
        "event: message\r\ndata:{\"choices\":[{\"delta\":{\"content\":\"🦀!\"}}]}\r\n\r\n",
        ": alive\r\n\r\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"t\",\"arguments\":\"{\\\"x\\\"\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":1,\"function\":{\"name\":\"u\",\"arguments\":\"{}\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\":\\\"é\\\"}\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n",
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":6}}\n\n",
        "data: [DONE]\n\n",
    );
    let server = Server::start(|_| events(byte_by_byte(body))).await.unwrap();
    let messages = [Message::System("s".to_owned()), Message::User("hi".to_owned())];
    let tools = [ToolSpec { name: "t", description: "d", parameters: json!({ "type": "object" }) }];
    let pieces = server.model().unwrap().reply(&messages, &tools).await.unwrap();
    let pieces: Vec<_> = pieces.map(Result::unwrap).collect().await;
    let call = |id: &str, name: &str, arguments: &str| {
        Piece::ToolCall(ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() })
    };
    assert_eq!(
        pieces,
        [
            Piece::Text("Grüße, ".to_owned()),
            Piece::Text("🦀!".to_owned()),
            call("a", "t", r#"{"x":"é"}"#),
            call("call_2_2", "u", "{}"),
            Piece::Usage(Usage { input_tokens: 5, output_tokens: 6 }),
        ]
    );

    let [Received { uri, headers, body }] = &server.received()[..] else { panic!("one request was to be sent") };
    assert_eq!(uri, "/v1/chat/completions");
    assert_eq!(headers[AUTHORIZATION], format!("Bearer {KEY}"));
    let expected = json!({
        "model": "m",
        "messages": messages,
        "stream": true,
        "stream_options": { "include_usage": true },
        "tools": tools,
    });
    assert_eq!(*body, expected);
}

#[tokio::test]
async fn no_key_and_no_tools_are_not_sent() {
    let server = Server::start(|_| events("data: [DONE]\n\n")).await.unwrap();
    for no_key in [None, Some(String::new()), Some(" \n".to_owned())] {
        let (pieces, error) = all(OpenAi::new(&server.base_url, "m", no_key).unwrap()).await;
        assert!(pieces.is_empty() && error.is_none(), "{pieces:?} {error:?}");
    }
    for Received { headers, body, .. } in server.received() {
        assert!(!headers.contains_key(AUTHORIZATION) && body.get("tools").is_none(), "{headers:?} {body}");
    }
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_understood() {
    let answer = json!({
        "choices": [{
            "message": { "content": "hello", "tool_calls": [{ "id": "a", "function": { "name": "t", "arguments": "{}" } }] },
            "finish_reason": "tool_calls",
        }],
        "usage": { "prompt_tokens": 1, "completion_tokens": 2 },
    });
    let server = Server::start(move |_| axum::Json(answer.clone()).into_response()).await.unwrap();
    let (pieces, error) = server.ask().await.unwrap();
    assert!(error.is_none(), "{error:?}");
    let call = ToolCall { id: "a".into(), name: "t".into(), arguments: "{}".into() };
    let usage = Usage { input_tokens: 1, output_tokens: 2 };
    assert_eq!(pieces, [Piece::Text("hello".into()), Piece::ToolCall(call), Piece::Usage(usage)]);
}

#[tokio::test]
async fn a_refusal_says_why_and_what_to_do() {
    let cases = [
        (
            401,
            format!(r#"{{"error":{{"message":"wrong key: {KEY}"}}}}"#),
            "answered 401: wrong key: [key]; set the key",
        ),
        (
            404,
            r#"{"error":"model `m` not found"}"#.to_owned(),
            "answered 404: model `m` not found; check --base-url and",
        ),
        (429, r#"{"detail":"slowly"}"#.to_owned(), "answered 429: slowly; wait a while"),
        (400, "no JSON\n".to_owned(), "answered 400: no JSON"),
        (503, String::new(), "answered 503: Service Unavailable; the trouble is the server's"),
        (400, r#"{"odd":1}"#.to_owned(), r#"answered 400: {"odd":1}"#),
        (400, "x".repeat(1 << 20), &"x".repeat(500)),
    ];
    for (status, body, expected) in cases {
        let status = StatusCode::from_u16(status).unwrap();
        let server = Server::start(move |_| (status, body.clone()).into_response()).await.unwrap();
        let error = server.ask().await.unwrap().1.unwrap();
        assert!(matches!(error, ModelError::Refused { .. }), "{error:?}");
        let error = error.to_string();
        assert!(error.contains(expected) && error.contains(&server.base_url) && !error.contains(KEY), "{error}");
        assert!(error.len() < 700, "{error}");
    }
}

#[tokio::test]
async fn pages_and_other_addresses_are_refused() {
    let page = || ([(CONTENT_TYPE, "text/html; charset=utf-8")], "<html>");
    let server = Server::start(move |_| page().into_response()).await.unwrap();
    let error = server.ask().await.unwrap().1.unwrap();
    assert!(matches!(error, ModelError::Garbled { .. }), "{error:?}");

    let server = Server::start(move |_| (StatusCode::BAD_GATEWAY, page()).into_response()).await.unwrap();
    assert!(server.ask().await.unwrap().1.unwrap().to_string().contains("answered 502: Bad Gateway; "));

    let moved = || (StatusCode::PERMANENT_REDIRECT, [(LOCATION, "/elsewhere")]);
    let server = Server::start(move |_| moved().into_response()).await.unwrap();
    let error = server.ask().await.unwrap().1.unwrap().to_string();
    assert!(error.contains("answered 308: the API is at /elsewhere; set --base-url"), "{error}");
    assert_eq!(server.received().len(), 1, "the key has followed");
}

#[tokio::test]
async fn a_server_that_cannot_count_is_asked_again() {
    let refuses = |received: &Received| match received.body.get("stream_options") {
        Some(_) => (StatusCode::UNPROCESSABLE_ENTITY, "extra field: stream_options").into_response(),
        None => events("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n"),
    };
    let server = Server::start(refuses).await.unwrap();
    let (pieces, error) = server.ask().await.unwrap();
    assert!(error.is_none(), "{error:?}");
    assert_eq!(pieces, [Piece::Text("a".to_owned())]);
}

#[tokio::test]
async fn an_answer_without_its_end_is_an_error() {
    let said = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
    let finished = "data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\n";
    for (end, whole) in [("", false), (finished, true), ("data: [DONE]", true), (finished.trim_end(), true)] {
        let text = format!("{said}{end}");
        let server = Server::start(move |_| events(text.clone())).await.unwrap();
        let (pieces, error) = server.ask().await.unwrap();
        assert_eq!(pieces, [Piece::Text("a".to_owned())]);
        assert_eq!(error.is_none(), whole, "{end:?}: {error:?}");
        assert!(matches!(error, None | Some(ModelError::BrokenOff { .. })), "{error:?}");
    }
    for (end, whole) in [("", false), ("data: {\"cho", false), (finished, true)] {
        let (base_url, _serving) = cut_off(format!("{said}{end}")).await.unwrap();
        let (pieces, error) = all(OpenAi::new(&base_url, "m", None).unwrap()).await;
        assert_eq!(pieces, [Piece::Text("a".to_owned())]);
        assert_eq!(error.is_none(), whole, "{end:?}: {error:?}");
        assert!(matches!(error, None | Some(ModelError::BrokenOff { .. })), "{error:?}");
    }
}

#[tokio::test]
async fn a_byte_order_mark_does_no_harm() {
    let server = Server::start(|_| events("\u{feff}\ndata: [DONE]\n\n")).await.unwrap();
    let (_, error) = server.ask().await.unwrap();
    assert!(error.is_none(), "{error:?}");
}

#[tokio::test]
async fn errors_amid_the_stream_are_told_without_the_key() {
    let failed = format!("data: {{\"error\":{{\"message\":\"no more for {KEY}\"}}}}\n\n");
    let server = Server::start(move |_| events(failed.clone())).await.unwrap();
    let error = server.ask().await.unwrap().1.unwrap().to_string();
    assert!(error.ends_with("broke off: no more for [key]"), "{error}");

    for garbled in [format!("data: {KEY}\n\n").into_bytes(), b"data: \xff\n\n".to_vec()] {
        let server = Server::start(move |_| events(garbled.clone())).await.unwrap();
        let error = server.ask().await.unwrap().1.unwrap();
        assert!(matches!(error, ModelError::Garbled { .. }), "{error:?}");
        assert!(!error.to_string().contains(KEY), "{error}");
    }
}

#[tokio::test]
async fn a_silent_server_is_not_waited_for() {
    let wait = Duration::from_millis(20);
    let said = stream::iter([Ok::<_, Infallible>("data: {}\n\n")]);
    let server =
        Server::start(move |_| events(Body::from_stream(said.clone().chain(stream::pending())))).await.unwrap();
    let (_, error) = all(OpenAi { silence: wait, ..server.model().unwrap() }).await;
    assert!(matches!(error, Some(ModelError::Silent { waited, .. }) if waited == wait), "{error:?}");

    // It takes the connection, and no more.
    let deaf = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let model = OpenAi::new(&format!("http://{}", deaf.local_addr().unwrap()), "m", None).unwrap();
    let (_, error) = all(OpenAi { begin: wait, ..model }).await;
    assert!(matches!(error, Some(ModelError::Silent { waited, .. }) if waited == wait), "{error:?}");
}

#[tokio::test]
async fn an_endless_answer_is_ended() {
    let endless = stream::repeat(Ok::<_, Infallible>(": alive\n"));
    let server = Server::start(move |_| events(Body::from_stream(endless.clone()))).await.unwrap();
    let (_, error) = all(OpenAi { most_bytes: 1000, ..server.model().unwrap() }).await;
    assert!(error.unwrap().to_string().ends_with("broke off: it has more than 1000 bytes"));
}

#[tokio::test]
async fn who_is_not_there_is_named() {
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let model = OpenAi::new(&format!("http://me:{KEY}@{gone}/v1?key={KEY}"), "m", Some(KEY.to_owned())).unwrap();
    let error = all(model).await.1.unwrap().to_string();
    assert!(error.contains(&format!("cannot reach http://{gone}/v1/chat/completions: ")), "{error}");
    assert!(!error.contains(KEY), "{error}");
}

#[tokio::test]
async fn dropping_the_answer_ends_the_request() {
    let (ended, has_ended) = oneshot::channel::<()>();
    let ended = Arc::new(Mutex::new(Some(ended)));
    let server = Server::start(move |_| {
        // Goes with the body, and so with the request.
        let ended = ended.lock().ok().and_then(|mut ended| ended.take());
        let said = stream::iter([Ok::<_, Infallible>("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n")]);
        events(Body::from_stream(said.chain(stream::pending()).inspect(move |_| {
            let _ = &ended;
        })))
    })
    .await
    .unwrap();
    let mut pieces = server.model().unwrap().reply(&[], &[]).await.unwrap();
    assert_eq!(pieces.next().await.unwrap().unwrap(), Piece::Text("a".to_owned()));
    drop(pieces);
    let ended = timeout(Duration::from_secs(60), has_ended).await;
    assert!(matches!(ended, Ok(Err(_))), "the request has outlived its reader: {ended:?}");
}

#[test]
fn replies_can_be_awaited_on_any_thread() {
    fn is_send<T: Send>(value: T) -> T {
        value
    }
    let mut model = super::super::Model::OpenAi(OpenAi::new("http://localhost", "m", None).unwrap());
    drop(is_send(model.reply(&[], &[])));
}

#[test]
fn the_endpoint_comes_from_the_base_url() {
    for (base_url, expected) in [
        ("https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"),
        (" http://localhost:11434/v1/ ", "http://localhost:11434/v1/chat/completions"),
        ("http://localhost", "http://localhost/chat/completions"),
        ("http://h/v1/chat/completions", "http://h/v1/chat/completions"),
        ("http://h/v1?api-version=1#x", "http://h/v1/chat/completions?api-version=1"),
    ] {
        assert_eq!(endpoint(base_url).unwrap().as_str(), expected);
    }
    for bad in ["", "api.openai.com/v1", "localhost:11434", "file:///v1", "http://"] {
        assert!(matches!(endpoint(bad), Err(ModelError::BadUrl(_))), "{bad}");
    }
    assert!(matches!(OpenAi::new("http://h", "m", Some("a\nb".to_owned())), Err(ModelError::BadKey)));
    assert_eq!(shown(&endpoint("https://u:p@[::1]:8/v1?k=1").unwrap()), "https://[::1]:8/v1/chat/completions");
}

#[test]
fn a_proxy_is_not_for_this_machine() {
    for (url, here) in [
        ("http://localhost:1/", true),
        ("http://127.3.2.1/", true),
        ("http://[::1]/", true),
        ("http://localhost.example.com/", false),
        ("http://10.0.0.1/", false),
    ] {
        assert_eq!(is_this_machine(&Url::parse(url).unwrap()), here, "{url}");
    }
}
