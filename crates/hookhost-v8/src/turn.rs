//! Whose code an isolate is running right now, and the lock under which it may be killed.
//!
//! A kill is aimed at one turn: the watchdog holds the lock while it looks whose turn it is and terminates, and the
//! isolate's thread holds it to end a turn. So a kill can never reach the turn after the one it was meant for. The
//! reason is written down before the kill; it alone says why a turn ended, never V8's flags or a message.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use deno_core::v8::IsolateHandle;
use tokio::sync::watch;

use crate::ops::Exit;
use crate::watchdog::{Deadline, Registration};

/// A terminated isolate can come back to life: turning an exception into an error cancels the termination. So a kill is
/// repeated until the turn has ended.
const KILL_AGAIN: Duration = Duration::from_millis(5);

/// How often a thread is still killed that has been left behind: it may not come back for months.
const KILL_LEFT_BEHIND_AGAIN: Duration = Duration::from_millis(100);

/// How often a thread is rescued that does not heed.
const RESCUE_AGAIN: Duration = Duration::from_millis(250);

/// How long a kill may go unheeded.
#[derive(Clone, Copy)]
struct Patience {
    /// After so long, what the thread may be waiting for is ended.
    rescue: Duration,
    /// A kill that has had no effect for so long will have none soon: the hook counts as stuck.
    stuck: Duration,
    /// After so long, the thread is left behind: some of V8's built-ins do not come back for months.
    left_behind: Duration,
}

const PATIENCE: Patience =
    Patience { rescue: Duration::from_millis(50), stuck: Duration::from_secs(1), left_behind: Duration::from_secs(10) };

/// What an isolate's thread does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Waits: no JavaScript runs.
    Idle,
    /// Loads the hook.
    Load,
    /// Runs the synchronous part of one call.
    Call(u32),
    /// Runs what has become ready: timers, settled promises, of any call or of none.
    EventLoop,
}

/// Why an isolate was killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kill {
    /// It ran past a limit of time.
    Time,
    /// It used up its heap.
    Memory,
    /// Its event loop failed again and again.
    EventLoop,
    /// It tried to end its process.
    Exit(Exit),
    /// It ran on for a call that nobody waits for any more.
    GivenUp,
    /// Its instance is being closed.
    Closed,
    /// Another thread has taken its hook over: see [`Seat`].
    Replaced,
}

impl Exit {
    /// What the hook did, in words.
    pub(crate) fn deed(self) -> String {
        match self {
            Self::Code(code) => format!("the hook called process.exit({code})"),
            Self::Abort => "the hook called process.abort()".to_owned(),
            Self::Signal(signal) => format!("the hook sent signal {signal} to its own process"),
        }
    }
}

/// Ends what a thread may be waiting for outside of V8.
pub(crate) type Rescue = Arc<dyn Fn() + Send + Sync>;

/// What is done when a thread is left behind, with the turn that it is in and its number.
type OnLeftBehind = Box<dyn FnOnce(Turn, u64) + Send>;

/// An isolate whose thread was left behind.
struct LeftBehind {
    seat: u64,
    number: u64,
    isolate: Option<IsolateHandle>,
    /// What has it killed on.
    _deadline: Option<Registration>,
}

struct State {
    /// Which thread's turns these are.
    seat: u64,
    rescue: Option<Rescue>,
    on_left_behind: Option<OnLeftBehind>,
    left_behind: Vec<LeftBehind>,
    isolate: Option<IsolateHandle>,
    turn: Turn,
    /// Counts turns, so that one can be told from the next of its kind.
    number: u64,
    killed: Option<Kill>,
    /// When the turn that runs was first killed.
    killed_at: Option<Instant>,
    /// When the thread was last rescued from what it may wait for.
    rescued_at: Option<Instant>,
    down: Down,
}

/// The last time that no isolate could be called: from a kill, or the start, until the next one has loaded its hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Down {
    pub(crate) since: Instant,
    /// `None` while it lasts.
    pub(crate) until: Option<Instant>,
}

impl Down {
    pub(crate) fn contains(&self, at: Instant) -> bool {
        self.since <= at && self.until.is_none_or(|until| at < until)
    }
}

/// The turns of one instance's isolates.
pub(crate) struct Turns {
    state: Mutex<State>,
    patience: Patience,
    stuck: watch::Sender<bool>,
    closed: watch::Sender<bool>,
}

