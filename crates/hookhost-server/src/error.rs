//! What the service answers when there is no answer.

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ErrorBody {
    pub(crate) error: ErrorDetail,
}

/// Why there is no answer: a word for programs, a sentence for people, and where.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ErrorDetail {
    /// A word, which does not change: `bad_json`, `unknown_hook` and the like.
    pub(crate) code: &'static str,
    /// What is wrong, and what to do.
    pub(crate) message: String,
    /// The line in the body, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
    /// The column in that line, in bytes, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<usize>,
    /// The key in the body, as in `caller.userId`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    /// What is known in place of what was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) known: Option<Vec<String>>,
}

/// An answer that is none.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    /// In a box, so that results are small.
    detail: Box<ErrorDetail>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        let detail = ErrorDetail { code, message: message.into(), line: None, column: None, path: None, known: None };
        Self { status, detail: Box::new(detail), headers: Vec::new() }
    }

    /// The body is understood, and asks for something that is not there.
    pub(crate) fn unprocessable(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }

    pub(crate) fn place(mut self, line: usize, column: usize) -> Self {
        (self.detail.line, self.detail.column) = (Some(line), Some(column));
        self
    }

    pub(crate) fn path(mut self, path: impl Into<String>) -> Self {
        self.detail.path = Some(path.into());
        self
    }

    pub(crate) fn known(mut self, known: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.detail.known = Some(known.into_iter().map(Into::into).collect());
        self
    }

    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(ErrorBody { error: *self.detail })).into_response();
        response.headers_mut().extend(self.headers);
        response
    }
}
