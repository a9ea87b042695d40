//! Asks a hook what there is around it.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use hookhost::{Action, Call, HookHost, Sandbox, Tier};
use hookhost_tests::{Fault, workspace_root};
use regex::Regex;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// A hook to ask.
pub(crate) struct Probe {
    tier: Tier,
    sandbox: Sandbox,
    hook: &'static str,
    runtime: Runtime,
    host: Option<HookHost>,
    temporary: Regex,
}

impl Probe {
    /// The hook `probe`, which has no capability but for its answers, or `trusted`, which has `network` and `secrets` too.
    pub(crate) fn new(tier: Tier, sandbox: Sandbox, hook: &'static str) -> Result<Self, Fault> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let temporary = Regex::new(r"compatibility-\d+")?;
        Ok(Self { tier, sandbox, hook, runtime, host: None, temporary })
    }

    /// What the hook answers, or `{ "ended": ... }` with why it did not. The next question goes to a new hook then.
    pub(crate) fn ask(&mut self, question: &Value) -> Result<Value, Fault> {
        let host = match self.host.take() {
            Some(host) => host,
            None => self.start()?,
        };
        let call = Call::pre_tool_use("look", question.clone()).only_hook(self.hook);
        let decision = self.runtime.block_on(host.decide(call));
        let run = decision.runs.first().ok_or("the hook was not asked")?;
        if let Some(failure) = &run.failure {
            return Ok(json!({ "ended": self.masked(&format!("{}: {}", failure.cause, failure.message)) }));
        }
        if run.action != Action::Modify {
            return Err(format!("{question}: {}", run.action).into());
        }
        self.host = Some(host);
        let seen = self.masked(&decision.output["args"]["seen"].to_string());
        Ok(serde_json::from_str(&seen)?)
    }

    /// What the hook logs when it is asked.
    pub(crate) fn logs(&mut self, question: &Value) -> Result<Vec<String>, Fault> {
        let host = self.start()?;
        let call = Call::pre_tool_use("look", question.clone()).only_hook(self.hook);
        let decision = self.runtime.block_on(host.decide(call));
        Ok(decision.logs.into_iter().map(|log| log.message).collect())
    }

    /// The same, where a failure is a mistake in the probe.
    pub(crate) fn asked<T: DeserializeOwned>(&mut self, question: &Value) -> Result<T, Fault> {
        let seen = self.ask(question)?;
        match seen.get("ended") {
            Some(Value::String(why)) => Err(format!("{question}: {why}").into()),
            _ => serde_json::from_value(seen).map_err(|error| format!("{question}: {error}").into()),
        }
    }

    /// Ends the hook, and waits for that: V8 cannot have hooks of two tiers in one process at a time.
    pub(crate) fn end(self) -> Result<(), Fault> {
        drop(self);
        for _ in 0..600 {
            if !a_hook_runs()? {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(50));
        }
        Err("a hook is still there half a minute after its host".into())
    }

    fn start(&self) -> Result<HookHost, Fault> {
        let host = HookHost::builder()
            .project(project())
            .tier(self.tier)
            .sandbox(self.sandbox)
            .env_var("CHOSEN", "yes")
            .build();
        Ok(self.runtime.block_on(host)?)
    }

    /// Without what differs from machine to machine.
    fn masked(&self, text: &str) -> String {
        let project = project();
        let path = |path: &Path| path.to_string_lossy().into_owned();
        let text = text.replace(&path(&project.join("hooks/probe/")), "<hook>/").replace(&path(&project), "<project>");
        self.temporary.replace_all(&text, "x").into_owned()
    }
}

fn a_hook_runs() -> Result<bool, Fault> {
    for entry in fs::read_dir("/proc/self/task")? {
        // One that has ended meanwhile has no name.
        let name = fs::read_to_string(entry?.path().join("comm")).unwrap_or_default();
        if name.starts_with("hook:") {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The folder with the hooks, and with what is known of Node.
pub(crate) fn project() -> PathBuf {
    workspace_root().join("tests/compatibility")
}