impl Turns {
    pub(crate) fn new() -> Self {
        let state = State {
            seat: 0,
            rescue: None,
            on_left_behind: None,
            left_behind: Vec::new(),
            isolate: None,
            turn: Turn::Idle,
            number: 0,
            killed: None,
            killed_at: None,
            rescued_at: None,
            down: Down { since: Instant::now(), until: None },
        };
        Self {
            state: Mutex::new(state),
            patience: PATIENCE,
            stuck: watch::Sender::new(false),
            closed: watch::Sender::new(false),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread takes over: what an earlier one does from now on reaches nobody. `on_left_behind` is called, on another
    /// thread, when this one has not come back for long enough.
    pub(crate) fn take_seat(self: &Arc<Self>, on_left_behind: impl FnOnce(Turn, u64) + Send + 'static) -> Seat {
        let mut state = self.state();
        state.seat += 1;
        state.on_left_behind = Some(Box::new(on_left_behind));
        Seat { turns: self.clone(), number: state.seat }
    }

    /// True while a turn runs on although it has been killed: it is inside one of V8's built-ins that do not look up.
    pub(crate) fn is_stuck(&self) -> bool {
        *self.stuck.borrow()
    }

    /// Waits until [`Turns::is_stuck`].
    pub(crate) async fn stuck(&self) {
        // The sender is `self`: it is not gone while we wait.
        let _ = self.stuck.subscribe().wait_for(|stuck| *stuck).await;
    }

    /// The time without an isolate that could be called.
    pub(crate) fn down(&self) -> Down {
        self.state().down
    }

    /// True once [`Turns::close`] has been called.
    pub(crate) fn is_closed(&self) -> bool {
        *self.closed.borrow()
    }

    /// Waits until [`Turns::is_closed`].
    pub(crate) async fn closed(&self) {
        // The sender is `self`: it is not gone while we wait.
        let _ = self.closed.subscribe().wait_for(|closed| *closed).await;
    }

    /// What runs now, with its number.
    pub(crate) fn now(&self) -> (Turn, u64) {
        let state = self.state();
        (state.turn, state.number)
    }

    /// Kills turn `number`, if it still runs. Returns after what time to do so again.
    pub(crate) fn kill(&self, number: u64, why: Kill) -> Option<Duration> {
        let mut state = self.state();
        if let Some(left_behind) = state.left_behind.iter().find(|left_behind| left_behind.number == number) {
            left_behind.isolate.as_ref().map(IsolateHandle::terminate_execution);
            return Some(KILL_LEFT_BEHIND_AGAIN);
        }
        if state.turn == Turn::Idle || state.number != number {
            return None;
        }
        state.kill(why);
        let unheeded = state.killed_at.map_or(Duration::ZERO, |at| at.elapsed());
        if unheeded >= self.patience.left_behind
            && let Some(on_left_behind) = state.on_left_behind.take()
        {
            let (seat, isolate) = (state.seat, state.isolate.take());
            let turn = self.vacate(&mut state);
            state.left_behind.push(LeftBehind { seat, number, isolate, _deadline: None });
            drop(state);
            on_left_behind(turn, number);
            return Some(KILL_LEFT_BEHIND_AGAIN);
        }
        if unheeded >= self.patience.stuck {
            self.stuck.send_if_modified(|stuck| !std::mem::replace(stuck, true));
        }
        if unheeded >= self.patience.rescue {
            rescue(state);
        }
        Some(KILL_AGAIN)
    }

    /// Turn `number`, whose thread was left behind, is killed on for as long as `deadline` is kept: until it comes back.
    pub(crate) fn kill_on(&self, number: u64, deadline: Registration) {
        if let Some(left_behind) = self.state().left_behind.iter_mut().find(|left_behind| left_behind.number == number)
        {
            left_behind._deadline = Some(deadline);
        }
    }

    /// Whoever has the seat loses it. Returns the turn that was under way.
    fn vacate(&self, state: &mut State) -> Turn {
        state.seat += 1;
        state.rescue = None;
        state.on_left_behind = None;
        state.isolate = None;
        state.go_down();
        self.stuck.send_if_modified(std::mem::take);
        std::mem::replace(&mut state.turn, Turn::Idle)
    }

    /// Kills whatever runs now and all that would run after it.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        self.closed.send_replace(true);
        if state.turn != Turn::Idle {
            state.kill(Kill::Closed);
            rescue(state);
        }
    }
}

/// Now, and again after a while: what the thread waits for may only be about to begin.
fn rescue(mut state: MutexGuard<'_, State>) {
    if state.rescued_at.is_some_and(|at| at.elapsed() < RESCUE_AGAIN) {
        return;
    }
    state.rescued_at = Some(Instant::now());
    let rescue = state.rescue.clone();
    // It takes a while.
    drop(state);
    if let Some(rescue) = rescue {
        rescue();
    }
}

/// The place of the thread that serves an instance. There is one at a time: a thread that is stuck inside one of V8's
/// built-ins loses its seat to another, and when it comes back, what it does has no effect.
#[derive(Clone)]
pub(crate) struct Seat {
    turns: Arc<Turns>,
    number: u64,
}

impl Seat {
    /// The state, if the seat is still ours.
    fn state(&self) -> Option<MutexGuard<'_, State>> {
        Some(self.turns.state()).filter(|state| state.seat == self.number)
    }

