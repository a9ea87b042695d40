//! What holds for any text that comes from outside.
//!
//! libFuzzer calls these with what it finds, and a test of hookhost-loader with the seeds and with random bytes: this
//! file is compiled in both places. Each function panics where something does not hold.

// Each fuzz target uses one of the functions.
#![allow(dead_code, clippy::panic, clippy::unwrap_used, clippy::expect_used, reason = "a panic is a find")]

use std::path::Path;

use hookhost_contract::{HookDecision, Injection, JsonObject, Reply, ReplyAction, STOP_WORDS, parse_json};
use hookhost_loader::{Diagnostic, Position, Severity, parse_fixtures, parse_manifest, parse_settings};
use serde_json::{Value, json};

/// Any text as a `hook.json`: it is a manifest, or there is a reason why not. A manifest that is written down is the
/// same manifest.
pub(crate) fn manifest(bytes: &[u8]) {
    // Bytes that are no text are refused where files are read.
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (manifest, problems) = parse_manifest(text);
    check_all(&problems, text);
    let refused = problems.iter().any(|problem| problem.severity == Severity::Error);
    let Some(manifest) = manifest else {
        assert!(refused, "refused without a reason");
        return;
    };
    assert!(!refused, "accepted in spite of {problems:?}");
    assert!(serde_json::from_str::<Value>(text).is_ok(), "accepted, and no JSON");
    assert!(!manifest.points.is_empty());
    assert!(manifest.priority.is_finite());
    assert!(manifest.timeout_ms.is_none_or(|_| manifest.timeout().is_some()));

    let written = serde_json::to_string(&manifest).expect("a manifest can be written");
    let (again, problems) = parse_manifest(&written);
    assert_eq!(again.as_ref(), Some(&manifest), "{written}: {problems:?}");
    assert_eq!(serde_json::from_str(&written).ok(), Some(manifest), "{written}");
}

/// Any text as an `amodal.json`: it says something about hooks, or there is a reason why not. Settings that are written
/// down are the same settings.
pub(crate) fn settings(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (config, problems) = match parse_settings(text) {
        Ok(read) => read,
        Err(error) => {
            check_message(&error.to_string());
            assert!(error.to_string().starts_with("amodal.json:"), "{error}");
            return;
        }
    };
    check_all(&problems, text);
    assert!(problems.iter().all(|problem| problem.severity != Severity::Error), "{problems:?}");
    assert!(serde_json::from_str::<Value>(text).is_ok(), "accepted, and no JSON");

    let written = serde_json::to_string(&config).expect("settings can be written");
    match parse_settings(&written) {
        Ok((again, _)) => assert_eq!(again, config, "{written}"),
        Err(error) => panic!("{written}: {error}"),
    }
    assert_eq!(serde_json::from_str(&written).ok(), Some(config), "{written}");
}

/// Any text as a fixture file: each fixture is complete, or there is a reason why not, with its place.
pub(crate) fn fixtures(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let loaded = match parse_fixtures(Path::new("a.fixture.json"), text.to_owned()) {
        Ok(loaded) => loaded,
        Err(error) => {
            check_message(&error.to_string());
            return check_position(error.position.expect("a text has places"), text);
        }
    };
    assert!(parse_json(text).is_ok(), "accepted, and no JSON");
    for fixture in &loaded.fixtures {
        let fixture = match fixture {
            Ok(fixture) => fixture,
            Err(fault) => {
                check_message(&fault.message);
                check_position(fault.position, text);
                continue;
            }
        };
        check_position(fixture.position, text);
        assert!(!fixture.steps.is_empty(), "a fixture without a call");
        for step in &fixture.steps {
            check_position(step.position, text);
            let call = &step.call;
            assert!(call.point.is_some() && call.payload.is_some() && call.expect.is_none() && call.steps.is_empty());
            let written = serde_json::to_string(call).expect("a fixture can be written");
            let again = parse_fixtures(Path::new("b.fixture.json"), written.clone());
            let again = again.unwrap_or_else(|error| panic!("{written}: {error}"));
            let [Ok(again)] = &again.fixtures[..] else { panic!("{written}: {:?}", again.fixtures) };
            assert_eq!(&again.steps[0].call, call, "{written}");
        }
    }
}

/// Any text as a reply: one of the words, exactly, or it is refused; and a word that stops always stops. A reply that is
/// written down is the same reply.
pub(crate) fn reply(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(value) = parse_json(text) else { return };
    let word = value.get("action").and_then(Value::as_str);
    let reply = match Reply::parse(&value) {
        Ok(reply) => reply,
        Err(problem) => {
            assert!(!problem.to_string().is_empty());
            assert!(!word.is_some_and(|word| STOP_WORDS.contains(&word)), "a stop was refused: {problem}");
            assert!(!matches!(word, Some("allow" | "continue")), "an allow was refused: {problem}");
            return;
        }
    };
    let word = word.expect("a reply that is understood has an action");
    assert!(ReplyAction::WORDS.contains(&word), "{word:?} is no word");
    let stops = matches!(reply.decision, HookDecision::Block { .. } | HookDecision::Ask { .. });
    assert_eq!(stops, STOP_WORDS.contains(&word), "{word}");
    assert_eq!(reply.decision == HookDecision::Allow, matches!(word, "allow" | "continue"), "{word}");

    let written = written(&reply).to_string();
    let again = parse_json(&written).expect("what was written is JSON");
    assert_eq!(Reply::parse(&again), Ok(reply), "{written}");
}

/// A reply as a hook would write it.
fn written(reply: &Reply) -> Value {
    let mut fields = JsonObject::new();
    let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    match &reply.decision {
        HookDecision::Allow => {
            put("action", json!("allow"));
        }
        HookDecision::Block { reason } => {
            put("action", json!("block"));
            put("reason", json!(reason));
        }
        HookDecision::Modify { payload, note } => {
            put("action", json!("modify"));
            put("payload", json!(payload));
            put("note", json!(note));
        }
        HookDecision::Ask { reason, approval } => {
            put("action", json!("ask"));
            put("reason", json!(reason));
            put("approval_prompt", json!(approval.prompt));
            put("approval_options", json!(approval.options));
            put("approval_timeout", json!(approval.timeout_seconds));
            put("approval_default", json!(approval.default));
        }
        HookDecision::Inject(Injection { hook, content, role, ephemeral, append_to_last_tool_result }) => {
            assert_eq!(hook, "", "the chain fills it in");
            put("action", json!("inject_context"));
            put("context_injection", json!(content));
            put("context_injection_role", json!(role));
            put("ephemeral", json!(ephemeral));
            put("append_to_last_tool_result", json!(append_to_last_tool_result));
        }
    }
    if let Some(message) = &reply.message {
        put("user_message", json!(message.text));
        put("user_message_level", json!(message.level));
    }
    Value::Object(fields)
}

/// Problems are printed to terminals, with their place in the text.
fn check_all(problems: &[Diagnostic], text: &str) {
    for problem in problems {
        check_message(&problem.to_string());
        check_position(problem.position.expect("a problem with a text has its place there"), text);
    }
}

fn check_position(position: Position, text: &str) {
    let lines = text.bytes().filter(|byte| *byte == b'\n').count() + 1;
    assert!((1..=lines).contains(&position.line), "{position}");
    let line = text.split('\n').nth(position.line - 1).unwrap_or_default();
    assert!((1..=line.chars().count() + 1).contains(&position.column), "{position}");
}

fn check_message(message: &str) {
    assert!(!message.is_empty());
    let obeyed = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    assert!(!message.chars().any(obeyed), "{message:?}");
}
