//! A thousand fixtures over ten hooks.

use std::fs;
use std::path::Path;

use hookhost::Tier;
use hookhost_testkit::{Progress, TestOptions, TestReport, find_fixtures, run_fixtures};
use serde_json::{Value, json};

use crate::Fault;

/// How fixtures lie in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One file for each hook, with a hundred fixtures.
    FileForEachHook,
    /// One file for each fixture, a hundred in each hook's folder.
    FileForEachFixture,
    /// One file with all of them, each of which calls the whole chain.
    WholeChain,
}

const HOOKS: usize = 10;
const EACH: usize = 100;

/// Hooks that block numbers ending in their own, and a module that each of them imports.
const HANDLER: &str = "import { judge } from './judge.mjs';
export const createHook = ({ digit }) => ({ run: async (point, payload) => judge(payload.args.number, digit) });
";
const MODULE: &str = "export const judge = (number, digit) =>
  number % 10 === digit ? { action: 'block', reason: `no ${number}` } : { action: 'allow' };
";

/// Writes the project, runs its fixtures, and gives back the report.
///
/// # Errors
/// A file cannot be written, or the fixtures cannot be found.
pub async fn many_fixtures(layout: Layout, tier: Tier) -> Result<TestReport, Fault> {
    let folder = tempfile::tempdir()?;
    let root = folder.path();
    for digit in 0..HOOKS {
        let hook = root.join(format!("hooks/hook-{digit}"));
        fs::create_dir_all(&hook)?;
        let manifest = json!({ "points": ["preToolUse"], "priority": digit, "config": { "digit": digit } });
        fs::write(hook.join("hook.json"), manifest.to_string())?;
        fs::write(hook.join("index.mjs"), HANDLER)?;
        fs::write(hook.join("judge.mjs"), MODULE)?;
        let fixtures: Vec<_> = (0..EACH).map(|number| fixture(number, digit)).collect();
        match layout {
            Layout::FileForEachHook => write(&hook.join("all.fixture.json"), &json!(fixtures))?,
            Layout::FileForEachFixture => {
                for (number, fixture) in fixtures.iter().enumerate() {
                    write(&hook.join(format!("{number}.fixture.json")), fixture)?;
                }
            }
            Layout::WholeChain => {}
        }
    }
    if layout == Layout::WholeChain {
        let fixtures: Vec<_> = (0..HOOKS * EACH).map(of_the_chain).collect();
        write(&root.join("chain.fixture.json"), &json!(fixtures))?;
    }
    let mut options = TestOptions::default();
    options.tier = tier;
    let found = find_fixtures(&[root.to_owned()], None)?;
    Ok(run_fixtures(found, &options, &Progress::default()).await)
}

fn fixture(number: usize, digit: usize) -> Value {
    let action = if number % 10 == digit { "block" } else { "allow" };
    json!({
        "point": "preToolUse",
        "hook": format!("hook-{digit}"),
        "payload": { "toolName": "count", "args": { "number": number } },
        "expect": { "action": action },
    })
}

fn of_the_chain(number: usize) -> Value {
    json!({
        "point": "preToolUse",
        "payload": { "toolName": "count", "args": { "number": number } },
        "expect": { "action": "block", "reason": format!("no {number}"), "hook": format!("hook-{}", number % 10) },
    })
}

fn write(path: &Path, value: &Value) -> Result<(), Fault> {
    Ok(fs::write(path, serde_json::to_vec(value)?)?)
}
