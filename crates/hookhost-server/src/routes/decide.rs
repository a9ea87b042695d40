//! `POST /v1/decide`: one decision.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use hookhost::Decision;
use tracing::Instrument;

use crate::app::App;
use crate::body::JsonBody;
use crate::error::ApiError;
use crate::feed::Via;
use crate::openapi::{NotLetIn, NotUnderstood};
use crate::request::CallRequest;

/// Ask the hooks about a call.
///
/// The answer is 200 for every decision, a block too: what counts is `action`. Anything else than 200 is no decision, and
/// a loop must take it for a block.
#[utoipa::path(
    post, path = "/v1/decide", tag = "decide", security(("token" = [])),
    request_body(content = ref("#/components/schemas/CallRequest"), content_type = "application/json"),
    responses(
        (status = 200, description = "The decision", body = ref("#/components/schemas/Decision")),
        NotUnderstood,
        NotLetIn,
    )
)]
pub(crate) async fn decide(
    State(app): State<Arc<App>>,
    JsonBody(request): JsonBody<CallRequest>,
) -> Result<Json<Decision>, ApiError> {
    ask(&app, request, Via::Decide).await.map(Json)
}

/// Asks the hooks. The decision is finished and noted even if whoever asked goes away meanwhile.
pub(super) async fn ask(app: &Arc<App>, request: CallRequest, via: Via) -> Result<Decision, ApiError> {
    let call = request.into_call(&app.host)?;
    let Ok(room) = app.room.clone().try_acquire_owned() else {
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", "too many decisions are under way")
            .header(RETRY_AFTER, HeaderValue::from_static("1")));
    };
    let deciding = {
        let app = app.clone();
        async move {
            let _room = room;
            let started = Instant::now();
            let decision = app.host.decide(call).await;
            app.note(&decision, via, started);
            decision
        }
    };
    let span = tracing::info_span!(target: "hookhost::http", "decide", via = via.as_str());
    let decided = app.decisions.spawn(deciding.instrument(span)).await;
    decided.map_err(|error| {
        tracing::error!(target: "hookhost::http", %error, "a decision was lost");
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the decision was lost: see the service's log")
    })
}
