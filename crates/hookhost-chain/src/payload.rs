//! The payload on its way through a chain.

use std::sync::Arc;

use hookhost_contract::{Failure, FailureCause, JsonObject};

/// A payload, and its text for as long as it stays the same: hooks that change nothing share one text.
#[derive(Debug)]
pub(crate) struct Payload {
    fields: JsonObject,
    text: Option<Arc<str>>,
}

impl Payload {
    pub(crate) fn new(fields: JsonObject) -> Self {
        Self { fields, text: None }
    }

    pub(crate) fn fields(&self) -> &JsonObject {
        &self.fields
    }

    pub(crate) fn into_fields(self) -> JsonObject {
        self.fields
    }

    /// The payload as hooks get it. Text that cannot be written is a failure of the hook that needed it, so that its
    /// fail policy decides.
    pub(crate) fn text(&mut self) -> Result<Arc<str>, Failure> {
        if let Some(text) = &self.text {
            return Ok(text.clone());
        }
        let text = serde_json::to_string(&self.fields).map_err(|error| {
            Failure::new(FailureCause::Exited, format!("the payload cannot be written as JSON: {error}"))
        })?;
        Ok(self.text.insert(text.into()).clone())
    }

    /// Puts `changes` over the fields of the same names.
    pub(crate) fn rewrite(&mut self, changes: JsonObject) {
        if !changes.is_empty() {
            self.fields.extend(changes);
            self.text = None;
        }
    }
}
