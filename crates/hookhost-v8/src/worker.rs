//! The thread of one instance: one isolate after the other, and the calls that they answer.

use std::collections::HashMap;
use std::future::poll_fn;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use hookhost_contract::{Failure, FailureCause, Invocation};
use tokio::sync::watch;

use crate::backoff::Backoff;
use crate::call::{CallDeadline, PendingCall};
use crate::engine::{EngineParts, HookSpec, after};
use crate::inbox::{Command, Inbox, Message};
use crate::instance::InstanceState;
use crate::isolate::{Isolate, Progress};
use crate::lost::{self, Loss};
use crate::modules::loaded::Loaded;
use crate::status::Status;
use crate::tier_in_use::TierInUse;
use crate::turn::{Down, Kill, Seat, Turn, TurnDeadline, Turns};
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
        let deadline = CallDeadline::new(call.clone(), self.turns.clone(), self.wake.clone(), Kill::Time);
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
    /// Kept for as long as an isolate of this hook may be there.
    pub(crate) _tier: Arc<TierInUse>,
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
    /// The hook is to blame.
    is_fault: bool,
}

/// A call that the thread has taken.
struct InFlight {
    call: Arc<PendingCall>,
    _registration: Registration,
}

/// The calls that the thread has taken, by their names. Never locked while JavaScript runs: the thread may not come back.
#[derive(Clone, Default)]
struct Flights(Arc<Mutex<HashMap<u32, InFlight>>>);

impl Flights {
    fn lock(&self) -> MutexGuard<'_, HashMap<u32, InFlight>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes all calls out.
    fn take(&self) -> impl Iterator<Item = Arc<PendingCall>> {
        std::mem::take(&mut *self.lock()).into_values().map(|flight| flight.call)
    }
}

/// The call whose turn it is. It is one of the [`Flights`] already.
struct Next {
    call: Arc<PendingCall>,
    invocation: Invocation,
}

