//! Calls whose caller has gone: no hook runs on for nobody, and nobody else notices.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::task::Poll;
use std::time::{Duration, Instant};

use hookhost::{Action, Call, HookHost, JsonObject, Row, Store, StoreFuture};
use serde_json::json;

use crate::support::{Project, ask, logged};

/// What must not wait for a hook's time limit is much faster than this.
const SOON: Duration = Duration::from_secs(20);
/// A time limit that no test waits for.
const PATIENT: &str = r#"{"points": ["preInput"], "timeoutMs": 60000}"#;

/// Begins `text` on a task of its own. Nobody can be asked whether a hook that computes has begun: it is given a while.
async fn begun(host: &Arc<HookHost>, text: &'static str) -> tokio::task::JoinHandle<()> {
    let asked = host.clone();
    let task = tokio::spawn(async move {
        ask(&asked, text).await;
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    task
}

async fn give_up(task: tokio::task::JoinHandle<()>) {
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
}

/// Asks the hook until it has seen so many things.
async fn until_seen(host: &HookHost, count: usize) {
    while seen(host).await.as_array().map_or(0, Vec::len) < count {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// What the hook has seen so far, by its own account.
async fn seen(host: &HookHost) -> serde_json::Value {
    logged(&ask(host, "seen").await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_waits_for_something_is_told_and_its_neighbours_are_not() {
    let project = Project::of(
        PATIENT,
        "const seen = [];
        let release;
        const released = new Promise((done) => { release = done; });
        export default {
          async run(_point, { text }, { signal, log }) {
            if (text === 'seen') {
              log(JSON.stringify(seen));
              return { action: 'allow' };
            }
            if (text === 'release') {
              release();
              return { action: 'allow' };
            }
            seen.push(text);
            signal.addEventListener('abort', () => seen.push(`${text}: ${signal.reason.name}: ${signal.reason.message}`));
            if (text === 'neighbour') await released;
            else await new Promise(() => {});
            return { action: 'block', reason: 'answered' };
          },
        };",
    );
    let host = Arc::new(project.host().await);
    let asked = host.clone();
    let neighbour = tokio::spawn(async move { ask(&asked, "neighbour").await });
    until_seen(&host, 1).await;
    let task = begun(&host, "waits").await;
    until_seen(&host, 2).await;
    give_up(task).await;
    until_seen(&host, 3).await;
    assert_eq!(seen(&host).await, json!(["neighbour", "waits", "waits: AbortError: the call was given up"]));
    assert_eq!(ask(&host, "release").await.action, Action::Allow);
    assert_eq!(neighbour.await.unwrap().reason.as_deref(), Some("answered"));
    assert_eq!(host.report().hooks[0].breaks, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn code_that_computes_for_nobody_is_ended_and_the_hook_does_not_rest() {
    for module in [
        "export default { run(_p, { text }) { while (text === 'loop') {} return { action: 'allow' }; } };",
        "export default { async run(_p, { text }) {
          await new Promise((done) => setTimeout(done, 5));
          while (text === 'loop') {}
          return { action: 'allow' };
        } };",
    ] {
        let project = Project::of(PATIENT, module);
        let host = Arc::new(project.host().await);
        let started = Instant::now();
        for _ in 0..5 {
            give_up(begun(&host, "loop").await).await;
            // It waits for the hook to be started again, and would fail at once if the hook rested.
            let decision = ask(&host, "fine").await;
            assert_eq!(decision.action, Action::Allow, "{:?}", decision.runs);
        }
        assert!(started.elapsed() < SOON, "{:?}", started.elapsed());
        let breaks = host.report().hooks[0].breaks;
        assert!((1..=5).contains(&breaks), "{breaks}");
    }
}

/// A store that notes what is read. Who reads `busy` keeps the hook's thread until the test lets it go.
struct Held {
    read: Mutex<Vec<String>>,
    let_go: Mutex<mpsc::Receiver<()>>,
}

impl Held {
    fn read(&self) -> Vec<String> {
        self.read.lock().unwrap().clone()
    }
}

impl Store for Held {
    fn get<'a>(&'a self, _: &'a str, key: &'a str) -> StoreFuture<'a, Option<Row>> {
        Box::pin(async move {
            self.read.lock().unwrap().push(key.to_owned());
            if key == "busy" {
                let _ = self.let_go.lock().unwrap().recv();
            }
            Ok(None)
        })
    }

    fn query<'a>(&'a self, _: &'a str, _: &'a JsonObject) -> StoreFuture<'a, Vec<Row>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_in_the_queue_is_never_begun_and_what_it_waited_for_is_not_ended() {
    let project = Project::of(
        r#"{"points": ["preInput"], "timeoutMs": 60000, "capabilities": ["store:read"]}"#,
        // After the timer it runs in the event loop, where nobody can tell whose code it is.
        "export default {
          async run(_point, { text }, { store }) {
            if (text === 'busy') await new Promise((done) => setTimeout(done, 1));
            await store.get('calls', text);
            return { action: 'allow' };
          },
        };",
    );
    let (let_go, held) = mpsc::channel();
    let store = Arc::new(Held { read: Mutex::default(), let_go: Mutex::new(held) });
    let host = Arc::new(project.builder().store(store.clone()).build().await.unwrap());
    let asked = host.clone();
    let busy = tokio::spawn(async move { ask(&asked, "busy").await });
    while store.read().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    for _ in 0..10 {
        let mut queued = pin!(ask(&host, "queued"));
        assert!(poll_fn(|cx| Poll::Ready(queued.as_mut().poll(cx).is_pending())).await);
    }
    // Longer than the code of a call that was given up may run on.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let_go.send(()).unwrap();
    let decision = busy.await.unwrap();
    assert_eq!(decision.action, Action::Allow, "{:?}", decision.runs);
    assert_eq!(ask(&host, "after").await.action, Action::Allow);
    assert_eq!(store.read(), ["busy", "after"]);
    assert_eq!(host.report().hooks[0].breaks, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn between_two_hooks_the_second_is_not_called() {
    let second = "let calls = 0;
    export default {
      run(_point, { text }, { log }) {
        if (text === 'seen') log(JSON.stringify(calls));
        else calls++;
        return { action: 'allow' };
      },
    };";
    let first = "export default {
      async run(_point, { text }) {
        if (text !== 'seen') await new Promise(() => {});
        return { action: 'allow' };
      },
    };";
    let project = Project::new().hook("a-first", PATIENT, first).hook("b-second", PATIENT, second);
    let host = Arc::new(project.host().await);
    give_up(begun(&host, "go").await).await;
    assert_eq!(seen(&host).await, json!(0));
}

/// A store whose reads never end, and which counts those that are under way.
#[derive(Clone, Default)]
struct Slow(Arc<AtomicUsize>);

impl Store for Slow {
    fn get<'a>(&'a self, _: &'a str, _: &'a str) -> StoreFuture<'a, Option<Row>> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::pending())
    }

    fn query<'a>(&'a self, _: &'a str, _: &'a JsonObject) -> StoreFuture<'a, Vec<Row>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_reads_a_store_is_given_up_as_any_other() {
    let project = Project::of(
        r#"{"points": ["preInput"], "timeoutMs": 60000, "capabilities": ["store:read"]}"#,
        "const seen = [];
        export default {
          async run(_point, { text }, { store, signal, log }) {
            if (text === 'seen') log(JSON.stringify(seen));
            else {
              signal.addEventListener('abort', () => seen.push('told'));
              await store.get('members', 'u1');
            }
            return { action: 'allow' };
          },
        };",
    );
    let store = Slow::default();
    let host = Arc::new(project.builder().store(store.clone()).build().await.unwrap());
    let task = begun(&host, "read").await;
    while store.0.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    give_up(task).await;
    until_seen(&host, 1).await;
    assert_eq!(seen(&host).await, json!(["told"]));
}

