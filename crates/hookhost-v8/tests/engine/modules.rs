//! Which files a hook's imports mean, and what is said of those that cannot be loaded.

use serde_json::json;

use crate::support::{Hook, hook, masked};

/// A hook whose note is what this expression gives, after these imports.
fn importing(imports: &str, expression: &str) -> Hook {
    hook(&format!(
        "{imports}\nexport default {{ run: async () => ({{ action: 'allow', note: String({expression}) }}) }};"
    ))
}

async fn note_of(hook: &Hook) -> String {
    hook.reply().await["note"].as_str().unwrap().to_owned()
}

/// How the hook fails to load, with its folder masked, and where.
async fn refusal(hook: &Hook) -> String {
    let failure = hook.load_failure().await;
    masked(&failure.message, hook.folder.path())
}

// --- files

#[tokio::test]
async fn files_by_path() {
    let hook = importing(
        "import a from './a.mjs'; import b from './lib/b.js'; import data from './data.json' with { type: 'json' };
         const late = await import('./late.mjs'); import * as self from './index.mjs';",
        "[a, b, data.list[0], late.default, typeof self.default, import.meta.url.slice(-9), import.meta.url.startsWith('file:///'),
          import.meta.filename?.endsWith('index.mjs') ?? 'none', (await import('./late.mjs')) === late]",
    )
    .file("a.mjs", "export default 'a';")
    .file("lib/b.js", "import up from '../a.mjs'; export default up + 'b';")
    .file("data.json", "{ \"list\": [1] }")
    .file("late.mjs", "export default 'late';");
    let note = note_of(&hook).await;
    assert!(note.starts_with("a,ab,1,late,object,index.mjs,true,"), "{note}");
}

#[tokio::test]
async fn files_by_absolute_path_and_url() {
    let other = tempfile::tempdir().unwrap();
    let path = other.path().canonicalize().unwrap().join("with space#x.mjs");
    std::fs::write(&path, "export default 'other';").unwrap();
    let url = deno_core::url::Url::from_file_path(&path).unwrap();
    let by_url = importing(&format!("import a from '{url}';"), "a");
    assert_eq!(note_of(&by_url).await, "other");
    let by_path = importing(&format!("import a from '{}';", url.path()), "a");
    assert_eq!(note_of(&by_path).await, "other");
}

#[tokio::test]
async fn cycles_and_queries() {
    let hook = importing(
        "import { a } from './a.mjs'; import one from './n.mjs?1'; import two from './n.mjs?2';",
        "[a(), one !== two]",
    )
    .file("a.mjs", "import { b } from './b.mjs'; export const a = () => b() + 'a';")
    .file("b.mjs", "import { a } from './a.mjs'; export const b = () => typeof a;")
    .file("n.mjs", "export default {};");
    assert_eq!(note_of(&hook).await, "functiona,true");
}

#[tokio::test]
async fn a_byte_order_mark_and_a_large_module() {
    let large = format!("\u{feff}export default '{}'.length;", "x".repeat(5 << 20));
    let hook = importing("import n from './large.mjs';", "n").file("large.mjs", large);
    assert_eq!(note_of(&hook).await, (5 << 20).to_string());
}

// --- packages

/// Adds a package with this package.json and these files.
fn package(hook: Hook, folder: &str, json: serde_json::Value, files: &[(&str, &str)]) -> Hook {
    let hook = hook.file(&format!("{folder}/package.json"), json.to_string());
    files.iter().fold(hook, |hook, (name, content)| hook.file(&format!("{folder}/{name}"), content))
}

