//! A hook in a temporary folder, and ways to call it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use hookhost_contract::{Answer, CallContext, Failure, FailureCause, Invocation, JsonObject, Limits, Point, Store};
use hookhost_v8::{CoverageSink, Engine, HookSpec, Instance, InstanceState, Permissions, Tier};
use serde_json::{Value, json};

/// No test is about this limit: it only ends what hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) const SHORT: Duration = Duration::from_millis(200);
/// What is due at once, on a machine that is busy with other things.
pub(crate) const SOON: Duration = Duration::from_secs(5);

/// A hook's folder with its files, and how it is started.
pub(crate) struct Hook {
    pub(crate) folder: Arc<tempfile::TempDir>,
    handler: &'static str,
    config: Value,
    store: Option<Arc<dyn Store>>,
    permissions: Permissions,
    process_env: BTreeMap<String, String>,
    tier: Tier,
    limits: Limits,
    timeout: Duration,
    coverage: Option<Arc<CoverageSink>>,
}

/// An instance, and the folder that it is loaded from again when it breaks.
pub(crate) struct Running {
    instance: Instance,
    _folder: Arc<tempfile::TempDir>,
}

impl std::ops::Deref for Running {
    type Target = Instance;

    fn deref(&self) -> &Instance {
        &self.instance
    }
}

/// A hook whose index.mjs is `source`.
pub(crate) fn hook(source: &str) -> Hook {
    Hook::with("index.mjs", source)
}

impl Hook {
    pub(crate) fn with(handler: &'static str, source: &str) -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let limits = Limits::default();
        let permissions = Permissions::everything();
        let hook = Self {
            folder,
            handler,
            config: json!({}),
            store: None,
            permissions,
            process_env: BTreeMap::new(),
            tier: Tier::Web,
            limits,
            timeout: PATIENCE,
            coverage: None,
        };
        hook.file(handler, source)
    }

    pub(crate) fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        // Otherwise it would be written there, and not into the folder.
        assert!(Path::new(name).is_relative(), "{name}");
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self
    }

    pub(crate) fn config(mut self, config: Value) -> Self {
        self.config = config;
        self
    }

    pub(crate) fn store(mut self, store: impl Store) -> Self {
        self.store = Some(Arc::new(store));
        self
    }

    pub(crate) fn permissions(mut self, permissions: Permissions) -> Self {
        self.permissions = permissions;
        self
    }

    #[allow(dead_code, reason = "for the tests of the Node realm alone")]
    pub(crate) fn process_env<const N: usize>(mut self, variables: [(&str, &str); N]) -> Self {
        self.process_env = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        self
    }

    /// Default: the web tier.
    #[allow(dead_code, reason = "for the tests of the Node realm alone")]
    pub(crate) fn tier(mut self, tier: Tier) -> Self {
        self.tier = tier;
        self
    }

    pub(crate) fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Counts what runs.
    pub(crate) fn coverage(mut self, sink: Arc<CoverageSink>) -> Self {
        self.coverage = Some(sink);
        self
    }

    /// The hook's own limit, for what it runs outside calls.
    pub(crate) fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Starts an instance, which loads meanwhile.
    pub(crate) fn spawn(&self) -> Running {
        Running { instance: engine(self.tier, &self.limits).spawn(self.spec()).unwrap(), _folder: self.folder.clone() }
    }

    /// Starts an instance and waits until it has been loaded or not.
    pub(crate) async fn start(&self) -> Running {
        let instance = self.spawn();
        instance.loaded().await;
        instance
    }

    pub(crate) fn spec(&self) -> HookSpec {
        // As the loader does: no symlink in the path, so that modules are found from where they are.
        let folder = self.folder.path().canonicalize().unwrap();
        HookSpec {
            name: "tested".into(),
            handler: folder.join(self.handler),
            folder,
            config: self.config.as_object().unwrap().clone(),
            store: self.store.clone(),
            permissions: self.permissions.clone(),
            process_env: self.process_env.clone(),
            timeout: self.timeout,
            coverage: self.coverage.clone(),
        }
    }

    /// Starts it and calls it once at preInput.
    pub(crate) async fn answer(&self) -> Answer {
        call(&*self.start().await, json!({ "text": "hello" })).await
    }

    /// What it replies at preInput.
    pub(crate) async fn reply(&self) -> Value {
        reply(self.answer().await)
    }

    /// How it fails at preInput.
    pub(crate) async fn failure(&self) -> Failure {
        self.answer().await.reply.unwrap_err()
    }

    /// How it fails to load.
    pub(crate) async fn load_failure(&self) -> Failure {
        let InstanceState::Resting(failure) = self.start().await.state() else { panic!("the hook was loaded") };
        assert_eq!(failure.cause, FailureCause::LoadFailed, "{failure}");
        failure
    }
}

