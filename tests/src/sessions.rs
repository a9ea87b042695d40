//! Many sessions at once on one host of the example hooks: each has its own right answers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use hookhost::{
    ApprovalAnswer, ApprovalFuture, ApprovalRequest, Approver, Caller, EventKind, Events, HookHost, InputOutcome,
    Limits, MemoryStore, Session, Tier, ToolCall, ToolOutcome, Turn,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{Fault, workspace_root};

/// What a crowd of sessions came to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Crowd {
    /// How many sessions there were, all at once.
    pub sessions: usize,
    /// How many decisions were made.
    pub decisions: usize,
    /// What was not as it should be.
    pub wrong: Vec<String>,
    /// From the first turn to the last, in seconds.
    pub seconds: f64,
    /// Resident memory of the process with its host, before there is a session, in MiB.
    pub host_mib: f64,
    /// What came on top by the time that all had talked and none had gone, in KiB for each session.
    pub session_kib: f64,
}

/// Runs `sessions` sessions side by side, on the example hooks in `tier`.
///
/// # Errors
/// The host cannot be built, or the memory of this process cannot be read.
pub async fn crowd(sessions: usize, tier: Tier) -> Result<Crowd, Fault> {
    let host = HookHost::builder()
        .project(workspace_root())
        .tier(tier)
        .store(MemoryStore::from_json(&members(sessions))?)
        // The calls of a thousand sessions wait for one another, and that is not what this is about.
        .limits(Limits::default().timeout(Duration::from_secs(60)))
        .build()
        .await?;
    let host = Arc::new(host);
    // The first session's costs are the host's.
    converse(&host, 0).await?;
    let host_mib = resident()?;
    let begun = Instant::now();
    let talks = join_all((0..sessions).map(|number| {
        let host = host.clone();
        async move {
            match tokio::spawn(async move { converse(&host, number).await.map_err(|fault| fault.to_string()) }).await {
                Ok(Ok(talk)) => Ok(talk),
                Ok(Err(fault)) => Err(format!("session {number}: {fault}")),
                Err(panic) => Err(format!("session {number}: {panic}")),
            }
        }
    }))
    .await;
    let seconds = begun.elapsed().as_secs_f64();
    let session_kib = (resident()? - host_mib).max(0.0) * 1024.0 / sessions.max(1) as f64;
    let decisions = talks.iter().flatten().map(|talk| talk.decisions).sum();
    let wrong = talks.into_iter().filter_map(Result::err).collect();
    Ok(Crowd { sessions, decisions, wrong, seconds, host_mib, session_kib })
}

/// A conversation that has ended; its session is still there.
struct Talk {
    decisions: usize,
    _session: Session,
}

/// Every other member may spend much.
fn members(sessions: usize) -> Value {
    let rows = (0..sessions.max(1)).map(|number| {
        let limit = if number % 2 == 0 { 500 } else { 50 };
        (format!("u{number}"), json!({ "spendLimit": limit }))
    });
    json!({ "members": rows.collect::<serde_json::Map<_, _>>() })
}

/// Says yes to every other question that it gets.
struct Person(usize);

impl Approver for Person {
    fn ask(&self, request: ApprovalRequest) -> ApprovalFuture<'_> {
        let about_us = request.payload["args"]["to"] == format!("acc-{}", self.0);
        let yes = self.0 % 4 == 1;
        Box::pin(async move {
            // What another session asks is not ours to allow.
            tokio::task::yield_now().await;
            if yes && about_us {
                ApprovalAnswer::AllowOnce
            } else {
                ApprovalAnswer::Deny { message: Some(format!("not for {}", self.0)) }
            }
        })
    }
}

