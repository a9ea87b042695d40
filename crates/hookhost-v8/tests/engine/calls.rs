//! What a hook is called with, what it may answer, and how it may fail.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use deno_core::futures::future::join_all;
use hookhost_contract::{Answer, CallContext, Caller, Failure, FailureCause, Invocation, Limits, Point};
use serde_json::{Value, json};

use crate::support::{Members, PATIENCE, call, call_within, hook, invocation, note, reply};

/// A hook whose `run` has this body, and the extra top-level code.
fn running(top: &str, body: &str) -> crate::support::Hook {
    hook(&format!("{top}\nexport default {{ async run(point, payload, ctx) {{\n{body}\n}} }};"))
}

async fn logs_of(body: &str) -> Vec<String> {
    let answer = running("", &format!("{body}\nreturn {{ action: 'allow' }};")).answer().await;
    assert_eq!(answer.reply, Ok(r#"{"action":"allow"}"#.to_owned()), "{body}");
    answer.logs
}

// --- ctx.log and the console

#[tokio::test]
async fn log_takes_any_value() {
    for (source, line) in [
        ("ctx.log('plain')", "plain"),
        ("ctx.log()", ""),
        ("ctx.log('')", ""),
        ("ctx.log('a', 1, true, null, undefined)", "a 1 true null undefined"),
        ("ctx.log({ a: { b: [1, 2] } })", "{ a: { b: [ 1, 2 ] } }"),
        ("ctx.log(Symbol('s'))", "Symbol(s)"),
        ("ctx.log(10n)", "10n"),
        ("ctx.log(() => 1)", "[Function (anonymous)]"),
        ("const { log } = ctx; log('detached')", "detached"),
        ("ctx.log({ get x() { throw new Error('no'); } })", "{ x: [Getter] }"),
        ("ctx.log('%s', 'no format')", "%s no format"),
        ("ctx.log(Object.create(null))", "[Object: null prototype] {}"),
    ] {
        assert_eq!(logs_of(source).await, [line], "{source}");
    }
}

#[tokio::test]
async fn log_survives_values_that_fight_back() {
    for source in [
        "ctx.log(new Error('boom'))",
        "ctx.log(new Proxy({}, { get() { throw 1; }, ownKeys() { throw 2; }, getPrototypeOf() { throw 3; } }))",
        "ctx.log({ [Symbol.toPrimitive]() { throw 1; }, toString() { throw 2; } })",
        "ctx.log({ get [Symbol.toStringTag]() { throw 1; } })",
        "ctx.log({ [Symbol.for('nodejs.util.inspect.custom')]() { throw 1; }, [Symbol.for('Deno.customInspect')]() { throw 2; } })",
        "const a = {}; a.a = a; ctx.log(a)",
        "const e = new Error('x'); e.cause = e; ctx.log(e)",
        "class E extends Error { get message() { throw 1; } get stack() { throw 2; } } ctx.log(new E())",
    ] {
        assert_eq!(logs_of(source).await.len(), 1, "{source}");
    }
    assert!(logs_of("ctx.log(new Error('boom'))").await[0].contains("Error: boom"));
}

#[tokio::test]
async fn a_log_over_its_limit_is_cut_and_marked() {
    let source = "for (let i = 0; i < 100; i++) ctx.log('0123456789'); return { action: 'allow' };";
    let answer = running("", source).limits(Limits::default().log_bytes(95)).answer().await;
    assert!(answer.reply.is_ok());
    assert_eq!(answer.logs.len(), 10);
    assert_eq!(&answer.logs[8..], ["0123456", "[log truncated: over the limit]"]);
    // Empty lines count as well.
    let source = "for (let i = 0; i < 100; i++) ctx.log(''); return { action: 'allow' };";
    assert_eq!(running("", source).limits(Limits::default().log_bytes(10)).answer().await.logs.len(), 11);
    // A giant line is cut too, and not between the halves of a character.
    let source = "ctx.log('é'.repeat(30e6)); ctx.log('after'); return { action: 'allow' };";
    let answer = running("", source).answer().await;
    assert_eq!(answer.logs.len(), 2);
    assert!(answer.logs[0].len() <= 64 << 10 && answer.logs[0].ends_with('é'));
}

#[tokio::test]
async fn the_console_writes_to_the_log_of_its_call() {
    let lines = logs_of(
        "console.log('log', { a: 1 }, '%d', 2);
         console.info('info %s %d', 'x', 3);
         console.warn('warn'); console.error('error'); console.debug('debug');
         console.group('group'); console.log('inside'); console.groupEnd();
         console.table([{ a: 1 }]);
         console.dir({ d: 1 });
         await null;
         console.log('after await');
         await new Promise((resolve) => setTimeout(() => { console.log('in timer'); resolve(); }, 1));",
    )
    .await;
    assert_eq!(lines[0], "log { a: 1 } %d 2");
    assert_eq!(lines[1], "info x 3");
    let all = lines.join("\n");
    for word in ["warn", "error", "debug", "group", "  inside", "│ (idx) │", "{ d: 1 }", "after await", "in timer"]
    {
        assert!(all.contains(word), "{word}: {all}");
    }
}

#[tokio::test]
async fn each_line_lands_in_its_own_call() {
    let hook = running(
        "let release; const gate = new Promise((resolve) => { release = resolve; }); let waiting = 0;",
        "console.log('begin', payload.n);
         if (++waiting === 2) release();
         await gate;
         console.log('gate', payload.n);
         await new Promise((resolve) => setTimeout(() => { console.log('timer', payload.n); resolve(); }, 5));
         ctx.log('end', payload.n);
         return { action: 'allow' };",
    );
    let instance = hook.start().await;
    let (one, two) = tokio::join!(call(&instance, json!({ "n": 1 })), call(&instance, json!({ "n": 2 })));
    assert_eq!(one.logs, ["begin 1", "gate 1", "timer 1", "end 1"]);
    assert_eq!(two.logs, ["begin 2", "gate 2", "timer 2", "end 2"]);
}

// --- the rest of ctx

#[tokio::test]
async fn the_store_is_there_only_with_a_store() {
    let source = "return { action: 'allow', note: String('store' in ctx) };";
    assert_eq!(running("", source).reply().await["note"], "false");
    let source = "
        const found = {
            get: await ctx.store.get('members', 'u1'),
            none: await ctx.store.get('members', 'u2'),
            all: await ctx.store.query('members'),
            some: await ctx.store.query('members', { role: 'admin', n: [1, null] }),
        };
        return { action: 'allow', payload: found };";
    assert_eq!(
        running("", source).store(Members).reply().await["payload"],
        json!({ "get": { "role": "admin" }, "none": null, "all": [{}], "some": [{ "role": "admin", "n": [1, null] }] })
    );
}

#[tokio::test]
async fn a_store_read_with_wrong_arguments_or_a_broken_store_rejects() {
    for (read, message) in [
        ("ctx.store.get(1, 'u1')", "TypeError: ctx.store: the store is a number: pass a string"),
        ("ctx.store.get('members')", "TypeError: ctx.store: the key is undefined: pass a string"),
        ("ctx.store.get('members', {})", "TypeError: ctx.store: the key is an object: pass a string"),
        ("ctx.store.query(null)", "TypeError: ctx.store: the store is null: pass a string"),
        ("ctx.store.query('members', 'x')", "TypeError: ctx.store.query: the filter is a string: pass an object"),
        ("ctx.store.query('members', ['x'])", "TypeError: ctx.store.query: the filter is an array: pass an object"),
        ("ctx.store.query('members', null)", "TypeError: ctx.store.query: the filter is null: pass an object"),
        ("ctx.store.query('members', () => 1)", "TypeError: ctx.store.query: the filter is a function: pass an object"),
        ("ctx.store.query('members', { a: 1n })", "BigInt"),
        ("ctx.store.get('broken', 'u1')", "store `broken`: the disk is on fire"),
    ] {
        // A rejection, not a throw: the hook can catch it with .catch().
        let body = format!("const read = {read}; await read; return {{ action: 'allow' }};");
        let failure = running("", &body).store(Members).failure().await;
        assert_eq!(failure.cause, FailureCause::Rejected, "{read}");
        assert!(failure.message.contains(message), "{read}: {failure}");
        assert!(failure.at.is_some(), "{read}: {failure:?}");
        let body = format!("return {{ action: 'allow', note: await {read}.catch(() => 'caught') }};");
        assert_eq!(running("", &body).store(Members).reply().await["note"], "caught", "{read}");
    }
}

#[tokio::test]
async fn context_is_what_the_host_passed_and_no_more() {
    let source = "return { action: 'allow', payload: { ctx, keys: Object.keys(ctx).sort() } };";
    let bare = running("", source).reply().await;
    assert_eq!(bare["payload"]["keys"], json!(["env", "hookName", "log", "signal"]));
    assert_eq!(bare["payload"]["ctx"]["env"], json!({}));

    let instance = running("", source).start().await;
    let context = CallContext {
        caller: Some(Caller { user_id: Some("u1".into()), source: "chat".into(), org_id: None }),
        env: BTreeMap::from([("KEY".into(), "value".into())]),
        scope_id: Some("scope".into()),
        context: Some(BTreeMap::from([("taxpayer_id".into(), "TP-1001".into())])),
        session_id: Some("s1".into()),
        turn_id: Some("t1".into()),
    };
    let answer = instance.call(&Invocation { context: Arc::new(context), ..invocation(json!({}), PATIENCE) }).await;
    let mut ctx = reply(answer)["payload"]["ctx"].clone();
    ctx.as_object_mut().unwrap().remove("signal");
    assert_eq!(
        ctx,
        json!({ "caller": { "userId": "u1", "source": "chat" }, "env": { "KEY": "value" }, "scopeId": "scope",
            "context": { "taxpayer_id": "TP-1001" }, "sessionId": "s1", "turnId": "t1", "hookName": "tested" })
    );
}

#[tokio::test]
async fn context_and_payload_are_fresh_for_every_call() {
    let hook = running(
        "",
        "const seen = JSON.stringify([payload, ctx.env, ctx.extra ?? null, typeof ctx.log]);
         payload.text = 'changed'; payload.more = 1; ctx.env.X = 'y'; ctx.extra = 1; delete ctx.log;
         return { action: 'allow', note: seen };",
    );
    let instance = hook.start().await;
    for _ in 0..3 {
        assert_eq!(note(&instance, json!({ "text": "t" })).await, r#"[{"text":"t"},{},null,"function"]"#);
    }
}

#[tokio::test]
async fn a_payload_is_data_whatever_its_keys() {
    let source = "return { action: 'allow', payload: { text: payload.text, own: Object.hasOwn(payload, '__proto__'),
        polluted: ({}).polluted ?? null } };";
    let instance = running("", source).start().await;
    let payload = json!({ "__proto__": { "polluted": true }, "constructor": 1, "text": "\u{2028}\u{0}😀\"\\" });
    assert_eq!(
        reply(call(&instance, payload).await)["payload"],
        json!({ "text": "\u{2028}\u{0}😀\"\\", "own": true, "polluted": null })
    );
}

#[tokio::test]
async fn every_point_reaches_run() {
    let instance = hook("export default (point, payload) => ({ action: 'allow', note: point });").start().await;
    for point in ["preInput", "preToolUse", "postToolUse", "preOutput", "postTurn", "tool:pre"] {
        let point: Point = point.parse().unwrap();
        let asked = Invocation { point: point.clone(), ..invocation(json!({}), PATIENCE) };
        assert_eq!(reply(instance.call(&asked).await)["note"], point.as_str());
    }
}

#[tokio::test]
async fn module_state_lives_on_between_calls() {
    let instance = running("let n = 0;", "return { action: 'allow', note: String(++n) };").start().await;
    for n in 1..=50 {
        assert_eq!(note(&instance, json!({})).await, n.to_string());
    }
}

#[tokio::test]
async fn concurrent_calls_interleave() {
    // None of them can answer before all of them have begun.
    let hook = running(
        "const waiting = [];",
        "await new Promise((resolve) => {
             waiting.push(resolve);
             if (waiting.length === 20) for (const go of waiting.reverse()) setTimeout(go, 1);
         });
         return { action: 'allow', note: String(payload.n) };",
    );
    let instance = hook.start().await;
    let notes = join_all((0..20).map(|n| note(&instance, json!({ "n": n })))).await;
    assert_eq!(notes, (0..20).map(|n| json!(n.to_string())).collect::<Vec<_>>());
}