    /// The turns of the instance.
    pub(crate) fn turns(&self) -> &Arc<Turns> {
        &self.turns
    }

    /// The thread does not come back to us. Returns the turn that it is in, unless it has lost its seat already.
    pub(crate) fn give_up(&self) -> Option<Turn> {
        let mut state = self.state()?;
        Some(self.turns.vacate(&mut state))
    }

    /// The thread ends. Nobody has to take over from it, and nobody kills it any more.
    pub(crate) fn leave(&self) {
        let mut state = self.turns.state();
        state.left_behind.retain(|left_behind| left_behind.seat != self.number);
        if state.seat == self.number {
            // It holds what holds these turns.
            state.on_left_behind = None;
            state.rescue = None;
        }
    }

    /// Called on another thread when this one does not heed a kill.
    pub(crate) fn set_rescue(&self, rescue: Option<Rescue>) {
        if let Some(mut state) = self.state() {
            state.rescue = rescue;
        }
    }

    /// True once another thread has taken over.
    pub(crate) fn is_lost(&self) -> bool {
        self.state().is_none()
    }

    /// Names the isolate whose turn it is. If that turn was killed before there was an isolate, it is now.
    pub(crate) fn attach(&self, isolate: IsolateHandle) {
        let Some(mut state) = self.state() else { return };
        if state.killed.is_some() {
            isolate.terminate_execution();
        }
        state.isolate = Some(isolate);
    }

    /// The number of the turn that begins next.
    pub(crate) fn next_number(&self) -> u64 {
        self.state().map_or(0, |state| state.number + 1)
    }

    /// True if the isolate can still be asked what it did: it is ours, and has not used up its memory.
    pub(crate) fn may_look_back(&self) -> bool {
        self.state().is_some_and(|state| state.killed != Some(Kill::Memory))
    }

    /// True once the turn that runs has been killed.
    pub(crate) fn is_killed(&self) -> bool {
        self.state().is_none_or(|state| state.killed.is_some())
    }

    /// Begins a turn and returns its number. [`Turn::Load`] begins the life of a new isolate.
    ///
    /// # Errors
    /// The seat is lost: nothing may run here any more.
    pub(crate) fn begin(&self, turn: Turn) -> Result<u64, Kill> {
        let mut state = self.state().ok_or(Kill::Replaced)?;
        state.turn = turn;
        state.number += 1;
        state.killed_at = None;
        state.rescued_at = None;
        if turn == Turn::Load {
            state.isolate = None;
            state.killed = None;
        }
        // An instance that is being closed runs nothing more.
        if self.turns.is_closed() {
            state.kill(Kill::Closed);
        }
        Ok(state.number)
    }

    /// Ends the turn. `Some` if it was killed: the isolate is then not used again.
    pub(crate) fn end(&self) -> Option<Kill> {
        let Some(mut state) = self.state() else { return Some(Kill::Replaced) };
        state.turn = Turn::Idle;
        self.turns.stuck.send_if_modified(std::mem::take);
        state.killed
    }

    /// An isolate has loaded the hook. Returns the time that is over; `None` if the seat is lost.
    pub(crate) fn up(&self) -> Option<Down> {
        let mut state = self.state()?;
        state.down.until.get_or_insert_with(Instant::now);
        Some(state.down)
    }

    /// Kills the turn that runs now, from its own thread.
    pub(crate) fn kill_current(&self, why: Kill) {
        if let Some(mut state) = self.state() {
            state.kill(why);
        }
    }
}

impl State {
    /// The first reason stays.
    fn kill(&mut self, why: Kill) {
        self.killed.get_or_insert(why);
        self.killed_at.get_or_insert_with(Instant::now);
        self.go_down();
        if let Some(isolate) = &self.isolate {
            isolate.terminate_execution();
        }
    }

    fn go_down(&mut self) {
        if self.down.until.is_some() {
            self.down = Down { since: Instant::now(), until: None };
        }
    }
}

/// The deadline of one turn.
pub(crate) struct TurnDeadline {
    pub(crate) turns: Arc<Turns>,
    pub(crate) number: u64,
}

