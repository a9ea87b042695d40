//! `POST /v1/reload`: what is on disk now.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use hookhost::Reload;

use crate::app::App;
use crate::error::ApiError;
use crate::openapi::NotLetIn;

/// Read hooks, tokens and certificate again.
///
/// Decisions go on meanwhile. A hook that cannot be loaded any more keeps its last good version.
#[utoipa::path(
    post, path = "/v1/reload", tag = "operate", security(("token" = [])),
    responses(
        (status = 200, description = "What was reloaded", body = ref("#/components/schemas/Reload")),
        NotLetIn,
        (status = 409, description = "Something cannot be used, and everything stays as it was", body = ref("#/components/schemas/ErrorBody")),
    )
)]
pub(crate) async fn reload(State(app): State<Arc<App>>) -> Result<Json<Reload>, ApiError> {
    app.reload().await.map(Json).map_err(|error| {
        let message = format!("everything stays as it was: {error}");
        ApiError::new(StatusCode::CONFLICT, "reload_failed", message)
    })
}
