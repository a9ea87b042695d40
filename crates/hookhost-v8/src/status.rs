//! What an instance does, for whoever asks, and in the log.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hookhost_contract::Failure;
use tokio::sync::watch;

use crate::call::millis;
use crate::instance::InstanceState;
use crate::modules::loaded::Loaded;

/// What an instance does, and how often it was started again.
pub(crate) struct Status {
    hook: String,
    state: watch::Sender<InstanceState>,
    breaks: AtomicU64,
    loaded: Mutex<Arc<Loaded>>,
}

impl Status {
    pub(crate) fn new(hook: &str) -> Self {
        let state = watch::Sender::new(InstanceState::Loading);
        Self { hook: hook.to_owned(), state, breaks: AtomicU64::new(0), loaded: Mutex::default() }
    }

    pub(crate) fn set(&self, state: InstanceState) {
        tracing::debug!(target: "hookhost::engine", hook = self.hook, state = state.word(), "the hook's state changed");
        self.state.send_replace(state);
    }

    /// What the present isolate is loaded from.
    pub(crate) fn loaded_from(&self) -> Arc<Loaded> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Another isolate is loaded.
    pub(crate) fn loads(&self, loaded: Arc<Loaded>) {
        *self.loaded.lock().unwrap_or_else(PoisonError::into_inner) = loaded;
    }

    /// The instance broke, and rests for `rest` before it is started again.
    pub(crate) fn broke(&self, failure: &Failure, rest: Duration) {
        self.breaks.fetch_add(1, Ordering::Relaxed);
        tracing::warn!(target: "hookhost::engine", hook = self.hook, cause = failure.cause.as_str(),
            failure = failure.message, at = failure.at, rest_ms = millis(rest), "the hook's instance broke");
    }

    /// The instance broke for the last time.
    pub(crate) fn given_up(&self, failure: &Failure) {
        self.breaks.fetch_add(1, Ordering::Relaxed);
        tracing::warn!(target: "hookhost::engine", hook = self.hook, cause = failure.cause.as_str(),
            failure = failure.message, "a hook is given up");
        self.set(InstanceState::GivenUp(failure.clone()));
    }

    /// How often the instance broke or could not be loaded.
    pub(crate) fn breaks(&self) -> u64 {
        self.breaks.load(Ordering::Relaxed)
    }

    pub(crate) fn get(&self) -> InstanceState {
        self.state.borrow().clone()
    }

    /// Waits until the hook has been loaded or has failed to.
    pub(crate) async fn loaded(&self) -> InstanceState {
        let mut state = self.state.subscribe();
        let loaded = state.wait_for(|state| !matches!(state, InstanceState::Loading | InstanceState::Restarting(_)));
        // The sender is `self`: it is not gone while we wait.
        loaded.await.map_or(InstanceState::Ended, |state| state.clone())
    }
}
