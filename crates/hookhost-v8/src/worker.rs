//! The thread of one instance: one isolate after the other, and the calls that they answer.

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::poll_fn;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use hookhost_contract::{Failure, FailureCause};
use tokio::sync::watch;

use crate::backoff::Backoff;
use crate::call::{CallDeadline, PendingCall};
use crate::engine::{EngineParts, HookSpec, after};
use crate::inbox::{Command, Inbox};
use crate::instance::InstanceState;
use crate::isolate::{Isolate, Progress};
use crate::lost;
use crate::status::Status;
use crate::turn::{Down, Kill, Seat, Turn, Turns};
use crate::v8_thread;
use crate::watchdog::Registration;

/// What it takes to watch over a call's deadline.
#[derive(Clone)]
pub(crate) struct Watch {
    pub(crate) engine: Arc<EngineParts>,
    pub(crate) turns: Arc<Turns>,
    /// Wakes the thread when a deadline has passed.
    pub(crate) wake: watch::Sender<()>,
}

impl Watch {
    /// Registers the call's deadline.
    pub(crate) fn over(&self, call: &Arc<PendingCall>) -> Registration {
        let deadline = CallDeadline::new(call.clone(), self.turns.clone(), self.wake.clone());
        self.engine.watchdog.register(call.deadline(), Arc::new(deadline))
    }
}

/// The thread of one instance, or the one that takes over when that is lost.
#[derive(Clone)]
pub(crate) struct Worker {
    pub(crate) watch: Watch,
    pub(crate) spec: HookSpec,
    pub(crate) inbox: Arc<Inbox>,
    pub(crate) status: Arc<Status>,
    pub(crate) thread: Arc<Mutex<Option<JoinHandle<()>>>>,
    pub(crate) losses: Losses,
}

/// The threads that did not come back from V8: see `lost.rs` and [`Seat`].
#[derive(Clone, Default)]
pub(crate) struct Losses {
    count: u32,
    last: Option<Failure>,
}

/// Each lost thread keeps the memory of its isolate, for good or for long. After so many, a hook is not started again.
const MOST_LOSSES: u32 = 3;

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

/// The calls that the hook has begun, by their names.
type Flights = Rc<RefCell<HashMap<u32, InFlight>>>;

impl Worker {
    /// Starts the thread.
    pub(crate) fn spawn(self) -> io::Result<()> {
        let slot = self.thread.clone();
        let thread = v8_thread::spawn(thread_name(&self.spec.name), move || self.run())?;
        // A thread that was lost is let go by that.
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
        Ok(())
    }

    /// Runs until the instance is closed, whatever happens in between.
    fn run(mut self) {
        let runtime = match v8_thread::runtime() {
            Ok(runtime) => runtime,
            Err(error) => {
                tracing::error!(target: "hookhost::engine", hook = self.spec.name, %error, "no runtime for the hook");
                return self.end(InstanceState::Ended);
            }
        };
        let flights = Flights::default();
        let heir = self.clone();
        let seat = self.watch.turns.take_seat(move || heir.leave_behind());
        let (heir, lost_calls) = (self.clone(), flights.clone());
        lost::on_loss(move |reason| heir.take_over_lost(reason, &lost_calls));
        // A panic below is a fault of the engine. It must not leave the hook's calls without an answer.
        let ended = catch_unwind(AssertUnwindSafe(|| {
            runtime.block_on(async {
                let turns = self.watch.turns.clone();
                tokio::select! {
                    () = turns.closed() => {}
                    () = self.live(&seat, &flights) => {}
                }
            });
        }));
        if ended.is_err() {
            tracing::error!(target: "hookhost::engine", hook = self.spec.name, "the hook's thread panicked");
        }
        lost::safe();
        seat.leave();
        flights.take();
        if !seat.is_lost() {
            self.end(InstanceState::Ended);
        }
        // Nobody waits for a look-up of a host name that still runs on a thread of the runtime.
        runtime.shutdown_background();
    }

    /// Nobody answers the instance's calls any more.
    fn end(&self, state: InstanceState) {
        self.status.set(state);
        self.inbox.close();
    }

