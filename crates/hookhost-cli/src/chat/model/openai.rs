//! A model behind an OpenAI-compatible endpoint.
//!
//! Why by hand, over reqwest and a parser of event streams: the typed clients refuse what the many servers that speak this
//! API leave out, and know neither an answer that comes whole nor a time-out between pieces.

use std::collections::VecDeque;
use std::error::Error;
use std::time::Duration;

use eventsource_stream::{EventStreamError, Eventsource};
use futures::stream::BoxStream;
use futures::{StreamExt, stream};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use reqwest::{Client, Response, StatusCode, Url, redirect};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::assembly::{Assembly, BadPiece, beginning, message_of};
use super::{Message, ModelError, Piece, Pieces, ToolSpec};

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(20);
/// How long the answer may take to begin: a server on a small machine first loads its model, then reads all the messages.
const BEGIN: Duration = Duration::from_secs(300);
/// How long a server may be silent amid its answer. Comments that only keep the connection alive count as signs of life.
const SILENCE: Duration = Duration::from_secs(60);
/// An answer has so many bytes at most, all that is around its text included.
const ANSWER_BYTES: usize = 32 << 20;
/// Of an error's page, so many bytes are looked at.
const ERROR_BYTES: usize = 64 << 10;
/// A shorter key is none, but a word that stands for "no key needed", and may be part of other words.
const KEY_BYTES: usize = 8;

/// A model, and where it is.
pub(crate) struct OpenAi {
    client: Client,
    endpoint: Url,
    origin: Origin,
    model: String,
    begin: Duration,
    silence: Duration,
    most_bytes: usize,
}

/// What errors say of a service, and what they must not say.
#[derive(Clone)]
struct Origin {
    /// Without the password that it may have.
    url: String,
    key: Option<String>,
}

