//! Turns: what each decision does at each point, and who hears of it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures::stream;
use hookhost::{
    ApprovalAnswer, ApprovalFuture, ApprovalRequest, Approver, EventKind, Events, FilePolicy, InputOutcome,
    PolicyFuture, PolicyQuestion, PolicyVerdict, RefusedBy, Session, SessionBuilder, ToolCall, ToolOutcome, ToolPolicy,
    Turn,
};
use serde_json::{Value, json};

use crate::support::Project;

/// A hook that does what the text, the arguments or the result say: `{"do": "block"}` or `do block`.
const OBEDIENT: &str = r#"
const reply = (what, field, value) => ({
  allow: { action: 'allow' },
  block: { action: 'block', reason: 'blocked here' },
  ask: { action: 'ask', reason: 'really?' },
  modify: { action: 'modify', payload: { [field]: value } },
  inject: { action: 'inject_context', context_injection: 'by the way', user_message: 'told it' },
  append: { action: 'inject_context', context_injection: 'appended', append_to_last_tool_result: true },
}[what] ?? { action: 'allow' });
export default {
  run(point, payload) {
    if (point === 'preInput' || point === 'preOutput') {
      const what = payload.text.match(/^do (\w+)/)?.[1];
      if (what === 'throw') throw new Error('broken');
      return reply(what, 'text', 'rewritten text');
    }
    if (point === 'preToolUse') return reply(payload.args.pre, 'args', { ...payload.args, pre: 'rewritten' });
    if (point === 'postToolUse') return reply(payload.result.post, 'result', { clean: true });
    console.log(JSON.stringify(payload));
    return { action: 'allow' };
  },
};"#;
const EVERYWHERE: &str =
    r#"{"points": ["preInput", "preToolUse", "postToolUse", "preOutput", "postTurn"], "timeoutMs": 20000}"#;

/// Answers every question alike, and keeps them.
#[derive(Clone)]
struct Answers {
    answer: ApprovalAnswer,
    asked: Arc<Mutex<Vec<ApprovalRequest>>>,
}

impl Answers {
    fn new(answer: ApprovalAnswer) -> Self {
        Self { answer, asked: Arc::default() }
    }

    fn asked(&self) -> Vec<ApprovalRequest> {
        self.asked.lock().unwrap().clone()
    }
}

impl Approver for Answers {
    fn ask(&self, request: ApprovalRequest) -> ApprovalFuture<'_> {
        self.asked.lock().unwrap().push(request);
        Box::pin(async { self.answer.clone() })
    }
}

/// Says the same of every call, and keeps the arguments that it saw.
#[derive(Clone)]
struct Rules {
    verdict: PolicyVerdict,
    seen: Arc<Mutex<Vec<Value>>>,
}

impl Rules {
    fn new(verdict: PolicyVerdict) -> Self {
        Self { verdict, seen: Arc::default() }
    }
}

impl ToolPolicy for Rules {
    fn judge<'a>(&'a self, question: PolicyQuestion<'a>) -> PolicyFuture<'a> {
        self.seen.lock().unwrap().push(question.call.args.clone());
        Box::pin(async { self.verdict.clone() })
    }
}

async fn session_of(project: &Project, with: impl FnOnce(SessionBuilder) -> SessionBuilder) -> Session {
    with(Arc::new(project.host().await).session().id("s1")).build()
}

async fn obedient(with: impl FnOnce(SessionBuilder) -> SessionBuilder) -> Session {
    session_of(&Project::of(EVERYWHERE, OBEDIENT), with).await
}

fn plain(builder: SessionBuilder) -> SessionBuilder {
    builder
}

/// The names of the events so far, without those that tell of every turn or of logs.
fn names(events: &mut Events) -> Vec<String> {
    kinds(events).iter().map(|kind| serde_json::to_value(kind).unwrap()["event"].as_str().unwrap().to_owned()).collect()
}

fn kinds(events: &mut Events) -> Vec<EventKind> {
    let quiet = |kind: &EventKind| {
        matches!(kind, EventKind::TurnStarted | EventKind::TurnFinished | EventKind::HookLogged { .. })
    };
    std::iter::from_fn(|| events.try_next()).map(|event| event.kind).filter(|kind| !quiet(kind)).collect()
}