    /// The hook's thread has not come back from one of V8's built-ins for too long: another one takes over. If the thread
    /// comes back, it ends. Called on another thread.
    fn leave_behind(self) {
        let what = "the hook ran on past its time limit, inside a built-in that cannot be ended";
        let failure = match self.watch.turns.abandon() {
            Turn::Load => Failure::new(FailureCause::LoadFailed, format!("{what}, while it was loaded")),
            _ => Failure::new(FailureCause::TimedOut, what),
        };
        self.take_over(&failure);
    }

    /// The hook's thread is lost, and this is its last act: another one takes over, and the calls that the hook had begun
    /// have failed.
    fn take_over_lost(self, reason: &str, flights: &Flights) {
        let what = "the hook ran out of memory";
        let failure = match self.watch.turns.abandon() {
            Turn::Load => Failure::new(FailureCause::LoadFailed, format!("{what} while it was loaded: {reason}")),
            _ => Failure::new(FailureCause::OutOfMemory, format!("{what}: {reason}")),
        };
        self.take_over(&failure);
        // A flight is never looked at while JavaScript runs.
        let lost = flights.try_borrow_mut().map(|mut flights| std::mem::take(&mut *flights)).unwrap_or_default();
        for InFlight { call, .. } in lost.into_values() {
            call.answer(Err(failure.clone()));
        }
    }

    /// Starts the hook again, on another thread, unless it has cost too many threads.
    fn take_over(mut self, failure: &Failure) {
        self.losses = Losses { count: self.losses.count + 1, last: Some(failure.clone()) };
        tracing::error!(target: "hookhost::engine", hook = self.spec.name, cause = failure.cause.as_str(),
            failure = failure.message, losses = self.losses.count, "a hook's thread is lost");
        let (status, inbox) = (self.status.clone(), self.inbox.clone());
        let given_up = |why: &str| {
            status.set(InstanceState::GivenUp(Failure::new(failure.cause, format!("{}; {why}", failure.message))));
            inbox.close();
        };
        if self.losses.count >= MOST_LOSSES {
            given_up("it is not started again, since each time costs the host a thread and its memory");
        } else if !self.watch.turns.is_closed() {
            status.set(InstanceState::Restarting(failure.clone()));
            if let Err(error) = self.spawn() {
                given_up(&format!("it cannot be started again: {error}"));
            }
        }
    }

    /// One isolate after the other, for as long as somebody may call.
    async fn live(&mut self, seat: &Seat, flights: &Flights) {
        let mut backoff = Backoff::default();
        // The call whose turn it is.
        let mut next = None;
        for _ in 1..self.losses.count {
            backoff.broke();
        }
        let mut broken = self.losses.last.take().map(|failure| (failure, backoff.broke()));
        loop {
            if let Some((failure, rest)) = broken.take() {
                self.status.broke(&failure, rest);
                if rest.is_zero() {
                    self.status.set(InstanceState::Restarting(failure));
                } else {
                    if let Some(Command { call, .. }) = next.take() {
                        call.answer(Err(not_called(&failure)));
                    }
                    let Some(command) = self.rest(&failure, rest).await else { return };
                    next = Some(command);
                    self.status.set(InstanceState::Retrying(failure));
                }
            }
            let engine = self.watch.engine.clone();
            let started = Isolate::start(&*engine.realm, &self.spec, &engine.limits, seat, &engine.watchdog).await;
            if seat.is_lost() {
                return;
            }
            let (failure, rest) = match started {
                Ok(isolate) => {
                    let down = seat.up();
                    self.status.set(InstanceState::Ready);
                    let Err(broken) = self.serve(isolate, down, &mut next, flights).await else { return };
                    if broken.worked {
                        backoff.recovered();
                    }
                    (broken.failure, backoff.broke())
                }
                Err(failure) => (failure, backoff.could_not_load()),
            };
            if seat.is_lost() || self.watch.turns.is_closed() {
                return;
            }
            broken = Some((failure, rest));
        }
    }

