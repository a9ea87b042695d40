//! What a hook cannot reach where it has no permission, whatever it tries.

use std::sync::Arc;

use hookhost_contract::{CallContext, Failure, FailureCause, Invocation};
use hookhost_v8::Permissions;
use serde_json::{Value, json};

use crate::support::{Hook, PATIENCE, hook, invocation, masked, note, reply};

/// No network, no environment; files everywhere.
fn nothing() -> Permissions {
    Permissions::everything().network(false).env(false)
}

// --- the network

#[tokio::test]
async fn there_is_no_other_way_to_the_network() {
    let source = "const names = ['WebSocket', 'WebSocketStream', 'EventSource', 'XMLHttpRequest', 'WebTransport', 'Worker',
             'SharedWorker', 'importScripts', 'navigator', 'RTCPeerConnection', 'BroadcastChannel', 'ShadowRealm', 'Deno'];
         export default { run: () => ({ action: 'allow', note: names.filter((name) => name in globalThis).join() }) };";
    assert_eq!(hook(source).permissions(nothing()).reply().await["note"], "");
}

#[cfg(feature = "fetch")]
mod fetch {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use serde_json::json;

    use super::nothing;
    use crate::support::{Hook, call, hook, reply};

    /// A server that says hello, and how often it was asked.
    fn server() -> (String, Arc<AtomicUsize>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = asked.clone();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                counter.fetch_add(1, Ordering::SeqCst);
                let _ = stream.read(&mut [0; 4096]);
                let _ = write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello");
            }
        });
        (address, asked)
    }

    /// A hook whose note is what this async expression comes to.
    fn trying(expression: &str, url: &str) -> Hook {
        hook(&format!(
            "const url = '{url}';
             async function tried() {{ return {expression}; }}
             export default {{ run: async () => ({{ action: 'allow', note: String(await tried()) }}) }};"
        ))
    }

    #[tokio::test]
    async fn with_the_permission_it_is_as_ever() {
        let (url, asked) = server();
        let permissions = nothing().network(true);
        let hook = trying("(await fetch(url)).text()", &url).permissions(permissions);
        assert_eq!(hook.reply().await["note"], "hello");
        assert_eq!(asked.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn without_it_every_way_is_refused() {
        let (url, asked) = server();
        for expression in [
            "fetch(url)",
            "fetch(new Request(url))",
            "fetch(new URL(url), { method: 'POST', body: 'x' })",
            "self.fetch(url)",
            "globalThis['fetch'].call(undefined, url)",
            "Reflect.apply(fetch, globalThis, [url])",
            "fetch.bind(null)(url)",
            "Object.getOwnPropertyDescriptor(globalThis, 'fetch').value(url)",
            "(await import('./elsewhere.mjs')).default(url)",
            "new Function('url', 'return fetch(url)')(url)",
            "fetch('data:text/plain,x')",
            "fetch(URL.createObjectURL(new Blob(['x'])))",
            "fetch('file:///etc/passwd')",
            "fetch()",
        ] {
            let hook = trying(expression, &url)
                .file("elsewhere.mjs", "export default (url) => fetch(url);")
                .permissions(nothing());
            let failure = hook.failure().await;
            assert_eq!(
                failure.message,
                "TypeError: fetch needs the capability `network`: add it to `capabilities` in hook.json",
                "{expression}"
            );
            assert!(failure.at.is_some(), "{expression}: {failure:?}");
        }
        assert_eq!(asked.load(Ordering::SeqCst), 0);
    }

    #[tokio::test]
    async fn it_is_a_rejection_that_a_hook_can_handle() {
        let caught = trying("fetch(url).catch((error) => error.name)", "http://127.0.0.1:1/").permissions(nothing());
        assert_eq!(caught.reply().await["note"], "TypeError");
    }

    #[tokio::test]
    async fn a_module_cannot_be_had_from_the_network_nor_fetch_at_load() {
        let (url, asked) = server();
        let failure = hook(&format!("import '{url}x.mjs';")).permissions(nothing()).load_failure().await;
        assert!(failure.message.contains("modules are files"), "{failure}");
        let failure = hook(&format!("await fetch('{url}');")).permissions(nothing()).load_failure().await;
        assert!(failure.message.contains("needs the capability `network`"), "{failure}");
        assert_eq!(asked.load(Ordering::SeqCst), 0);
    }

    #[tokio::test]
    async fn what_replaces_it_hides_nothing() {
        let shape = "[typeof fetch, fetch.toString().includes('native'), Object.keys(globalThis).length,
            delete globalThis.fetch, typeof globalThis.fetch]";
        let hook = trying(shape, "").permissions(nothing());
        assert_eq!(hook.reply().await["note"], "function,false,0,true,undefined");
    }

    #[tokio::test]
    async fn what_needs_no_network_works() {
        let body = "[await new Response('body').text(), new Headers([['a', 'b']]).get('a'), new Request(url).url]";
        let started = trying(body, "http://a.b/").permissions(nothing()).start().await;
        assert_eq!(reply(call(&started, json!({})).await)["note"], "body,b,http://a.b/");
    }
}

