//! Asks V8 what has run, through its inspector.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use deno_core::url::Url;
use deno_core::{
    InspectorMsg, InspectorMsgKind, InspectorSessionKind, JsRuntime, JsRuntimeInspector, LocalInspectorSession,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::CoverageSink;
use super::map::{Script, coverage};
use crate::modules::loaded::Loaded;

/// What counts in one isolate, from before the hook is loaded until the isolate ends.
pub(crate) struct Collector {
    session: LocalInspectorSession,
    replies: Rc<RefCell<Vec<Reply>>>,
    sink: Arc<CoverageSink>,
    loaded: Arc<Loaded>,
    last: i32,
}

/// An answer of the inspector.
#[derive(Deserialize)]
struct Reply {
    id: i32,
    #[serde(default)]
    result: Value,
    error: Option<Value>,
}

impl Collector {
    /// Begins to count. The modules that are loaded from now on are in `loaded`.
    pub(crate) fn start(js: &mut JsRuntime, sink: Arc<CoverageSink>, loaded: Arc<Loaded>) -> Self {
        js.maybe_init_inspector();
        let replies = Rc::new(RefCell::new(Vec::new()));
        let received = replies.clone();
        let receive = move |message: InspectorMsg| {
            if matches!(message.kind, InspectorMsgKind::Message(_))
                && let Ok(reply) = serde_json::from_str(&message.content)
            {
                received.borrow_mut().push(reply);
            }
        };
        // One that does not keep the event loop going.
        let kind = InspectorSessionKind::NonBlocking { wait_for_disconnect: false };
        let session = JsRuntimeInspector::create_local_session(js.inspector(), Box::new(receive), kind);
        let mut collector = Self { session, replies, sink, loaded, last: 0 };
        collector.ask("Profiler.enable", Value::Null);
        collector.ask("Profiler.startPreciseCoverage", json!({ "callCount": true, "detailed": true }));
        collector
    }

    /// Hands over what has been counted.
    pub(crate) fn finish(mut self) {
        #[derive(Deserialize)]
        struct Taken {
            result: Vec<Script>,
        }
        let taken = self.ask("Profiler.takePreciseCoverage", Value::Null);
        let taken: Taken = match serde_json::from_value(taken) {
            Ok(taken) => taken,
            Err(error) => {
                return tracing::warn!(target: "hookhost::engine", %error, "a hook's coverage cannot be read");
            }
        };
        for script in &taken.result {
            let Some(source) = self.loaded.source(&script.url) else { continue };
            let Some(path) = Url::parse(&script.url).ok().and_then(|url| url.to_file_path().ok()) else { continue };
            if is_installed(&path) {
                continue;
            }
            // One name for a file, however it was reached.
            let path = std::fs::canonicalize(&path).unwrap_or(path);
            if let Some(file) = coverage(script, &source, &path) {
                self.sink.add(file);
            }
        }
    }

    /// One question; the inspector answers at once. Null where there is no answer, which is told.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        self.session.post_message(self.last, method, Some(params).filter(|params| !params.is_null()));
        let reply = self.replies.borrow_mut().extract_if(.., |reply| reply.id == self.last).next();
        match reply {
            Some(Reply { result, error: None, .. }) => result,
            other => {
                let error = other.and_then(|reply| reply.error).map(|error| error.to_string());
                tracing::warn!(target: "hookhost::engine", method, error, "V8 does not count what runs");
                Value::Null
            }
        }
    }
}

/// What is installed is somebody else's to test.
fn is_installed(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "node_modules")
}
