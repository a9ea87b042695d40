//! A compat case: a hook folder as it is written for Node, and what comes of its calls in Node and in both tiers.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use hookhost::{Action, FailureCause, HookHost, JsonObject, Limits, Tier};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::{CaseCall, Fault, copy_folder, workspace_root};

/// Begins the lines that are answers: hooks print to the same place.
const MARK: char = '\u{1e}';

/// How long a hook may load. No case is about this limit, and the machine may be busy.
const LOAD_PATIENCE: Duration = Duration::from_secs(60);

/// The oldest Node that the corpus is for, major and minor: older ones take a `.js` file for CommonJS whatever is in it.
const OLDEST_NODE: (u32, u32) = (20, 19);

/// The web tier's messages about what only Node has name this.
const ONLY_IN_NODE: &str = "cargo feature `node`";

/// A compat case, as its `calls.json` describes it. `tests/compat/README.md` says what the keys mean.
#[derive(Debug)]
pub struct CompatCase {
    /// The folder's name.
    pub name: String,
    folder: PathBuf,
    file: CallsFile,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CallsFile {
    /// For readers. Required, so that no case is a riddle.
    #[serde(rename = "about")]
    _about: String,
    #[serde(default)]
    env: BTreeMap<String, String>,
    setup: Option<PathBuf>,
    server: Option<PathBuf>,
    #[serde(default = "yes")]
    node: bool,
    web: InWebTier,
    calls: Vec<CaseCall>,
    expect: Vec<Expected>,
}

fn yes() -> bool {
    true
}

/// What the web tier makes of a hook for Node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum InWebTier {
    /// The same.
    Same,
    /// It does not load, and says why.
    Load,
    /// A call that needs Node fails, and says why.
    Run,
}

/// What is written down of one line. What is left out may be anything, except for a failure.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Expected {
    action: Action,
    reason: Option<String>,
    payload: Option<JsonObject>,
    failure: Option<FailureCause>,
}

/// What comes of one call, as `driver.mjs` and the program `compat` print it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CompatLine {
    /// The hook's answer, or what its fail policy made of a failure.
    pub action: Action,
    /// Why, for a block or an ask.
    pub reason: Option<String>,
    /// The payload to go on with.
    pub payload: JsonObject,
    /// The cause, if the hook failed.
    pub failure: Option<FailureCause>,
    /// What happened then, for readers: each runtime has words of its own.
    pub message: Option<String>,
}

impl CompatLine {
    /// The line as it is printed, with its mark.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn to_text(&self) -> Result<String, Fault> {
        Ok(format!("\n{MARK}{}\n", serde_json::to_string(self)?))
    }

    /// The lines in what a program has printed.
    fn all_in(printed: &str) -> Result<Vec<Self>, Fault> {
        let lines = printed.lines().filter_map(|line| line.strip_prefix(MARK));
        lines.map(|line| serde_json::from_str(line).map_err(|error| format!("{error}: {line}").into())).collect()
    }

    fn is_as(&self, other: &Self) -> bool {
        self.action == other.action
            && self.reason == other.reason
            && self.payload == other.payload
            && self.failure == other.failure
    }

    /// Whether the hook failed in one of these ways for want of Node, and says so.
    fn wants_node(&self, causes: &[FailureCause]) -> bool {
        self.failure.is_some_and(|cause| causes.contains(&cause))
            && self.message.as_deref().is_some_and(|message| message.contains(ONLY_IN_NODE))
    }
}

impl Expected {
    fn fits(&self, line: &CompatLine) -> bool {
        self.action == line.action
            && self.reason.as_ref().is_none_or(|reason| Some(reason) == line.reason.as_ref())
            && self.payload.as_ref().is_none_or(|payload| *payload == line.payload)
            && self.failure == line.failure
    }
}

impl fmt::Display for CompatLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.action)?;
        if let Some(reason) = &self.reason {
            write!(f, " {reason:?}")?;
        }
        if let Some(cause) = self.failure {
            write!(f, ", {cause}: {}", self.message.as_deref().unwrap_or_default())?;
        }
        write!(f, " -> {}", serde_json::to_string(&self.payload).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.action)?;
        if let Some(reason) = &self.reason {
            write!(f, " {reason:?}")?;
        }
        if let Some(cause) = self.failure {
            write!(f, ", {cause}")?;
        }
        match &self.payload {
            Some(payload) => write!(f, " -> {}", serde_json::to_string(payload).map_err(|_| fmt::Error)?),
            None => Ok(()),
        }
    }
}

