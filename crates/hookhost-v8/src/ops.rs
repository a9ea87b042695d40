//! What a hook's JavaScript may ask of the host. The build script compiles this file too, to make the snapshot: it
//! knows the host only by [`HookHostOps`].

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use deno_core::error::JsError;
use deno_core::{OpState, deserialize_broadcast, op2, serialize_broadcast, v8};
use deno_error::JsErrorBox;

/// A read of a store: the row or rows as JSON text, or why there are none.
pub(crate) type StoreRead = Pin<Box<dyn Future<Output = Result<String, String>>>>;

/// How a hook tried to end its process. It ends itself.
#[allow(dead_code, reason = "for the Node realm alone")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// `process.exit`, with this code.
    Code(i32),
    /// `process.abort`.
    Abort,
    /// `process.kill` of itself, with the number of this signal.
    Signal(i32),
}

/// The host, as the ops see it. Kept in the isolate's `OpState`.
pub(crate) trait HookHostOps {
    /// The hook ends itself: what it does from now on has no effect.
    #[allow(dead_code, reason = "for the Node realm alone")]
    fn exit(&self, how: Exit);
    /// A line for the log of whatever runs now.
    #[allow(dead_code, reason = "for the Node realm alone")]
    fn print(&self, line: String);
    /// A line of the log. Call 0 is code that belongs to no call.
    fn log(&self, call: u32, line: String);
    /// The call has an answer.
    fn reply(&self, call: u32, text: String);
    /// The call has an answer that cannot be one.
    fn invalid(&self, call: u32, message: String);
    /// `run` threw, or its promise was rejected. What is no `Error` comes with a text that shows it.
    fn fail(&self, call: u32, error: &JsError, rejected: bool, shown: String);
    /// What the hook holds outside V8's heap, and what V8 does not count, has grown by so many bytes.
    fn outside_memory(&self, bytes: f64);
    /// Whether a WebAssembly module with these types may be compiled.
    fn admit_wasm_types(&self, section: &[u8]) -> bool;
    /// `ctx.store.get`.
    fn store_get(&self, store: String, key: String) -> StoreRead;
    /// `ctx.store.query`.
    fn store_query(&self, store: String, filter: String) -> StoreRead;
}

/// The host behind the ops of one isolate.
pub(crate) type Host = Rc<dyn HookHostOps>;

/// How many reads of stores one isolate may have under way at once.
const MOST_READS: usize = 1000;

/// Held by the isolate's `OpState`, and by each read that is under way.
#[derive(Default)]
struct Reads(Rc<()>);

/// A read of a store that is under way. It is counted, and so are the bytes of what was asked, which lie in Rust.
struct UnderWay {
    host: Host,
    bytes: f64,
    _counted: Rc<()>,
}

impl UnderWay {
    fn begin(state: &RefCell<OpState>, bytes: usize) -> Result<Self, JsErrorBox> {
        let state = state.borrow();
        let counted = state.borrow::<Reads>().0.clone();
        // The state holds one, and this one is not under way yet.
        if Rc::strong_count(&counted) - 2 >= MOST_READS {
            return Err(JsErrorBox::range_error(format!(
                "ctx.store: {MOST_READS} reads are under way already: await some before the next"
            )));
        }
        let host = state.borrow::<Host>().clone();
        let bytes = bytes as f64;
        host.outside_memory(bytes);
        Ok(Self { host, bytes, _counted: counted })
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.host.outside_memory(-self.bytes);
    }
}

#[op2(fast)]
fn op_hookhost_log(state: &mut OpState, #[smi] call: u32, #[string] line: String) {
    state.borrow::<Host>().log(call, line);
}

#[op2(fast)]
fn op_hookhost_reply(state: &mut OpState, #[smi] call: u32, #[string] text: String) {
    state.borrow::<Host>().reply(call, text);
}

#[op2(fast)]
fn op_hookhost_invalid(state: &mut OpState, #[smi] call: u32, #[string] message: String) {
    state.borrow::<Host>().invalid(call, message);
}

#[op2(fast)]
fn op_hookhost_wasm_types(state: &mut OpState, #[buffer] section: &[u8]) -> bool {
    state.borrow::<Host>().admit_wasm_types(section)
}

/// V8 is told too, so that it collects its garbage the sooner.
#[op2(nofast, reentrant)]
fn op_hookhost_outside_memory(scope: &mut v8::PinScope<'_, '_>, state: Rc<RefCell<OpState>>, bytes: f64) {
    let host = state.borrow().borrow::<Host>().clone();
    host.outside_memory(bytes);
    // A cast from a float saturates.
    scope.adjust_amount_of_external_allocated_memory(bytes as i64);
}

