//! What a connection is used for.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

/// Marks an answer that has no end of its own: nobody waits for it.
#[derive(Clone)]
pub(crate) struct Endless;

/// What one connection is used for.
pub(crate) struct Usage {
    asked: TaskTracker,
    /// Something was asked on the connection, so it may still have to send an answer: what has been handed over to it may wait for
    /// a slow reader. It goes with the connection.
    token: Mutex<Option<TaskTrackerToken>>,
    requests: AtomicU64,
    under_way: AtomicUsize,
}

/// A request that is being answered.
pub(crate) struct UnderWay(Arc<Usage>);

impl Usage {
    /// A connection on which nothing was asked yet. `asked` gets a token when something is.
    pub(crate) fn new(asked: &TaskTracker) -> Self {
        Self {
            asked: asked.clone(),
            token: Mutex::default(),
            requests: AtomicU64::default(),
            under_way: AtomicUsize::default(),
        }
    }

    fn token(&self) -> std::sync::MutexGuard<'_, Option<TaskTrackerToken>> {
        self.token.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request has come.
    pub(crate) fn begin(self: &Arc<Self>) -> UnderWay {
        self.token().get_or_insert_with(|| self.asked.token());
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.under_way.fetch_add(1, Ordering::Relaxed);
        UnderWay(self.clone())
    }

    /// The answer has no end: nobody has to wait for the connection, unless something else is asked on it.
    pub(crate) fn only_watches(&self) {
        *self.token() = None;
    }

    /// Waits until there was no request for so long.
    pub(crate) async fn idle_for(&self, time: Duration) {
        let mut seen = None;
        loop {
            let now = (self.requests.load(Ordering::Relaxed), self.under_way.load(Ordering::Relaxed));
            if now.1 == 0 && seen == Some(now) {
                return;
            }
            seen = Some(now);
            tokio::time::sleep(time).await;
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}