impl CompatCase {
    /// Reads a `calls.json`.
    ///
    /// # Errors
    /// The file cannot be read, or it is no case.
    pub fn read(file: &Path) -> Result<Self, Fault> {
        let folder = file.parent().ok_or("calls.json is in no folder")?.canonicalize()?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file: CallsFile = serde_json::from_slice(&fs::read(file)?)?;
        if file.calls.len() != file.expect.len() {
            return Err(format!("{} calls, and {} are expected", file.calls.len(), file.expect.len()).into());
        }
        Ok(Self { name, folder, file })
    }

    /// Makes the calls in order, on one host in this process, whose current folder is the project. The environment has to be
    /// the case's already.
    ///
    /// # Errors
    /// The host cannot be built.
    pub async fn decide(&self, tier: Tier) -> Result<Vec<CompatLine>, Fault> {
        let mut limits = Limits::default();
        limits.load_timeout = LOAD_PATIENCE;
        let exposed = self.file.env.keys().map(String::as_str).chain(["PORT"]);
        // Strict: a case whose manifest is wrong must not pass for want of a hook.
        let host = HookHost::builder().limits(limits).strict(true).tier(tier).env_names(exposed).build().await?;
        let mut lines = Vec::new();
        for call in &self.file.calls {
            let decision = host.decide(call.to_call()).await;
            let run = decision.runs.first();
            lines.push(CompatLine {
                // A hook that does not want to see the call has no say.
                action: run.map_or(Action::Allow, |run| run.action),
                reason: run.and_then(|run| run.reason.clone()),
                failure: run.and_then(|run| run.failure.as_ref()).map(|failure| failure.cause),
                message: run.and_then(|run| run.failure.as_ref()).map(|failure| failure.message.clone()),
                payload: decision.output,
            });
        }
        Ok(lines)
    }

    /// Runs the case in Node, and in both tiers by the program `compat`.
    ///
    /// # Errors
    /// A list of answers that is not as it has to be, beside the one that it is compared with; or why the case could not be
    /// run.
    pub fn run(&self, compat: &Path) -> Result<(), Fault> {
        let stage = Stage::new(self)?;
        let mut wrong = Vec::new();
        let node = if self.file.node { Some(stage.lines(By::Node)?) } else { None };
        if let Some(node) = &node {
            wrong.extend(compared("Node", node, "expected", &self.file.expect, |line, wanted| wanted.fits(line)));
        }
        for (tier, name) in [(Tier::Node, "the Node tier"), (Tier::Web, "the web tier")] {
            let lines = stage.lines(By::Hookhost { compat, tier })?;
            let causes: &[FailureCause] = match (tier, self.file.web) {
                (Tier::Web, InWebTier::Load) => &[FailureCause::LoadFailed],
                (Tier::Web, InWebTier::Run) => &[FailureCause::Threw, FailureCause::Rejected],
                _ => &[],
            };
            wrong.extend(match &node {
                Some(node) => {
                    compared(name, &lines, "Node", node, |line, wanted| line.is_as(wanted) || line.wants_node(causes))
                }
                None => compared(name, &lines, "expected", &self.file.expect, |line, wanted| {
                    wanted.fits(line) || line.wants_node(causes)
                }),
            });
            if !causes.is_empty() && lines.iter().all(|line| line.failure.is_none()) {
                wrong.push(format!("{name} has what the hook needs: `web` in calls.json is not true"));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(Differences(wrong.join("\n")).into()) }
    }
}

/// The lists that differ, as a text. The test harness prints an error by `Debug`, which of a text makes one long line.
struct Differences(String);

impl fmt::Debug for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Differences {}

/// Both lists, if one of their pairs is not as it has to be; such a pair is marked.
fn compared<T: fmt::Display>(
    name: &str,
    lines: &[CompatLine],
    other: &str,
    wanted: &[T],
    fits: impl Fn(&CompatLine, &T) -> bool,
) -> Option<String> {
    if lines.len() != wanted.len() {
        return Some(format!("{name} answers {} calls, and there are {}", lines.len(), wanted.len()));
    }
    let width = name.len().max(other.len());
    let mut rows = String::new();
    let mut equal = true;
    for (number, (line, wanted)) in lines.iter().zip(wanted).enumerate() {
        let same = fits(line, wanted);
        equal &= same;
        let mark = if same { ' ' } else { '>' };
        rows += &format!("{mark} {}  {name:width$}  {line}\n{mark}    {other:width$}  {wanted}\n", number + 1);
    }
    (!equal).then_some(rows)
}

/// Who answers.
enum By<'a> {
    Node,
    Hookhost { compat: &'a Path, tier: Tier },
}

/// Where a case is run. Each time it is set up anew, at the same place, since the place may be in the answers.
struct Stage<'a> {
    case: &'a CompatCase,
    node: OsString,
    root: TempDir,
}

