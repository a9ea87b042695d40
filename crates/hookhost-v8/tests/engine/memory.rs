//! What ends a hook that takes too much memory, and what stays whole.

use hookhost_contract::{Failure, FailureCause, Limits};
use hookhost_v8::InstanceState;
use serde_json::json;

use crate::support::{Members, PATIENCE, SHORT, call, counter, evaluating, fails, hook, invocation, note, until};

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
    assert_eq!(failure.message, "index.mjs used up its 32 MiB of memory while it was loaded");
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

#[tokio::test]
async fn what_lies_outside_the_heap_counts() {
    for code in [
        "for (;;) { const b = new ArrayBuffer(1e6, { maxByteLength: 1e7 }); b.resize(1e7); kept[Math.random()] = b; }",
        "for (;;) { kept[Math.random()] = new Blob(['x'.repeat(1e6)]); }",
        "const t = 'x'.repeat(1e6); for (;;) kept[Math.random()] = new TextEncoder().encode(t);",
        "for (;;) kept[Math.random()] = new SharedArrayBuffer(1e6);",
    ] {
        let instance = evaluating().limits(Limits::default().heap_bytes(SMALL)).start().await;
        let failure = fails(&instance, code, PATIENCE).await;
        let refused = failure.message.contains("allocation failed");
        assert!(failure.cause == FailureCause::OutOfMemory || refused, "{code}: {failure}");
    }
}

/// What is left of a blob holds all of its bytes, even when the blob itself is garbage.
#[tokio::test]
async fn blobs_count_for_as_long_as_somebody_holds_them() {
    for hold in ["URL.createObjectURL(new Blob([text]))", "kept[i] = new Blob([text]).slice(0, 1)"] {
        // Half a mebibyte at a time; garbage, so that it is collected; and time for what is to be done about that.
        let code = format!(
            "for (let i = 0; i < 300; i++) {{
                 const text = String(i % 10).repeat(1 << 19);
                 {hold};
                 if (i % 20) continue;
                 for (let j = 0; j < 100; j++) new Array(1e5).fill(j);
                 await new Promise((resolve) => setTimeout(resolve, 1));
             }}"
        );
        let instance = evaluating().limits(Limits::default().heap_bytes(SMALL)).start().await;
        let failure = fails(&instance, &code, PATIENCE).await;
        assert_eq!(failure.cause, FailureCause::OutOfMemory, "{hold}: {failure}");
    }
}

#[tokio::test]
async fn blobs_that_nobody_holds_are_given_back() {
    let code = "for (let round = 0; round < 6; round++) {
            for (let i = 0; i < 20; i++) {
                const url = URL.createObjectURL(new Blob([String(i % 10).repeat(1 << 19)]));
                URL.revokeObjectURL(url);
            }
            for (let j = 0; j < 400; j++) new Array(1e5).fill(j);
            for (let j = 0; j < 5; j++) await new Promise((resolve) => setTimeout(resolve, 1));
        }
        return { action: 'allow', note: 'done' };";
    let instance = evaluating().limits(Limits::default().heap_bytes(SMALL)).start().await;
    assert_eq!(note(&instance, json!({ "code": code, "async": true })).await, "done");
}

