//! One call on its way: its deadline, its log, and the one answer that it gets.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use hookhost_contract::{Answer, Failure, FailureCause};
use tokio::sync::{oneshot, watch};

use crate::engine::after;
use crate::turn::{Down, Kill, Turn, Turns};
use crate::watchdog::Deadline;
use crate::worker::Watch;

/// When a call's deadline passes while the event loop runs, the code that runs may be another call's. It gets this long
/// to come to an end before the isolate is killed. The late call has its answer at once, so nobody waits for this; but on a
/// busy machine a thread may stand still for that long without looping.
const LOOP_GRACE: Duration = Duration::from_millis(50);
/// How long the code of a call that was given up may run on before the isolate is killed. Longer than a good hook computes
/// at one go: a user who gives up often should not cost everybody else the hook's state.
const GIVEN_UP_GRACE: Duration = Duration::from_millis(250);
/// How often it is looked whether a hook that is being loaded can be called.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// The mark at the end of a log that was cut off.
const LOG_CUT: &str = "[log truncated: over the limit]";

/// The lines that one call logged.
struct Log {
    lines: Vec<String>,
    left: usize,
    cut: bool,
}

impl Log {
    fn push(&mut self, mut line: String) {
        if self.cut {
            return;
        }
        // Its end counts too: empty lines are lines.
        if line.len() < self.left {
            self.left -= line.len() + 1;
            self.lines.push(line);
            return;
        }
        let cut = (0..=self.left).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
        line.truncate(cut);
        self.cut = true;
        self.lines.extend((!line.is_empty()).then_some(line));
        self.lines.push(LOG_CUT.to_owned());
    }
}

struct State {
    /// Where the answer goes. `None` once it has been given.
    reply: Option<oneshot::Sender<Answer>>,
    log: Log,
    deadline: Instant,
    begun: bool,
    given_up: bool,
    /// The hook has been told that it need not go on.
    told: bool,
}

/// A call that is queued or under way. Whoever answers first has answered: the hook, the watchdog, or the instance
/// that ends.
pub(crate) struct PendingCall {
    /// Names the call inside its instance; never 0.
    pub(crate) id: u32,
    /// How long it may take.
    pub(crate) timeout: Duration,
    /// When it came.
    pub(crate) came: Instant,
    /// When it is given up even if the hook is still being loaded.
    last_chance: Instant,
    state: Mutex<State>,
}

