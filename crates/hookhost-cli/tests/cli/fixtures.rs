//! `hookhost test`: what it says of fixtures that pass, fail, and cannot be run.

use std::fs;

use hookhost_tests::workspace_root;
use serde_json::Value;

use crate::support::{Folder, Ran, hookhost};

/// Blocks a text with `no` in it, masks `x`, and throws at a text with `throw` in it.
const GUARD: &str = "export function createHook({ word = 'no' }) {
  return {
    run(point, payload, ctx) {
      if (payload.text.includes('throw')) throw new Error('thrown');
      if (payload.text.includes(word)) return { action: 'block', reason: `it says ${word}` };
      if (!payload.text.includes('x')) return { action: 'allow' };
      ctx.log('masked');
      return { action: 'modify', payload: { text: payload.text.replaceAll('x', '*') } };
    },
  };
}
";

fn folder(fixtures: &str) -> Folder {
    Folder::new()
        .hook("guard", r#"{"points": ["preInput"]}"#, GUARD)
        .file("agent/guard.fixture.json", fixtures)
        .file("agent/hooks/README.md", "")
}

/// Without what differs from run to run.
fn shown(ran: &Ran) -> String {
    let text = ran.to_string();
    let lines = text.lines().map(|line| match line {
        line if line.contains(" passed, ") && !line.contains(" in ") => {
            format!("{} <ms>", line.rsplit_once(", ").map_or(line, |(start, _)| start))
        }
        line if line.starts_with("slowest hooks") => "slowest hooks <ms>".to_owned(),
        line => match line.rsplit_once(" in ") {
            Some((start, time)) if time.ends_with(" ms") || time.ends_with(" s") => format!("{start} in <ms>"),
            _ => line.to_owned(),
        },
    });
    lines.map(|line| line + "\n").collect()
}

#[test]
fn a_wrong_expectation_is_shown_beside_what_came() {
    let folder = folder(
        r#"{
  "defaults": { "point": "preInput", "hook": "guard" },
  "fixtures": [
    { "name": "passes", "payload": { "text": "hello" }, "expect": { "action": "allow" } },
    {
      "name": "says that x is left alone",
      "payload": { "text": "x marks the spot", "source": "chat" },
      "expect": {
        "action": "allow",
        "payload": { "text": "x marks the spot", "source": "chat" },
        "logs": ["left alone"]
      }
    },
    {
      "name": "expects another reason",
      "payload": { "text": "no" },
      "expect": { "action": "block", "reason": "it says yes", "hook": "warden", "ran": ["guard", "warden"] }
    },
    { "name": "expects a hook that answers", "payload": { "text": "throw" }, "expect": { "action": "block" } },
    {
      "name": "expects three calls",
      "steps": [
        { "payload": { "text": "hello" }, "expect": { "action": "allow" } },
        { "name": "the second call", "payload": { "text": "hello" }, "expect": { "action": "ask", "reason": "/^sure/" } }
      ]
    }
  ]
}"#,
    );
    let ran = folder.hookhost("test --project agent agent");
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!(shown(&ran));
}