impl Deadline for TurnDeadline {
    fn passed(&self) -> Option<Instant> {
        self.turns.kill(self.number, Kill::Time).map(|again| Instant::now() + again)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seated() -> (Arc<Turns>, Seat) {
        let turns = Arc::new(Turns::new());
        let seat = turns.take_seat(|_, _| {});
        (turns, seat)
    }

    #[test]
    fn a_kill_reaches_only_the_turn_it_was_meant_for() {
        let (turns, seat) = seated();
        let first = seat.begin(Turn::Call(1)).unwrap();
        assert_eq!(seat.end(), None);
        assert_eq!(turns.kill(first, Kill::Time), None, "it has ended");
        let second = seat.begin(Turn::Call(2)).unwrap();
        assert_eq!(turns.kill(first, Kill::Time), None, "another one runs");
        assert_eq!(turns.kill(second, Kill::Time), Some(KILL_AGAIN));
        assert_eq!(seat.end(), Some(Kill::Time));
    }

    #[test]
    fn it_is_down_from_a_kill_until_the_next_isolate_is_up() {
        let (turns, seat) = seated();
        assert_eq!(turns.down().until, None, "nothing is loaded yet");
        assert!(seat.up().unwrap().until.is_some());
        let number = seat.begin(Turn::Call(1)).unwrap();
        turns.kill(number, Kill::Time);
        let down = turns.down();
        assert_eq!(down.until, None);
        turns.kill(number, Kill::Time);
        assert_eq!(turns.down(), down, "it was down already");
        seat.end();
        assert_eq!(seat.up().unwrap().since, down.since);
    }

    #[test]
    fn the_first_reason_stays() {
        let (turns, seat) = seated();
        let number = seat.begin(Turn::EventLoop).unwrap();
        turns.kill(number, Kill::Memory);
        turns.kill(number, Kill::Time);
        assert_eq!(seat.end(), Some(Kill::Memory));
    }

    #[test]
    fn a_thread_that_is_lost_has_no_say() {
        let (turns, lost) = seated();
        let number = lost.begin(Turn::Call(1)).unwrap();
        assert_eq!(lost.give_up(), Some(Turn::Call(1)));
        assert_eq!(turns.kill(number, Kill::Time), None, "nobody would heed it");
        assert_eq!(turns.down().until, None);
        let seat = turns.take_seat(|_, _| {});
        seat.up().unwrap();
        let number = seat.begin(Turn::Call(2)).unwrap();
        assert_eq!((lost.end(), lost.is_lost(), lost.is_killed()), (Some(Kill::Replaced), true, true));
        assert_eq!((lost.give_up(), lost.up()), (None, None));
        assert_eq!(lost.begin(Turn::EventLoop), Err(Kill::Replaced));
        lost.kill_current(Kill::Memory);
        lost.leave();
        assert_eq!(turns.now(), (Turn::Call(2), number));
        assert_eq!(seat.end(), None);
    }

    #[test]
    fn a_turn_that_heeds_no_kill_is_left_behind_and_killed_on() {
        let patience = Patience { rescue: Duration::ZERO, stuck: Duration::ZERO, left_behind: Duration::ZERO };
        let turns = Arc::new(Turns { patience, ..Turns::new() });
        let (told, left_behind) = std::sync::mpsc::channel();
        let seat = turns.take_seat(move |turn, number| told.send((turn, number)).unwrap());
        let number = seat.begin(Turn::EventLoop).unwrap();
        assert_eq!(turns.kill(number, Kill::Time), Some(KILL_LEFT_BEHIND_AGAIN));
        assert_eq!(left_behind.try_recv(), Ok((Turn::EventLoop, number)));
        assert!(seat.is_lost() && !turns.is_stuck());
        let heir = turns.take_seat(|_, _| {});
        let next = heir.begin(Turn::Load).unwrap();
        assert_eq!(turns.kill(number, Kill::Time), Some(KILL_LEFT_BEHIND_AGAIN), "until it comes back");
        assert_eq!(seat.end(), Some(Kill::Replaced));
        seat.leave();
        assert_eq!(turns.kill(number, Kill::Time), None);
        assert_eq!((turns.now(), heir.end()), ((Turn::Load, next), None));
    }

    #[test]
    fn a_thread_that_does_not_heed_is_rescued_once() {
        let patience = Patience { rescue: Duration::ZERO, ..PATIENCE };
        let turns = Arc::new(Turns { patience, ..Turns::new() });
        let seat = turns.take_seat(|_, _| {});
        let rescues = Arc::new(std::sync::atomic::AtomicU32::new(0));
        let counted = rescues.clone();
        seat.set_rescue(Some(Arc::new(move || {
            counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        })));
        let number = seat.begin(Turn::EventLoop).unwrap();
        for _ in 0..3 {
            assert_eq!(turns.kill(number, Kill::Time), Some(KILL_AGAIN));
        }
        assert_eq!(rescues.load(std::sync::atomic::Ordering::Relaxed), 1);
        seat.end();
        seat.begin(Turn::EventLoop).unwrap();
        turns.close();
        assert_eq!(rescues.load(std::sync::atomic::Ordering::Relaxed), 2);
    }

    #[test]
    fn a_closed_instance_runs_nothing_more() {
        let (turns, seat) = seated();
        turns.close();
        seat.begin(Turn::Call(1)).unwrap();
        assert_eq!(seat.end(), Some(Kill::Closed));
    }
}