#[tokio::test]
async fn packages_by_name() {
    let mut hook = importing(
        "import main from 'with-main'; import text from 'with-string'; import chosen from 'with-conditions';
         import sub from 'with-conditions/sub'; import deep from 'with-conditions/features/deep.js'; import scoped from '@scope/name';
         import scopedSub from '@scope/name/lib/x.js'; import sniffed from 'no-type'; import nested from 'outer'; import plain from 'no-exports/lib/y.mjs';",
        "[main, text, chosen, sub, deep, scoped, scopedSub, sniffed, nested, plain]",
    );
    for (folder, manifest, files) in [
        ("with-main", json!({ "type": "module", "main": "m.js" }), vec![("m.js", "export default 'main';")]),
        ("with-string", json!({ "type": "module", "exports": "./s.js" }), vec![("s.js", "export default 'string';")]),
        (
            "with-conditions",
            json!({ "name": "with-conditions", "type": "module", "imports": { "#inner": "./inner.js" }, "exports": {
                ".": { "node": "./node.js", "browser": "./browser.js", "import": "./import.js", "default": "./default.js" },
                "./sub": { "require": "./r.cjs", "default": "./sub.js" },
                "./features/*.js": "./src/*.js", "./features/private/*": null } }),
            vec![
                ("node.js", "export default 'node';"),
                ("browser.js", "export default 'browser';"),
                ("import.js", "export { default } from '#inner';"),
                ("inner.js", "import sub from 'with-conditions/sub'; export default 'import+' + sub;"),
                ("sub.js", "export default 'sub';"),
                ("src/deep.js", "export default 'deep';"),
            ],
        ),
        (
            "@scope/name",
            json!({ "type": "module", "main": "./main.mjs" }),
            vec![("main.mjs", "export default 'scoped';"), ("lib/x.js", "export default 'x';")],
        ),
        ("no-type", json!({ "main": "index.js" }), vec![("index.js", "export default 'sniffed';")]),
        (
            "outer",
            json!({ "type": "module", "main": "o.js" }),
            vec![("o.js", "import inner from 'inner'; export default 'outer+' + inner;")],
        ),
        ("inner", json!({ "type": "module", "main": "i.js" }), vec![("i.js", "export default 'wrong';")]),
        (
            "outer/node_modules/inner",
            json!({ "type": "module", "main": "i.js" }),
            vec![("i.js", "export default 'inner';")],
        ),
        ("no-exports", json!({}), vec![("lib/y.mjs", "export default 'plain';")]),
    ] {
        hook = package(hook, &format!("node_modules/{folder}"), manifest, &files);
    }
    assert_eq!(note_of(&hook).await, "main,string,import+sub,sub,deep,scoped,x,sniffed,outer+inner,plain");
}

#[tokio::test]
async fn packages_of_folders_above() {
    let project =
        hook("").file("node_modules/above/package.json", json!({ "type": "module", "main": "a.js" }).to_string());
    let project = project.file("node_modules/above/a.js", "export default 'above';");
    let inside = project.folder.path().join("hooks/inner");
    std::fs::create_dir_all(&inside).unwrap();
    let project = project.file("hooks/inner/index.mjs", "import a from 'above'; export default a;");
    let project = project.file(
        "index.mjs",
        "import a from './hooks/inner/index.mjs'; export default { run: () => ({ action: 'allow', note: a }) };",
    );
    assert_eq!(note_of(&project).await, "above");
}

/// As pnpm lays packages out: links into a store, where each package has its own dependencies beside it.
#[cfg(unix)]
#[tokio::test]
async fn packages_behind_links() {
    let hook = importing("import a from 'linked';", "a")
        .file(
            "store/linked@1/node_modules/linked/package.json",
            json!({ "type": "module", "main": "a.js" }).to_string(),
        )
        .file(
            "store/linked@1/node_modules/linked/a.js",
            "import dependency from 'dependency'; export default 'linked+' + dependency;",
        )
        .file(
            "store/dependency@1/node_modules/dependency/package.json",
            json!({ "type": "module", "exports": "./d.js" }).to_string(),
        )
        .file("store/dependency@1/node_modules/dependency/d.js", "export default 'dependency';")
        .file("node_modules/.keep", "");
    let root = hook.folder.path().canonicalize().unwrap();
    let link = |from: &str, to: &str| std::os::unix::fs::symlink(root.join(from), root.join(to)).unwrap();
    link("store/linked@1/node_modules/linked", "node_modules/linked");
    link("store/dependency@1/node_modules/dependency", "store/linked@1/node_modules/dependency");
    assert_eq!(note_of(&hook).await, "linked+dependency");
}

// --- TypeScript

#[tokio::test]
async fn a_handler_in_typescript() {
    let source = "import type { Missing } from './missing.ts';
import { type Level, double, Color } from './lib.ts';
import { Third } from './third.mts';
interface Config { mark?: string }
enum Action { Allow = 'allow' }
namespace Words { export const note = 'n'; }
type Reply<T extends string = string> = { action: T; note: string };
class Hook<C extends Config> {
    private calls = 0;
    constructor(private readonly config: C, public level: Level = 2 as Level) {}
    async run(point: string, payload: { text: string }): Promise<Reply> {
        const reply = { action: Action.Allow, note: [double<number>(this.level), this.config.mark!, Words.note, Color.Red, Third.x, ++this.calls].join() };
        return reply satisfies Reply;
    }
}
export const createHook = <C extends Config,>(config: C) => new Hook<C>(config);
";
    let reply = Hook::with("index.ts", source)
        .file("lib.ts", "export type Level = 1 | 2; export function double<T extends number>(n: T): number { return n * 2; }\nexport enum Color { Red, Green }")
        .file("third.mts", "export abstract class Third { static x: string = 'x'; }")
        .config(json!({ "mark": "m" }))
        .reply()
        .await;
    assert_eq!(reply["note"], "4,m,n,0,x,1");
}

