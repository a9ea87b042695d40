//! One turn of a conversation, carried out as the hooks decide.

mod gate;
mod input;
mod output;
mod place;
mod record;
mod refusal;
mod text;
mod tool;

use std::sync::Arc;

use hookhost_contract::{Call, Decision};
pub use input::{AcceptedInput, InputOutcome};
pub use output::OutputOutcome;
pub(crate) use place::Place;
use record::Record;
pub use refusal::{Refusal, RefusedBy};
use serde_json::Value;
pub use text::{ModelText, UserText};
pub use tool::{BadToolCall, ToolCall, ToolOutcome, ToolResult, ToolRun};

use crate::event::EventKind;
use crate::session::SessionInner;

/// One turn: what the user wrote, what the model did about it, and what the user gets to see.
///
/// Each method asks the hooks at its point, has a person asked if they want that, and carries the decision out, so that
/// what it returns is all that the loop needs. A text for the model and one for the user have types of their own.
///
/// - [`Turn::input`] first, with the user's text. If it is refused the turn is over: nothing is stored, the model is not
///   called, and from then on the turn runs no tool and shows no text.
/// - [`Turn::tool`] for each tool call of the model; several may run at once.
/// - [`Turn::output`] or [`Turn::output_stream`] for each text of the model.
/// - [`Turn::finish`] at the end.
///
/// Dropping any of their futures, or the turn, gives up what is under way: the hooks that run are stopped, and a
/// question to a person is taken back. What a person has allowed for the session stays allowed.
#[must_use = "a turn that is dropped does nothing"]
pub struct Turn {
    place: Place,
    record: Record,
    finished: bool,
}

impl Turn {
    pub(crate) fn begin(session: Arc<SessionInner>, id: String) -> Self {
        let place = Place::new(session, id);
        place.emit(EventKind::TurnStarted);
        Self { place, record: Record::default(), finished: false }
    }

    /// The turn's id: `ctx.turnId`.
    pub fn id(&self) -> &str {
        self.place.turn_id()
    }

    /// Ends the turn and shows it to the hooks at `postTurn`: what the user saw, the tool calls, and `usage`, which is
    /// whatever the model's service counts. What they decide is recorded only.
    pub async fn finish(mut self, usage: Value) -> Decision {
        let (text, tool_calls) = self.record.summary();
        let decision = self.place.decide(Call::post_turn(text, tool_calls, usage)).await;
        self.finished = true;
        self.place.emit(EventKind::TurnFinished);
        decision
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if !self.finished {
            self.place.emit(EventKind::TurnDropped);
        }
    }
}

impl std::fmt::Debug for Turn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Turn").field("id", &self.id()).finish_non_exhaustive()
    }
}
