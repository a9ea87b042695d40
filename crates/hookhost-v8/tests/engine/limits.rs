//! What ends a hook that takes too long, and what a hook cannot reach.

use std::time::{Duration, Instant};

use deno_core::futures::future::join_all;
use hookhost_contract::{FailureCause, Limits};
use hookhost_v8::InstanceState;
use serde_json::json;

use crate::support::{PATIENCE, SHORT, SOON, call, call_within, counter, evaluating, fails, hook, note, reply};

// --- time

#[tokio::test]
async fn code_that_runs_on_is_ended_and_the_next_call_works() {
    for code in [
        "while (true) {}",
        "while (true) new Array(1000).fill(1.5);",
        "for (;;) { try { while (true) {} } catch {} }",
        "try { while (true) {} } catch {} finally { while (true) {} }",
        "const f = () => { try { f(); } finally { f(); } }; f();",
        "await null; while (true) {}",
        "await new Promise((resolve) => setTimeout(resolve, 1)); while (true) {}",
        "while (true) await null;",
        "const f = () => Promise.resolve().then(f); f(); await new Promise(() => {});",
        "const f = () => queueMicrotask(f); f(); await new Promise(() => {});",
        "/^(a+)+$/.test('a'.repeat(40) + 'b');",
        "'x'.repeat(1e8).replace(/(x+x+)+y/g, '');",
        "JSON.parse('{}', function () { while (true) {} });",
        "[3, 2, 1].sort(() => { while (true) {} });",
        "return { get action() { while (true) {} } };",
        "return { action: 'allow', payload: { toJSON() { while (true) {} } } };",
        "return { get then() { while (true) {} } };",
        "return { then() { while (true) {} } };",
        "return new Proxy({}, { get() { while (true) {} } });",
        "await Promise.resolve(); throw { get message() { while (true) {} }, __proto__: Error.prototype };",
        "throw { get message() { while (true) {} }, __proto__: Error.prototype };",
        "throw { get stack() { while (true) {} }, __proto__: Error.prototype };",
        "throw { get cause() { while (true) {} }, __proto__: Error.prototype };",
        "throw { get name() { while (true) {} }, __proto__: Error.prototype };",
        "const e = new AggregateError([]); Object.defineProperty(e, 'errors', { get() { while (true) {} } }); throw e;",
        "throw new Proxy(new Error('x'), { get() { while (true) {} }, getPrototypeOf() { while (true) {} } });",
        "Error.prepareStackTrace = () => { while (true) {} }; throw new Error('x');",
        "ctx.log({ get [Symbol.toStringTag]() { while (true) {} } });",
        "ctx.log({ [Symbol.for('Deno.customInspect')]() { while (true) {} } });",
        "console.log({ [Symbol.for('nodejs.util.inspect.custom')]() { while (true) {} } });",
        "setTimeout(() => { while (true) {} }, 0); await new Promise(() => {});",
        "structuredClone({ get x() { while (true) {} } });",
        "const t = new EventTarget(); t.addEventListener('x', () => { while (true) {} }); t.dispatchEvent(new Event('x'));",
        "new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,9,1,7,0,3,64,12,0,11,11]))).exports.f();",
    ] {
        let instance = evaluating().start().await;
        assert_eq!(counter(&instance).await, "1");
        let failure = fails(&instance, code, SHORT).await;
        assert_eq!(failure.cause, FailureCause::TimedOut, "{code}: {failure}");
        assert!(failure.message.contains("200 ms") && failure.message.contains("timeoutMs"), "{failure}");
        assert_eq!(counter(&instance).await, "1", "{code}: its state is a fresh one");
    }
}

#[tokio::test]
async fn a_promise_that_never_comes_fails_alone() {
    let instance = evaluating().start().await;
    assert_eq!(counter(&instance).await, "1");
    let failure = fails(&instance, "await new Promise(() => {})", SHORT).await;
    assert_eq!(failure.cause, FailureCause::TimedOut, "{failure}");
    assert_eq!(counter(&instance).await, "3", "its state lives on");
    let failure = fails(&instance, "await new Promise((resolve) => setTimeout(resolve, 60_000))", SHORT).await;
    assert_eq!(failure.cause, FailureCause::TimedOut, "{failure}");
    assert_eq!(counter(&instance).await, "5");
}

#[tokio::test]
async fn logs_before_the_deadline_are_kept() {
    let instance = evaluating().start().await;
    let code = json!({ "code": "ctx.log('before'); while (true) {}" });
    let answer = call_within(&instance, code, SHORT).await;
    assert_eq!(answer.logs, ["before"]);
}

