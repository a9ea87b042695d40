//! Runs the fixtures of the example hooks, which are in `fixtures/hooks`, against the project in the workspace's root.

use std::fs;
use std::path::Path;

use hookhost::{Call, Decision, HookHost, MemoryStore};
use hookhost_contract::{Expect, Fixture, FixtureCall};
use hookhost_tests::{Fault, copy_folder, workspace_root};
use regex::Regex;
use serde_json::{Value, json};

fn fixtures(file: &Path) -> Result<(), Fault> {
    let fixtures = match serde_json::from_slice(&fs::read(file)?)? {
        Fixture::One(fixture) => vec![*fixture],
        Fixture::Many(fixtures) => fixtures,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut wrong = Vec::new();
    for (place, fixture) in fixtures.iter().enumerate() {
        let decision = runtime.block_on(decide(fixture))?;
        let name = fixture.name.clone().unwrap_or_else(|| format!("number {place}"));
        wrong.extend(differences(&fixture.expect, &decision)?.into_iter().map(|text| format!("{name}: {text}")));
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n").into()),
    }
}

async fn decide(fixture: &FixtureCall) -> Result<Decision, Fault> {
    let own = (!fixture.config.is_empty()).then(|| project_with_config(fixture)).transpose()?;
    let project = own.as_ref().map_or_else(workspace_root, |folder| folder.path().to_owned());
    let mut builder = HookHost::builder().project(project).store(MemoryStore::from_json(&json!(fixture.stores))?);
    for (name, value) in &fixture.env {
        builder = builder.env_var(name, value);
    }
    let host = builder.build().await?;
    let mut call = Call::new(fixture.point.clone(), fixture.payload.clone());
    call.only_hook.clone_from(&fixture.hook);
    call.scope_id.clone_from(&fixture.scope_id);
    call.context.clone_from(&fixture.context);
    call.caller.clone_from(&fixture.caller);
    Ok(host.decide(call).await)
}

/// A copy of the project, with the fixture's config over the hook's own.
fn project_with_config(fixture: &FixtureCall) -> Result<tempfile::TempDir, Fault> {
    let hook = fixture.hook.as_ref().ok_or("a fixture with a config has to name a hook")?;
    let root = workspace_root();
    let folder = tempfile::tempdir()?;
    copy_folder(&root.join("hooks"), &folder.path().join("hooks"))?;
    let mut settings: Value = serde_json::from_slice(&fs::read(root.join("amodal.json"))?)?;
    let config = &mut settings["hooks"]["config"][hook];
    for (key, value) in &fixture.config {
        config[key] = value.clone();
    }
    fs::write(folder.path().join("amodal.json"), serde_json::to_vec(&settings)?)?;
    Ok(folder)
}

/// What is otherwise than expected. Times are left to the machine that a fixture's `maxMs` was written for.
fn differences(expect: &Expect, decision: &Decision) -> Result<Vec<String>, Fault> {
    let mut wrong = Vec::new();
    if decision.action != expect.action {
        wrong.push(format!("{} instead of {}: {:?}", decision.action, expect.action, decision.runs));
    }
    if let Some(expected) = &expect.reason {
        let reason = decision.reason.as_deref().unwrap_or_default();
        let pattern = expected.strip_prefix('/').and_then(|text| text.strip_suffix('/'));
        let fits = match pattern {
            Some(pattern) => Regex::new(pattern)?.is_match(reason),
            None => reason.contains(expected.as_str()),
        };
        if !fits {
            wrong.push(format!("the reason {reason:?} does not fit {expected:?}"));
        }
    }
    if let Some(expected) = &expect.payload
        && *expected != decision.output
    {
        wrong.push(format!("the payload is {}", json!(decision.output)));
    }
    for expected in &expect.logs {
        if !decision.logs.iter().any(|log| log.message.contains(expected.as_str())) {
            wrong.push(format!("no log line has {expected:?}: {:?}", decision.logs));
        }
    }
    Ok(wrong)
}

datatest_stable::harness! {
    { test = fixtures, root = "../fixtures/hooks", pattern = r"\.fixture\.json$" },
}
