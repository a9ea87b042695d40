//! What the chain knows of an engine.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;

use futures::FutureExt;
use hookhost_contract::{Answer, Failure, FailureCause, Invocation};

/// What [`RunHook::run`] returns.
pub type HookFuture<'a> = Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;

/// One hook that can be called.
///
/// The engine keeps the invocation's time limit: the chain has no timer of its own and waits for the answer. Dropping
/// the future gives the call up.
pub trait RunHook: Send + Sync + 'static {
    /// Calls the hook once.
    fn run<'a>(&'a self, invocation: &'a Invocation) -> HookFuture<'a>;
}

/// Calls the hook; an engine that panics has failed, and must neither pass as an allow nor take the loop with it.
pub(crate) async fn call(engine: &dyn RunHook, invocation: &Invocation) -> Answer {
    // The inner block also catches a panic of `run` itself, before there is a future. Nothing is shared with it but
    // `&self`, and what an engine keeps behind that after a panic is its own affair.
    let answer = AssertUnwindSafe(async { engine.run(invocation).await }).catch_unwind().await;
    answer.unwrap_or_else(|panic| Answer {
        reply: Err(Failure::new(FailureCause::Exited, format!("the engine panicked: {}", words_of(panic.as_ref())))),
        logs: Vec::new(),
    })
}

fn words_of(panic: &(dyn Any + Send)) -> &str {
    if let Some(words) = panic.downcast_ref::<&str>() {
        words
    } else if let Some(words) = panic.downcast_ref::<String>() {
        words
    } else {
        "no message"
    }
}