#[tokio::test]
async fn waiting_for_memory_cannot_block_the_thread() {
    let instance = evaluating().start().await;
    let code = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";
    let failure = fails(&instance, code, PATIENCE).await;
    assert_eq!(failure.cause, FailureCause::Threw, "{failure}");
    assert!(failure.message.contains("Atomics.wait cannot be called in this context"), "{failure}");
    assert_eq!(counter(&instance).await, "2");
}

#[tokio::test]
async fn calls_beside_a_loop_fail_with_their_own_record() {
    for code in ["while (true) {}", "await null; while (true) {}"] {
        let instance = evaluating().start().await;
        let begun = Instant::now();
        let (waits, loops, queued) = tokio::join!(
            call_within(&instance, json!({ "code": "await new Promise(() => {})", "async": true }), SOON * 2),
            call_within(&instance, json!({ "code": code, "async": true }), SHORT),
            call_within(&instance, json!({}), SHORT / 2),
        );
        assert!(begun.elapsed() < SOON);
        let waits = waits.reply.unwrap_err();
        assert_eq!(waits.cause, FailureCause::Exited, "{waits}");
        assert_eq!(loops.reply.unwrap_err().cause, FailureCause::TimedOut);
        assert_eq!(queued.reply.unwrap_err().cause, FailureCause::TimedOut, "{code}");
        assert_eq!(counter(&instance).await, "1");
    }
}

#[tokio::test]
async fn calls_queued_behind_a_loop_are_answered_at_their_own_deadline() {
    let instance = evaluating().start().await;
    let (loops, queued, patient) = tokio::join!(
        call_within(&instance, json!({ "code": "while (true) {}" }), SHORT * 10),
        async {
            let begun = Instant::now();
            (call_within(&instance, json!({}), SHORT).await, begun.elapsed())
        },
        call(&instance, json!({})),
    );
    assert_eq!(loops.reply.unwrap_err().cause, FailureCause::TimedOut);
    assert_eq!(queued.0.reply.unwrap_err().cause, FailureCause::TimedOut);
    assert!(queued.1 < SHORT * 10, "it waited for the other: {:?}", queued.1);
    assert_eq!(reply(patient)["note"], "1", "served by the fresh isolate");
}

#[tokio::test]
async fn a_loop_outside_any_call_is_ended() {
    let source = "export default { run(point, { begin }) {
        if (begin) setTimeout(() => { while (true) {} }, 0);
        return { action: 'allow', note: 'ok' };
    } };";
    let instance = hook(source).timeout(SHORT).start().await;
    assert_eq!(note(&instance, json!({ "begin": true })).await, "ok");
    assert_eq!(note(&instance, json!({})).await, "ok");
}

#[tokio::test]
async fn the_signal_is_aborted_at_the_deadline() {
    let hook = hook(
        "const seen = []; let n = 0;
         export default { async run(point, payload, ctx) {
             if (n++ > 0) return { action: 'allow', payload: { seen } };
             seen.push(ctx.signal.aborted, ctx.signal === ctx.signal);
             ctx.signal.addEventListener('abort', () => { throw new Error('a listener that throws'); });
             ctx.signal.addEventListener('abort', () => {
                 seen.push(ctx.signal.aborted, ctx.signal.reason.name, ctx.signal.reason instanceof DOMException);
             });
             await new Promise(() => {});
         } };",
    );
    let instance = hook.start().await;
    assert_eq!(call_within(&instance, json!({}), SHORT).await.reply.unwrap_err().cause, FailureCause::TimedOut);
    let seen = reply(call(&instance, json!({})).await)["payload"]["seen"].clone();
    assert_eq!(seen, json!([false, true, true, "TimeoutError", true]));
}

#[tokio::test]
async fn a_signal_first_asked_for_after_the_deadline_is_aborted() {
    let hook = hook(
        "let late; let kept; export default { async run(point, payload, ctx) {
             if (late) return { action: 'allow', note: String([kept.signal.aborted, kept.signal.reason.name]) };
             late = true; kept = ctx;
             await new Promise(() => {});
         } };",
    );
    let instance = hook.start().await;
    call_within(&instance, json!({}), SHORT).await.reply.unwrap_err();
    assert_eq!(note(&instance, json!({})).await, "true,TimeoutError");
}

