//! The hooks of a project in the order in which they are asked.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use hookhost_contract::{Answer, Call, CallContext, Decision, Invocation, Point};
use uuid::Uuid;

use crate::engine;
use crate::judge::judge;
use crate::merge::Merge;
use crate::report::Reporter;
use crate::{AuditSink, ChainHook};

/// The hooks of a project in the order in which they are asked.
///
/// The order: hooks that the project names, in its order; then the others by ascending priority; equals in the order
/// they were given.
pub struct Chain {
    hooks: Vec<ChainHook>,
    env: BTreeMap<String, String>,
    audit: Option<Arc<dyn AuditSink>>,
}

impl Chain {
    /// A chain of `hooks`, in the order they were loaded. `env` is what they see as `ctx.env`.
    pub fn new(mut hooks: Vec<ChainHook>, env: BTreeMap<String, String>, audit: Option<Arc<dyn AuditSink>>) -> Self {
        hooks.sort_by(ChainHook::order);
        Self { hooks, env, audit }
    }

    /// The hooks, in the order in which they are asked.
    pub fn hooks(&self) -> &[ChainHook] {
        &self.hooks
    }

    /// Their names, in the same order.
    pub fn hook_names(&self) -> impl Iterator<Item = &str> {
        self.hooks.iter().map(|hook| hook.name.as_str())
    }

    /// The hook of that name.
    pub fn find(&self, name: &str) -> Option<&ChainHook> {
        self.hooks.iter().find(|hook| hook.name == name)
    }

    /// Asks every hook that is bound to the call's point and wants to see it, and merges the answers.
    ///
    /// - Each hook sees the payload as the earlier ones left it.
    /// - The strongest answer is the decision: block, ask, inject, modify, allow. Among equals the first leads, with
    ///   its reason and its terms of approval.
    /// - A block ends the chain. Payloads already rewritten stay so, whatever comes later.
    /// - A modify changes the point's own field and nothing else, and must put something there that the loop can use;
    ///   at an event, any field. One that changes nothing is recorded and weighs nothing; so do changes that a later
    ///   hook took back.
    /// - A hook that fails decides by its fail policy.
    /// - At postTurn, and from a hook in observe mode, answers are recorded and have no effect: no block, no change,
    ///   no injection, and the chain goes on. An observing hook's message to the user is left out as well. Its record
    ///   says what it would have decided.
    ///
    /// [`Call::only_hook`] asks one hook only. The decision is a block without a hook if no hook has that name: check
    /// with [`Chain::find`] to report it better. If the hook exists and is not bound to the point, or does not want to
    /// see the call, nothing runs, and the decision is an allow without runs.
    ///
    /// Never panics: an engine that does has failed. Dropping the future stops the chain where it is; what was reported
    /// until then stays reported.
    pub async fn decide(&self, call: Call) -> Decision {
        let Call { point, payload, only_hook, .. } = call;
        let context = Arc::new(CallContext {
            caller: call.caller,
            env: self.env.clone(),
            scope_id: call.scope_id,
            context: call.context,
            session_id: call.session_id,
            turn_id: call.turn_id,
        });
        let id = Uuid::now_v7().to_string();
        let reporter = Reporter { decision: &id, point: &point, context: &context, sink: self.audit.as_deref() };
        let mut merge = Merge::new(point.clone(), payload);

        if let Some(name) = only_hook.as_deref()
            && self.find(name).is_none()
        {
            // A question to nobody must not come back as an allow.
            let reason = format!("no hook named \"{name}\" is loaded");
            reporter.refused(&reason);
            let decision = merge.refuse(id.clone(), reason);
            reporter.decided(&decision, only_hook.as_deref());
            return decision;
        }
        for hook in &self.hooks {
            if only_hook.as_deref().is_some_and(|name| name != hook.name) || !hook.is_asked(&point, merge.payload()) {
                continue;
            }
            let started = Instant::now();
            let answer = ask(hook, &point, &mut merge, &context).await;
            let duration = started.elapsed();
            for line in answer.logs {
                reporter.logged(&hook.name, &line);
                merge.log(hook, line);
            }
            let verdict = judge(hook, &point, merge.payload(), answer.reply);
            let run = merge.add(hook, verdict, duration);
            reporter.answered(&run);
            if merge.is_blocked() {
                break;
            }
        }
        let decision = merge.finish(id.clone());
        reporter.decided(&decision, only_hook.as_deref());
        decision
    }
}

async fn ask(hook: &ChainHook, point: &Point, merge: &mut Merge, context: &Arc<CallContext>) -> Answer {
    let payload = match merge.payload_text() {
        Ok(payload) => payload,
        Err(failure) => {
            return Answer { reply: Err(failure), logs: Vec::new() };
        }
    };
    let invocation = Invocation { point: point.clone(), payload, context: context.clone(), timeout: hook.timeout };
    engine::call(hook.engine.as_ref(), &invocation).await
}

impl std::fmt::Debug for Chain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chain").field("hooks", &self.hooks).finish_non_exhaustive()
    }
}
