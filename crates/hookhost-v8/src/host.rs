//! The host's half of one isolate: what the ops of `js/hook.js` do.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt::Display;
use std::future::poll_fn;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use deno_core::error::JsError;
use hookhost_contract::{Failure, FailureCause, Store, parse_json};
use serde::Serialize;
use serde_json::Value;

use crate::call::PendingCall;
use crate::error::{cut, thrown};
use crate::lost;
use crate::memory::{Memory, admit_types};
use crate::ops::{Exit, HookHostOps, StoreRead};
use crate::to_javascript::to_javascript;
use crate::turn::{Kill, Seat};

/// The host, as one isolate sees it.
pub(crate) struct IsolateHost {
    pub(crate) hook: String,
    pub(crate) folder: PathBuf,
    /// The globals of Node that there are not.
    pub(crate) absent: &'static [&'static str],
    pub(crate) reply_bytes: usize,
    pub(crate) store: Option<Arc<dyn Store>>,
    pub(crate) memory: Arc<Memory>,
    /// Whether the turn that runs has been killed.
    pub(crate) seat: Seat,
    /// The calls that the hook has begun and not settled.
    pub(crate) open: RefCell<HashMap<u32, Arc<PendingCall>>>,
    /// Calls settled so far, and calls answered with a reply.
    pub(crate) settled: Cell<u64>,
    pub(crate) replied: Cell<u64>,
}

impl IsolateHost {
    /// The call `id`, which is settled by that. What an isolate says after a kill is no answer: a hook may catch what ends
    /// it, and go on for a while.
    fn settle(&self, id: u32) -> Option<Arc<PendingCall>> {
        if self.seat.is_killed() {
            return None;
        }
        let call = self.open.borrow_mut().remove(&id)?;
        self.settled.set(self.settled.get() + 1);
        Some(call)
    }

    fn answer(&self, id: u32, reply: Result<String, Failure>) {
        if let Some(call) = self.settle(id)
            && call.answer(reply)
        {
            self.replied.set(self.replied.get() + 1);
        }
    }

    /// A line that belongs to no call that is under way.
    pub(crate) fn background(&self, line: &str) {
        // A subscriber that panics is no fault of the hook's, and there is nobody to tell.
        let _ = lost::of_the_host(|| {
            tracing::info!(target: "hookhost::log", hook = self.hook, line, "a hook logged outside a call");
        });
    }
}

impl HookHostOps for IsolateHost {
    fn exit(&self, how: Exit) {
        self.seat.kill_current(Kill::Exit(how));
    }

    /// With several calls under way, nobody knows whose it is.
    fn print(&self, line: String) {
        let only = {
            let open = self.open.borrow();
            let mut ids = open.keys();
            ids.next().copied().filter(|_| ids.next().is_none())
        };
        self.log(only.unwrap_or(0), line);
    }

    fn log(&self, call: u32, line: String) {
        let mut line = Some(line);
        if let Some(call) = self.open.borrow().get(&call) {
            call.log(&mut line);
        }
        if let Some(line) = line {
            self.background(&line);
        }
    }

    fn reply(&self, call: u32, text: String) {
        // `js/hook.js` has counted characters, and makes sure that a reply that stops a call is within the limit.
        if text.len() > self.reply_bytes {
            let message = format!("the reply is larger than the limit of {} bytes", self.reply_bytes);
            return self.invalid(call, message);
        }
        self.answer(call, Ok(well_formed(text)));
    }

    fn invalid(&self, call: u32, message: String) {
        self.answer(call, Err(Failure::new(FailureCause::InvalidDecision, message)));
    }

    fn fail(&self, call: u32, error: &JsError, rejected: bool, shown: String) {
        let cause = if rejected { FailureCause::Rejected } else { FailureCause::Threw };
        let failure = thrown(cause, error, &self.folder, self.absent);
        let failure = if shown.is_empty() { failure } else { Failure { message: cut(shown), ..failure } };
        self.answer(call, Err(failure));
    }

    fn outside_memory(&self, bytes: f64) {
        self.memory.grown(bytes);
    }

    fn admit_wasm_types(&self, section: &[u8]) -> bool {
        admit_types(&self.folder, section)
    }

    fn store_get(&self, store: String, key: String) -> StoreRead {
        let Some(host_store) = self.store.clone() else { return Box::pin(async { Err(no_store()) }) };
        Box::pin(async move {
            let row =
                guarded(host_store.get(&store, &key)).await.map_err(|error| format!("store `{store}`: {error}"))?;
            as_text(&row).map_err(|error| format!("store `{store}`: {error}"))
        })
    }

    fn store_query(&self, store: String, filter: String) -> StoreRead {
        let Some(host_store) = self.store.clone() else { return Box::pin(async { Err(no_store()) }) };
        Box::pin(async move {
            let filter = match parse_json(&well_formed(filter)) {
                Ok(Value::Object(filter)) => filter,
                Ok(_) => return Err(format!("store `{store}`: the filter is no object")),
                Err(error) => return Err(format!("store `{store}`: the filter: {error}")),
            };
            let rows = guarded(host_store.query(&store, &filter))
                .await
                .map_err(|error| format!("store `{store}`: {error}"))?;
            as_text(&rows).map_err(|error| format!("store `{store}`: {error}"))
        })
    }
}

/// What the host's store does, a panic included.
async fn guarded<T, E: Display>(read: impl Future<Output = Result<T, E>>) -> Result<T, String> {
    let mut read = pin!(read);
    poll_fn(|cx| match lost::of_the_host(|| read.as_mut().poll(cx)) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(read)) => Poll::Ready(read.map_err(|error| error.to_string())),
        Err(panic) => Poll::Ready(Err(format!("it panicked: {panic}"))),
    })
    .await
}

/// JavaScript's strings may contain half of a character, for instance after `slice`, and its JSON then says `\ud83d`.
/// No text in Rust can hold that: it becomes the replacement character, as in every encoder.
fn well_formed(json: String) -> String {
    if !json.contains("\\ud") {
        return json;
    }
    let mut text = String::with_capacity(json.len());
    let mut rest = &*json;
    while let Some(at) = rest.find('\\') {
        // An escape is ASCII: the cuts are at characters.
        let length = if rest[at..].starts_with("\\u") { 6 } else { 2 };
        let (before, escape) = rest.split_at(at);
        let (escape, after) = escape.split_at_checked(length).unwrap_or((escape, ""));
        text.push_str(before);
        text.push_str(if escape.starts_with("\\ud") { "\u{fffd}" } else { escape });
        rest = after;
    }
    text.push_str(rest);
    text
}

fn as_text(rows: &impl Serialize) -> serde_json::Result<String> {
    Ok(to_javascript(&serde_json::to_string(rows)?).into_owned())
}

fn no_store() -> String {
    "this hook has no store: declare the capability store:read, and give the host a store".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_characters_are_replaced() {
        for (json, text) in [
            (r#"{"a":"x"}"#, r#"{"a":"x"}"#),
            (r#"{"a":"\\ud83d"}"#, r#"{"a":"\\ud83d"}"#),
            (r#"["\ud83d\udc00é\n\u0001","\\\udfff"]"#, r#"["��é\n\u0001","\\�"]"#),
            (r"\ud8", "\u{fffd}"),
        ] {
            assert_eq!(well_formed(json.to_owned()), text);
        }
    }
}
