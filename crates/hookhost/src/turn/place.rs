//! Where in which session something happens.

use std::sync::Arc;

use hookhost_contract::{Call, Decision, Injection};

use crate::event::{EventKind, SessionEvent};
use crate::session::SessionInner;

/// A turn of a session.
pub(crate) struct Place {
    session: Arc<SessionInner>,
    turn_id: String,
}

impl Place {
    pub(crate) fn new(session: Arc<SessionInner>, turn_id: String) -> Self {
        Self { session, turn_id }
    }

    pub(crate) fn session(&self) -> &SessionInner {
        &self.session
    }

    pub(crate) fn turn_id(&self) -> &str {
        &self.turn_id
    }

    /// Tells the subscribers.
    pub(crate) fn emit(&self, kind: EventKind) {
        let event = SessionEvent { session_id: self.session.id.clone(), turn_id: Some(self.turn_id.clone()), kind };
        self.session.subscribers.emit(&event);
    }

    /// Tells the subscribers what hooks tell the model.
    pub(crate) fn emit_injections<'a>(&self, injections: impl IntoIterator<Item = &'a Injection>) {
        for injection in injections {
            self.emit(EventKind::ContextInjected { injection: injection.clone() });
        }
    }

    /// Asks the hooks, and tells the subscribers what they said beside their decision.
    pub(crate) async fn decide(&self, call: Call) -> Decision {
        let decision = self.session.host.decide(self.session.call(call, &self.turn_id)).await;
        let point = &decision.point;
        for log in &decision.logs {
            let (hook, message) = (log.hook.clone(), log.message.clone());
            self.emit(EventKind::HookLogged { hook, point: point.clone(), message });
        }
        for run in &decision.runs {
            if let Some(failure) = &run.failure {
                self.emit(EventKind::HookFailed {
                    hook: run.hook.clone(),
                    point: point.clone(),
                    action: run.action,
                    failure: failure.clone(),
                });
            }
        }
        for message in &decision.messages {
            let (hook, text, level) = (message.hook.clone(), message.text.clone(), message.level);
            self.emit(EventKind::UserMessage { hook, text, level });
        }
        decision
    }
}
