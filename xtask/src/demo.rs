//! `cargo xtask demo`: the command line at work, once for each kind of decision.
//!
//! What is shown is data: `fixtures/demo.json`. Each entry runs twice, once for the reader and once as JSON, to see
//! that the decision is the expected one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use hookhost_contract::{Action, Decision, exit};
use serde::Deserialize;

use crate::needs;
use crate::run::{Failed, shown};
use crate::workspace::Workspace;

/// What to show, relative to the root.
const LIST: &str = "fixtures/demo.json";

/// A command line to show.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    title: String,
    args: Vec<String>,
    expect: Outcome,
}

/// What a reader of the demo should have seen at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Outcome {
    Allow,
    Modify,
    Inject,
    Ask,
    Block,
    /// A block that no hook decided: one failed, and its policy is closed.
    FailClosed,
}

impl Outcome {
    /// The outcomes without which the demo would not be one.
    const REQUIRED: [Self; 5] = [Self::Allow, Self::Modify, Self::Ask, Self::Block, Self::FailClosed];

    fn of(decision: &Decision) -> Self {
        match decision.action {
            Action::Allow => Self::Allow,
            Action::Modify => Self::Modify,
            Action::Inject => Self::Inject,
            Action::Ask => Self::Ask,
            Action::Block if decided_by_a_failure(decision) => Self::FailClosed,
            Action::Block => Self::Block,
        }
    }

    fn exit_code(self) -> u8 {
        exit::of_action(match self {
            Self::Allow => Action::Allow,
            Self::Modify => Action::Modify,
            Self::Inject => Action::Inject,
            Self::Ask => Action::Ask,
            Self::Block | Self::FailClosed => Action::Block,
        })
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Allow => "allow",
            Self::Modify => "modify",
            Self::Inject => "inject",
            Self::Ask => "ask",
            Self::Block => "block",
            Self::FailClosed => "fail-closed",
        })
    }
}

/// The hook that decided gave no answer of its own.
fn decided_by_a_failure(decision: &Decision) -> bool {
    decision.runs.iter().any(|run| Some(&run.hook) == decision.hook.as_ref() && run.failure.is_some())
}

/// Shows every entry, and fails if one of them turned out otherwise than expected.
pub(crate) fn demo(workspace: &Workspace) -> Result<()> {
    let entries = entries(&workspace.root.join(LIST))?;
    needs::ensure(workspace)?;
    let hookhost = build(workspace)?;
    println!("hookhost is {}\n", workspace.show(&hookhost));

    let mut surprises = Vec::new();
    let mut seen = BTreeSet::new();
    for (index, entry) in entries.iter().enumerate() {
        println!("== {}. {}", index + 1, entry.title);
        match play(workspace, &hookhost, entry) {
            Ok(outcome) => {
                seen.insert(outcome);
            }
            Err(surprise) => {
                println!("   NOT AS EXPECTED: {surprise:#}");
                surprises.push(index + 1);
            }
        }
        println!();
    }

    let seen: Vec<_> = seen.iter().map(Outcome::to_string).collect();
    println!("{} of {} as expected; seen: {}", entries.len() - surprises.len(), entries.len(), seen.join(", "));
    if !surprises.is_empty() {
        bail!("not as expected: number {}", listed(&surprises));
    }
    Ok(())
}

/// Reads the list. Whatever is wrong with it is said before anything is built.
fn entries(list: &Path) -> Result<Vec<Entry>> {
    let text = fs::read_to_string(list)
        .with_context(|| format!("cannot read {}, which lists what the demo shows", list.display()))?;
    let entries: Vec<Entry> = serde_json::from_str(&text)
        .with_context(|| format!("{} is not a list of {{ \"title\", \"args\", \"expect\" }}", list.display()))?;
    let lacking: Vec<_> =
        Outcome::REQUIRED.into_iter().filter(|outcome| !entries.iter().any(|entry| entry.expect == *outcome)).collect();
    if !lacking.is_empty() {
        bail!("{} has no entry that expects {}", list.display(), listed(&lacking));
    }
    for entry in &entries {
        if entry.args.iter().any(|arg| arg.starts_with("--format")) {
            bail!("{}: \"{}\" sets --format, which the demo does itself", list.display(), entry.title);
        }
    }
    Ok(entries)
}

/// Builds the command line, with cargo's progress in view, and finds it where cargo says that it is.
fn build(workspace: &Workspace) -> Result<PathBuf> {
    println!("$ cargo build --workspace --bin hookhost");
    // Not `--package hookhost-cli`: with fewer packages cargo picks fewer features, and `cargo xtask test` would then
    // compile everything from hookhost-contract upwards, V8's snapshot included, a second time.
    let messages = workspace.cargo_output([
        "build",
        "--workspace",
        "--bin=hookhost",
        "--message-format=json-render-diagnostics",
    ])?;
    messages
        .split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice::<serde_json::Value>(line).ok())
        .filter(|message| message["reason"] == "compiler-artifact" && message["target"]["name"] == "hookhost")
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .context("cargo has built hookhost-cli without a program named hookhost")
}

