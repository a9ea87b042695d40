//! What is said about `policy.json`.

use hookhost_contract::PolicyAction;
use hookhost_loader::{PolicyError, load_policy};

use crate::support::{Cases, Tree};

impl Tree {
    fn policy_error(&self) -> String {
        match load_policy(&self.path("policy.json")) {
            Ok(loaded) => panic!("read: {:?}", loaded.policy),
            Err(error) => self.mask(&error.to_string()),
        }
    }
}

fn refused(policy: impl AsRef<[u8]>) -> String {
    Tree::new().file("policy.json", policy).policy_error()
}

#[test]
fn policies_that_cannot_be_read() {
    let mut cases = Cases::default();
    cases.add("nothing there", &Tree::new().policy_error());
    cases.add("a directory", &Tree::new().dir("policy.json").policy_error());
    cases.add("too large", &refused(" ".repeat((1 << 20) + 1)));
    cases.add("not UTF-8", &refused(b"{\n \"default\": \"\xe9\"}"));
    insta::assert_snapshot!(cases.finish());
}

#[cfg(unix)]
#[test]
fn policies_that_cannot_be_read_on_unix() {
    let mut cases = Cases::default();
    cases.add("a link that leads nowhere", &Tree::new().link("policy.json", "nowhere").policy_error());
    cases.add("a link to itself", &Tree::new().link("policy.json", "policy.json").policy_error());
    cases.add("a device", &Tree::new().link("policy.json", "/dev/null").policy_error());
    // The number of an error differs from system to system.
    insta::with_settings!({filters => vec![(r" \(os error \d+\)", "")]}, {
        insta::assert_snapshot!(cases.finish());
    });
}

#[test]
fn a_file_that_is_not_there_is_an_error_of_its_own() {
    let tree = Tree::new().dir("folder");
    for path in ["policy.json", "folder/policy.json", "nowhere/policy.json"] {
        let error = load_policy(&tree.path(path)).unwrap_err();
        assert!(matches!(error, PolicyError::NotFound { .. }), "{error}");
    }
}