impl OpenAi {
    /// A model at an endpoint, `base_url` being what comes before `/chat/completions`. Connects to nothing yet.
    pub(crate) fn new(base_url: &str, model: &str, key: Option<String>) -> Result<Self, ModelError> {
        let endpoint = endpoint(base_url)?;
        let key = key.map(|key| key.trim().to_owned()).filter(|key| !key.is_empty());
        let mut headers = HeaderMap::new();
        if let Some(key) = &key {
            let mut value = HeaderValue::try_from(format!("Bearer {key}")).map_err(|_| ModelError::BadKey)?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        let mut client = Client::builder()
            .default_headers(headers)
            .connect_timeout(CONNECT)
            // Neither the conversation nor the key goes to where the user has not sent it.
            .redirect(redirect::Policy::none());
        if is_this_machine(&endpoint) {
            // No proxy elsewhere leads back to here.
            client = client.no_proxy();
        }
        let client = client.build().map_err(|error| ModelError::Client(cause(error)))?;
        let origin = Origin { url: shown(&endpoint), key };
        Ok(Self {
            client,
            endpoint,
            origin,
            model: model.to_owned(),
            begin: BEGIN,
            silence: SILENCE,
            most_bytes: ANSWER_BYTES,
        })
    }

    /// Asks for the next reply.
    pub(super) async fn reply(&self, messages: &[Message], tools: &[ToolSpec]) -> Result<Pieces, ModelError> {
        let mut request = json!({
            "model": self.model,
            "messages": messages,
            "stream": true,
            "stream_options": { "include_usage": true },
        });
        // Services refuse an empty list.
        if !tools.is_empty() {
            request["tools"] = json!(tools);
        }
        let response = match self.send(&request).await {
            // Counted tokens are nice to have, no more.
            Err(ModelError::Refused { status: 400 | 422, message, .. }) if message.contains("stream_options") => {
                request.as_object_mut().map(|request| request.shift_remove("stream_options"));
                self.send(&request).await?
            }
            sent => sent?,
        };
        // The history only grows, so no two replies have the same prefix.
        let assembly = Assembly::new(format!("call_{}", messages.len()));
        match media_type(&response).as_str() {
            "application/json" => self.whole(response, assembly).await,
            "text/html" => Err(self.origin.garbled("it is a page for browsers".to_owned())),
            _ => Ok(self.streamed(response, assembly)),
        }
    }

    async fn send(&self, request: &Value) -> Result<Response, ModelError> {
        let sending = self.client.post(self.endpoint.clone()).header(ACCEPT, "text/event-stream").json(request).send();
        match timeout(self.begin, sending).await {
            Ok(Ok(response)) if response.status() == StatusCode::OK => Ok(response),
            Ok(Ok(response)) => Err(self.refusal(response).await),
            Ok(Err(error)) => Err(self.origin.unreachable(error)),
            Err(_) => Err(self.origin.silent(self.begin)),
        }
    }

    /// The answer of a server that does not stream.
    async fn whole(&self, response: Response, mut assembly: Assembly) -> Result<Pieces, ModelError> {
        let mut bytes = self.bytes(response);
        let mut body = Vec::new();
        while let Some(part) = bytes.next().await {
            body.extend(part?);
        }
        let text = assembly.take_whole(&String::from_utf8_lossy(&body)).map_err(|bad| self.origin.bad_piece(bad))?;
        let text = Some(text).filter(|text| !text.is_empty()).map(Piece::Text);
        Ok(stream::iter(text.into_iter().chain(assembly.end()).map(Ok)).boxed())
    }

    fn streamed(&self, response: Response, assembly: Assembly) -> Pieces {
        let empty_lines = || stream::iter([Ok(b"\n\n".to_vec())]);
        // Before: eventsource-stream panics at a byte order mark, which it looks for at the very start. After: servers that
        // end with their last line, without an empty one, have said that line too.
        let events = empty_lines().chain(self.bytes(response)).chain(empty_lines()).eventsource().boxed();
        let answer = Answer { events, assembly, ready: VecDeque::new(), over: false, origin: self.origin.clone() };
        stream::unfold(answer, |mut answer| async move { Some((answer.next().await?, answer)) }).boxed()
    }

    /// The body, which may neither stop nor go on for ever.
    fn bytes(&self, response: Response) -> BoxStream<'static, Result<Vec<u8>, ModelError>> {
        let (origin, silence, most) = (self.origin.clone(), self.silence, self.most_bytes);
        stream::try_unfold((response.bytes_stream(), origin, 0), move |(mut bytes, origin, mut length)| async move {
            let part = match timeout(silence, bytes.next()).await {
                Err(_) => return Err(origin.silent(silence)),
                Ok(None) => return Ok(None),
                Ok(Some(Err(error))) => return Err(origin.broken_off(cause(error))),
                Ok(Some(Ok(part))) => part,
            };
            length += part.len();
            if length > most {
                return Err(origin.broken_off(format!("it has more than {most} bytes")));
            }
            Ok(Some((part.into(), (bytes, origin, length))))
        })
        .boxed()
    }

    /// What the server says of its refusal.
    async fn refusal(&self, response: Response) -> ModelError {
        let status = response.status();
        let elsewhere = response.headers().get(LOCATION).and_then(|location| location.to_str().ok()).map(str::to_owned);
        let is_page = media_type(&response) == "text/html";
        let mut bytes = self.bytes(response);
        let mut body = Vec::new();
        // What is there of the body is enough.
        while body.len() < ERROR_BYTES
            && let Some(Ok(part)) = bytes.next().await
        {
            body.extend(part);
        }
        let text = String::from_utf8_lossy(&body);
        let told = match serde_json::from_str::<Value>(&text) {
            Ok(error) => Some(message_of(&error).unwrap_or_else(|| error.to_string())),
            Err(_) => (!is_page).then(|| text.trim().to_owned()),
        };
        let told = told.filter(|told| !told.is_empty());
        let told = told.or_else(|| Some(format!("the API is at {}", elsewhere.filter(|_| status.is_redirection())?)));
        let message = match &told {
            Some(told) => self.origin.without_key(beginning(told, 500)),
            None => status.canonical_reason().unwrap_or("it gives no reason").to_owned(),
        };
        ModelError::Refused { url: self.origin.url.clone(), status: status.as_u16(), message }
    }
}

