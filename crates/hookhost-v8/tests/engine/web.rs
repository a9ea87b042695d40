//! The globals of the web tier.

use serde_json::{Value, json};

use crate::support::hook;

/// What an async function body returns in a hook.
async fn evaluate(body: &str) -> Value {
    let source = format!(
        "async function probe(payload, ctx) {{\n{body}\n}}
         export default {{ run: async (point, payload, ctx) =>
             ({{ action: 'allow', payload: {{ value: await probe(payload, ctx) }} }}) }};"
    );
    hook(&source).reply().await["payload"]["value"].clone()
}

macro_rules! works {
    ($($name:ident: $body:expr => $value:expr;)+) => {$(
        #[tokio::test]
        async fn $name() {
            assert_eq!(evaluate($body).await, json!($value), "{}", $body);
        }
    )+};
}

works! {
    url: "const u = new URL('../b?x=1#h', 'https://user@example.com:8443/a/c'); u.searchParams.append('y', 'é');
          return [u.href, u.host, URL.canParse('nope'), String(new URLSearchParams({ a: '1 2' }))];"
        => json!(["https://user@example.com:8443/b?x=1&y=%C3%A9#h", "example.com:8443", false, "a=1+2"]);
    url_pattern: "return new URLPattern({ pathname: '/users/:id' }).exec('https://a.b/users/7').pathname.groups.id;" => "7";
    text_encoding: "const bytes = new TextEncoder().encode('é😀'); return [bytes.length, new TextDecoder().decode(bytes),
          new TextDecoder('utf-16le').decode(new Uint8Array([65, 0])), new TextDecoder('latin1').decode(new Uint8Array([233]))];"
        => json!([6, "é😀", "A", "é"]);
    text_streams: "const out = []; for await (const part of new Blob(['aé']).stream().pipeThrough(new TextDecoderStream())) out.push(part);
          const encoded = []; const { readable, writable } = new TextEncoderStream();
          const writer = writable.getWriter(); writer.write('é'); writer.close();
          for await (const part of readable) encoded.push(...part); return [out.join(''), encoded];"
        => json!(["aé", [195, 169]]);
    timers: "const seen = []; let interval; const cleared = setTimeout(() => seen.push('never'), 1); clearTimeout(cleared);
          await new Promise((resolve) => { interval = setInterval((x) => { seen.push(x); if (seen.length === 3) resolve(); }, 1, 'i'); });
          clearInterval(interval); queueMicrotask(() => seen.push('micro'));
          await new Promise((resolve) => setTimeout(resolve, 5)); return seen;"
        => ["i", "i", "i", "micro"];
    abort: "const c = new AbortController(); const any = AbortSignal.any([c.signal]); c.abort('why');
          const timed = AbortSignal.timeout(1); await new Promise((resolve) => { timed.onabort = resolve; });
          let thrown; try { AbortSignal.abort().throwIfAborted(); } catch (e) { thrown = e.name; }
          return [any.aborted, any.reason, timed.reason.name, thrown];"
        => json!([true, "why", "TimeoutError", "AbortError"]);
    structured_clone: "const source = { d: new Date(0), m: new Map([[1, new Set(['x'])]]), e: new RangeError('r'), r: /x/g, n: 1n };
          source.self = source; const c = structuredClone(source);
          let thrown; try { structuredClone(() => {}); } catch (e) { thrown = e.name; }
          return [c !== source, c.self === c, c.d.getTime(), c.m.get(1).has('x'), c.e instanceof RangeError, c.r.flags, String(c.n), thrown];"
        => json!([true, true, 0, true, true, "g", "1", "DataCloneError"]);
    streams: "const source = new ReadableStream({ start(c) { c.enqueue(1); c.enqueue(2); c.close(); } });
          const twice = new TransformStream({ transform(n, c) { c.enqueue(n * 2); } }); const out = [];
          await source.pipeThrough(twice).pipeTo(new WritableStream({ write(n) { out.push(n); } })); return out;"
        => [2, 4];
    compression: "const text = 'hello '.repeat(1000); const results = [];
          for (const format of ['gzip', 'deflate', 'deflate-raw']) {
              const packed = await bytes(new Blob([text]).stream().pipeThrough(new CompressionStream(format)));
              const back = await bytes(new Blob([packed]).stream().pipeThrough(new DecompressionStream(format)));
              results.push(packed.length < 200 && new TextDecoder().decode(back) === text);
          }
          return results;
          async function bytes(stream) { const parts = []; for await (const part of stream) parts.push(part); return new Uint8Array(await new Blob(parts).arrayBuffer()); }"
        => [true, true, true];
    blobs: "const f = new File(['a', new Uint8Array([98])], 'n.txt', { type: 'text/plain' });
          const read = await new Promise((resolve) => { const r = new FileReader(); r.onload = () => resolve(r.result); r.readAsText(f); });
          return [f.name, f.size, f.type, await f.text(), await f.slice(1).text(), read, [...await f.bytes()]];"
        => json!(["n.txt", 2, "text/plain", "ab", "b", "ab", [97, 98]]);
    performance_clock: "const a = performance.now(); performance.mark('m'); const b = performance.now();
          return [a >= 0 && b >= a && b < 60_000, Math.abs(performance.timeOrigin - Date.now()) < 60_000, performance.getEntriesByName('m').length];"
        => json!([true, true, 1]);
    base64: "let thrown; try { btoa('é😀'); } catch (e) { thrown = e.name; } return [btoa('hi'), atob('aGk='), thrown];"
        => ["aGk=", "hi", "InvalidCharacterError"];
    crypto_random: "const r = crypto.getRandomValues(new Uint8Array(16)); return [/^[0-9a-f-]{36}$/.test(crypto.randomUUID()), r.some((b) => b > 0),
          crypto === globalThis.crypto, crypto instanceof Crypto];"
        => [true, true, true, true];
    crypto_subtle: "const hex = (b) => [...new Uint8Array(b)].map((x) => x.toString(16).padStart(2, '0')).join('');
          const data = new TextEncoder().encode('abc');
          const key = await crypto.subtle.importKey('raw', new TextEncoder().encode('key'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
          const sign = await crypto.subtle.sign('HMAC', key, data);
          const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']);
          const alg = { name: 'ECDSA', hash: 'SHA-256' }; const own = await crypto.subtle.sign(alg, pair.privateKey, data);
          return [hex(await crypto.subtle.digest('SHA-256', data)), hex(sign), await crypto.subtle.verify('HMAC', key, sign, data),
              await crypto.subtle.verify(alg, pair.publicKey, own, data)];"
        => json!(["ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                  "9c196e32dc0175f86f4b1cb89289d6619de6bee699e4c378e68309ed97a1a6ab", true, true]);
    events: "const t = new EventTarget(); const seen = []; t.addEventListener('x', (e) => seen.push(e.detail), { once: true });
          t.dispatchEvent(new CustomEvent('x', { detail: 5 })); t.dispatchEvent(new CustomEvent('x')); return [seen, new Event('y').type];"
        => json!([[5], "y"]);
    intl: "return [new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }).format(1234.5),
          (1234567.891).toLocaleString('en-US'), new Date(0).toLocaleDateString('en-GB', { timeZone: 'UTC' }),
          ['ä', 'z', 'a'].sort(new Intl.Collator('de').compare).join(''), [...new Intl.Segmenter('en').segment('a👨‍👩‍👧')].length];"
        => json!(["1.234,50\u{a0}€", "1,234,567.891", "01/01/1970", "aäz", 2]);
    regular_expressions: "return [/^\\p{L}+$/u.test('Größe'), /\\p{Script=Greek}/u.test('α'), 'a-b'.replace(/(?<x>a)/, '$<x>!'), /[\\p{L}--[a-z]]/v.test('A')];"
        => json!([true, true, "a!-b", true]);
    web_assembly: "const bytes = new Uint8Array([0,97,115,109,1,0,0,0,1,7,1,96,2,127,127,1,127,3,2,1,0,7,7,1,3,97,100,100,0,0,10,9,1,7,0,32,0,32,1,106,11]);
          const { instance } = await WebAssembly.instantiate(bytes); return instance.exports.add(2, 3);" => 5;
    temporal_if_there: "return typeof Temporal === 'undefined' || Temporal.PlainDate.from('2024-02-28').add({ days: 2 }).toString() === '2024-03-01';"
        => true;
    dom_exceptions: "const e = new DOMException('m', 'AbortError'); return [e.name, e.code, e instanceof Error, typeof e.stack];"
        => json!(["AbortError", 20, true, "string"]);
    no_node_and_no_deno: "return ['process', 'Buffer', 'require', 'module', 'global', 'Deno', 'window', 'document', 'localStorage', 'Worker']
          .filter((name) => name in globalThis);" => json!([]);
    weak_references: "const r = new WeakRef({}); new FinalizationRegistry(() => {}).register({}); return typeof r.deref();" => "object";
    iterators_and_groups: "return [Object.groupBy([1, 2, 3], (n) => n % 2 ? 'odd' : 'even').odd, [1, 2].values().map((n) => n + 1).toArray(),
          [3, 1].toSorted(), new Set([1]).union(new Set([2])).size];" => json!([[1, 3], [2, 3], [1, 3], 2]);
}

works! {
    decompression_of_nonsense: "const wrong = []; for (const chunk of ['text', null, 1, new Uint8Array(new SharedArrayBuffer(8)), new Uint8Array(40).fill(1)]) {
              const stream = new DecompressionStream('gzip'); const writer = stream.writable.getWriter(); writer.closed.catch(() => {});
              wrong.push(await Promise.all([writer.write(chunk), stream.readable.getReader().read()]).then(() => 'fine', (e) => e.name));
          }
          for (const make of [() => new DecompressionStream(), () => new DecompressionStream('zip'), () => DecompressionStream('gzip')]) {
              try { make(); wrong.push('fine'); } catch (e) { wrong.push(e.name); }
          }
          return wrong;"
        => ["TypeError", "TypeError", "TypeError", "TypeError", "TypeError", "TypeError", "TypeError", "TypeError"];
    decompression_of_views: "const packed = new Uint8Array(await all(new Blob(['some text']).stream().pipeThrough(new CompressionStream('deflate'))));
          const wide = new Uint8Array(packed.length + 6); wide.set(packed, 3); const results = [];
          for (const chunk of [packed, packed.buffer, wide.subarray(3, -3), new DataView(wide.buffer, 3, packed.length)]) {
              const stream = new DecompressionStream('deflate'); const writer = stream.writable.getWriter();
              writer.write(chunk); writer.close(); results.push(new TextDecoder().decode(await all(stream.readable)));
          }
          return results;
          async function all(stream) { const parts = []; for await (const part of stream) parts.push(part); return new Blob(parts).arrayBuffer(); }"
        => ["some text", "some text", "some text", "some text"];
}

