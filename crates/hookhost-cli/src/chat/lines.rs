//! What the user types, line by line.

use std::io::{self, BufRead, IsTerminal};
use std::sync::Arc;

use tokio::sync::{Mutex, MutexGuard, mpsc};

/// The lines of standard input. A thread of its own reads them, since nothing can take back a read that waits.
#[derive(Clone)]
pub(crate) struct Lines {
    received: Arc<Mutex<mpsc::UnboundedReceiver<String>>>,
    is_terminal: bool,
}

/// Whoever has this is being talked to; others wait.
pub(crate) struct Conversation<'a> {
    received: MutexGuard<'a, mpsc::UnboundedReceiver<String>>,
    is_terminal: bool,
}

impl Lines {
    /// Begins to read.
    pub(crate) fn of_stdin() -> Self {
        let (sender, received) = mpsc::unbounded_channel();
        std::thread::spawn(move || {
            for line in io::stdin().lock().lines() {
                // What is no text cannot be a message.
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { received: Arc::new(Mutex::new(received)), is_terminal: io::stdin().is_terminal() }
    }

    /// True if a person types them.
    pub(crate) fn are_typed(&self) -> bool {
        self.is_terminal
    }

    /// Waits for whoever is being talked to.
    pub(crate) async fn begin(&self) -> Conversation<'_> {
        Conversation { received: self.received.lock().await, is_terminal: self.is_terminal }
    }
}

impl Conversation<'_> {
    /// The next line, without its end. `None` when there are no more.
    pub(crate) async fn next(&mut self) -> Option<String> {
        self.received.recv().await
    }

    /// Forgets what was typed before the question was on the screen: it cannot be its answer. Lines from a file or a pipe
    /// are all there from the start, and stay.
    pub(crate) fn forget_typed_ahead(&mut self) {
        while self.is_terminal && self.received.try_recv().is_ok() {}
    }
}
