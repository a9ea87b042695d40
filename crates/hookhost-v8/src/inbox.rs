//! Calls on their way to an instance's thread.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hookhost_contract::Invocation;
use tokio::sync::{mpsc, oneshot};

use crate::call::PendingCall;
use crate::instance::MemoryUse;
use crate::watchdog::Registration;

/// A call on its way to the thread.
pub(crate) struct Command {
    pub(crate) call: Arc<PendingCall>,
    pub(crate) invocation: Invocation,
    pub(crate) registration: Registration,
}

/// What reaches the thread.
pub(crate) enum Message {
    /// A call.
    Call(Command),
    /// How much does the hook hold?
    Memory(oneshot::Sender<MemoryUse>),
}

/// Where the calls of one instance wait. Shared by the thread that serves them and the one that may have to take over.
pub(crate) struct Inbox {
    commands: Mutex<mpsc::UnboundedReceiver<Message>>,
}

impl Inbox {
    pub(crate) fn new(commands: mpsc::UnboundedReceiver<Message>) -> Self {
        Self { commands: Mutex::new(commands) }
    }

    fn commands(&self) -> MutexGuard<'_, mpsc::UnboundedReceiver<Message>> {
        self.commands.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next message. `None` when nobody can call any more.
    ///
    /// The lock is not held while it waits: whoever waits may be lost.
    pub(crate) async fn next(&self) -> Option<Message> {
        poll_fn(|cx| self.commands().poll_recv(cx)).await
    }

    /// Takes no more calls. Those that wait are dropped, and have failed by that.
    pub(crate) fn close(&self) {
        let waiting: Vec<_> = {
            let mut commands = self.commands();
            commands.close();
            std::iter::from_fn(|| commands.try_recv().ok()).collect()
        };
        // Whoever is woken by that may look at the inbox.
        drop(waiting);
    }
}
