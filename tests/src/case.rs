//! A case: a project in a folder, and the calls that are made on it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use hookhost::{Action, Call, Caller, Decision, HookHost, JsonObject, MemoryStore, Point, Sandbox, Tier};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{tier, workspace_root};

/// Why a case could not be run: a mistake in the case, or a host that cannot be built.
pub type Fault = Box<dyn std::error::Error>;

/// A case, as its `call.json` describes it.
#[derive(Debug, Clone)]
pub struct Case {
    /// `<area>/<what_happens>`.
    pub name: String,
    /// The case's folder, which is the project.
    pub folder: PathBuf,
    /// `ctx.env`.
    pub env: BTreeMap<String, String>,
    /// What `ctx.store` reads. `None`: the host has no store.
    pub stores: Option<Value>,
    /// What the hooks' capabilities mean to the host.
    pub sandbox: Sandbox,
    /// The only tier that it is about. `None`: what comes of it is the same in each.
    pub tier: Option<Tier>,
    /// A later call depends on what an earlier one left behind, so all must be made on one host.
    pub stateful: bool,
    /// The calls, in order.
    pub calls: Vec<CaseCall>,
}

/// One call of a case.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseCall {
    /// Where it is made.
    pub point: Point,
    /// What it is about.
    pub payload: JsonObject,
    /// Call only this hook.
    pub hook: Option<String>,
    /// `ctx.scopeId`.
    pub scope_id: Option<String>,
    /// `ctx.context`.
    pub context: Option<BTreeMap<String, String>>,
    /// `ctx.caller`.
    pub caller: Option<Caller>,
}

impl Case {
    /// Every case there is, by name.
    ///
    /// # Errors
    /// One of them cannot be read.
    pub fn all() -> Result<Vec<Self>, Fault> {
        let mut cases = Vec::new();
        for area in fs::read_dir(workspace_root().join("tests").join("cases"))? {
            let area = area?.path();
            if !area.is_dir() {
                continue;
            }
            for case in fs::read_dir(area)? {
                let file = case?.path().join("call.json");
                // Some folders are there for the cases beside them.
                if !file.is_file() {
                    continue;
                }
                cases.push(Self::read(&file).map_err(|error| format!("{}: {error}", file.display()))?);
            }
        }
        cases.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(cases)
    }

    /// Reads a `call.json`: one call, or several in `calls`, and what they share.
    ///
    /// # Errors
    /// The file cannot be read, or it is no case.
    pub fn read(file: &Path) -> Result<Self, Fault> {
        let mut keys: JsonObject = serde_json::from_slice(&fs::read(file)?)?;
        let folder = file.parent().ok_or("call.json is in no folder")?.canonicalize()?;
        let names = folder.iter().skip(folder.iter().count().saturating_sub(2));
        let name = names.map(|name| name.to_string_lossy()).collect::<Vec<_>>().join("/");
        let env = take(&mut keys, "env")?.unwrap_or_default();
        let stores = take(&mut keys, "stores")?;
        let sandbox = take(&mut keys, "sandbox")?.unwrap_or(Sandbox::Advisory);
        let tier = take::<String>(&mut keys, "tier")?.map(|name| name.parse()).transpose()?;
        let stateful = take(&mut keys, "stateful")?.unwrap_or_default();
        let calls = match take(&mut keys, "calls")? {
            None => vec![serde_json::from_value(Value::Object(keys))?],
            Some(calls) if keys.is_empty() => calls,
            Some(_) => return Err(format!("beside `calls`: {keys:?}").into()),
        };
        Ok(Self { name, folder, env, stores, sandbox, tier, stateful, calls })
    }

    /// The tiers that it is about.
    pub fn tiers(&self) -> impl Iterator<Item = Tier> {
        tier::among(self.tier)
    }

    /// Makes the calls on one host, in order.
    ///
    /// # Errors
    /// The host cannot be built.
    pub fn decide(&self, tier: Tier) -> Result<Vec<Decision>, Fault> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let mut builder = HookHost::builder().project(&self.folder).sandbox(self.sandbox).tier(tier);
            for (name, value) in &self.env {
                builder = builder.env_var(name, value);
            }
            if let Some(stores) = &self.stores {
                builder = builder.store(MemoryStore::from_json(stores)?);
            }
            let host = builder.build().await?;
            let mut decisions = Vec::new();
            for call in &self.calls {
                decisions.push(host.decide(call.to_call()).await);
            }
            Ok(decisions)
        })
    }
}

impl CaseCall {
    pub(crate) fn to_call(&self) -> Call {
        let mut call = Call::new(self.point.clone(), self.payload.clone());
        call.only_hook.clone_from(&self.hook);
        call.scope_id.clone_from(&self.scope_id);
        call.context.clone_from(&self.context);
        call.caller.clone_from(&self.caller);
        call
    }

    /// The exit code that the documentation promises for a decision.
    pub fn exit_code(action: Action) -> i32 {
        match action {
            Action::Allow | Action::Modify | Action::Inject => 0,
            Action::Ask => 3,
            Action::Block => 4,
        }
    }
}

fn take<T: DeserializeOwned>(keys: &mut JsonObject, key: &str) -> Result<Option<T>, Fault> {
    // Not `remove`, which would put the last key in the place of the one that is gone.
    let Some(value) = keys.shift_remove(key) else { return Ok(None) };
    serde_json::from_value(value).map_err(|error| format!("`{key}`: {error}").into())
}
