//! What is said of modules that cannot be loaded in the Node tier, and the places of errors in all kinds of files.

use hookhost_contract::Failure;

use crate::node_modules::{cjs, esm, node};
use crate::support::{Hook, masked};

/// How the hook fails to load, with its folder masked, and where.
async fn failure(hook: &Hook) -> (String, Option<String>) {
    let Failure { message, at, .. } = hook.load_failure().await;
    (masked(&message, hook.folder.path()), at)
}

/// The message and the place for a hook with these files beside it.
macro_rules! refused {
    ($($name:ident: $hook:expr $(, $file:expr => $content:expr)* => $message:expr, $at:expr;)+) => {$(
        #[tokio::test]
        async fn $name() {
            let hook = $hook$(.file($file, $content))*;
            let (message, at) = failure(&hook).await;
            assert_eq!((&*message, at.as_deref()), ($message, $at));
        }
    )+};
}

const NOTHING: Option<&str> = None;

refused! {
    // --- the specifier and who wrote it

    unknown_built_in_module_by_import: esm("import 'node:nope';", "1")
        => "cannot import `node:nope` from index.mjs: there is no module of that name in Node", NOTHING;
    unknown_built_in_module_by_require: cjs("require('./a');", "1"), "a.js" => "\n  require('node:nope');"
        => "Error: No such built-in module: node:nope", Some("a.js:2:3");
    missing_package_by_import: esm("import './lib/a.mjs';", "1"), "lib/a.mjs" => "import 'nope/x';"
        => "cannot import `nope/x` from lib/a.mjs: there is no package `nope` in the folder node_modules beside it or in one above; install it, or write `./nope/x` if it is a file",
           NOTHING;
    missing_package_by_require: esm("import './lib/a.cjs';", "1"), "lib/a.cjs" => "\n  require('nope/x');"
        => "Error: Cannot find module 'nope/x'\nRequire stack:\n- <folder>/lib/a.cjs\n- <folder>/lib/a.cjs", Some("lib/a.cjs:2:3");
    missing_file_by_import: esm("import './nope';", "1"), "nope.mjs" => ""
        => "cannot import nope from index.mjs:1:8: there is no such file; did you mean `nope.mjs`?", NOTHING;
    missing_file_by_require: esm("import './a.cjs';", "1"), "a.cjs" => "require('./lib/b.js');", "lib/b.js" => "const c = require('../c');"
        => "Error: Cannot find module '../c'\nRequire stack:\n- <folder>/lib/b.js\n- <folder>/a.cjs\n- <folder>/a.cjs", Some("lib/b.js:1:11");
    folder_by_import: esm("import '.';", "1")
        => "cannot import . from index.mjs:1:8: it is a folder; name the file in it, for instance index.mjs", NOTHING;
    subpath_that_is_not_exported_by_import: esm("import 'p/nope';", "1"), "node_modules/p/package.json" => r#"{ "exports": { "./a": "./a.js" } }"#
        => "cannot import `p/nope` from index.mjs: [ERR_PACKAGE_PATH_NOT_EXPORTED] Package subpath './nope' is not defined by \"exports\" in '<folder>/node_modules/p/package.json', at least not for the conditions `node`, `import`, `module-sync` and `default`, which hold here",
           NOTHING;
    subpath_that_is_not_exported_by_require: cjs("require('p/nope');", "1"), "node_modules/p/package.json" => r#"{ "exports": { "./nope": null } }"#
        => "Error: [ERR_PACKAGE_PATH_NOT_EXPORTED] Package subpath './nope' is not defined by \"exports\" in '<folder>/node_modules/p/package.json' imported from 'file://<folder>/index.js'",
           Some("index.js:1:1");
    exported_file_that_is_missing_by_import: esm("import 'p';", "1"), "node_modules/p/package.json" => r#"{ "exports": "./no.cjs" }"#
        => "cannot import `p` from index.mjs: [ERR_MODULE_NOT_FOUND] Cannot find module 'file://<folder>/node_modules/p/no.cjs'", NOTHING;
    exported_file_that_is_missing_by_require: cjs("require('p');", "1"), "node_modules/p/package.json" => r#"{ "exports": "./no.cjs" }"#
        => "Error: Cannot find module '<folder>/node_modules/p/no.cjs'", Some("index.js:1:1");
    main_that_is_missing: cjs("require('p');", "1"), "node_modules/p/package.json" => r#"{ "main": "./no.cjs" }"#
        => "Error: Cannot find module '<folder>/node_modules/p/no.cjs'. Please verify that the package.json has a valid \"main\" entry", Some("index.js:1:1");
    import_of_nothing: cjs("require('#nope');", "1"), "package.json" => r##"{ "imports": { "#x": "./x.js" } }"##
        => "Error: [ERR_PACKAGE_IMPORT_NOT_DEFINED] Package import specifier \"#nope\" is not defined in package <folder>/package.json imported from 'file://<folder>/index.js'",
           Some("index.js:1:1");
    name_that_commonjs_does_not_export: esm("import { nope } from './a.cjs';", "1"), "a.cjs" => "exports.a = 1;"
        => "SyntaxError: The requested module './a.cjs' does not provide an export named 'nope'", Some("index.mjs:1:10");

    // --- what is no text

    json_by_require: cjs("\nrequire('./d.json');", "1"), "d.json" => "{ nope }"
        => "SyntaxError: <folder>/d.json: Expected property name or '}' in JSON at position 2 (line 1 column 3)", Some("index.js:2:1");
    json_by_import: esm("import d from './d.json' with { type: 'json' };", "1"), "d.json" => "{ nope }"
        => "SyntaxError: Expected property name or '}' in JSON at position 2 (line 1 column 3)", NOTHING;
    a_binary_file: cjs("require('./b.cjs');", "1"), "b.cjs" => b"\0asm"
        => "Error: cannot load <folder>/b.cjs: it is a binary file; a module is JavaScript, TypeScript or JSON", Some("index.js:1:1");
    what_is_no_utf8: cjs("require('./b.cjs');", "1"), "b.cjs" => b"exports.a = '\xff';"
        => "Error: cannot load <folder>/b.cjs: it is not UTF-8 text (at byte 13)", Some("index.js:1:1");

    // --- syntax errors have the place in their own file

    syntax_of_the_handler: node("index.js", "module.exports = {\n  run() { return ]; }\n};")
        => "SyntaxError: Unexpected token ']'", Some("index.js:2:18");
    syntax_of_a_required_file: cjs("\n\nrequire('./rules.cjs');", "1"), "rules.cjs" => "const a = 1;\n  const b = ;\n"
        => "SyntaxError: Unexpected token ';'", Some("rules.cjs:2:13");
    syntax_in_the_first_line: cjs("\n\nrequire('./lib/rules');", "1"), "lib/rules.js" => "const b = ;"
        => "SyntaxError: Unexpected token ';'", Some("lib/rules.js:1:11");
    syntax_of_imported_commonjs: esm("import './rules.cjs';", "1"), "rules.cjs" => "const a = 1;\n  const b = ;\n"
        => "SyntaxError: Unexpected token ';'", Some("rules.cjs:2:13");
    syntax_of_a_js_file: esm("import './r.js';", "1"), "r.js" => "const fs = require('fs');\nmodule.exports = ;\n"
        => "SyntaxError: Unexpected token ';'", Some("r.js:2:18");
    syntax_of_an_es_module: esm("import './m.mjs';", "1"), "m.mjs" => "const a = 1;\n  const b = ;\n"
        => "SyntaxError: Unexpected token ';'", Some("m.mjs:2:13");
    syntax_of_an_es_module_by_dynamic_import: esm("await import('./with%20space.mjs');", "1"), "with space.mjs" => "const a = 1;\n  const b = ;\n"
        => "SyntaxError: Unexpected token ';'", Some("with space.mjs:2:13");
    // V8's place is lost on the way. Who requires it is known.
    syntax_of_an_es_module_by_require: cjs("\nrequire('./m.mjs');", "1"), "m.mjs" => "const a = 1;\n  const b = ;\n"
        => "SyntaxError: Unexpected token ';'", Some("index.js:2:1");
    syntax_of_typescript_by_import: esm("import './a.cts';", "1"), "a.cts" => "let a: number = 1;\nlet b = ;"
        => "cannot import a.cts from index.mjs:1:8: syntax error: Expression expected at 2:9", NOTHING;
    syntax_of_typescript_by_require: cjs("require('./a.cts');", "1"), "a.cts" => "let a: number = 1;\nlet b = ;"
        => "Error: cannot load <folder>/a.cts: Expression expected at 2:9", Some("index.js:1:1");

    // --- errors that are thrown

    thrown_in_commonjs_at_load: cjs("require('./rules.cjs');", "1"), "rules.cjs" => "\n\n   null.x;"
        => "TypeError: Cannot read properties of null (reading 'x')", Some("rules.cjs:3:9");
    thrown_in_the_first_line: esm("import './rules.cjs';", "1"), "rules.cjs" => "null.x;"
        => "TypeError: Cannot read properties of null (reading 'x')", Some("rules.cjs:1:6");
    thrown_in_a_package: cjs("require('p').guard();", "1"), "node_modules/p/index.js" => "exports.guard = () => {\n  throw new RangeError('far');\n};"
        => "RangeError: far", Some("node_modules/p/index.js:2:9");
    thrown_in_typescript: cjs("require('./a.cts')();", "1"), "a.cts" => "interface A {\n  a: string;\n}\nmodule.exports = (): never => {\n  throw new Error('here' as string);\n};"
        => "Error: here", Some("a.cts:5:9");
    es_module_with_await_by_require: cjs("require('./m.mjs');", "1"), "m.mjs" => "await 1;"
        => "Error [ERR_REQUIRE_ASYNC_MODULE]: require() cannot be used on an ESM graph with top-level await. Use import() instead. To see where the top-level await comes from, use --stack-trace-limit=100 and inspect the dependency graph. Requiring file://<folder>/m.mjs. From <folder>/index.js\nRequire stack:\n- <folder>/index.js\n- <folder>/index.js",
           Some("index.js:1:1");
    es_module_in_a_cycle_of_require: esm("import './a.mjs';", "1"), "a.mjs" => "import c from './c.cjs'; export const v = c;", "c.cjs" => "exports.a = require('./a.mjs');"
        => "Error: Cannot require() ES Module file://<folder>/a.mjs in a cycle.", Some("c.cjs:1:13");
}

#[tokio::test]
async fn errors_of_calls_have_the_place_in_commonjs() {
    let failure = cjs("", "require('./rules').check()")
        .file("rules.js", "exports.check = () => {\n    throw new Error('no');\n};")
        .failure()
        .await;
    assert_eq!((&*failure.message, failure.at.as_deref()), ("Error: no", Some("rules.js:2:11")));
}
