//! `hookhost serve` and `hookhost token`: the service as a process.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Folder, HANDLER, MANIFEST, hookhost};

/// No test is about this limit: it only ends what hangs.
const PATIENCE: Duration = Duration::from_secs(60);

const TOKEN: &str = "operator-0123456789abcdef";

/// A service that runs.
struct Serving {
    child: Child,
    address: String,
    greeting: Vec<String>,
    stderr: Option<JoinHandle<String>>,
}

impl Serving {
    /// Starts `hookhost serve` on a free port, and waits until it listens.
    fn start(folder: &Folder, line: &str, variables: &[(&str, &str)]) -> Self {
        let mut child = command(folder, line, variables).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut stderr = child.stderr.take().unwrap();
        let stderr = thread::spawn(move || {
            let mut told = String::new();
            let _ = stderr.read_to_string(&mut told);
            told
        });
        let mut first = String::new();
        stdout.read_line(&mut first).unwrap();
        let address = first.split("://").nth(1).and_then(|rest| rest.split([' ', '"']).next()).unwrap_or_default();
        let address = address.to_owned();
        let mut greeting = vec![first];
        if !line.contains("json") && variables.is_empty() {
            let mut second = String::new();
            stdout.read_line(&mut second).unwrap();
            greeting.push(second);
        }
        Self { child, address, greeting, stderr: Some(stderr) }
    }