#[test]
fn policies_that_are_refused() {
    let mut cases = Cases::default();
    for policy in [
        // No JSON.
        "",
        "{\n  \"rules\": [],\n}",
        "{\"rules\": [",
        "// no comments\n{}",
        // Wrong types.
        "[]",
        r#"{"$schema": 1}"#,
        r#"{"rules": {"shell": "deny"}}"#,
        r#"{"rules": null}"#,
        r#"{"rules": ["shell"]}"#,
        r#"{"rules": [{"tools": "shell", "action": "deny"}]}"#,
        r#"{"rules": [{"tools": ["shell", 1], "action": "deny"}]}"#,
        r#"{"rules": [{"tools": ["shell"], "action": false}]}"#,
        r#"{"rules": [{"tools": ["shell"], "action": "deny", "reason": null}]}"#,
        r#"{"default": true}"#,
        r#"{"default": null}"#,
        // Words.
        r#"{"default": "Allow"}"#,
        r#"{"rules": [{"tools": ["shell"], "action": "dney"}]}"#,
        r#"{"rules": [{"tools": ["shell"], "action": "block"}]}"#,
        r#"{"rules": [{"tools": ["shell"], "action": ""}]}"#,
        // Keys.
        r#"{"rule": []}"#,
        r#"{"defualt": "deny"}"#,
        r#"{"owner": "me"}"#,
        r#"{"rules": [{"tool": ["shell"], "action": "deny"}]}"#,
        r#"{"rules": [{"tools": ["shell"], "action": "deny", "when": {}}]}"#,
        "{\"\\u001b[2J\": 1}",
        "{\n  \"rules\": [\n    {\"action\": \"deny\"}\n  ]\n}",
        r#"{"rules": [{"tools": ["shell"], "reason": "x"}]}"#,
        r#"{"rules": [], "default": "ask", "rules": []}"#,
        r#"{"rules": [{"tools": ["a"], "action": "deny", "tools": ["b"]}]}"#,
        r#"{"rules": [{"tools": ["a"], "action": "deny", "action": "deny"}]}"#,
        // Globs.
        r#"{"rules": [{"tools": [], "action": "deny"}]}"#,
        r#"{"rules": [{"tools": ["a", ""], "action": "deny"}]}"#,
        r#"{"rules": [{"tools": ["a", "[b"], "action": "deny"}]}"#,
        r#"{"rules": [{"tools": ["{a,b"], "action": "deny"}]}"#,
        r#"{"rules": [{"tools": ["a}"], "action": "deny"}]}"#,
        r#"{"rules": [{"tools": ["[z-a]"], "action": "deny"}]}"#,
        r#"{"rules": [{"tools": ["a\\"], "action": "deny"}]}"#,
        // The first mistake in the file is the one that is named.
        r#"{"rules": [{"tools": [1, ""], "action": "no"}], "default": 1}"#,
        r#"{"rules": [{"tools": ["", 1], "action": "no"}], "default": 1}"#,
    ] {
        cases.add(policy, &refused(policy));
    }
    let long = format!(r#"{{"rules": [{{"tools": ["{}"], "action": "deny"}}]}}"#, "x".repeat(257));
    cases.add("a glob of 257 bytes", &refused(long));
    let word = format!(r#"{{"default": "{}"}}"#, "x".repeat(1000));
    cases.add("a word of 1000 letters", &refused(word));
    let half = format!(r#"{{"tools": [{}], "action": "deny"}}"#, vec![r#""a""#; 501].join(","));
    cases.add("1002 globs in two rules", &refused(format!("{{\"rules\": [\n{half},\n{half}\n]}}")));
    insta::assert_snapshot!(cases.finish());
}

#[test]
fn a_byte_order_mark_and_an_empty_object_are_fine() {
    for policy in ["{}", "\u{feff}{}", "{\"rules\": []}", "{\"$schema\": \"policy.schema.json\"}"] {
        let tree = Tree::new().file("policy.json", policy);
        let loaded = load_policy(&tree.path("policy.json")).unwrap();
        assert_eq!(loaded.policy.rules, [], "{policy:?}");
        assert_eq!(loaded.compiled.judge("shell").action, PolicyAction::Ask, "{policy:?}");
    }
}

/// The page's example is a policy, and says what the page says it does.
#[test]
fn the_example_of_the_page() {
    let page = include_str!("../../../../docs/policy.md");
    let (_, rest) = page.split_once("```json\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let tree = Tree::new().file("policy.json", example);
    let policy = load_policy(&tree.path("policy.json")).unwrap();
    let verdicts: Vec<_> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` | `")?.1.split_once("` | ").map(|rest| (line, rest)))
        .filter(|(_, (_, place))| place.starts_with("`policy.json:"))
        .collect();
    assert_eq!(verdicts.len(), 4, "{verdicts:?}");
    for (line, (action, place)) in verdicts {
        let tool = line.split('`').nth(1).unwrap();
        let verdict = policy.compiled.judge(tool);
        assert_eq!((verdict.action.as_str(), format!("`{}` |", verdict.place)), (action, place.to_owned()), "{tool}");
    }
}

#[test]
fn the_errors_of_the_page_are_those_that_are_said() {
    let page = include_str!("../../../../docs/policy.md");
    let said = include_str!("snapshots/loader__policy__policies_that_are_refused.snap");
    let errors: Vec<_> = page.lines().filter(|line| line.starts_with("policy.json:")).collect();
    assert_eq!(errors.len(), 4, "{errors:?}");
    for error in errors {
        assert!(said.lines().any(|line| line.strip_prefix("[root]/") == Some(error)), "{error}");
    }
}

#[test]
fn the_place_names_the_file_without_its_folders() {
    let tree = Tree::new()
        .file("config/tools.json", "\u{feff}{\"rules\": [\r\n  {\"tools\": [\"shell\"], \"action\": \"deny\"}\r\n]}");
    let loaded = load_policy(&tree.path("config/tools.json")).unwrap();
    assert_eq!(loaded.compiled.judge("shell").place, "tools.json:2");
    assert_eq!(loaded.compiled.judge("read").place, "tools.json");
    assert_eq!(loaded.rule_lines, [2]);
}