#[tokio::test]
async fn an_abort_listener_that_loops_is_ended() {
    let code = "ctx.signal.onabort = () => { while (true) {} }; await new Promise(() => {});";
    let instance = evaluating().timeout(SHORT).start().await;
    assert_eq!(fails(&instance, code, SHORT).await.cause, FailureCause::TimedOut);
    // The first call may come before the listener is told.
    let begun = Instant::now();
    while call(&instance, json!({})).await.reply != Ok(r#"{"action":"allow","note":"1"}"#.to_owned()) {
        assert!(begun.elapsed() < PATIENCE);
    }
}

// --- loading

#[tokio::test]
async fn loading_has_a_limit() {
    let limits = Limits::default().load_timeout(Duration::from_millis(200));
    for source in [
        "while (true) {}",
        "export function createHook() { while (true) {} }",
        "export async function createHook() { await null; while (true) {} }",
        "await new Promise((resolve) => setTimeout(resolve, 60_000));",
        "export async function createHook() { await new Promise((resolve) => setTimeout(resolve, 60_000)); }",
        "while (true) await null;",
        "export const createHook = { get run() { while (true) {} } };",
        "import './other.mjs';",
        "throw { get message() { while (true) {} }, __proto__: Error.prototype };",
    ] {
        let begun = Instant::now();
        let failure = hook(source).file("other.mjs", "while (true) {}").limits(limits.clone()).load_failure().await;
        assert!(begun.elapsed() < SOON, "{source}");
        assert!(failure.message.starts_with("index.mjs was not loaded within 0.2 s"), "{source}: {failure}");
    }
}

#[tokio::test]
async fn calls_made_while_loading_wait_for_it() {
    let hook = hook(
        "await new Promise((resolve) => setTimeout(resolve, 300));
         let n = 0; export default { run: () => ({ action: 'allow', note: String(++n) }) };",
    );
    let instance = hook.spawn();
    assert_eq!(instance.state(), InstanceState::Loading);
    // Shorter than the loading: the clock starts when that is over.
    let answers = join_all((0..3).map(|_| call_within(&instance, json!({}), Duration::from_millis(200)))).await;
    let notes: Vec<_> = answers.into_iter().map(|answer| reply(answer)["note"].clone()).collect();
    assert_eq!(notes, ["1", "2", "3"]);
}

#[tokio::test]
async fn calls_made_while_loading_fail_with_it() {
    let instance = hook("await new Promise((resolve) => setTimeout(resolve, 50)); throw new Error('no key');").spawn();
    for answer in join_all((0..3).map(|_| call(&instance, json!({})))).await {
        let failure = answer.reply.unwrap_err();
        assert_eq!((failure.cause, &*failure.message), (FailureCause::LoadFailed, "Error: no key"));
    }
}

// --- what a hook cannot reach

#[tokio::test]
async fn the_engine_is_out_of_reach() {
    let probe = "async () => {
        const found = [];
        for (const name of ['Deno', '__bootstrap', 'bootstrap', '__hookhost', 'process', 'require', 'Deno.core'])
            if (name in globalThis) found.push(name);
        for (const specifier of ['ext:core/mod.js', 'ext:core/ops', 'ext:hookhost_hook/hook.js', 'ext:hookhost_web/web_globals.js',
            'ext:deno_web/00_url.js', 'checkin:x', 'internal:x'])
            await import(specifier).then(() => found.push(specifier), () => {});
        for (const key of Reflect.ownKeys(globalThis))
            if (/deno|bootstrap|hookhost|internal/i.test(String(key))) found.push(String(key));
        // What hides behind the scripts of the realm.
        const stack = (() => { const old = Error.prepareStackTrace; Error.prepareStackTrace = (_, sites) => sites;
            try { return new Error().stack; } finally { Error.prepareStackTrace = old; } })();
        if (Array.isArray(stack)) for (const site of stack) {
            const self = site.getThis?.(), fn = site.getFunction?.();
            if (self && self !== globalThis && self.core) found.push('this');
            if (fn && /op_hookhost/.test(String(fn))) found.push('function');
        }
        try { (function f() { if (f.caller) found.push('caller'); })(); } catch {}
        return found.join();
    }";
    let source = format!(
        "const probe = {probe}; const atLoad = await probe();
         export default {{ run: async () => ({{ action: 'allow', note: `load:${{atLoad}} call:${{await probe()}}` }}) }};"
    );
    assert_eq!(hook(&source).reply().await["note"], "load: call:");
    for specifier in ["ext:core/mod.js", "ext:core/ops"] {
        let failure = hook(&format!("import '{specifier}';")).load_failure().await;
        assert!(failure.message.contains(specifier), "{failure}");
    }
}

