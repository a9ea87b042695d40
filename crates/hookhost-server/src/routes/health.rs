//! `/healthz` and `/readyz`, for whatever keeps the service running.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;

/// How the service is, in a word.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Health {
    status: &'static str,
}

/// Is the process alive?
///
/// It does not say whether hooks can be started: a hook that cannot be is decided by its fail policy, and starting the
/// service again would not mend it.
#[utoipa::path(
    get, path = "/healthz", tag = "operate",
    responses((status = 200, description = "It is", body = ref("#/components/schemas/Health")))
)]
pub(crate) async fn healthz() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// May requests come?
#[utoipa::path(
    get, path = "/readyz", tag = "operate",
    responses(
        (status = 200, description = "They may", body = ref("#/components/schemas/Health")),
        (status = 503, description = "The service is about to end", body = ref("#/components/schemas/Health")),
    )
)]
pub(crate) async fn readyz(State(app): State<Arc<App>>) -> (StatusCode, Json<Health>) {
    match app.is_draining() {
        false => (StatusCode::OK, Json(Health { status: "ready" })),
        true => (StatusCode::SERVICE_UNAVAILABLE, Json(Health { status: "draining" })),
    }
}
