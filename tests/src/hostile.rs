//! A hostile case: a hook that does its worst, beside one that must not notice, and what has to come of both.

use std::cell::Cell;
use std::fs;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use futures::future::join_all;
use hookhost::{Action, Call, Decision, FailureCause, HookHost, HookState, JsonObject, Limits, Tier};
use regex::Regex;
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::host_process::HostProcess;
use crate::{CaseCall, Fault, tier, workspace_root};

/// How long any answer is waited for. Far above every limit of a case: who reaches it has been forgotten by the host.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long after a wrong answer the call is made again, where the right one comes `eventually`.
const AGAIN: Duration = Duration::from_millis(100);

/// The hook that must not notice. It is bound to `preInput`, the hostile ones are not.
const NEIGHBOUR: &str = "neighbour";

/// A hostile case, as its `case.json` describes it. `tests/hostile/README.md` says what the keys mean.
#[derive(Debug, Clone)]
pub struct HostileCase {
    /// The folder's name.
    pub name: String,
    folder: PathBuf,
    file: CaseFile,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CaseFile {
    /// For readers. Required, so that no case is a riddle.
    #[serde(rename = "about")]
    _about: String,
    /// Only there. `None`: in each.
    #[serde(default, deserialize_with = "tier::read")]
    tier: Option<Tier>,
    call: Option<CaseCall>,
    #[serde(default = "once")]
    times: usize,
    expect: Expected,
    #[serde(default)]
    beside: Vec<Step>,
    next: Option<Step>,
    /// What is otherwise in the Node tier.
    #[serde(default)]
    node: Otherwise,
    #[serde(default)]
    limits: CaseLimits,
    #[serde(default)]
    grow: Vec<Grown>,
}

/// What takes the place of the case's own, where it is said.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Otherwise {
    expect: Option<Expected>,
    next: Option<Step>,
}

fn once() -> usize {
    1
}

/// A call and what has to come of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Step {
    call: CaseCall,
    #[serde(default = "once")]
    times: usize,
    /// It is called until it is as expected.
    #[serde(default)]
    eventually: bool,
    expect: Expected,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Expected {
    /// The hook that is spoken of.
    #[serde(default = "attacker")]
    hook: String,
    action: Action,
    /// Any of these; none: no hook may fail.
    #[serde(default)]
    cause: Causes,
    message: Option<String>,
    reason: Option<String>,
    payload: Option<JsonObject>,
    #[serde(default)]
    logs: Vec<String>,
    #[serde(default)]
    no_logs: Vec<String>,
}

fn attacker() -> String {
    "attacker".to_owned()
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(untagged)]
enum Causes {
    #[default]
    None,
    One(FailureCause),
    AnyOf(Vec<FailureCause>),
}

impl Causes {
    fn as_slice(&self) -> &[FailureCause] {
        match self {
            Self::None => &[],
            Self::One(cause) => std::slice::from_ref(cause),
            Self::AnyOf(causes) => causes,
        }
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CaseLimits {
    heap_mi_b: Option<usize>,
    load_timeout_ms: Option<u64>,
    reply_bytes: Option<usize>,
    log_bytes: Option<usize>,
}

/// A file that is too large to be kept.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Grown {
    file: PathBuf,
    #[serde(default)]
    head: String,
    repeat: String,
    times: usize,
    #[serde(default)]
    tail: String,
}

impl CaseFile {
    fn expect(&self, tier: Tier) -> &Expected {
        self.node.expect.as_ref().filter(|_| tier == Tier::Node).unwrap_or(&self.expect)
    }

    fn next(&self, tier: Tier) -> Option<&Step> {
        self.node.next.as_ref().filter(|_| tier == Tier::Node).or(self.next.as_ref())
    }