/// Runs `store` with `args`, which gives back `result`; and how often it ran.
async fn run(turn: &Turn, args: Value, result: Value) -> (ToolOutcome, usize) {
    let ran = AtomicUsize::new(0);
    let outcome = turn
        .tool(ToolCall::new("store", args), |_| async {
            ran.fetch_add(1, Ordering::Relaxed);
            result
        })
        .await;
    (outcome, ran.into_inner())
}

#[tokio::test]
async fn input_that_is_allowed_goes_on_as_it_is() {
    let session = obedient(plain).await;
    let mut events = session.subscribe();
    let InputOutcome::Accepted(input) = session.turn().input("hello").await else { panic!("refused") };
    assert_eq!((input.text.as_str(), input.rewritten), ("hello", false));
    assert_eq!(names(&mut events), ["turn_dropped"]);
}

#[tokio::test]
async fn input_that_is_rewritten_goes_on_rewritten() {
    let session = obedient(plain).await;
    let mut events = session.subscribe();
    let turn = session.turn();
    let InputOutcome::Accepted(input) = turn.input("do modify").await else { panic!("refused") };
    assert_eq!((input.text.as_str(), input.rewritten), ("rewritten text", true));
    let [EventKind::InputRedacted { text, hooks }] = &kinds(&mut events)[..] else { panic!("another event") };
    assert_eq!((text.as_str(), &hooks[..]), ("rewritten text", &["guard".to_owned()][..]));
}

/// Whatever the loop does after that.
#[tokio::test]
async fn after_input_that_is_refused_the_turn_does_nothing() {
    let session = obedient(plain).await;
    let mut events = session.subscribe();
    let turn = session.turn();
    let InputOutcome::Refused(refusal) = turn.input("do block").await else { panic!("accepted") };
    assert_eq!(refusal.by(), &RefusedBy::Hook("guard".to_owned()));
    assert_eq!(refusal.for_user().as_str(), "blocked here");
    assert_eq!(names(&mut events), ["input_blocked"]);

    let (outcome, ran) = run(&turn, json!({}), json!({})).await;
    assert_eq!(ran, 0);
    assert!(matches!(&outcome, ToolOutcome::Refused { refusal, .. } if refusal.by() == &RefusedBy::Turn));
    let mut shown = String::new();
    let outcome = turn.output("what the model says anyway", |text| shown.push_str(text)).await;
    assert_eq!(shown, "");
    assert!(outcome.for_user().as_str().contains("blocked here"));
    assert!(matches!(turn.input("again").await, InputOutcome::Refused(_)));
}

#[tokio::test]
async fn a_hook_that_fails_refuses_and_says_so() {
    let session = obedient(plain).await;
    let mut events = session.subscribe();
    let turn = session.turn();
    let InputOutcome::Refused(refusal) = turn.input("do throw").await else { panic!("accepted") };
    assert_eq!(refusal.for_user().as_str(), "Hook \"guard\" failed (fail-closed)");
    assert_eq!(names(&mut events), ["hook_failed", "input_blocked"]);
}

