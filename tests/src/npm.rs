//! Hooks that use packages of the npm registry: installed as package managers lay packages out, run in the host, and run
//! in Node itself.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use hookhost::{Action, Call, HookHost, JsonObject, Limits, Point, Sandbox, Tier};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::{Fault, copy_folder, workspace_root};

/// The package that the hooks are in, where they are installed themselves.
const PACKAGE: &str = "@acme/guards";

/// The packages that the hooks in `tests/npm/hooks` use, installed once for each state of `package-lock.json`.
#[derive(Debug)]
pub struct NpmPackages {
    node_modules: PathBuf,
    lock: Lock,
}

#[derive(Debug, Deserialize)]
struct Lock {
    packages: BTreeMap<String, Locked>,
}

/// One package of the lock file.
#[derive(Debug, Deserialize)]
struct Locked {
    #[serde(default)]
    version: String,
    #[serde(default)]
    dependencies: BTreeMap<String, String>,
}

/// Where the hooks are, seen from the packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NpmPlace {
    /// In the `hooks` folder of the project whose `node_modules` it is.
    Project,
    /// In a project two folders below, as in a workspace.
    Above,
    /// In a package that is installed beside them.
    Package,
}

/// A project with the hooks of `tests/npm`.
#[derive(Debug)]
pub struct NpmProject {
    _folder: TempDir,
    root: PathBuf,
    hooks: Vec<NpmHook>,
}

#[derive(Debug)]
struct NpmHook {
    name: String,
    folder: PathBuf,
    calls: Vec<NpmCall>,
}

/// A call at `preToolUse`, and what has to come of it in the host and in Node.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct NpmCall {
    payload: JsonObject,
    expect: Said,
}

/// What a hook says of a call.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    action: Action,
    reason: Option<String>,
    /// The new arguments.
    args: Option<Value>,
}

/// Installs the packages that the `package.json` in `corpus` names, with `npm ci` into a folder under `cache`, if they are
/// not there yet. Returns that folder.
///
/// # Errors
/// npm is missing, or it cannot install them, in words that say what to do.
pub fn install(cache: &Path, corpus: &Path, settings: &[(&str, &str)]) -> Result<PathBuf, Fault> {
    let files = ["package.json", "package-lock.json"].map(|name| (name, corpus.join(name)));
    let mut hash = Sha256::new();
    for (_, file) in &files {
        hash.update(fs::read(file)?);
    }
    let hash: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let cache = cache.join("npm");
    fs::create_dir_all(&cache)?;
    let installed = cache.join(&hash);
    // Tests run in processes of their own, and one of them has to do it.
    let guard = fs::File::create(cache.join(format!("{hash}.lock")))?;
    guard.lock()?;
    if !installed.is_dir() {
        let begun = cache.join(format!("{hash}.begun"));
        if begun.is_dir() {
            fs::remove_dir_all(&begun)?;
        }
        fs::create_dir(&begun)?;
        for (name, file) in &files {
            fs::copy(file, begun.join(name))?;
        }
        npm_ci(&begun, settings)?;
        fs::rename(&begun, &installed)?;
    }
    Ok(installed)
}

impl NpmPackages {
    /// Installs the packages with `npm ci` into a folder under `cache`, if they are not there yet. `settings` are
    /// variables for npm, such as `npm_config_registry`.
    ///
    /// # Errors
    /// npm is missing, or it cannot install them, in words that say what to do.
    pub fn install(cache: &Path, settings: &[(&str, &str)]) -> Result<Self, Fault> {
        let installed = install(cache, &corpus(), settings)?;
        let lock = serde_json::from_slice(&fs::read(installed.join("package-lock.json"))?)?;
        Ok(Self { node_modules: installed.join("node_modules"), lock })
    }