// --- the environment

/// Calls with `TOKEN` in the environment.
async fn with_token(source: &str, permissions: Permissions) -> Result<Value, Failure> {
    let context = CallContext { env: [("TOKEN".to_owned(), "s3cret".to_owned())].into(), ..CallContext::default() };
    let invocation = Invocation { context: Arc::new(context), ..invocation(json!({ "text": "hello" }), PATIENCE) };
    let answer = hook(source).permissions(permissions).start().await.call(&invocation).await;
    answer.reply.map(|text| serde_json::from_str(&text).unwrap())
}

#[tokio::test]
async fn the_environment_with_the_permission() {
    let source = "export default { run: (p, d, ctx) => ({ action: 'allow', note: ctx.env.TOKEN + Object.keys(ctx).includes('env') }) };";
    let permissions = nothing().env(true);
    assert_eq!(with_token(source, permissions).await.unwrap()["note"], "s3crettrue");
}

#[tokio::test]
async fn the_environment_without_it_throws() {
    for read in ["ctx.env", "ctx.env.TOKEN", "ctx['env']?.TOKEN", "Reflect.get(ctx, 'env')", "(({ env }) => env)(ctx)"]
    {
        let source = format!("export default {{ run: (p, d, ctx) => ({{ action: 'allow', note: String({read}) }}) }};");
        let failure = with_token(&source, nothing()).await.unwrap_err();
        assert_eq!(failure.cause, FailureCause::Threw);
        assert_eq!(
            failure.message,
            "TypeError: ctx.env needs the capability `secrets`: add it to `capabilities` in hook.json"
        );
        assert!(failure.at.is_some(), "{read}: {failure:?}");
    }
}

#[tokio::test]
async fn who_does_not_ask_for_the_environment_does_not_trip_over_it() {
    let source = "export default { run(point, payload, ctx) {
        const copy = { ...ctx }; Object.assign({}, ctx); for (const key in ctx) ctx[key];
        return { action: 'allow', note: JSON.stringify([JSON.stringify(ctx), Object.keys(copy), 'env' in copy]) };
    } };";
    let note = with_token(source, nothing()).await.unwrap()["note"].as_str().unwrap().to_owned();
    assert!(note.contains("tested") && note.ends_with(",false]") && !note.contains("env"), "{note}");
}

#[tokio::test]
async fn the_values_are_nowhere() {
    // Each of these sees what goes through the built-ins while ctx is made.
    let source = "const seen = [];
        for (const [object, name] of [[JSON, 'parse'], [Object, 'defineProperty'], [Reflect, 'apply'], [Object, 'keys']]) {
            const before = object[name];
            object[name] = (...given) => { seen.push(given); return before(...given); };
        }
        Object.defineProperty(Object.prototype, 'env', { set(value) { seen.push(value); }, get() { return 'inherited'; }, configurable: true });
        export default { run(point, payload, ctx) {
            const own = Object.getOwnPropertyDescriptor(ctx, 'env');
            let thrown; try { own.get.call(ctx); } catch (error) { thrown = error.name; }
            delete ctx.env;
            return { action: 'allow', note: [JSON.stringify(seen).includes('s3cret'), own.value, thrown, ctx.env].join() };
        } };";
    assert_eq!(with_token(source, nothing()).await.unwrap()["note"], "false,,TypeError,inherited");
}

