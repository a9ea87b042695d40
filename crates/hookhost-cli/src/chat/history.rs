//! The conversation as the model knows it.

use hookhost::{Injection, InjectionRole};

use super::model::Message;

/// What the model is sent with each request.
#[derive(Default)]
pub(crate) struct History {
    messages: Vec<Message>,
    /// For the next request only.
    ephemeral: Vec<Message>,
}

impl History {
    /// Begins with the system's words, if there are any.
    pub(crate) fn new(system: Option<&str>) -> Self {
        let messages = system.map(|system| Message::System(system.to_owned())).into_iter().collect();
        Self { messages, ephemeral: Vec::new() }
    }

    /// All that is kept.
    pub(crate) fn messages(&self) -> &[Message] {
        &self.messages
    }

    pub(crate) fn push(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// What hooks tell the model.
    pub(crate) fn inject<'a>(&mut self, injections: impl IntoIterator<Item = &'a Injection>) {
        for injection in injections {
            let content = injection.content.clone();
            let message = match injection.role {
                InjectionRole::System => Message::System(content),
                InjectionRole::User => Message::User(content),
                InjectionRole::Assistant => Message::Assistant { text: content, tool_calls: Vec::new() },
            };
            if injection.ephemeral { self.ephemeral.push(message) } else { self.messages.push(message) }
        }
    }

    /// The next request.
    pub(crate) fn request(&mut self) -> Vec<Message> {
        let mut request = self.messages.clone();
        request.append(&mut self.ephemeral);
        request
    }

    /// Forgets what came after the first `kept` messages: a turn that was given up half way.
    pub(crate) fn truncate(&mut self, kept: usize) {
        self.messages.truncate(kept);
        self.ephemeral.clear();
    }
}