    /// A project with all hooks. `linked`: the packages are laid out as pnpm does it, with links into a store.
    ///
    /// # Errors
    /// Files cannot be copied, or a call file is none.
    pub fn project(&self, place: NpmPlace, linked: bool) -> Result<NpmProject, Fault> {
        let folder = tempfile::tempdir()?;
        let top = folder.path().canonicalize()?;
        let root = if place == NpmPlace::Above { top.join("teams").join("agent") } else { top.clone() };
        fs::create_dir_all(&root)?;
        // The dependencies are named where they are used.
        let mut manifest: Value = serde_json::from_slice(&fs::read(corpus().join("package.json"))?)?;
        let mut hooks_in = root.clone();
        if place == NpmPlace::Package {
            let name_and_version = format!("{}@1.0.0", PACKAGE.replace('/', "+"));
            hooks_in = match linked {
                true => store(&top).join(name_and_version).join("node_modules").join(PACKAGE),
                false => top.join("node_modules").join(PACKAGE),
            };
            fs::create_dir_all(&hooks_in)?;
            manifest["name"] = json!(PACKAGE);
            manifest["version"] = json!("1.0.0");
            fs::write(root.join("package.json"), json!({ "dependencies": { PACKAGE: "1.0.0" } }).to_string())?;
            fs::write(root.join("amodal.json"), json!({ "packages": [PACKAGE] }).to_string())?;
        } else if place == NpmPlace::Above {
            fs::write(top.join("package.json"), json!({ "workspaces": ["teams/*"] }).to_string())?;
        }
        fs::write(hooks_in.join("package.json"), manifest.to_string())?;
        copy_folder(&corpus().join("hooks"), &hooks_in.join("hooks"))?;
        if linked {
            // What a package needs is linked beside it; what is installed into it would be in it.
            let users = if place == NpmPlace::Package { hooks_in.join("../..") } else { root.join("node_modules") };
            self.lay_out_links(&top, &users.canonicalize().unwrap_or(users))?;
            if place == NpmPlace::Package {
                link(&hooks_in, &top.join("node_modules").join(PACKAGE))?;
            }
        } else {
            copy_folder(&self.node_modules, &top.join("node_modules"))?;
        }
        let mut hooks = Vec::new();
        for entry in fs::read_dir(hooks_in.join("hooks"))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let package = name.rsplit_once('-').map_or(&*name, |(package, _form)| package);
            let calls = fs::read(corpus().join("calls").join(format!("{package}.json")))?;
            hooks.push(NpmHook { folder: entry.path(), calls: serde_json::from_slice(&calls)?, name });
        }
        hooks.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(NpmProject { _folder: folder, root, hooks })
    }

    /// Each package in the store, with links to what it needs beside it; and links in `users` to what the hooks need.
    fn lay_out_links(&self, top: &Path, users: &Path) -> Result<(), Fault> {
        let place = |name: &str| -> Result<PathBuf, Fault> {
            let locked = self.lock.packages.get(&format!("node_modules/{name}"));
            let version = &locked.ok_or_else(|| format!("{name} is not in package-lock.json"))?.version;
            Ok(store(top).join(format!("{}@{version}", name.replace('/', "+"))).join("node_modules"))
        };
        for (path, locked) in &self.lock.packages {
            let Some(name) = path.strip_prefix("node_modules/") else { continue };
            if name.contains("node_modules/") {
                return Err(format!("{path}: two versions of a package, which nobody lays out here yet").into());
            }
            let beside = place(name)?;
            copy_folder(&self.node_modules.join(name), &beside.join(name))?;
            for dependency in locked.dependencies.keys() {
                link(&place(dependency)?.join(dependency), &beside.join(dependency))?;
            }
        }
        let wanted = self.lock.packages.get("").map(|root| root.dependencies.keys());
        for name in wanted.into_iter().flatten() {
            link(&place(name)?.join(name), &users.join(name))?;
        }
        Ok(())
    }
}

impl NpmProject {
    /// Makes each call in the host, in the Node tier. What is otherwise than expected.
    ///
    /// # Errors
    /// The host cannot be built.
    pub async fn differences_in_the_host(&self, sandbox: Sandbox) -> Result<Vec<String>, Fault> {
        let builder = HookHost::builder().project(&self.root).tier(Tier::Node).sandbox(sandbox).strict(true);
        // Twelve at once, and some read a hundred files, on a machine that does other things too.
        let limits = Limits::default().load_timeout(Duration::from_secs(120));
        let host = builder.limits(limits).build().await?;
        let mut wrong = Vec::new();
        for hook in &self.hooks {
            for call in &hook.calls {
                let mut made = Call::new(Point::PreToolUse, call.payload.clone());
                made.only_hook = Some(hook.name.clone());
                let decision = host.decide(made).await;
                let args = (decision.action == Action::Modify).then(|| decision.output["args"].clone());
                let said = Said { action: decision.action, reason: decision.reason.clone(), args };
                let failed = decision.runs.iter().find_map(|run| run.failure.as_ref());
                wrong.extend(difference(hook, call, &said, failed.map(ToString::to_string).unwrap_or_default()));
                if decision.runs.len() != 1 {
                    wrong.push(format!("{}: {} hooks were asked", hook.name, decision.runs.len()));
                }
            }
        }
        Ok(wrong)
    }

