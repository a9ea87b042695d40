//! A running hook: the handle that callers hold, and the thread behind it.

use std::collections::HashMap;
use std::future::poll_fn;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use hookhost_contract::{Answer, CallContext, Failure, FailureCause, Invocation, Limits};
use tokio::sync::{Notify, mpsc, oneshot, watch};

use crate::backoff::Backoff;
use crate::call::{CallDeadline, PendingCall, millis};
use crate::engine::{EngineParts, HookSpec, after};
use crate::isolate::{Isolate, Progress};
use crate::turn::{Down, Kill, Turns};
use crate::v8_thread;
use crate::watchdog::Registration;

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

struct Command {
    call: Arc<PendingCall>,
    invocation: Invocation,
    registration: Registration,
}

/// What it takes to watch over a call's deadline.
#[derive(Clone)]
struct Watch {
    engine: Arc<EngineParts>,
    turns: Arc<Turns>,
    wake: Arc<Notify>,
}

impl Watch {
    fn over(&self, call: &Arc<PendingCall>) -> Registration {
        let deadline = CallDeadline::new(call.clone(), self.turns.clone(), self.wake.clone());
        self.engine.watchdog.register(call.deadline(), Arc::new(deadline))
    }
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
        let thread = v8_thread::spawn(thread_name(name), move || run_thread(worker, &stop))?;
        let thread = Mutex::new(Some(thread));
        Ok(Self { watch, closing, commands, state, calls: AtomicU32::new(0), thread })
    }

    /// Calls the hook once. Always answers, at the latest when its time is up: the reply as text, or the failure.
    ///
    /// The clock starts now; while the hook is being loaded, it starts when that has ended.
    pub async fn call(&self, invocation: &Invocation) -> Answer {
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
        self.state.borrow().clone()
    }

    /// Waits until the hook has been loaded or has failed to, at the latest when the load limit is over.
    pub async fn loaded(&self) -> InstanceState {
        let mut state = self.state.clone();
        match state.wait_for(|state| *state != InstanceState::Loading).await {
            Ok(state) => state.clone(),
            // The thread ended without a word.
            Err(_) => InstanceState::Ended,
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

fn ended() -> Failure {
    Failure::new(FailureCause::Exited, "the hook's instance has ended")
}

/// The thread's side.
struct Worker {
    watch: Watch,
    spec: HookSpec,
    commands: mpsc::UnboundedReceiver<Command>,
    state: watch::Sender<InstanceState>,
}

fn run_thread(mut worker: Worker, closing: &Notify) {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            tracing::error!(target: "hookhost::engine", hook = worker.spec.name, %error, "no runtime for the hook");
            worker.state.send_replace(InstanceState::Ended);
            return;
        }
    };
    // A panic below is a fault of the engine. It must not leave the hook's calls without an answer.
    let ended = catch_unwind(AssertUnwindSafe(|| {
        runtime.block_on(async {
            tokio::select! {
                () = closing.notified() => {}
                () = worker.live() => {}
            }
        });
    }));
    if ended.is_err() {
        tracing::error!(target: "hookhost::engine", hook = worker.spec.name, "the hook's thread panicked");
    }
    worker.state.send_replace(InstanceState::Ended);
    // Nobody waits for a look-up of a host name that still runs on a thread of the runtime.
    runtime.shutdown_background();
}

/// Why an isolate came to its end.
struct Broken {
    failure: Failure,
    /// It had answered before.
    worked: bool,
}

/// A call that the hook has begun.
struct InFlight {
    call: Arc<PendingCall>,
    _registration: Registration,
}

impl Worker {
    /// One isolate after the other, for as long as somebody may call.
    async fn live(&mut self) {
        let mut backoff = Backoff::default();
        // The call whose turn it is.
        let mut next = None;
        loop {
            self.state.send_replace(InstanceState::Loading);
            let Watch { engine, turns, .. } = self.watch.clone();
            let started = Isolate::start(&*engine.realm, &self.spec, &engine.limits, &turns, &engine.watchdog).await;
            let (failure, rest) = match started {
                Ok(isolate) => {
                    let down = turns.up();
                    self.state.send_replace(InstanceState::Ready);
                    let Err(broken) = self.serve(isolate, down, &mut next).await else { return };
                    if broken.worked {
                        backoff.recovered();
                    }
                    (broken.failure, backoff.broke())
                }
                Err(failure) => (failure, backoff.could_not_load()),
            };
            if turns.is_closed() {
                return;
            }
            tracing::warn!(target: "hookhost::engine", hook = self.spec.name, cause = %failure.cause,
                message = failure.message, rest_ms = millis(rest), "the hook's instance broke");
            if !rest.is_zero() {
                if let Some(Command { call, .. }) = next.take() {
                    call.answer(Err(failure_while_resting(&failure)));
                }
                match self.rest(failure, rest).await {
                    Some(command) => next = Some(command),
                    None => return,
                }
            }
        }
    }