// --- files

/// A folder with a package in `pkg`, whose hook is kept in there, and things outside that it should not get at.
fn kept(source: &str) -> Hook {
    let hook = Hook::with("pkg/hooks/h/index.mjs", source)
        .file("secret.mjs", "export default 'secret';")
        .file("secret.json", "\"secret\"")
        .file("pkg-beside/secret.mjs", "export default 'secret';");
    let package = hook.folder.path().canonicalize().unwrap().join("pkg");
    hook.permissions(Permissions::only_files_under(package).network(true).env(true))
}

/// Such a hook, whose note is what this gives after these imports. `{root}` is the folder above the package.
fn importing(imports: &str, expression: &str) -> Hook {
    let hook = kept("");
    let root = hook.folder.path().canonicalize().unwrap().display().to_string();
    let source = format!(
        "{imports}\nexport default {{ run: async () => ({{ action: 'allow', note: String({expression}) }}) }};"
    );
    hook.file("pkg/hooks/h/index.mjs", source.replace("{root}", &root))
}

#[cfg(unix)]
fn link(hook: Hook, target: &str, at: &str) -> Hook {
    let root = hook.folder.path().canonicalize().unwrap();
    let at = root.join(at);
    std::fs::create_dir_all(at.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(root.join(target), at).unwrap();
    hook
}

async fn refusal(hook: &Hook) -> String {
    masked(&hook.load_failure().await.message, hook.folder.path())
}

const OUTSIDE: &str = "it is outside of <folder>/pkg, and the sandbox lets this hook read files in there only; copy it \
                       there, or install it as a package";
const LINKED: &str = "a link leads it out of <folder>/pkg, and the sandbox lets this hook read files in there only; put a \
                      copy in the place of the link";

#[tokio::test]
async fn files_of_the_package_are_read() {
    let hook = importing(
        "import a from './a.mjs'; import b from '../../lib/b.mjs'; import c from '../../c.json' with { type: 'json' };
         import d from 'file://{root}/pkg/lib/b.mjs?d'; import e from '{root}/pkg/hooks/../lib/./%62.mjs';",
        "[a, b, c, d, e, (await import('./a.mjs')).default]",
    )
    .file("pkg/hooks/h/a.mjs", "export default 'a';")
    .file("pkg/lib/b.mjs", "export default 'b';")
    .file("pkg/c.json", "\"c\"");
    assert_eq!(hook.reply().await["note"], "a,b,c,b,b,a");
}

#[tokio::test]
async fn a_missing_file_of_the_package_is_missing() {
    let hook = importing("import './nope';", "1").file("pkg/hooks/h/nope.mjs", "");
    let message = refusal(&hook).await;
    assert!(message.ends_with("there is no such file; did you mean `nope.mjs`?"), "{message}");
}

#[tokio::test]
async fn files_outside_are_refused_however_they_are_named() {
    for import in [
        "import '../../../secret.mjs';",
        "import '{root}/secret.mjs';",
        "import 'file://{root}/secret.mjs';",
        "import 'file://localhost{root}/secret.mjs';",
        "import 'FILE:{root}/secret.mjs';",
        "import '{root}/pkg/../secret.mjs';",
        "import '{root}/pkg/%2e%2e/secret.mjs';",
        "import '{root}/pkg/..%2fsecret.mjs';",
        "import './..%2f..%2f..%2fsecret.mjs';",
        "import '{root}/pkg/%2E./secret.mjs?in=pkg#pkg';",
        "import '../../../pkg-beside/secret.mjs';",
        "import '{root}/%70kg-beside/secret.mjs';",
        "import s from '../../../secret.json' with { type: 'json' };",
        "import s from 'file:///etc/passwd' with { type: 'json' };",
        "import s from 'file:///proc/self/environ' with { type: 'json' };",
        "import '/etc/passwd';",
        "import '{root}';",
        "import '/';",
        "export * from '../../../secret.mjs';",
        "await import('../../../secret.mjs');",
    ] {
        let message = refusal(&importing(import, "1")).await;
        assert!(message.ends_with(OUTSIDE), "{import}: {message}");
        assert!(message.contains("cannot "), "{import}: {message}");
    }
}

#[tokio::test]
async fn a_refusal_names_the_file_and_the_importer() {
    let hook = importing("import '../../lib/b.mjs';", "1").file("pkg/lib/b.mjs", "import '../../secret.mjs';");
    assert_eq!(refusal(&hook).await, format!("cannot import secret.mjs from pkg/lib/b.mjs:1:8: {OUTSIDE}"));
}

#[tokio::test]
async fn whether_there_is_a_file_outside_is_not_told() {
    for path in ["secret.mjs", "nope.mjs", "secret", "secret.mjs/x", "nope/nope.mjs", "pkg-beside"] {
        let message = refusal(&importing(&format!("import '../../../{path}';"), "1")).await;
        assert_eq!(message, format!("cannot import {path} from pkg/hooks/h/index.mjs:1:8: {OUTSIDE}"));
    }
}

#[tokio::test]
async fn an_import_at_run_time_is_rejected_and_can_be_caught() {
    let uncaught = importing("", "await import('../../../secret.mjs')").failure().await;
    assert_eq!(uncaught.cause, FailureCause::Rejected);
    assert!(uncaught.message.contains("the sandbox lets this hook read files in there only"), "{uncaught}");
    let caught = importing("", "await import('../../../secret.mjs').catch(() => 'caught')");
    assert_eq!(caught.reply().await["note"], "caught");
}

#[tokio::test]
async fn what_is_no_file_is_no_module() {
    for url in ["data:text/javascript,export default 1", "https://a.b/x.mjs", "blob:null/x", "ext:core/mod.js"] {
        let message = refusal(&importing(&format!("import '{url}';"), "1")).await;
        assert!(message.contains("modules are files"), "{url}: {message}");
    }
    let blob = "await import(URL.createObjectURL(new Blob(['export default 1'], { type: 'text/javascript' })))";
    let failure = importing("", blob).failure().await;
    assert!(failure.message.contains("modules are files"), "{failure}");
}

#[cfg(unix)]
#[tokio::test]
async fn links_are_followed_before_they_are_judged() {
    for (import, target, at) in [
        ("import './link.mjs';", "secret.mjs", "pkg/hooks/h/link.mjs"),
        ("import s from './link.json' with { type: 'json' };", "secret.json", "pkg/hooks/h/link.json"),
        ("import '../../linked/secret.mjs';", "pkg-beside", "pkg/linked"),
        ("import '../../linked/nope.mjs';", "pkg-beside", "pkg/linked"),
        ("import '../../linked/pkg-beside/secret.mjs';", "", "pkg/linked"),
    ] {
        let message = refusal(&link(importing(import, "1"), target, at)).await;
        assert!(message.ends_with(LINKED), "{import}: {message}");
    }
    // A link inside the package is fine, and so is one from outside into it.
    let hook = importing("import a from './link.mjs'; import b from '../../../back/a.mjs';", "[a, b]")
        .file("pkg/lib/a.mjs", "export default 'a';");
    let hook = link(link(hook, "pkg/lib/a.mjs", "pkg/hooks/h/link.mjs"), "pkg/lib", "back");
    assert_eq!(hook.reply().await["note"], "a,a");
}

/// The handler is where the loader found it, links resolved: that may be outside.
#[tokio::test]
async fn the_handler_too() {
    let hook = kept("");
    let root = hook.folder.path().canonicalize().unwrap();
    let hook = hook.permissions(Permissions::only_files_under(root.join("pkg/hooks/other")));
    let message = refusal(&hook).await;
    assert!(
        message.starts_with("cannot load pkg/hooks/h/index.mjs: it is outside of <folder>/pkg/hooks/other"),
        "{message}"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_folder_that_becomes_a_link_later_is_judged_anew() {
    let hook = importing("import '../../lib/a.mjs';", "await import('../../lib/secret.mjs').catch((e) => e.message)")
        .file("pkg/lib/a.mjs", "");
    let started = hook.start().await;
    let root = hook.folder.path().canonicalize().unwrap();
    std::fs::remove_dir_all(root.join("pkg/lib")).unwrap();
    let hook = link(hook, "pkg-beside", "pkg/lib");
    let message = note(&started, json!({})).await;
    assert!(masked(message.as_str().unwrap(), hook.folder.path()).ends_with(LINKED), "{message}");
}

// --- source maps

#[cfg(unix)]
#[tokio::test]
async fn source_maps_are_read_from_the_package_only() {
    let map = json!({ "version": 3, "sources": ["secret://s"], "names": [], "mappings": "mCAME" }).to_string();
    let place = async |url: &str, linked: bool| {
        let source = format!(
            "export default {{ run() {{           throw new Error('bundled'); }} }};\n//# sourceMappingURL={url}\n"
        );
        let mut hook = kept("").file("pkg/hooks/h/index.mjs", source);
        hook = hook.file("secret.map", &map).file("pkg/own.map", &map);
        if linked {
            hook = link(hook, "secret.map", "pkg/hooks/h/link.map");
        }
        let root = hook.folder.path().canonicalize().unwrap().display().to_string();
        let source = std::fs::read_to_string(hook.folder.path().join("pkg/hooks/h/index.mjs")).unwrap();
        hook = hook.file("pkg/hooks/h/index.mjs", source.replace("{root}", &root));
        hook.failure().await.at.unwrap()
    };
    assert_eq!(place("../../own.map", false).await, "secret://s:7:3");
    for (url, linked) in [
        ("../../../secret.map", false),
        ("file://{root}/secret.map", false),
        ("..%2f..%2f..%2fsecret.map", false),
        ("link.map", true),
    ] {
        assert_eq!(place(url, linked).await, "pkg/hooks/h/index.mjs:1:42", "{url}");
    }
}

// --- packages

/// Adds a package with one module.
fn package(hook: Hook, folder: &str, manifest: Value, source: &str) -> Hook {
    let mut manifest = manifest;
    manifest["type"] = json!("module");
    manifest["main"] = json!("m.js");
    hook.file(&format!("{folder}/package.json"), manifest.to_string()).file(&format!("{folder}/m.js"), source)
}

const NO_PACKAGE: &str = "the sandbox lets this hook read files in <folder>/pkg only, and no package `dep` is installed in \
                          there; install it there, or name it in `dependencies` of a package.json in there if it is \
                          installed above";

#[tokio::test]
async fn packages_installed_in_the_package() {
    let hook = importing("import dep from 'dep';", "dep");
    let hook = package(hook, "pkg/node_modules/dep", json!({}), "export default 'dep';");
    assert_eq!(hook.reply().await["note"], "dep");
}

#[tokio::test]
async fn packages_above_need_a_word_in_package_json() {
    for key in ["dependencies", "peerDependencies", "optionalDependencies"] {
        let hook = importing("import dep from 'dep'; import deep from 'dep/lib/deep.js';", "[dep, deep]");
        let hook = package(hook, "pkg", json!({ key: { "dep": "1" } }), "");
        // A package.json that only says of which type its files are does not hide the one above it.
        let hook = hook.file("pkg/hooks/package.json", r#"{"type":"module"}"#);
        let hook = package(
            hook,
            "node_modules/dep",
            json!({ "dependencies": { "@s/further": "1" } }),
            "import further from '@s/further'; export default 'dep+' + further;",
        )
        .file("node_modules/dep/lib/deep.js", "export default 'deep';");
        let hook = package(hook, "node_modules/@s/further", json!({}), "export default 'further';");
        assert_eq!(hook.reply().await["note"], "dep+further,deep", "{key}");
    }
    for manifest in
        [json!({}), json!({ "devDependencies": { "dep": "1" } }), json!({ "dependencies": { "other": "1" } })]
    {
        let hook = package(importing("import dep from 'dep';", "dep"), "pkg", manifest, "");
        let hook = package(hook, "node_modules/dep", json!({}), "export default 'dep';");
        assert_eq!(refusal(&hook).await, format!("cannot import `dep` from pkg/hooks/h/index.mjs: {NO_PACKAGE}"));
    }
}

#[tokio::test]
async fn a_package_above_that_is_not_named_is_as_if_it_were_not_there() {
    let hook = package(importing("import dep from 'dep';", "dep"), "pkg", json!({}), "");
    assert_eq!(refusal(&hook).await, format!("cannot import `dep` from pkg/hooks/h/index.mjs: {NO_PACKAGE}"));
}

#[tokio::test]
async fn a_package_json_outside_names_nothing() {
    let hook = package(importing("import dep from 'dep';", "dep"), ".", json!({ "dependencies": { "dep": "1" } }), "");
    let hook = package(hook, "node_modules/dep", json!({}), "export default 'dep';");
    assert!(refusal(&hook).await.ends_with(NO_PACKAGE));
}

/// A package that may be read opens its own folder, and no more.
#[tokio::test]
async fn a_named_package_does_not_open_what_is_around_it() {
    let named = json!({ "dependencies": { "dep": "1", "..": "1", ".": "1", ".cache": "1", "@s": "1", "@s/..": "1", "dep/..": "1" } });
    for import in [
        "import 'dep/../../secret.mjs';",
        "import 'dep/%2e%2e/%2e%2e/secret.mjs';",
        "import 'dep'; import '../../../node_modules/other/m.js';",
        "import 'dep/../other/m.js';",
        "import 'dep/..%2fother/m.js';",
        "import '.cache/m.js';",
        "import '@s/../other/m.js';",
        "import '@s/../.cache/m.js';",
        "import '@s/x/m.js';",
        "import '@s';",
    ] {
        let hook = package(importing(import, "1"), "pkg", named.clone(), "");
        let mut hook = package(hook, "node_modules/dep", json!({}), "");
        for folder in ["node_modules/other", "node_modules/.cache", "node_modules/@s", "node_modules/@s/x"] {
            hook = package(hook, folder, json!({}), "globalThis.reached = true;");
        }
        let message = refusal(&hook).await;
        assert!(message.contains("the sandbox lets this hook read files in"), "{import}: {message}");
    }
}

/// What is refused above is there to be had: it is the boundary that keeps it.
#[tokio::test]
async fn without_a_boundary_the_same_imports_work() {
    for import in [
        "import s from '../../../secret.mjs';",
        "import s from 'file://{root}/secret.mjs';",
        "import s from '{root}/pkg/..%2fsecret.mjs';",
        "import s from './..%2f..%2f..%2fsecret.mjs';",
        "import s from '{root}/%70kg-beside/secret.mjs';",
        "import s from '../../../secret.json' with { type: 'json' };",
        "import s from 'dep/../../secret.mjs';",
        "import s from 'dep';",
        "import s from '../../../node_modules/dep/m.js';",
    ] {
        let hook = package(importing(import, "s"), "node_modules/dep", json!({}), "export default 'secret';");
        let hook = hook.permissions(Permissions::everything());
        assert_eq!(hook.reply().await["note"], "secret", "{import}");
    }
}

#[tokio::test]
async fn a_package_cannot_point_outside() {
    for manifest in [
        json!({ "main": "../../../secret.mjs" }),
        json!({ "exports": "./../../../secret.mjs" }),
        json!({ "exports": "../../../secret.mjs" }),
        json!({ "exports": { ".": "./node_modules/../../../../secret.mjs" } }),
    ] {
        let hook = importing("import 'evil';", "1").file("pkg/node_modules/evil/package.json", manifest.to_string());
        let message = refusal(&hook).await;
        assert!(message.starts_with("cannot import "), "{manifest}: {message}");
    }
    let hook = importing("import '#s';", "1").file("pkg/package.json", r##"{"imports":{"#s":"./../secret.mjs"}}"##);
    assert!(refusal(&hook).await.starts_with("cannot import "));
}

#[cfg(unix)]
#[tokio::test]
async fn packages_behind_links() {
    // As pnpm lays them out: links into a store that is itself in a node_modules folder.
    let named = json!({ "dependencies": { "dep": "1" } });
    let hook = package(importing("import dep from 'dep';", "dep"), "pkg", named.clone(), "");
    let hook = package(
        hook,
        "node_modules/.pnpm/dep@1/node_modules/dep",
        json!({ "dependencies": { "further": "1" } }),
        "import further from 'further'; export default 'dep+' + further;",
    );
    let hook =
        package(hook, "node_modules/.pnpm/further@1/node_modules/further", json!({}), "export default 'further';");
    let hook = link(hook, "node_modules/.pnpm/dep@1/node_modules/dep", "pkg/node_modules/dep");
    let further = "node_modules/.pnpm/further@1/node_modules/further";
    let hook = link(hook, further, "node_modules/.pnpm/dep@1/node_modules/further");
    assert_eq!(hook.reply().await["note"], "dep+further");

    // A link to sources elsewhere would open them.
    let hook = package(importing("import dep from 'dep';", "dep"), "pkg", named.clone(), "");
    let hook = package(hook, "sources/dep", json!({}), "export default 'dep';");
    let hook = link(hook, "sources/dep", "node_modules/dep");
    assert!(refusal(&hook).await.ends_with(NO_PACKAGE));

    // What is in a package that may be read may lead out of it.
    let hook = package(importing("import 'dep/link.mjs';", "1"), "pkg", named, "");
    let hook = package(hook, "node_modules/dep", json!({}), "");
    let hook = link(hook, "secret.mjs", "node_modules/dep/link.mjs");
    let message = refusal(&hook).await;
    assert!(message.ends_with("; the sandbox lets this hook read files in <folder>/pkg only"), "{message}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_package_json_is_read_in_the_package_only() {
    let imports = r##"{"imports":{"#s":"./hooks/h/s.mjs"}}"##;
    let hook = || importing("import s from '#s';", "s").file("pkg/hooks/h/s.mjs", "export default 's';");
    assert_eq!(hook().file("pkg/package.json", imports).reply().await["note"], "s");
    let linked = link(hook().file("elsewhere.json", imports), "elsewhere.json", "pkg/package.json");
    assert!(refusal(&linked).await.contains("ERR_PACKAGE_IMPORT_NOT_DEFINED"));
    let above = hook().file("package.json", r##"{"imports":{"#s":"./pkg/hooks/h/s.mjs"}}"##);
    assert!(refusal(&above).await.contains("ERR_PACKAGE_IMPORT_NOT_DEFINED"));
    let everywhere = above.permissions(Permissions::everything());
    assert_eq!(everywhere.reply().await["note"], "s");
}

/// A hook that is loaded again after a break is kept in as before.
#[tokio::test]
async fn a_rebuilt_isolate_has_the_same_permissions() {
    let source = "export default { async run(point, payload, ctx) {
        if (payload.hang) for (;;);
        const tries = [() => import('../../../secret.mjs'), () => ctx.env, () => globalThis.fetch?.('http://127.0.0.1:1/') ?? Promise.reject()];
        const results = [];
        for (const one of tries) { try { await one(); results.push('got it'); } catch { results.push('refused'); } }
        return { action: 'allow', note: results.join() };
    } };";
    let hook = kept(source);
    let permissions = hook.spec().permissions.network(false).env(false);
    let started = hook.permissions(permissions).start().await;
    let all_refused = "refused,refused,refused";
    assert_eq!(note(&started, json!({})).await, all_refused);
    let hung =
        crate::support::call_within(&started, json!({ "hang": true }), std::time::Duration::from_millis(100)).await;
    assert_eq!(hung.reply.unwrap_err().cause, FailureCause::TimedOut);
    let again = started.call(&invocation(json!({}), PATIENCE)).await;
    assert_eq!(reply(again)["note"], all_refused);
}