    /// The attack and what is called at the same moment.
    fn at_once(&self, tier: Tier) -> Vec<(Call, &Expected)> {
        let attack = self.call.as_ref().map_or_else(|| tool_call(json!({ "attack": true })), CaseCall::to_call);
        let mut calls = vec![(attack, self.expect(tier)); self.times];
        for Step { call, times, expect, .. } in &self.beside {
            calls.extend(vec![(call.to_call(), expect); *times]);
        }
        calls
    }
}

fn tool_call(args: Value) -> Call {
    Call::pre_tool_use("tool", args)
}

impl HostileCase {
    /// Reads the case in a folder.
    ///
    /// # Errors
    /// There is no `case.json`, or it is no case.
    pub fn read(folder: &Path) -> Result<Self, Fault> {
        let folder = folder.canonicalize()?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = serde_json::from_slice(&fs::read(folder.join("case.json"))?)?;
        Ok(Self { name, folder, file })
    }

    /// Every case there is, by name.
    ///
    /// # Errors
    /// One of them cannot be read.
    pub fn all() -> Result<Vec<Self>, Fault> {
        let mut cases = Vec::new();
        for entry in fs::read_dir(corpus())? {
            let folder = entry?.path();
            if folder.join("case.json").is_file() {
                cases.push(Self::read(&folder).map_err(|error| format!("{}: {error}", folder.display()))?);
            }
        }
        cases.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(cases)
    }

    /// The tiers that it is about.
    pub fn tiers(&self) -> impl Iterator<Item = Tier> {
        tier::among(self.file.tier)
    }

    /// Makes the attack and the call after it, with the neighbour called all the while, all in one tier.
    ///
    /// # Errors
    /// Everything that was not as it has to be, or why the case could not be run.
    pub async fn run(&self, tier: Tier) -> Result<(), Fault> {
        let process = HostProcess::now()?;
        let project = self.project()?;
        let host = self.builder(project.path()).tier(tier).build().await?;
        let over = Cell::new(false);
        let attack = async {
            let mut wrong = self.attack(&host, tier).await;
            wrong.extend(self.next(&host, tier).await);
            over.set(true);
            wrong
        };
        let (disturbed, mut wrong) = tokio::join!(neighbour_is_disturbed(&host, &over), attack);
        wrong.extend(disturbed);
        let report = host.report();
        let state = report.hooks.iter().find(|hook| hook.name == NEIGHBOUR).map(|hook| &hook.state);
        if state != Some(&HookState::Ready) {
            wrong.push(format!("the neighbour is {state:?} in the end"));
        }
        wrong.extend(process.changes()?);
        match wrong.is_empty() {
            true => Ok(()),
            false => Err(format!("{} in the {tier} tier\n  {}", self.name, wrong.join("\n  ")).into()),
        }
    }

    /// [`HostileCase::run`], with an async runtime of its own.
    ///
    /// # Errors
    /// As there.
    pub fn run_alone(&self, tier: Tier) -> Result<(), Fault> {
        tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(self.run(tier))
    }

    async fn attack(&self, host: &HookHost, tier: Tier) -> Vec<String> {
        let calls = self.file.at_once(tier).into_iter();
        let wrong = join_all(calls.map(|(call, expect)| expected(host, call, expect))).await;
        counted(wrong).map(|wrong| format!("the attack: {wrong}")).collect()
    }

    async fn next(&self, host: &HookHost, tier: Tier) -> Option<String> {
        let wrong = match self.file.next(tier) {
            Some(Step { call, expect, times, eventually }) => {
                let end = Instant::now() + PATIENCE;
                loop {
                    let calls = (0..*times).map(|_| expected(host, call.to_call(), expect));
                    let wrong = counted(join_all(calls).await).next();
                    if wrong.is_none() || !eventually || Instant::now() >= end {
                        break wrong;
                    }
                    tokio::time::sleep(AGAIN).await;
                }
            }
            None => {
                let expect = Expected {
                    hook: attacker(),
                    action: Action::Modify,
                    cause: Causes::None,
                    message: None,
                    reason: None,
                    payload: Some(tool_call(json!({ "twice": 42 })).payload),
                    logs: Vec::new(),
                    no_logs: Vec::new(),
                };
                expected(host, tool_call(json!({ "n": 21 })), &expect).await
            }
        };
        wrong.map(|wrong| format!("the next call: {wrong}"))
    }

