//! `GET /openapi.json`: this service, for programs.

use std::sync::Arc;

use axum::Extension;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use utoipa::openapi::OpenApi;

/// The document as text.
#[derive(Clone)]
pub(crate) struct Document(Arc<str>);

impl Document {
    pub(super) fn of(document: OpenApi) -> Self {
        Self(crate::openapi::text(document).into())
    }
}

/// This document.
#[utoipa::path(
    get, path = "/openapi.json", tag = "operate",
    responses((status = 200, description = "An OpenAPI document", content_type = "application/json", body = Object))
)]
pub(crate) async fn document(Extension(Document(text)): Extension<Document>) -> Response {
    ([(CONTENT_TYPE, "application/json")], text.to_string()).into_response()
}