// Reading an error runs the hook's own code (a getter, a Proxy), which may call other ops: the state is not borrowed
// meanwhile.
#[op2(fast, reentrant)]
fn op_hookhost_fail<'a>(
    scope: &mut v8::PinScope<'a, '_>,
    state: Rc<RefCell<OpState>>,
    #[smi] call: u32,
    error: v8::Local<'a, v8::Value>,
    rejected: bool,
    #[string] shown: String,
) {
    let error = JsError::from_v8_exception(scope, error);
    let host = state.borrow().borrow::<Host>().clone();
    host.fail(call, &error, rejected, shown);
}

/// Stands in for deno_core's op of what nobody handles, which terminates the isolate: here it is a line in the log.
#[op2(fast, reentrant)]
fn op_hookhost_uncaught<'a>(
    scope: &mut v8::PinScope<'a, '_>,
    state: Rc<RefCell<OpState>>,
    error: v8::Local<'a, v8::Value>,
    _in_promise: bool,
) {
    let error = JsError::from_v8_exception(scope, error);
    let host = state.borrow().borrow::<Host>().clone();
    host.log(0, format!("uncaught error: {}", error.exception_message));
}

/// Stands in for deno_core's op of `structuredClone`, which reads back what the hook's own code may have written into it as
/// an object of Deno's, and panics when there is no such kind of object. Here there is none of any kind.
#[op2(reentrant)]
fn op_hookhost_structured_clone<'a>(
    scope: &mut v8::PinScope<'a, '_>,
    value: v8::Local<'a, v8::Value>,
    _deserializers: v8::Local<'a, v8::Value>,
) -> Result<v8::Local<'a, v8::Value>, JsErrorBox> {
    v8::tc_scope!(let scope, scope);
    let (bytes, shared) = serialize_broadcast(scope, value, None)?;
    if scope.has_caught() || scope.has_terminated() {
        scope.rethrow();
        // Nobody sees it: the exception is thrown.
        return Ok(v8::undefined(scope).into());
    }
    deserialize_broadcast(scope, &bytes, shared, None).map_err(|error| {
        let why = scope.exception().map(|exception| exception.to_rust_string_lossy(scope)).unwrap_or_default();
        match why.contains("host object") {
            true => JsErrorBox::type_error("a Blob, a key or another object of the platform cannot be cloned here"),
            // There is no memory for the buffers in it.
            false => error,
        }
    })
}

/// Never comes. An event loop that waits for it goes on, whatever else it has to do.
#[op2]
async fn op_hookhost_stay() {
    std::future::pending().await
}

#[op2]
#[string]
async fn op_hookhost_store_get(
    state: Rc<RefCell<OpState>>,
    #[string] store: String,
    #[string] key: String,
) -> Result<String, JsErrorBox> {
    let under_way = UnderWay::begin(&state, store.len() + key.len())?;
    under_way.host.store_get(store, key).await.map_err(JsErrorBox::generic)
}

#[op2]
#[string]
async fn op_hookhost_store_query(
    state: Rc<RefCell<OpState>>,
    #[string] store: String,
    #[string] filter: String,
) -> Result<String, JsErrorBox> {
    let under_way = UnderWay::begin(&state, store.len() + filter.len())?;
    under_way.host.store_query(store, filter).await.map_err(JsErrorBox::generic)
}

deno_core::extension!(
    hookhost_hook,
    deps = [deno_web],
    ops = [
        op_hookhost_log,
        op_hookhost_reply,
        op_hookhost_invalid,
        op_hookhost_fail,
        op_hookhost_outside_memory,
        op_hookhost_uncaught,
        op_hookhost_wasm_types,
        op_hookhost_stay,
        op_hookhost_store_get,
        op_hookhost_store_query,
        op_hookhost_structured_clone,
    ],
    esm_entry_point = "ext:hookhost_hook/hook.js",
    options = { host: Option<Host> },
    middleware = |op| match op.name {
        "op_dispatch_exception" => op.with_implementation_from(&op_hookhost_uncaught()),
        "op_structured_clone" => op.with_implementation_from(&op_hookhost_structured_clone()),
        _ => op,
    },
    state = |state, options| {
        state.put(Reads::default());
        if let Some(host) = options.host {
            state.put(host);
        }
    },
);
