//! A running hook: the handle that callers hold. The thread behind it is in `worker.rs`.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use hookhost_contract::{Answer, Failure, FailureCause, Invocation, Limits};
use tokio::sync::{mpsc, oneshot, watch};

use crate::call::{PendingCall, Waiting};
use crate::engine::{EngineParts, HookSpec};
use crate::inbox::{Command, Inbox, Message};
use crate::status::Status;
use crate::tier_in_use::TierInUse;
use crate::turn::Turns;
use crate::worker::{Losses, Watch, Worker, not_called};

/// How long the end of an instance's thread is waited for, from [`Instance::close`] on.
const FAREWELL: Duration = Duration::from_secs(1);

/// How long a call waits, beside its own time, for a hook that is started again. Loading it may take longer, and a hook
/// may hang while it is loaded: whoever calls must not wait for that.
const RESTART: Duration = Duration::from_secs(2);

/// What an instance does.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum InstanceState {
    /// The hook is being loaded for the first time. Calls wait for it, within the load limit.
    Loading,
    /// The hook can be called.
    Ready,
    /// The hook broke, for this reason, for the first time since it last answered, and is started again at once. Calls wait
    /// for it, for two seconds at most.
    Restarting(Failure),
    /// The hook could not be loaded, or broke repeatedly. Calls fail at once; after a rest, a call tries again.
    Resting(Failure),
    /// The rest is over, and a call has come: the hook is started again. That call waits as for a restart; others fail at
    /// once until the hook is up.
    Retrying(Failure),
    /// The hook runs on although it was killed, inside one of V8's built-ins that do not look up. Calls fail at once
    /// until it comes back.
    Stuck,
    /// The hook cost the host three threads: V8 gave up, or did not come back from a built-in. It is not started again, and
    /// calls fail at once.
    GivenUp(Failure),
    /// The instance has ended.
    Ended,
}

impl InstanceState {
    /// The state in one word, for logs.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Loading => "loading",
            Self::Ready => "ready",
            Self::Restarting(_) => "restarting",
            Self::Resting(_) => "resting",
            Self::Retrying(_) => "retrying",
            Self::Stuck => "stuck",
            Self::GivenUp(_) => "given_up",
            Self::Ended => "ended",
        }
    }
}

/// How much a hook holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MemoryUse {
    /// On its JavaScript heap, in bytes, what is garbage and has not been collected yet included.
    pub heap_bytes: usize,
    /// Outside of the heap, as far as V8 knows, in bytes: array buffers and the like.
    pub external_bytes: usize,
}

/// A running hook. Dropping it ends it.
pub struct Instance {
    watch: Watch,
    messages: mpsc::UnboundedSender<Message>,
    status: Arc<Status>,
    calls: AtomicU32,
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
    closed: OnceLock<Instant>,
}

impl Instance {
    pub(crate) fn start(engine: Arc<EngineParts>, spec: HookSpec, tier: TierInUse) -> io::Result<Self> {
        let watch = Watch { engine, turns: Arc::new(Turns::new()), wake: watch::Sender::new(()) };
        let (messages, received) = mpsc::unbounded_channel();
        let status = Arc::new(Status::new(&spec.name));
        let thread = Arc::new(Mutex::new(None));
        let worker = Worker {
            watch: watch.clone(),
            spec,
            inbox: Arc::new(Inbox::new(received)),
            status: status.clone(),
            thread: thread.clone(),
            losses: Losses::default(),
            _tier: Arc::new(tier),
        };
        worker.spawn()?;
        Ok(Self { watch, messages, status, calls: AtomicU32::new(0), thread, closed: OnceLock::new() })
    }

