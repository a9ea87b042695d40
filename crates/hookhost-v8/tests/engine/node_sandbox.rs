//! What a sandboxed hook of the Node tier cannot reach, whatever way it takes.

use hookhost_v8::{Permissions, Tier};
use serde_json::Value;

use crate::node_modules::{node, value};
use crate::support::{Hook, masked};

/// Runs `$R` and so on: what each text of code gives, or the error's code and message.
const TRY: &str = "import fs from 'fs'; import os from 'os'; import { createRequire } from 'module';
    const require = createRequire(import.meta.url);
    const soon = (begin) => new Promise((resolve, reject) => {
        setTimeout(resolve, 2000, 'NOTHING CAME');
        begin(resolve, reject);
    });
    const attempt = async (run) => {
        try {
            const got = await run();
            return typeof got === 'string' ? got : JSON.stringify(got) ?? String(got);
        } catch (error) {
            return `refused: ${error.code ?? error.name}: ${error.message}`;
        }
    };";

/// A hook whose package is `pkg`, and things outside of it that it should not get at. The note is what this code comes to,
/// or how it is refused. `{root}` is the folder above the package.
fn kept(code: &str) -> Hook {
    let hook = node("pkg/index.mjs", "").file("pkg/package.json", r#"{ "dependencies": { "named": "1" } }"#);
    let root = hook.folder.path().canonicalize().unwrap();
    let source = format!(
        "{TRY}\nexport default {{ run: async () => ({{ action: 'allow', note: JSON.stringify(await attempt(async () => ({code}))) }}) }};"
    );
    let hook = hook
        .file("pkg/index.mjs", source.replace("{root}", &root.display().to_string()))
        .file("pkg/inside.txt", "inside")
        .file("pkg/inside.cjs", "module.exports = 'inside';")
        .file("secret.txt", "SECRET")
        .file("secret.cjs", "module.exports = 'SECRET';")
        .file("secret.mjs", "export default 'SECRET';")
        .file("secret.json", "\"SECRET\"")
        .file(".env", "TOKEN=SECRET")
        .file("node_modules/other/index.js", "module.exports = 'SECRET';")
        .file(
            "node_modules/named/index.js",
            "exports.own = 'named'; exports.further = require('further'); exports.other = () => require('other');
             exports.up = () => require('../../secret.cjs');",
        )
        .file("node_modules/named/package.json", r#"{ "dependencies": { "further": "1" } }"#)
        .file("node_modules/further/index.js", "module.exports = 'further';");
    links(&root);
    hook.permissions(Permissions::only_files_under(root.join("pkg")))
}

#[cfg(unix)]
fn links(root: &std::path::Path) {
    for (target, at) in [
        ("secret.txt", "pkg/link.txt"),
        ("secret.cjs", "pkg/link.cjs"),
        ("node_modules/other", "pkg/linked"),
        ("secret.txt", "link-outside"),
        ("inside-no-more", "dangling-outside"),
    ] {
        std::os::unix::fs::symlink(root.join(target), root.join(at)).unwrap();
    }
}

#[cfg(not(unix))]
fn links(_root: &std::path::Path) {}

/// What came of it, with the folder masked.
async fn told(hook: &Hook) -> String {
    let told = value(hook).await;
    let Value::String(told) = told else { panic!("{told}") };
    masked(&told, hook.folder.path())
}

/// Each is refused in words that contain this, and nothing of the secret is told.
async fn all_refused(codes: &[&str], why: &str) {
    for code in codes {
        let told = told(&kept(code)).await;
        assert!(told.starts_with("refused: ") && told.contains(why), "{code}: {told}");
        assert!(!told.contains("SECRET"), "{code}: {told}");
    }
}

/// What is refused elsewhere is there to be had: it is the boundary that keeps it.
#[tokio::test]
async fn without_a_boundary_all_of_it_works() {
    for code in [
        "require('../secret.cjs')",
        "require('../secret.json')",
        "require('other')",
        "(await import('../secret.mjs')).default",
        "fs.readFileSync('{root}/secret.txt', 'utf8')",
        "createRequire('{root}/x.js')('./secret.cjs')",
        "(process.loadEnvFile('{root}/.env'), process.env.TOKEN)",
    ] {
        assert_eq!(told(&kept(code).permissions(Permissions::everything())).await, "SECRET", "{code}");
    }
}

// --- modules

#[tokio::test]
async fn modules_of_the_package_are_loaded() {
    for (code, expected) in [
        ("require('./inside.cjs')", "inside"),
        ("require('{root}/pkg/inside')", "inside"),
        ("(await import('./inside.cjs')).default", "inside"),
        ("createRequire('{root}/pkg/x.js')('./inside.cjs')", "inside"),
        ("require('module')._load('{root}/pkg/inside.cjs')", "inside"),
    ] {
        assert_eq!(told(&kept(code)).await, expected, "{code}");
    }
}

#[tokio::test]
async fn require_reads_no_file_outside() {
    all_refused(
        &[
            "require('../secret.cjs')",
            "require('{root}/secret.cjs')",
            "require('{root}/secret')",
            "require('../secret.json')",
            "require('../nothing.json')",
            "require('./linked/../../secret.cjs')",
            "require.resolve('{root}/secret.cjs')",
            "require.resolve('/etc/passwd')",
            "require('module')._load('{root}/secret.cjs')",
            "require('module')._findPath('secret.cjs', ['{root}'])",
            "require('module')._extensions['.json']({}, '{root}/secret.json')",
            "require('module')._extensions['.js']({ exports: {} }, '{root}/secret.cjs')",
            "createRequire('{root}/x.js')('./secret.cjs')",
            "(require.extensions['.txt'] = (module, name) => { module.exports = fs.readFileSync(name, 'utf8'); }, require('../secret.txt'))",
            "require('named').up()",
        ],
        "it is outside of <folder>/pkg, and the sandbox lets this hook read files in there only",
    )
    .await;
}

#[cfg(unix)]
#[tokio::test]
async fn require_follows_no_link_outside() {
    all_refused(
        &["require('./link.cjs')", "require('{root}/pkg/link')", "require('{root}/pkg/linked/index.js')"],
        "a link leads it out of <folder>/pkg",
    )
    .await;
}

#[tokio::test]
async fn packages_above_that_nobody_names_are_as_if_they_were_not_there() {
    all_refused(
        &[
            "require('other')",
            "require('other/index.js')",
            "require('{root}/node_modules/other')",
            "require('{root}/node_modules/nothing')",
            "createRequire('{root}/x.js')('other')",
            "require.resolve('other', { paths: ['{root}'] })",
            "require('named').other()",
            "require('named/../other')",
            "(() => { const module = new (require('module'))('{root}/q.js'); module.filename = '{root}/q.js'; module.paths = ['{root}/node_modules']; return module.require('other'); })()",
        ],
        "Cannot find module",
    )
    .await;
    all_refused(&["await import('other')"], "no package `other` is installed in there").await;
}

#[tokio::test]
async fn packages_above_that_are_named_are_read_by_require_too() {
    for code in ["require('named')", "(await import('named')).default", "createRequire('{root}/pkg/a/b.js')('named')"] {
        let told = told(&kept(&format!("[({code}).own, ({code}).further]"))).await;
        assert_eq!(told, r#"["named","further"]"#, "{code}");
    }
}

#[tokio::test]
async fn modules_come_from_files_only() {
    for url in ["data:text/javascript,export default 1", "https://a.b/x.mjs", "blob:null/x", "ext:core/mod.js", "npm:x"]
    {
        all_refused(&[&format!("await import('{url}')")], "modules are files").await;
    }
    all_refused(&["require('https://a.b/x.js')", "require('ext:core/mod.js')"], "Cannot find module").await;
    // Hooks of Node's loader decide for themselves what they give, and read no more than others.
    all_refused(
        &[
            "(require('module').registerHooks({ resolve: () => ({ url: 'file://{root}/secret.cjs', shortCircuit: true }) }), require('x'))",
            "new (require('vm').Script)(\"import('file://{root}/secret.mjs')\", { importModuleDynamically: require('vm').constants.USE_MAIN_CONTEXT_DEFAULT_LOADER }).runInThisContext()",
        ],
        "<folder>/pkg",
    )
    .await;
}

// --- files

#[tokio::test]
async fn files_of_the_package_are_read() {
    for code in [
        "fs.readFileSync('{root}/pkg/inside.txt', 'utf8')",
        "fs.readFileSync(new URL('./inside.txt', import.meta.url), 'utf8')",
        "fs.promises.readFile('{root}/pkg/../pkg/inside.txt', 'utf8')",
        "fs.existsSync('{root}/pkg/inside.txt') && !fs.existsSync('{root}/pkg/nothing') ? 'inside' : 'wrong'",
        "fs.readdirSync('{root}/pkg').includes('inside.txt') ? 'inside' : 'wrong'",
    ] {
        assert_eq!(told(&kept(code)).await, "inside", "{code}");
    }
}

const READ: &str = "NotCapable: Requires read access to";

#[tokio::test]
async fn files_outside_are_not_read() {
    all_refused(
        &[
            "fs.readFileSync('{root}/secret.txt', 'utf8')",
            "fs.readFileSync('{root}/pkg/../secret.txt', 'utf8')",
            "fs.readFileSync(new URL('file://{root}/secret.txt'), 'utf8')",
            "fs.readFileSync(Buffer.from('{root}/secret.txt'), 'utf8')",
            "await fs.promises.readFile('{root}/secret.txt', 'utf8')",
            "(await fs.promises.open('{root}/secret.txt')).readFile('utf8')",
            "await soon((resolve, reject) => fs.readFile('{root}/secret.txt', 'utf8', (error, text) => error ? reject(error) : resolve(text)))",
            "await soon((resolve, reject) => fs.createReadStream('{root}/secret.txt').on('data', (data) => resolve(String(data))).on('error', reject))",
            "(await fs.openAsBlob('{root}/secret.txt')).text()",
            "process.getBuiltinModule('fs').readFileSync('{root}/secret.txt', 'utf8')",
            "process.loadEnvFile('{root}/.env')",
            "fs.cpSync('{root}/secret.txt', '{root}/pkg/copy.txt')",
            "fs.copyFileSync('{root}/secret.txt', '{root}/pkg/copy.txt')",
            "fs.readdirSync('{root}')",
            "await fs.promises.readdir('{root}')",
            "fs.opendirSync('{root}').readSync().name",
            "fs.globSync('../*', { cwd: '{root}/pkg' })",
            "fs.statfsSync('{root}')",
            "fs.openSync('/dev/fd/0')",
            "fs.readFileSync('/proc/self/environ', 'utf8')",
            "fs.readFileSync('/etc/passwd', 'utf8')",
            "await (async () => { for await (const event of fs.promises.watch('{root}')) return event; })()",
        ],
        READ,
    )
    .await;
    let watched = told(&kept(
        "await soon((resolve) => fs.watch('{root}').on('change', resolve).on('error', (error) => resolve(error.name)))",
    ))
    .await;
    assert_eq!(watched, "NotCapable");
}

#[cfg(unix)]
#[tokio::test]
async fn links_are_followed_before_files_are_judged() {
    all_refused(
        &[
            "fs.readFileSync('{root}/pkg/link.txt', 'utf8')",
            "fs.readFileSync(new URL('./link.txt', import.meta.url), 'utf8')",
            "fs.readFileSync('{root}/pkg/linked/index.js', 'utf8')",
            "fs.readFileSync('{root}/pkg/linked/../../secret.txt', 'utf8')",
            "fs.readdirSync('{root}/pkg/linked')",
            "fs.realpathSync('{root}/pkg/link.txt')",
            "fs.readlinkSync('{root}/pkg/link.txt')",
            "fs.openSync('{root}/pkg/link.txt')",
        ],
        READ,
    )
    .await;
}

/// Neither whether a file is there nor where a link leads.
#[cfg(unix)]
#[tokio::test]
async fn nothing_is_told_of_what_is_outside() {
    for ask in [
        "existsSync",
        "statSync",
        "lstatSync",
        "accessSync",
        "readFileSync",
        "readlinkSync",
        "realpathSync",
        "readdirSync",
    ] {
        for name in ["secret.txt", "nothing", "link-outside", "dangling-outside", "node_modules"] {
            let told = told(&kept(&format!("fs.{ask}('{{root}}/{name}')"))).await;
            let expected = format!(
                "refused: NotCapable: Requires read access to \"<folder>/{name}\", run again with the --allow-read flag"
            );
            assert_eq!(told, expected, "{ask}");
        }
    }
    // In the package a link may be seen, and not where it leads.
    let told = told(&kept("fs.readFileSync('{root}/pkg/link.txt')")).await;
    assert!(!told.contains("secret.txt"), "{told}");
}

#[tokio::test]
async fn nothing_is_written() {
    let hook = kept("1");
    let before = hook.folder.path().join("pkg/inside.txt").metadata().unwrap();
    for path in ["{root}/pkg/new", "{root}/pkg/inside.txt", "{root}/new"] {
        for code in [
            "fs.writeFileSync(P, 'x')",
            "await fs.promises.writeFile(P, 'x')",
            "fs.appendFileSync(P, 'x')",
            "fs.openSync(P, 'w')",
            "fs.openSync(P, 'r+')",
            "fs.mkdirSync(P)",
            "fs.rmSync(P)",
            "fs.unlinkSync(P)",
            "fs.chmodSync(P, 0o777)",
            "fs.utimesSync(P, 1, 1)",
            "fs.truncateSync(P)",
            "fs.mkdtempSync(P)",
            "fs.symlinkSync('{root}/pkg/inside.txt', P)",
            "fs.linkSync('{root}/pkg/inside.txt', P + '-2')",
            "fs.renameSync('{root}/pkg/inside.cjs', P)",
            "fs.copyFileSync('{root}/pkg/inside.cjs', P)",
            "new (require('node:sqlite').DatabaseSync)(P).exec('create table t (x)')",
        ] {
            let told = told(&kept(&code.replace('P', &format!("'{path}'")))).await;
            assert!(told.starts_with("refused: "), "{code}: {told}");
        }
    }
    // What is open for reading stays as it is.
    for change in [
        "fchmodSync(file, 0)",
        "futimesSync(file, 1, 1)",
        "fchownSync(file, 0, 0)",
        "ftruncateSync(file)",
        "writeSync(file, 'x')",
    ] {
        let code = format!("(() => {{ const file = fs.openSync('{{root}}/pkg/inside.txt'); return fs.{change}; }})()");
        let hook = kept(&code);
        let told = told(&hook).await;
        assert!(told.starts_with("refused: "), "{change}: {told}");
        let after = hook.folder.path().join("pkg/inside.txt").metadata().unwrap();
        assert_eq!((after.permissions(), after.len()), (before.permissions(), before.len()), "{change}");
        assert!(after.modified().unwrap() >= before.modified().unwrap(), "{change}");
    }
    for change in ["fchmod(file, 0, done)", "futimes(file, 1, 1, done)", "fchown(file, 0, 0, done)"] {
        let code = format!(
            "await soon((resolve, reject) => {{ const file = fs.openSync('{{root}}/pkg/inside.txt'); const done = (error) => error ? reject(error) : resolve('done'); fs.{change}; }})"
        );
        assert!(told(&kept(&code)).await.starts_with("refused: NotCapable"), "{change}");
    }
}

#[tokio::test]
async fn without_a_sandbox_what_is_open_can_be_changed() {
    let code = "(() => { const file = fs.openSync('{root}/pkg/inside.txt', 'r+'); fs.fchmodSync(file, 0o600); fs.futimesSync(file, 1, 1); return fs.statSync('{root}/pkg/inside.txt').mtimeMs; })()";
    assert_eq!(told(&kept(code).permissions(Permissions::everything())).await, "1000");
}

// --- the machine

#[tokio::test]
async fn no_processes_no_names_no_environment() {
    for (code, expected) in [
        ("process.env.PATH", "undefined"),
        ("Object.keys(process.env)", "[]"),
        ("process.env.HOME", "undefined"),
        ("process.kill(process.pid, 0)", "true"),
        ("require('dns').promises.lookup('localhost')", "refused: EPERM"),
        ("os.hostname()", "refused: NotCapable"),
        ("os.userInfo()", "refused: NotCapable"),
        ("os.networkInterfaces()", "refused: NotCapable"),
        ("process.getuid?.() ?? (() => { throw new TypeError('NotCapable') })()", "refused: "),
        ("process.kill(1, 0)", "refused: NotCapable"),
        ("require('child_process').execSync('id') + ''", "refused: "),
        (
            "await soon((resolve, reject) => require('child_process').exec('id', (error, text) => error ? reject(error) : resolve(text)))",
            "refused: ",
        ),
        (
            "await soon((resolve, reject) => require('child_process').spawn('id').on('error', reject).on('exit', resolve))",
            "refused: NotCapable",
        ),
        ("process.dlopen({}, '{root}/pkg/x.node')", "refused: Error: native addons"),
        ("process.report.getReport()", "refused: "),
        ("process.chdir('/')", "refused: Error: process.chdir()"),
        ("require('inspector').open(0)", "refused: Error: the inspector"),
        ("new (require('inspector').Session)().connect()", "refused: Error: the inspector"),
        ("new (require('worker_threads').Worker)('1', { eval: true })", "refused: Error: workers"),
        ("require('v8').setFlagsFromString('--allow-natives-syntax')", "refused: Error: V8's flags"),
        ("require('v8').writeHeapSnapshot('{root}/pkg/h')", "refused: Error: heap snapshots"),
        ("new (require('node:wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } })", "refused: "),
        (
            "new (require('node:wasi').WASI)({ version: 'preview1', preopens: { '/': '{root}/pkg' } })",
            "refused: TypeError: node:wasi is not available",
        ),
        ("new (require('node:sqlite').DatabaseSync)('{root}/s.db')", "refused: ERR_SQLITE_ERROR: Requires read access"),
        (
            "new (require('node:sqlite').DatabaseSync)('{root}/secret.txt', { readOnly: true })",
            "refused: ERR_SQLITE_ERROR: Requires read access",
        ),
        (
            "new (require('node:sqlite').DatabaseSync)(':memory:').exec(\"attach '{root}/s.db' as other\")",
            "refused: ERR_SQLITE_ERROR",
        ),
        (
            "new (require('node:sqlite').DatabaseSync)(':memory:').exec(\"vacuum into '{root}/pkg/v.db'\")",
            "refused: ERR_SQLITE_ERROR",
        ),
        ("new (require('node:sqlite').DatabaseSync)(':memory:', { allowExtension: true })", "refused: "),
        ("new (require('node:sqlite').DatabaseSync)(':memory:').prepare('select 1 as x').get().x", "1"),
        ("Object.keys(process.binding('fs'))", "[]"),
        ("typeof navigator.gpu", "undefined"),
    ] {
        let told = told(&kept(code)).await;
        assert!(told.starts_with(expected), "{code}: {told}");
    }
}

#[tokio::test]
async fn the_environment_is_what_the_host_gives() {
    let hook = kept("[process.env.TOKEN, Object.keys(process.env)]").process_env([("TOKEN", "given")]);
    assert_eq!(told(&hook).await, r#"["given",["TOKEN"]]"#);
}

/// A file of variables changes the hook's own environment, and not the host's.
#[tokio::test]
async fn a_file_of_variables_is_for_the_hook_alone() {
    let code = "(process.loadEnvFile('{root}/pkg/.env'), [process.env.HOOKHOST_LOADED, process.env.TOKEN])";
    for everything in [false, true] {
        let hook = kept(code).file("pkg/.env", "HOOKHOST_LOADED=yes\nTOKEN=other").process_env([("TOKEN", "given")]);
        let hook = if everything { hook.permissions(Permissions::everything()) } else { hook };
        assert_eq!(told(&hook).await, r#"["yes","given"]"#);
        assert!(std::env::var_os("HOOKHOST_LOADED").is_none() && std::env::var_os("TOKEN").is_none());
    }
}

// --- the network

mod network {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use hookhost_v8::Permissions;

    use super::{kept, told};
    use crate::support::Hook;

    /// A server that says hello, and how often it was asked.
    fn server() -> (u16, Arc<AtomicUsize>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = asked.clone();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                counter.fetch_add(1, Ordering::SeqCst);
                let _ = stream.read(&mut [0; 4096]);
                let _ = write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello");
            }
        });
        (port, asked)
    }

    const WAYS: [&str; 6] = [
        "await soon((resolve, reject) => require('net').connect(PORT, 'HOST', () => resolve('reached')).on('error', reject))",
        "await soon((resolve, reject) => require('http').get('http://HOST:PORT/', () => resolve('reached')).on('error', reject))",
        "await fetch('http://HOST:PORT/').then(() => 'reached')",
        "await soon((resolve, reject) => require('tls').connect(PORT, 'HOST', () => resolve('reached')).on('error', reject))",
        "await soon((resolve, reject) => require('http2').connect('http://HOST:PORT').on('error', reject).on('connect', () => resolve('reached')))",
        "await soon((resolve, reject) => { const socket = new WebSocket('ws://HOST:PORT'); socket.onopen = () => resolve('reached'); socket.onerror = ({ error }) => reject(error); })",
    ];

    fn to(way: &str, host: &str, port: u16) -> Hook {
        kept(&way.replace("HOST", host).replace("PORT", &port.to_string()))
    }

    #[tokio::test]
    async fn nobody_is_reached_without_the_permission() {
        let (port, asked) = server();
        for way in WAYS {
            let told = told(&to(way, "127.0.0.1", port)).await;
            assert!(told.starts_with("refused: NotCapable") || told.contains("capability `network`"), "{way}: {told}");
        }
        for listen in ["require('net').createServer()", "require('http').createServer()"] {
            let code = format!(
                "await soon((resolve, reject) => {listen}.on('error', reject).listen(0, () => resolve('listens')))"
            );
            assert!(told(&kept(&code)).await.starts_with("refused: NotCapable"), "{listen}");
        }
        for path in ["/var/run/x.sock", "{root}/pkg/x.sock"] {
            let code = format!(
                "await soon((resolve, reject) => require('net').connect('{path}', () => resolve('reached')).on('error', reject))"
            );
            assert!(told(&kept(&code)).await.starts_with("refused: NotCapable"), "{path}");
        }
        assert_eq!(asked.load(Ordering::SeqCst), 0);
    }

    #[tokio::test]
    async fn only_the_hosts_that_are_named_are_reached() {
        let (port, asked) = server();
        let named = |hook: Hook| {
            let folder = hook.folder.path().canonicalize().unwrap().join("pkg");
            let permissions = Permissions::only_files_under(folder).network(true);
            hook.permissions(permissions.hosts(Some(vec!["localhost".to_owned(), "allowed.test".to_owned()])))
        };
        for way in WAYS {
            let told = told(&named(to(way, "127.0.0.1", port))).await;
            assert!(told.starts_with("refused: NotCapable"), "{way}: {told}");
        }
        // A name that is allowed opens no address that a lookup of the hook's own gives.
        let own = "await soon((resolve, reject) => require('net').connect({ port: PORT, host: 'allowed.test', lookup: (name, options, done) =>
            options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4) }, () => resolve('reached')).on('error', reject))";
        assert!(told(&named(to(own, "", port))).await.starts_with("refused: NotCapable"));
        assert_eq!(asked.load(Ordering::SeqCst), 0);
        for way in &WAYS[..3] {
            assert_eq!(told(&named(to(way, "localhost", port))).await, "reached", "{way}");
        }
    }
}

