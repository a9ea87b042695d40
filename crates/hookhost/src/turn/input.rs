//! `preInput`: what the user wrote.

use hookhost_contract::{Call, Injection};

use super::gate::pass;
use super::{ModelText, Refusal, Turn};
use crate::event::EventKind;

/// What came of the user's text.
#[must_use]
#[derive(Debug, Clone, PartialEq)]
pub enum InputOutcome {
    /// Store this, and call the model with it.
    Accepted(AcceptedInput),
    /// Store nothing and do not call the model. The user sees [`Refusal::for_user`].
    Refused(Refusal),
}

/// The user's text, as it goes on.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AcceptedInput {
    /// The only text to store and to send. The one that the user typed may hold what must not be kept.
    pub text: ModelText,
    /// Whether it differs from what the user typed.
    pub rewritten: bool,
    /// What hooks tell the model, to go after the text. There is no tool result to append anything to.
    pub injections: Vec<Injection>,
}

impl Turn {
    /// Hands over what the user wrote, before it is stored and before the model sees it.
    pub async fn input(&self, text: impl Into<String>) -> InputOutcome {
        if let Some(refusal) = self.record.stopped() {
            return InputOutcome::Refused(refusal);
        }
        match pass(&self.place, Call::pre_input(text)).await {
            Ok(mut passed) => {
                let text = passed.text();
                let hooks = std::mem::take(&mut passed.rewritten_by);
                let rewritten = !hooks.is_empty();
                if rewritten {
                    self.place.emit(EventKind::InputRedacted { text: text.clone(), hooks });
                }
                let injections = passed.injections;
                self.place.emit_injections(&injections);
                InputOutcome::Accepted(AcceptedInput { text: ModelText::new(text), rewritten, injections })
            }
            Err((refusal, _)) => {
                self.record.stop(refusal.reason());
                self.record.show(refusal.reason());
                let (by, reason) = (refusal.by().clone(), refusal.reason().to_owned());
                self.place.emit(EventKind::InputBlocked { by, reason });
                InputOutcome::Refused(refusal)
            }
        }
    }
}
