//! One isolate with one hook in it: made, loaded, called, and driven, always on the thread of its instance.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use deno_core::error::{CoreError, CoreErrorKind};
use deno_core::v8;
use deno_core::{JsRuntime, ModuleSpecifier, PollEventLoopOptions};
use hookhost_contract::{Failure, FailureCause, Invocation, Limits, Point, REPLY_FIELDS, STOP_WORDS};

use crate::call::PendingCall;
use crate::coverage::Collector;
use crate::engine::HookSpec;
use crate::error::{load_failed, shown};
use crate::host::IsolateHost;
use crate::instance::MemoryUse;
use crate::lost;
use crate::memory::{CountedBlobs, Memory, watch_collections};
use crate::modules::loaded::Loaded;
use crate::realm::{Realm, RealmSetup, RunningRealm};
use crate::to_javascript::to_javascript;
use crate::turn::{Kill, Seat, Turn, TurnDeadline};
use crate::uncaught;
use crate::watchdog::Watchdog;

/// With the limit reached, V8 needs room to unwind; with too little of it, it gives up.
const HEAP_HEADROOM: usize = 3;

/// Some built-ins do not look up while they allocate. They get so many times the limit, and then V8 may give up: the
/// thread is lost by that, with what it holds.
const MOST_HEADROOM: usize = 9;

/// Event loop errors in a row after which an isolate is given up.
const LOOP_ERRORS: u32 = 32;

const POLL: PollEventLoopOptions = PollEventLoopOptions { wait_for_inspector: false };

/// An isolate that has loaded its hook.
pub(crate) struct Isolate {
    // Before the realm: a handle must not outlive its isolate.
    functions: HookFunctions,
    realm: Box<dyn RunningRealm>,
    pub(crate) host: Rc<IsolateHost>,
    seat: Seat,
    watchdog: Arc<Watchdog>,
    /// How long one turn of the event loop may take.
    turn_limit: Duration,
    loop_errors: u32,
    coverage: Option<Collector>,
}

/// The functions of `js/hook.js`.
struct HookFunctions {
    invoke: v8::Global<v8::Function>,
    expire: v8::Global<v8::Function>,
}

/// What an event loop turn came to.
pub(crate) enum Progress {
    /// A call was settled.
    Settled,
    /// Nothing is left to wait for.
    Idle,
}

impl Isolate {
    /// Makes an isolate and loads the hook: its module, its top-level await and its factory, all within the load limit.
    pub(crate) async fn start(
        realm: &dyn Realm,
        spec: &HookSpec,
        limits: &Limits,
        seat: &Seat,
        watchdog: &Arc<Watchdog>,
        loaded: Arc<Loaded>,
    ) -> Result<Self, Failure> {
        let started = Instant::now();
        let deadline = crate::engine::after(started, limits.load_timeout);
        let Ok(number) = seat.begin(Turn::Load) else { return Err(ended()) };
        let registration = watchdog.register(deadline, Arc::new(TurnDeadline { turns: seat.turns().clone(), number }));

        let loading = Self::load(realm, spec, limits, seat, watchdog, loaded);
        // The watchdog ends code that runs too long; an await that never ends is ended here.
        let loaded = tokio::time::timeout_at(deadline.into(), loading).await;
        drop(registration);
        let handler = shown(&spec.handler, &spec.folder);
        let too_slow = || {
            Failure::new(
                FailureCause::LoadFailed,
                format!(
                    "{handler} was not loaded within {} s: its module, its top-level await and its factory count",
                    limits.load_timeout.as_secs_f64()
                ),
            )
        };
        match (seat.end(), loaded) {
            (Some(Kill::Memory), _) => Err(Failure::new(
                FailureCause::LoadFailed,
                format!("{handler} used up its {} MiB of memory while it was loaded", limits.heap_bytes >> 20),
            )),
            (Some(Kill::Exit(exit)), _) => {
                Err(Failure::new(FailureCause::LoadFailed, format!("{} while {handler} was loaded", exit.deed())))
            }
            (Some(_), _) | (None, Err(_)) => Err(too_slow()),
            (None, Ok(loaded)) => loaded,
        }
    }