/// Bytes that Rust has decompressed cannot be refused any more, so each piece has to be small: whatever the hook has
/// replaced, and however little brotli needs for much.
#[tokio::test]
async fn no_bomb_is_decompressed_in_one_go() {
    for (format, patch) in [
        ("gzip", ""),
        ("brotli", ""),
        ("gzip", "ReadableStream.prototype.pipeThrough = function (to) { seen.push(to); return to.readable; };"),
        (
            "gzip",
            "for (const name of ['readable', 'writable']) {
                 const { get } = Object.getOwnPropertyDescriptor(TransformStream.prototype, name);
                 Object.defineProperty(TransformStream.prototype, name, { get() {
                     if (!seen.includes(this)) seen.push(this);
                     return hide && name === 'writable' && this !== seen[0] ? new WritableStream() : get.call(this);
                 } });
             }",
        ),
        (
            "gzip",
            "const { enqueue } = TransformStreamDefaultController.prototype;
             TransformStreamDefaultController.prototype.enqueue = function (chunk) { return enqueue.call(this, hide ? chunk : bomb); };",
        ),
        ("gzip", "Object.defineProperty(Uint8Array, Symbol.species, { value: function () { return bomb; } });"),
    ] {
        let body = format!(
            "const seen = []; let hide = true; const zeros = new Uint8Array(1 << 20);
             const packing = new CompressionStream('{format}'); const writer = packing.writable.getWriter();
             const parts = []; const reading = (async () => {{ for await (const part of packing.readable) parts.push(part); }})();
             for (let i = 0; i < 64; i++) await writer.write(zeros);
             await writer.close(); await reading;
             const bomb = new Uint8Array(await new Blob(parts).arrayBuffer());
             {patch}
             const stream = new DecompressionStream('{format}'); hide = false;
             const inputs = [stream.writable, ...seen.flatMap((found) => [found, found?.writable])];
             const outputs = [stream.readable, ...seen.flatMap((found) => [found, found?.readable])];
             for (const input of inputs) {{
                 try {{ const writer = input.getWriter(); writer.write(bomb).catch(() => {{}}); writer.closed.catch(() => {{}}); }} catch {{}}
             }}
             let largest = 0; let all = 0;
             for (const output of outputs) {{
                 let reader; try {{ reader = output.getReader(); }} catch {{ continue; }}
                 while (all < 60 << 20) {{
                     const read = await Promise.race([reader.read(), new Promise((resolve) => setTimeout(resolve, 3000))]).catch(() => undefined);
                     if (read?.value === undefined) break;
                     if (read.value === bomb) return 'the bomb came through';
                     all += read.value.byteLength; largest = Math.max(largest, read.value.byteLength);
                 }}
             }}
             return [all >> 20, largest >> 20, bomb.length];"
        );
        let found = evaluate(&body).await;
        let (Some(all), Some(largest)) = (found[0].as_u64(), found[1].as_u64()) else { panic!("{patch}: {found}") };
        assert!(all >= 60, "{format}: {patch}: {found}");
        assert!(largest < 40, "{format}: {patch}: {found}");
    }
}

