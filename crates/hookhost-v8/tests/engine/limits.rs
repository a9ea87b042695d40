//! What ends a hook that goes too far, and what stays whole.

use std::time::{Duration, Instant};

use deno_core::futures::future::join_all;
use hookhost_contract::{Failure, FailureCause, Limits};
use hookhost_v8::{Instance, InstanceState};
use serde_json::json;

use crate::support::{Hook, PATIENCE, call, call_within, hook, note, reply, until};

const SHORT: Duration = Duration::from_millis(200);
/// What is due at once, on a machine that is busy with other things.
const SOON: Duration = Duration::from_secs(5);

/// A hook whose calls run `payload.code`, with a counter of calls in `n`.
fn evaluating() -> Hook {
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
async fn fails(instance: &Instance, code: &str, limit: Duration) -> Failure {
    let begun = Instant::now();
    let asynchronous = code.contains("await");
    let answer = call_within(instance, json!({ "code": code, "async": asynchronous }), limit).await;
    assert!(begun.elapsed() < SOON, "{code}: {:?}", begun.elapsed());
    answer.reply.expect_err(code)
}

async fn counter(instance: &Instance) -> String {
    note(instance, json!({})).await.as_str().unwrap().to_owned()
}

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

// --- memory

const SMALL: usize = 32 << 20;

#[tokio::test]
async fn a_heap_bomb_ends_the_isolate_and_not_the_process() {
    for code in [
        "const a = []; while (true) a.push(new Array(1000).fill(1.5));",
        "let s = 'x'; const a = []; while (true) a.push((s += 'y').repeat(1000).split(''));",
        "const m = new Map(); for (let i = 0;; i++) m.set(i, { i });",
        "const a = []; await null; while (true) a.push({ a: new Array(100) });",
        "const a = []; while (true) { try { while (true) a.push([1, 2, 3]); } catch {} }",
        "kept.a = []; while (true) kept.a.push('x'.repeat(1000) + kept.a.length);",
        "let o = {}; while (true) o = { o, p: [o] };",
        "JSON.parse('[' + '[1,2,3],'.repeat(3e6) + '1]');",
        "const a = []; while (true) a.push(() => a);",
        "const a = []; setTimeout(() => { while (true) a.push([1]); }, 0); await new Promise(() => {});",
    ] {
        let instance = evaluating().limits(Limits::default().heap_bytes(SMALL)).start().await;
        let answer = call(&instance, json!({ "code": code, "async": code.contains("await") })).await;
        let failure = answer.reply.expect_err(code);
        assert_eq!(failure.cause, FailureCause::OutOfMemory, "{code}: {failure}");
        assert!(failure.message.contains("32 MiB"), "{failure}");
        assert_eq!(counter(&instance).await, "1", "{code}");
    }
}

#[tokio::test]
async fn a_heap_bomb_at_load_fails_the_load() {
    let source = "const a = []; while (true) a.push(new Array(1000).fill(1.5));";
    let failure = hook(source).limits(Limits::default().heap_bytes(SMALL)).load_failure().await;
    assert_eq!(failure.message, "index.mjs used up its heap of 32 MiB while it was loaded");
}

#[tokio::test]
async fn one_giant_allocation_is_an_error_of_the_hook() {
    let instance = evaluating().limits(Limits::default().heap_bytes(SMALL)).start().await;
    for code in [
        "'x'.repeat(2 ** 30);",
        "new ArrayBuffer(2 ** 50);",
        "new Array(-1);",
        "return { action: 'allow', note: 'x'.repeat(2 ** 29) + 'x'.repeat(2 ** 29) };",
    ] {
        let failure = fails(&instance, code, PATIENCE).await;
        let range_error = failure.cause == FailureCause::Threw && failure.message.starts_with("RangeError: ");
        assert!(range_error || out_of_buffers(code, &failure), "{code}: {failure}");
    }
}

/// When it gets no memory for a buffer, V8 may first collect garbage as if its heap were full.
fn out_of_buffers(code: &str, failure: &Failure) -> bool {
    let about_buffers = ["ArrayBuffer", "Uint8Array"].iter().any(|word| code.contains(word));
    about_buffers && failure.cause == FailureCause::OutOfMemory
}

#[tokio::test]
async fn buffers_count_too() {
    for (code, message) in [
        ("const a = []; while (true) a.push(new Uint8Array(1e6).fill(1));", "Array buffer allocation failed"),
        ("const a = []; while (true) a.push(new ArrayBuffer(2e4));", "Array buffer allocation failed"),
        (
            "const a = []; await null; while (true) a.push(structuredClone(new Uint8Array(1e6)));",
            "could not deserialize value",
        ),
    ] {
        let instance = evaluating().limits(Limits::default().heap_bytes(SMALL)).start().await;
        let answer = call(&instance, json!({ "code": code, "async": code.contains("await") })).await;
        let failure = answer.reply.expect_err(code);
        assert!(failure.message.contains(message) || out_of_buffers(code, &failure), "{code}: {failure}");
        // What was freed can be used again.
        let code =
            "for (let i = 0; i < 200; i++) new Uint8Array(1e6).fill(1); return { action: 'allow', note: 'done' };";
        assert_eq!(note(&instance, json!({ "code": code })).await, "done");
    }
}

#[tokio::test]
async fn deep_recursion_is_a_range_error() {
    let instance = evaluating().start().await;
    for code in [
        "const f = () => f() + 1; f();",
        "let a = []; for (let i = 0; i < 1e6; i++) a = [a]; return { action: 'allow', payload: a };",
        "await null; const f = () => f() + 1; f();",
        "const p = new Proxy({}, { get(t, k, r) { return r[k]; } }); p.x;",
        "let a = {}; for (let i = 0; i < 1e5; i++) a = { a }; structuredClone(a);",
        "let a = {}; for (let i = 0; i < 1e5; i++) a = { a }; ctx.log(a); throw new RangeError('Maximum call stack');",
        "let e = new Error('deep'); for (let i = 0; i < 1e5; i++) e = new RangeError('Maximum call stack', { cause: e }); throw e;",
        "const f = () => { try { f(); } catch (e) { throw e; } }; f();",
        "JSON.parse('['.repeat(1e6) + ']'.repeat(1e6)); throw new RangeError('Maximum call stack');",
    ] {
        let failure = fails(&instance, code, PATIENCE).await;
        assert!(
            failure.message.contains("Maximum call stack") || failure.message.contains("too large"),
            "{code}: {failure}"
        );
    }
    assert_eq!(counter(&instance).await, "10", "it is the same isolate");
}

// --- the end of instances

#[tokio::test]
async fn a_looping_instance_can_be_dropped() {
    for code in ["while (true) {}", "await null; while (true) {}", "while (true) await null;"] {
        let instance = evaluating().start().await;
        let calling = call_within(&instance, json!({ "code": code, "async": true }), Duration::from_secs(60));
        assert!(tokio::time::timeout(Duration::from_millis(50), calling).await.is_err());
        let begun = Instant::now();
        drop(instance);
        assert!(begun.elapsed() < SOON, "{code}");
    }
}

/// Some of V8's built-ins do not look up while they run. The answer is there in time, and nobody waits for the thread.
#[tokio::test]
async fn a_built_in_that_cannot_be_ended_holds_up_nobody() {
    let instance = evaluating().start().await;
    let failure = fails(&instance, "[].indexOf.call({ length: 2 ** 52 }, 1, 2 ** 52 - 1e7)", SHORT).await;
    assert_eq!(failure.cause, FailureCause::TimedOut);
    while instance.state() != InstanceState::Stuck {
        tokio::time::sleep(SHORT).await;
    }
    let begun = Instant::now();
    let failure = fails(&instance, "", PATIENCE).await;
    assert_eq!(failure.cause, FailureCause::Exited);
    assert!(failure.message.starts_with("not called: the hook runs on"), "{failure}");
    drop(instance);
    assert!(begun.elapsed() < SOON);
}

#[tokio::test]
async fn a_load_that_cannot_be_ended_holds_up_nobody() {
    let hook =
        hook("[].indexOf.call({ length: 2 ** 52 }, 1, 2 ** 52 - 1e7);").limits(Limits::default().load_timeout(SHORT));
    let instance = hook.start().await;
    assert_eq!(instance.state(), InstanceState::Stuck);
    assert_eq!(call(&instance, json!({})).await.reply.unwrap_err().cause, FailureCause::Exited);
}

#[tokio::test]
async fn closing_answers_what_is_under_way() {
    for code in ["while (true) {}", "await new Promise(() => {})"] {
        let instance = evaluating().start().await;
        let (looping, queued, ()) = tokio::join!(
            call_within(&instance, json!({ "code": code, "async": true }), Duration::from_secs(60)),
            call_within(&instance, json!({ "code": code, "async": true }), Duration::from_secs(60)),
            async {
                tokio::time::sleep(Duration::from_millis(50)).await;
                instance.close();
            }
        );
        assert_eq!(looping.reply.unwrap_err().cause, FailureCause::Exited);
        assert_eq!(queued.reply.unwrap_err().cause, FailureCause::Exited);
        let after = call(&instance, json!({})).await.reply.unwrap_err();
        assert_eq!((after.cause, &*after.message), (FailureCause::Exited, "the hook's instance has ended"));
        assert_eq!(instance.loaded().await, InstanceState::Ended);
    }
}

#[tokio::test]
async fn an_instance_can_be_closed_while_it_loads() {
    for source in
        ["while (true) {}", "await new Promise((resolve) => setTimeout(resolve, 60_000));", "export default 1"]
    {
        let instance = hook(source).spawn();
        let begun = Instant::now();
        let (answer, ()) = tokio::join!(call(&instance, json!({})), async { instance.close() });
        answer.reply.unwrap_err();
        drop(instance);
        drop(hook(source).spawn());
        assert!(begun.elapsed() < SOON, "{source}");
    }
}

#[tokio::test]
async fn many_instances_work_in_parallel() {
    let hook = evaluating();
    let instances: Vec<_> = (0..30).map(|_| hook.spawn()).collect();
    let notes = join_all(instances.iter().map(|instance| counter(instance))).await;
    assert!(notes.iter().all(|note| note == "1"), "their states are their own");
    let looping = instances.iter().map(|instance| fails(instance, "while (true) {}", SHORT));
    for failure in join_all(looping).await {
        assert_eq!(failure.cause, FailureCause::TimedOut);
    }
    // On a busy machine the time is up before some have begun to loop: these are the same as before.
    let notes = join_all(instances.iter().map(|instance| counter(instance))).await;
    assert!(notes.iter().all(|note| note == "1" || note == "2"), "{notes:?}");
}

// --- rests

#[tokio::test]
async fn a_hook_that_breaks_again_rests() {
    let instance = evaluating().start().await;
    for _ in 0..2 {
        assert_eq!(fails(&instance, "while (true) {}", SHORT).await.cause, FailureCause::TimedOut);
        if let InstanceState::Loading = instance.state() {
            instance.loaded().await;
        }
    }
    until("the rest", || matches!(instance.state(), InstanceState::Resting(_))).await;
    let failure = fails(&instance, "", PATIENCE).await;
    assert_eq!(failure.cause, FailureCause::Exited, "{failure}");
    assert!(failure.message.contains("rests"), "{failure}");
    // It ends.
    let begun = Instant::now();
    while let Err(failure) = call(&instance, json!({})).await.reply {
        assert_eq!(failure.cause, FailureCause::Exited, "{failure}");
        assert!(begun.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_good_answer_ends_the_worry() {
    let instance = evaluating().start().await;
    for _ in 0..4 {
        assert_eq!(fails(&instance, "while (true) {}", SHORT).await.cause, FailureCause::TimedOut);
        assert_eq!(counter(&instance).await, "1");
    }
}

#[tokio::test]
async fn a_hook_whose_load_fails_is_tried_again_after_a_rest() {
    let hook =
        hook("import value from './late.mjs'; export default { run: () => ({ action: 'allow', note: value }) };");
    let instance = hook.start().await;
    assert!(matches!(instance.state(), InstanceState::Resting(_)));
    assert_eq!(call(&instance, json!({})).await.reply.unwrap_err().cause, FailureCause::LoadFailed);
    let _hook = hook.file("late.mjs", "export default 'here';");
    let begun = Instant::now();
    loop {
        match call(&instance, json!({})).await.reply {
            Ok(text) => break assert!(text.contains("here")),
            Err(failure) => assert_eq!(failure.cause, FailureCause::LoadFailed, "{failure}"),
        }
        assert!(begun.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(50)).await;
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
