//! Turns that are dropped: nothing goes on, nothing that a person said is lost, and no question stays open.

use std::future::{Future, pending, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;

use hookhost::{
    ApprovalAnswer, ApprovalFuture, ApprovalRequest, Approver, EventKind, Events, InputOutcome, ResolvedBy, Session,
    ToolCall, ToolOutcome,
};
use serde_json::json;
use tokio::sync::Notify;

use crate::support::Project;

/// Asks about every tool, and waits a little at each point.
const ASKS: &str = "
export default {
  async run(point, payload) {
    await new Promise((done) => setTimeout(done, 1));
    if (point === 'preToolUse') return { action: 'ask', reason: 'well?' };
    if (point === 'preOutput') return { action: 'modify', payload: { text: payload.text.toUpperCase() } };
    return { action: 'allow' };
  },
};";
const EVERYWHERE: &str =
    r#"{"points": ["preInput", "preToolUse", "postToolUse", "preOutput", "postTurn"], "timeoutMs": 20000}"#;

/// Counts the questions that it holds open.
#[derive(Clone, Default)]
struct Clerk(Arc<Desk>);

#[derive(Default)]
struct Desk {
    open: AtomicUsize,
    asked: AtomicUsize,
    arrived: Notify,
    /// What is answered, and after how many looks; never for `None`.
    answer: Mutex<Option<ApprovalAnswer>>,
}

struct Open(Arc<Desk>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Clerk {
    fn answers(answer: ApprovalAnswer) -> Self {
        let clerk = Self::default();
        *clerk.0.answer.lock().unwrap() = Some(answer);
        clerk
    }

    fn open(&self) -> usize {
        self.0.open.load(Ordering::SeqCst)
    }

    fn asked(&self) -> usize {
        self.0.asked.load(Ordering::SeqCst)
    }
}

impl Approver for Clerk {
    fn ask(&self, _: ApprovalRequest) -> ApprovalFuture<'_> {
        let desk = self.0.clone();
        desk.asked.fetch_add(1, Ordering::SeqCst);
        desk.open.fetch_add(1, Ordering::SeqCst);
        let open = Open(desk);
        Box::pin(async move {
            open.0.arrived.notify_one();
            tokio::task::yield_now().await;
            let answer = open.0.answer.lock().unwrap().clone();
            match answer {
                Some(answer) => answer,
                None => pending().await,
            }
        })
    }
}

async fn session(clerk: &Clerk) -> Session {
    let project = Project::of(EVERYWHERE, ASKS);
    Arc::new(project.host().await).session().approver(clerk.clone()).build()
}

/// Polls the future so many times, and drops it then. True if it had ended by itself.
async fn dropped_after(polls: usize, future: impl Future<Output = ()>) -> bool {
    let mut future = pin!(future);
    let mut left = polls;
    poll_fn(|cx| {
        if left == 0 {
            return Poll::Ready(false);
        }
        left -= 1;
        match future.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(true),
            // The last poll was the last one.
            Poll::Pending if left == 0 => Poll::Ready(false),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

/// Every question so far has been resolved once. Returns where the answers came from.
fn resolutions(events: &mut Events) -> Vec<ResolvedBy> {
    let mut open = Vec::new();
    let mut resolutions = Vec::new();
    while let Some(event) = events.try_next() {
        match event.kind {
            EventKind::ApprovalRequested { request } => open.push(request.id),
            EventKind::ApprovalResolved { id, by, .. } => {
                let known = open.iter().position(|open| *open == id);
                assert!(known.is_some(), "resolved twice, or never asked");
                open.remove(known.unwrap());
                resolutions.push(by);
            }
            _ => {}
        }
    }
    assert!(open.is_empty(), "{open:?} are open");
    resolutions
}

#[tokio::test]
async fn a_question_is_taken_back_with_its_turn() {
    let clerk = Clerk::default();
    let session = session(&clerk).await;
    let mut events = session.subscribe();
    let asking = session.clone();
    let task = tokio::spawn(async move {
        let turn = asking.turn();
        turn.tool(ToolCall::new("t", json!({})), |_| async { json!("ran") }).await
    });
    clerk.0.arrived.notified().await;
    assert_eq!(clerk.open(), 1);
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
    assert_eq!(clerk.open(), 0);
    assert_eq!(resolutions(&mut events), [ResolvedBy::Dropped]);
}

/// The person has said it, so it holds, whatever became of the turn.
#[tokio::test]
async fn what_was_allowed_for_the_session_outlives_the_turn() {
    let clerk = Clerk::answers(ApprovalAnswer::AllowAlways);
    let session = session(&clerk).await;
    let running = Arc::new(Notify::new());
    let (asking, begun) = (session.clone(), running.clone());
    let task = tokio::spawn(async move {
        let turn = asking.turn();
        let run = |_| async move {
            begun.notify_one();
            pending::<serde_json::Value>().await
        };
        turn.tool(ToolCall::new("t", json!({ "a": 1 })), run).await
    });
    running.notified().await;
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
    let turn = session.turn();
    let outcome = turn.tool(ToolCall::new("t", json!({ "a": 1 })), |_| async { json!("ran") }).await;
    assert!(matches!(outcome, ToolOutcome::Ran(_)));
    assert_eq!(clerk.asked(), 1);
}

/// A yes for once is for that once.
#[tokio::test]
async fn a_yes_for_once_leaves_no_yes_behind() {
    let clerk = Clerk::answers(ApprovalAnswer::AllowOnce);
    let session = session(&clerk).await;
    for asked in 1..=2 {
        let turn = session.turn();
        let outcome = turn.tool(ToolCall::new("t", json!({ "a": 1 })), |_| async { json!("ran") }).await;
        assert!(matches!(outcome, ToolOutcome::Ran(_)));
        assert_eq!(clerk.asked(), asked);
    }
}

/// At every point at which it can be: no question stays open, no tool runs twice, and the next turn is as good as any.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_may_be_dropped_anywhere() {
    let clerk = Clerk::answers(ApprovalAnswer::AllowOnce);
    let session = session(&clerk).await;
    let mut ended = false;
    let mut polls = 0;
    while !ended {
        let mut events = session.subscribe();
        let ran = AtomicUsize::new(0);
        let shown = AtomicUsize::new(0);
        let talk = async {
            let turn = session.turn();
            assert!(matches!(turn.input("hello").await, InputOutcome::Accepted(_)));
            let outcome = turn
                .tool(ToolCall::new("t", json!({ "polls": polls })), |_| async {
                    ran.fetch_add(1, Ordering::SeqCst);
                    tokio::task::yield_now().await;
                    json!("ran")
                })
                .await;
            assert!(matches!(outcome, ToolOutcome::Ran(_)));
            let output = turn
                .output("done", |text| {
                    assert_eq!(text, "DONE");
                    shown.fetch_add(1, Ordering::SeqCst);
                })
                .await;
            assert_eq!(output.for_history().as_str(), "DONE");
            turn.finish(json!({})).await;
        };
        ended = dropped_after(polls, talk).await;
        assert!(ran.into_inner() <= 1 && shown.into_inner() <= 1);
        assert_eq!(clerk.open(), 0);
        let by = resolutions(&mut events);
        assert!(by.len() <= 1, "{by:?}");
        polls += 1;
        assert!(polls < 1000, "it never ends");
    }
    // Input, hook and all: more than a handful of places were tried.
    assert!(polls > 8, "{polls}");
    assert!(session.host().report().hooks.iter().all(|hook| hook.breaks == 0));
}