#[test]
fn what_cannot_be_run_is_an_error_and_says_why() {
    let folder = Folder::new()
        .hook("guard", r#"{"points": ["preInput"], "match": {"toolName": ["a"]}}"#, GUARD)
        .hook("off", r#"{"points": ["preInput"]}"#, GUARD)
        .hook("tools", r#"{"points": ["preToolUse"], "match": {"toolName": ["shell"]}}"#, GUARD)
        .file("agent/amodal.json", r#"{"hooks": {"disabled": ["off"]}}"#)
        .file(
            "agent/a.fixture.json",
            r#"[
  { "pont": "preInput" },
  { "point": "preInput", "payload": {}, "hook": "gaurd", "expect": { "action": "allow" } },
  { "point": "preInput", "payload": {}, "hook": "off", "expect": { "action": "allow" } },
  { "point": "preOutput", "payload": {}, "hook": "guard", "expect": { "action": "allow" } },
  { "point": "postTurn", "payload": {}, "expect": { "action": "allow" } },
  { "point": "preToolUse", "payload": { "toolName": "other" }, "hook": "tools", "expect": { "action": "allow" } },
  { "point": "preToolUse", "payload": { "toolName": "other" }, "expect": { "action": "allow" } },
  { "name": "and how to say so", "point": "preToolUse", "payload": { "toolName": "other" }, "expect": { "action": "allow", "ran": [] } },
  { "point": "preInput", "payload": { "text": "" } },
  { "point": "preInput", "payload": {}, "stores": { "s": {} }, "expect": { "action": "allow" } },
  { "point": "preInput", "payload": { "text": "" }, "config": { "gard": {} }, "expect": { "action": "allow" } },
  { "point": "tool:pre", "payload": {}, "expect": { "action": "allow" } },
  { "point": "preInput", "payload": { "text": "no" }, "expect": { "action": "block", "reason": "/(/" } }
]"#,
        )
        .file("agent/b.fixture.json", "[\n  { \"point\": \"preInput\", }\n]");
    let ran = folder.hookhost("test --project agent agent");
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!(shown(&ran));
}

#[test]
fn a_hook_that_is_left_out_fails_the_run() {
    let folder = folder(r#"{ "point": "preInput", "payload": { "text": "a" }, "expect": { "action": "allow" } }"#)
        .file("agent/hooks/second/hook.json", r#"{"points": ["preInputs"]}"#)
        .file("agent/hooks/second/index.mjs", "");
    let ran = folder.hookhost("test agent");
    assert_eq!(ran.code, Some(1), "{ran}");
    insta::assert_snapshot!(shown(&ran));
}

#[test]
fn a_run_of_no_fixtures_fails() {
    let empty = folder("[]");
    insta::assert_snapshot!(
        [
            Folder::new().dir("agent").hookhost("test agent"),
            empty.hookhost("test agent"),
            folder(r#"{ "point": "preInput", "payload": { "text": "a" }, "expect": { "action": "allow" } }"#)
                .hookhost("test agent --filter nothing"),
            empty.hookhost("test absent"),
            empty.hookhost("test agent/hooks/README.md"),
            empty.hookhost("test agent --filter /(/"),
        ]
        .map(|ran| shown(&ran))
        .join("\n")
    );
}

const MANY: &str = r#"{
  "defaults": { "point": "preInput", "hook": "guard" },
  "fixtures": [
    { "name": "one", "payload": { "text": "a" }, "expect": { "action": "block" } },
    { "name": "two", "payload": { "text": "a" }, "expect": { "action": "allow" } },
    { "name": "three", "payload": { "text": "a" }, "config": { "word": "a" }, "expect": { "action": "allow" } }
  ]
}"#;

#[test]
fn fail_fast_stops_at_the_first() {
    let folder = folder(MANY).file("agent/z.fixture.json", MANY);
    let ran = folder.hookhost("test agent --fail-fast --format json");
    let report = ran.json();
    assert_eq!(ran.code, Some(1));
    let counts: Vec<_> = ["passed", "failed", "errors", "skipped"].iter().map(|key| report[key].clone()).collect();
    assert_eq!(counts, [0, 1, 0, 5]);
    let all = folder.hookhost("test agent --format json").json();
    assert_eq!((&all["passed"], &all["failed"]), (&2.into(), &4.into()));
    let some = folder.hookhost("test agent --format json --filter /three/").json();
    assert_eq!((&some["failed"], &some["skipped"]), (&2.into(), &4.into()));
}

#[test]
fn state_lasts_for_a_file_and_steps_begin_fresh() {
    let counter = "let n = 0; export default { run: () => ({ action: 'block', reason: `call ${++n}` }) };";
    let fixture = |reason: &str, more: &str| {
        format!(
            r#"{{ "point": "preInput", "payload": {{}}, {more} "expect": {{ "action": "block", "reason": "/^{reason}$/" }} }}"#
        )
    };
    let step = |reason: &str| format!(r#"{{ "expect": {{ "action": "block", "reason": "/^{reason}$/" }} }}"#);
    let steps =
        format!(r#"{{ "point": "preInput", "payload": {{}}, "steps": [{}, {}] }}"#, step("call 1"), step("call 2"));
    let file = format!(
        "[{}, {}, {steps}, {}, {}]",
        fixture("call 1", ""),
        fixture("call 2", ""),
        fixture("call 3", ""),
        fixture("call 1", r#""fresh": true,"#)
    );
    let ran = Folder::new()
        .hook("counter", r#"{"points": ["preInput"]}"#, counter)
        .file("agent/a.fixture.json", &file)
        .file("agent/b.fixture.json", &file)
        .hookhost("test agent");
    assert_eq!(ran.code, Some(0), "{ran}");
}

#[test]
fn fixtures_alone_in_their_file_share_with_their_folder() {
    let counter = "let n = 0; export default { run: () => ({ action: 'block', reason: `call ${++n}` }) };";
    let fixture = |n: u32, more: &str| {
        format!(
            r#"{{ "point": "preInput", "payload": {{}}, {more} "expect": {{ "action": "block", "reason": "/^call {n}$/" }} }}"#
        )
    };
    let ran = Folder::new()
        .hook("counter", r#"{"points": ["preInput"]}"#, counter)
        .file("agent/one/a.fixture.json", fixture(1, ""))
        .file("agent/one/b.fixture.json", format!("[{}]", fixture(2, "")))
        .file("agent/one/c.fixture.json", fixture(1, r#""fresh": true,"#))
        .file("agent/one/d.fixture.json", format!("[{}, {}]", fixture(1, ""), fixture(2, "")))
        .file("agent/two/a.fixture.json", fixture(1, ""))
        .hookhost("test agent");
    assert_eq!(ran.code, Some(0), "{ran}");
}

#[test]
fn a_hook_that_is_killed_is_fresh_for_the_next_fixture() {
    let hangs = "let n = 0; export default { run(_, { text }) { n++; while (text === 'hang') {} return { action: 'block', reason: `call ${n}` }; } };";
    let hang = r#"{ "point": "preInput", "payload": { "text": "hang" }, "expect": { "action": "block", "failure": "timed_out" } }"#;
    let good = r#"{ "point": "preInput", "payload": { "text": "" }, "expect": { "action": "block", "reason": "/^call 1$/" } }"#;
    let ran = Folder::new()
        .hook("hangs", r#"{"points": ["preInput"], "timeoutMs": 50}"#, hangs)
        .file("agent/a.fixture.json", format!("[{hang}, {hang}, {hang}, {good}]"))
        .hookhost("test agent --coverage");
    assert_eq!(ran.code, Some(0), "{ran}");
}

/// Python has a terminal for programs; Rust would need a crate for it.
#[cfg(unix)]
#[test]
fn a_long_run_shows_how_far_it_is_on_a_terminal_only() {
    let slow = "export default { run: async () => {
      await new Promise((done) => setTimeout(done, 300));
      return { action: 'allow' };
    } };";
    let fixture = r#"{ "point": "preInput", "payload": {}, "expect": { "action": "allow" } }"#;
    let folder = Folder::new()
        .hook("slow", r#"{"points": ["preInput"]}"#, slow)
        .file("agent/a.fixture.json", format!("[{}]", [fixture; 6].join(",")));
    let piped = folder.hookhost("test agent");
    assert!(piped.code == Some(0) && piped.stderr.is_empty(), "{piped}");
    assert!(!piped.stdout.contains('\u{1b}'), "{piped}");
    let output = std::process::Command::new("python3")
        .args(["-c", "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"])
        .args([env!("CARGO_BIN_EXE_hookhost"), "test", "agent"])
        .current_dir(folder.path(""))
        .env("TERM", "xterm-256color")
        .env_remove("GITHUB_ACTIONS")
        .env_remove("NO_COLOR")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains(" of 6 fixtures"), "{text}");
    assert!(text.contains("6 passed") && text.contains('\u{1b}'), "in colour: {text}");
}

#[test]
fn env_config_and_stores_are_each_fixtures_own() {
    let reads = "export const createHook = (config) => ({
      async run(point, payload, ctx) {
        const row = ctx.store ? await ctx.store.get('members', 'u1') : 'no store';
        return { action: 'block', reason: JSON.stringify([config.a, ctx.env.B ?? null, row?.role ?? row]) };
      },
    });";
    let fixture = |more: &str, reason: &str| {
        format!(
            r#"{{ "point": "preInput", "payload": {{}}, "hook": "reads"{more}, "expect": {{ "action": "block", "reason": {} }} }}"#,
            serde_json::json!(reason)
        )
    };
    let fixtures = [
        fixture("", r#"[1,null,"no store"]"#),
        fixture(r#", "config": { "a": 2 }"#, r#"[2,null,"no store"]"#),
        fixture(r#", "env": { "B": "b" }"#, r#"[1,"b","no store"]"#),
        fixture(r#", "stores": { "members": { "u1": { "role": "admin" } } }"#, r#"[1,null,"admin"]"#),
        fixture(r#", "stores": "rows.json""#, r#"[1,null,"guest"]"#),
        fixture("", r#"[1,null,"no store"]"#),
    ];
    let folder = Folder::new()
        .hook("reads", r#"{"points": ["preInput"], "capabilities": ["store:read"], "config": {"a": 1}}"#, reads)
        .file("agent/t/reads.fixture.json", format!("[{}]", fixtures.join(",\n")))
        .file("agent/t/rows.json", r#"{"members": {"u1": {"role": "guest"}}}"#);
    let ran = folder.hookhost("test agent");
    assert_eq!(ran.code, Some(0), "{ran}");
    // What the command line gives holds where a fixture says nothing.
    for (option, passed) in [("--store agent/t/rows.json", 2), ("--env B=b", 1)] {
        let report = folder.hookhost(&format!("test agent {option} --format json")).json();
        assert_eq!((&report["passed"], &report["failed"]), (&passed.into(), &(6 - passed).into()), "{report}");
    }
}

#[test]
fn update_writes_what_came_and_nothing_else() {
    let before = r#"{
  // nothing
}"#;
    let folder = folder(before);
    assert_eq!(folder.hookhost("test agent --update").code, Some(1), "comments are no JSON");
    let before = r#"[
  { "name": "no expectation", "point": "preInput", "payload": { "text": "no" } },
  {
    "name": "wrong in three ways",
    "point":   "preInput",
    "payload": { "text": "x" },
    "expect": { "action": "block", "reason": "why", "payload": { "text": "y" }, "logs": ["nothing"], "maxMs": 0 }
  },
  { "name": "right", "point": "preInput", "payload": { "text": "no" }, "expect": { "action": "block", "reason": "says" } },
  { "name": "fails", "point": "preInput", "payload": { "text": "throw" }, "expect": { "action": "allow" } },
  {
    "name": "in steps", "point": "preInput",
    "steps": [ { "payload": { "text": "no" }, "expect": { "action": "allow" } } ]
  }
]
"#;
    let folder = self::folder(before);
    let ran = folder.hookhost("test agent --update");
    assert_eq!(ran.code, Some(1), "one is too slow, and one has a hook that fails: {ran}");
    let after = fs::read_to_string(folder.path("agent/guard.fixture.json")).unwrap();
    insta::assert_snapshot!(after);
    let again = folder.hookhost("test agent --format json").json();
    // A time that was exceeded is not written down, since it is a wish; nor is a failure that nobody expected.
    assert_eq!((&again["passed"], &again["failed"]), (&3.into(), &2.into()), "{again}");
    let untouched = folder.hookhost("test agent --update");
    assert_eq!(fs::read_to_string(folder.path("agent/guard.fixture.json")).unwrap(), after, "{untouched}");
}

#[test]
fn update_makes_no_expectation_of_a_hook_that_fails() {
    let before = r#"[
  { "point": "preInput", "payload": { "text": "throw" } },
  { "point": "preInput", "payload": { "text": "throw" }, "expect": { "action": "allow", "logs": ["x"] } }
]"#;
    let folder = folder(before);
    let ran = folder.hookhost("test agent --update");
    assert_eq!(ran.code, Some(1), "{ran}");
    assert!(ran.stdout.contains(r#"write `"failure": "threw"` if you mean it"#), "{ran}");
    assert_eq!(fs::read_to_string(folder.path("agent/guard.fixture.json")).unwrap(), before);
}

#[test]
fn verbose_names_those_that_pass() {
    let fixtures = r#"[
  { "name": "is masked", "point": "preInput", "payload": { "text": "x" }, "expect": { "action": "modify" } },
  { "name": "passes", "point": "preInput", "payload": { "text": "a" }, "expect": { "action": "allow" } }
]"#;
    let ran = folder(fixtures).hookhost("test agent --verbose");
    assert_eq!(ran.code, Some(0), "{ran}");
    let parts = ["    ok  is masked  ", "        guard: masked\n", "    ok  passes  "];
    assert!(parts.iter().all(|part| ran.stdout.contains(part)), "{ran}");
}

#[test]
fn update_leaves_marks_line_ends_and_links_alone() {
    let fixture = |action: &str| {
        format!(
            "\u{feff}{{ \"point\": \"preInput\",\r\n  \"payload\": {{ \"text\": \"é no\" }}, \"expect\": {{ \"action\": \"{action}\" }} }}\r\n"
        )
    };
    let folder = folder(&fixture("allow")).file("agent/elsewhere.json", fixture("ask"));
    #[cfg(unix)]
    let folder = folder.link("agent/link.fixture.json", "elsewhere.json");
    folder.hookhost("test agent --update");
    assert_eq!(fs::read_to_string(folder.path("agent/guard.fixture.json")).unwrap(), fixture("block"));
    if cfg!(unix) {
        assert_eq!(fs::read_to_string(folder.path("agent/elsewhere.json")).unwrap(), fixture("block"));
        assert!(folder.path("agent/link.fixture.json").is_symlink());
    }
    assert_eq!(folder.hookhost("test agent").code, Some(0));

    // One that cannot be written does not keep the others from it.
    let mut permissions = fs::metadata(folder.path("agent/guard.fixture.json")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::write(folder.path("agent/guard.fixture.json"), fixture("allow")).unwrap();
    fs::set_permissions(folder.path("agent/guard.fixture.json"), permissions).unwrap();
    let folder = folder.file("agent/z.fixture.json", fixture("allow"));
    let ran = folder.hookhost("test agent --update");
    assert!(ran.stderr.contains("error: agent/guard.fixture.json: cannot be written: it is read-only"), "{ran}");
    assert_eq!(fs::read_to_string(folder.path("agent/z.fixture.json")).unwrap(), fixture("block"));
}

#[test]
fn reports_for_programs() {
    let folder = folder(
        r#"[
  { "name": "passes & <escapes>", "point": "preInput", "payload": { "text": "a" }, "hook": "guard", "expect": { "action": "allow" } },
  { "name": "fails", "point": "preInput", "payload": { "text": "\u0007 no, 100%" }, "expect": { "action": "allow" } },
  { "name": "is wrong", "point": "preInput" }
]"#,
    );
    let ran = folder.hookhost("test agent --junit out/junit.xml --github");
    assert_eq!(ran.code, Some(1));
    let junit = fs::read_to_string(folder.path("out/junit.xml")).unwrap();
    expect_junit(&junit, 3);
    let junit = regex::Regex::new(r#"time="[0-9.]+""#).unwrap().replace_all(&junit, r#"time="<s>""#).into_owned();
    let annotations: Vec<_> = ran.stdout.lines().filter(|line| line.starts_with("::")).collect();
    insta::assert_snapshot!(format!("{junit}\n{}", annotations.join("\n")));
    let json = folder.hookhost("test agent --format json --github");
    assert_eq!(json.json()["failed"], 1, "annotations do not spoil the JSON: {json}");
    assert!(json.stderr.contains("::error file=agent/guard.fixture.json,line=3,title=fails::"), "{json}");
}

/// What Jenkins's `junit-10.xsd` lets each element have.
const JUNIT: [(&str, &[&str]); 6] = [
    ("testsuites", &["name", "time", "tests", "failures", "errors"]),
    ("testsuite", &["name", "tests", "failures", "errors", "skipped", "time", "file"]),
    ("testcase", &["name", "classname", "time"]),
    ("failure", &["message", "type"]),
    ("error", &["message", "type"]),
    ("skipped", &["message", "type"]),
];

/// It reads back with so many cases, and has nothing that the schema does not know.
fn expect_junit(xml: &str, cases: usize) {
    let report = quick_junit::Report::deserialize_from_str(xml).unwrap();
    assert_eq!(report.test_suites.iter().map(|suite| suite.test_cases.len()).sum::<usize>(), cases, "{xml}");
    let element = regex::Regex::new(r#"<([a-z-]+)((?: [a-z]+="[^"]*")*)\s*/?>"#).unwrap();
    let attribute = regex::Regex::new(r#" ([a-z]+)=""#).unwrap();
    for found in element.captures_iter(xml) {
        let (_, known) = JUNIT.iter().find(|(name, _)| *name == &found[1]).unwrap_or_else(|| panic!("{}", &found[0]));
        for attribute in attribute.captures_iter(&found[2]) {
            assert!(known.contains(&&attribute[1]), "{}", &found[0]);
        }
    }
}

#[test]
fn a_report_as_json_is_documented_key_by_key() {
    let report = folder(MANY).hookhost("test agent --format json").json();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&report), ["ok", "passed", "failed", "errors", "skipped", "durationMs", "files", "hooks"]);
    assert_eq!(keys(&report["files"][0]), ["file", "project", "fixtures"]);
    assert_eq!(keys(&report["files"][0]["fixtures"][0]), ["name", "line", "hook", "status", "durationMs", "steps"]);
    assert_eq!(keys(&report["files"][0]["fixtures"][0]["steps"][0]), ["name", "line", "mismatches", "decision"]);
    assert_eq!(keys(&report["hooks"][0]), ["hook", "calls", "medianMs", "maxMs"]);
    let docs = fs::read_to_string(workspace_root().join("docs/testing-hooks.md")).unwrap();
    for key in ["passed", "mismatches", "medianMs", "skipped", "decision"] {
        assert!(docs.contains(&format!("\"{key}\"")), "{key} is not in docs/testing-hooks.md");
    }
}

#[test]
fn the_example_hooks_pass_and_are_covered() {
    let out = tempfile::tempdir().unwrap();
    let lcov = out.path().join("lcov.info");
    let ran = hookhost(&format!("test --format json --min-coverage 90 --lcov {}", lcov.display()));
    assert_eq!(ran.code, Some(0), "{ran}");
    let report = ran.json();
    assert!(report["passed"].as_u64().unwrap() >= 55, "{}", report["passed"]);
    let files = report["coverage"]["files"].as_array().unwrap();
    let hooks: std::collections::BTreeSet<_> =
        files.iter().map(|file| file["file"].as_str().unwrap().split('/').nth(1).unwrap()).collect();
    let folders = fs::read_dir(workspace_root().join("hooks")).unwrap();
    let folders: std::collections::BTreeSet<_> =
        folders.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(hooks, folders.iter().map(String::as_str).collect());
    let lcov = fs::read_to_string(lcov).unwrap();
    assert_eq!(lcov.matches("end_of_record").count(), files.len());
    assert!(lcov.contains("SF:hooks/path-guard/index.mjs\n"), "{lcov}");

    let strict = hookhost(&format!("test --min-coverage 99.5 --lcov {}", out.path().join("b").display()));
    let expected = if files.iter().all(|file| file["lines"]["percent"] == 100.0) { 0 } else { 1 };
    assert_eq!(strict.code, Some(expected), "{strict}");
}

#[test]
fn too_little_coverage_fails() {
    let folder = folder(r#"{ "point": "preInput", "payload": { "text": "a" }, "expect": { "action": "allow" } }"#);
    let ran = folder.hookhost("test agent --min-coverage 90");
    assert_eq!(ran.code, Some(1), "{ran}");
    insta::assert_snapshot!(shown(&ran));
    assert!(folder.path("coverage/lcov.info").is_file());
    assert_eq!(folder.hookhost("test agent --min-coverage 30").code, Some(0));
}
