//! `preOutput`: what the assistant wrote.

use std::convert::Infallible;
use std::pin::pin;

use futures::{Stream, StreamExt};
use hookhost_contract::{Call, Injection};

use super::gate::pass;
use super::{ModelText, Refusal, Turn, UserText};
use crate::event::EventKind;

/// What came of the assistant's text. The user has been shown it already.
#[must_use]
#[derive(Debug, Clone, PartialEq)]
pub enum OutputOutcome {
    /// The user saw this.
    #[non_exhaustive]
    Shown {
        /// What the user saw.
        text: UserText,
        /// Whether it differs from what the model wrote.
        rewritten: bool,
        /// What hooks tell the model, to go after the text.
        injections: Vec<Injection>,
    },
    /// The user saw the reason instead.
    Refused(Refusal),
}

impl OutputOutcome {
    /// What the user saw.
    pub fn for_user(&self) -> UserText {
        match self {
            Self::Shown { text, .. } => text.clone(),
            Self::Refused(refusal) => refusal.for_user(),
        }
    }

    /// What to store as the assistant's words: what the user saw, so that both go on from the same.
    pub fn for_history(&self) -> ModelText {
        ModelText::new(self.for_user().into_string())
    }

    /// What hooks tell the model, to go after the text.
    pub fn injections(&self) -> &[Injection] {
        match self {
            Self::Shown { injections, .. } => injections,
            Self::Refused(_) => &[],
        }
    }
}

impl Turn {
    /// Hands over what the assistant wrote, before it is stored. `show` gets what the user is to see: the text, what the
    /// hooks made of it, or the reason why there is none.
    ///
    /// An empty text is none: nobody is asked, and nothing is shown.
    pub async fn output(&self, text: impl Into<String>, show: impl FnMut(&str)) -> OutputOutcome {
        let pieces = futures::stream::iter([Ok::<_, Infallible>(text.into())]);
        match self.output_stream(pieces, show).await {
            Ok(outcome) => outcome,
            Err(never) => match never {},
        }
    }

    /// The same for a text that comes in pieces.
    ///
    /// With any hook loaded it is held back, and `show` is called once; with none, once for each piece as it comes. See
    /// [`SessionBuilder::stream_when_no_output_hook`](crate::SessionBuilder::stream_when_no_output_hook).
    ///
    /// # Errors
    /// The stream's own, at once. A text that was held back has not been shown then.
    pub async fn output_stream<E>(
        &self,
        pieces: impl Stream<Item = Result<String, E>>,
        mut show: impl FnMut(&str),
    ) -> Result<OutputOutcome, E> {
        if let Some(refusal) = self.record.stopped() {
            return Ok(OutputOutcome::Refused(refusal));
        }
        let held_back = self.place.session().holds_output_back();
        let mut pieces = pin!(pieces);
        let mut text = String::new();
        while let Some(piece) = pieces.next().await {
            let piece = piece.inspect_err(|_| {
                if !held_back {
                    self.record.show(&text);
                }
            })?;
            if !held_back && !piece.is_empty() {
                show(&piece);
            }
            text.push_str(&piece);
        }
        if !held_back || text.is_empty() {
            self.record.show(&text);
            return Ok(OutputOutcome::Shown { text: UserText::new(text), rewritten: false, injections: Vec::new() });
        }
        let outcome = self.release(text).await;
        let seen = outcome.for_user();
        self.record.show(seen.as_str());
        if !seen.as_str().is_empty() {
            show(seen.as_str());
        }
        Ok(outcome)
    }

    /// Asks the hooks about the whole text.
    async fn release(&self, text: String) -> OutputOutcome {
        match pass(&self.place, Call::pre_output(text)).await {
            Ok(mut passed) => {
                let text = passed.text();
                let hooks = std::mem::take(&mut passed.rewritten_by);
                let rewritten = !hooks.is_empty();
                if rewritten {
                    self.place.emit(EventKind::OutputRewritten { text: text.clone(), hooks });
                }
                self.place.emit_injections(&passed.injections);
                OutputOutcome::Shown { text: UserText::new(text), rewritten, injections: passed.injections }
            }
            Err((refusal, _)) => {
                let (by, reason) = (refusal.by().clone(), refusal.reason().to_owned());
                self.place.emit(EventKind::OutputBlocked { by, reason });
                OutputOutcome::Refused(refusal)
            }
        }
    }
}
