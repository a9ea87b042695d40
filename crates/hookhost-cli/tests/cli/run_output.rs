//! What `hookhost run` prints for people and for programs, and its exit code.

use crate::support::{Folder, MANIFEST, hookhost};

#[test]
fn an_allow() {
    insta::assert_snapshot!(hookhost("run preToolUse --payload fixtures/payloads/submission-review.json"));
}

#[test]
fn a_block() {
    insta::assert_snapshot!(hookhost("run preToolUse --payload fixtures/payloads/path-escape.json"));
}

#[test]
fn an_ask() {
    insta::assert_snapshot!(hookhost(
        "run preToolUse --payload fixtures/payloads/transfer.json --store fixtures/stores/members.json --caller user=u1"
    ));
}

#[test]
fn a_modify() {
    insta::assert_snapshot!(hookhost("run preInput --payload fixtures/payloads/input-with-pii.json"));
}

#[test]
fn a_hook_that_cannot_start() {
    insta::assert_snapshot!(hookhost(
        "run preToolUse --project fixtures/project --payload fixtures/payloads/legacy-tool.json"
    ));
}

#[test]
fn one_hook_alone() {
    insta::assert_snapshot!(hookhost("run preToolUse --payload fixtures/payloads/path-escape.json --hook secret-scan"));
}

#[test]
fn nobody_was_asked() {
    let folder = Folder::new().hook("guard", MANIFEST, "").file("call.json", "{}");
    insta::assert_snapshot!(folder.hookhost("run postTurn --payload call.json --project agent"));
}

#[test]
fn for_programs() {
    insta::assert_snapshot!(hookhost("run preToolUse --format json --payload fixtures/payloads/path-escape.json"));
}

/// The keys that the documentation promises are there whatever the decision, and null where there is nothing to say.
#[test]
fn for_programs_every_documented_key_is_there() {
    for (line, code) in [
        ("preToolUse --payload fixtures/payloads/path-escape.json", 4),
        ("preToolUse --payload fixtures/payloads/submission-review.json", 0),
        ("preInput --payload fixtures/payloads/input-with-pii.json", 0),
        ("preToolUse --project fixtures/project --payload fixtures/payloads/legacy-tool.json", 4),
        ("preToolUse --project fixtures/project --payload fixtures/payloads/refund.json", 3),
    ] {
        let ran = hookhost(&format!("run {line} --format json"));
        assert_eq!(ran.code, Some(code), "{ran}");
        let decision = ran.json();
        let has = |object: &serde_json::Value, keys: &[&str]| {
            for key in keys {
                assert!(object.get(key).is_some(), "`{key}` is missing in {object}");
            }
        };
        has(&decision, &["point", "action", "reason", "hook", "input", "output", "ran", "logs"]);
        for run in decision["ran"].as_array().unwrap() {
            has(run, &["hook", "action", "reason", "note", "durationMs", "failure"]);
            if !run["failure"].is_null() {
                has(&run["failure"], &["cause", "message", "at"]);
            }
        }
        for log in decision["logs"].as_array().unwrap() {
            has(log, &["hook", "message"]);
        }
    }
}

#[test]
fn everything_a_decision_can_say() {
    let talker = r#"
        export default {
          run: (_point, { text }, ctx) => {
            ctx.log("looked at", { text });
            ctx.log("two\nlines");
            return {
              action: "ask_user",
              reason: "The text has two lines.\nSend both?",
              approval_prompt: "Send?",
              user_message: "This may take a while",
              user_message_level: "warning",
            };
          },
        };"#;
    let adviser = r#"
        export default {
          run: () => ({ action: "inject_context", context_injection: "Answer in German." }),
        };"#;
    let editor = r#"
        export default {
          run: () => ({ action: "modify", payload: { text: "bye", source: "api" }, note: "shorter" }),
        };"#;
    let folder = Folder::new()
        .hook("a-editor", MANIFEST, editor)
        .hook("b-adviser", MANIFEST, adviser)
        .hook("c-talker", MANIFEST, talker)
        .hook(
            "d-watcher",
            r#"{"points": ["preInput"], "mode": "observe"}"#,
            "export default { run: () => { throw new TypeError('no') } };",
        )
        .hook("e-echo", MANIFEST, "export default { run: (_, payload) => ({ action: 'modify', payload }) };")
        .file("call.json", r#"{"text": "goodbye", "source": "chat"}"#);
    insta::assert_snapshot!(folder.hookhost("run preInput --payload call.json --project agent"));
}

/// A reason may quote what a model wrote: it must not be able to clear the screen or to disguise itself.
#[test]
fn a_terminal_obeys_nothing_that_a_hook_says() {
    let hook = r#"
        export default {
          run: (_point, { text }, ctx) => {
            ctx.log(text);
            return { action: "block", reason: text };
          },
        };"#;
    let folder = Folder::new()
        .hook("guard", MANIFEST, hook)
        .file("call.json", r#"{"text": "\u001b[2J\u0007\u202eevil\u009b1m"}"#);
    let ran = folder.hookhost("run preInput --payload call.json --project agent");
    assert!(!ran.stdout.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{9b}']), "{}", ran.stdout.escape_debug());
    insta::assert_snapshot!(ran);
}

#[test]
fn what_the_flags_put_into_ctx() {
    let hook = r#"
        export default {
          run: (_point, _payload, ctx) => {
            const { caller, env, scopeId, context } = ctx;
            ctx.log(JSON.stringify({ caller, env, scopeId, context }));
            return { action: "allow" };
          },
        };"#;
    let folder = Folder::new().hook("reader", MANIFEST, hook).file("call.json", "{}");
    let ran = folder.hookhost(
        "run preInput --payload call.json --project agent --format json --scope-id s1 --context a=1 --context b=x=y \
         --caller user=u1 --caller org=o1 --caller source=api --env OWN=value --env HOOKHOST_TEST_UNSET_VARIABLE",
    );
    let logged: serde_json::Value = serde_json::from_str(ran.json()["logs"][0]["message"].as_str().unwrap()).unwrap();
    assert_eq!(
        logged,
        serde_json::json!({
            "caller": { "userId": "u1", "source": "api", "orgId": "o1" },
            "env": { "OWN": "value" },
            "scopeId": "s1",
            "context": { "a": "1", "b": "x=y" },
        })
    );
}
