//! Whatever bytes are in a project's files, loading it ends with a report.

use hookhost_loader::{PolicyError, load_policy};

use crate::support::Tree;

const MANIFEST: &str = r#"{"name": "gü😀rd", "points": ["preToolUse", "tool:pre"], "capabilities": ["store:read"],
 "failPolicy": "open", "priority": -1.5e2, "config": {"a": [true, null, "\ud83d\ude00\n"]}, "timeoutMs": 20,
 "match": {"toolName": ["store__*", "{a,b}[!c]"]}, "mode": "observe", "own": {}}"#;

const SETTINGS: &str = r#"{"hooks": {"order": ["gü😀rd", "x"], "disabled": ["y"], "config": {"z": {"k": 1}}},
 "packages": ["@acme/pack", {"package": "b", "use": ["hooks.c"]}]}"#;

const POLICY: &str = r#"{"$schema": "s", "rules": [{"tools": ["gü😀_*", "{a,b}[!c]"], "action": "allow"},
 {"tools": ["?*"], "action": "ask", "reason": "\ud83d\ude00\n"}], "default": "deny"}"#;

/// A fixed sequence that looks random: the same mutations on every run.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

fn mutated(text: &str, sequence: &mut Sequence) -> Vec<u8> {
    const PIECES: [&[u8]; 16] = [
        b"\"", b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\\u12", b"\0", b"\xff", b"//", b"-", b"1e999", b"\n",
        b"null",
    ];
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=sequence.below(3) {
        let at = sequence.below(bytes.len());
        match sequence.below(4) {
            0 => bytes.truncate(at.max(1)),
            1 => {
                bytes.remove(at);
            }
            2 => bytes[at] = sequence.below(256) as u8,
            _ => {
                let piece = PIECES[sequence.below(PIECES.len())];
                bytes.splice(at..at, piece.iter().copied());
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

#[test]
fn any_manifest_gives_a_report() {
    let mut sequence = Sequence(0x9e37_79b9_7f4a_7c15);
    let mut loaded = 0;
    let mut tree = Tree::new();
    for _ in 0..500 {
        let manifest = mutated(MANIFEST, &mut sequence);
        let is_json =
            std::str::from_utf8(&manifest).is_ok_and(|text| serde_json::from_str::<serde_json::Value>(text).is_ok());
        tree = tree.hook("hooks/a", &manifest);
        let project = tree.load();
        let report: Vec<_> = project.report.diagnostics.iter().map(ToString::to_string).collect();
        let shown = String::from_utf8_lossy(&manifest);
        if project.hooks.is_empty() {
            assert!(project.report.has_findings(), "{shown}");
        } else {
            assert!(is_json, "loaded what is not JSON: {shown}");
            loaded += 1;
        }
        assert_eq!(
            is_json,
            !report.iter().any(|line| line.contains("bad JSON") || line.contains("UTF-8")),
            "{shown}\n{report:#?}"
        );
    }
    assert!(loaded > 5, "the mutations leave some manifests intact: {loaded}");
}

#[test]
fn any_settings_give_a_project_or_an_error() {
    let mut sequence = Sequence(0x2545_f491_4f6c_dd1d);
    let mut tree = Tree::new();
    for _ in 0..500 {
        let settings = mutated(SETTINGS, &mut sequence);
        tree = tree.file("amodal.json", &settings);
        match tree.load_at("") {
            Ok(project) => {
                serde_json::from_slice::<serde_json::Value>(&settings).unwrap();
                let _ = project.report.diagnostics.iter().map(ToString::to_string).count();
            }
            Err(error) => assert!(error.to_string().contains("amodal.json"), "{error}"),
        }
    }
}

#[test]
fn any_policy_is_read_whole_or_refused() {
    let mut sequence = Sequence(0x1405_7b7e_f767_814f);
    let mut read = 0;
    let mut tree = Tree::new();
    for _ in 0..500 {
        let text = mutated(POLICY, &mut sequence);
        tree = tree.file("policy.json", &text);
        match load_policy(&tree.path("policy.json")) {
            Ok(loaded) => {
                assert_eq!(loaded.policy, serde_json::from_slice(&text).unwrap());
                for tool in ["", "gü😀_x", "a?", "\u{1}"] {
                    let verdict = loaded.compiled.judge(tool);
                    let rule = verdict.rule.map(|rule| loaded.policy.rules[rule].action);
                    assert_eq!(verdict.action, rule.unwrap_or(loaded.policy.default));
                }
                read += 1;
            }
            Err(error) => {
                assert!(error.to_string().contains("policy.json:"), "{error}");
                assert!(!matches!(error, PolicyError::NotFound { .. }), "{error}");
            }
        }
    }
    assert!(read > 5, "the mutations leave some policies intact: {read}");
}