/// After any number of polls: the host stays right, and nothing is left under way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_decision_may_be_dropped_anywhere() {
    let module = "
    let under_way = 0;
    export default {
      async run(_point, { text }, { signal, log }) {
        if (text === 'seen') {
          log(JSON.stringify(under_way));
          return { action: 'allow' };
        }
        under_way++;
        signal.addEventListener('abort', () => under_way--);
        await new Promise((done) => setTimeout(done, 1));
        if (!signal.aborted) under_way--;
        return { action: 'modify', payload: { text: `${text}!` } };
      },
    };";
    let project = Project::new();
    let project = ["a", "b", "c"].into_iter().fold(project, |project, name| project.hook(name, PATIENT, module));
    let host = project.host().await;
    let mut polls = 0;
    loop {
        let mut decision = pin!(ask(&host, "go"));
        let mut left = polls;
        let done = poll_fn(|cx| {
            if left == 0 {
                return Poll::Ready(None);
            }
            left -= 1;
            match decision.as_mut().poll(cx) {
                Poll::Ready(decision) => Poll::Ready(Some(decision)),
                Poll::Pending if left == 0 => Poll::Ready(None),
                Poll::Pending => Poll::Pending,
            }
        })
        .await;
        if let Some(decision) = done {
            assert_eq!(decision.output["text"], "go!!!");
            break;
        }
        polls += 1;
        assert!(polls < 100, "it never ends");
    }
    assert!(polls >= 3, "{polls}");
    let decision = host.decide(Call::pre_input("seen")).await;
    let under_way: Vec<_> = decision.logs.iter().map(|log| log.message.as_str()).collect();
    assert_eq!(under_way, ["0", "0", "0"]);
    assert!(host.report().hooks.iter().all(|hook| hook.breaks == 0));
}