#[tokio::test]
async fn a_tool_that_is_allowed_runs_once() {
    let session = obedient(plain).await;
    let turn = session.turn();
    let (outcome, ran) = run(&turn, json!({ "a": 1 }), json!({ "b": 2 })).await;
    assert_eq!((ran, outcome.is_error(), outcome.for_user()), (1, false, None));
    assert_eq!(outcome.for_model().as_str(), r#"{"b":2}"#);
}

#[tokio::test]
async fn a_tool_that_is_blocked_does_not_run_and_the_model_learns_why() {
    let session = obedient(plain).await;
    let mut events = session.subscribe();
    let turn = session.turn();
    let (outcome, ran) = run(&turn, json!({ "pre": "block" }), json!({})).await;
    assert_eq!((ran, outcome.is_error()), (0, true));
    assert_eq!(outcome.for_model().as_str(), "blocked here");
    assert_eq!(outcome.for_user().unwrap().as_str(), "store did not run: blocked here");
    assert_eq!(names(&mut events), ["tool_blocked"]);
}

#[tokio::test]
async fn policy_and_tool_see_rewritten_arguments() {
    let rules = Rules::new(PolicyVerdict::Allow);
    let session = obedient(|session| session.policy(rules.clone())).await;
    let mut events = session.subscribe();
    let turn = session.turn();
    let call = ToolCall::new("store", json!({ "pre": "modify", "keep": 1 }));
    let outcome = turn.tool(call, |call| async move { call.args }).await;
    let rewritten = json!({ "pre": "rewritten", "keep": 1 });
    assert_eq!(*rules.seen.lock().unwrap(), std::slice::from_ref(&rewritten));
    let ToolOutcome::Ran(run) = outcome else { panic!("it did not run") };
    assert_eq!((run.result.value, run.call.args, run.args_rewritten), (rewritten.clone(), rewritten, true));
    assert_eq!(names(&mut events), ["args_rewritten"]);
}

#[tokio::test]
async fn the_policy_has_the_last_say() {
    let answers = Answers::new(ApprovalAnswer::AllowOnce);
    let rules = Rules::new(PolicyVerdict::Deny { reason: "not this one".to_owned() });
    let session = obedient(|session| session.policy(rules).approver(answers.clone())).await;
    let turn = session.turn();
    let (outcome, ran) = run(&turn, json!({ "pre": "ask" }), json!({})).await;
    assert_eq!((ran, answers.asked().len()), (0, 1));
    assert!(matches!(&outcome, ToolOutcome::Refused { refusal, .. } if refusal.by() == &RefusedBy::Policy));
    assert_eq!(outcome.for_model().as_str(), "not this one");
}

#[tokio::test]
async fn a_policy_file_judges_by_the_tools_name() {
    let project = Project::new().file(
        "policy.json",
        r#"{ "rules": [
          { "tools": ["sto*"], "action": "deny", "reason": "Nothing is stored." },
          { "tools": ["read_*"], "action": "allow" }
        ] }"#,
    );
    let policy = FilePolicy::load(project.path("policy.json")).unwrap();
    let session = session_of(&project, |session| session.policy(policy)).await;
    let turn = session.turn();
    let said = async |tool: &str| {
        turn.tool(ToolCall::new(tool, json!({})), |_| async { json!("ran") }).await.for_model().into_string()
    };
    assert_eq!(said("store").await, "Nothing is stored.");
    assert_eq!(said("read_file").await, "ran");
    assert_eq!(said("shell").await, "Not approved: nobody can be asked here.");
    let missing = FilePolicy::load(project.path("polcy.json")).unwrap_err();
    assert!(missing.to_string().contains("polcy.json"), "{missing}");
}

#[tokio::test]
async fn one_yes_is_enough_for_hooks_and_policy() {
    let answers = Answers::new(ApprovalAnswer::AllowOnce);
    let rules = Rules::new(PolicyVerdict::Ask { reason: "the policy asks".to_owned() });
    let session = obedient(|session| session.policy(rules).approver(answers.clone())).await;
    let turn = session.turn();
    assert_eq!(run(&turn, json!({ "pre": "ask" }), json!({})).await.1, 1);
    assert_eq!(answers.asked().len(), 1);
    assert_eq!(answers.asked()[0].prompt, "really?");
    // Without the hook it is the policy that asks, and once is once.
    assert_eq!(run(&turn, json!({}), json!({})).await.1, 1);
    assert_eq!(run(&turn, json!({}), json!({})).await.1, 1);
    assert_eq!(answers.asked().len(), 3);
    assert_eq!((&*answers.asked()[1].prompt, &answers.asked()[1].asked_by[0].hook), ("the policy asks", &None));
}