impl PendingCall {
    /// A call that comes now. It may take `timeout`, and wait for `patience` while its hook is being loaded.
    pub(crate) fn new(
        id: u32,
        timeout: Duration,
        patience: Duration,
        log_bytes: usize,
        reply: oneshot::Sender<Answer>,
    ) -> Self {
        let came = Instant::now();
        let log = Log { lines: Vec::new(), left: log_bytes, cut: false };
        let state = State {
            reply: Some(reply),
            log,
            deadline: after(came, timeout),
            begun: false,
            given_up: false,
            told: false,
        };
        let last_chance = after(came, timeout.saturating_add(patience));
        Self { id, timeout, came, last_chance, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn deadline(&self) -> Instant {
        self.state().deadline
    }

    /// The hook is called now. `waited` says that the call came while the hook was being loaded: its clock starts anew.
    /// False if it has been answered already, or given up, before its turn came.
    pub(crate) fn begin(&self, waited: bool) -> bool {
        let mut state = self.state();
        if state.reply.is_none() {
            return false;
        }
        state.begun = true;
        if waited {
            state.deadline = after(Instant::now(), self.timeout);
        }
        true
    }

    /// Until when the watchdog should let the call wait: its clock stands still while its hook is being loaded, if it
    /// came during that. One that was already in the queue when the former isolate was killed has waited long enough.
    fn waits_until(&self, down: Down, now: Instant) -> Option<Instant> {
        let mut state = self.state();
        if state.given_up {
            return None;
        }
        if state.deadline <= now && !state.begun && down.contains(self.came) {
            match down.until {
                None => return (now < self.last_chance).then_some(now + LOOK_AGAIN),
                // It has waited for the hook, and now waits for those that came before it.
                Some(until) => state.deadline = after(until, self.timeout),
            }
        }
        (state.deadline > now).then_some(state.deadline)
    }

    /// Adds a line to the log. False once the call has its answer: the line then belongs to no call.
    pub(crate) fn log(&self, line: &mut Option<String>) -> bool {
        let mut state = self.state();
        if state.reply.is_none() {
            return false;
        }
        if let Some(line) = line.take() {
            state.log.push(line);
        }
        true
    }

    /// Gives the answer, if there is none yet. What the hook says after the deadline is no answer, even if nobody has
    /// looked at the clock since; and an error may be no more than what is left of code that was just ended.
    ///
    /// True if this was the answer, and one of the hook's own.
    pub(crate) fn answer(&self, reply: Result<String, Failure>) -> bool {
        let mut state = self.state();
        let late = Instant::now() >= state.deadline;
        let of_the_hook = match &reply {
            Ok(_) => true,
            Err(failure) => {
                matches!(failure.cause, FailureCause::Threw | FailureCause::Rejected | FailureCause::InvalidDecision)
            }
        };
        let reply = if late && of_the_hook { Err(self.timed_out()) } else { reply };
        let is_reply = reply.is_ok();
        let Some(sender) = state.reply.take() else { return false };
        let logs = std::mem::take(&mut state.log.lines);
        // Whoever is woken by the answer may look at the call.
        drop(state);
        // A caller that no longer waits has dropped the other end.
        let _ = sender.send(Answer { reply, logs });
        is_reply
    }

    /// Nobody waits for the answer any more. Returns until when its code may run on, or `None` if it has none that does:
    /// it has its answer, or has not begun and never will.
    fn give_up(&self, now: Instant) -> Option<Instant> {
        let mut state = self.state();
        // What the hook says from now on reaches nobody.
        let reply = state.reply.take()?;
        state.given_up = true;
        state.deadline = state.deadline.min(after(now, GIVEN_UP_GRACE));
        let until = state.begun.then_some(state.deadline);
        drop(state);
        drop(reply);
        until
    }

    pub(crate) fn is_given_up(&self) -> bool {
        self.state().given_up
    }

    /// The hook has been told that it need not go on.
    pub(crate) fn told(&self) {
        self.state().told = true;
    }

    /// No code of this call runs, so whatever does is another call's.
    fn has_no_code(&self) -> bool {
        let state = self.state();
        state.told || (state.given_up && !state.begun)
    }

    pub(crate) fn is_answered(&self) -> bool {
        self.state().reply.is_none()
    }

    pub(crate) fn timed_out(&self) -> Failure {
        Failure::new(
            FailureCause::TimedOut,
            format!("no answer within {} ms; raise timeoutMs in hook.json if it needs longer", millis(self.timeout)),
        )
    }
}

/// Milliseconds as a manifest writes them.
pub(crate) fn millis(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

/// The deadline of one call: answers it, and sees to it that its code does not run on.
pub(crate) struct CallDeadline {
    pub(crate) call: Arc<PendingCall>,
    pub(crate) turns: Arc<Turns>,
    /// Wakes the instance's thread, which tells the hook that its time is up.
    pub(crate) wake: watch::Sender<()>,
    /// The turn that was running when the deadline passed.
    seen: Mutex<Option<u64>>,
    why: Kill,
}

/// A call whose caller waits. Dropped before there is an answer, it gives the call up: the hook is told, and code of the call
/// that still runs after a while is ended.
pub(crate) struct Waiting<'a> {
    /// The caller must not keep the call: where an instance that ends drops it, the caller learns that from the other end
    /// of its answer.
    call: Weak<PendingCall>,
    watch: &'a Watch,
}

impl<'a> Waiting<'a> {
    pub(crate) fn new(call: &Arc<PendingCall>, watch: &'a Watch) -> Self {
        Self { call: Arc::downgrade(call), watch }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let Some(call) = self.call.upgrade() else { return };
        let Some(until) = call.give_up(Instant::now()) else { return };
        let Watch { engine, turns, wake } = self.watch;
        let deadline = CallDeadline::new(call, turns.clone(), wake.clone(), Kill::GivenUp);
        engine.watchdog.tell(until, Arc::new(deadline));
        // A thread that is idle, or busy with something else, tells the hook as soon as it can.
        wake.send_replace(());
    }
}

impl CallDeadline {
    pub(crate) fn new(call: Arc<PendingCall>, turns: Arc<Turns>, wake: watch::Sender<()>, why: Kill) -> Self {
        Self { call, turns, wake, seen: Mutex::new(None), why }
    }
}

impl Deadline for CallDeadline {
    fn passed(&self) -> Option<Instant> {
        let now = Instant::now();
        if !self.turns.is_stuck()
            && let Some(later) = self.call.waits_until(self.turns.down(), now)
        {
            return Some(later);
        }
        if self.call.has_no_code() {
            return None;
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let again = match (*seen, self.turns.now()) {
            (Some(number), _) => self.turns.kill(number, self.why),
            (None, (Turn::Call(id), number)) if id == self.call.id => {
                *seen = Some(number);
                self.turns.kill(number, self.why)
            }
            (None, (Turn::EventLoop, number)) => {
                *seen = Some(number);
                Some(LOOP_GRACE)
            }
            // The call waits for something, or is not even begun: it fails alone.
            _ => None,
        };
        // The kill comes first, so that whoever has the answer and calls again finds the instance down, and waits.
        self.call.answer(Err(self.call.timed_out()));
        self.wake.send_replace(());
        again.map(|again| now + again)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(timeout: Duration, log_bytes: usize) -> (PendingCall, oneshot::Receiver<Answer>) {
        let (sender, receiver) = oneshot::channel();
        (PendingCall::new(1, timeout, Duration::from_secs(10), log_bytes, sender), receiver)
    }

    #[test]
    fn the_first_answer_counts() {
        let (call, mut receiver) = call(Duration::from_secs(60), 100);
        call.answer(Ok("first".into()));
        call.answer(Ok("second".into()));
        assert_eq!(receiver.try_recv().unwrap().reply, Ok("first".into()));
        assert!(call.is_answered());
    }

    #[test]
    fn a_late_answer_is_none() {
        for late in [Ok("late".into()), Err(Failure::new(FailureCause::Threw, "what is left of ended code"))] {
            let (call, mut receiver) = call(Duration::ZERO, 100);
            call.answer(late);
            assert_eq!(receiver.try_recv().unwrap().reply.unwrap_err().cause, FailureCause::TimedOut);
        }
        let (call, mut receiver) = call(Duration::ZERO, 100);
        call.answer(Err(Failure::new(FailureCause::OutOfMemory, "of the engine")));
        assert_eq!(receiver.try_recv().unwrap().reply.unwrap_err().cause, FailureCause::OutOfMemory);
    }

    #[test]
    fn the_clock_stands_still_while_the_hook_is_loaded() {
        let second = Duration::from_secs(1);
        let (call, _receiver) = call(second, 100);
        let (now, earlier) = (call.came + 2 * second, call.came - second);
        let down = |since, until| Down { since, until };
        assert!(call.waits_until(down(earlier, None), now).is_some(), "it came while the hook was down");
        assert!(call.waits_until(down(call.came + second, None), now).is_none(), "it was in the queue before");
        assert!(call.waits_until(down(earlier, Some(call.came)), now).is_none(), "the hook was up");
        assert!(call.waits_until(down(earlier, None), call.last_chance).is_none(), "loading takes too long");
        let up = call.came + Duration::from_millis(1500);
        assert_eq!(call.waits_until(down(earlier, Some(up)), now), Some(up + second), "its clock starts with the hook");
        assert!(call.begin(false));
        assert!(call.waits_until(down(earlier, None), up + second).is_none(), "it has begun");
    }

    #[test]
    fn a_call_that_was_given_up_never_begins_and_one_that_has_begun_gets_a_grace() {
        let (queued, _receiver) = call(Duration::from_secs(60), 100);
        assert_eq!(queued.give_up(queued.came), None, "no code of it runs");
        assert!(!queued.begin(false));
        assert!(queued.has_no_code() && queued.is_answered());
        for (timeout, until) in [(Duration::from_secs(60), GIVEN_UP_GRACE), (GIVEN_UP_GRACE / 2, GIVEN_UP_GRACE / 2)] {
            let (begun, mut receiver) = call(timeout, 100);
            assert!(begun.begin(false));
            assert_eq!(begun.give_up(begun.came), Some(begun.came + until));
            assert!(!begun.answer(Ok("{}".into())) && receiver.try_recv().is_err(), "it reaches nobody");
            assert_eq!(begun.give_up(begun.came), None, "once is enough");
            assert!(!begun.has_no_code());
            begun.told();
            assert!(begun.has_no_code());
        }
    }

    #[test]
    fn a_long_log_is_cut_at_a_character_and_marked() {
        let (call, mut receiver) = call(Duration::from_secs(60), 9);
        for line in ["abc", "ééé", "never"] {
            assert!(call.log(&mut Some(line.to_owned())));
        }
        call.answer(Ok("{}".into()));
        assert_eq!(receiver.try_recv().unwrap().logs, ["abc", "éé", LOG_CUT]);
        assert!(!call.log(&mut Some("after".into())));
    }
}