    /// Sends a request and reads the answer to its end: the status and the body.
    fn send(&self, method: &str, path: &str, token: Option<&str>, body: &str) -> (u16, String) {
        let authorization = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
             connection: close\r\n{authorization}\r\n{body}",
            self.address,
            body.len()
        );
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), body.to_owned())
    }

    /// Asks at preInput.
    fn ask(&self) -> Value {
        let (status, body) = self.send("POST", "/v1/decide", None, &call());
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    fn wait(&mut self) -> ExitStatus {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("it does not end");
    }

    /// Everything that it logged, once it has ended.
    fn logged(&mut self) -> String {
        self.stderr.take().unwrap().join().unwrap()
    }

    #[cfg(unix)]
    fn signal(&self, signal: nix::sys::signal::Signal) {
        nix::sys::signal::kill(nix::unistd::Pid::from_raw(self.child.id().cast_signed()), signal).unwrap();
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command(folder: &Folder, line: &str, variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hookhost"));
    command
        .arg("serve")
        .args(line.split_whitespace())
        .current_dir(folder.path("agent"))
        .env("HOOKHOST_LISTEN", "127.0.0.1:0")
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for variable in
        ["HOOKHOST_TOKENS", "HOOKHOST_API_KEY", "HOOKHOST_OPERATOR_TOKEN", "HOOKHOST_JWT_SECRET", "HOOKHOST_STORE"]
    {
        if !variables.iter().any(|(name, _)| *name == variable) {
            command.env_remove(variable);
        }
    }
    command
}

/// A start that comes to nothing: its exit code and what it says.
fn refused(folder: &Folder, line: &str, variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let output = command(folder, line, variables).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn call() -> String {
    json!({ "point": "preInput", "payload": { "text": "hi" } }).to_string()
}

fn folder() -> Folder {
    Folder::new().hook("guard", MANIFEST, HANDLER)
}

#[test]
fn it_says_where_it_listens_and_who_may_call() {
    let folder = folder();
    let open = Serving::start(&folder, "", &[]);
    let said = open.greeting.concat().replace(&open.address, "<address>");
    insta::assert_snapshot!(said, @r"
    listening http://<address> with 1 hook
    no tokens are configured: it is open to this machine, and to nobody else
    ");
    assert_eq!(open.ask()["action"], "allow");

    let json = Serving::start(&folder, "--format json", &[("HOOKHOST_OPERATOR_TOKEN", TOKEN)]);
    let greeting: Value = serde_json::from_str(&json.greeting[0]).unwrap();
    let url = format!("http://{}", json.address);
    assert_eq!(greeting, json!({ "listening": url, "hooks": 1, "needsToken": true }));
    assert_eq!(json.send("POST", "/v1/decide", None, &call()).0, 401);
    assert_eq!(json.send("POST", "/v1/decide", Some(TOKEN), &call()).0, 200);
}

#[test]
fn what_cannot_be_served_is_refused() {
    let folder = folder().dir("empty").file("agent/tokens.json", r#"{"tokens": []}"#);
    let (code, said) = refused(&folder, "--listen 0.0.0.0:0", &[]);
    assert!(code == Some(2) && said.contains("no tokens are configured"), "{code:?} {said}");
    let (code, said) = refused(&folder, "--project ../empty", &[]);
    assert!(code == Some(1) && said.contains("no hooks in ../empty"), "{code:?} {said}");
    let (code, said) = refused(&folder, "--tokens tokens.json", &[]);
    assert!(code == Some(2) && said.contains("`tokens.json` has no tokens"), "{code:?} {said}");
    let (code, said) = refused(&folder, "", &[("HOOKHOST_API_KEY", "")]);
    assert!(code == Some(2) && said.contains("HOOKHOST_API_KEY is set and empty"), "{code:?} {said}");
    let (code, said) = refused(&folder, "--tls-cert cert.pem", &[]);
    assert!(code == Some(2) && said.contains("--tls-key"), "{code:?} {said}");
    let taken = Serving::start(&folder, "", &[]);
    let (code, said) = refused(&folder, &format!("--listen {}", taken.address), &[]);
    assert!(code == Some(1) && said.contains("cannot listen on"), "{code:?} {said}");
    let broken = Folder::new().hook("guard", MANIFEST, HANDLER).hook("bad", r#"{"points": []}"#, HANDLER);
    let (code, said) = refused(&broken, "--strict", &[]);
    assert!(code == Some(1) && said.contains("hooks/bad/hook.json"), "{code:?} {said}");
}

#[test]
fn a_made_token_is_let_in() {
    let made = hookhost("token chat-loop --format json").json();
    let (token, entry) = (made["token"].as_str().unwrap(), &made["entry"]);
    assert_eq!((&entry["name"], &entry["role"]), (&json!("chat-loop"), &json!("api-key")));
    let folder = folder().file("agent/tokens.json", json!({ "tokens": [entry] }).to_string());
    let serving = Serving::start(&folder, "--tokens tokens.json", &[("X", "1")]);
    assert_eq!(serving.send("POST", "/v1/decide", Some(token), &call()).0, 200);
    assert_eq!(serving.send("POST", "/v1/reload", Some(token), "").0, 403);
    assert_eq!(serving.send("POST", "/v1/decide", Some(entry["sha256"].as_str().unwrap()), &call()).0, 401);

    let human = hookhost("token ops --role operator");
    assert!(
        human.stdout.starts_with("token  hh_") && human.stdout.contains(r#"entry  {"name":"ops","role":"operator""#)
    );
    assert_ne!(human.stdout, hookhost("token ops --role operator").stdout, "each is new");
}

#[cfg(unix)]
mod unix {
    #[cfg(target_os = "linux")]
    use std::sync::atomic::{AtomicU32, Ordering};

    use nix::sys::signal::Signal;

    use super::*;

    #[test]
    fn no_token_is_ever_in_the_log() {
        let secret = "a secret of thirty-two bytes or so";
        let variables = [("HOOKHOST_OPERATOR_TOKEN", TOKEN), ("HOOKHOST_JWT_SECRET", secret)];
        for format in ["human", "json"] {
            let mut serving = Serving::start(&folder(), &format!("--log trace --format {format}"), &variables);
            for token in [TOKEN, "nobody-0123456789abcdef", "e30.e30.c2lnbmF0dXJl"] {
                serving.send("POST", "/v1/decide", Some(token), &call());
            }
            serving.send("GET", "/inspect/hooks?token=in-the-query", Some("two words"), "");
            serving.signal(Signal::SIGTERM);
            assert!(serving.wait().success());
            let logged = serving.logged();
            assert!(
                logged.contains("an unknown token was refused") && logged.contains("HOOKHOST_OPERATOR_TOKEN"),
                "{logged}"
            );
            for secret in [TOKEN, secret, "nobody-0123456789", "c2lnbmF0dXJl", "in-the-query", "two words"] {
                assert!(!logged.contains(secret), "{secret}: {logged}");
            }
        }
    }

    #[test]
    fn logs_are_json_lines_that_name_the_request() {
        let block = "export default { run: () => ({ action: 'block', reason: 'no' }) };";
        let folder = Folder::new().hook("guard", MANIFEST, block);
        let mut serving = Serving::start(&folder, "--format json", &[]);
        serving.ask();
        serving.signal(Signal::SIGINT);
        assert!(serving.wait().success());
        let logged = serving.logged();
        let lines: Vec<Value> = logged.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
        let find =
            |message: &str| lines.iter().find(|line| line["message"] == message).unwrap_or_else(|| panic!("{logged}"));
        let (decided, answered) = (find("guardrail_decision"), find("answered"));
        assert_eq!((&decided["hook"], &decided["action"]), (&json!("guard"), &json!("block")));
        assert_eq!((&answered["status"], &answered["span"]["route"]), (&json!(200), &json!("/v1/decide")));
        assert_eq!(decided["spans"][0]["request_id"], answered["span"]["request_id"]);
    }

    #[test]
    fn hang_up_reloads() {
        let folder = folder();
        let serving = Serving::start(&folder, "", &[]);
        assert_eq!(serving.ask()["action"], "allow");
        let block = "export default { run: () => ({ action: 'block', reason: 'no' }) };";
        std::fs::write(folder.path("agent/hooks/guard/index.mjs"), block).unwrap();
        serving.signal(Signal::SIGHUP);
        let begun = Instant::now();
        while serving.ask()["action"] != "block" {
            assert!(begun.elapsed() < PATIENCE);
        }
    }

    #[test]
    fn a_second_signal_does_not_wait() {
        let never = "export default { run: () => new Promise(() => {}) };";
        let folder = Folder::new().hook("guard", r#"{"points": ["preInput"], "timeoutMs": 600000}"#, never);
        let mut serving = Serving::start(&folder, "--grace 600", &[]);
        let mut stream = TcpStream::connect(&serving.address).unwrap();
        let request = format!(
            "POST /v1/decide HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{}",
            call().len(),
            call()
        );
        stream.write_all(request.as_bytes()).unwrap();
        while !serving.send("GET", "/metrics", None, "").1.contains("hookhost_http_requests_in_flight 2") {}
        serving.signal(Signal::SIGTERM);
        // Once it does not listen any more, the first one has been understood.
        while TcpStream::connect(&serving.address).is_ok() {}
        assert!(serving.child.try_wait().unwrap().is_none(), "it waits for what is under way");
        serving.signal(Signal::SIGTERM);
        assert_eq!(serving.wait().code(), Some(1));
        assert!(serving.logged().contains("ended at once"));
    }

    /// Hooks may take ten seconds to load, and nobody is under way yet.
    #[test]
    fn a_signal_while_it_starts_ends_it_at_once() {
        let slow = "import { writeFileSync } from 'node:fs';
            writeFileSync(new URL('started', import.meta.url), '');
            await new Promise((done) => setTimeout(done, 60_000));";
        let folder = Folder::new().hook("guard", MANIFEST, slow);
        let mut child = command(&folder, "", &[]).spawn().unwrap();
        while !folder.path("agent/hooks/guard/started").exists() {
            thread::sleep(Duration::from_millis(10));
        }
        let begun = Instant::now();
        nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id().cast_signed()), Signal::SIGTERM).unwrap();
        assert!(child.wait().unwrap().success());
        assert!(begun.elapsed() < Duration::from_secs(8), "it did not wait for the load limit");
    }

    /// What hooks see of the environment has no secret of the service in it.
    #[test]
    fn hooks_see_no_token_of_the_service() {
        let tell = "export default { run(point, payload, ctx) { ctx.log(JSON.stringify(process.env)); return { action: 'allow' }; } };";
        let folder = Folder::new().hook("guard", MANIFEST, tell);
        let serving = Serving::start(&folder, "", &[("HOOKHOST_OPERATOR_TOKEN", TOKEN), ("SOMETHING_ELSE", "visible")]);
        let (_, body) = serving.send("POST", "/v1/decide", Some(TOKEN), &call());
        assert!(body.contains("visible") && !body.contains(TOKEN) && !body.contains("HOOKHOST_"), "{body}");
    }

    /// `kill -TERM` while 64 clients ask again and again, on connections that they keep.
    #[cfg(target_os = "linux")]
    #[test]
    fn terminated_under_load_it_loses_no_request() {
        let folder = folder();
        let mut serving = Serving::start(&folder, "--log off", &[]);
        let (asked, answered) = (AtomicU32::new(0), AtomicU32::new(0));
        thread::scope(|scope| {
            let clients: Vec<_> = (0..64)
                .map(|_| {
                    scope.spawn(|| {
                        // Until the service is gone: a connection that is refused is no request.
                        while let Ok(stream) = TcpStream::connect(&serving.address) {
                            ask_until_closed(stream, &asked, &answered);
                        }
                    })
                })
                .collect();
            thread::sleep(Duration::from_millis(700));
            serving.signal(Signal::SIGTERM);
            for client in clients {
                client.join().unwrap();
            }
        });
        assert!(serving.wait().success());
        let (asked, answered) = (asked.into_inner(), answered.into_inner());
        assert_eq!(asked, answered, "each request that was sent was answered");
        assert!(asked > 64, "{asked} requests are no load");
    }

    /// Asks on one connection until the service says that it closes it.
    #[cfg(target_os = "linux")]
    fn ask_until_closed(mut stream: TcpStream, asked: &AtomicU32, answered: &AtomicU32) {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let body = call();
        let request = format!(
            "POST /v1/decide HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        loop {
            asked.fetch_add(1, Ordering::Relaxed);
            if stream.write_all(request.as_bytes()).is_err() {
                return;
            }
            let (mut length, mut closes, mut status) = (0, false, String::new());
            if reader.read_line(&mut status).unwrap_or(0) == 0 {
                return;
            }
            assert_eq!(status, "HTTP/1.1 200 OK\r\n");
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                match line.trim_end().split_once(": ") {
                    Some(("content-length", value)) => length = value.parse().unwrap(),
                    Some(("connection", "close")) => closes = true,
                    Some(_) => {}
                    None => break,
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let decision: Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(decision["action"], "allow");
            answered.fetch_add(1, Ordering::Relaxed);
            if closes {
                return;
            }
        }
    }
}

/// What a collector of OpenTelemetry gets: `cargo xtask test` runs this with the feature on.
#[cfg(all(unix, feature = "otel"))]
#[test]
fn otel_traces_go_to_a_collector_and_follow_the_client() {
    let collector = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", collector.local_addr().unwrap());
    let collecting = thread::spawn(move || {
        let (mut stream, _) = collector.accept().unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
                length = value.trim().parse().unwrap();
            }
            head.push_str(&line);
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
        (head, body)
    });
    let mut serving = Serving::start(&folder(), "", &[("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint)]);
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let request = format!(
        "POST /v1/decide HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         traceparent: 00-{trace}-b7ad6b7169203331-01\r\nconnection: close\r\n\r\n{}",
        call().len(),
        call()
    );
    let mut stream = TcpStream::connect(&serving.address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    stream.read_to_string(&mut String::new()).unwrap();
    // What is left is sent at the end.
    serving.signal(nix::sys::signal::Signal::SIGTERM);
    assert!(serving.wait().success());
    let (head, body) = collecting.join().unwrap();
    assert!(head.starts_with("POST /v1/traces "), "{head}");
    let has = |part: &[u8]| body.windows(part.len()).any(|window| window == part);
    let id: Vec<u8> = (0..16).map(|at| u8::from_str_radix(&trace[2 * at..2 * at + 2], 16).unwrap()).collect();
    assert!(has(&id), "it is part of the client's trace");
    assert!(has(b"/v1/decide") && has(b"decide") && has(b"hookhost"));
}
