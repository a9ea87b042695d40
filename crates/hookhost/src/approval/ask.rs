//! One question, from the request to what it means.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt;
use futures_timer::Delay;
use hookhost_contract::{Approval, ApprovalDefault, JsonObject, Point};
use uuid::Uuid;

use super::{ApprovalAnswer, ApprovalRequest, Approver, AskedBy, PayloadHash, options_of};
use crate::event::{EventKind, ResolvedBy};
use crate::turn::Place;

/// What somebody wants a person asked.
pub(crate) struct Question<'a> {
    pub(crate) point: &'a Point,
    pub(crate) payload: &'a JsonObject,
    /// Never empty.
    pub(crate) asked_by: Vec<AskedBy>,
    pub(crate) terms: Approval,
}

/// Asks a person, unless that very payload has been allowed for the session. `Err` is what the model is told of a no.
///
/// Nothing but an answer, or a hook's own default after its time, is a yes.
pub(crate) async fn ask(place: &Place, question: Question<'_>) -> Result<(), String> {
    let session = place.session();
    let hash = PayloadHash::of(question.point, question.payload);
    if session.granted.contains(&hash) {
        place.emit(EventKind::ApprovalReused {
            point: question.point.clone(),
            tool_name: tool_name(&question),
            payload_hash: hash,
        });
        return Ok(());
    }
    let request = request(place, question, hash);
    let pending = Pending::new(place, &request);
    let (answer, by) = match &session.approver {
        Some(approver) => answered(approver.as_ref(), &request).await,
        None => {
            let message = Some("nobody can be asked here".to_owned());
            (ApprovalAnswer::Deny { message }, ResolvedBy::NoApprover)
        }
    };
    let answer = request.limited(answer);
    // Before anything else can happen to the turn: what a person has said for the session holds.
    if answer == ApprovalAnswer::AllowAlways {
        session.granted.add(hash);
    }
    pending.resolved(&answer, by);
    match answer {
        ApprovalAnswer::AllowOnce | ApprovalAnswer::AllowAlways => Ok(()),
        ApprovalAnswer::Deny { message } => Err(denial(message.as_deref(), by)),
    }
}

fn tool_name(question: &Question<'_>) -> Option<String> {
    question.point.tool_name(question.payload).map(str::to_owned)
}

fn request(place: &Place, question: Question<'_>, hash: PayloadHash) -> ApprovalRequest {
    let terms = &question.terms;
    let reason = question.asked_by.first().map(|asked_by| asked_by.reason.clone());
    ApprovalRequest {
        id: Uuid::now_v7().to_string(),
        session_id: place.session().id.clone(),
        turn_id: place.turn_id().to_owned(),
        point: question.point.clone(),
        tool_name: tool_name(&question),
        prompt: terms.prompt.clone().or(reason).unwrap_or_default(),
        options: options_of(terms),
        // The contract admits no other number; a wrong one here must not panic.
        timeout: Duration::try_from_secs_f64(terms.timeout_seconds).unwrap_or_default(),
        default: terms.default,
        payload: question.payload.clone(),
        payload_hash: hash,
        asked_by: question.asked_by,
    }
}

/// The approver's answer within the question's time. An approver that panics has said no.
async fn answered(approver: &dyn Approver, request: &ApprovalRequest) -> (ApprovalAnswer, ResolvedBy) {
    // The inner block also catches a panic of `ask` itself, before there is a future.
    let asked = AssertUnwindSafe(async { approver.ask(request.clone()).await }).catch_unwind();
    let over = Delay::new(request.timeout);
    futures::pin_mut!(asked, over);
    match futures::future::select(asked, over).await {
        futures::future::Either::Left((Ok(answer), _)) => (answer, ResolvedBy::Approver),
        futures::future::Either::Left((Err(_panic), _)) => {
            tracing::error!(target: "hookhost::approval", id = request.id, "the approver panicked");
            (ApprovalAnswer::Deny { message: Some("asking failed".to_owned()) }, ResolvedBy::Failed)
        }
        futures::future::Either::Right(_) => match request.default {
            ApprovalDefault::Allow => (ApprovalAnswer::AllowOnce, ResolvedBy::TimedOut),
            ApprovalDefault::Deny => {
                let message = format!("nobody answered within {} s", request.timeout.as_secs_f64());
                (ApprovalAnswer::Deny { message: Some(message) }, ResolvedBy::TimedOut)
            }
        },
    }
}

/// What the model is told.
fn denial(message: Option<&str>, by: ResolvedBy) -> String {
    match (by, message) {
        (ResolvedBy::Approver, Some(message)) => format!("Denied by the user: {message}"),
        (ResolvedBy::Approver, None) => "Denied by the user.".to_owned(),
        (_, Some(message)) => format!("Not approved: {message}."),
        (_, None) => "Not approved.".to_owned(),
    }
}

/// A question under way. It is resolved once, whatever happens: dropped with its turn, it is taken back.
struct Pending<'a> {
    place: &'a Place,
    id: String,
    open: bool,
}

impl<'a> Pending<'a> {
    fn new(place: &'a Place, request: &ApprovalRequest) -> Self {
        place.emit(EventKind::ApprovalRequested { request: Box::new(request.clone()) });
        Self { place, id: request.id.clone(), open: true }
    }

    fn resolved(mut self, answer: &ApprovalAnswer, by: ResolvedBy) {
        self.resolve(answer, by);
    }

    fn resolve(&mut self, answer: &ApprovalAnswer, by: ResolvedBy) {
        self.open = false;
        let message = match answer {
            ApprovalAnswer::Deny { message } => message.clone(),
            _ => None,
        };
        self.place.emit(EventKind::ApprovalResolved { id: self.id.clone(), choice: answer.choice(), by, message });
    }
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        if self.open {
            self.resolve(&ApprovalAnswer::Deny { message: None }, ResolvedBy::Dropped);
        }
    }
}
