//! Calls of the hooks that misbehave, and what may come of each.

use hookhost::{Action, Call, Decision, FailureCause};

use FailureCause::{InvalidDecision, OutOfMemory, Rejected, Threw, TimedOut};
use Right::{Answers, Fails};

/// What a hook of this name answers to any text that it does not know.
const GOOD: &str = "good";

/// The mark at the end of a log that was cut off.
const LOG_CUT: &str = "[log truncated: over the limit]";

/// What may come of an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Right {
    /// The hook gives this answer itself.
    Answers(Action),
    /// The hook fails, for one of these causes, and its policy is closed.
    Fails(&'static [FailureCause]),
}

/// A hook that misbehaves when it is told to.
pub(super) struct Hostile {
    pub(super) hook: &'static str,
    /// It loops or waits: its time limit is short, and on a busy machine even its good answer can come too late.
    pub(super) hurried: bool,
    /// The texts that tell it to, and what may come of them.
    pub(super) attacks: &'static [(&'static str, Right)],
}

const fn patient(hook: &'static str, attacks: &'static [(&'static str, Right)]) -> Hostile {
    Hostile { hook, hurried: false, attacks }
}

const fn hurried(hook: &'static str) -> Hostile {
    Hostile { hook, hurried: true, attacks: &[("evil", Fails(&[TimedOut]))] }
}

/// The hooks of the long-lived host that misbehave.
pub(super) const HOSTILE: &[Hostile] = &[
    hurried("loop-sync"),
    hurried("loop-async"),
    hurried("never"),
    patient("heap-bomb", &[("evil", Fails(&[OutOfMemory]))]),
    // The allocator refuses one buffer with a RangeError, unless V8 asked it for room before.
    patient("buffer-bomb", &[("evil", Fails(&[Rejected, OutOfMemory]))]),
    patient(
        "throw",
        &[
            ("null", Fails(&[Threw])),
            ("undefined", Fails(&[Threw])),
            ("symbol", Fails(&[Threw])),
            ("proxy", Fails(&[Threw])),
            ("revoked", Fails(&[Threw])),
            ("text", Fails(&[Threw])),
            ("giant", Fails(&[Threw])),
            ("error", Fails(&[Threw])),
            ("allow", Fails(&[Threw])),
            ("deep", Fails(&[Threw])),
        ],
    ),
    patient("reject", &[("evil", Fails(&[Rejected])), ("unhandled", Answers(Action::Allow))]),
    patient("log-flood", &[("evil", Answers(Action::Allow))]),
    patient(
        "big-reply",
        &[
            ("allow", Fails(&[InvalidDecision])),
            ("modify", Fails(&[InvalidDecision])),
            ("block", Answers(Action::Block)),
        ],
    ),
    patient(
        "odd-reply",
        &[
            ("proxy", Fails(&[InvalidDecision])),
            ("then", Fails(&[InvalidDecision])),
            ("nothing", Fails(&[InvalidDecision])),
            ("word", Fails(&[InvalidDecision])),
            ("list", Fails(&[InvalidDecision])),
            ("case", Fails(&[InvalidDecision])),
            ("bigint", Fails(&[InvalidDecision])),
            ("cycle", Fails(&[InvalidDecision])),
            ("deep", Fails(&[InvalidDecision])),
            ("answers", Answers(Action::Block)),
            ("thenable", Answers(Action::Ask)),
        ],
    ),
    patient("timer-storm", &[("evil", Answers(Action::Allow))]),
    patient("churn", &[("evil", Answers(Action::Allow))]),
];

/// The hook of the short-lived hosts that loops for ever.
pub(super) const STUCK: Hostile = Hostile {
    hook: "stuck",
    hurried: false,
    attacks: &[("sync", Fails(&[TimedOut])), ("async", Fails(&[TimedOut])), ("timer", Fails(&[TimedOut]))],
};

/// A call of one hook, with the text that tells it what to do.
pub(super) fn call(hook: &str, text: &str) -> Call {
    Call::pre_output(text).only_hook(hook)
}

/// A call that the hook has no reason to fail.
pub(super) fn good_call(hook: &str) -> Call {
    call(hook, GOOD)
}

/// What came of a call.
#[derive(Debug)]
pub(super) enum Outcome {
    /// What had to.
    Right,
    /// The hook broke repeatedly before and rests: it was not called.
    Rests,
    /// The hook was killed, and its thread has not come to an end yet: it was not called. For a while only.
    Stuck,
    /// A hook in a hurry was too slow for its good answer. Blocked, so nothing is wrong with the decision.
    Late,
    /// Something else.
    Wrong(String),
}

/// Compares what came of an attack with what may come of it.
pub(super) fn judge_attack(right: Right, decision: &Decision) -> Outcome {
    let Some(run) = only_run(decision) else { return wrong(decision) };
    match (right, &run.failure) {
        (Answers(action), None) if decision.action == action && sound_log(decision) => Outcome::Right,
        (Fails(causes), Some(failure)) if causes.contains(&failure.cause) && failed_closed(decision) => Outcome::Right,
        _ => after_a_break(decision),
    }
}

/// Compares what came of a good call of such a hook with the allow that it should be.
pub(super) fn judge_good(hook: &Hostile, decision: &Decision) -> Outcome {
    let Some(run) = only_run(decision) else { return wrong(decision) };
    match &run.failure {
        None if decision.action == Action::Allow => Outcome::Right,
        Some(failure) if hook.hurried && failure.cause == TimedOut && failed_closed(decision) => Outcome::Late,
        _ => after_a_break(decision),
    }
}

/// A hook that broke again and again is not called for a while, nor is one that was killed and has not ended, as on a
/// machine with too much to do. Its policy is closed: that is right at any time.
fn after_a_break(decision: &Decision) -> Outcome {
    let failure = decision.runs.iter().find_map(|run| run.failure.as_ref());
    match failure.filter(|failure| failure.cause == FailureCause::Exited && failed_closed(decision)) {
        Some(failure) if failure.message.starts_with("not called: the hook broke repeatedly") => Outcome::Rests,
        Some(failure) if failure.message.starts_with("not called: the hook runs on") => Outcome::Stuck,
        _ => wrong(decision),
    }
}

fn only_run(decision: &Decision) -> Option<&hookhost::HookRun> {
    decision.runs.first().filter(|_| decision.runs.len() == 1)
}

fn failed_closed(decision: &Decision) -> bool {
    decision.action == Action::Block && decision.reason.as_ref().is_some_and(|reason| reason.ends_with("(fail-closed)"))
}

/// Within its limit, and marked if there was more.
fn sound_log(decision: &Decision) -> bool {
    let bytes: usize = decision.logs.iter().map(|log| log.message.len() + 1).sum();
    let limit = hookhost::Limits::default().log_bytes;
    bytes <= limit / 2
        || decision.logs.last().is_some_and(|log| log.message == LOG_CUT) && bytes <= limit + 2 * LOG_CUT.len()
}

fn wrong(decision: &Decision) -> Outcome {
    let runs: Vec<_> = decision
        .runs
        .iter()
        .map(|run| match &run.failure {
            Some(failure) => format!("{} failed: {failure}", run.hook),
            None => format!("{} answered {}", run.hook, run.action),
        })
        .collect();
    let told = decision.input.get("text").map(ToString::to_string).unwrap_or_default();
    Outcome::Wrong(format!("{} at {told}: {}", decision.action, runs.join(", ")))
}