    async fn load(
        realm: &dyn Realm,
        spec: &HookSpec,
        limits: &Limits,
        seat: &Seat,
        watchdog: &Arc<Watchdog>,
        loaded: Arc<Loaded>,
    ) -> Result<Self, Failure> {
        let failed = |error: CoreError| explain(load_failed(&error, &spec.folder, realm.absent()), &error);
        let memory = Memory::new(limits.heap_bytes, seat.clone());
        let host = Rc::new(IsolateHost {
            hook: spec.name.clone(),
            folder: spec.folder.clone(),
            absent: realm.absent(),
            reply_bytes: limits.reply_bytes,
            store: spec.store.clone(),
            memory: memory.clone(),
            seat: seat.clone(),
            open: RefCell::new(HashMap::new()),
            settled: Cell::new(0),
            replied: Cell::new(0),
        });
        // `Atomics.wait` would block the thread where no termination reaches it, and there is no other thread to wait for.
        let params = v8::CreateParams::default()
            .heap_limits(0, limits.heap_bytes)
            .array_buffer_allocator(memory.allocator().make_shared())
            .allow_atomics_wait(false);
        let setup = RealmSetup {
            folder: &spec.folder,
            permissions: &spec.permissions,
            process_env: &spec.process_env,
            host: host.clone(),
            blobs: CountedBlobs::new(memory.clone()),
            most_bytes: limits.heap_bytes,
            loaded: loaded.clone(),
            params,
        };
        let mut realm = realm.start(setup).map_err(failed)?;
        let js = realm.js();
        seat.attach(js.v8_isolate().thread_safe_handle());
        lost::watch_isolate(js.v8_isolate());
        uncaught::hear(js.v8_isolate());
        watch_collections(js.v8_isolate(), &memory);
        let on_memory = seat.clone();
        let most = limits.heap_bytes.saturating_mul(MOST_HEADROOM);
        js.add_near_heap_limit_callback(move |current, _initial| {
            on_memory.kill_current(Kill::Memory);
            current.saturating_mul(HEAP_HEADROOM).min(most).max(current)
        });

        let coverage = spec.coverage.clone().map(|sink| Collector::start(js, sink, loaded));

        let settings = serde_json::json!({
            "hookName": spec.name,
            "hasStore": spec.store.is_some(),
            "mayFetch": spec.permissions.network,
            "mayReadEnv": spec.permissions.env,
            "replyFields": REPLY_FIELDS,
            "mutableFields": mutable_fields(),
            "stopWords": STOP_WORDS,
            "replyLimit": limits.reply_bytes,
            "logLimit": limits.log_bytes,
        });
        let Boundary { start, load, functions } = take_functions(js).map_err(failed)?;
        let settings = text(js, &settings.to_string()).map_err(failed)?;
        call(js, &start, &[settings]).map_err(failed)?;
        drop(start);

        // From here on what has run is counted, whether the hook can be loaded or not.
        let mut isolate = Self {
            functions,
            realm,
            host,
            seat: seat.clone(),
            watchdog: watchdog.clone(),
            turn_limit: spec.timeout,
            loop_errors: 0,
            coverage,
        };
        // Dropped before the isolate: a handle must not outlive it.
        let load = load;
        let js = isolate.realm.js();
        let specifier = ModuleSpecifier::from_file_path(&spec.handler).map_err(|()| {
            let message = format!("{} is not an absolute path", spec.handler.display());
            Failure::new(FailureCause::LoadFailed, message)
        })?;
        // Not as the main module, which runs as a program: a hook that can be one too tells by that.
        let module = js.load_side_es_module(&specifier).await.map_err(&failed)?;
        let evaluated = js.mod_evaluate(module);
        js.with_event_loop_promise(evaluated, POLL).await.map_err(&failed)?;
        let namespace = js.get_module_namespace(module).map_err(&failed)?;
        let config = serde_json::Value::Object(spec.config.clone()).to_string();
        let hook = load_hook(js, &load, &namespace, &to_javascript(&config)).map_err(&failed)?;
        let hook = js.resolve(hook);
        js.with_event_loop_promise(hook, POLL).await.map_err(&failed)?;
        Ok(isolate)
    }

    /// Begins a call: runs the synchronous part of `run`, and what it has made ready. The answer goes to `call`.
    ///
    /// # Errors
    /// The isolate was killed and must not be used again.
    pub(crate) fn call(&mut self, call: &Arc<PendingCall>, invocation: &Invocation, context: &str) -> Result<(), Kill> {
        self.host.open.borrow_mut().insert(call.id, call.clone());
        self.seat.begin(Turn::Call(call.id))?;
        let begun = self.invoke(call.id, invocation, context);
        let killed = self.seat.end();
        if let Some(kill) = killed {
            return Err(kill);
        }
        if !begun && self.host.open.borrow_mut().remove(&call.id).is_some() {
            let message = "the hook could not be called: its payload or its stack is too large";
            call.answer(Err(Failure::new(FailureCause::Threw, message)));
        }
        Ok(())
    }

