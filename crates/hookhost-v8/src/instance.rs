//! A running hook: the handle that callers hold. The thread behind it is in `worker.rs`.

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use hookhost_contract::{Answer, Failure, FailureCause, Invocation, Limits};
use tokio::sync::{Notify, mpsc, oneshot, watch};

use crate::call::PendingCall;
use crate::engine::{EngineParts, HookSpec};
use crate::turn::Turns;
use crate::v8_thread;
use crate::worker::{Command, Watch, Worker, ended};

/// How long the end of an instance's thread is waited for.
const FAREWELL: Duration = Duration::from_secs(1);

/// What an instance does.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum InstanceState {
    /// The hook is being loaded. Calls wait for it, within the load limit.
    Loading,
    /// The hook can be called.
    Ready,
    /// The hook could not be loaded, or broke repeatedly. Calls fail at once; after a rest, a call tries again.
    Resting(Failure),
    /// The hook runs on although it was killed, inside one of V8's built-ins that do not look up. Calls fail at once
    /// until it comes back.
    Stuck,
    /// The instance has ended.
    Ended,
}

/// A running hook. Dropping it ends it.
pub struct Instance {
    watch: Watch,
    closing: Arc<Notify>,
    commands: mpsc::UnboundedSender<Command>,
    state: watch::Receiver<InstanceState>,
    calls: AtomicU32,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Instance {
    pub(crate) fn start(engine: Arc<EngineParts>, spec: HookSpec) -> io::Result<Self> {
        let watch = Watch { engine, turns: Arc::new(Turns::new()), wake: Arc::new(Notify::new()) };
        let closing = Arc::new(Notify::new());
        let (commands, received) = mpsc::unbounded_channel();
        let (tell, state) = watch::channel(InstanceState::Loading);
        let name = format!("hook:{}", spec.name);
        let worker = Worker { watch: watch.clone(), spec, commands: received, state: tell };
        let stop = closing.clone();
        let thread = v8_thread::spawn(thread_name(name), move || worker.run(&stop))?;
        let thread = Mutex::new(Some(thread));
        Ok(Self { watch, closing, commands, state, calls: AtomicU32::new(0), thread })
    }

    /// Calls the hook once. Always answers: with the reply as text, or with the failure.
    ///
    /// The clock starts now. For a call that comes while the hook is being loaded, it starts when that has ended, or
    /// when the load limit is over.
    pub async fn call(&self, invocation: &Invocation) -> Answer {
        if self.watch.turns.is_stuck() {
            let message = "not called: the hook runs on past its time limit, inside a built-in that cannot be ended";
            return Answer { reply: Err(Failure::new(FailureCause::Exited, message)), logs: Vec::new() };
        }
        let (reply, answer) = oneshot::channel();
        let Limits { load_timeout, log_bytes, .. } = self.watch.engine.limits;
        let call = Arc::new(PendingCall::new(self.next_id(), invocation.timeout, load_timeout, log_bytes, reply));
        let registration = self.watch.over(&call);
        // If the thread has ended, the command is dropped, and with it the other end of `answer`.
        let _ = self.commands.send(Command { call, invocation: invocation.clone(), registration });
        answer.await.unwrap_or_else(|_| Answer { reply: Err(ended()), logs: Vec::new() })
    }

    /// Names a call inside its instance. Never 0, which is code outside any call.
    fn next_id(&self) -> u32 {
        loop {
            // JavaScript's small integers have 31 bits.
            let id = self.calls.fetch_add(1, Ordering::Relaxed) & 0x3fff_ffff;
            if id != 0 {
                return id;
            }
        }
    }

    /// What the instance does now.
    pub fn state(&self) -> InstanceState {
        if self.watch.turns.is_stuck() { InstanceState::Stuck } else { self.state.borrow().clone() }
    }

    /// Waits until the hook has been loaded or has failed to, at the latest a second after the load limit.
    pub async fn loaded(&self) -> InstanceState {
        let mut state = self.state.clone();
        tokio::select! {
            loaded = state.wait_for(|state| *state != InstanceState::Loading) => match loaded {
                Ok(state) => state.clone(),
                // The thread ended without a word.
                Err(_) => InstanceState::Ended,
            },
            () = self.watch.turns.stuck() => InstanceState::Stuck,
        }
    }

    /// Ends the instance without waiting for it: what runs is killed, what waits fails.
    pub fn close(&self) {
        self.watch.turns.close();
        self.closing.notify_one();
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        self.close();
        let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        // The isolate is to be gone before the process can begin to end. It takes milliseconds: what ran was killed. But
        // some of V8's built-ins do not look up while they run, such as the `indexOf` of an object whose length is 2 ** 53;
        // a thread that is inside one is left behind.
        let begun = Instant::now();
        while !thread.is_finished() {
            if begun.elapsed() > FAREWELL {
                tracing::error!(target: "hookhost::engine", "a hook's thread does not end; it is left behind");
                return;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        let _ = thread.join();
    }
}

/// A thread's name must not contain NUL; a hook's name comes from a file.
fn thread_name(name: String) -> String {
    name.replace('\0', "")
}