// --- descriptors of the host

/// In both sandboxes: a number is the host's, whatever it is in the process.
#[cfg(unix)]
#[tokio::test]
async fn descriptors_of_the_host_are_not_taken_over() {
    use std::io::{Read, Write};
    use std::os::fd::AsRawFd;

    let (mut reader, mut writer) = std::io::pipe().unwrap();
    let (socket, mut other) = std::os::unix::net::UnixStream::pair().unwrap();
    writer.write_all(b"SECRET").unwrap();
    other.write_all(b"SECRET").unwrap();
    let everything = |hook: Hook| hook.permissions(Permissions::everything());
    for number in [reader.as_raw_fd(), socket.as_raw_fd()] {
        for code in [
            "await soon((resolve, reject) => new (require('net').Socket)({ fd: N, readable: true, writable: true }).on('error', reject).on('data', (data) => resolve(String(data))))",
            "await soon((resolve, reject) => require('net').createServer().on('error', reject).listen({ fd: N }, () => resolve('listens')))",
            "fs.readFileSync(N, 'utf8')",
            "fs.readSync(N, Buffer.alloc(6))",
            "fs.fstatSync(N)",
            "fs.closeSync(N)",
            "await soon((resolve, reject) => fs.createReadStream(null, { fd: N }).on('data', resolve).on('error', reject))",
            "new (require('tty').ReadStream)(N)",
            "new (require('tty').WriteStream)(N)",
        ] {
            let code = code.replace('N', &number.to_string());
            for hook in [kept(&code), everything(kept(&code))] {
                let told = told(&hook).await;
                assert!(told.starts_with("refused: ") && !told.contains("SECRET"), "{code}: {told}");
            }
        }
        for handle in ["new (process.binding('pipe_wrap').Pipe)(0)", "new (process.binding('tcp_wrap').TCP)(0)"] {
            let told = told(&kept(&format!("{handle}.open({number})"))).await;
            assert_eq!(told, "-9", "{handle}");
        }
    }
    let mut bytes = [0; 6];
    reader.read_exact(&mut bytes).unwrap();
    assert_eq!(&bytes, b"SECRET");
    (&socket).read_exact(&mut bytes).unwrap();
    assert_eq!(&bytes, b"SECRET");
}

#[tokio::test]
async fn a_hook_has_no_terminal_and_no_input() {
    for (code, expected) in [
        ("require('tty').isatty(0) || require('tty').isatty(1) || require('tty').isatty(2)", "false"),
        ("[process.stdin.isTTY, process.stdout.isTTY, process.stderr.isTTY].map(Boolean)", "[false,false,false]"),
        ("fs.readFileSync(0, 'utf8')", ""),
        ("await soon((resolve) => process.stdin.on('data', resolve).on('end', () => resolve('end')))", "end"),
        ("new (require('tty').ReadStream)(0)", "refused: Error: there is no terminal"),
        ("new (process.binding('tty_wrap').TTY)(0)", "refused: TypeError: there is no terminal"),
    ] {
        for permissions in [None, Some(Permissions::everything())] {
            let hook = kept(code);
            let hook = match permissions {
                Some(permissions) => hook.permissions(permissions),
                None => hook,
            };
            let told = told(&hook.tier(Tier::Node)).await;
            assert!(told.starts_with(expected), "{code}: {told}");
        }
    }
}
