//! The same in the Node tier, CommonJS included.

use crate::coverage::{counted, counting, lines};
use crate::node_modules::node;

#[tokio::test]
async fn an_es_module_is_counted() {
    let source = "import { join } from 'node:path';\nexport default { run() {\n  if (join('a', 'b') === 'c') {\n    \
        return no();\n  }\n  return { action: 'allow' };\n} };\n";
    let (hook, sink) = counting(node("index.mjs", source));
    hook.reply().await;
    assert_eq!(lines(&counted(&sink, "index.mjs")), [(1, 1), (2, 1), (3, 1), (4, 0), (6, 1)]);
}

#[tokio::test]
async fn a_common_js_module_and_what_it_requires_are_counted() {
    let source = "const { yes } = require('./yes.js');\nmodule.exports = { run() {\n  if (!yes) {\n    return no();\n  \
        }\n  return { action: 'allow' };\n} };\n";
    let (hook, sink) =
        counting(node("index.js", source).file("yes.js", "exports.yes = true;\nexports.no = () => 1;\n"));
    hook.reply().await;
    assert_eq!(lines(&counted(&sink, "index.js")), [(1, 1), (2, 1), (3, 1), (4, 0), (6, 1)]);
    assert_eq!(lines(&counted(&sink, "yes.js")), [(1, 1), (2, 1)]);
}
