//! What a chain says through `tracing`.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use futures::executor::block_on;
use hookhost_chain::testing::ScriptedHook;
use hookhost_chain::{Chain, ChainHook, JsonlSink};
use hookhost_contract::{Answer, Call, Failure, FailureCause, Point};
use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use crate::support::*;

/// One event: its level, its target, its fields.
#[derive(Debug, Clone)]
struct Seen {
    level: Level,
    target: String,
    fields: BTreeMap<&'static str, String>,
}

#[derive(Clone, Default)]
struct Events(Arc<Mutex<Vec<Seen>>>);

impl<S: Subscriber> Layer<S> for Events {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        struct Fields(BTreeMap<&'static str, String>);
        impl Visit for Fields {
            fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
                self.0.insert(field.name(), format!("{value:?}"));
            }

            fn record_str(&mut self, field: &Field, value: &str) {
                self.0.insert(field.name(), value.to_owned());
            }
        }
        let mut fields = Fields(BTreeMap::new());
        event.record(&mut fields);
        self.0.lock().unwrap().push(Seen {
            level: *event.metadata().level(),
            target: event.metadata().target().to_owned(),
            fields: fields.0,
        });
    }
}

/// The decision's name, and the events with this target.
fn events(target: &str, chain: &Chain, call: Call) -> (String, Vec<Seen>) {
    let events = Events::default();
    let subscriber = tracing_subscriber::registry().with(events.clone());
    let decision = tracing::subscriber::with_default(subscriber, || block_on(chain.decide(call)));
    let mut seen = events.0.lock().unwrap().clone();
    seen.retain(|event| event.target == target);
    (decision.id, seen)
}

fn chain(hooks: Vec<ChainHook>) -> Chain {
    Chain::new(hooks, BTreeMap::new(), None)
}

#[test]
fn every_answer_but_an_allow_is_a_guardrail_event() {
    let failure = Failure::new(FailureCause::TimedOut, "too slow").at(Some("index.mjs:1:1".into()));
    let slow = ScriptedHook::new(move |_| Answer { reply: Err(failure.clone()), logs: vec![] });
    let hooks = vec![
        allows("allow"),
        modifies("sly", json!({ "source": "spoofed" })),
        asks("ask", "sure?"),
        hook("slow", json!({ "failPolicy": "open", "mode": "observe" }), &slow),
        blocks("block", "no"),
    ];
    let (id, seen) = events("hookhost::guardrail", &chain(hooks), call(&Point::PreInput));
    let summary: Vec<_> = seen
        .iter()
        .map(|event| {
            let field = |name| event.fields.get(name).map_or("-", String::as_str);
            assert_eq!(field("message"), "guardrail_decision");
            assert_eq!(field("decision"), id);
            assert_eq!(field("point"), "preInput");
            [
                event.level.as_str(),
                field("hook"),
                field("action"),
                field("reason"),
                field("cause"),
                field("failure"),
                field("dropped"),
                field("mode"),
            ]
            .join(" | ")
        })
        .collect();
    assert_eq!(
        summary,
        [
            "WARN | sly | modify | - | - | - | [\"source\"] | enforce",
            "INFO | ask | ask | sure? | - | - | - | enforce",
            "WARN | slow | allow | - | timed_out | timed_out: too slow (index.mjs:1:1) | - | observe",
            "WARN | block | block | no | - | - | - | enforce",
        ]
    );
}

#[test]
fn what_a_hook_logs_is_an_event() {
    let engine = ScriptedHook::new(|_| Answer {
        reply: Ok(r#"{"action":"allow"}"#.into()),
        logs: vec!["one".into(), "{two}".into()],
    });
    let chain = chain(vec![hook("h", json!({}), &engine)]);
    let (_, seen) = events("hookhost::log", &chain, call(&Point::PreInput));
    let lines: Vec<_> =
        seen.iter().map(|event| (event.level, event.fields["hook"].as_str(), event.fields["line"].as_str())).collect();
    assert_eq!(lines, [(Level::INFO, "h", "one"), (Level::INFO, "h", "{two}")]);
}

#[test]
fn a_disk_that_is_full_is_reported_once() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let hooks = vec![asks("a", "?"), asks("b", "?"), blocks("c", "no")];
    let chain = Chain::new(hooks, BTreeMap::new(), Some(Arc::new(JsonlSink::new(Full))));
    let (_, seen) = events("hookhost::audit", &chain, call(&Point::PreInput));
    assert_eq!(seen.len(), 1, "{seen:?}");
    assert_eq!(seen[0].level, Level::ERROR);
}
