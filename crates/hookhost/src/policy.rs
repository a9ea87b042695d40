//! What has the last say about a tool call, after the hooks.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;

use futures::FutureExt;
use hookhost_contract::Caller;

use crate::turn::ToolCall;

/// What [`ToolPolicy::judge`] returns.
pub type PolicyFuture<'a> = Pin<Box<dyn Future<Output = PolicyVerdict> + Send + 'a>>;

/// The last say about a tool call.
///
/// It is asked once the hooks let the call pass, and sees the arguments as they left them. A policy that panics denies.
pub trait ToolPolicy: Send + Sync + 'static {
    /// Judges one call.
    fn judge<'a>(&'a self, question: PolicyQuestion<'a>) -> PolicyFuture<'a>;
}

/// A policy that the embedder keeps a hand on.
impl<P: ToolPolicy + ?Sized> ToolPolicy for Arc<P> {
    fn judge<'a>(&'a self, question: PolicyQuestion<'a>) -> PolicyFuture<'a> {
        (**self).judge(question)
    }
}

/// A tool call, as it would run.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct PolicyQuestion<'a> {
    /// The call, with the arguments as the hooks left them.
    pub call: &'a ToolCall,
    /// Who is behind the turn.
    pub caller: Option<&'a Caller>,
    /// The scope of the session.
    pub scope_id: Option<&'a str>,
    /// The session.
    pub session_id: &'a str,
    /// The turn.
    pub turn_id: &'a str,
}

/// What a policy says about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyVerdict {
    /// The tool runs.
    Allow,
    /// A person decides. If one has just allowed this very call, because a hook wanted that, nobody is asked again.
    Ask {
        /// Why: the question.
        reason: String,
    },
    /// The tool does not run.
    Deny {
        /// Why; the model is told.
        reason: String,
    },
}

/// Asks the policy.
pub(crate) async fn judge(policy: &dyn ToolPolicy, question: PolicyQuestion<'_>) -> PolicyVerdict {
    // The inner block also catches a panic of `judge` itself, before there is a future.
    let verdict = AssertUnwindSafe(async { policy.judge(question).await }).catch_unwind().await;
    verdict.unwrap_or_else(|_panic| {
        tracing::error!(target: "hookhost::policy", tool = question.call.name, "the tool policy panicked");
        PolicyVerdict::Deny { reason: "the tool policy failed, so the tool does not run".to_owned() }
    })
}