#[tokio::test]
async fn a_person_is_asked_about_the_rewritten_arguments() {
    let project = Project::new()
        .hook(
            "a-editor",
            r#"{"points": ["preToolUse"], "priority": 1, "timeoutMs": 20000}"#,
            "export default { run: (_p, { args }) => ({ action: 'modify', payload: { args: { ...args, safe: true } } }) };",
        )
        .hook("b-asker", r#"{"points": ["preToolUse"], "priority": 2, "timeoutMs": 20000}"#, OBEDIENT);
    let answers = Answers::new(ApprovalAnswer::AllowOnce);
    let session = session_of(&project, |session| session.approver(answers.clone())).await;
    let turn = session.turn();
    let (outcome, ran) = run(&turn, json!({ "pre": "ask" }), json!({})).await;
    assert_eq!(ran, 1);
    let request = &answers.asked()[0];
    assert_eq!(Value::Object(request.payload.clone())["args"], json!({ "pre": "ask", "safe": true }));
    assert_eq!(request.tool_name.as_deref(), Some("store"));
    let ToolOutcome::Ran(run) = outcome else { panic!("it did not run") };
    assert_eq!(run.call.args["safe"], true);
}

#[tokio::test]
async fn a_no_reaches_the_model() {
    let answers = Answers::new(ApprovalAnswer::Deny { message: Some("too much".to_owned()) });
    let session = obedient(|session| session.approver(answers)).await;
    let mut events = session.subscribe();
    let turn = session.turn();
    let (outcome, ran) = run(&turn, json!({ "pre": "ask" }), json!({})).await;
    assert_eq!((ran, outcome.for_model().as_str()), (0, "Denied by the user: too much"));
    assert_eq!(names(&mut events), ["approval_requested", "approval_resolved", "tool_blocked"]);
}

#[tokio::test]
async fn without_an_approver_the_answer_is_no() {
    let project = Project::of(
        r#"{"points": ["preToolUse"], "timeoutMs": 20000}"#,
        "export default { run: () => ({ action: 'ask', reason: 'well?', approval_default: 'allow' }) };",
    );
    let session = session_of(&project, plain).await;
    let turn = session.turn();
    let (outcome, ran) = run(&turn, json!({}), json!({})).await;
    assert_eq!((ran, outcome.for_model().as_str()), (0, "Not approved: nobody can be asked here."));
}

#[tokio::test]
async fn what_is_allowed_for_the_session_is_this_payload_and_no_other() {
    let answers = Answers::new(ApprovalAnswer::AllowAlways);
    let session = obedient(|session| session.approver(answers.clone())).await;
    let mut events = session.subscribe();
    let (one, same, other) = (
        json!({ "pre": "ask", "to": "ada" }),
        json!({ "to": "ada", "pre": "ask" }),
        json!({ "pre": "ask", "to": "eve" }),
    );
    assert_eq!(run(&session.turn(), one.clone(), json!({})).await.1, 1);
    assert_eq!(run(&session.turn(), same, json!({})).await.1, 1);
    assert_eq!(answers.asked().len(), 1);
    assert!(names(&mut events).contains(&"approval_reused".to_owned()));
    assert_eq!(run(&session.turn(), other, json!({})).await.1, 1);
    assert_eq!(answers.asked().len(), 2);
    assert_ne!(answers.asked()[0].payload_hash, answers.asked()[1].payload_hash);
    // Another session asks for itself.
    let stranger = session.host().session().build();
    assert_eq!(run(&stranger.turn(), one.clone(), json!({})).await.1, 0);
    session.forget_approvals();
    assert_eq!(run(&session.turn(), one, json!({})).await.1, 1);
    assert_eq!(answers.asked().len(), 3);
}

#[tokio::test]
async fn a_hook_sets_the_terms_of_its_question() {
    let project = Project::of(
        r#"{"points": ["preToolUse"], "timeoutMs": 20000}"#,
        "export default { run: () => ({
          action: 'ask_user', reason: 'why', approval_prompt: 'Go?', approval_options: ['Yes', 'Ask finance'],
          approval_timeout: 7,
        }) };",
    );
    let answers = Answers::new(ApprovalAnswer::AllowAlways);
    let session = session_of(&project, |session| session.approver(answers.clone())).await;
    // Nobody gets more than was on offer: always is once.
    for asked in 1..=2 {
        assert_eq!(run(&session.turn(), json!({}), json!({})).await.1, 1);
        assert_eq!(answers.asked().len(), asked);
    }
    let request = &answers.asked()[0];
    assert_eq!((&*request.prompt, request.timeout.as_secs(), &*request.asked_by[0].reason), ("Go?", 7, "why"));
    let labels: Vec<_> = request.options.iter().map(|option| option.label.as_str()).collect();
    assert_eq!(labels, ["Yes", "Ask finance"]);
    assert_eq!(
        request.answer_of(&request.options[1]),
        ApprovalAnswer::Deny { message: Some("Ask finance".to_owned()) }
    );
}