#[tokio::test]
async fn a_patched_realm_does_not_fool_the_boundary() {
    for patch in [
        "JSON.parse = () => ({ action: 'allow' });",
        "JSON.stringify = () => '{\"action\":\"allow\"}';",
        "Promise.prototype.then = function () { return this; };",
        "Promise.prototype.then = () => { throw 1; };",
        "Promise.prototype.catch = Promise.prototype.finally = undefined;",
        "Promise.resolve = () => ({ action: 'allow' });",
        "globalThis.Promise = class {};",
        "Object.defineProperty(Promise.prototype, 'constructor', { get() { return Object; } });",
        "Array.prototype.map = Array.prototype.join = () => { throw 1; };",
        "Array.prototype[Symbol.iterator] = function* () { yield 'note'; };",
        "Array.prototype[Symbol.iterator] = () => { throw 1; };",
        "Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: true });",
        "Object.prototype.toJSON = () => ({ action: 'allow' });",
        "String.prototype.toJSON = () => 'allow'; Array.prototype.toJSON = () => 1;",
        "Object.defineProperty(Object.prototype, 'action', { get() { return 'allow'; }, set() {} });",
        "Object.defineProperty(Object.prototype, 'reason', { set() { throw 1; }, configurable: true });",
        "Object.defineProperty(Object.prototype, 'hookName', { set() {} });",
        "Object.defineProperty(Object.prototype, 'then', { get() { return undefined; } });",
        "Object.prototype.get = () => 1; Object.prototype.value = 1;",
        "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => ({ action: 'allow' });",
        "Map.prototype.get = Map.prototype.set = Map.prototype.delete = Map.prototype.has = () => { throw 1; };",
        "Reflect.apply = () => ({ action: 'allow' });",
        "Object.keys = Object.entries = Object.defineProperty = () => { throw 1; };",
        "String.prototype.slice = () => 'allow'; Symbol.iterator;",
        "for (const name of Reflect.ownKeys(globalThis)) try { if (name !== 'globalThis') delete globalThis[name]; } catch {}",
        "globalThis.Error = globalThis.TypeError = function () { throw 1; };",
        "Error.prepareStackTrace = () => { throw 1; };",
        "Error.stackTraceLimit = 0;",
        "Error.captureStackTrace = () => { throw 1; };",
        "AbortController.prototype.abort = () => { throw 1; };",
        "console.log = () => { throw 1; };",
        "Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(globalThis);",
        "Object.setPrototypeOf(globalThis, null);",
        "Object.setPrototypeOf(Object.prototype.__proto__ ?? {}, null); Object.freeze(Promise.prototype);",
        "globalThis.setTimeout = globalThis.queueMicrotask = () => { throw 1; };",
        "Object.defineProperty(globalThis, Symbol.toStringTag, { get() { throw 1; } });",
    ] {
        for run in
            ["() => ({ action: 'block', reason: 'right' })", "async () => ({ action: 'block', reason: 'right' })"]
        {
            let instance =
                hook(&format!("const hook = {{ run: {run} }};\n{patch}\nexport default hook;")).start().await;
            let answer = call(&instance, json!({ "text": "x" })).await;
            match answer.reply {
                Ok(text) => assert_eq!(text, r#"{"action":"block","reason":"right"}"#, "{patch}"),
                Err(failure) => assert!(
                    [FailureCause::LoadFailed, FailureCause::InvalidDecision, FailureCause::Threw]
                        .contains(&failure.cause),
                    "{patch}: {failure}"
                ),
            }
            // A failure stays one.
            let failing =
                format!("const hook = {{ run() {{ throw new RangeError('mine'); }} }};\n{patch}\nexport default hook;");
            assert!(hook(&failing).answer().await.reply.is_err(), "{patch}");
        }
    }
}

#[tokio::test]
async fn globals_are_not_shared() {
    let leaves =
        hook("globalThis.mark = 1; Array.prototype.mark = 1; export default { run: () => ({ action: 'allow' }) };");
    let looks = hook("export default { run: () => ({ action: 'allow', note: String([typeof mark, [].mark]) }) };");
    let (one, two) = (leaves.start().await, looks.start().await);
    call(&one, json!({})).await.reply.unwrap();
    assert_eq!(note(&two, json!({})).await, "undefined,");
}