/// Shows one entry, and says what came of it if that was the expected thing.
fn play(workspace: &Workspace, hookhost: &Path, entry: &Entry) -> Result<Outcome> {
    let mut command = Command::new(hookhost);
    command.current_dir(&workspace.root).args(&entry.args).stdin(Stdio::null());
    println!("$ {}", shown(&command));
    let status = command.status().context("cannot start hookhost")?;
    println!("exit code {}", status.code().map_or("none: a signal".to_owned(), |code| code.to_string()));

    let output =
        command.args(["--format", "json"]).stderr(Stdio::inherit()).output().context("cannot start hookhost")?;
    let decision: Decision = serde_json::from_slice(&output.stdout).with_context(|| {
        format!(
            "with --format json it prints no decision, and ends with: {}",
            Failed::new(&shown(&command), output.status)
        )
    })?;

    let (outcome, expected) = (Outcome::of(&decision), entry.expect);
    if outcome != expected {
        bail!("expected {expected}, and it was {outcome}");
    }
    for status in [status, output.status] {
        if status.code() != Some(expected.exit_code().into()) {
            bail!("expected exit code {}, and there was {status}", expected.exit_code());
        }
    }
    Ok(outcome)
}

fn listed(items: &[impl ToString]) -> String {
    let items: Vec<_> = items.iter().map(ToString::to_string).collect();
    items.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(action: &str, failure: serde_json::Value) -> Decision {
        serde_json::from_value(serde_json::json!({
            "id": "1", "point": "preToolUse", "action": action, "reason": "no", "hook": "guard",
            "input": {}, "output": {}, "logs": [],
            "ran": [{
                "hook": "guard", "action": action, "reason": "no", "note": null, "durationMs": 1.0,
                "failure": failure, "changed": false, "mode": "enforce"
            }]
        }))
        .unwrap()
    }

    #[test]
    fn a_failed_hook_is_told_from_one_that_denies() {
        let failure = serde_json::json!({ "cause": "threw", "message": "boom", "at": null });
        let outcome = |action, failure| Outcome::of(&decision(action, failure));
        assert_eq!(outcome("block", failure.clone()), Outcome::FailClosed);
        assert_eq!(outcome("block", serde_json::Value::Null), Outcome::Block);
        assert_eq!(outcome("allow", failure), Outcome::Allow);
        assert_eq!(outcome("ask", serde_json::Value::Null), Outcome::Ask);
    }

    #[test]
    fn a_failure_of_another_hook_does_not_make_a_block_fail_closed() {
        let mut decision = decision("block", serde_json::json!({ "cause": "threw", "message": "boom" }));
        decision.runs[0].hook = "observer".to_owned();
        assert_eq!(Outcome::of(&decision), Outcome::Block);
    }

    #[test]
    fn exit_codes_follow_the_contract() {
        let codes: Vec<_> = Outcome::REQUIRED.into_iter().map(Outcome::exit_code).collect();
        assert_eq!(codes, [0, 0, 3, 4, 4]);
    }

    #[test]
    fn the_words_in_the_list_are_those_that_are_printed() {
        for outcome in Outcome::REQUIRED {
            let word = serde_json::Value::String(outcome.to_string());
            assert_eq!(serde_json::from_value::<Outcome>(word).unwrap(), outcome);
        }
    }

    /// Plays an entry with a stand-in for hookhost: it prints `json` when asked for JSON, and ends with `code`.
    #[cfg(unix)]
    fn played(expect: Outcome, json: &str, code: u8) -> Result<Outcome, String> {
        let workspace = Workspace::at(std::env::temp_dir());
        let script = format!("[ \"$1\" = json ] && echo '{json}'; exit {code}");
        let entry = Entry { title: "a stand-in".to_owned(), args: vec!["-c".to_owned(), script], expect };
        play(&workspace, Path::new("sh"), &entry).map_err(|surprise| format!("{surprise:#}"))
    }

    #[cfg(unix)]
    #[test]
    fn both_the_decision_and_the_exit_code_must_be_the_expected_ones() {
        let ask = serde_json::to_string(&decision("ask", serde_json::Value::Null)).unwrap();
        assert_eq!(played(Outcome::Ask, &ask, 3), Ok(Outcome::Ask));
        let surprise = |expect, json: &str, code| played(expect, json, code).unwrap_err();
        assert_eq!(surprise(Outcome::Block, &ask, 3), "expected block, and it was ask");
        assert!(surprise(Outcome::Ask, &ask, 0).starts_with("expected exit code 3, and there was"));
        assert!(surprise(Outcome::Ask, "", 1).contains("prints no decision"));
    }

    fn problem(list: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("demo.json");
        fs::write(&path, list).unwrap();
        format!("{:#}", entries(&path).unwrap_err())
    }

    #[test]
    fn a_list_that_cannot_be_used_says_why() {
        assert!(problem("[]").contains("no entry that expects allow, modify, ask, block, fail-closed"));
        assert!(problem("{").contains("is not a list of"));
        let typo = r#"[{ "title": "t", "args": [], "expect": "alow" }]"#;
        assert!(problem(typo).contains("unknown variant `alow`"), "{}", problem(typo));
        let words = ["allow", "modify", "ask", "block", "fail-closed"];
        let formatted =
            words.map(|word| format!(r#"{{ "title": "t", "args": ["--format=json"], "expect": "{word}" }}"#)).join(",");
        assert!(problem(&format!("[{formatted}]")).contains("sets --format"));
        let absent = entries(Path::new("no/such/demo.json")).unwrap_err();
        assert!(format!("{absent:#}").contains("cannot read no/such/demo.json"));
    }
}