struct Silent;

impl Approver for Silent {
    fn ask(&self, _: ApprovalRequest) -> ApprovalFuture<'_> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn no_answer_in_time_is_the_questions_default() {
    for (default, runs) in [("deny", 0), ("allow", 1)] {
        let project = Project::of(
            r#"{"points": ["preToolUse"], "timeoutMs": 20000}"#,
            &format!(
                "export default {{ run: () => ({{ action: 'ask', reason: 'well?', approval_timeout: 0.05, \
                 approval_default: '{default}' }}) }};"
            ),
        );
        let session = session_of(&project, |session| session.approver(Silent)).await;
        let (outcome, ran) = run(&session.turn(), json!({}), json!({})).await;
        assert_eq!(ran, runs, "{outcome:?}");
    }
}

struct Panics;

impl Approver for Panics {
    fn ask(&self, _: ApprovalRequest) -> ApprovalFuture<'_> {
        panic!("an approver's fault")
    }
}

impl ToolPolicy for Panics {
    fn judge<'a>(&'a self, _: PolicyQuestion<'a>) -> PolicyFuture<'a> {
        Box::pin(async { panic!("a policy's fault") })
    }
}

#[tokio::test]
async fn who_panics_has_said_no() {
    let session = obedient(|session| session.approver(Panics)).await;
    let (outcome, ran) = run(&session.turn(), json!({ "pre": "ask" }), json!({})).await;
    assert_eq!((ran, outcome.for_model().as_str()), (0, "Not approved: asking failed."));

    let session = obedient(|session| session.policy(Panics)).await;
    let (outcome, ran) = run(&session.turn(), json!({}), json!({})).await;
    assert!(ran == 0 && outcome.for_model().as_str().starts_with("the tool policy failed"));
}