impl<'a> Stage<'a> {
    fn new(case: &'a CompatCase) -> Result<Self, Fault> {
        Ok(Self { case, node: node()?, root: tempfile::tempdir()? })
    }

    /// The answers to the case's calls.
    fn lines(&self, by: By<'_>) -> Result<Vec<CompatLine>, Fault> {
        // Where the temporary folder is a link, Node would tell its modules by another path than the project.
        let run = self.root.path().canonicalize()?.join("run");
        let project = run.join("project");
        if run.exists() {
            fs::remove_dir_all(&run)?;
        }
        for folder in ["home", "tmp"] {
            fs::create_dir_all(run.join(folder))?;
        }
        // So that no package.json further up says what a .js file here is.
        fs::write(run.join("package.json"), "{}")?;
        copy_folder(&self.case.folder, &project)?;
        let command = |program: &OsString| {
            let mut command = Command::new(program);
            command.current_dir(&project).env_clear().stdin(Stdio::null());
            command.envs([("TZ", "UTC"), ("LANG", "en_US.UTF-8"), ("GIT_CONFIG_NOSYSTEM", "1")]);
            command.env("HOME", run.join("home")).env("TMPDIR", run.join("tmp"));
            command.envs(std::env::var_os("PATH").map(|path| ("PATH", path))).envs(&self.case.file.env);
            command
        };
        if let Some(setup) = &self.case.file.setup {
            output(command(&self.node).arg(setup))?;
        }
        let server = match &self.case.file.server {
            Some(script) => Some(Server::start(command(&self.node).arg(script))?),
            None => None,
        };
        let calls = project.join("calls.json");
        let mut asked = match by {
            By::Node => {
                let mut driver = command(&self.node);
                driver.arg(corpus().join("driver.mjs")).arg(&project).arg(calls);
                driver
            }
            By::Hookhost { compat, tier } => {
                let mut program = command(&compat.as_os_str().to_owned());
                program.arg(&project).arg(calls).arg(tier.as_str());
                program
            }
        };
        if let Some(server) = &server {
            asked.env("PORT", &server.port);
        }
        CompatLine::all_in(&String::from_utf8_lossy(&output(&mut asked)?.stdout))
    }
}

fn corpus() -> PathBuf {
    workspace_root().join("tests").join("compat")
}