/// The names that `js/web_globals.js` and `js/web_fetch.js` install.
fn installed() -> Vec<&'static str> {
    let globals = include_str!("../../js/web_globals.js");
    let (_, list) = globals.split_once("define({\n").unwrap();
    let (list, _) = list.split_once("\n});").unwrap();
    let mut names: Vec<_> = list.lines().map(|line| line.trim().split([':', ',']).next().unwrap()).collect();
    assert!(names.len() > 50, "{names:?}");
    names.extend(["crypto", "console", "queueMicrotask", "WebAssembly"]);
    if cfg!(feature = "fetch") {
        names.extend(["fetch", "FormData", "Headers", "Request", "Response"]);
    }
    names
}

#[tokio::test]
async fn every_global_is_there_and_looks_like_one() {
    let names = json!(installed()).to_string();
    let body = format!(
        "const wrong = [];
         for (const name of {names}) {{
             const found = Object.getOwnPropertyDescriptor(globalThis, name);
             if (!found || globalThis[name] === undefined || found.enumerable || !found.configurable) wrong.push(name);
         }}
         return [wrong, Object.keys(globalThis)];"
    );
    assert_eq!(evaluate(&body).await, json!([[], []]));
}

#[cfg(feature = "fetch")]
mod fetch {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpListener;
    use std::time::{Duration, Instant};