    fn invoke(&mut self, id: u32, invocation: &Invocation, context: &str) -> bool {
        let function = &self.functions.invoke;
        let js = self.realm.js();
        deno_core::scope!(scope, js);
        v8::tc_scope!(let scope, scope);
        let [payload, context] = [&*invocation.payload, context].map(to_javascript);
        let texts = [invocation.point.as_str(), &*payload, &*context].map(|text| v8::String::new(scope, text));
        let [Some(point), Some(payload), Some(context)] = texts else { return false };
        let id = v8::Integer::new_from_unsigned(scope, id);
        let this = v8::undefined(scope).into();
        let function = v8::Local::new(scope, function);
        let result = function.call(scope, this, &[id.into(), point.into(), payload.into(), context.into()]);
        if result.is_some() {
            scope.perform_microtask_checkpoint();
        }
        result.is_some()
    }

    /// Runs what is ready. Ready with what has come of it; pending while the hook waits for something.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<Progress, Kill>> {
        let settled = self.host.settled.get();
        let polled = self.turn(Turn::EventLoop, |js| js.poll_event_loop(cx, POLL));
        let polled = match polled {
            Ok(polled) => polled,
            Err(kill) => return Poll::Ready(Err(kill)),
        };
        match polled {
            Poll::Ready(Err(error)) => {
                self.host.background(&format!("error outside a call: {error}"));
                self.loop_errors += 1;
                if self.loop_errors > LOOP_ERRORS {
                    self.seat.kill_current(Kill::EventLoop);
                    return Poll::Ready(Err(Kill::EventLoop));
                }
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            _ if self.host.settled.get() != settled => {
                self.loop_errors = 0;
                Poll::Ready(Ok(Progress::Settled))
            }
            Poll::Ready(Ok(())) => Poll::Ready(Ok(Progress::Idle)),
            Poll::Pending => Poll::Pending,
        }
    }

    /// Tells the hook that a call's time is up, if it has not settled it. True if it was told.
    pub(crate) fn expire(&mut self, id: u32, given_up: bool) -> Result<bool, Kill> {
        if self.host.open.borrow_mut().remove(&id).is_none() {
            return Ok(false);
        }
        let expire = self.functions.expire.clone();
        self.turn(Turn::EventLoop, |js| {
            deno_core::scope!(scope, js);
            v8::tc_scope!(let scope, scope);
            let id = v8::Integer::new_from_unsigned(scope, id);
            let this = v8::undefined(scope).into();
            // A listener of ctx.signal that throws has nobody to tell.
            let given_up = v8::Boolean::new(scope, given_up);
            let _ = v8::Local::new(scope, expire).call(scope, this, &[id.into(), given_up.into()]);
        })?;
        Ok(true)
    }

    /// How much the hook holds now.
    pub(crate) fn memory(&mut self) -> MemoryUse {
        let statistics = self.realm.js().v8_isolate().get_heap_statistics();
        MemoryUse { heap_bytes: statistics.used_heap_size(), external_bytes: statistics.external_memory() }
    }

    /// Runs JavaScript that belongs to no single call, under the limit of a turn.
    fn turn<T>(&mut self, turn: Turn, run: impl FnOnce(&mut JsRuntime) -> T) -> Result<T, Kill> {
        // Before the turn begins: the watchdog may be busy, and what waits for it is no hook that runs.
        let deadline = TurnDeadline { turns: self.seat.turns().clone(), number: self.seat.next_number() };
        let registration =
            self.watchdog.register(crate::engine::after(Instant::now(), self.turn_limit), Arc::new(deadline));
        self.seat.begin(turn)?;
        let result = run(self.realm.js());
        drop(registration);
        match self.seat.end() {
            Some(kill) => Err(kill),
            None => Ok(result),
        }
    }
}

impl Drop for Isolate {
    fn drop(&mut self) {
        let Some(coverage) = self.coverage.take() else { return };
        // Without memory V8 could give up, and one that has lost its seat counts for another one.
        if self.seat.may_look_back() {
            self.realm.js().v8_isolate().cancel_terminate_execution();
            coverage.finish();
        }
    }
}

