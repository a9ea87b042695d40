//! The record of decisions that someone may have to answer for.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use hookhost_contract::{Action, CallContext, Decision, Failure, Mode, Point};
use serde::Serialize;

/// Receives one record for every hook that answered something else than allow, or failed.
///
/// Every such answer is also a `tracing` event with the target `hookhost::guardrail`; a sink is for records that must
/// be kept whatever the log level. It is called before the next hook is, on the thread that polls the decision: it
/// should return quickly. It cannot change a decision; one that panics is reported and ignored.
pub trait AuditSink: Send + Sync {
    /// Keeps the record.
    fn record(&self, record: &AuditRecord<'_>);

    /// Keeps a whole decision, an allow too. Called once for each, when it has been made. Default: does nothing.
    fn decided(&self, _decided: &Decided<'_>) {}
}

/// A decision with the call that it is about.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Decided<'a> {
    /// The decision. The call's payload is its `input`.
    pub decision: &'a Decision,
    /// What hooks saw in `ctx`.
    pub context: &'a CallContext,
    /// The one hook that was asked, if the call named one.
    pub only_hook: Option<&'a str>,
}

/// All of them, in order.
impl<S: AuditSink> AuditSink for Vec<S> {
    fn record(&self, record: &AuditRecord<'_>) {
        self.iter().for_each(|sink| sink.record(record));
    }

    fn decided(&self, decided: &Decided<'_>) {
        self.iter().for_each(|sink| sink.decided(decided));
    }
}

/// A sink that the embedder keeps a hand on.
impl<S: AuditSink + ?Sized> AuditSink for Arc<S> {
    fn record(&self, record: &AuditRecord<'_>) {
        (**self).record(record);
    }

    fn decided(&self, decided: &Decided<'_>) {
        (**self).decided(decided);
    }
}

/// One hook's answer, as a JSON line.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AuditRecord<'a> {
    /// Always `guardrail_decision`.
    pub event: &'static str,
    /// When, in UTC and RFC 3339 with milliseconds.
    pub time: String,
    /// The [`id`](hookhost_contract::Decision::id) of the decision.
    pub decision: &'a str,
    /// The hook. `None`: the call was refused before any hook was asked.
    pub hook: Option<&'a str>,
    /// Where the question arose.
    pub point: &'a Point,
    /// The hook's answer, or what its fail policy made of its failure.
    pub action: Action,
    /// Why, for a block or an ask.
    pub reason: Option<&'a str>,
    /// The note of a modify.
    pub note: Option<&'a str>,
    /// Why the hook gave no answer of its own.
    pub failure: Option<&'a Failure>,
    /// Whether the hook decides or only watches.
    pub mode: Mode,
    /// The payload was different after this hook.
    pub changed: bool,
    /// Changes of the hook that had no effect, by payload field.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub dropped: &'a [String],
    /// How long the hook took.
    pub duration_ms: f64,
    /// The user behind the turn, when known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller_user_id: Option<&'a str>,
    /// The session, when known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<&'a str>,
    /// The turn, when known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<&'a str>,
}

/// Writes each record as one line of JSON.
///
/// Each line goes out in one write, unbuffered. A write that fails is reported through `tracing`, once until a write
/// succeeds again.
pub struct JsonlSink {
    lines: Mutex<Lines>,
}

/// Lines of JSON, on their way into a file.
pub(crate) struct Lines {
    out: Box<dyn Write + Send>,
    /// The last write failed, perhaps in the middle of a line.
    broken: bool,
}

impl JsonlSink {
    /// Writes to anything.
    pub fn new(out: impl Write + Send + 'static) -> Self {
        Self { lines: Mutex::new(Lines::new(out)) }
    }

    /// Appends to the file at `path`, which is created if it does not exist.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self::new(OpenOptions::new().create(true).append(true).open(path)?))
    }
}

impl AuditSink for JsonlSink {
    fn record(&self, record: &AuditRecord<'_>) {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).add(record);
    }
}

impl Lines {
    pub(crate) fn new(out: impl Write + Send + 'static) -> Self {
        Self { out: Box::new(out), broken: false }
    }

    /// Writes a line. If that fails it is reported, once until it works again.
    pub(crate) fn add(&mut self, record: &impl Serialize) {
        let written = self.write(record);
        if let Err(error) = &written
            && !self.broken
        {
            tracing::error!(target: "hookhost::audit", %error, "audit records are being lost");
        }
        self.broken = written.is_err();
    }

    fn write(&mut self, record: &impl Serialize) -> io::Result<()> {
        let mut line = Vec::with_capacity(512);
        if self.broken {
            // What was left of the line before must not spoil this one.
            line.push(b'\n');
        }
        serde_json::to_writer(&mut line, record)?;
        line.push(b'\n');
        self.out.write_all(&line)?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn record(reason: &str) -> AuditRecord<'_> {
        AuditRecord {
            event: "guardrail_decision",
            time: String::new(),
            decision: "d",
            hook: Some("h"),
            point: &Point::PreInput,
            action: Action::Block,
            reason: Some(reason),
            note: None,
            failure: None,
            mode: Mode::Enforce,
            changed: false,
            dropped: &[],
            duration_ms: 0.0,
            caller_user_id: None,
            session_id: None,
            turn_id: None,
        }
    }

    fn reasons(text: &str) -> Vec<Option<String>> {
        text.lines()
            .filter(|line| !line.is_empty())
            .map(|line| {
                let line: serde_json::Value = serde_json::from_str(line).ok()?;
                Some(line["reason"].as_str()?.to_owned())
            })
            .collect()
    }

    #[test]
    fn a_file_is_appended_to() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("audit.jsonl");
        for reason in ["one", "two\nlines"] {
            JsonlSink::create(&path).unwrap().record(&record(reason));
        }
        assert_eq!(
            reasons(&std::fs::read_to_string(&path).unwrap()),
            [Some("one".to_owned()), Some("two\nlines".to_owned())]
        );
    }

    /// A disk that is full for the second write, after a few bytes of it.
    struct FullForAWhile {
        kept: Arc<Mutex<Vec<u8>>>,
        writes: usize,
    }

    impl Write for FullForAWhile {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.writes += 1;
            let room = match self.writes {
                2 => 10,
                3 => return Err(io::ErrorKind::StorageFull.into()),
                _ => bytes.len(),
            };
            self.kept.lock().unwrap().extend_from_slice(&bytes[..room]);
            Ok(room)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_write_that_failed_spoils_no_other_line() {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let sink = JsonlSink::new(FullForAWhile { kept: kept.clone(), writes: 0 });
        for reason in ["one", "two", "three", "four"] {
            sink.record(&record(reason));
        }
        let text = String::from_utf8(kept.lock().unwrap().clone()).unwrap();
        assert_eq!(reasons(&text), [Some("one".to_owned()), None, Some("three".to_owned()), Some("four".to_owned())]);
    }
}