    use hookhost_contract::FailureCause;
    use serde_json::{Value, json};

    use super::evaluate;
    use crate::support::{PATIENCE, call_within, hook, note};

    /// A server that answers each request with what it got, for as long as the test runs.
    fn server() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                std::thread::spawn(move || drop(stream.map(answer)));
            }
        });
        address
    }

    fn answer(mut stream: std::net::TcpStream) -> std::io::Result<()> {
        let mut reader = BufReader::new(stream.try_clone()?);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head)? == 0 {
                return Ok(());
            }
        }
        let header = |name: &str| {
            head.lines().find_map(|line| line.to_lowercase().strip_prefix(&format!("{name}: ")).map(str::to_owned))
        };
        let mut body = vec![0; header("content-length").map_or(0, |length| length.parse().unwrap())];
        reader.read_exact(&mut body)?;
        if head.starts_with("GET /never") {
            std::thread::sleep(Duration::from_secs(30));
        }
        if head.starts_with("GET /slow") {
            write!(stream, "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n")?;
            for part in ["first ", "sécond ", "third"] {
                write!(stream, "{:x}\r\n{part}\r\n", part.len())?;
                stream.flush()?;
                std::thread::sleep(Duration::from_millis(10));
            }
            return write!(stream, "0\r\n\r\n");
        }
        if head.starts_with("GET /away") {
            return write!(
                stream,
                "HTTP/1.1 302 Found\r\nlocation: /arrived\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            );
        }
        let text = json!({ "line": head.lines().next(), "mark": header("x-mark"), "type": header("content-type"),
            "agent": header("user-agent"), "body": String::from_utf8_lossy(&body) })
        .to_string();
        write!(
            stream,
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-back: yes\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}",
            text.len()
        )
    }

    async fn fetched(body: &str) -> Value {
        evaluate(&format!("const base = '{}';\n{body}", server())).await
    }

    #[tokio::test]
    async fn get_with_headers() {
        let value = fetched(
            "const r = await fetch(base + '/a?b=1', { headers: { 'x-mark': 'm' } });
             return [r.status, r.ok, r.headers.get('x-back'), await r.json()];",
        )
        .await;
        let [status, ok, back, value] = &value.as_array().unwrap()[..] else { panic!("{value}") };
        assert_eq!((status, ok, back), (&json!(200), &json!(true), &json!("yes")));
        assert_eq!((&value["line"], &value["mark"]), (&json!("GET /a?b=1 HTTP/1.1"), &json!("m")));
        assert!(value["agent"].as_str().unwrap().starts_with("hookhost/"));
    }

    #[tokio::test]
    async fn post_of_json_form_and_stream() {
        let value = fetched(
            "const post = async (body, headers) => (await fetch(base, { method: 'POST', body, headers })).json();
             const form = new FormData(); form.set('k', 'v'); form.set('f', new File(['x'], 'x.txt'));
             return [await post(JSON.stringify({ a: 1 }), { 'content-type': 'application/json' }),
                 await post(new URLSearchParams({ q: '1' })), await post(form), await post(new Blob(['blob']))];",
        )
        .await;
        assert_eq!((&value[0]["body"], &value[0]["type"]), (&json!("{\"a\":1}"), &json!("application/json")));
        assert_eq!(value[1]["body"], "q=1");
        assert!(value[2]["body"].as_str().unwrap().contains("filename=\"x.txt\""), "{value}");
        assert_eq!(value[3]["body"], "blob");
    }

    #[tokio::test]
    async fn a_body_comes_in_parts() {
        let value = fetched(
            "let text = ''; const r = await fetch(base + '/slow');
             for await (const part of r.body.pipeThrough(new TextDecoderStream())) text += part; return text;",
        )
        .await;
        assert_eq!(value, "first sécond third");
    }

    #[tokio::test]
    async fn redirects_are_followed() {
        let value =
            fetched("const r = await fetch(base + '/away'); return [r.redirected, (await r.json()).line];").await;
        assert_eq!(value, json!([true, "GET /arrived HTTP/1.1"]));
    }

    #[tokio::test]
    async fn the_signal_of_the_call_aborts_it() {
        let source = format!(
            "let seen; export default {{ async run(point, payload, ctx) {{
                 if (payload.look) return {{ action: 'allow', note: String(seen) }};
                 try {{ await fetch('{}/never', {{ signal: ctx.signal }}); }} catch (e) {{ seen = e.name; throw e; }}
             }} }};",
            server()
        );
        let instance = hook(&source).start().await;
        let failure = call_within(&instance, json!({}), Duration::from_millis(200)).await.reply.unwrap_err();
        assert_eq!(failure.cause, FailureCause::TimedOut);
        let begun = Instant::now();
        while note(&instance, json!({ "look": true })).await != "TimeoutError" {
            assert!(begun.elapsed() < PATIENCE);
        }
    }

    #[tokio::test]
    async fn an_instance_with_an_open_request_can_be_dropped() {
        let source = format!("export default {{ run: async () => {{ await fetch('{}/never'); }} }};", server());
        let instance = hook(&source).start().await;
        call_within(&instance, json!({}), Duration::from_millis(100)).await.reply.unwrap_err();
        let begun = Instant::now();
        drop(instance);
        assert!(begun.elapsed() < Duration::from_secs(5));
    }

    #[tokio::test]
    async fn what_cannot_be_fetched_says_why() {
        let server = server();
        let tls = server.replace("http:", "https:");
        let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        for (url, message) in [
            (&*format!("http://{nobody}/"), "Connection refused"),
            (&*tls, "error sending request"),
            ("file:///etc/passwd", "NetworkError"),
            ("nope", "Invalid URL"),
            ("ftp://127.0.0.1/", "not supported"),
        ] {
            let source = format!(
                "export default {{ run: async () => {{ await fetch('{url}'); return {{ action: 'allow' }}; }} }};"
            );
            let failure = hook(&source).failure().await;
            assert_eq!(failure.cause, FailureCause::Rejected, "{url}: {failure}");
            assert!(failure.message.starts_with("TypeError: "), "{url}: {failure}");
            assert!(failure.message.contains(message), "{url}: {failure}");
            assert!(failure.at.is_some(), "{url}: {failure:?}");
        }
    }

    #[tokio::test]
    async fn data_and_blob_urls() {
        let value = evaluate(
            "const url = URL.createObjectURL(new Blob(['in a blob'])); const blob = await (await fetch(url)).text();
             URL.revokeObjectURL(url); return [await (await fetch('data:text/plain,in%20data')).text(), blob];",
        )
        .await;
        assert_eq!(value, json!(["in data", "in a blob"]));
    }

    #[tokio::test]
    async fn responses_without_a_network() {
        let value = evaluate(
            "const r = Response.json({ a: 1 }, { status: 201 }); const q = new Request('https://a.b/', { method: 'PUT', body: 'x' });
             const h = new Headers([['A', '1']]); h.append('a', '2'); let thrown; try { new Request('/relative'); } catch (e) { thrown = e.message; }
             return [r.status, r.headers.get('content-type'), await r.clone().json(), q.method, await q.text(), h.get('a'), thrown];",
        )
        .await;
        assert_eq!(value, json!([201, "application/json", { "a": 1 }, "PUT", "x", "1, 2", "Invalid URL: '/relative'"]));
    }
}

#[cfg(not(feature = "fetch"))]
#[tokio::test]
async fn there_is_no_fetch() {
    assert_eq!(evaluate("return typeof fetch + typeof Response;").await, "undefinedundefined");
}

#[tokio::test]
async fn errors_of_the_platform_are_errors() {
    let source = "export default { async run() {
        const names = [];
        for (const fail of [
            () => atob('***'),
            () => crypto.getRandomValues(new Uint8Array(70000)),
            () => crypto.subtle.importKey('pkcs8', new Uint8Array(3), { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']),
        ]) {
            try { await fail(); names.push('none'); } catch (error) { names.push(error instanceof DOMException, error.name); }
        }
        return { action: 'allow', note: names.join() };
    } };";
    let reply = hook(source).reply().await;
    assert_eq!(reply["note"], "true,InvalidCharacterError,true,QuotaExceededError,true,DataError");
}
