//! Models: one behind an OpenAI-compatible endpoint, and a recorded one.

mod assembly;
mod message;
mod openai;
mod script;

use std::path::PathBuf;
use std::time::Duration;

use futures::stream::BoxStream;
pub(crate) use message::{Message, Piece, ToolCall, ToolSpec, Usage};
pub(crate) use openai::OpenAi;
pub(crate) use script::Script;

/// What a model's reply comes as.
pub(crate) type Pieces = BoxStream<'static, Result<Piece, ModelError>>;

/// Whoever answers.
pub(crate) enum Model {
    /// A model behind an endpoint.
    OpenAi(OpenAi),
    /// A recorded one.
    Script(Script),
}

impl Model {
    /// What the user says next: `None` if there is nothing more to say, `Some(None)` if the user is to be asked.
    pub(crate) fn next_turn(&mut self) -> Option<Option<String>> {
        match self {
            Self::OpenAi(_) => Some(None),
            Self::Script(script) => script.next_turn(),
        }
    }

    /// The model's next reply. Dropping the stream ends the request.
    pub(crate) async fn reply(&mut self, messages: &[Message], tools: &[ToolSpec]) -> Result<Pieces, ModelError> {
        match self {
            Self::OpenAi(model) => model.reply(messages, tools).await,
            Self::Script(script) => script.reply(),
        }
    }
}

/// Why there is no reply, or not all of it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ModelError {
    #[error("`{0}` is no URL of a service: write one such as https://api.openai.com/v1")]
    BadUrl(String),
    #[error("the key cannot be sent: it has a character that no HTTP header may have; set it again, in one line")]
    BadKey,
    #[error("no HTTPS here: {0}")]
    Client(String),
    #[error("cannot reach {url}: {problem}; is the server running, and is --base-url right?")]
    Unreachable { url: String, problem: String },
    #[error("{url} answered {status}: {message}{}", advice(*.status))]
    Refused { url: String, status: u16, message: String },
    #[error("cannot understand what {url} answered: {problem}; is --base-url that of an OpenAI-compatible API?")]
    Garbled { url: String, problem: String },
    #[error("the answer of {url} broke off: {problem}")]
    BrokenOff { url: String, problem: String },
    #[error("{url} has said nothing for {} s", .waited.as_secs())]
    Silent { url: String, waited: Duration },
    #[error("cannot read the script `{}`: {problem}", .path.display())]
    Script { path: PathBuf, problem: String },
    #[error("the script has no further reply for this turn: it has {0}, and the loop asked for one more")]
    ScriptOver(usize),
}

fn advice(status: u16) -> &'static str {
    match status {
        300..=399 => "; set --base-url to where the API is",
        401 | 403 => "; set the key in the variable that --api-key-env names (OPENAI_API_KEY)",
        404 | 405 => "; check --base-url and --model",
        429 => "; wait a while, or ask for a higher limit",
        500.. => "; the trouble is the server's: try again later",
        _ => "",
    }
}
