//! What happens in a session, for whoever wants to know: a user interface, a transcript, a metric.

use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};

use futures::Stream;
use hookhost_contract::{Action, Failure, Injection, MessageLevel, Point};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::mpsc;

use crate::approval::{ApprovalChoice, ApprovalRequest, PayloadHash};
use crate::turn::RefusedBy;

/// How many events wait for a subscriber that is slow. What comes after is counted: see [`EventKind::Missed`].
const WAITING: usize = 1024;

/// Something that happened in a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SessionEvent {
    /// The session.
    pub session_id: String,
    /// The turn. `None` for what concerns the subscriber itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What happened. As JSON, `event` holds the name in snake case: `tool_blocked`.
///
/// An event tells of what took effect: what a hook took out (the text before it was redacted, a result that was withheld)
/// is in none of them. Two kinds are for whoever runs the agent rather than for its users: an approval's request holds
/// the whole payload that is asked about, and what hooks log is theirs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum EventKind {
    /// A turn began.
    TurnStarted,
    /// The user's text does not go to the model. The user sees the reason.
    InputBlocked {
        /// Who stopped it.
        by: RefusedBy,
        /// Why.
        reason: String,
    },
    /// The user's text was rewritten before anybody saw it.
    InputRedacted {
        /// The text as it goes on.
        text: String,
        /// The hooks that changed it.
        hooks: Vec<String>,
    },
    /// A tool did not run.
    ToolBlocked {
        /// The tool.
        tool_name: String,
        /// Who stopped it.
        by: RefusedBy,
        /// Why; the model is told the same.
        reason: String,
    },
    /// A tool call was rewritten before it was judged by the policy and run.
    ArgsRewritten {
        /// The tool.
        tool_name: String,
        /// The arguments as they go on.
        args: Value,
        /// The hooks that changed them.
        hooks: Vec<String>,
    },
    /// A tool ran, and the model does not see its result.
    ResultWithheld {
        /// The tool.
        tool_name: String,
        /// Who withheld it.
        by: RefusedBy,
        /// Why; the model is told the same.
        reason: String,
    },
    /// A tool's result was rewritten before the model saw it.
    ResultRewritten {
        /// The tool.
        tool_name: String,
        /// The result as the model sees it.
        result: Value,
        /// The hooks that changed it.
        hooks: Vec<String>,
    },
    /// The assistant's text is not shown. The user sees the reason instead.
    OutputBlocked {
        /// Who stopped it.
        by: RefusedBy,
        /// Why.
        reason: String,
    },
    /// The assistant's text was rewritten before it was stored and shown.
    OutputRewritten {
        /// The text as it is shown.
        text: String,
        /// The hooks that changed it.
        hooks: Vec<String>,
    },
    /// A person is asked.
    ApprovalRequested {
        /// The question.
        request: Box<ApprovalRequest>,
    },
    /// The question has its answer. Follows every [`EventKind::ApprovalRequested`], also when the turn was dropped.
    ApprovalResolved {
        /// The request's id.
        id: String,
        /// What the answer means.
        choice: ApprovalChoice,
        /// Where it comes from.
        by: ResolvedBy,
        /// What was said beside a no.
        message: Option<String>,
    },
    /// Nobody had to be asked: this payload is allowed for the session.
    ApprovalReused {
        /// Where in the turn the question arose.
        point: Point,
        /// The tool, at the two tool points.
        tool_name: Option<String>,
        /// The payload.
        payload_hash: PayloadHash,
    },
    /// A hook gave no answer of its own. Its fail policy decided.
    HookFailed {
        /// The hook.
        hook: String,
        /// Where it was called.
        point: Point,
        /// What its fail policy made of it.
        action: Action,
        /// Why.
        failure: Failure,
    },
    /// A hook logged a line.
    HookLogged {
        /// The hook.
        hook: String,
        /// Where it was called.
        point: Point,
        /// The line.
        message: String,
    },
    /// A hook tells the user something.
    UserMessage {
        /// The hook.
        hook: String,
        /// What it says.
        text: String,
        /// How serious it is.
        level: MessageLevel,
    },
    /// A hook tells the model something.
    ContextInjected {
        /// What it says, and how.
        injection: Injection,
    },
    /// A turn ended in order.
    TurnFinished,
    /// A turn was dropped before it was finished.
    TurnDropped,
    /// The subscriber was too slow: so many events are missing here.
    Missed {
        /// How many.
        count: u64,
    },
}