impl Worker {
    /// Starts the thread.
    pub(crate) fn spawn(self) -> io::Result<()> {
        let slot = self.thread.clone();
        let thread = v8_thread::spawn(thread_name(&self.spec.name), move || self.run())?;
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
        let (heir, taken) = (self.clone(), flights.clone());
        let seat = self.watch.turns.take_seat(move |turn, number| heir.leave_behind(turn, number, &taken));
        seat.set_rescue(self.watch.engine.realm.rescue());
        let (heir, taken, lost, wake) = (self.clone(), flights.clone(), seat.clone(), self.watch.wake.clone());
        lost::on_loss(move |loss| {
            // A thread that was left behind has an heir already.
            if let Some(turn) = lost.give_up() {
                heir.take_over_lost(turn, loss, &taken);
            }
            // If this thread goes on, it has to see that it has lost the hook.
            wake.send_replace(());
        });
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
        let is_lost = seat.is_lost();
        seat.leave();
        // Dropped calls have failed.
        drop(flights.take().collect::<Vec<_>>());
        if !is_lost {
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
    /// comes back, it ends. Called on the watchdog's thread.
    fn leave_behind(self, turn: Turn, number: u64, flights: &Flights) {
        let deadline = TurnDeadline { turns: self.watch.turns.clone(), number };
        self.watch.turns.kill_on(number, self.watch.engine.watchdog.register(Instant::now(), Arc::new(deadline)));
        let what = "the hook ran on past its time limit, inside a built-in that cannot be ended";
        let failure = match turn {
            Turn::Load => Failure::new(FailureCause::LoadFailed, format!("{what}, while it was loaded")),
            _ => Failure::new(FailureCause::TimedOut, what),
        };
        self.take_over(failure, flights);
    }

    /// The hook's thread is lost, and this is its last act: another one takes over.
    fn take_over_lost(self, turn: Turn, loss: Loss, flights: &Flights) {
        let (cause, what, reason) = match loss {
            Loss::Memory(reason) => (FailureCause::OutOfMemory, "the hook ran out of memory", reason.to_owned()),
            Loss::Panic(reason) => (FailureCause::Exited, "the hook met a fault of the engine", reason),
        };
        let failure = match turn {
            Turn::Load => Failure::new(FailureCause::LoadFailed, format!("{what} while it was loaded: {reason}")),
            _ => Failure::new(cause, format!("{what}: {reason}")),
        };
        self.take_over(failure, flights);
    }

    /// The calls that the thread had taken have failed. Another one starts the hook again, unless that has cost too many
    /// threads.
    fn take_over(mut self, failure: Failure, flights: &Flights) {
        // A thread that does not come back is let go.
        self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.losses = Losses { count: self.losses.count + 1, last: Some(failure.clone()) };
        if self.watch.turns.is_closed() {
            self.end(InstanceState::Ended);
        } else if self.losses.count >= MOST_LOSSES {
            self.give_up(&failure, "it is not started again, since each time costs the host a thread and its memory");
        } else {
            self.status.set(InstanceState::Restarting(failure.clone()));
            let (name, slot, orphan) = (thread_name(&self.spec.name), self.thread.clone(), self.clone());
            let failure = failure.clone();
            v8_thread::spawn_then(
                name,
                move || self.run(),
                move |thread| match thread {
                    Ok(thread) => *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread),
                    Err(error) => orphan.give_up(&failure, &format!("it cannot be started again: {error}")),
                },
            );
        }
        for call in flights.take() {
            call.answer(Err(failure.clone()));
        }
    }

    /// Nobody starts the hook again.
    fn give_up(&self, failure: &Failure, why: &str) {
        self.status.given_up(&Failure::new(failure.cause, format!("{}; {why}", failure.message)));
        self.inbox.close();
    }

    /// One isolate after the other, for as long as somebody may call.
    async fn live(&mut self, seat: &Seat, flights: &Flights) {
        let mut backoff = Backoff::default();
        // The call whose turn it is.
        let mut next = None;
        for _ in 1..self.losses.count {
            backoff.broke();
        }
        let mut broken = self.losses.last.take().map(|failure| {
            let rest = match failure.cause {
                FailureCause::LoadFailed => backoff.could_not_load(),
                _ => backoff.broke(),
            };
            (failure, rest)
        });
        loop {
            if let Some((failure, rest)) = broken.take() {
                self.status.broke(&failure, rest);
                if rest.is_zero() {
                    self.status.set(InstanceState::Restarting(failure));
                } else {
                    for call in flights.take() {
                        call.answer(Err(not_called(&failure)));
                    }
                    let Some(command) = self.rest(&failure, rest).await else { return };
                    next = Some(take(command, flights));
                    self.status.set(InstanceState::Retrying(failure));
                }
            }
            let engine = self.watch.engine.clone();
            let loaded = Arc::new(Loaded::new(self.spec.coverage.is_some()));
            self.status.loads(loaded.clone());
            let started =
                Isolate::start(&*engine.realm, &self.spec, &engine.limits, seat, &engine.watchdog, loaded).await;
            if seat.is_lost() {
                return;
            }
            let (failure, rest) = match started {
                Ok(isolate) => {
                    let Some(down) = seat.up() else { return };
                    self.status.set(InstanceState::Ready);
                    let Err(broken) = self.serve(isolate, seat, down, &mut next, flights).await else { return };
                    if broken.worked {
                        backoff.recovered();
                    }
                    // That somebody gave up is no fault of the hook's, and must not make it rest, so that it fails others. It
                    // is started again once for each call that was begun and given up, and not more often.
                    let rest = if broken.is_fault { backoff.broke() } else { Duration::ZERO };
                    (broken.failure, rest)
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
        while let Some(message) = self.inbox.next().await {
            // There is no isolate that could be asked for its memory.
            let Message::Call(command) = message else { continue };
            if Instant::now() >= over {
                return Some(command);
            }
            command.call.answer(Err(not_called(failure)));
        }
        None
    }

    /// Answers calls with one isolate, which has been loaded during `down`. Returns when nobody can call any more, when the
    /// isolate is broken, or when this thread has lost the hook.
    async fn serve(
        &mut self,
        mut isolate: Isolate,
        seat: &Seat,
        down: Down,
        next: &mut Option<Next>,
        flights: &Flights,
    ) -> Result<(), Broken> {
        let mut woken = self.watch.wake.subscribe();
        let mut idle = true;
        while !seat.is_lost() {
            let outcome = match next.take() {
                Some(next) => {
                    idle = false;
                    self.begin(&mut isolate, &down, flights, next)
                }
                None => {
                    tokio::select! {
                        // A thread that has lost its hook takes no more calls.
                        biased;
                        // The sender is ours.
                        _ = woken.changed() => Ok(()),
                        received = self.inbox.next() => match received {
                            // First those whose time is up are told.
                            Some(Message::Call(command)) => { *next = Some(take(command, flights)); Ok(()) }
                            Some(Message::Memory(reply)) => {
                                // Whoever asked may have gone.
                                let _ = reply.send(isolate.memory());
                                Ok(())
                            }
                            None => return Ok(()),
                        },
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
        Ok(())
    }

    fn begin(&self, isolate: &mut Isolate, down: &Down, flights: &Flights, next: Next) -> Result<(), Kill> {
        let Next { call, invocation } = next;
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
            let registration = self.watch.over(&call);
            flights.lock().insert(call.id, InFlight { call: call.clone(), _registration: registration });
        }
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
            Kill::Exit(exit) => (FailureCause::Exited, format!("{}, which ends the hook, not the host", exit.deed())),
            Kill::GivenUp => (FailureCause::Exited, "the hook ran on for a call that had been given up".to_owned()),
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
        for call in flights.take() {
            let own = if kill == Kill::Time && call.deadline() <= now { call.timed_out() } else { others.clone() };
            call.answer(Err(own));
        }
        Broken { failure, worked: isolate.host.replied.get() > 0, is_fault: kill != Kill::GivenUp }
    }
}

/// Takes a call out of the inbox: from now on this thread answers for it.
fn take(command: Command, flights: &Flights) -> Next {
    let Command { call, invocation, registration } = command;
    flights.lock().insert(call.id, InFlight { call: call.clone(), _registration: registration });
    Next { call, invocation }
}

/// Forgets the calls that have their answer. Those that the hook has not settled have run out of time: it is told. True
/// if there were any such.
fn tidy(isolate: &mut Isolate, flights: &Flights) -> Result<bool, Kill> {
    let answered: Vec<_> = flights.lock().extract_if(|_, flight| flight.call.is_answered()).collect();
    let mut told = false;
    for (id, flight) in answered {
        told |= isolate.expire(id, flight.call.is_given_up())?;
        flight.call.told();
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
