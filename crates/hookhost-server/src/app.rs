//! What the routes share.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hookhost::{Decision, HookHost};
use tokio::sync::{Semaphore, watch};
use tokio_util::task::TaskTracker;

use crate::auth::Guard;
use crate::feed::{Feed, Via};
use crate::metrics::Metrics;
use crate::reload::Reloader;
use crate::tally::Tally;

/// What the routes share. Nothing in it outlives the process or has to be known to another replica.
pub(crate) struct App {
    pub(crate) host: Arc<HookHost>,
    pub(crate) guard: Guard,
    pub(crate) metrics: Metrics,
    pub(crate) tally: Tally,
    pub(crate) feed: Feed,
    pub(crate) reloader: Reloader,
    pub(crate) public_metrics: bool,
    /// How long a body may take to come.
    pub(crate) body_timeout: Duration,
    /// A permit for each decision that may be under way.
    pub(crate) room: Arc<Semaphore>,
    /// Decisions go on when whoever asked has gone away; a shutdown waits for them.
    pub(crate) decisions: TaskTracker,
    /// True once the service is about to end.
    pub(crate) draining: watch::Sender<bool>,
}

impl App {
    pub(crate) fn is_draining(&self) -> bool {
        *self.draining.borrow()
    }

    /// The service is about to end: `/readyz` says no, watchers are sent away, and clients are asked to close their connections.
    pub(crate) fn begin_shutdown(&self) {
        self.draining.send_replace(true);
    }

    /// Waits for decisions and reloads that are under way.
    pub(crate) async fn finish_decisions(&self) {
        self.decisions.close();
        self.decisions.wait().await;
    }

    /// Notes a decision wherever somebody may look for it.
    pub(crate) fn note(&self, decision: &Decision, via: Via, started: Instant) {
        let took = started.elapsed();
        self.metrics.decided(decision, via, took);
        if via == Via::Decide {
            self.tally.add(decision);
        }
        self.feed.decided(decision, via, took);
    }
}