fn engine(tier: Tier, limits: &Limits) -> Engine {
    static DEFAULTS: [OnceLock<Engine>; 2] = [OnceLock::new(), OnceLock::new()];
    if *limits == Limits::default() {
        let default = &DEFAULTS[usize::from(tier == Tier::Node)];
        return default.get_or_init(|| Engine::start(tier, Limits::default()).unwrap()).clone();
    }
    Engine::start(tier, limits.clone()).unwrap()
}

/// A hook whose calls run `payload.code`, with a counter of calls in `n`.
pub(crate) fn evaluating() -> Hook {
    hook(
        "let n = 0; const kept = {};
         const AsyncFunction = (async () => {}).constructor;
         export default { run(point, payload, ctx) {
             n++;
             const make = payload.async ? AsyncFunction : Function;
             return make('ctx', 'kept', payload.code ?? '')(ctx, kept) ?? { action: 'allow', note: String(n) };
         } };",
    )
}

/// How a call with the short limit fails, and that it fails soon.
pub(crate) async fn fails(instance: &Instance, code: &str, limit: Duration) -> Failure {
    let begun = Instant::now();
    let asynchronous = code.contains("await");
    let answer = call_within(instance, json!({ "code": code, "async": asynchronous }), limit).await;
    assert!(begun.elapsed() < SOON, "{code}: {:?}", begun.elapsed());
    answer.reply.expect_err(code)
}

pub(crate) async fn counter(instance: &Instance) -> String {
    note(instance, json!({})).await.as_str().unwrap().to_owned()
}

pub(crate) fn invocation(payload: Value, timeout: Duration) -> Invocation {
    Invocation {
        point: Point::PreInput,
        payload: payload.to_string().into(),
        context: Arc::new(CallContext::default()),
        timeout,
    }
}

pub(crate) async fn call(instance: &Instance, payload: Value) -> Answer {
    instance.call(&invocation(payload, PATIENCE)).await
}

/// Calls with a limit of its own.
pub(crate) async fn call_within(instance: &Instance, payload: Value, timeout: Duration) -> Answer {
    instance.call(&invocation(payload, timeout)).await
}

/// Calls and gives the note of the reply: what the tested code found out.
pub(crate) async fn note(instance: &Instance, payload: Value) -> Value {
    reply(call(instance, payload).await)["note"].clone()
}

/// Waits until `done` is true.
pub(crate) async fn until(what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < PATIENCE, "{what} did not come");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// The reply as JSON.
pub(crate) fn reply(answer: Answer) -> Value {
    match answer.reply {
        Ok(text) => serde_json::from_str(&text).unwrap(),
        Err(failure) => panic!("the hook failed: {failure}"),
    }
}

/// Masks the temporary folder.
pub(crate) fn masked(text: &str, folder: &Path) -> String {
    text.replace(&*folder.canonicalize().unwrap().to_string_lossy(), "<folder>")
}

/// A store that knows one member, fails for the store `broken`, and never answers for the store `slow`.
pub(crate) struct Members;

impl Store for Members {
    fn get<'a>(&'a self, store: &'a str, key: &'a str) -> hookhost_contract::StoreFuture<'a, Option<JsonObject>> {
        Box::pin(async move {
            if store == "broken" {
                return Err(hookhost_contract::StoreError("the disk is on fire".into()));
            }
            if store == "slow" {
                std::future::pending::<()>().await;
            }
            Ok((key == "u1").then(|| JsonObject::from_iter([("role".into(), json!("admin"))])))
        })
    }

    fn query<'a>(
        &'a self,
        store: &'a str,
        filter: &'a JsonObject,
    ) -> hookhost_contract::StoreFuture<'a, Vec<JsonObject>> {
        Box::pin(async move {
            if store == "slow" {
                std::future::pending::<()>().await;
            }
            Ok(vec![filter.clone()])
        })
    }
}
