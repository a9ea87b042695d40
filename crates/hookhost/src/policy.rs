//! What has the last say about a tool call, after the hooks.

use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use futures::FutureExt;
use hookhost_contract::{Caller, PolicyAction};
use hookhost_loader::{CompiledPolicy, PolicyError, Verdict, load_policy};

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

/// A `policy.json`: ordered rules of tool globs. The format is in `docs/policy.md`.
///
/// ```no_run
/// # fn session(host: &std::sync::Arc<hookhost::HookHost>) -> Result<hookhost::Session, hookhost::PolicyError> {
/// use hookhost::FilePolicy;
///
/// let session = host.session().policy(FilePolicy::load("policy.json")?).build();
/// # Ok(session)
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct FilePolicy {
    rules: CompiledPolicy,
}

impl FilePolicy {
    /// Reads the file, once.
    ///
    /// # Errors
    /// It is not there, cannot be read, or has anything in it that is no part of a policy.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, PolicyError> {
        Ok(Self { rules: load_policy(path.as_ref())?.compiled })
    }
}

impl ToolPolicy for FilePolicy {
    fn judge<'a>(&'a self, question: PolicyQuestion<'a>) -> PolicyFuture<'a> {
        let name = &question.call.name;
        let Verdict { action, reason, place, .. } = self.rules.judge(name);
        let verdict = match action {
            PolicyAction::Allow => PolicyVerdict::Allow,
            PolicyAction::Ask => {
                PolicyVerdict::Ask { reason: reason.unwrap_or_else(|| format!("May {name} run? ({place})")) }
            }
            PolicyAction::Deny => {
                PolicyVerdict::Deny { reason: reason.unwrap_or_else(|| format!("{name} may not run ({place})")) }
            }
        };
        Box::pin(std::future::ready(verdict))
    }
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