    /// A project with the case's hooks and the neighbour.
    fn project(&self) -> Result<TempDir, Fault> {
        let project = tempfile::tempdir()?;
        copy_folder(&self.folder, project.path())?;
        copy_folder(&corpus().join(NEIGHBOUR), &project.path().join("hooks").join(NEIGHBOUR))?;
        for Grown { file, head, repeat, times, tail } in &self.file.grow {
            fs::write(project.path().join(file), [head, &*repeat.repeat(*times), tail].concat())?;
        }
        Ok(project)
    }

    fn builder(&self, project: &Path) -> hookhost::HookHostBuilder {
        let CaseLimits { heap_mi_b, load_timeout_ms, reply_bytes, log_bytes } = self.file.limits;
        let mut limits = Limits::default();
        limits.heap_bytes = heap_mi_b.map_or(limits.heap_bytes, |mib| mib << 20);
        limits.load_timeout = load_timeout_ms.map_or(limits.load_timeout, Duration::from_millis);
        limits.reply_bytes = reply_bytes.unwrap_or(limits.reply_bytes);
        limits.log_bytes = log_bytes.unwrap_or(limits.log_bytes);
        // Strict: a case whose manifest is wrong must not pass for want of an attacker.
        HookHost::builder().project(project).limits(limits).strict(true)
    }
}

fn corpus() -> PathBuf {
    workspace_root().join("tests").join("hostile")
}

/// Copies what is in a folder into another, which is made if it is not there.
///
/// # Errors
/// Something cannot be read or written.
pub fn copy_folder(from: &Path, to: &Path) -> Result<(), Fault> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_folder(&entry.path(), &to)?,
            false => drop(fs::copy(entry.path(), to)?),
        }
    }
    Ok(())
}

/// Makes the call. Returns what is otherwise than expected.
async fn expected(host: &HookHost, call: Call, expect: &Expected) -> Option<String> {
    let payload = call.payload.clone();
    match answered(host.decide(call)).await {
        Ok(decision) => expect.differences(&payload, &decision),
        Err(late) => Some(late),
    }
}

/// What went wrong with some of several calls: how many there are, and the first of them.
fn counted(wrong: Vec<Option<String>>) -> impl Iterator<Item = String> {
    let all = wrong.len();
    let mut wrong: Vec<_> = wrong.into_iter().flatten().collect();
    let count = wrong.len();
    wrong.truncate(1);
    wrong.into_iter().map(move |first| if all == 1 { first } else { format!("{count} of {all}, as here: {first}") })
}

async fn answered(decision: impl Future<Output = Decision>) -> Result<Decision, String> {
    tokio::time::timeout(PATIENCE, decision).await.map_err(|_| format!("no answer within {PATIENCE:?}"))
}

impl Expected {
    fn differences(&self, payload: &JsonObject, decision: &Decision) -> Option<String> {
        let mut wrong = Vec::new();
        if decision.action != self.action {
            wrong.push(format!("{} instead of {}", decision.action, self.action));
        }
        match decision.runs.iter().find(|run| run.hook == self.hook) {
            None => wrong.push(format!("{} was not called", self.hook)),
            Some(run) => {
                let cause = run.failure.as_ref().map(|failure| failure.cause);
                let causes = self.cause.as_slice();
                if cause.map_or(!causes.is_empty(), |cause| !causes.contains(&cause)) {
                    wrong.push(format!("the cause is {cause:?}, not {causes:?}"));
                }
                let message = run.failure.as_ref().map(|failure| &*failure.message);
                wrong.extend(misfit("message", self.message.as_deref(), message));
            }
        }
        for run in decision.runs.iter().filter(|run| run.hook != self.hook && run.failure.is_some()) {
            wrong.push(format!("{} failed too", run.hook));
        }
        wrong.extend(misfit("reason", self.reason.as_deref(), decision.reason.as_deref()));
        // What a hook does to its own copy reaches nobody.
        if decision.input != *payload {
            wrong.push("the input is not what was passed".to_owned());
        }
        if let Some(payload) = &self.payload
            && decision.output != *payload
        {
            wrong.push("the payload is another".to_owned());
        }
        let logged =
            |text: &String| decision.logs.iter().any(|log| log.hook == self.hook && log.message.contains(text));
        wrong.extend(self.logs.iter().filter(|text| !logged(text)).map(|text| format!("no log line has {text:?}")));
        wrong.extend(self.no_logs.iter().filter(|text| logged(text)).map(|text| format!("a log line has {text:?}")));
        (!wrong.is_empty()).then(|| format!("{}\n    {}", wrong.join("; "), what_came(decision)))
    }
}

