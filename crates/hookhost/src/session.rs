//! A conversation: who talks, who is asked, and what has the last say.

use std::collections::BTreeMap;
use std::sync::Arc;

use hookhost_contract::{Call, Caller, Point};
use uuid::Uuid;

use crate::approval::{Approver, Granted};
use crate::event::{Events, Subscribers};
use crate::host::HookHost;
use crate::policy::ToolPolicy;
use crate::turn::Turn;

/// A conversation of one user with the agent. Cheap to clone: clones are the same session.
///
/// Many sessions share one host, and their turns run side by side.
#[derive(Clone)]
pub struct Session {
    inner: Arc<SessionInner>,
}

pub(crate) struct SessionInner {
    pub(crate) host: Arc<HookHost>,
    pub(crate) id: String,
    pub(crate) caller: Option<Caller>,
    pub(crate) scope_id: Option<String>,
    pub(crate) context: Option<BTreeMap<String, String>>,
    pub(crate) policy: Option<Arc<dyn ToolPolicy>>,
    pub(crate) approver: Option<Arc<dyn Approver>>,
    pub(crate) subscribers: Subscribers,
    pub(crate) granted: Granted,
    stream_when_no_output_hook: bool,
}

impl SessionInner {
    /// The call, with what hooks see of the session.
    pub(crate) fn call(&self, call: Call, turn_id: &str) -> Call {
        let mut call = call.turn(&self.id, turn_id);
        call.caller.clone_from(&self.caller);
        call.scope_id.clone_from(&self.scope_id);
        call.context.clone_from(&self.context);
        call
    }

    /// Whether the assistant's text is held back until the hooks have seen all of it.
    pub(crate) fn holds_output_back(&self) -> bool {
        if self.stream_when_no_output_hook {
            self.host.has_hook_at(&Point::PreOutput)
        } else {
            !self.host.hook_names().is_empty()
        }
    }
}

impl Session {
    /// The session's id.
    pub fn id(&self) -> &str {
        &self.inner.id
    }

    /// The host that decides.
    pub fn host(&self) -> &Arc<HookHost> {
        &self.inner.host
    }

    /// Begins a turn, under a new id.
    pub fn turn(&self) -> Turn {
        self.turn_named(Uuid::now_v7().to_string())
    }

    /// Begins a turn under an id of the embedder's.
    pub fn turn_named(&self, id: impl Into<String>) -> Turn {
        Turn::begin(self.inner.clone(), id.into())
    }

    /// Follows what happens in the session, from now on.
    pub fn subscribe(&self) -> Events {
        self.inner.subscribers.add()
    }

    /// Forgets what has been allowed for the session: every payload is asked about again.
    pub fn forget_approvals(&self) {
        self.inner.granted.clear();
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("id", &self.inner.id).finish_non_exhaustive()
    }
}

/// Builds a [`Session`]. Each setter gives its default.
#[must_use]
pub struct SessionBuilder {
    session: SessionInner,
}

impl SessionBuilder {
    pub(crate) fn new(host: Arc<HookHost>) -> Self {
        Self {
            session: SessionInner {
                host,
                id: Uuid::now_v7().to_string(),
                caller: None,
                scope_id: None,
                context: None,
                policy: None,
                approver: None,
                subscribers: Subscribers::default(),
                granted: Granted::default(),
                stream_when_no_output_hook: false,
            },
        }
    }

    /// Names the session: `ctx.sessionId`. Default: a new UUID.
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.session.id = id.into();
        self
    }

    /// Who is behind the session: `ctx.caller`. Default: nobody is known.
    pub fn caller(mut self, caller: Caller) -> Self {
        self.session.caller = Some(caller);
        self
    }

    /// What the session is about: `ctx.scopeId`. Default: none.
    pub fn scope_id(mut self, scope_id: impl Into<String>) -> Self {
        self.session.scope_id = Some(scope_id.into());
        self
    }

    /// The request context: `ctx.context`. Default: none.
    pub fn context(mut self, context: BTreeMap<String, String>) -> Self {
        self.session.context = Some(context);
        self
    }

    /// What has the last say about tool calls. Default: the hooks have it.
    pub fn policy(mut self, policy: impl ToolPolicy) -> Self {
        self.session.policy = Some(Arc::new(policy));
        self
    }

    /// Who asks a person. Default: nobody, and every question is answered with a no.
    pub fn approver(mut self, approver: impl Approver) -> Self {
        self.session.approver = Some(Arc::new(approver));
        self
    }

    /// Streams the assistant's text unless a hook is bound to `preOutput`. Default: false, and any hook, at any point, has
    /// the text held back until it is complete, as the runtime does that hook folders are written for.
    pub fn stream_when_no_output_hook(mut self, stream: bool) -> Self {
        self.session.stream_when_no_output_hook = stream;
        self
    }

    /// The session.
    pub fn build(self) -> Session {
        Session { inner: Arc::new(self.session) }
    }
}
