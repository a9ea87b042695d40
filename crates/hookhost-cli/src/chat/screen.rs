//! What is shown: for people as text, for programs as one JSON object a line.

use std::io::{self, Write};

use hookhost::{EventKind, SessionEvent};
use serde_json::{Value, json};

use crate::args::Format;
use crate::plain::plain;
use crate::style::{self, paint};

/// Where a chat is shown.
#[derive(Clone, Copy)]
pub(crate) struct Screen {
    format: Format,
}

impl Screen {
    pub(crate) fn new(format: Format) -> Self {
        Self { format }
    }

    /// Invites the user to type. Programs need no invitation.
    pub(crate) fn prompt(self, typed: bool) {
        if typed && self.format == Format::Human {
            self.write(&paint(style::STRONG, "> "));
        }
    }

    /// What the user is taken to have typed, where nobody did.
    pub(crate) fn played(self, text: &str) {
        match self.format {
            Format::Human => self.write(&format!("{} {}\n", paint(style::STRONG, ">"), plain(text, "  "))),
            Format::Json => self.line(&json!({ "user": text })),
        }
    }

    /// A piece of what the assistant says.
    pub(crate) fn show(self, piece: &str) {
        match self.format {
            Format::Human => self.write(&plain(piece, "")),
            Format::Json => self.line(&json!({ "shown": piece })),
        }
    }

    /// The assistant has said what it had to say.
    pub(crate) fn end_of_text(self) {
        if self.format == Format::Human {
            self.write("\n");
        }
    }

    /// A question to the user. Programs have it as an event.
    pub(crate) fn ask(self, question: &str) {
        if self.format == Format::Human {
            self.write(question);
        }
    }

    /// Something beside the conversation: for people on stderr, like all else that is no answer.
    pub(crate) fn note(self, text: &str) {
        if self.format == Format::Human {
            let _ = writeln!(anstream::stderr(), "{}", paint(style::DIM, plain(text, "")));
        }
    }

    /// What went wrong.
    pub(crate) fn error(self, text: &str) {
        if self.format == Format::Json {
            self.line(&json!({ "error": text }));
        }
        let _ = writeln!(anstream::stderr(), "{} {}", paint(style::BAD, "error:"), plain(text, "  "));
    }

    /// The conversation as the model knows it, for programs.
    pub(crate) fn history(self, messages: &impl serde::Serialize) {
        if self.format == Format::Json {
            self.line(&json!({ "history": messages }));
        }
    }

    /// Something that happened in the session.
    pub(crate) fn event(self, event: &SessionEvent) {
        match self.format {
            Format::Json => match serde_json::to_value(event) {
                Ok(event) => self.line(&event),
                Err(error) => self.error(&error.to_string()),
            },
            Format::Human => {
                if let Some(text) = told(&event.kind) {
                    self.write(&format!("{}\n", paint(style::DIM, format!("  [{}]", plain(&text, "   ")))));
                }
            }
        }
    }

    fn line(self, value: &Value) {
        self.write(&format!("{value}\n"));
    }

    /// A reader that has gone away is no failure.
    fn write(self, text: &str) {
        let mut out: Box<dyn Write> = match self.format {
            Format::Human => Box::new(anstream::stdout().lock()),
            Format::Json => Box::new(io::stdout().lock()),
        };
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
}

/// What a person at the terminal wants to know of.
fn told(kind: &EventKind) -> Option<String> {
    Some(match kind {
        EventKind::InputRedacted { text, hooks } => format!("{} rewrote your message: {text}", hooks.join(", ")),
        EventKind::ToolBlocked { tool_name, reason, .. } => format!("{tool_name} did not run: {reason}"),
        EventKind::ArgsRewritten { tool_name, args, hooks } => {
            format!("{} rewrote the arguments of {tool_name}: {args}", hooks.join(", "))
        }
        EventKind::ResultWithheld { tool_name, reason, .. } => {
            format!("the result of {tool_name} is withheld: {reason}")
        }
        EventKind::ResultRewritten { tool_name, hooks, .. } => {
            format!("{} rewrote the result of {tool_name}", hooks.join(", "))
        }
        EventKind::OutputRewritten { hooks, .. } => format!("{} rewrote the answer", hooks.join(", ")),
        EventKind::ApprovalReused { tool_name: Some(tool_name), .. } => {
            format!("{tool_name} with these arguments is allowed for this session")
        }
        EventKind::HookFailed { hook, failure, .. } => format!("{hook} failed: {failure}"),
        EventKind::UserMessage { hook, text, level } => format!("{level} from {hook}: {text}"),
        EventKind::ContextInjected { injection } => {
            format!("{} tells the model: {}", injection.hook, injection.content)
        }
        _ => return None,
    })
}
