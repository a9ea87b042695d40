//! What does not go on, who says so, and why.

use serde::Serialize;

use super::{ModelText, UserText};

/// Something that does not go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    by: RefusedBy,
    reason: String,
}

/// Who refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RefusedBy {
    /// A hook, by name.
    Hook(String),
    /// The tool policy.
    Policy,
    /// A person, or nobody where one was to be asked.
    Approval,
    /// The turn itself: its input was refused.
    Turn,
}

impl Refusal {
    pub(crate) fn new(by: RefusedBy, reason: impl Into<String>) -> Self {
        Self { by, reason: reason.into() }
    }

    /// Who refused.
    pub fn by(&self) -> &RefusedBy {
        &self.by
    }

    /// Why.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The reason, for the model.
    pub(crate) fn for_model(&self) -> ModelText {
        ModelText::new(&self.reason)
    }

    /// The reason, for the user.
    pub fn for_user(&self) -> UserText {
        UserText::new(&self.reason)
    }
}
