//! `hookhost new`, `types`, `bench` and recorded calls.

use std::fs;

use crate::support::{Folder, Ran, hookhost};

const POINTS: [&str; 5] = ["preInput", "preToolUse", "postToolUse", "preOutput", "postTurn"];

fn expect_fine(ran: &Ran) {
    assert_eq!(ran.code, Some(0), "{ran}");
}

#[test]
fn a_new_hook_passes_as_it_is_for_each_point_and_language() {
    for lang in ["js", "ts"] {
        let folder = Folder::new();
        for point in POINTS {
            expect_fine(&folder.hookhost(&format!("new at-{point} --point {point} --lang {lang}")));
        }
        expect_fine(&folder.hookhost(&format!("new at-all --lang {lang} --point {}", POINTS.join(" --point "))));
        expect_fine(&folder.hookhost(&format!("new by-default --lang {lang}")));
        for sandbox in ["advisory", "enforced"] {
            let check = folder.hookhost(&format!("check --format json --sandbox {sandbox}"));
            assert_eq!(check.json()["hooks"], 7, "{check}");
            assert_eq!(check.json()["problems"], serde_json::json!([]), "{check}");
            expect_fine(&folder.hookhost("check --strict"));
            // Every decision, every failure, every line.
            expect_fine(&folder.hookhost(&format!("test --sandbox {sandbox} --min-coverage 100")));
            expect_fine(&folder.hookhost(&format!("test --sandbox {sandbox} --tier web")));
        }
    }
}

#[test]
fn a_new_hook_says_what_it_wrote() {
    let folder = Folder::new();
    let ran = folder.hookhost("new no-force-push");
    let files = ["hook.json", "index.mjs", "no-force-push.fixture.json"];
    let texts = files.map(|file| fs::read_to_string(folder.path(&format!("hooks/no-force-push/{file}"))).unwrap());
    insta::assert_snapshot!(format!("{ran}\n{}\n{}", texts[0], texts[1]));
    assert_eq!(
        folder.hookhost("new second --lang ts --format json").json(),
        serde_json::json!({
            "written": ["hooks/second/hook.json", "hooks/second/index.ts", "hooks/second/second.fixture.json"],
        })
    );
    let typescript = fs::read_to_string(folder.path("hooks/second/index.ts")).unwrap();
    insta::assert_snapshot!(typescript);
}

#[test]
fn a_hook_that_cannot_be_written_says_why() {
    let folder = Folder::new();
    expect_fine(&folder.hookhost("new taken"));
    insta::assert_snapshot!(
        ["new taken", "new a/b", "new x --point preInputs", "new x --point tool:pre", "new x --project absent"]
            .map(|line| folder.hookhost(line).to_string())
            .join("\n")
    );
}

#[test]
fn types_are_written_once() {
    let folder = Folder::new().file("hookhost.d.ts", "old");
    let written = folder.hookhost("types --format json").json();
    assert_eq!(written["written"].as_array().unwrap().len(), 5, "{written}");
    assert!(fs::read_to_string(folder.path("hookhost.d.ts")).unwrap().contains("export type CreateHook"));
    let again = folder.hookhost("types");
    assert_eq!((again.code, again.stdout.as_str()), (Some(0), "hookhost.d.ts and schemas/ are up to date\n"));
}

#[test]
fn bench_measures_each_hook_on_its_fixtures() {
    let ran = hookhost("bench --seconds 0.05 --format json");
    expect_fine(&ran);
    let report = ran.json();
    let hooks = report["hooks"].as_array().unwrap();
    assert_eq!(hooks.len(), 6);
    for hook in hooks {
        assert!(hook["calls"].as_u64().unwrap() > 0 && hook["failed"] == 0, "{hook}");
        assert!(hook["callsPerSecond"].as_f64().unwrap() > 1.0, "{hook}");
        let times = ["p50Ms", "p95Ms", "p99Ms", "maxMs"].map(|key| hook[key].as_f64().unwrap());
        assert!(times[0] > 0.0 && times.is_sorted(), "{hook}");
        assert!(hook["memory"]["heapBytes"].as_u64().unwrap() > 100_000, "{hook}");
    }
    let one = hookhost("bench --seconds 0.05 --hook secret-scan");
    assert!(one.code == Some(0) && one.stdout.contains("secret-scan") && !one.stdout.contains("path-guard"), "{one}");
    let nobody = hookhost("bench --seconds 0.05 --hook nobody");
    assert!(nobody.code == Some(2) && nobody.stderr.contains("no hook is called `nobody`"), "{nobody}");
}

