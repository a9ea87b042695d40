//! What Prometheus reads.

use std::hash::Hash;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use hookhost::{Decision, HookHost, HookState};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::prometheus_text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Metric, Registry};

use crate::feed::Via;

type Timings<S> = Family<S, Histogram, fn() -> Histogram>;

/// What Prometheus reads.
pub(crate) struct Metrics {
    registry: Registry,
    /// One scrape at a time: what is asked anew for each is cleared before.
    scraping: tokio::sync::Mutex<()>,
    decisions: Family<DecisionLabels, Counter>,
    decision_time: Timings<PointLabels>,
    runs: Family<RunLabels, Counter>,
    run_time: Timings<HookLabels>,
    hooks: Family<StateLabels, Gauge>,
    isolates: Gauge,
    rebuilds: Family<HookLabels, Counter>,
    heap: Family<HookLabels, Gauge>,
    external: Family<HookLabels, Gauge>,
    reloads: Family<ResultLabels, Counter>,
    refused: Family<ReasonLabels, Counter>,
    requests: Family<RequestLabels, Counter>,
    request_time: Timings<RouteLabels>,
    /// Requests that are being answered.
    pub(crate) in_flight: Gauge,
    /// Connections that are open.
    pub(crate) connections: Gauge,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DecisionLabels {
    point: String,
    action: &'static str,
    /// The hook that decided; empty for an allow.
    hook: String,
    via: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PointLabels {
    point: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RunLabels {
    hook: String,
    point: String,
    action: &'static str,
    /// Why the hook gave no answer of its own; empty if it did.
    cause: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct HookLabels {
    hook: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StateLabels {
    state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ResultLabels {
    result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ReasonLabels {
    reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    method: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: String,
}

/// From a tenth of a millisecond, which a fast hook takes, to the time limits.
fn times() -> Histogram {
    Histogram::new([
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
    ])
}

fn timings<S: Clone + Hash + Eq>() -> Timings<S> {
    Family::new_with_constructor(times)
}

/// Registers a metric under its name, and gives it back.
fn add<M: Metric + Clone>(registry: &mut Registry, name: &str, help: &str, metric: M) -> M {
    registry.register(name, help, metric.clone());
    metric
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("hookhost");
        let version = [("version", env!("CARGO_PKG_VERSION"))];
        registry.register("build", "The version that runs", Info::new(version.to_vec()));
        let all = &mut registry;
        Self {
            decisions: add(all, "decisions", "Decisions, by what was decided and who decided", Family::default()),
            decision_time: add(all, "decision_duration_seconds", "From the question to the decision", timings()),
            runs: add(all, "hook_runs", "Calls of hooks, by their answer and how they failed", Family::default()),
            run_time: add(all, "hook_duration_seconds", "The time of a call of a hook", timings()),
            hooks: add(all, "hooks", "Hooks, by state", Family::default()),
            isolates: add(all, "isolates", "Hooks that have an isolate and can be called", Gauge::default()),
            rebuilds: add(all, "hook_rebuilds", "How often a hook broke or could not be loaded", Family::default()),
            heap: add(all, "hook_heap_bytes", "What a hook holds on its JavaScript heap", Family::default()),
            external: add(all, "hook_external_bytes", "What a hook holds outside of its heap", Family::default()),
            reloads: add(all, "reloads", "Reloads, by result", Family::default()),
            refused: add(all, "auth_failures", "Requests that were not let in, by reason", Family::default()),
            requests: add(all, "http_requests", "Requests that were answered", Family::default()),
            request_time: add(all, "http_request_duration_seconds", "From a request to its answer", timings()),
            in_flight: add(all, "http_requests_in_flight", "Requests that are being answered", Gauge::default()),
            connections: add(all, "http_connections", "Open connections", Gauge::default()),
            scraping: tokio::sync::Mutex::default(),
            registry,
        }
    }

    pub(crate) fn decided(&self, decision: &Decision, via: Via, took: Duration) {
        let point = decision.point.as_str();
        let labels = DecisionLabels {
            point: point.to_owned(),
            action: decision.action.as_str(),
            hook: decision.hook.clone().unwrap_or_default(),
            via: via.as_str(),
        };
        self.decisions.get_or_create(&labels).inc();
        if via == Via::Test {
            // Somebody tries something: it says nothing about how the hooks do, and must wake nobody.
            return;
        }
        self.decision_time.get_or_create(&PointLabels { point: point.to_owned() }).observe(took.as_secs_f64());
        for run in &decision.runs {
            let labels = RunLabels {
                hook: run.hook.clone(),
                point: point.to_owned(),
                action: run.action.as_str(),
                cause: run.failure.as_ref().map_or("", |failure| failure.cause.as_str()),
            };
            self.runs.get_or_create(&labels).inc();
            self.run_time.get_or_create(&HookLabels { hook: run.hook.clone() }).observe(run.duration_ms / 1e3);
        }
    }

    pub(crate) fn reloaded(&self, worked: bool) {
        let result = if worked { "ok" } else { "failed" };
        self.reloads.get_or_create(&ResultLabels { result }).inc();
    }

    pub(crate) fn refused(&self, reason: &'static str) {
        self.refused.get_or_create(&ReasonLabels { reason }).inc();
    }

    pub(crate) fn answered(&self, route: &str, method: &Method, status: StatusCode, took: Duration) {
        // Anybody can invent methods, and each would be kept for good.
        let known = [Method::GET, Method::POST, Method::HEAD, Method::OPTIONS].contains(method);
        let method = if known { method.as_str() } else { "other" };
        let labels = RequestLabels { route: route.to_owned(), method: method.to_owned(), status: status.as_u16() };
        self.requests.get_or_create(&labels).inc();
        self.request_time.get_or_create(&RouteLabels { route: route.to_owned() }).observe(took.as_secs_f64());
    }

    /// Everything, in Prometheus's text format.
    pub(crate) async fn text(&self, host: &HookHost) -> Result<String, std::fmt::Error> {
        let _one_at_a_time = self.scraping.lock().await;
        self.ask(host).await;
        let mut text = String::new();
        prometheus_text::encode(&mut text, &self.registry)?;
        Ok(text)
    }

    /// What is not counted, but asked when somebody wants to know.
    async fn ask(&self, host: &HookHost) {
        let memory = host.memory().await;
        let hooks = host.report().hooks;
        // Hooks that are gone must not go on being shown.
        self.hooks.clear();
        self.heap.clear();
        self.external.clear();
        for hook in &hooks {
            self.hooks.get_or_create(&StateLabels { state: hook.state.as_str() }).inc();
            let breaks = self.rebuilds.get_or_create_owned(&HookLabels { hook: hook.name.clone() });
            breaks.inner().store(hook.breaks, std::sync::atomic::Ordering::Relaxed);
        }
        let ready = hooks.iter().filter(|hook| hook.state == HookState::Ready).count();
        self.isolates.set(ready.try_into().unwrap_or(i64::MAX));
        for (hook, memory) in memory {
            let labels = HookLabels { hook };
            self.heap.get_or_create(&labels).set(memory.heap_bytes.try_into().unwrap_or(i64::MAX));
            self.external.get_or_create(&labels).set(memory.external_bytes.try_into().unwrap_or(i64::MAX));
        }
    }
}