fn misfit(what: &str, pattern: Option<&str>, text: Option<&str>) -> Option<String> {
    let pattern = pattern?;
    match Regex::new(pattern) {
        Ok(regex) if regex.is_match(text.unwrap_or_default()) => None,
        Ok(_) => Some(format!("the {what} {:?} does not fit {pattern:?}", text.unwrap_or_default())),
        Err(error) => Some(format!("{pattern:?} is no pattern: {error}")),
    }
}

/// A decision for whoever looks for what went wrong. It may be as large as the attack.
fn what_came(decision: &Decision) -> String {
    let Decision { action, reason, runs, output, logs, .. } = decision;
    let mut text = format!("it was {action}, reason {reason:?}");
    for run in runs {
        text += &format!("; {}: {} after {} ms, failure {:?}", run.hook, run.action, run.duration_ms, run.failure);
    }
    text += &format!("; payload {}; logs {:?}", json!(output), logs.iter().map(|log| &log.message).collect::<Vec<_>>());
    match text.char_indices().nth(1500) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// Calls the neighbour again and again, and once more when `over` has come. Returns the first answer that is not right.
async fn neighbour_is_disturbed(host: &HookHost, over: &Cell<bool>) -> Option<String> {
    for number in 0_u64.. {
        let last = over.get();
        let text = format!("ab\u{e9}\u{1f980} {number}");
        let decision = match answered(host.decide(Call::pre_input(&*text))).await {
            Ok(decision) => decision,
            Err(late) => return Some(format!("the neighbour: {late}")),
        };
        let right = format!("{text} {}", checksum(&text));
        let logs: Vec<_> = decision.logs.iter().map(|log| &*log.message).collect();
        let undisturbed = decision.action == Action::Modify
            && decision.output == Call::pre_input(right).payload
            && decision.runs.len() == 1
            && decision.runs.iter().all(|run| run.hook == NEIGHBOUR && run.failure.is_none())
            && logs == [format!("saw {text}")];
        if !undisturbed {
            return Some(format!("the neighbour was disturbed at call {number}: {}", what_came(&decision)));
        }
        if last {
            return None;
        }
    }
    None
}

/// What the neighbour computes.
fn checksum(text: &str) -> u32 {
    let units: Vec<_> = text.encode_utf16().map(u32::from).collect();
    let rounds = std::iter::repeat_n(&units, 200).flatten();
    rounds.fold(0x811c_9dc5_u32, |sum, unit| (sum ^ unit).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of a case whose hook blocks each call with the reason `no`.
    fn wrong(case: &Value) -> String {
        let folder = tempfile::tempdir().unwrap();
        let hook = folder.path().join("hooks").join("attacker");
        fs::create_dir_all(&hook).unwrap();
        fs::write(hook.join("hook.json"), r#"{ "points": ["preToolUse"], "timeoutMs": 20000 }"#).unwrap();
        let source = "export default { run: (point, payload, ctx) => {
            ctx.log('seen');
            return payload.args.fails ? 1 : { action: 'block', reason: 'no' };
        } };";
        fs::write(hook.join("index.mjs"), source).unwrap();
        fs::write(folder.path().join("case.json"), case.to_string()).unwrap();
        let case = HostileCase::read(folder.path()).unwrap();
        let wrong = |tier| case.run_alone(tier).err().map(|fault| fault.to_string());
        case.tiers().filter_map(wrong).collect::<Vec<_>>().join("\n")
    }

    fn call(args: Value) -> Value {
        json!({ "point": "preToolUse", "payload": { "toolName": "tool", "args": args } })
    }

    #[test]
    fn a_case_that_is_right_passes() {
        let expect = json!({ "action": "block", "reason": "^no$", "logs": ["seen"], "noLogs": ["unseen"] });
        let next = json!({ "call": call(json!({})), "expect": expect });
        assert_eq!(wrong(&json!({ "about": "", "times": 3, "expect": expect, "beside": [next], "next": next })), "");
    }

    #[test]
    fn a_tier_is_chosen_and_has_expectations_of_its_own() {
        let block = json!({ "action": "block" });
        let allow = json!({ "action": "allow" });
        let next = json!({ "call": call(json!({})), "expect": block });
        let other = json!({ "call": call(json!({})), "expect": allow });
        let told = wrong(&json!({ "about": "", "expect": block, "next": next, "node": { "expect": allow } }));
        assert_eq!(told.matches("block instead of allow").count(), 1, "{told}");
        assert!(told.contains("in the node tier\n  the attack:"), "{told}");
        let told = wrong(&json!({ "about": "", "expect": block, "next": next, "node": { "next": other } }));
        assert_eq!(told.matches("block instead of allow").count(), 1, "{told}");
        assert!(told.contains("in the node tier\n  the next call:"), "{told}");
        for tier in ["web", "node"] {
            let told = wrong(&json!({ "about": "", "tier": tier, "expect": allow, "next": next }));
            assert_eq!(told.matches("in the").count(), 1, "{told}");
            assert!(told.contains(&format!("in the {tier} tier")), "{told}");
        }
    }

    #[test]
    fn each_expectation_can_fail() {
        let right = json!({ "call": call(json!({})), "expect": { "action": "block" } });
        for (expect, told) in [
            (json!({ "action": "allow" }), "block instead of allow"),
            (json!({ "action": "block", "cause": "threw" }), "the cause is None, not [Threw]"),
            (json!({ "action": "block", "reason": "^yes$" }), "the reason \"no\" does not fit \"^yes$\""),
            (json!({ "action": "block", "message": "x" }), "the message \"\" does not fit"),
            (json!({ "action": "block", "payload": {} }), "the payload is another"),
            (json!({ "action": "block", "logs": ["unseen"] }), "no log line has \"unseen\""),
            (json!({ "action": "block", "noLogs": ["seen"] }), "a log line has \"seen\""),
            (json!({ "action": "block", "hook": "nobody" }), "nobody was not called"),
        ] {
            let attack = wrong(&json!({ "about": "", "times": 2, "expect": expect, "next": right }));
            assert!(attack.contains(&format!("the attack: 2 of 2, as here: {told}")), "{attack}");
            let next = json!({ "call": call(json!({})), "expect": expect });
            let next = wrong(&json!({ "about": "", "expect": { "action": "block" }, "next": next }));
            assert!(next.contains(&format!("the next call: {told}")), "{next}");
        }
        let failing =
            json!({ "about": "", "call": call(json!({ "fails": 1 })), "expect": { "action": "block" }, "next": right });
        let failing = wrong(&failing);
        assert!(failing.contains("the cause is Some(InvalidDecision), not []"), "{failing}");
    }

    #[test]
    fn a_neighbour_that_is_disturbed_is_told() {
        // Its answer is right, and another hook has a say at its point.
        let folder = tempfile::tempdir().unwrap();
        copy_folder(&corpus().join(NEIGHBOUR), &folder.path().join("hooks").join(NEIGHBOUR)).unwrap();
        let hook = folder.path().join("hooks").join("attacker");
        fs::create_dir_all(&hook).unwrap();
        fs::write(hook.join("hook.json"), r#"{ "points": ["preInput"], "timeoutMs": 20000 }"#).unwrap();
        fs::write(hook.join("index.mjs"), "export default { run: () => ({ action: 'allow' }) };").unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let told = runtime.block_on(async {
            let host = HookHost::builder().project(folder.path()).build().await.unwrap();
            neighbour_is_disturbed(&host, &Cell::new(true)).await
        });
        assert!(told.is_some_and(|told| told.starts_with("the neighbour was disturbed at call 0")));
    }
}