/// The hook's next call is too late for what it has grown in WebAssembly itself.
#[tokio::test]
async fn memories_are_measured_whatever_the_hook_has_replaced() {
    // (memory (export "m") 0) (func (export "g") (result i32) i32.const 2048 memory.grow): 128 MiB.
    let module = "new Uint8Array([0,97,115,109,1,0,0,0,1,5,1,96,0,1,127,3,2,1,0,5,3,1,0,0,7,9,2,1,109,2,0,1,103,0,0,10,9,1,7,0,65,128,16,64,0,11])";
    let keep = "kept.i = made; kept.i.exports.g();";
    for (patch, rest) in [
        ("", "const made = new WebAssembly.Instance(new WebAssembly.Module(bytes));"),
        ("", "const made = (await WebAssembly.instantiate(bytes)).instance;"),
        ("", "const made = await WebAssembly.instantiate(new WebAssembly.Module(bytes));"),
        (
            "const { get } = Object.getOwnPropertyDescriptor(WebAssembly.Instance.prototype, 'exports');
             Object.defineProperty(WebAssembly.Instance.prototype, 'exports', { get() { return kept.real ? get.call(this) : {}; } });",
            "const made = new WebAssembly.Instance(new WebAssembly.Module(bytes)); kept.real = true;",
        ),
        (
            "Object.defineProperty(Array.prototype, 'constructor', { value: { [Symbol.species]: function () { return new Proxy([], {}); } } });",
            "const made = new WebAssembly.Instance(new WebAssembly.Module(bytes));",
        ),
        (
            "Object.defineProperty(Array.prototype, '0', { set() {}, configurable: true });",
            "const made = new WebAssembly.Instance(new WebAssembly.Module(bytes)); delete Array.prototype[0];",
        ),
        (
            "Object.defineProperty(Object.prototype, 'then', { configurable: true, get() {
                 if (this.instance) kept.leaked = this.instance; return undefined; } });",
            "const result = await WebAssembly.instantiate(bytes); delete Object.prototype.then; const made = result.instance ?? kept.leaked;",
        ),
        (
            "Object.defineProperty(Object.prototype, 'then', { configurable: true, get() {
                 if (!this.instance) return undefined; kept.leaked = this.instance; return () => {}; } });",
            "WebAssembly.instantiate(bytes); await new Promise((resolve) => setTimeout(resolve, 50));
             while (!kept.leaked) await new Promise((resolve) => setTimeout(resolve, 5));
             delete Object.prototype.then; const made = kept.leaked;",
        ),
        (
            "Object.defineProperty(Promise.prototype, 'constructor', { configurable: true, get() { throw new Error('patched'); } });",
            "let promise; try { promise = WebAssembly.instantiate(bytes); } finally { Object.defineProperty(Promise.prototype, 'constructor', { value: Promise }); }
             const made = (await promise).instance;",
        ),
    ] {
        let code = format!("const bytes = {module}; {patch} {rest} {keep}");
        let instance = evaluating().limits(Limits::default().heap_bytes(SMALL)).start().await;
        let failure = fails(&instance, &format!("await null; {code}"), PATIENCE).await;
        assert_eq!(failure.cause, FailureCause::OutOfMemory, "{patch} {rest}: {failure}");
    }
}

#[tokio::test]
async fn memories_are_measured_when_there_is_another_and_when_time_is_up() {
    let module = "new Uint8Array([0,97,115,109,1,0,0,0,1,5,1,96,0,1,127,3,2,1,0,5,3,1,0,0,7,9,2,1,109,2,0,1,103,0,0,10,9,1,7,0,65,128,16,64,0,11])";
    let grown = format!("kept.i = new WebAssembly.Instance(new WebAssembly.Module({module})); kept.i.exports.g();");
    let another = "for (;;) new WebAssembly.Memory({ initial: 0 });";
    let unreadable = "return { get then() { throw new Error('from then'); } };";
    for rest in [another, unreadable] {
        let instance = evaluating().limits(Limits::default().heap_bytes(SMALL)).start().await;
        let failure = fails(&instance, &format!("{grown} {rest}"), PATIENCE).await;
        assert_eq!(failure.cause, FailureCause::OutOfMemory, "{rest}: {failure}");
    }
    // A call that never ends, and one that is begun after it: the isolate has been replaced.
    let instance = evaluating().limits(Limits::default().heap_bytes(SMALL)).start().await;
    assert_eq!(counter(&instance).await, "1");
    let waits = format!("{grown} await new Promise(() => {{}})");
    let failure = fails(&instance, &waits, SHORT).await;
    assert_eq!(failure.cause, FailureCause::TimedOut, "{failure}");
    until("another isolate", || instance.breaks() == 1).await;
    assert_eq!(counter(&instance).await, "1");
}

#[tokio::test]
async fn webassembly_gets_all_that_it_is_given() {
    // (import "wasm:js-string" "length" (func (param externref) (result i32))) (export "l" (func 0))
    let code = "const bytes = new Uint8Array([0,97,115,109,1,0,0,0,1,6,1,96,1,111,1,127,2,25,1,14,119,97,115,109,58,106,115,45,115,116,114,105,110,103,6,108,101,110,103,116,104,0,0,7,5,1,1,108,0,0]);
        const { instance, module } = await WebAssembly.instantiate(bytes, {}, { builtins: ['js-string'] });
        const wrong = [];
        for (const args of [[], [bytes], [new Uint8Array(3)], [module]]) await WebAssembly.instantiate(...args).catch((e) => wrong.push(e.name));
        return { action: 'allow', note: [instance.exports.l('four'), instance instanceof WebAssembly.Instance,
            module instanceof WebAssembly.Module, WebAssembly.instantiate.length, wrong].join(' ') };";
    let found = note(&*evaluating().start().await, json!({ "code": code, "async": true })).await;
    assert_eq!(found, "4 true true 1 TypeError,TypeError,CompileError");
}

