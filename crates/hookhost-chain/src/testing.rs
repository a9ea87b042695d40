//! A hook for tests: it answers as told and remembers what it was asked.

use std::sync::{Arc, Mutex, PoisonError};

use hookhost_contract::{Answer, Failure, FailureCause, Invocation};
use serde_json::Value;

use crate::{HookFuture, RunHook};

/// A hook that answers as told and remembers what it was asked.
///
/// ```
/// use hookhost_chain::testing::ScriptedHook;
///
/// let guard = ScriptedHook::replying(serde_json::json!({ "action": "block" }));
/// assert!(guard.seen().is_empty());
/// ```
pub struct ScriptedHook {
    script: Box<dyn Fn(&Invocation) -> Answer + Send + Sync>,
    seen: Mutex<Vec<Invocation>>,
}

impl ScriptedHook {
    /// Computes each answer from what it is asked.
    pub fn new(script: impl Fn(&Invocation) -> Answer + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { script: Box::new(script), seen: Mutex::default() })
    }

    /// Always returns `reply`.
    pub fn replying(reply: Value) -> Arc<Self> {
        Self::replying_text(reply.to_string())
    }

    /// Always returns this text, JSON or not.
    pub fn replying_text(reply: impl Into<String>) -> Arc<Self> {
        let reply = reply.into();
        Self::new(move |_| answer(Ok(reply.clone())))
    }

    /// Always fails.
    pub fn failing(cause: FailureCause, message: impl Into<String>) -> Arc<Self> {
        let failure = Failure::new(cause, message);
        Self::new(move |_| answer(Err(failure.clone())))
    }

    /// What it was asked so far.
    pub fn seen(&self) -> Vec<Invocation> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn answer(reply: Result<String, Failure>) -> Answer {
    Answer { reply, logs: Vec::new() }
}

impl RunHook for ScriptedHook {
    fn run<'a>(&'a self, invocation: &'a Invocation) -> HookFuture<'a> {
        Box::pin(async move {
            self.seen.lock().unwrap_or_else(PoisonError::into_inner).push(invocation.clone());
            (self.script)(invocation)
        })
    }
}
