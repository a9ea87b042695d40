//! Questions to a person: who is asked, how long the answer is waited for, and what holds afterwards.

mod ask;
mod hash;
mod request;

use std::collections::HashSet;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) use ask::{Question, ask};
pub use hash::PayloadHash;
pub(crate) use request::options_of;
pub use request::{ApprovalAnswer, ApprovalChoice, ApprovalOption, ApprovalRequest, AskedBy};

/// What [`Approver::ask`] returns.
pub type ApprovalFuture<'a> = Pin<Box<dyn Future<Output = ApprovalAnswer> + Send + 'a>>;

/// Whoever can ask a person.
///
/// It is asked after the hooks have answered, so no hook's clock runs meanwhile; [`ApprovalRequest::timeout`] is the
/// question's own, and kept by the session. Several questions may be under way at once. The future is dropped when the
/// time is up or the turn is dropped: take the question back then. An approver that panics has said no.
pub trait Approver: Send + Sync + 'static {
    /// Asks, and waits for the answer.
    fn ask(&self, request: ApprovalRequest) -> ApprovalFuture<'_>;
}

/// An approver that the embedder keeps a hand on.
impl<A: Approver + ?Sized> Approver for Arc<A> {
    fn ask(&self, request: ApprovalRequest) -> ApprovalFuture<'_> {
        (**self).ask(request)
    }
}

/// The payloads that are allowed for the rest of a session.
#[derive(Debug, Default)]
pub(crate) struct Granted(Mutex<HashSet<PayloadHash>>);

impl Granted {
    pub(crate) fn add(&self, hash: PayloadHash) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(hash);
    }

    pub(crate) fn contains(&self, hash: &PayloadHash) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(hash)
    }

    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