    /// Answers calls at once with `failure`, until the rest is over. Returns the first call after it.
    async fn rest(&mut self, failure: &Failure, rest: Duration) -> Option<Command> {
        let over = after(Instant::now(), rest);
        self.status.set(InstanceState::Resting(failure.clone()));
        while let Some(command) = self.inbox.next().await {
            if Instant::now() >= over {
                return Some(command);
            }
            command.call.answer(Err(not_called(failure)));
        }
        None
    }

    /// Answers calls with one isolate, which has been loaded during `down`. Returns when nobody can call any more, or
    /// when the isolate is broken.
    async fn serve(
        &mut self,
        mut isolate: Isolate,
        down: Down,
        next: &mut Option<Command>,
        flights: &Flights,
    ) -> Result<(), Broken> {
        let mut woken = self.watch.wake.subscribe();
        let mut idle = true;
        loop {
            let outcome = match next.take() {
                Some(command) => {
                    idle = false;
                    self.begin(&mut isolate, &down, flights, command)
                }
                None => {
                    tokio::select! {
                        received = self.inbox.next() => match received {
                            // First those whose time is up are told.
                            Some(received) => { *next = Some(received); Ok(()) }
                            None => return Ok(()),
                        },
                        // The sender is ours.
                        _ = woken.changed() => Ok(()),
                        progress = poll_fn(|cx| isolate.poll(cx)), if !idle => {
                            idle = matches!(progress, Ok(Progress::Idle));
                            progress.map(drop)
                        }
                    }
                }
            };
            match outcome.and_then(|()| tidy(&mut isolate, flights)) {
                // What the hook does about it, it does in the event loop.
                Ok(told) => idle &= !told,
                Err(kill) => return Err(self.broken(&isolate, flights, kill)),
            }
        }
    }

    fn begin(&self, isolate: &mut Isolate, down: &Down, flights: &Flights, command: Command) -> Result<(), Kill> {
        let Command { call, invocation, mut registration } = command;
        // Without its ctx a hook could take the call for another: that is a failure, however unlikely.
        let context = match self.spec.permissions.context_text(&invocation.context) {
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
        flights.borrow_mut().insert(call.id, InFlight { call: call.clone(), _registration: registration });
        isolate.call(&call, &invocation, &context)
    }

    /// Gives every call that is under way its own failure.
    fn broken(&self, isolate: &Isolate, flights: &Flights, kill: Kill) -> Broken {
        let (cause, what) = match kill {
            Kill::Memory => {
                let heap = self.watch.engine.limits.heap_bytes >> 20;
                (FailureCause::OutOfMemory, format!("the hook used up its {heap} MiB of memory"))
            }
            Kill::Time => (FailureCause::TimedOut, "the hook ran past its time limit".to_owned()),
            Kill::EventLoop => (FailureCause::Exited, "the hook's event loop failed again and again".to_owned()),
            Kill::Closed => (FailureCause::Exited, "the host ended the hook".to_owned()),
            Kill::Replaced => (FailureCause::Exited, "the hook was started again meanwhile".to_owned()),
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
        for InFlight { call, .. } in flights.take().into_values() {
            let own = if kill == Kill::Time && call.deadline() <= now { call.timed_out() } else { others.clone() };
            call.answer(Err(own));
        }
        Broken { failure, worked: isolate.host.replied.get() > 0 }
    }
}

/// Forgets the calls that have their answer. Those that the hook has not settled have run out of time: it is told. True
/// if there were any such.
fn tidy(isolate: &mut Isolate, flights: &Flights) -> Result<bool, Kill> {
    let answered = flights.borrow_mut().extract_if(|_, flight| flight.call.is_answered()).map(|(id, _)| id).collect();
    let answered: Vec<u32> = answered;
    let mut told = false;
    for id in answered {
        told |= isolate.expire(id)?;
    }
    Ok(told)
}

/// The failure of a call that comes while the hook rests after `failure`, or is started again after that.
pub(crate) fn not_called(failure: &Failure) -> Failure {
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

/// A thread's name must not contain NUL; a hook's name comes from a file.
fn thread_name(hook: &str) -> String {
    format!("hook:{hook}").replace('\0', "")
}
