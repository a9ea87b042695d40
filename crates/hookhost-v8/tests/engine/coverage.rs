//! Which lines and functions of a hook have run.

use std::sync::Arc;
use std::time::Duration;

use hookhost_v8::{CoverageSink, FileCoverage};
use serde_json::json;

use crate::support::{Hook, PATIENCE, SHORT, call, call_within, fails, hook, reply};

/// What was counted of the file that is called so.
pub(crate) fn counted(sink: &CoverageSink, name: &str) -> FileCoverage {
    let files = sink.files();
    let names: Vec<_> = files.iter().map(|file| file.path.display().to_string()).collect();
    files.into_iter().find(|file| file.path.ends_with(name)).unwrap_or_else(|| panic!("{name} is not in {names:?}"))
}

pub(crate) fn lines(file: &FileCoverage) -> Vec<(u32, u64)> {
    file.lines.iter().map(|(line, count)| (*line, *count)).collect()
}

fn functions(file: &FileCoverage) -> Vec<(&str, u32, u64)> {
    file.functions.iter().map(|function| (function.name.as_str(), function.line, function.count)).collect()
}

/// The hook, counted.
pub(crate) fn counting(hook: Hook) -> (Hook, Arc<CoverageSink>) {
    let sink = Arc::new(CoverageSink::new());
    (hook.coverage(sink.clone()), sink)
}

const BRANCHES: &str = "// A comment, and a blank line.

import { helper } from './helper.mjs';
export default {
  run(point, payload) {
    if (payload.text === 'a') {
      return helper('a');
    }
    if (payload.text === 'never') {
      throw new Error('never');
    }
    return { action: 'allow' };
  },
};
";

#[tokio::test]
async fn lines_and_functions_are_counted_in_each_file() {
    let (hook, sink) = counting(hook(BRANCHES).file(
        "helper.mjs",
        "export function helper(note) {\n  return { action: 'allow', note };\n}\nexport const unused = () => {\n  no();\n};\n",
    ));
    let instance = hook.start().await;
    for text in ["a", "b", "b"] {
        reply(call(&instance, json!({ "text": text })).await);
    }
    assert_eq!(sink.files(), [], "an instance adds what it has counted when it ends");
    drop(instance);
    let index = counted(&sink, "index.mjs");
    assert_eq!(lines(&index), [(3, 1), (4, 1), (5, 3), (6, 3), (7, 1), (9, 2), (10, 0), (12, 2)]);
    assert_eq!(functions(&index), [("run", 5, 3)]);
    assert_eq!((index.lines_run(), index.functions_run()), ((7, 8), (1, 1)));
    let helper = counted(&sink, "helper.mjs");
    assert_eq!(lines(&helper), [(1, 1), (2, 1), (4, 1), (5, 0)]);
    assert_eq!(functions(&helper), [("helper", 1, 1), ("unused", 4, 0)]);
}

#[tokio::test]
async fn typescript_is_counted_in_its_authors_lines() {
    let source = "type Answer = {\n  action: string;\n};\n\ninterface Payload { text: string }\n\n\
        export default {\n  run(point: string, payload: Payload): Answer {\n    if (payload.text === 'x') {\n      \
        const reason: string = 'x';\n      return { action: 'block', reason } as Answer;\n    }\n    \
        return { action: 'allow' };\n  },\n};\n";
    let (hook, sink) = counting(Hook::with("index.ts", source));
    hook.reply().await;
    let index = counted(&sink, "index.ts");
    assert_eq!(lines(&index), [(7, 1), (8, 1), (9, 1), (10, 0), (11, 0), (13, 1)]);
    assert_eq!(functions(&index), [("run", 8, 1)]);
}

#[tokio::test]
async fn a_hook_that_is_killed_has_counted_what_it_ran() {
    let source = "export default { run(point, payload) {\n  if (payload.code) {\n    while (true) {}\n  }\n  \
        return { action: 'allow' };\n} };";
    let (hook, sink) = counting(hook(source));
    let instance = hook.start().await;
    reply(call(&instance, json!({})).await);
    fails(&instance, "hang", SHORT).await;
    // It is loaded again, and what both have counted adds up.
    reply(call_within(&instance, json!({}), PATIENCE).await);
    drop(instance);
    let index = counted(&sink, "index.mjs");
    assert_eq!(index.lines[&1], 3, "{index:?}");
    assert!(index.lines[&3] > 0, "{index:?}");
    assert_eq!(index.lines[&5], 2, "{index:?}");
}

#[tokio::test]
async fn what_is_installed_is_not_counted() {
    let (hook, sink) = counting(
        hook("import { no } from 'pack';\nexport default { run: () => ({ action: 'allow', note: no() }) };")
            .file("node_modules/pack/package.json", r#"{"name": "pack", "exports": "./index.mjs"}"#)
            .file("node_modules/pack/index.mjs", "export const no = () => 'no';"),
    );
    hook.reply().await;
    assert_eq!(sink.files().len(), 1);
}

#[tokio::test]
async fn a_hook_that_cannot_be_loaded_has_counted_how_far_it_came() {
    let (hook, sink) = counting(hook(
        "export function createHook(config) {\n  if (!config.a) {\n    throw new Error('no');\n  }\n  return {\n    run() {}\n  };\n}\n",
    ));
    assert_eq!(hook.load_failure().await.message, "Error: no");
    assert_eq!(lines(&counted(&sink, "index.mjs")), [(1, 1), (2, 1), (3, 1), (5, 0), (6, 0)]);
}

#[tokio::test]
async fn a_module_that_throws_or_is_none_fails_as_ever() {
    for source in ["throw new Error('no');", "export default {", "await new Promise(() => {});"] {
        let (counted, _) = counting(hook(source));
        let plain = hook(source);
        assert_eq!(counted.load_failure().await, plain.load_failure().await, "{source}");
    }
}

#[tokio::test]
async fn memory_that_is_used_up_is_no_danger() {
    let source = "const kept = []; export default { run(point, payload) {\n  while (payload.code) kept.push(new Array(1e5).fill(0));\n  \
        return { action: 'allow' };\n} };";
    let (hook, _sink) = counting(hook(source));
    let instance = hook.start().await;
    let failure = fails(&instance, "fill", Duration::from_secs(15)).await;
    assert_eq!(failure.cause, hookhost_contract::FailureCause::OutOfMemory, "{failure}");
    reply(call(&instance, json!({})).await);
}