/// Where the answer to an approval comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResolvedBy {
    /// The approver answered.
    Approver,
    /// Nobody did in time: the question's default.
    TimedOut,
    /// The session has no approver.
    NoApprover,
    /// The approver panicked.
    Failed,
    /// The turn was dropped meanwhile.
    Dropped,
}

/// A session's events, from the moment of [`Session::subscribe`](crate::Session::subscribe) on. Ends with the session.
///
/// Up to 1024 events wait for a subscriber that is slow; what comes after is replaced by one [`EventKind::Missed`]. A
/// session never waits for its subscribers.
#[derive(Debug)]
pub struct Events {
    events: mpsc::Receiver<SessionEvent>,
}

impl Events {
    /// The next event, or `None` when the session and its turns are gone.
    pub async fn next(&mut self) -> Option<SessionEvent> {
        self.events.recv().await
    }

    /// The next event, if there is one already.
    pub fn try_next(&mut self) -> Option<SessionEvent> {
        self.events.try_recv().ok()
    }
}

impl Stream for Events {
    type Item = SessionEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<SessionEvent>> {
        self.events.poll_recv(cx)
    }
}

/// The subscribers of one session.
#[derive(Debug, Default)]
pub(crate) struct Subscribers(Mutex<Vec<Subscriber>>);

#[derive(Debug)]
struct Subscriber {
    events: mpsc::Sender<SessionEvent>,
    missed: u64,
}

impl Subscribers {
    pub(crate) fn add(&self) -> Events {
        let (sender, events) = mpsc::channel(WAITING);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Subscriber { events: sender, missed: 0 });
        Events { events }
    }

    /// Hands the event to everybody who still listens.
    pub(crate) fn emit(&self, event: &SessionEvent) {
        let mut subscribers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        subscribers.retain_mut(|subscriber| subscriber.take(event));
    }
}

impl Subscriber {
    /// False once nobody listens.
    fn take(&mut self, event: &SessionEvent) -> bool {
        if self.missed > 0 {
            let missed = SessionEvent {
                session_id: event.session_id.clone(),
                turn_id: None,
                kind: EventKind::Missed { count: self.missed },
            };
            // The gap is told of before what comes after it.
            match self.events.try_send(missed) {
                Ok(()) => self.missed = 0,
                Err(mpsc::error::TrySendError::Full(_)) => self.missed += 1,
                Err(mpsc::error::TrySendError::Closed(_)) => return false,
            }
            if self.missed > 0 {
                return true;
            }
        }
        match self.events.try_send(event.clone()) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Full(_)) => {
                self.missed += 1;
                true
            }
            Err(mpsc::error::TrySendError::Closed(_)) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(number: usize) -> SessionEvent {
        SessionEvent { session_id: "s".into(), turn_id: Some(number.to_string()), kind: EventKind::TurnStarted }
    }

    #[test]
    fn a_slow_subscriber_is_told_how_much_it_missed() {
        let subscribers = Subscribers::default();
        let mut slow = subscribers.add();
        for number in 0..WAITING + 5 {
            subscribers.emit(&event(number));
        }
        for number in 0..WAITING {
            assert_eq!(slow.try_next().and_then(|event| event.turn_id), Some(number.to_string()));
        }
        assert_eq!(slow.try_next(), None);
        subscribers.emit(&event(7));
        assert_eq!(slow.try_next().map(|event| event.kind), Some(EventKind::Missed { count: 5 }));
        assert_eq!(slow.try_next(), Some(event(7)));
    }

    #[test]
    fn who_has_gone_is_forgotten() {
        let subscribers = Subscribers::default();
        drop(subscribers.add());
        subscribers.emit(&event(0));
        assert!(subscribers.0.lock().unwrap().is_empty());
    }

    #[test]
    fn as_json_an_event_has_its_name_beside_its_fields() {
        let event = SessionEvent {
            kind: EventKind::ToolBlocked {
                tool_name: "shell".into(),
                by: RefusedBy::Hook("guard".into()),
                reason: "no".into(),
            },
            ..event(1)
        };
        assert_eq!(
            serde_json::to_value(event).unwrap(),
            serde_json::json!({
                "sessionId": "s", "turnId": "1", "event": "tool_blocked",
                "toolName": "shell", "by": { "hook": "guard" }, "reason": "no",
            })
        );
    }
}