    /// Calls the hook once. Always answers: with the reply as text, or with the failure.
    ///
    /// The clock starts now. For a call that comes while the hook is being loaded, it starts when that has ended, or
    /// when the load limit is over; while the hook is started again after it broke, two seconds later at most.
    ///
    /// Dropping the future gives the call up. One that waits in the queue is never begun. One that is under way is told
    /// through `ctx.signal`, and if its code still computes a quarter of a second later, it is ended with its isolate.
    pub async fn call(&self, invocation: &Invocation) -> Answer {
        if let Err(failure) = self.can_be_called(invocation) {
            return Answer { reply: Err(failure), logs: Vec::new() };
        }
        let (reply, answer) = oneshot::channel();
        let Limits { load_timeout, log_bytes, .. } = self.watch.engine.limits;
        let patience = if self.state() == InstanceState::Loading { load_timeout } else { load_timeout.min(RESTART) };
        let call = Arc::new(PendingCall::new(self.next_id(), invocation.timeout, patience, log_bytes, reply));
        let registration = self.watch.over(&call);
        let _waiting = Waiting::new(&call, &self.watch);
        // If the instance has ended, the command is dropped, and with it the other end of `answer`.
        let _ = self.messages.send(Message::Call(Command { call, invocation: invocation.clone(), registration }));
        answer.await.unwrap_or_else(|_| Answer { reply: Err(self.ended()), logs: Vec::new() })
    }

    /// The circuit: whether it makes sense to wait for an answer of the hook.
    fn can_be_called(&self, invocation: &Invocation) -> Result<(), Failure> {
        match self.state() {
            InstanceState::Stuck => {
                return Err(exited(
                    "not called: the hook runs on past its time limit, inside a built-in that cannot be ended",
                ));
            }
            InstanceState::Retrying(failure) => return Err(not_called(&failure)),
            _ => {}
        }
        let (bytes, limit) = (invocation.payload.len(), self.watch.engine.limits.payload_bytes);
        if bytes > limit {
            return Err(exited(format!("not called: the payload has {bytes} bytes, and the limit is {limit}")));
        }
        Ok(())
    }

    /// The failure of a call that nobody answers any more.
    fn ended(&self) -> Failure {
        match self.state() {
            InstanceState::GivenUp(failure) => exited(format!("not called: {failure}")),
            _ => exited("the hook's instance has ended"),
        }
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
        if self.watch.turns.is_stuck() { InstanceState::Stuck } else { self.status.get() }
    }

    /// How much the hook holds now. `None` if it cannot be asked: it is not ready, or does not come back to answer.
    pub async fn memory(&self) -> Option<MemoryUse> {
        if self.state() != InstanceState::Ready {
            return None;
        }
        let (reply, answer) = oneshot::channel();
        self.messages.send(Message::Memory(reply)).ok()?;
        tokio::select! {
            answer = answer => answer.ok(),
            () = self.watch.turns.stuck() => None,
        }
    }

    /// The files that the hook's present isolate was loaded from: modules, JSON, what `require` loads. Absolute, symbolic
    /// links resolved, sorted. Not the files that it reads by itself.
    pub fn files(&self) -> Vec<PathBuf> {
        self.status.loaded_from().paths()
    }

    /// True if one of [`Instance::files`] reads differently now from how it was read, or is gone.
    pub fn has_changed_on_disk(&self) -> bool {
        self.status.loaded_from().has_changed()
    }

    /// How often the hook broke, or could not be loaded, since it was first started.
    pub fn breaks(&self) -> u64 {
        self.status.breaks()
    }

    /// Waits until the hook has been loaded or has failed to, at the latest a second after the load limit. If loading it
    /// costs the thread, that begins again, twice at most.
    pub async fn loaded(&self) -> InstanceState {
        tokio::select! {
            state = self.status.loaded() => state,
            () = self.watch.turns.stuck() => InstanceState::Stuck,
        }
    }

    /// Ends the instance without waiting for it: what runs is killed, what waits fails.
    pub fn close(&self) {
        self.closed.get_or_init(Instant::now);
        self.watch.turns.close();
    }
}

fn exited(message: impl Into<String>) -> Failure {
    Failure::new(FailureCause::Exited, message)
}

impl Drop for Instance {
    fn drop(&mut self) {
        self.close();
        let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        // The isolate is to be gone before the process can begin to end. It takes milliseconds: what ran was killed. But
        // some of V8's built-ins do not look up while they run, such as the `indexOf` of an object whose length is 2 ** 53;
        // a thread that is inside one is left behind.
        let closed = *self.closed.get_or_init(Instant::now);
        while !thread.is_finished() {
            if closed.elapsed() > FAREWELL {
                tracing::warn!(target: "hookhost::engine", "a hook's thread does not end; it is left behind");
                return;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        let _ = thread.join();
    }
}