#[tokio::test]
async fn places_in_typescript_are_the_authors() {
    let source = "interface Long {\n  a: string;\n  b: number;\n}\nenum E { A }\nexport default {\n  run(): never {\n    const x: Long | null = null;\n    throw new Error('here');\n  },\n};\n";
    let failure = Hook::with("index.ts", source).failure().await;
    assert_eq!((&*failure.message, failure.at.as_deref()), ("Error: here", Some("index.ts:9:11")));
}

#[tokio::test]
async fn a_syntax_error_in_typescript_has_a_place() {
    let failure = Hook::with("index.ts", "const a: string = 'x';\nexport default = {;\n").load_failure().await;
    assert_eq!(failure.message, "cannot load index.ts: syntax error: Expression expected at 2:16");
}

#[tokio::test]
async fn a_bundle_with_an_inline_source_map_tells_the_places_of_its_sources() {
    // One line that throws at column 34; the map says that this is line 7, column 3 of src/guard.ts.
    let code = "export default { run() {           throw new Error('bundled'); } };";
    // Column 35 (0-based) -> source 0, line 6, column 2.
    let map = json!({ "version": 3, "sources": ["src/guard.ts"], "names": [], "mappings": "mCAME" });
    let map = base64(map.to_string().as_bytes());
    let source = format!("{code}\n//# sourceMappingURL=data:application/json;base64,{map}\n");
    let failure = hook(&source).failure().await;
    assert_eq!(failure.at.as_deref(), Some("src/guard.ts:7:3"), "{failure}");
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= chunk.len() { letter as char } else { '=' });
        }
    }
    text
}

#[tokio::test]
async fn a_source_map_beside_the_bundle_counts_too() {
    let map = json!({ "version": 3, "sources": ["webpack://guard/src/guard.ts"], "names": [], "mappings": "mCAME" });
    let code =
        "export default { run() {           throw new Error('bundled'); } };\n//# sourceMappingURL=index.mjs.map\n";
    let failure = hook(code).file("index.mjs.map", map.to_string()).failure().await;
    assert_eq!(failure.at.as_deref(), Some("webpack://guard/src/guard.ts:7:3"), "{failure}");
    for broken in ["nope", "{\"version\":3,\"sources\":[],\"mappings\":\"zzzz\"}"] {
        let failure = hook(code).file("index.mjs.map", broken).failure().await;
        assert_eq!(failure.at.as_deref(), Some("index.mjs:1:42"), "{failure}");
    }
}

// --- what cannot be loaded

/// The message for a hook with this import, and these files beside it.
macro_rules! refused {
    ($($name:ident: $import:expr $(, $file:expr => $content:expr)* => $message:expr;)+) => {$(
        #[tokio::test]
        async fn $name() {
            let hook = importing($import, "1")$(.file($file, $content))*;
            assert_eq!(refusal(&hook).await, $message);
        }
    )+};
}

