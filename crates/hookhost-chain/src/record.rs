//! Keeps live decisions as fixtures, which can be run again.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use hookhost_contract::{Decision, Expect, FIXTURE_SUFFIX, Fixture, JsonObject, parse_json};
use serde_json::Value;

use crate::audit::Lines;
use crate::{AuditRecord, AuditSink, Decided};

/// What stands in place of a value that is not kept.
const REDACTED: &str = "[redacted]";

/// A shorter text may stand anywhere by chance: it is replaced under its key only.
const SHORTEST_SECRET: usize = 4;

/// An [`AuditSink`] that keeps each decision as a fixture: the call, and what came of it.
///
/// Values under the keys of [`Recorder::REDACTED_KEYS`], and under those of [`Recorder::redact`], are replaced by
/// `[redacted]`, wherever they are in the payload, in `ctx.context`, and in what came of the call. A text that stood under
/// such a key is replaced everywhere else too: in reasons, and in other fields. JSON that is handed over as a text is looked
/// into. Keys are compared without case, `-` and
/// `_`. What is personal under other keys is kept: choose where recordings go, and who reads them.
///
/// Not kept are `ctx.env` and what hooks read from a store: give both again when the calls are run again.
///
/// A decision that cannot be written is reported through `tracing`, and stands.
pub struct Recorder {
    lines: Mutex<Lines>,
    folder: Option<PathBuf>,
    redacted: Vec<String>,
}

impl Recorder {
    /// Keys whose values are never kept.
    pub const REDACTED_KEYS: &'static [&'static str] = &[
        "accessToken",
        "apiKey",
        "authorization",
        "clientSecret",
        "cookie",
        "credential",
        "credentials",
        "idToken",
        "passphrase",
        "passwd",
        "password",
        "privateKey",
        "refreshToken",
        "secret",
        "secretKey",
        "sessionToken",
        "setCookie",
        "token",
        "xApiKey",
    ];

    /// Appends each decision to the file `path`, a fixture in each line. The file is created if it does not exist.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn lines(path: impl AsRef<Path>) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let redacted = Self::REDACTED_KEYS.iter().map(|key| folded(key)).collect();
        Ok(Self { lines: Mutex::new(Lines::new(file)), folder: None, redacted })
    }

    /// Writes each decision into the folder `path`, which is created if it does not exist: as a fixture file of its own,
    /// ready to be moved to a project's fixtures, and as a line of `calls.jsonl`, to run all of them again.
    ///
    /// # Errors
    /// The folder or the file in it cannot be made.
    pub fn folder(path: impl AsRef<Path>) -> io::Result<Self> {
        fs::create_dir_all(&path)?;
        // The program may go elsewhere later.
        let folder = std::path::absolute(path)?;
        let recorder = Self::lines(folder.join("calls.jsonl"))?;
        Ok(Self { folder: Some(folder), ..recorder })
    }

    /// Values under these keys are not kept either.
    #[must_use]
    pub fn redact(mut self, keys: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        self.redacted.extend(keys.into_iter().map(|key| folded(key.as_ref())));
        self
    }

    fn fixture(&self, decided: &Decided<'_>) -> Fixture {
        let Decided { decision, context, only_hook } = *decided;
        let mut fixture = Fixture {
            name: Some(name(decision)),
            point: Some(decision.point.clone()),
            hook: only_hook.map(str::to_owned),
            payload: Some(decision.input.clone()),
            scope_id: context.scope_id.clone(),
            context: context.context.clone(),
            caller: context.caller.clone(),
            session_id: context.session_id.clone(),
            turn_id: context.turn_id.clone(),
            expect: Some(Expect::of(decision)),
            ..Fixture::default()
        };
        self.clean(&mut fixture);
        fixture
    }

    /// Takes out what must not be kept.
    fn clean(&self, fixture: &mut Fixture) {
        let mut secrets = Vec::new();
        for object in objects(fixture) {
            self.clean_object(object, &mut secrets);
        }
        for (key, value) in fixture.context.iter_mut().flatten() {
            if self.is_redacted(key) {
                secrets.push(std::mem::replace(value, REDACTED.to_owned()));
            }
        }
        secrets.retain(|secret| secret.len() >= SHORTEST_SECRET && secret != REDACTED);
        if secrets.is_empty() {
            return;
        }
        // A secret that contains another one is replaced as a whole.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        secrets.dedup();
        let clean = |text: &mut String| {
            for secret in &secrets {
                if text.contains(secret.as_str()) {
                    *text = text.replace(secret.as_str(), REDACTED);
                }
            }
        };
        for object in objects(fixture) {
            object.iter_mut().for_each(|(_, value)| each_text(value, &clean));
        }
        fixture.context.iter_mut().flatten().for_each(|(_, text)| clean(text));
        let reason = fixture.expect.as_mut().and_then(|expect| expect.reason.as_mut());
        [reason, fixture.scope_id.as_mut()].into_iter().flatten().for_each(clean);
    }

    fn clean_object(&self, object: &mut JsonObject, secrets: &mut Vec<String>) {
        for (key, value) in object.iter_mut() {
            if self.is_redacted(key) {
                texts(value, secrets);
                *value = Value::String(REDACTED.to_owned());
            } else {
                self.clean_value(value, secrets);
            }
        }
    }

    fn clean_value(&self, value: &mut Value, secrets: &mut Vec<String>) {
        match value {
            Value::Object(object) => self.clean_object(object, secrets),
            Value::Array(items) => items.iter_mut().for_each(|item| self.clean_value(item, secrets)),
            Value::String(text) => {
                if let Some(cleaned) = self.clean_json_text(text, secrets) {
                    *text = cleaned;
                }
            }
            _ => {}
        }
    }

    /// Tools are handed JSON as text, too. `None` if it is none, or if there is nothing in it that must not be kept.
    fn clean_json_text(&self, text: &str, secrets: &mut Vec<String>) -> Option<String> {
        if !text.trim_start().starts_with(['{', '[']) {
            return None;
        }
        let before = parse_json(text).ok()?;
        let mut value = before.clone();
        self.clean_value(&mut value, secrets);
        (value != before).then(|| value.to_string())
    }

    fn is_redacted(&self, key: &str) -> bool {
        let key = folded(key);
        self.redacted.contains(&key)
    }
}

