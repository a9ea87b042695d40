//! `hookhost chat`: a whole conversation on the six example hooks, with a recorded model and with one behind a real
//! endpoint. Both must come to the same.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use hookhost_tests::{Redactor, copy_folder, workspace_root};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Folder, HANDLER, MANIFEST, command};

const STORE: &str = "--store fixtures/stores/members.json --caller user=u1 --policy fixtures/chat/policy.json";
/// What must not reach the model, the user's screen or an event, once a hook has taken it out.
const SECRETS: [&str; 5] =
    ["ada@example.com", "4111 1111 1111 1111", "AKIAIOSFODNN7EXAMPLE", "p4ssw0rd-of-the-fixture", "grace@example.com"];

/// What a chat printed, by kind.
#[derive(Debug, Default)]
struct Chat {
    code: Option<i32>,
    /// As it came, but for what the user is taken to have typed, logs, and the ends of turns.
    lines: Vec<Value>,
    history: Vec<Value>,
    /// Who logged what, at which point.
    logs: Vec<Value>,
    stderr: String,
}

impl Chat {
    fn shown(&self) -> Vec<&str> {
        self.lines.iter().filter_map(|line| line["shown"].as_str()).collect()
    }

    fn events(&self) -> Vec<&str> {
        self.lines.iter().filter_map(|line| line["event"].as_str()).collect()
    }

    fn event(&self, name: &str) -> &Value {
        self.lines.iter().find(|line| line["event"] == name).unwrap_or(&Value::Null)
    }

    /// What the model is told of each tool call.
    fn tool_results(&self) -> Vec<&str> {
        self.history
            .iter()
            .filter(|message| message["role"] == "tool")
            .filter_map(|it| it["content"].as_str())
            .collect()
    }
}

/// Runs a chat as JSON, in a copy of the fixture's work folder.
fn chat(arguments: &str, stdin: &str, environment: &[(&str, &str)]) -> (Chat, TempDir) {
    let work = TempDir::new().unwrap();
    copy_folder(&workspace_root().join("fixtures/chat/work"), work.path()).unwrap();
    let mut command = command(&workspace_root());
    command.args(["chat", "--format", "json", "--work"]).arg(work.path()).args(arguments.split_whitespace());
    for variable in ["HOOKHOST_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY"] {
        command.env_remove(variable);
    }
    let output = command.envs(environment.iter().copied()).write_stdin(stdin).output().unwrap();
    let redactor = Redactor::new().path(work.path(), "<work>");
    let mut chat = Chat {
        code: output.status.code(),
        stderr: redactor.redact(&String::from_utf8(output.stderr).unwrap()),
        ..Chat::default()
    };
    for line in redactor.redact(&String::from_utf8(output.stdout).unwrap()).lines() {
        let mut line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        if let Some(history) = line["history"].as_array_mut() {
            chat.history.append(history);
        } else if line["event"] == "hook_logged" {
            chat.logs.push(line);
        } else if !matches!(line["event"].as_str(), Some("turn_started" | "turn_finished"))
            && line.get("user").is_none()
        {
            chat.lines.push(line);
        }
    }
    (chat, work)
}

