//! What only the log and the panic hook tell: rebuilds, faults of the engine, panics.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

/// What the engine says when an isolate has come to its end and is built anew.
const BROKE: &str = "the hook's instance broke";

/// What was told so far.
#[derive(Default)]
pub(super) struct Told {
    broke: Mutex<BTreeMap<String, u64>>,
    errors: Mutex<Vec<String>>,
    panics: AtomicU64,
}

impl Told {
    /// Listens from now on, for the whole process, to the engine's log and to panics.
    pub(super) fn listen() -> Arc<Self> {
        let told = Arc::new(Self::default());
        let layer = Listener(told.clone());
        if tracing_subscriber::registry().with(layer).try_init().is_err() {
            told.error("somebody else listens to the log: rebuilds are not counted".to_owned());
        }
        let others = std::panic::take_hook();
        let counting = told.clone();
        std::panic::set_hook(Box::new(move |panic| {
            counting.panics.fetch_add(1, Ordering::Relaxed);
            others(panic);
        }));
        told
    }

    /// How often an instance broke, by hook.
    pub(super) fn broke(&self) -> BTreeMap<String, u64> {
        self.broke.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many panics there were, also those that somebody caught.
    pub(super) fn panics(&self) -> u64 {
        self.panics.load(Ordering::Relaxed)
    }

    /// What the engine logged as an error: faults of its own. What a hook brings about, a thread that is lost or left behind
    /// for instance, is a warning.
    pub(super) fn errors(&self) -> Vec<String> {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn error(&self, error: String) {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).push(error);
    }
}

struct Listener(Arc<Told>);

impl<S: Subscriber> Layer<S> for Listener {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().target() != "hookhost::engine" {
            return;
        }
        let mut fields = Fields::default();
        event.record(&mut fields);
        if *event.metadata().level() == Level::ERROR {
            self.0.error(format!("{} ({})", fields.message, fields.hook));
        } else if fields.message == BROKE {
            *self.0.broke.lock().unwrap_or_else(PoisonError::into_inner).entry(fields.hook).or_default() += 1;
        }
    }
}

#[derive(Default)]
struct Fields {
    message: String,
    hook: String,
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "message" => self.message = value.to_owned(),
            "hook" => self.hook = value.to_owned(),
            _ => {}
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.message = format!("{value:?}");
        }
    }
}
