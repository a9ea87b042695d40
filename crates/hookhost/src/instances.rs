//! The engine's instances, as the chain calls them.

use std::sync::Arc;

use hookhost_chain::{HookFuture, RunHook};
use hookhost_contract::Invocation;
use hookhost_v8::Instance;

/// An instance that the chain can call.
pub(crate) struct Running(pub(crate) Arc<Instance>);

impl RunHook for Running {
    fn run<'a>(&'a self, invocation: &'a Invocation) -> HookFuture<'a> {
        Box::pin(self.0.call(invocation))
    }
}