/// What the six hooks make of the recorded conversation.
fn assert_the_conversation(chat: &Chat, work: &Path) {
    assert_eq!(chat.code, Some(0), "{}", chat.stderr);
    assert_eq!(
        chat.events(),
        [
            "input_redacted",
            "approval_requested",
            "approval_resolved",
            "tool_blocked",
            "tool_blocked",
            "result_rewritten",
            "tool_blocked",
            "output_rewritten",
        ]
    );

    // Redacted input: history and model have the text without it.
    assert_eq!(chat.event("input_redacted")["hooks"], json!(["pii-redactor"]));
    let first = &chat.history[0];
    assert_eq!(first["role"], "user");
    assert!(first["content"].as_str().unwrap().starts_with("I am Ada, [email removed]. Pay 750 EUR"), "{first}");

    // Asked and approved spend: the exact payload was asked about, and the tool ran.
    let request = &chat.event("approval_requested")["request"];
    let args = json!({ "amount": 750, "currency": "EUR", "to": "Office Supplies Ltd" });
    assert_eq!(request["payload"], json!({ "toolName": "payments__transfer", "args": args }));
    assert_eq!(request["askedBy"][0]["hook"], "spend-approval");
    let resolved = chat.event("approval_resolved");
    assert_eq!((&resolved["id"], &resolved["choice"]), (&request["id"], &json!("allow_once")));

    let results = chat.tool_results();
    assert_eq!(results.len(), 7);
    assert!(results[0].contains("750"), "{}", results[0]);
    // Blocked write, and a good one.
    assert!(results[1].starts_with("write_file may only write under /workspace"), "{}", results[1]);
    assert!(!work.parent().unwrap().join("etc/motd").exists());
    assert!(results[2].contains("written"), "{}", results[2]);
    assert_eq!(fs::read_to_string(work.join("notes/payment.md")).unwrap(), "750 EUR to Office Supplies Ltd\n");
    // The policy's no, and a rewritten result.
    assert!(results[3].starts_with("No commands here"), "{}", results[3]);
    assert!(results[4].contains("[redacted: aws-access-key]") && results[4].contains("0017"), "{}", results[4]);
    // What only a person may set, and what anybody may.
    assert_eq!(results[5], "This workflow cannot set the ready-to-quote recommendation.");
    assert!(results[6].contains("s-17"), "{}", results[6]);

    // Rewritten output: shown and kept are the same.
    let last = "It waits for a review, which only a person can do: ask Grace at [email removed] or [phone removed].";
    assert_eq!(chat.shown().last(), Some(&last));
    assert_eq!(chat.history.last().unwrap(), &json!({ "role": "assistant", "content": last }));
    // Each text of the model was held back and shown at once, none in pieces.
    let texts = chat.history.iter().filter(|it| it["role"] == "assistant").filter_map(|it| it["content"].as_str());
    assert_eq!(chat.shown(), texts.filter(|text| !text.is_empty()).collect::<Vec<_>>());

    // The one that only watches has seen every point, the ends of the turns included.
    let watched = chat.logs.iter().filter(|log| log["hook"] == "verbose-audit");
    let watched: BTreeSet<_> = watched.filter_map(|log| log["point"].as_str()).collect();
    assert_eq!(watched, BTreeSet::from(["postToolUse", "postTurn", "preInput", "preOutput", "preToolUse"]));

    let all = format!("{:?}{:?}{:?}", chat.lines, chat.history, chat.logs);
    for secret in SECRETS {
        assert!(!all.contains(secret), "{secret} got through");
    }
}

#[test]
fn a_recorded_conversation_on_all_example_hooks() {
    let (chat, work) = chat(&format!("--script fixtures/chat/conversation.json {STORE}"), "yes\n", &[]);
    assert_the_conversation(&chat, work.path());
    let lines: Vec<_> = chat.lines.iter().map(Value::to_string).collect();
    let history: Vec<_> = chat.history.iter().map(Value::to_string).collect();
    insta::assert_snapshot!(format!("{}\n\n{}", lines.join("\n"), history.join("\n")));
}

/// An endpoint that plays the recording, in small pieces.
#[derive(Clone)]
struct Endpoint {
    replies: Arc<Mutex<Vec<Value>>>,
    requests: Arc<Mutex<Vec<Value>>>,
    calls: Arc<Mutex<usize>>,
}

impl Endpoint {
    /// Starts on a port of its own. Returns its URL.
    fn start(replies: Vec<Value>) -> (Self, String) {
        let endpoint = Self { replies: Arc::new(Mutex::new(replies)), requests: Arc::default(), calls: Arc::default() };
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        listener.set_nonblocking(true).unwrap();
        let app = Router::new().route("/v1/chat/completions", post(answer)).with_state(endpoint.clone());
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                axum::serve(listener, app).await.unwrap();
            });
        });
        (endpoint, url)
    }
}

async fn answer(State(endpoint): State<Endpoint>, headers: HeaderMap, Json(request): Json<Value>) -> Response {
    if headers.get("authorization").is_none_or(|key| key != "Bearer the-key") {
        let error = json!({ "error": { "message": "Incorrect API key provided" } });
        return (StatusCode::UNAUTHORIZED, Json(error)).into_response();
    }
    endpoint.requests.lock().unwrap().push(request);
    let reply = endpoint.replies.lock().unwrap().remove(0);
    let mut events = String::from(": keep-alive\n\n");
    let mut event = |delta: Value, finish: Value| {
        let piece = json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }] });
        events.push_str(&format!("data: {piece}\n\n"));
    };
    for word in reply["text"].as_str().unwrap_or_default().split_inclusive(' ') {
        event(json!({ "content": word }), Value::Null);
    }
    for (index, call) in reply["toolCalls"].as_array().into_iter().flatten().enumerate() {
        let number = {
            let mut calls = endpoint.calls.lock().unwrap();
            *calls += 1;
            *calls
        };
        let function = json!({ "name": call["name"], "arguments": "" });
        let id = format!("call_{number}");
        event(json!({ "tool_calls": [{ "index": index, "id": id, "function": function }] }), Value::Null);
        let arguments: Vec<char> = call["arguments"].to_string().chars().collect();
        for piece in arguments.chunks(7) {
            let function = json!({ "arguments": piece.iter().collect::<String>() });
            event(json!({ "tool_calls": [{ "index": index, "function": function }] }), Value::Null);
        }
    }
    event(json!({}), json!("stop"));
    events.push_str("data: [DONE]\n\n");
    // Cut anywhere: a piece of the body is no piece of the answer.
    let pieces: Vec<_> = events.into_bytes().chunks(11).map(<[u8]>::to_vec).collect();
    let body = futures::stream::iter(pieces.into_iter().map(Ok::<_, std::io::Error>));
    ([("content-type", "text/event-stream")], Body::from_stream(body)).into_response()
}

