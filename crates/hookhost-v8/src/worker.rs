//! The thread of one instance: one isolate after the other, and the calls that they answer.

use std::collections::HashMap;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hookhost_contract::{Failure, FailureCause, Invocation};
use tokio::sync::{Notify, mpsc, watch};

use crate::backoff::Backoff;
use crate::call::{CallDeadline, PendingCall, millis};
use crate::engine::{EngineParts, HookSpec, after};
use crate::instance::InstanceState;
use crate::isolate::{Isolate, Progress};
use crate::turn::{Down, Kill, Turns};
use crate::watchdog::Registration;

/// A call on its way to the thread.
pub(crate) struct Command {
    pub(crate) call: Arc<PendingCall>,
    pub(crate) invocation: Invocation,
    pub(crate) registration: Registration,
}

/// What it takes to watch over a call's deadline.
#[derive(Clone)]
pub(crate) struct Watch {
    pub(crate) engine: Arc<EngineParts>,
    pub(crate) turns: Arc<Turns>,
    /// Wakes the thread when a deadline has passed.
    pub(crate) wake: Arc<Notify>,
}

impl Watch {
    /// Registers the call's deadline.
    pub(crate) fn over(&self, call: &Arc<PendingCall>) -> Registration {
        let deadline = CallDeadline::new(call.clone(), self.turns.clone(), self.wake.clone());
        self.engine.watchdog.register(call.deadline(), Arc::new(deadline))
    }
}

/// The thread of one instance.
pub(crate) struct Worker {
    pub(crate) watch: Watch,
    pub(crate) spec: HookSpec,
    pub(crate) commands: mpsc::UnboundedReceiver<Command>,
    pub(crate) state: watch::Sender<InstanceState>,
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
    /// Runs until the instance is closed, whatever happens in between.
    pub(crate) fn run(mut self, closing: &Notify) {
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => {
                tracing::error!(target: "hookhost::engine", hook = self.spec.name, %error, "no runtime for the hook");
                self.state.send_replace(InstanceState::Ended);
                return;
            }
        };
        // A panic below is a fault of the engine. It must not leave the hook's calls without an answer.
        let ended = catch_unwind(AssertUnwindSafe(|| {
            runtime.block_on(async {
                tokio::select! {
                    () = closing.notified() => {}
                    () = self.live() => {}
                }
            });
        }));
        if ended.is_err() {
            tracing::error!(target: "hookhost::engine", hook = self.spec.name, "the hook's thread panicked");
        }
        self.state.send_replace(InstanceState::Ended);
        // Nobody waits for a look-up of a host name that still runs on a thread of the runtime.
        runtime.shutdown_background();
    }

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
            tracing::warn!(target: "hookhost::engine", hook = self.spec.name, %failure, rest_ms = millis(rest),
                "the hook's instance broke");
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
            match outcome.and_then(|()| tidy(&mut isolate, &mut in_flight)) {
                // What the hook does about it, it does in the event loop.
                Ok(told) => idle &= !told,
                Err(kill) => return Err(self.broken(&isolate, &in_flight, kill)),
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
        // Without its ctx a hook could take the call for another: that is a failure, however unlikely.
        let context = match serde_json::to_string(&*invocation.context) {
            Ok(context) => context,
            Err(error) => {
                call.answer(Err(Failure::new(FailureCause::Exited, format!("ctx cannot be written as JSON: {error}"))));
                return Ok(());
            }
        };
        let waited = down.contains(call.came);
        if !call.begin(waited) {
            return Ok(());
        }
        if waited {
            registration = self.watch.over(&call);
        }
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

/// Forgets the calls that have their answer. Those that the hook has not settled have run out of time: it is told. True
/// if there were any such.
fn tidy(isolate: &mut Isolate, in_flight: &mut HashMap<u32, InFlight>) -> Result<bool, Kill> {
    let answered: Vec<u32> =
        in_flight.values().filter(|flight| flight.call.is_answered()).map(|flight| flight.call.id).collect();
    let mut told = false;
    for id in answered {
        in_flight.remove(&id);
        told |= isolate.expire(id)?;
    }
    Ok(told)
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

/// The failure of a call that nobody answers any more.
pub(crate) fn ended() -> Failure {
    Failure::new(FailureCause::Exited, "the hook's instance has ended")
}