refused! {
    missing_file: "import './helper';", "helper.mjs" => ""
        => "cannot import helper from index.mjs:1:8: there is no such file; did you mean `helper.mjs`?";
    missing_file_with_another_end: "import './helper.js';", "helper.ts" => ""
        => "cannot import helper.js from index.mjs:1:8: there is no such file; did you mean `helper.ts`?";
    folder: "import './lib';", "lib/index.mjs" => ""
        => "cannot import lib from index.mjs:1:8: it is a folder; name the file in it, for instance index.mjs";
    json_without_attribute: "import d from './d.json';", "d.json" => "{}"
        => "cannot import d.json from index.mjs:1:15: write `with { type: 'json' }` after the import of a JSON file";
    json_that_is_none: "import d from './d.json' with { type: 'json' };", "d.json" => "{ nope }"
        => "SyntaxError: Expected property name or '}' in JSON at position 2 (line 1 column 3)";
    json_type_of_a_script: "import d from './d.mjs' with { type: 'json' };", "d.mjs" => ""
        => "cannot import d.mjs from index.mjs:1:15: it is not a .json file";
    node_module: "import fs from 'node:fs';"
        => "cannot import `node:fs` from index.mjs: it is built into Node, and this hook runs in the web tier; the cargo feature `node` of hookhost runs it in the Node tier";
    node_module_without_prefix: "import { join } from 'path';"
        => "cannot import `path` from index.mjs: it is built into Node, and this hook runs in the web tier; the cargo feature `node` of hookhost runs it in the Node tier";
    node_module_unknown: "import 'node:unknown';"
        => "cannot import `node:unknown` from index.mjs: it is built into Node, and this hook runs in the web tier; the cargo feature `node` of hookhost runs it in the Node tier";
    node_module_in_a_helper: "import './lib/x.mjs';", "lib/x.mjs" => "import 'node:crypto';"
        => "cannot import `node:crypto` from lib/x.mjs: it is built into Node, and this hook runs in the web tier; the cargo feature `node` of hookhost runs it in the Node tier";
    remote: "import 'https://example.com/x.mjs';"
        => "cannot import `https://example.com/x.mjs` from index.mjs: modules are files, and `https:` is none; copy it beside the hook or install it as a package";
    npm_scheme: "import 'npm:left-pad';"
        => "cannot import `npm:left-pad` from index.mjs: modules are files, and `npm:` is none; copy it beside the hook or install it as a package";
    package_that_is_not_there: "import 'left-pad';"
        => "cannot import `left-pad` from index.mjs: there is no package `left-pad` in the folder node_modules beside it or in one above; install it, or write `./left-pad` if it is a file";
    package_path_that_is_not_exported: "import 'p/inner.js';",
        "node_modules/p/package.json" => r#"{"exports":"./a.js"}"#, "node_modules/p/inner.js" => ""
        => "cannot import `p/inner.js` from index.mjs: [ERR_PACKAGE_PATH_NOT_EXPORTED] Package subpath './inner.js' is not defined by \"exports\" in '<folder>/node_modules/p/package.json', at least not for the conditions `import` and `default`, which hold here";
    package_without_an_entry: "import 'p';", "node_modules/p/package.json" => "{}"
        => "cannot import `p` from index.mjs: [ERR_MODULE_NOT_FOUND] Cannot find module 'file://<folder>/node_modules/p/index.js'";
    package_with_broken_json: "import 'p';", "node_modules/p/package.json" => "{ nope"
        => "cannot import `p` from index.mjs: [ERR_INVALID_PACKAGE_CONFIG] Invalid package config. Malformed package.json '<folder>/node_modules/p/package.json'.";
    package_with_only_node: "import 'p';", "node_modules/p/package.json" => r#"{"exports":{"node":"./a.js"}}"#
        => "cannot import `p` from index.mjs: [ERR_PACKAGE_PATH_NOT_EXPORTED] No \"exports\" main defined in '<folder>/node_modules/p/package.json', at least not for the conditions `import` and `default`, which hold here";
    package_import_unknown: "import '#nope';", "package.json" => r##"{"imports":{"#x":"./x.mjs"}}"##
        => "cannot import `#nope` from index.mjs: [ERR_PACKAGE_IMPORT_NOT_DEFINED] Package import specifier \"#nope\" is not defined in package <folder>/package.json";
    common_js_package: "import p from 'p';",
        "node_modules/p/package.json" => r#"{"main":"p.js"}"#, "node_modules/p/p.js" => "const x = require('x');\nmodule.exports = x;"
        => "cannot import node_modules/p/p.js from index.mjs:1:15: it is a CommonJS module, and this hook runs in the web tier; write it as an ES module (export instead of module.exports), or use the Node tier (cargo feature `node` of hookhost)";
    common_js_file: "import './x.cjs';", "x.cjs" => ""
        => "cannot import x.cjs from index.mjs:1:8: it is a CommonJS module, and this hook runs in the web tier; write it as an ES module (export instead of module.exports), or use the Node tier (cargo feature `node` of hookhost)";
    not_utf8: "import './x.mjs';", "x.mjs" => b"export default '\xff';"
        => "cannot import x.mjs from index.mjs:1:8: it is not UTF-8 text (at byte 16)";
    binary: "import './x.wasm';", "x.wasm" => b"\0asm\x01\0\0\0"
        => "cannot import x.wasm from index.mjs:1:8: it is a binary file; a module is JavaScript, TypeScript or JSON";
    missing_export: "import { nope } from './x.mjs';", "x.mjs" => "export const yes = 1;"
        => "SyntaxError: The requested module './x.mjs' does not provide an export named 'nope'";
    syntax_error_in_a_helper: "import './x.mjs';", "x.mjs" => "let a = ;"
        => "SyntaxError: Unexpected token ';'";
    unknown_attribute: "import d from './d.css' with { type: 'css' };", "d.css" => ""
        => "cannot import d.css from index.mjs:1:15: the import type `css` is not known here; there is `json`";
    bare_name_of_a_file: "import 'helper.mjs';", "helper.mjs" => ""
        => "cannot import `helper.mjs` from index.mjs: there is no package `helper.mjs` in the folder node_modules beside it or in one above; install it, or write `./helper.mjs` if it is a file";
}