/// Runs it to its end.
fn output(command: &mut Command) -> Result<Output, Fault> {
    let output = command.output().map_err(|error| format!("{command:?} cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(format!("{command:?} ended with {}\n{printed}", output.status).into())
}

/// The Node that the variable `NODE` or else `PATH` names.
fn node() -> Result<OsString, Fault> {
    let program = std::env::var_os("NODE").unwrap_or_else(|| "node".into());
    let told = Command::new(&program).arg("--version").output();
    let told = told.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let known = told.as_deref().ok().and_then(version);
    if known.is_some_and(|version| version >= OLDEST_NODE) {
        return Ok(program);
    }
    let (major, minor) = OLDEST_NODE;
    let found = told.map_or_else(|error| error.to_string(), |text| format!("its version is {text:?}"));
    Err(format!(
        "Node {major}.{minor} or newer is needed, to compare with: put `node` on PATH, or name it in the variable NODE ({}: \
         {found})",
        program.to_string_lossy()
    )
    .into())
}

/// Major and minor of `v20.19.0`.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.strip_prefix('v')?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// A case's server, which ends with this.
struct Server {
    child: Child,
    port: String,
}

impl Server {
    fn start(command: &mut Command) -> Result<Self, Fault> {
        let child = command.stdout(Stdio::piped()).spawn()?;
        // From here on it is ended whatever happens.
        let mut server = Self { child, port: String::new() };
        let printed = server.child.stdout.take().ok_or("a server has no stdout")?;
        BufReader::new(printed).read_line(&mut server.port)?;
        server.port = server.port.trim().to_owned();
        let Ok(_) = server.port.parse::<u16>() else {
            return Err(format!("the server's first line is no port: {:?}", server.port).into());
        };
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn line(value: Value) -> CompatLine {
        let mut line = json!({ "action": "allow", "reason": null, "payload": { "text": "t" }, "failure": null });
        line["message"] = Value::Null;
        for (key, value) in value.as_object().unwrap() {
            line[key] = value.clone();
        }
        serde_json::from_value(line).unwrap()
    }

    #[test]
    fn lines_are_found_among_what_a_hook_prints() {
        let block = line(json!({ "action": "block", "reason": "no\nnever" }));
        let printed =
            format!("loading...{}done, {MARK} or not\n{}", block.to_text().unwrap(), block.to_text().unwrap());
        assert_eq!(CompatLine::all_in(&printed).unwrap(), [block.clone(), block]);
        assert!(CompatLine::all_in(&format!("{MARK}{{}}")).is_err());
    }

    #[test]
    fn everything_but_the_message_is_compared() {
        let failed = json!({ "action": "block", "reason": "r", "failure": "threw", "message": "m" });
        let failed = line(failed);
        assert!(failed.is_as(&CompatLine { message: Some("another".into()), ..failed.clone() }));
        for (key, value) in [
            ("action", json!("ask")),
            ("reason", json!("another")),
            ("payload", json!({ "text": "t", "more": 1 })),
            ("failure", json!("rejected")),
        ] {
            let mut other = serde_json::to_value(&failed).unwrap();
            other[key] = value;
            assert!(!failed.is_as(&line(other)), "{key}");
        }
    }

    #[test]
    fn what_is_not_written_down_may_be_anything_but_a_failure() {
        let expected = |value| serde_json::from_value::<Expected>(value).unwrap();
        let block = line(json!({ "action": "block", "reason": "r" }));
        assert!(expected(json!({ "action": "block" })).fits(&block));
        assert!(expected(json!({ "action": "block", "reason": "r", "payload": { "text": "t" } })).fits(&block));
        for other in [
            json!({ "action": "ask" }),
            json!({ "action": "block", "reason": "another" }),
            json!({ "action": "block", "payload": {} }),
            json!({ "action": "block", "failure": "threw" }),
        ] {
            assert!(!expected(other.clone()).fits(&block), "{other}");
        }
        assert!(!expected(json!({ "action": "block" })).fits(&line(json!({ "action": "block", "failure": "threw" }))));
    }

    #[test]
    fn a_failure_for_want_of_node_says_so() {
        let causes = [FailureCause::LoadFailed];
        let told = |cause: &str, message: &str| {
            line(json!({ "action": "block", "failure": cause, "message": message })).wants_node(&causes)
        };
        let message = "cannot import `node:fs` from index.mjs: it is built into Node, and this hook runs in the web tier; \
                       the cargo feature `node` of hookhost runs it in the Node tier";
        assert!(told("load_failed", message));
        assert!(!told("load_failed", "ReferenceError: process is not defined"));
        assert!(!told("load_failed", "there is no file `node`"));
        assert!(!told("threw", message));
        assert!(!line(json!({ "message": message })).wants_node(&causes));
    }

    #[test]
    fn a_version_of_node_is_read() {
        assert_eq!(version("v20.19.0"), Some((20, 19)));
        assert!(version("v9.1.0").unwrap() < OLDEST_NODE && version("v22.1.0").unwrap() > OLDEST_NODE);
        for text in ["", "20.19.0", "v20", "vx.1"] {
            assert_eq!(version(text), None, "{text}");
        }
    }

    #[test]
    fn a_difference_shows_both_lists() {
        let (allow, block) = (line(json!({})), line(json!({ "action": "block", "reason": "no" })));
        let fits = |one: &CompatLine, other: &CompatLine| one.is_as(other);
        let lines = [allow.clone(), block.clone()];
        assert_eq!(compared("a", &lines, "b", &lines, fits), None);
        let told = compared("a", &lines, "Node", &[allow.clone(), allow.clone()], fits).unwrap();
        let rows = "  1  a     allow -> {\"text\":\"t\"}\n     Node  allow -> {\"text\":\"t\"}\n\
                    > 2  a     block \"no\" -> {\"text\":\"t\"}\n>    Node  allow -> {\"text\":\"t\"}\n";
        assert_eq!(told, rows);
        let told = compared("a", &lines, "b", &[allow], fits).unwrap();
        assert_eq!(told, "a answers 2 calls, and there are 1");
    }
}