    /// Answers calls at once with `failure`, until the rest is over. Returns the first call after it.
    async fn rest(&mut self, failure: Failure, rest: Duration) -> Option<Command> {
        let over = after(Instant::now(), rest);
        self.state.send_replace(InstanceState::Resting(failure.clone()));
        while let Some(command) = self.commands.recv().await {
            if Instant::now() >= over {
                return Some(command);
            }
            command.call.answer(Err(failure_while_resting(&failure)));
        }
        None
    }

    /// Answers calls with one isolate, which has been loaded during `down`. Returns when nobody can call any more, or
    /// when the isolate is broken.
    async fn serve(&mut self, mut isolate: Isolate, down: Down, next: &mut Option<Command>) -> Result<(), Broken> {
        let mut in_flight = HashMap::new();
        let mut idle = true;
        loop {
            let outcome = match next.take() {
                Some(command) => {
                    idle = false;
                    self.begin(&mut isolate, &down, &mut in_flight, command)
                }
                None => {
                    tokio::select! {
                        received = self.commands.recv() => match received {
                            // First those whose time is up are told.
                            Some(received) => { *next = Some(received); Ok(()) }
                            None => return Ok(()),
                        },
                        () = self.watch.wake.notified() => Ok(()),
                        progress = poll_fn(|cx| isolate.poll(cx)), if !idle => {
                            idle = matches!(progress, Ok(Progress::Idle));
                            progress.map(drop)
                        }
                    }
                }
            };
            if let Err(kill) = outcome.and_then(|()| tidy(&mut isolate, &mut in_flight)) {
                return Err(self.broken(&isolate, &in_flight, kill));
            }
        }
    }

    fn begin(
        &self,
        isolate: &mut Isolate,
        down: &Down,
        in_flight: &mut HashMap<u32, InFlight>,
        command: Command,
    ) -> Result<(), Kill> {
        let Command { call, invocation, mut registration } = command;
        let waited = down.contains(call.came);
        if !call.begin(waited) {
            return Ok(());
        }
        if waited {
            registration = self.watch.over(&call);
        }
        let context = context_text(&invocation.context);
        in_flight.insert(call.id, InFlight { call: call.clone(), _registration: registration });
        isolate.call(&call, &invocation, &context)
    }

    /// Gives every call that is under way its own failure.
    fn broken(&self, isolate: &Isolate, in_flight: &HashMap<u32, InFlight>, kill: Kill) -> Broken {
        let (cause, what) = match kill {
            Kill::Memory => {
                let heap = self.watch.engine.limits.heap_bytes >> 20;
                (FailureCause::OutOfMemory, format!("the hook used up its heap of {heap} MiB"))
            }
            Kill::Time => (FailureCause::TimedOut, "the hook ran past its time limit".to_owned()),
            Kill::EventLoop => (FailureCause::Exited, "the hook's event loop failed again and again".to_owned()),
            Kill::Closed => (FailureCause::Exited, "the host ended the hook".to_owned()),
        };
        let failure = Failure::new(cause, what);
        // Who ran past the limit has had its answer, or gets it now. The others fall with the isolate.
        let others = match kill {
            Kill::Time => Failure::new(
                FailureCause::Exited,
                "the hook's instance was ended, since other code of the hook ran past its time limit",
            ),
            _ => failure.clone(),
        };
        let now = Instant::now();
        for InFlight { call, .. } in in_flight.values() {
            let own = if kill == Kill::Time && call.deadline() <= now { call.timed_out() } else { others.clone() };
            call.answer(Err(own));
        }
        Broken { failure, worked: isolate.host.replied.get() > 0 }
    }
}

/// Forgets the calls that have their answer. Those that the hook has not settled have run out of time: it is told.
fn tidy(isolate: &mut Isolate, in_flight: &mut HashMap<u32, InFlight>) -> Result<(), Kill> {
    let answered: Vec<u32> =
        in_flight.values().filter(|flight| flight.call.is_answered()).map(|flight| flight.call.id).collect();
    for id in answered {
        in_flight.remove(&id);
        isolate.expire(id)?;
    }
    Ok(())
}

fn context_text(context: &CallContext) -> String {
    // Strings and maps of strings: serialising them cannot fail.
    serde_json::to_string(context).unwrap_or_else(|_| "{}".to_owned())
}

fn failure_while_resting(failure: &Failure) -> Failure {
    match failure.cause {
        FailureCause::LoadFailed => failure.clone(),
        cause => Failure::new(
            FailureCause::Exited,
            format!(
                "not called: the hook broke repeatedly and rests before it is started again (last: {cause}: {})",
                failure.message
            ),
        ),
    }
}