#[tokio::test]
async fn a_store_is_asked_within_limits() {
    let reading = |read: &str| {
        hook(&format!(
            "export default {{ async run(point, payload, ctx) {{ {read}; return {{ action: 'allow', note: 'read' }}; }} }};"
        ))
        .store(Members)
    };
    for (read, message) in [
        ("await ctx.store.get('members', 'k'.repeat(65537))", "RangeError: ctx.store: the key has 65537 characters"),
        ("await ctx.store.get('s'.repeat(65537), 'k')", "RangeError: ctx.store: the store has 65537 characters"),
        ("await ctx.store.query('s'.repeat(65537))", "RangeError: ctx.store: the store has 65537 characters"),
        (
            "await ctx.store.query('members', { a: 'x'.repeat(1 << 20) })",
            "RangeError: ctx.store.query: the filter has 1048584 characters as JSON, and the limit is 1048576",
        ),
        (
            "await Promise.all(Array.from({ length: 1001 }, () => ctx.store.get('slow', 'k')))",
            "RangeError: ctx.store: 1000 reads are under way already",
        ),
    ] {
        let failure = reading(read).failure().await;
        assert_eq!(failure.cause, FailureCause::Rejected, "{read}: {failure}");
        assert!(failure.message.starts_with(message), "{read}: {failure}");
    }
    for read in [
        "await ctx.store.get('m'.repeat(65536), 'k'.repeat(65536))",
        "await ctx.store.query('members', { a: 'x'.repeat((1 << 20) - 8) })",
        "for (let i = 0; i < 2001; i++) await ctx.store.get('members', 'u1')",
    ] {
        assert_eq!(reading(read).reply().await["note"], "read", "{read}");
    }
}

/// What a store is asked for lies in Rust for as long as the store takes.
#[tokio::test]
async fn what_a_store_is_asked_for_counts() {
    let source = "export default { run(point, payload, ctx) {
        const filter = { a: 'x'.repeat(1 << 19) };
        for (let i = 0; i < 200; i++) ctx.store.query('slow', filter);
        return { action: 'allow' };
    } };";
    let failure = hook(source).store(Members).limits(Limits::default().heap_bytes(SMALL)).failure().await;
    assert_eq!(failure.cause, FailureCause::OutOfMemory, "{failure}");
}

#[tokio::test]
async fn shared_buffers_do_not_grow() {
    let code = "const b = new SharedArrayBuffer(8, { maxByteLength: 1e9 });
        return { action: 'allow', note: [b.byteLength, b.growable, b.constructor === SharedArrayBuffer,
            b instanceof SharedArrayBuffer, SharedArrayBuffer.name, Object.prototype.toString.call(b)].join(' ') };";
    let instance = evaluating().start().await;
    let expected = "8 false true true SharedArrayBuffer [object SharedArrayBuffer]";
    assert_eq!(note(&instance, json!({ "code": code })).await, expected);
}

/// V8 knows an end of the process only. The thread stays where it is, and another one takes over.
#[tokio::test]
async fn where_v8_gives_up_the_hook_is_started_again() {
    let instance = evaluating().start().await;
    assert_eq!(counter(&instance).await, "1");
    let failure = fails(&instance, "'x'.repeat(2 ** 28).split('')", PATIENCE).await;
    assert_eq!(failure.cause, FailureCause::OutOfMemory, "{failure}");
    assert!(failure.message.contains("larger than V8 can have"), "{failure}");
    assert_eq!(counter(&instance).await, "1", "another thread, another isolate");
    assert_eq!(instance.breaks(), 1);
}

#[tokio::test]
async fn where_v8_gives_up_every_call_under_way_has_failed() {
    let instance = evaluating().start().await;
    let waiting = json!({ "code": "await new Promise(() => {})", "async": true });
    let (waiting, failure) = tokio::join!(call(&instance, waiting), async {
        fails(&instance, "await null; 'x'.repeat(2 ** 28).match(/x/g)", PATIENCE).await
    });
    assert_eq!(failure.cause, FailureCause::OutOfMemory, "{failure}");
    assert_eq!(waiting.reply.unwrap_err(), failure);
}

