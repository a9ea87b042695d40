//! What of Node runs in a hook: asks a hook, compares its answers with those of Node 20, and keeps
//! `docs/compatibility.md` true. See `tests/compatibility/README.md`.
//!
//! On Linux only: so are the answers of Node.
#![cfg(target_os = "linux")]

mod compare;
mod document;
mod probe;
mod reasons;
mod seen;

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Mutex, PoisonError};

use hookhost::{Sandbox, Tier};
use hookhost_tests::{Fault, workspace_root};
use serde_json::json;

use compare::compare;
use document::Document;
use probe::{Probe, project};
use reasons::Reasons;
use seen::{Reference, Seen, facts};

/// V8 cannot have hooks of two tiers in one process at a time, and `cargo test` runs tests side by side.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn what_a_hook_prints_and_sets_stays_with_the_hook() -> Result<(), Fault> {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut probe = Probe::new(Tier::Node, Sandbox::Advisory, "probe")?;
    let lines = probe.logs(&json!({ "what": "prints" }))?;
    assert_eq!(lines, ["by console.log", "by console.error", "by process.stdout", "by process.stderr"]);
    let fact = "what a child sees of a variable that is set in `process.env`";
    let seen = probe.ask(&json!({ "what": "fact", "name": ["process", fact] }))?;
    assert_eq!(seen, json!({ "value": "it" }));
    assert!(std::env::var_os("COMPATIBILITY_SET").is_none());
    probe.end()
}

#[test]
fn the_document_says_what_runs() -> Result<(), Fault> {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let node: Reference = serde_json::from_slice(&fs::read(project().join("node20.json"))?)?;
    let mut reasons = Reasons::read(&fs::read_to_string(project().join("reasons.json"))?)?;
    let mut in_web_tier = Probe::new(Tier::Web, Sandbox::Advisory, "probe")?;
    let web_tier = Seen::by(&mut in_web_tier, &node.seen)?;
    let mut web_facts = BTreeMap::new();
    for (group, _) in document::FACTS.iter().filter(|(group, _)| *group != "process") {
        web_facts.insert(*group, facts(&mut in_web_tier, group)?);
    }
    in_web_tier.end()?;
    let mut in_node_tier = Probe::new(Tier::Node, Sandbox::Advisory, "probe")?;
    let node_tier = Seen::by(&mut in_node_tier, &node.seen)?;
    let mut mistakes = Vec::new();
    let mut take = |tier: &str, seen: &Seen| {
        let findings = compare(&node.seen, seen);
        let reasons = reasons.remove(tier).ok_or_else(|| format!("reasons.json has no `{tier}`"))?;
        mistakes.extend(reasons.mistakes(&findings).into_iter().map(|mistake| format!("{tier} tier: {mistake}")));
        Ok::<_, Fault>((findings, reasons))
    };
    let (node_findings, node_reasons) = take("node", &node_tier)?;
    let (web_findings, web_reasons) = take("web", &web_tier)?;
    assert!(mistakes.is_empty(), "tests/compatibility/reasons.json:\n{}", mistakes.join("\n"));

    let mut text =
        Document { node: &node, node_tier, node_findings, node_reasons, web_tier, web_findings, web_reasons }
            .text(in_node_tier.asked(&json!({ "what": "versions" }))?);
    for (group, about) in document::FACTS {
        let columns = [
            node.facts.get(*group).cloned().unwrap_or_default(),
            facts(&mut in_node_tier, group)?,
            web_facts.remove(group).unwrap_or_default(),
        ];
        text += &document::facts(about, &["Node 20", "Node tier", "web tier"], &columns);
    }
    let columns = [
        facts(&mut in_node_tier, "sandbox")?,
        facts(&mut Probe::new(Tier::Node, Sandbox::Enforced, "probe")?, "sandbox")?,
        facts(&mut Probe::new(Tier::Node, Sandbox::Enforced, "trusted")?, "sandbox")?,
    ];
    text += &document::facts(
        document::SANDBOX,
        &["advisory", "enforced", "enforced, with `network` and `secrets`"],
        &columns,
    );

    let path = workspace_root().join("docs/compatibility.md");
    let present = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    if present == text {
        return Ok(());
    }
    if std::env::var("INSTA_UPDATE").is_ok_and(|how| how == "always") {
        fs::write(&path, text)?;
        return Ok(());
    }
    let (line, (present, text)) = present
        .lines()
        .map(Some)
        .chain([None])
        .zip(text.lines().map(Some).chain([None]))
        .enumerate()
        .find(|(_, (present, text))| present != text)
        .unwrap_or_default();
    Err(format!(
        "docs/compatibility.md:{} is no longer true; INSTA_UPDATE=always writes it anew\n  it says {:?}\n  what is seen is {:?}",
        line + 1,
        present.unwrap_or("nothing more"),
        text.unwrap_or("nothing more"),
    )
    .into())
}
