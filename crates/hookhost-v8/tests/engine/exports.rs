//! Every accepted export shape, and what is none.

use hookhost_contract::FailureCause;
use serde_json::json;

use crate::support::hook;

/// Replies with its config, so that a factory can be told from a run.
const ALLOW: &str = "({ action: 'allow', note: config?.mark })";

macro_rules! accepted {
    ($($name:ident: $source:expr => $note:expr;)+) => {$(
        #[tokio::test]
        async fn $name() {
            let source = $source.replace("ALLOW", ALLOW);
            let reply = hook(&source).config(json!({ "mark": "from config" })).reply().await;
            assert_eq!(reply, json!({ "action": "allow", "note": $note }), "{source}");
        }
    )+};
}

accepted! {
    create_hook_to_object: "export function createHook(config) { return { run: () => ALLOW }; }" => "from config";
    create_hook_to_function: "export const createHook = (config) => () => ALLOW;" => "from config";
    create_hook_async: "export async function createHook(config) { return { async run() { return ALLOW; } }; }" => "from config";
    create_hook_without_parameters: "export function createHook() { return { run() { return { action: 'allow', note: 'none' }; } }; }" => "none";
    create_hook_with_two_parameters: "export function createHook(config, extra) { return () => ALLOW; }" => "from config";
    create_hook_object: "export const createHook = { run: () => ({ action: 'allow', note: 'object' }) };" => "object";
    create_hook_before_default: "export default () => ({}); export const createHook = (config) => () => ALLOW;" => "from config";
    default_factory_to_object: "export default function (config) { return { run: () => ALLOW }; }" => "from config";
    default_factory_to_function: "export default (config) => () => ALLOW;" => "from config";
    default_factory_async: "export default async (config) => ({ run: async () => ALLOW });" => "from config";
    default_object: "export default { run: () => ({ action: 'allow', note: 'object' }) };" => "object";
    default_run_of_two: "export default function (point, payload) { return { action: 'allow', note: point + payload.text }; }" => "preInputhello";
    default_run_of_three: "export default async (point, payload, ctx) => ({ action: 'allow', note: ctx.hookName });" => "tested";
    default_run_of_one: "export default (point) => ({ action: 'allow', note: String(point) });" => "preInput";
    default_run_of_none: "export default function () { return { action: 'allow', note: String(arguments.length) }; }" => "3";
    default_run_async_of_none: "export default async () => ({ action: 'allow', note: 'bare' });" => "bare";
    factory_gives_a_class_instance:
        "class Hook { constructor(config) { this.config = config; } run() { return { action: 'allow', note: this.config.mark }; } }
         export const createHook = (config) => new Hook(config);" => "from config";
    this_is_the_hook_object:
        "export default { mark: 'mine', run() { return { action: 'allow', note: this.mark }; } };" => "mine";
}

#[tokio::test]
async fn what_is_no_hook_fails_to_load_and_says_why() {
    for (source, message) in [
        ("export const hook = 1, other = 2;", "it exports hook, other"),
        ("", "it exports nothing"),
        ("export const createHook = 42;", "createHook is a number: export a function"),
        (
            "export function createHook() {}",
            "createHook returned undefined: return a function, or an object with a run function",
        ),
        (
            "export const createHook = () => ({ run: 'no' });",
            "createHook returned an object without a run function: return a function, or an object with a run function",
        ),
        ("export default 'text';", "the default export is a string: export a function"),
        ("export default { ruin() {} };", "the default export is an object without a run function"),
    ] {
        let failure = hook(source).load_failure().await;
        assert!(failure.message.contains(message), "{source}: {failure}");
    }
}

#[tokio::test]
async fn a_hook_that_cannot_start_fails_every_call_with_its_place() {
    for (source, message, at) in [
        ("\n\nthrow new Error('no key');", "Error: no key", "index.mjs:3:7"),
        (
            "export function createHook() {\n  throw new TypeError('bad config');\n}",
            "TypeError: bad config",
            "index.mjs:2:9",
        ),
        (
            "export async function createHook() {\n  await null;\n  throw new Error('later');\n}",
            "Error: later",
            "index.mjs:3:9",
        ),
        ("export const x = 1;\nconst x = 2;", "SyntaxError: Identifier 'x' has already been declared", "index.mjs:2:7"),
        ("await Promise.reject(new Error('top'));", "Error: top", "index.mjs:1:22"),
        (
            "export default class Guard { run() {} }",
            "TypeError: Class constructor Guard cannot be invoked without 'new'",
            "",
        ),
    ] {
        let hook = hook(source);
        let failure = hook.load_failure().await;
        assert_eq!(failure.message, message, "{source}");
        if !at.is_empty() {
            assert_eq!(failure.at.as_deref(), Some(at), "{source}");
        }
        let at_call = hook.failure().await;
        assert_eq!((at_call.cause, at_call.message), (FailureCause::LoadFailed, failure.message));
    }
}

#[tokio::test]
async fn a_load_that_waits_for_nothing_fails_at_once() {
    for source in ["await new Promise(() => {});", "export const createHook = () => new Promise(() => {});"] {
        let failure = hook(source).load_failure().await;
        let told = ["never comes", "never resolved"].iter().any(|words| failure.message.contains(words));
        assert!(told, "{source}: {failure}");
    }
}