#[tokio::test]
async fn a_hook_that_makes_v8_give_up_again_and_again_is_given_up() {
    let instance = evaluating().start().await;
    for _ in 0..3 {
        // Between them it rests.
        until("an answer", || !matches!(instance.state(), InstanceState::Restarting(_))).await;
        loop {
            let failure = fails(&instance, "'x'.repeat(2 ** 28).split('')", PATIENCE).await;
            if failure.cause == FailureCause::OutOfMemory {
                break;
            }
            assert_eq!(failure.cause, FailureCause::Exited, "{failure}");
            tokio::time::sleep(SHORT).await;
        }
    }
    until("the end", || matches!(instance.state(), InstanceState::GivenUp(_))).await;
    let failure = fails(&instance, "", PATIENCE).await;
    assert_eq!(failure.cause, FailureCause::Exited);
    assert!(failure.message.contains("not started again"), "{failure}");
    assert_eq!(instance.breaks(), 3);
}

#[tokio::test]
async fn a_load_that_makes_v8_give_up_fails() {
    let failure = hook("export default { list: 'x'.repeat(2 ** 28).split('') };").load_failure().await;
    assert!(failure.message.contains("out of memory while it was loaded"), "{failure}");
}

#[tokio::test]
async fn a_payload_that_is_too_large_is_not_handed_over() {
    let instance = evaluating().limits(Limits::default().payload_bytes(1000)).start().await;
    assert_eq!(counter(&instance).await, "1");
    let failure = instance.call(&invocation(json!({ "text": "x".repeat(1000) }), PATIENCE)).await.reply.unwrap_err();
    assert_eq!(failure.to_string(), "exited: not called: the payload has 1011 bytes, and the limit is 1000");
    assert_eq!(counter(&instance).await, "2", "it was not called");
}

/// What imitates one of Deno's own objects is no such object.
#[tokio::test]
async fn nothing_of_deno_is_read_back_from_a_clone() {
    let instance = evaluating().start().await;
    for code in [
        "structuredClone({ [Symbol.for('Deno.core.hostObject')]: () => ({ type: 'nope' }) });",
        "structuredClone({ [Symbol.for('Deno.core.hostObject')]: () => ({ type: 'DOMException' }) });",
        "structuredClone({ [Symbol.for('Deno.core.hostObject')]: 'MessagePort' });",
        "performance.mark('x', { detail: { [Symbol.for('Deno.core.hostObject')]: () => ({ type: 'nope' }) } });",
        "structuredClone(new Blob(['x']));",
    ] {
        let failure = fails(&instance, code, PATIENCE).await;
        assert!(failure.message.starts_with("DataCloneError: "), "{code}: {failure}");
    }
    assert_eq!(counter(&instance).await, "6", "the process and the isolate live on");
}

#[tokio::test]
async fn what_is_transferred_is_gone_here() {
    let code = "const b = new Uint8Array([1, 2]); const c = structuredClone({ b }, { transfer: [b.buffer] });
        let thrown; try { structuredClone({}, { transfer: [{}] }); } catch (e) { thrown = e.name; }
        return { action: 'allow', note: [b.length, b.buffer.detached, c.b.join(), thrown].join(' ') };";
    assert_eq!(note(&*evaluating().start().await, json!({ "code": code })).await, "0 true 1,2 DataCloneError");
}

/// They stay in a table of the process, which V8 fills up under a lock that every isolate needs.
#[tokio::test]
async fn modules_may_have_so_many_types() {
    let instance = evaluating().start().await;
    let types = "const leb = (n) => { const b = []; do { b.push((n & 127) | (n > 127 ? 128 : 0)); n >>>= 7; } while (n); return b; };
        const module = (count, first) => { const types = [...leb(count)];
            for (let at = first; at < first + count; at++) {
                types.push(0x60, 10); for (let digit = 0; digit < 10; digit++) types.push(0x7c + ((at >> (2 * digit)) & 3));
                types.push(0);
            }
            return new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, ...leb(types.length), ...types]); };";
    let code = format!(
        "{types} const small = module(1000, 0); new WebAssembly.Module(small); WebAssembly.validate(small.buffer);
         const thrown = [];
         for (const use of [(m) => new WebAssembly.Module(m), WebAssembly.compile, WebAssembly.validate,
                 (m) => WebAssembly.instantiate(new DataView(m.buffer))]) {{
             try {{ await use(module(20000, 5000)); thrown.push('nothing'); }} catch (e) {{ thrown.push(e.name); }}
         }}
         await WebAssembly.instantiate(small);
         return {{ action: 'allow', note: [...thrown, WebAssembly.compileStreaming, WebAssembly.instantiateStreaming].join() }};"
    );
    let seen = note(&instance, json!({ "code": code, "async": true })).await;
    assert_eq!(seen, "RangeError,RangeError,RangeError,RangeError,,");
}