#[tokio::test]
async fn many_calls_from_many_threads() {
    let instance = Arc::new(running("", "return { action: 'allow', note: String(payload.n) };").start().await);
    let threads: Vec<_> = (0..4)
        .map(|t| {
            let instance = instance.clone();
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                for n in 0..50 {
                    let n = t * 1000 + n;
                    assert_eq!(runtime.block_on(note(&instance, json!({ "n": n }))), n.to_string());
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

#[tokio::test]
async fn a_caller_that_stops_waiting_leaves_the_instance_in_order() {
    let hook = running(
        "let n = 0;",
        "n++; if (payload.wait) await new Promise(() => {}); return { action: 'allow', note: String(n) };",
    );
    let instance = hook.start().await;
    let left = tokio::time::timeout(
        Duration::from_millis(50),
        call_within(&instance, json!({ "wait": true }), Duration::from_secs(60)),
    )
    .await;
    assert!(left.is_err());
    assert_eq!(note(&instance, json!({})).await, "2");
}

// --- answers

#[tokio::test]
async fn answers_in_every_form() {
    for source in [
        "() => A",
        "async () => A",
        "() => Promise.resolve(A)",
        "() => ({ then(resolve) { resolve(A); } })",
        "() => Object.assign(() => {}, { then(resolve) { setTimeout(() => resolve(A), 1); } })",
        "() => new (class { get action() { return 'allow'; } get note() { return 'n'; } })()",
        "() => Object.freeze(A)",
        "() => Object.assign(Object.create(null), A)",
        "() => Object.create(A)",
        "() => ({ ...A, toJSON() { return { action: 'block' }; } })",
        "() => ({ ...A, unknown: 10n, other: () => {}, reason: undefined })",
        "() => new Proxy(A, {})",
        "async () => { await new Promise((resolve) => setTimeout(resolve, 1)); return A; }",
    ] {
        let source = source.replace('A', "({ action: 'allow', note: 'n' })");
        let got = hook(&format!("export default {{ run: {source} }};")).reply().await;
        assert_eq!(got, json!({ "action": "allow", "note": "n" }), "{source}");
    }
}

/// How `run` fails that is an expression.
async fn failure_of(run: &str) -> Failure {
    hook(&format!("export default {{ run: {run} }};")).failure().await
}

#[tokio::test]
async fn what_is_no_answer_says_so() {
    for (value, message) in [
        ("undefined", "run returned undefined: return an object such as { action: 'allow' }"),
        ("null", "run returned null: return an object"),
        ("'allow'", "run returned a string: return an object"),
        ("true", "run returned a boolean: return an object"),
        ("0", "run returned a number: return an object"),
        ("[]", "run returned an array: return an object"),
        ("[{ action: 'allow' }]", "run returned an array: return an object"),
        ("Symbol.iterator", "run returned a symbol: return an object"),
        ("1n", "run returned a BigInt: return an object"),
        ("() => ({ action: 'allow' })", "run returned a function: return an object"),
        ("new Proxy({}, { get() { throw new Error('trap'); } })", "Error: trap"),
        ("({ get action() { throw new TypeError('getter'); } })", "TypeError: getter"),
        ("({ get action() { throw null; } })", "the reply cannot be read"),
        ("(() => { const a = {}; a.a = a; return { action: 'modify', payload: a }; })()", "circular"),
        ("({ action: 'modify', payload: { n: 10n } })", "BigInt"),
        (
            "({ action: 'modify', payload: { text: undefined } })",
            "`payload.text` is undefined, which JSON cannot carry",
        ),
        ("({ action: 'modify', payload: { text() {} } })", "`payload.text` is a function, which JSON cannot carry"),
        ("({ action: 'modify', data: { text: Symbol() } })", "`data.text` is a symbol, which JSON cannot carry"),
        (
            "({ action: 'modify', payload: Promise.resolve({ text: 'x' }) })",
            "`payload` is a promise that was not awaited",
        ),
        ("({ action: 'modify', payload: { text: new Map() } })", "`payload.text` is a Map"),
        ("({ action: 'modify', payload: new Map([['text', 'x']]) })", "`payload` is a Map: return a plain object"),
        ("({ action: 'modify', payload: new Set(['text']) })", "`payload` is a Set: return a plain object"),
        ("({ action: 'modify', payload: { toJSON() { throw new Error('toJSON'); } } })", "Error: toJSON"),
        (
            "({ action: 'modify', payload: { text: 'x'.repeat(2 << 20) } })",
            "the reply is larger than the limit of 1048576 bytes",
        ),
    ] {
        for source in [format!("() => ({value})"), format!("async () => ({value})")] {
            let failure = failure_of(&source).await;
            // A value whose `then` cannot even be read is no answer; what an async function makes of it is a rejection.
            let cause = if value.contains("trap") && source.starts_with("async") {
                FailureCause::Rejected
            } else {
                FailureCause::InvalidDecision
            };
            assert_eq!(failure.cause, cause, "{source}: {failure}");
            assert!(failure.message.contains(message), "{source}: {failure}");
        }
    }
}

#[tokio::test]
async fn the_reply_limit_counts_bytes() {
    let limits = Limits::default().reply_bytes(1000);
    let reply = |n: usize| format!("export default {{ run: () => ({{ action: 'allow', note: 'é'.repeat({n}) }}) }};");
    assert!(hook(&reply(480)).limits(limits.clone()).answer().await.reply.is_ok());
    let failure = hook(&reply(490)).limits(limits).failure().await;
    assert_eq!(failure.cause, FailureCause::InvalidDecision);
    assert!(failure.message.contains("1000 bytes"), "{failure}");
}

#[tokio::test]
async fn a_field_is_read_once() {
    let source =
        "let reads = 0; export default { run: () => ({ get action() { return reads++ ? 'allow' : 'block'; } }) };";
    assert_eq!(hook(source).reply().await["action"], "block");
}

#[tokio::test]
async fn lone_surrogates_in_a_reply_are_no_crash() {
    let answer = hook("export default { run: () => ({ action: 'block', reason: 'a\\uD800b' }) };").reply().await;
    assert_eq!(answer, json!({ "action": "block", "reason": "a\u{fffd}b" }));
}

// --- throwing

#[tokio::test]
async fn thrown_values_become_failures() {
    for (value, message) in [
        ("new RangeError('boom')", "RangeError: boom"),
        ("new (class Denied extends Error { name = 'Denied'; })('boom')", "Denied: boom"),
        ("new Error('')", "Error"),
        ("'text'", "text"),
        ("null", "null"),
        ("undefined", "undefined"),
        ("42", "42"),
        ("Symbol('s')", "Symbol(s)"),
        ("{ code: 7 }", "{ code: 7 }"),
        ("Object.create(null)", "[Object: null prototype] {}"),
        ("{ toString() { throw 1; } }", ""),
        ("Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('inner'); } })", ""),
        ("Object.defineProperty(new Error('x'), 'name', { get() { throw new Error('inner'); } })", ""),
        ("Object.defineProperty(new Error('x'), 'stack', { get() { throw new Error('inner'); } })", ""),
        ("Object.defineProperty(new Error('x'), 'cause', { get() { throw new Error('inner'); } })", "Error: x"),
        ("new Proxy(new Error('x'), { get() { throw new Error('trap'); }, getPrototypeOf() { throw 1; } })", ""),
        ("new Proxy({}, { get() { throw new Error('trap'); } })", ""),
        ("(() => { const e = new Error('cyclic'); e.cause = e; return e; })()", "Error: cyclic"),
        ("new Error('outer', { cause: new TypeError('inner') })", "Error: outer; caused by TypeError: inner"),
        ("new AggregateError([new Error('a'), null], 'several')", "AggregateError: several"),
        ("new DOMException('gone', 'AbortError')", "AbortError: gone"),
        ("new Error('long '.repeat(1e6))", "Error: long long"),
    ] {
        for (run, cause) in
            [("() => { throw VALUE; }", FailureCause::Threw), ("async () => { throw VALUE; }", FailureCause::Rejected)]
        {
            let failure = failure_of(&run.replace("VALUE", &format!("({value})"))).await;
            assert_eq!(failure.cause, cause, "{value}: {failure}");
            assert!(failure.message.contains(message), "{value}: {failure}");
            assert!(!failure.message.is_empty(), "{value}");
            assert!(failure.message.len() < 5000 && !failure.message.starts_with("Uncaught"), "{value}: {failure}");
        }
    }
}

#[tokio::test]
async fn errors_carry_their_place() {
    for (source, at) in [
        ("export default { run() {\n  throw new Error('x');\n} };", "index.mjs:2:9"),
        ("export default { async run() {\n  await null;\n  throw new Error('x');\n} };", "index.mjs:3:9"),
        (
            "export default { async run() {\n  await new Promise((resolve) => setTimeout(resolve, 1));\n  null.x;\n} };",
            "index.mjs:3:8",
        ),
        ("import { fail } from './lib/x.mjs';\nexport default { run() { fail(); } };", "lib/x.mjs:2:9"),
        (
            "import { fail } from './lib/x.mjs';\nexport default { async run() { await null; fail(); } };",
            "lib/x.mjs:2:9",
        ),
        ("export default { run() { return JSON.parse('{'); } };", "index.mjs:1:38"),
        ("export default { run: () => Promise.reject(new Error('x')) };", "index.mjs:1:44"),
        ("export default { run: () => { throw Object.freeze(new Error('x')); } };", "index.mjs:1:51"),
    ] {
        let failure =
            hook(source).file("lib/x.mjs", "export function fail() {\n  throw new Error('x');\n}").failure().await;
        assert_eq!(failure.at.as_deref(), Some(at), "{source}: {failure}");
    }
}

#[tokio::test]
async fn what_goes_wrong_after_the_reply_harms_nobody() {
    for later in [
        "done = true; Promise.reject(new Error('late'));",
        "setTimeout(() => { done = true; throw new Error('late'); }, 0);",
        "queueMicrotask(() => { done = true; throw new Error('late'); });",
        "(async () => { await null; await new Promise((r) => setTimeout(r, 1)); done = true; throw new Error('late'); })();",
        "setTimeout(() => { done = true; Promise.reject(null); }, 0);",
        "setTimeout(() => { done = true; throw undefined; }, 0);",
        "setTimeout(() => { done = true; throw new Proxy({}, { get() { throw 1; } }); }, 0);",
        "const t = new EventTarget(); t.addEventListener('x', () => { done = true; throw new Error('late'); }); t.dispatchEvent(new Event('x'));",
    ] {
        let hook = running(
            "let n = 0, done = false;",
            &format!("if (n++ === 0) {{ {later} }}\nreturn {{ action: 'allow', note: `${{n}} ${{done}}` }};"),
        );
        let instance = hook.start().await;
        // The count goes on, so it is the same isolate; once it has gone wrong, one more call shows that nothing came of it.
        let mut calls = 0;
        let mut after = 0;
        while after < 2 {
            let said = note(&instance, json!({})).await;
            calls += 1;
            let done = said == format!("{calls} true");
            assert!(done || said == format!("{calls} false"), "{later}: {said}");
            after += u32::from(done);
            assert!(calls < 10_000, "{later}: it never happened");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

#[tokio::test]
async fn an_unhandled_rejection_during_the_call_is_in_its_log() {
    let Answer { reply, logs } = running(
        "",
        "Promise.reject(new Error('forgotten')); await new Promise((r) => setTimeout(r, 5)); return { action: 'allow' };",
    )
    .answer()
    .await;
    assert!(reply.is_ok());
    assert!(logs[0].starts_with("unhandled rejection: Error: forgotten"), "{logs:?}");
    let listener = "const target = new EventTarget();
        target.addEventListener('x', () => { throw new Error('in a listener'); });
        target.addEventListener('x', () => { console.log('the next one'); });
        target.dispatchEvent(new Event('x')); target.dispatchEvent(new Event('x'));";
    let lines = logs_of(listener).await;
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(lines[0].starts_with("uncaught error: Error: in a listener"), "{lines:?}");
    // The error's own code makes another event whose listener throws, while the first is being reported.
    let nested = "const target = new EventTarget();
        const bad = () => ({ get message() { target.dispatchEvent(new Event('x')); return ''; }, __proto__: Error.prototype });
        let n = 0;
        target.addEventListener('x', () => { if (n++ < 3) throw bad(); });
        target.dispatchEvent(new Event('x'));";
    logs_of(nested).await;
}

#[tokio::test]
async fn a_reason_that_was_cut_inside_an_emoji_arrives() {
    let reply = running("", "return { action: 'block', reason: 'no \u{1f600}'.slice(0, 4) };").reply().await;
    assert_eq!(reply, json!({ "action": "block", "reason": "no \u{fffd}" }));
}

/// A guard that quotes what it stopped, or says more than JSON can, still stops it.
#[tokio::test]
async fn a_stop_is_a_stop_whatever_else_it_says() {
    for (answer, expected) in [
        ("{ action: 'block', reason: 10n }", json!({ "action": "block" })),
        (
            "{ action: 'ask', reason: 'sure?', payload: { big: 'x'.repeat(2 << 20) } }",
            json!({ "action": "ask", "reason": "sure?" }),
        ),
        (
            "(() => { const o = {}; o.o = o; return { action: 'deny', reason: o, data: o }; })()",
            json!({ "action": "deny" }),
        ),
        (
            "{ action: 'ask_user', approval_options: ['yes', 'no'], approval_timeout: 5 }",
            json!({ "action": "ask_user", "approval_options": ["yes", "no"], "approval_timeout": 5 }),
        ),
    ] {
        assert_eq!(running("", &format!("return {answer};")).reply().await, expected, "{answer}");
    }
    let reply = running("", "return { action: 'block', reason: 'no: ' + 'x'.repeat(5 << 20) };").reply().await;
    let reason = reply["reason"].as_str().unwrap();
    assert!(reason.starts_with("no: xxx") && reason.ends_with("x...") && reason.len() < 20_000, "{}", reason.len());
}

/// A small limit of the host must not turn a stop into a failure.
#[tokio::test]
async fn a_stop_is_a_stop_within_any_limit() {
    let hook = running("", "return { action: 'block', reason: 'no: ' + '\u{e9}'.repeat(300) };");
    // Within the limit by its characters, and over it by their bytes.
    let reply = hook.limits(Limits::default().reply_bytes(400)).reply().await;
    assert_eq!(reply, json!({ "action": "block" }));
}

/// V8 15.0 takes a key that is written with an escape for one that it has seen before, if that has the escape's characters.
#[tokio::test]
async fn keys_are_seen_as_they_are() {
    let instance =
        hook("export default { run: (point, payload) => ({ action: 'allow', note: JSON.stringify(payload) }) };")
            .start()
            .await;
    for payload in [
        json!({ "a": 1, "\\": 2 }),
        json!({ "a": 1, "\n": 2 }),
        json!({ "a": 1, "\"": [{ "__proto__": [], "\t": "\\", "1": null }, 0.5, true] }),
        json!({ "a": 1, "\n": 2 }),
    ] {
        let seen = note(&instance, payload.clone()).await;
        let seen: Value = serde_json::from_str(seen.as_str().unwrap()).unwrap();
        assert_eq!(seen, payload);
    }
}