/// A streamed answer. Its connection ends with it.
struct Answer {
    events: BoxStream<'static, Result<eventsource_stream::Event, EventStreamError<ModelError>>>,
    assembly: Assembly,
    ready: VecDeque<Piece>,
    over: bool,
    origin: Origin,
}

impl Answer {
    async fn next(&mut self) -> Option<Result<Piece, ModelError>> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Some(Ok(piece));
            }
            if self.over {
                return None;
            }
            match self.text().await {
                Ok(Some(text)) if text.is_empty() => {}
                Ok(Some(text)) => return Some(Ok(Piece::Text(text))),
                Ok(None) => {
                    self.over = true;
                    self.ready.extend(self.assembly.end());
                }
                Err(error) => {
                    self.over = true;
                    return Some(Err(error));
                }
            }
        }
    }

    /// The text of the next event. `None` at the end of a complete answer.
    async fn text(&mut self) -> Result<Option<String>, ModelError> {
        match self.events.next().await {
            Some(Ok(event)) if event.data.trim() == "[DONE]" => Ok(None),
            // A sign of life.
            Some(Ok(event)) if event.data.trim().is_empty() => Ok(Some(String::new())),
            Some(Ok(event)) => match self.assembly.take(&event.data) {
                Ok(text) => Ok(Some(text)),
                Err(bad) => Err(self.origin.bad_piece(bad)),
            },
            // All is said; what could still come is how many tokens it took.
            None | Some(Err(_)) if self.assembly.is_finished() => Ok(None),
            None => Err(self.origin.broken_off("the connection ended before the answer did".to_owned())),
            Some(Err(EventStreamError::Transport(error))) => Err(error),
            Some(Err(EventStreamError::Utf8(_))) => Err(self.origin.garbled("it is no UTF-8 text".to_owned())),
            Some(Err(EventStreamError::Parser(_))) => Err(self.origin.garbled("it is no event stream".to_owned())),
        }
    }
}

impl Origin {
    fn unreachable(&self, error: reqwest::Error) -> ModelError {
        ModelError::Unreachable { url: self.url.clone(), problem: self.without_key(&cause(error)) }
    }

    fn silent(&self, waited: Duration) -> ModelError {
        ModelError::Silent { url: self.url.clone(), waited }
    }

    fn garbled(&self, problem: String) -> ModelError {
        ModelError::Garbled { url: self.url.clone(), problem: self.without_key(&problem) }
    }

    fn broken_off(&self, problem: String) -> ModelError {
        ModelError::BrokenOff { url: self.url.clone(), problem: self.without_key(&problem) }
    }

    fn bad_piece(&self, bad: BadPiece) -> ModelError {
        match bad {
            BadPiece::Garbled(problem) => self.garbled(problem),
            BadPiece::Failed(problem) => self.broken_off(beginning(&problem, 500).to_owned()),
        }
    }

    /// Services like to repeat a key that they refuse.
    fn without_key(&self, text: &str) -> String {
        match &self.key {
            Some(key) if key.len() >= KEY_BYTES => text.replace(key, "[key]"),
            _ => text.to_owned(),
        }
    }
}

/// Where the requests go. A query stays: some services tell their API's version there.
fn endpoint(base_url: &str) -> Result<Url, ModelError> {
    let bad = || ModelError::BadUrl(base_url.to_owned());
    let mut url = Url::parse(base_url.trim()).map_err(|_| bad())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(bad());
    }
    url.set_fragment(None);
    if !url.path().trim_end_matches('/').ends_with("/chat/completions") {
        url.path_segments_mut().map_err(|()| bad())?.pop_if_empty().extend(["chat", "completions"]);
    }
    Ok(url)
}

fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// A URL as it may be shown: without user, password and query.
fn shown(url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{}{port}{}", url.scheme(), url.host_str().unwrap_or_default(), url.path())
}

/// `application/json` for `application/json; charset=utf-8`, and nothing where the server does not say.
fn media_type(response: &Response) -> String {
    let value = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// What lies behind an error: its own words are "error sending request". The URL is told elsewhere, without its secrets.
fn cause(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut cause: &dyn Error = &error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests;