#[tokio::test]
async fn a_result_is_withheld_or_rewritten_before_the_model_sees_it() {
    let session = obedient(plain).await;
    let mut events = session.subscribe();
    let turn = session.turn();
    let (outcome, ran) = run(&turn, json!({}), json!({ "post": "block", "secret": 1 })).await;
    assert!(ran == 1 && outcome.is_error() && matches!(outcome, ToolOutcome::Withheld { .. }));
    assert_eq!(outcome.for_model().as_str(), "blocked here");
    assert_eq!(outcome.for_user().unwrap().as_str(), "the result of store is withheld: blocked here");

    let (outcome, _) = run(&turn, json!({}), json!({ "post": "modify", "secret": 1 })).await;
    assert_eq!((outcome.for_model().as_str(), outcome.is_error()), (r#"{"clean":true}"#, false));

    let (outcome, _) = run(&turn, json!({}), json!({ "post": "ask", "secret": 1 })).await;
    assert_eq!(outcome.for_model().as_str(), "Not approved: nobody can be asked here.");
    assert_eq!(
        names(&mut events),
        ["result_withheld", "result_rewritten", "approval_requested", "approval_resolved", "result_withheld"]
    );
}

#[tokio::test]
async fn a_tools_error_passes_the_hooks_as_an_error() {
    let session = obedient(plain).await;
    let turn = session.turn();
    let call = ToolCall::new("store", json!({}));
    let outcome = turn.tool(call, |_| async { Err::<Value, _>("disk full") }).await;
    assert_eq!((outcome.for_model().as_str(), outcome.is_error()), ("disk full", true));
}

#[tokio::test]
async fn what_hooks_tell_the_model_goes_beside_or_after_the_result() {
    let session = obedient(plain).await;
    let mut events = session.subscribe();
    let turn = session.turn();
    let (outcome, _) = run(&turn, json!({ "pre": "inject" }), json!({ "post": "append" })).await;
    assert_eq!(outcome.for_model().as_str(), "{\"post\":\"append\"}\n\nappended");
    let told: Vec<_> = outcome.injections().map(|injection| injection.content.as_str()).collect();
    assert_eq!(told, ["by the way"]);
    assert_eq!(names(&mut events), ["user_message", "context_injected", "context_injected"]);
    let InputOutcome::Accepted(input) = turn.input("do inject").await else { panic!("refused") };
    assert_eq!(input.injections[0].content, "by the way");
}

#[tokio::test]
async fn with_a_hook_output_is_held_back_and_shown_once() {
    let session = obedient(plain).await;
    let mut events = session.subscribe();
    let turn = session.turn();
    for (text, seen) in
        [("fine text", "fine text"), ("do modify this", "rewritten text"), ("do block this", "blocked here")]
    {
        let pieces = text.split_inclusive(' ').map(|piece| Ok::<_, ()>(piece.to_owned()));
        let mut shown = Vec::new();
        let outcome = turn.output_stream(stream::iter(pieces), |piece| shown.push(piece.to_owned())).await.unwrap();
        assert_eq!(shown, [seen]);
        assert_eq!((outcome.for_user().as_str(), outcome.for_history().as_str()), (seen, seen));
    }
    assert_eq!(names(&mut events), ["output_rewritten", "output_blocked"]);
}

#[tokio::test]
async fn without_hooks_output_streams() {
    let session = session_of(&Project::new(), plain).await;
    let pieces = stream::iter(["a ", "b ", "c"].map(|piece| Ok::<_, ()>(piece.to_owned())));
    let mut shown = Vec::new();
    let outcome = session.turn().output_stream(pieces, |piece| shown.push(piece.to_owned())).await.unwrap();
    assert_eq!(shown, ["a ", "b ", "c"]);
    assert_eq!(outcome.for_history().as_str(), "a b c");
}

/// A hook anywhere holds the text back, unless one asks for less.
#[tokio::test]
async fn output_may_stream_beside_hooks_that_do_not_see_it() {
    let project = Project::of(r#"{"points": ["preInput"]}"#, OBEDIENT);
    for (stream_it, pieces) in [(false, 1), (true, 2)] {
        let session = session_of(&project, |session| session.stream_when_no_output_hook(stream_it)).await;
        let text = stream::iter(["a ", "b"].map(|piece| Ok::<_, ()>(piece.to_owned())));
        let mut shown = 0;
        let _ = session.turn().output_stream(text, |_| shown += 1).await.unwrap();
        assert_eq!(shown, pieces);
    }
    let session = obedient(|session| session.stream_when_no_output_hook(true)).await;
    let text = stream::iter(["do ", "modify"].map(|piece| Ok::<_, ()>(piece.to_owned())));
    let mut shown = Vec::new();
    let _ = session.turn().output_stream(text, |piece| shown.push(piece.to_owned())).await.unwrap();
    assert_eq!(shown, ["rewritten text"]);
}

#[tokio::test]
async fn a_text_whose_stream_breaks_is_not_shown() {
    let session = obedient(plain).await;
    let pieces = stream::iter([Ok("half".to_owned()), Err("connection lost")]);
    let mut shown = String::new();
    let error = session.turn().output_stream(pieces, |piece| shown.push_str(piece)).await.unwrap_err();
    assert_eq!((error, shown.as_str()), ("connection lost", ""));
}

#[tokio::test]
async fn the_end_of_a_turn_tells_what_it_was() {
    let session = obedient(plain).await;
    let turn = session.turn_named("t1");
    assert!(matches!(turn.input("hello").await, InputOutcome::Accepted(_)));
    let call = ToolCall::new("store", json!({ "pre": "modify" })).id("c1");
    let _ = turn.tool(call, |_| async { json!("ok") }).await;
    let _ = run(&turn, json!({ "pre": "block" }), json!({})).await;
    let _ = turn.output("do modify", |_| ()).await;
    let decision = turn.finish(json!({ "outputTokens": 3 })).await;
    assert_eq!(
        serde_json::from_str::<Value>(&decision.logs[0].message).unwrap(),
        json!({
            "text": "rewritten text",
            "toolCalls": [
                { "toolName": "store", "args": { "pre": "rewritten" }, "outcome": "ran", "isError": false, "id": "c1" },
                { "toolName": "store", "args": { "pre": "block" }, "outcome": "refused", "isError": true },
            ],
            "usage": { "outputTokens": 3 },
        })
    );
}