#[tokio::test]
async fn a_dynamic_import_that_fails_rejects_with_the_same_words() {
    let hook = importing("", "await import('./nope.mjs')");
    let failure = hook.failure().await;
    assert_eq!(failure.message, "TypeError: cannot load nope.mjs: there is no such file");
}

#[tokio::test]
async fn what_v8_refuses_has_a_place() {
    for (imports, at) in [
        ("import { nope } from './x.mjs';", Some("index.mjs:1:10")),
        ("import './syntax.mjs';", Some("syntax.mjs:2:9")),
        ("import data from './broken.json' with { type: 'json' };", None),
    ] {
        let hook =
            importing(imports, "1").file("x.mjs", "").file("syntax.mjs", "\nlet a = ;").file("broken.json", "{ nope }");
        assert_eq!(hook.load_failure().await.at.as_deref(), at, "{imports}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn what_could_be_read_for_ever_is_no_module() {
    let failure = hook("import '/dev/zero';").load_failure().await;
    let message = "cannot import /dev/zero from index.mjs:1:8: it is a device or a pipe; a module is a file";
    assert!(failure.message.contains(message), "{failure}");
}

/// The parser is Rust: a stack that overflows there would end the process.
#[tokio::test]
async fn code_that_nests_deeply_ends_nothing() {
    let nested = |depth: usize| {
        format!("export default () => ({{ action: 'allow', note: {}1{} }});", "(".repeat(depth), ")".repeat(depth))
    };
    let reply = Hook::with("index.ts", &nested(1500)).reply().await;
    assert_eq!(reply["note"], 1);
    let failure = Hook::with("index.ts", &nested(200_000)).load_failure().await;
    assert!(failure.message.contains("nest more than 2000 deep"), "{failure}");
    // Not in brackets, as generated code has it.
    let sum = format!("export default () => ({{ action: 'allow', note: {}0 }});", "1 + ".repeat(3000));
    assert_eq!(Hook::with("index.ts", &sum).reply().await["note"], 3000);
    let common = format!("const x = {}1{}; require('y');", "[".repeat(100_000), "]".repeat(100_000));
    Hook::with("index.js", &common).load_failure().await;
}

#[tokio::test]
async fn code_that_nests_without_brackets_ends_nothing() {
    for (source, message) in [
        ("a=>".repeat(60_000) + "1;", "its code nests more than 2000 deep at 1:"),
        (format!("let x: {}a;", "keyof ".repeat(300_000)), " at 1:"),
        (format!("1{};", "+1".repeat(3_000_000)), "it has more than 10000 operators in one chain at 1:"),
        ("a=>".repeat(5000) + "1;", "its code nests more than 2000 deep at 1:"),
        ("if(a)".repeat(200_000) + ";", "its code nests more than 2000 deep at 1:"),
        (format!("{}1{};", "<a>(".repeat(60), ")".repeat(60)), "it takes the parser too long"),
        (format!("x = {}a{};", "class extends ".repeat(24), "{}".repeat(24)), "its classes with `extends` nest"),
    ] {
        let failure = importing("import './big.ts';", "1").file("big.ts", source).load_failure().await;
        assert!(failure.message.contains("cannot import big.ts from index.mjs:1:8: syntax error: "), "{failure}");
        assert!(failure.message.contains(message), "{failure}");
    }
    // What is only looked at for CommonJS is V8's to refuse, on its own stack.
    for nested in ["a=>".repeat(60_000), "!".repeat(300_000), "if(a)".repeat(200_000)] {
        importing("import './big.js';", "1").file("big.js", format!("{nested}require('y');")).load_failure().await;
    }
}

/// Its text would never end, and no JavaScript runs that could be stopped.
#[cfg(unix)]
#[tokio::test]
async fn a_package_json_that_is_a_device_is_not_read() {
    let hook = hook("import 'p'; export default { run: () => ({ action: 'allow' }) };").file("node_modules/p/a.js", "");
    std::os::unix::fs::symlink("/dev/zero", hook.folder.path().join("node_modules/p/package.json")).unwrap();
    let failure = hook.load_failure().await;
    assert!(failure.message.contains("Failed reading"), "{failure}");
}
