//! `GET /metrics`, for Prometheus.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::error::ApiError;
use crate::openapi::NotLetIn;

/// What the service has done, in Prometheus's text format.
#[utoipa::path(
    get, path = "/metrics", tag = "operate", security((), ("token" = [])),
    responses(
        (status = 200, description = "The metrics", content_type = "text/plain", body = String),
        NotLetIn,
    )
)]
pub(crate) async fn metrics(State(app): State<Arc<App>>) -> Response {
    match app.metrics.text(&app.host).await {
        Ok(text) => ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response(),
        Err(error) => ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", error.to_string()).into_response(),
    }
}