/// One conversation: what comes of it depends on its number, and on nothing else.
async fn converse(host: &Arc<HookHost>, number: usize) -> Result<Talk, Fault> {
    let session = host
        .session()
        .id(format!("s{number}"))
        .caller(Caller { user_id: Some(format!("u{number}")), ..Caller::default() })
        .approver(Person(number))
        .build();
    let mut events = session.subscribe();
    let turn = session.turn();

    let InputOutcome::Accepted(input) = turn.input(format!("I am ada{number}@example.com, session {number}.")).await
    else {
        return Err("the input was refused".into());
    };
    expect(input.text.as_str(), &format!("I am [email removed], session {number}."))?;

    transfer(&turn, number).await?;
    write(&turn, number).await?;
    read(&turn, number).await?;

    let mut shown = String::new();
    let output = turn.output(format!("Call +44 20 7946 0018, says {number}."), |text| shown.push_str(text)).await;
    expect(&shown, &format!("Call [phone removed], says {number}."))?;
    expect(output.for_history().as_str(), &shown)?;
    turn.finish(json!({})).await;

    let refused = all_ours(&session, &mut events, number)?;
    // Input, three tools before and after, output, end.
    Ok(Talk { decisions: 9 - refused, _session: session })
}

/// Allowed for those who may, asked about for the others; every other one of these is told no.
async fn transfer(turn: &Turn, number: usize) -> Result<(), Fault> {
    let args = json!({ "amount": 200, "to": format!("acc-{number}") });
    let outcome = turn.tool(ToolCall::new("payments__transfer", args), |call| async move { call.args }).await;
    match (number % 4, &outcome) {
        (0..=2, ToolOutcome::Ran(run)) if run.call.args["to"] == format!("acc-{number}") => Ok(()),
        (3, ToolOutcome::Refused { .. }) => {
            expect(outcome.for_model().as_str(), &format!("Denied by the user: not for {number}"))
        }
        _ => Err(format!("the transfer: {outcome:?}").into()),
    }
}

/// Every third one writes where it must not.
async fn write(turn: &Turn, number: usize) -> Result<(), Fault> {
    let outside = number.is_multiple_of(3);
    let path = if outside { format!("/etc/{number}.txt") } else { format!("/workspace/{number}.txt") };
    let call = ToolCall::new("write_file", json!({ "path": path, "content": "x" }));
    let outcome = turn.tool(call, |_| async { json!("written") }).await;
    match (outside, &outcome) {
        (false, ToolOutcome::Ran(_)) => Ok(()),
        (true, ToolOutcome::Refused { refusal, .. }) if refusal.reason().contains(&path) => Ok(()),
        _ => Err(format!("the write: {outcome:?}").into()),
    }
}

/// A result with a secret in it.
async fn read(turn: &Turn, number: usize) -> Result<(), Fault> {
    let call = ToolCall::new("read_file", json!({ "path": "/workspace/env" }));
    let result = json!(format!("number={number}\nkey=AKIA{number:0>16}\n"));
    let outcome = turn.tool(call, |_| async { result }).await;
    expect(outcome.for_model().as_str(), &format!("number={number}\nkey=[redacted: aws-access-key]\n"))
}

/// The events are this session's, and as many as its conversation has. Returns how many tools did not run.
fn all_ours(session: &Session, events: &mut Events, number: usize) -> Result<usize, Fault> {
    let mut asked = 0;
    let mut blocked = 0;
    while let Some(event) = events.try_next() {
        expect(&event.session_id, session.id())?;
        match event.kind {
            EventKind::ApprovalResolved { .. } => asked += 1,
            EventKind::ToolBlocked { .. } => blocked += 1,
            EventKind::HookFailed { hook, failure, .. } => return Err(format!("{hook}: {failure}").into()),
            _ => {}
        }
    }
    let expected = (number % 2, usize::from(number % 4 == 3) + usize::from(number.is_multiple_of(3)));
    if (asked, blocked) == expected {
        Ok(blocked)
    } else {
        Err(format!("asked and blocked {:?} times, not {expected:?}", (asked, blocked)).into())
    }
}

fn expect(found: &str, expected: &str) -> Result<(), Fault> {
    if found == expected { Ok(()) } else { Err(format!("`{found}` instead of `{expected}`").into()) }
}

fn resident() -> Result<f64, Fault> {
    let stats = memory_stats::memory_stats().ok_or("the memory of this process cannot be read")?;
    Ok(stats.physical_mem as f64 / f64::from(1 << 20))
}
