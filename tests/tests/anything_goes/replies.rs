//! Whatever `run` returns or throws: it is an answer, or the fail policy decides.

use hookhost::{Action, Call, Decision, FailureCause};
use proptest::prelude::*;
use serde_json::json;

use crate::program::{Expected, Program, program};
use crate::support::{Host, check};

fn decide(host: &Host, hook: &str, program: &Program) -> Decision {
    host.decide(Call::pre_tool_use("tool", json!({ "program": program.source })).only_hook(hook))
}

const UNREADABLE: Expected = Expected::Failure(FailureCause::InvalidDecision);

/// The failure's cause, or the answer that the hook gave itself.
fn outcome(decision: &Decision) -> Expected {
    match decision.runs[0].failure.as_ref().map(|failure| failure.cause) {
        Some(cause) => Expected::Failure(cause),
        None => Expected::Answer(decision.action),
    }
}

#[test]
fn whatever_a_hook_answers_is_that_answer_or_a_failure() {
    check(&program(), |host, program| {
        for (hook, on_failure) in [("closed", Action::Block), ("open", Action::Allow)] {
            let decision = decide(host, hook, &program);
            prop_assert_eq!(decision.runs.len(), 1);
            let failure = &decision.runs[0].failure;
            let outcome = outcome(&decision);
            prop_assert!(program.expected == outcome, "under {}: {:?} {:?}", hook, outcome, failure);
            if failure.is_some() {
                prop_assert_eq!(decision.action, on_failure);
            }
            prop_assert_eq!(decision.output != decision.input, decision.action == Action::Modify);
        }
        Ok(())
    });
}

#[test]
fn a_hook_that_fails_in_every_way_still_answers() {
    let host = Host::new();
    let fail = |source: &str| {
        let program = Program { source: source.to_owned(), expected: UNREADABLE };
        outcome(&decide(&host, "closed", &program))
    };
    assert_eq!(fail("throw 1"), Expected::Failure(FailureCause::Threw));
    assert_eq!(fail("this is no program"), Expected::Failure(FailureCause::Threw));
    assert_eq!(fail("return Promise.reject(1)"), Expected::Failure(FailureCause::Rejected));
    assert_eq!(fail("return 1"), Expected::Failure(FailureCause::InvalidDecision));
    assert_eq!(fail("return { action: 'allow' }"), Expected::Answer(Action::Allow));
}