fn recording() -> Vec<Value> {
    let text = fs::read_to_string(workspace_root().join("fixtures/chat/conversation.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["turns"].as_array().unwrap().clone()
}

#[test]
fn the_same_conversation_through_an_endpoint_that_streams() {
    let turns = recording();
    let replies = turns.iter().flat_map(|turn| turn["replies"].as_array().unwrap().clone()).collect();
    let (endpoint, url) = Endpoint::start(replies);
    // The answer to the approval comes after the message that leads to it.
    let mut typed: Vec<_> = turns.iter().map(|turn| turn["user"].as_str().unwrap()).collect();
    typed.insert(1, "1");
    let (through_http, work) = chat(
        &format!("--model recorded --base-url {url} {STORE}"),
        &format!("{}\n", typed.join("\n")),
        &[("OPENAI_API_KEY", "the-key")],
    );
    assert_the_conversation(&through_http, work.path());
    let (recorded, _work) = chat(&format!("--script fixtures/chat/conversation.json {STORE}"), "yes\n", &[]);
    assert_eq!(through_http.lines, recorded.lines);
    assert_eq!(through_http.history, recorded.history);

    // What the model was sent is the history as it was then.
    let requests = endpoint.requests.lock().unwrap();
    let model_calls = through_http.history.iter().filter(|message| message["role"] == "assistant").count();
    assert_eq!(requests.len(), model_calls);
    for request in requests.iter() {
        assert_eq!((&request["model"], &request["stream"]), (&json!("recorded"), &json!(true)));
        let sent = request["messages"].as_array().unwrap();
        assert_eq!(sent[..], through_http.history[..sent.len()]);
    }
    let sent = format!("{requests:?}");
    for secret in SECRETS {
        assert!(!sent.contains(secret), "{secret} was sent");
    }
}

#[test]
fn an_endpoint_that_refuses_says_why_and_the_key_is_not_printed() {
    let (_endpoint, url) = Endpoint::start(Vec::new());
    let arguments = format!("--model recorded --base-url {url} {STORE}");
    let (chat, _work) = chat(&arguments, "hello\n", &[("OPENAI_API_KEY", "a-wrong-key")]);
    assert_eq!(chat.code, Some(1));
    assert!(chat.stderr.contains("401") && chat.stderr.contains("Incorrect API key provided"), "{}", chat.stderr);
    assert!(chat.stderr.contains("--api-key-env") && !chat.stderr.contains("a-wrong-key"), "{}", chat.stderr);
    assert_eq!(chat.history, [] as [Value; 0]);
}

#[test]
fn no_answer_to_a_question_is_a_no() {
    let (chat, _work) = chat(&format!("--script fixtures/chat/conversation.json {STORE}"), "", &[]);
    assert_eq!(chat.code, Some(0));
    assert_eq!(chat.tool_results()[0], "Denied by the user.");
    assert_eq!(chat.event("approval_resolved")["choice"], "deny");
}

#[test]
fn a_no_with_a_reason_reaches_the_model() {
    let arguments = format!("--script fixtures/chat/conversation.json {STORE}");
    let (chat, _work) = chat(&arguments, "perhaps\nno, because it is Friday\n", &[]);
    assert_eq!(chat.tool_results()[0], "Denied by the user: because it is Friday");
}

#[test]
fn without_a_model_it_says_what_to_give() {
    let (chat, _work) = chat("", "", &[]);
    assert_eq!(chat.code, Some(2));
    assert!(chat.stderr.contains("--model NAME, or --script FILE"), "{}", chat.stderr);
}

#[test]
fn a_policy_that_cannot_be_read_is_not_none() {
    let script = r#"{ "turns": [{ "user": "hi", "replies": [{ "text": "hello" }] }] }"#;
    let folder = Folder::new().hook("h", MANIFEST, HANDLER).file("s.json", script);
    let fine = folder.hookhost("chat --project agent --script s.json");
    assert_eq!(fine.code, Some(0), "{fine}");
    assert!(fine.stdout.contains("> hi\nhello\n"), "{fine}");
    let folder = folder.file("agent/policy.json", r#"{ "rules": [{ "tool": ["x"], "action": "allow" }] }"#);
    let broken = folder.hookhost("chat --project agent --script s.json");
    assert_eq!(broken.code, Some(1), "{broken}");
    assert!(broken.stderr.contains("policy.json:1:15: unknown key `tool`"), "{broken}");
}