/// The field that a modify may change, for each point of a turn.
fn mutable_fields() -> BTreeMap<&'static str, &'static str> {
    let field = |name: &str| name.parse::<Point>().ok()?.mutable_field();
    Point::NAMES.into_iter().filter_map(|name| Some((name, field(name)?))).collect()
}

/// The functions of `js/hook.js`, before the hook is loaded.
struct Boundary {
    start: v8::Global<v8::Function>,
    load: v8::Global<v8::Function>,
    functions: HookFunctions,
}

/// Takes the functions out of the global object, so that the hook cannot.
fn take_functions(js: &mut JsRuntime) -> Result<Boundary, CoreError> {
    let functions = js.execute_script(
        "[hookhost]",
        "(() => { const functions = globalThis.__hookhost; delete globalThis.__hookhost; return functions; })()",
    )?;
    deno_core::scope!(scope, js);
    let functions: v8::Local<v8::Object> = v8::Local::new(scope, functions).try_cast().map_err(data_error)?;
    let function = |name: &str| -> Result<v8::Global<v8::Function>, CoreError> {
        let key = v8::String::new(scope, name).ok_or_else(|| missing(name))?;
        let value = functions.get(scope, key.into()).ok_or_else(|| missing(name))?;
        let function: v8::Local<v8::Function> = value.try_cast().map_err(data_error)?;
        Ok(v8::Global::new(scope, function))
    };
    Ok(Boundary {
        start: function("start")?,
        load: function("load")?,
        functions: HookFunctions { invoke: function("invoke")?, expire: function("expire")? },
    })
}

fn data_error(error: v8::DataError) -> CoreError {
    CoreErrorKind::Data(deno_core::error::DataError(error)).into_box()
}

fn missing(name: &str) -> CoreError {
    engine_error(format!("the snapshot has no `{name}`"))
}

fn engine_error(message: impl Into<String>) -> CoreError {
    CoreErrorKind::JsBox(deno_error::JsErrorBox::generic(message.into())).into_box()
}

fn load_hook(
    js: &mut JsRuntime,
    load: &v8::Global<v8::Function>,
    namespace: &v8::Global<v8::Object>,
    config: &str,
) -> Result<v8::Global<v8::Value>, CoreError> {
    let config = text(js, config)?;
    let namespace = {
        deno_core::scope!(scope, js);
        let namespace: v8::Local<v8::Value> = v8::Local::new(scope, namespace).into();
        v8::Global::new(scope, namespace)
    };
    call(js, load, &[namespace, config])
}

fn text(js: &mut JsRuntime, text: &str) -> Result<v8::Global<v8::Value>, CoreError> {
    deno_core::scope!(scope, js);
    let text: v8::Local<v8::Value> =
        v8::String::new(scope, text).ok_or_else(|| engine_error("the hook's config is too large"))?.into();
    Ok(v8::Global::new(scope, text))
}

/// Calls a function of `js/hook.js` that does not wait.
fn call(
    js: &mut JsRuntime,
    function: &v8::Global<v8::Function>,
    arguments: &[v8::Global<v8::Value>],
) -> Result<v8::Global<v8::Value>, CoreError> {
    deno_core::scope!(scope, js);
    v8::tc_scope!(let scope, scope);
    let function = v8::Local::new(scope, function);
    let arguments: Vec<_> = arguments.iter().map(|argument| v8::Local::new(scope, argument)).collect();
    let this = v8::undefined(scope).into();
    match function.call(scope, this, &arguments) {
        Some(value) => Ok(v8::Global::new(scope, value)),
        None => match scope.exception() {
            Some(error) => {
                Err(CoreErrorKind::Js(deno_core::error::JsError::from_v8_exception(scope, error)).into_box())
            }
            None => Err(engine_error("the hook was ended while it was loaded")),
        },
    }
}

/// Another thread has taken over: nobody asks for this.
fn ended() -> Failure {
    Failure::new(FailureCause::Exited, "the hook was started again meanwhile")
}

/// Some errors of the engine are no help to a hook's author as they are.
fn explain(mut failure: Failure, error: &CoreError) -> Failure {
    if matches!(error.as_kind(), CoreErrorKind::PendingPromiseResolution) {
        failure.message = "the module's top-level await or its factory waits for something that never comes".to_owned();
    }
    failure
}