#[test]
fn bench_says_which_hook_has_no_fixtures() {
    let folder = Folder::new();
    folder.hookhost("new measured");
    let folder = folder
        .file("hooks/lonely/hook.json", r#"{"points": ["postTurn"]}"#)
        .file("hooks/lonely/index.mjs", crate::support::HANDLER);
    let ran = folder.hookhost("bench --seconds 0.05");
    assert!(ran.code == Some(0) && ran.stdout.contains("no fixture calls it"), "{ran}");
    let folder = folder.file("hooks/measured/index.mjs", "throw new Error('no');");
    let broken = folder.hookhost("bench --seconds 0.05 --format json");
    assert_eq!((broken.code, &broken.json()["hooks"][1]["broken"]), (Some(1), &true.into()), "{broken}");
    let nothing = folder.hookhost("bench --seconds 0.05 --hook lonely");
    assert_eq!(nothing.code, Some(1), "{nothing}");
}

#[test]
fn recorded_calls_are_run_again() {
    let guard = |word: &str| {
        format!(
            "export default {{ run: (_, {{ text, password }}) => text.includes('{word}')
               ? {{ action: 'block', reason: '{word} with ' + password }} : {{ action: 'allow' }} }};"
        )
    };
    let folder = Folder::new().hook("guard", r#"{"points": ["preInput"]}"#, &guard("no"));
    for text in ["yes", "no", "maybe"] {
        let payload =
            format!(r#"{{"text": "{text}", "password": "hunter22", "nested": {{"Api-Key": "sk-1", "iban": "DE89"}}}}"#);
        folder.hookhost_reading(
            "run preInput --payload - --project agent --record kept --redact iban --scope-id s --caller user=u1",
            payload,
        );
    }
    let mut files: Vec<_> = fs::read_dir(folder.path("kept"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files.len(), 4, "{files:?}");
    assert_eq!(files[0], "calls.jsonl");
    for file in &files {
        let text = fs::read_to_string(folder.path(&format!("kept/{file}"))).unwrap();
        for secret in ["hunter22", "sk-1", "DE89"] {
            assert!(!text.contains(secret), "{file}: {text}");
        }
    }
    let same = folder.hookhost("test --project agent --replay kept/calls.jsonl");
    expect_fine(&same);
    assert!(same.stdout.contains("3 as recorded"), "{same}");
    expect_fine(&folder.hookhost("test --project agent --replay kept"));
    expect_fine(&folder.hookhost("test --project agent kept"));

    // Another hook, other decisions: each that has changed is told.
    let folder = folder.file("agent/hooks/guard/index.mjs", guard("yes"));
    let changed = folder.hookhost("test --project agent --replay kept/calls.jsonl --format json");
    assert_eq!(changed.code, Some(1), "{changed}");
    let report = changed.json();
    assert_eq!((&report["passed"], &report["failed"]), (&1.into(), &2.into()), "{report}");
    let lines: Vec<_> = report["files"][0]["fixtures"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|fixture| fixture["status"] == "failed")
        .map(|fixture| fixture["line"].clone())
        .collect();
    assert_eq!(lines, [1, 2]);
    let human = folder.hookhost("test --project agent --replay kept/calls.jsonl");
    assert!(human.stdout.contains("CHANGED kept/calls.jsonl:1  preInput: allow ("), "{human}");
    assert!(human.stdout.contains("1 as recorded, 2 changed in"), "{human}");
}

#[test]
fn a_recording_that_cannot_be_used_says_why() {
    let folder = Folder::new()
        .hook("guard", r#"{"points": ["preInput"]}"#, crate::support::HANDLER)
        .file("calls.jsonl", "{\"point\": \"preInput\"}\nnonsense\n\n[]\n")
        .file("file", "");
    let ran = folder.hookhost("test --project agent --replay calls.jsonl");
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!(
        ran.stdout.lines().take_while(|line| !line.contains(" in ")).collect::<Vec<_>>().join("\n")
    );
    let folder = folder.file("call.json", "{\"text\": \"\"}");
    let refused = folder.hookhost("run preInput --payload call.json --project agent --record file");
    assert!(refused.code == Some(2) && refused.stderr.contains("decisions cannot be kept in file"), "{refused}");
}
