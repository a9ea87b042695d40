//! The latest decisions, for whoever watches.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hookhost::{Action, Decision, FailureCause, Mode, Point};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::broadcast;

/// So many are kept for whoever begins to watch.
const KEPT: usize = 100;
/// A watcher that is further behind loses the oldest.
const BEHIND: usize = 256;
/// A reason is cut after so many characters: it may quote the payload.
const REASON: usize = 500;

/// By which route a decision was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Via {
    /// `/v1/decide`: it counts.
    Decide,
    /// `/inspect/hooks/test`: somebody tries something.
    Test,
}

impl Via {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Decide => "decide",
            Self::Test => "test",
        }
    }
}

/// A decision without its payload.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Summary {
    /// The decision's `id`.
    id: String,
    /// When it was made, in UTC and RFC 3339.
    time: String,
    point: Point,
    /// The tool, at the two points that are about one.
    tool_name: Option<String>,
    action: Action,
    /// Why, for a block or an ask; at most 500 characters of it.
    reason: Option<String>,
    /// The hook that decided.
    hook: Option<String>,
    /// From the question to the answer, in milliseconds.
    duration_ms: f64,
    via: Via,
    /// Each hook that ran, in order.
    ran: Vec<Step>,
}

/// What one hook did.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Step {
    hook: String,
    action: Action,
    duration_ms: f64,
    /// Why the hook gave no answer of its own.
    cause: Option<FailureCause>,
    changed: bool,
    mode: Mode,
}

impl Summary {
    fn of(decision: &Decision, via: Via, took: Duration) -> Self {
        let step = |run: &hookhost::HookRun| Step {
            hook: run.hook.clone(),
            action: run.action,
            duration_ms: run.duration_ms,
            cause: run.failure.as_ref().map(|failure| failure.cause),
            changed: run.changed,
            mode: run.mode,
        };
        Self {
            id: decision.id.clone(),
            time: format!("{:.3}", jiff::Timestamp::now()),
            point: decision.point.clone(),
            tool_name: decision.point.tool_name(&decision.input).map(cut),
            action: decision.action,
            reason: decision.reason.as_deref().map(cut),
            hook: decision.hook.clone(),
            duration_ms: (took.as_secs_f64() * 1e6).round() / 1e3,
            via,
            ran: decision.runs.iter().map(step).collect(),
        }
    }
}

fn cut(text: &str) -> String {
    text.chars().take(REASON).collect()
}

/// Something that happened.
#[derive(Debug, Clone)]
pub(crate) enum News {
    Decided(Arc<Summary>),
    Reloaded,
}

/// The latest decisions of this process.
pub(crate) struct Feed {
    kept: Mutex<VecDeque<Arc<Summary>>>,
    watchers: broadcast::Sender<News>,
}

impl Feed {
    pub(crate) fn new() -> Self {
        Self { kept: Mutex::default(), watchers: broadcast::Sender::new(BEHIND) }
    }

    pub(crate) fn decided(&self, decision: &Decision, via: Via, took: Duration) {
        let summary = Arc::new(Summary::of(decision, via, took));
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back(summary.clone());
        // Under the lock, so that nobody who begins to watch misses one or gets it twice.
        let _ = self.watchers.send(News::Decided(summary));
    }

    pub(crate) fn reloaded(&self) {
        let _ = self.watchers.send(News::Reloaded);
    }

    /// The kept ones, oldest first, and what comes from now on.
    pub(crate) fn watch(&self) -> (Vec<Arc<Summary>>, broadcast::Receiver<News>) {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        (kept.iter().cloned().collect(), self.watchers.subscribe())
    }

    pub(crate) fn watchers(&self) -> usize {
        self.watchers.receiver_count()
    }
}