    /// Makes each call in Node. What is otherwise than expected.
    ///
    /// # Errors
    /// Node is missing, or one of the hooks fails in it.
    pub fn differences_in_node(&self) -> Result<Vec<String>, Fault> {
        let payloads = |hook: &NpmHook| hook.calls.iter().map(|call| call.payload.clone()).collect::<Vec<_>>();
        let calls: BTreeMap<_, _> = self.hooks.iter().map(|hook| (&hook.folder, payloads(hook))).collect();
        let mut node = Command::new("node");
        node.arg(corpus().join("driver.mjs")).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut node = node.spawn().map_err(|error| format!("cannot run `node`: {error}; {NODE_IS_NEEDED}"))?;
        let mut stdin = node.stdin.take().ok_or("node has no stdin")?;
        stdin.write_all(&serde_json::to_vec(&calls)?)?;
        drop(stdin);
        let output = node.wait_with_output()?;
        if !output.status.success() {
            return Err(format!("a hook fails in Node: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        let replies: BTreeMap<PathBuf, Vec<Value>> = serde_json::from_slice(&output.stdout)?;
        let mut wrong = Vec::new();
        for hook in &self.hooks {
            let replies = replies.get(&hook.folder).ok_or_else(|| format!("Node says nothing of {}", hook.name))?;
            if replies.len() != hook.calls.len() {
                wrong.push(format!("{}: {} replies in Node", hook.name, replies.len()));
            }
            for (call, reply) in hook.calls.iter().zip(replies) {
                let said = Said {
                    action: serde_json::from_value(reply["action"].clone())?,
                    reason: reply["reason"].as_str().map(str::to_owned),
                    args: reply.pointer("/payload/args").cloned(),
                };
                wrong.extend(difference(hook, call, &said, "in Node".to_owned()));
            }
        }
        Ok(wrong)
    }

    /// How many calls there are: none that are as expected would be no test.
    pub fn calls(&self) -> usize {
        self.hooks.iter().map(|hook| hook.calls.len()).sum()
    }
}

fn difference(hook: &NpmHook, call: &NpmCall, said: &Said, more: String) -> Option<String> {
    let NpmCall { payload, expect } = call;
    (said != expect).then(|| format!("{} of {}: {said:?} instead of {expect:?} {more}", hook.name, json!(payload)))
}

const NODE_IS_NEEDED: &str = "install Node.js 20 or later, with npm: hooks that use packages are tested with it";

fn npm_ci(folder: &Path, settings: &[(&str, &str)]) -> Result<(), Fault> {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let output = Command::new(npm)
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"])
        .envs(settings.iter().copied())
        .current_dir(folder)
        .output()
        .map_err(|error| format!("cannot run `npm`: {error}; {NODE_IS_NEEDED}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "the packages that these tests use cannot be installed: `npm ci` in {} says:\n{}\nThey come from the npm \
         registry: connect this machine to it, or name a mirror with `npm config set registry <url>`, and run the test \
         again. Once they are installed, it needs no network.",
        folder.display(),
        String::from_utf8_lossy(&output.stderr).trim()
    )
    .into())
}

/// What the hooks in `tests/npm` use.
fn corpus() -> PathBuf {
    workspace_root().join("tests").join("npm")
}

/// Where pnpm keeps packages.
fn store(top: &Path) -> PathBuf {
    top.join("node_modules").join(".pnpm")
}

/// Links are relative, as pnpm makes them.
#[cfg(unix)]
fn link(target: &Path, at: &Path) -> Result<(), Fault> {
    let folder = at.parent().ok_or("a link is in a folder")?;
    fs::create_dir_all(folder)?;
    let shared = folder.components().zip(target.components()).take_while(|(one, other)| one == other).count();
    let mut relative: PathBuf = folder.components().skip(shared).map(|_| "..").collect();
    relative.extend(target.components().skip(shared));
    Ok(std::os::unix::fs::symlink(relative, at)?)
}

#[cfg(not(unix))]
fn link(_target: &Path, _at: &Path) -> Result<(), Fault> {
    Err("links need rights here that a test does not have".into())
}
