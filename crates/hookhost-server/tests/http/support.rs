//! A project in a temporary folder, and a service over it.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use hookhost::HookHost;
use hookhost_server::{CredentialSources, Role, Server, ServerBuilder, ServerError};
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

pub(crate) const INPUT: &str = r#"{"points": ["preInput"]}"#;
pub(crate) const ALLOW: &str = "export default { run: () => ({ action: 'allow' }) };\n";
pub(crate) const BLOCK: &str = "export default { run: () => ({ action: 'block', reason: 'no' }) };\n";

pub(crate) const API_KEY: &str = "api-key-0123456789abcdef";
pub(crate) const OPERATOR: &str = "operator-0123456789abcdef";
pub(crate) const END_USER: &str = "end-user-0123456789abcdef";

/// A project.
pub(crate) struct Project {
    dir: TempDir,
}

impl Project {
    pub(crate) fn new() -> Self {
        Self { dir: TempDir::new().unwrap() }
    }

    /// A project with one hook at preInput, called `guard`.
    pub(crate) fn of(module: &str) -> Self {
        Self::new().hook("guard", INPUT, module)
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, content: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn file(self, path: &str, content: &str) -> Self {
        self.write(path, content);
        self
    }

    pub(crate) fn hook(self, name: &str, manifest: &str, module: &str) -> Self {
        self.file(&format!("hooks/{name}/hook.json"), manifest).file(&format!("hooks/{name}/index.mjs"), module)
    }

    /// A service that is open to this machine.
    pub(crate) async fn open(&self) -> Service {
        self.serve(|builder| builder).await
    }

    /// A service with a token for each role.
    pub(crate) async fn guarded(&self) -> Service {
        self.serve(|builder| builder.credentials(three_roles())).await
    }

    pub(crate) async fn serve(&self, settings: impl FnOnce(ServerBuilder) -> ServerBuilder) -> Service {
        self.try_serve(settings).await.unwrap()
    }

    pub(crate) async fn try_serve(
        &self,
        settings: impl FnOnce(ServerBuilder) -> ServerBuilder,
    ) -> Result<Service, ServerError> {
        let host = Arc::new(HookHost::builder().project(self.dir.path()).build().await.unwrap());
        let server = settings(Server::builder(host)).build()?;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = {
            let server = server.clone();
            tokio::spawn(async move { server.serve(listener, async { drop(stopped.await) }).await.unwrap() })
        };
        Ok(Service { address, server, stop, serving })
    }
}

pub(crate) fn three_roles() -> CredentialSources {
    CredentialSources::new().token("loop", Role::ApiKey, API_KEY).token("ops", Role::Operator, OPERATOR).token(
        "ada",
        Role::EndUser,
        END_USER,
    )
}

/// A running service.
pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    pub(crate) server: Server,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
}

impl Service {
    /// Begins the end, and returns what to wait for.
    pub(crate) fn stop(self) -> JoinHandle<()> {
        self.stop.send(()).unwrap();
        self.serving
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        Client::new().request(method, format!("http://{}{path}", self.address)).timeout(Duration::from_secs(60))
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        answer(self.request(Method::GET, path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        answer(self.request(Method::POST, path).json(&body)).await
    }

    /// Waits until so many requests are being answered, the one that asks included.
    pub(crate) async fn until_in_flight(&self, requests: usize) {
        let line = format!("\nhookhost_http_requests_in_flight {requests}\n");
        for _ in 0..5000 {
            if self.get("/metrics").await.text.contains(&line) {
                return;
            }
        }
        panic!("there are never {requests} requests under way");
    }

    /// Asks at preInput.
    pub(crate) async fn ask(&self, text: &str) -> Answer {
        self.post("/v1/decide", json!({ "point": "preInput", "payload": { "text": text } })).await
    }

    /// Sends bytes, perhaps closes that side, and reads to the end.
    pub(crate) async fn raw(&self, request: &str, half_close: bool) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        if half_close {
            stream.shutdown().await.unwrap();
        }
        read_to_end(stream).await
    }
}

/// Everything that still comes. A reset is an end like any other.
pub(crate) async fn read_to_end(mut stream: TcpStream) -> String {
    let mut read = Vec::new();
    let _ =
        tokio::time::timeout(Duration::from_secs(60), stream.read_to_end(&mut read)).await.expect("no end in a minute");
    String::from_utf8(read).unwrap()
}

/// A decision at preInput as text on a connection.
pub(crate) fn raw_ask(headers: &str) -> String {
    let body = r#"{"point":"preInput","payload":{"text":"hi"}}"#;
    format!(
        "POST /v1/decide HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The word of an error.
    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

pub(crate) async fn answer(request: RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    Answer { status, headers, text: response.text().await.unwrap() }
}