impl AuditSink for Recorder {
    fn record(&self, _record: &AuditRecord<'_>) {}

    fn decided(&self, decided: &Decided<'_>) {
        let fixture = self.fixture(decided);
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).add(&fixture);
        let Some(folder) = &self.folder else { return };
        let Decision { id, point, .. } = decided.decision;
        // An event's name has a colon, which is no part of a file's name everywhere.
        let file = folder.join(format!("{}-{id}{FIXTURE_SUFFIX}", point.as_str().replace(':', "-")));
        let written = serde_json::to_string_pretty(&fixture)
            .map_err(io::Error::from)
            .and_then(|text| fs::write(&file, text + "\n"));
        if let Err(error) = written {
            tracing::error!(target: "hookhost::audit", file = %file.display(), %error, "a decision is not recorded");
        }
    }
}

/// A title that says what to look for.
fn name(decision: &Decision) -> String {
    let tool = decision.point.tool_name(&decision.input).map(|tool| format!(" {tool}")).unwrap_or_default();
    format!("{}{tool}: {} ({})", decision.point, decision.action, decision.id)
}

/// The objects in which anything may stand.
fn objects(fixture: &mut Fixture) -> impl Iterator<Item = &mut JsonObject> {
    let found = fixture.expect.as_mut().and_then(|expect| expect.payload.as_mut());
    [fixture.payload.as_mut(), found].into_iter().flatten()
}

/// A key without what is written differently from place to place.
fn folded(key: &str) -> String {
    key.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

/// Every text in a value.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Number(number) => found.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(object) => object.values().for_each(|value| texts(value, found)),
        _ => {}
    }
}

fn each_text(value: &mut Value, change: &impl Fn(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, change)),
        Value::Object(object) => object.iter_mut().for_each(|(_, value)| each_text(value, change)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;
    use std::time::Duration;

    use hookhost_contract::{Action, Call, Caller, FixtureFile, Manifest, Point};
    use serde_json::json;

    use super::*;
    use crate::testing::ScriptedHook;
    use crate::{Chain, ChainHook};

    fn chain(folder: &Path, reply: Value) -> Chain {
        let Ok(recorder) = Recorder::folder(folder) else { return Chain::new(vec![], BTreeMap::new(), None) };
        let manifest = Manifest { points: vec![Point::PreToolUse], ..Manifest::default() };
        let engine = ScriptedHook::replying(reply);
        let hook = ChainHook::new("guard", &manifest, None, Duration::from_secs(1), engine);
        Chain::new(hook.into_iter().collect(), BTreeMap::new(), Some(Arc::new(recorder.redact(["iban"]))))
    }

    /// Every fixture file of the folder.
    fn files(folder: &Path) -> Vec<Fixture> {
        let mut paths: Vec<_> =
            fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        paths.sort();
        paths.retain(|path| path.to_string_lossy().ends_with(FIXTURE_SUFFIX));
        paths
            .iter()
            .filter_map(|path| match serde_json::from_str(&fs::read_to_string(path).ok()?).ok()? {
                FixtureFile::One(fixture) => Some(*fixture),
                _ => None,
            })
            .collect()
    }

    #[tokio::test]
    async fn each_decision_is_a_fixture_and_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let chain = chain(folder.path(), json!({ "action": "block", "reason": "no" }));
        let caller = Caller { user_id: Some("u1".into()), ..Caller::default() };
        let call = Call::pre_tool_use("shell", json!({ "command": "ls" })).caller(caller).scope_id("s");
        for _ in 0..2 {
            chain.decide(call.clone()).await;
        }
        let fixtures = files(folder.path());
        assert_eq!(fixtures.len(), 2);
        let expect = fixtures[0].expect.as_ref().unwrap();
        assert_eq!((expect.action, expect.reason.as_deref()), (Action::Block, Some("no")));
        assert_eq!(fixtures[0].payload.as_ref().unwrap(), &call.payload);
        assert_eq!((fixtures[0].scope_id.as_deref(), &fixtures[0].caller), (Some("s"), &call.caller));
        let lines = fs::read_to_string(folder.path().join("calls.jsonl")).unwrap();
        let lines: Vec<Fixture> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines, fixtures);
    }

    #[tokio::test]
    async fn what_stands_under_a_secret_key_is_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let reply = json!({ "action": "ask", "reason": "send hunter22 with DE89 3704 to 12345?" });
        let chain = chain(folder.path(), reply);
        let args = json!({
            "Pass_Word": "hunter22", "again": ["the hunter22!"], "to": { "IBAN": "DE89 3704" },
            "token": { "deep": [12345, "x"] }, "kept": "x",
            "body": "{\"auth\": [{\"secret\": \"in a text\"}]}", "other": "[1, 2",
        });
        let context =
            BTreeMap::from([("api-key".to_owned(), "sk-1234".to_owned()), ("note".to_owned(), "sk-1234".to_owned())]);
        chain.decide(Call::pre_tool_use("pay", args).context(context)).await;
        for entry in fs::read_dir(folder.path()).unwrap() {
            let text = fs::read_to_string(entry.unwrap().path()).unwrap();
            for secret in ["hunter22", "DE89", "12345", "sk-1234", "in a text"] {
                assert!(!text.contains(secret), "{secret} in {text}");
            }
        }
        let fixtures = files(folder.path());
        assert_eq!(
            json!(fixtures[0].payload.as_ref().unwrap()["args"]),
            json!({
                "Pass_Word": "[redacted]", "again": ["the [redacted]!"], "to": { "IBAN": "[redacted]" },
                "token": "[redacted]", "kept": "x",
                "body": "{\"auth\":[{\"secret\":\"[redacted]\"}]}", "other": "[1, 2",
            })
        );
        assert_eq!(
            fixtures[0].expect.as_ref().unwrap().reason.as_deref(),
            Some("send [redacted] with [redacted] to [redacted]?")
        );
    }
}
