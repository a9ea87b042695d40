//! One file per route.

mod decide;
mod decisions;
mod health;
mod inspect;
mod metrics;
mod openapi;
mod page;
mod reload;

use std::sync::Arc;

use axum::Router;
use axum::http::header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::{require_operate, require_use};
use crate::error::ApiError;
use crate::observe::observe;

pub(crate) use health::Health;
pub(crate) use inspect::Inventory;

/// The routes and what they are documented as.
fn documented(app: &Arc<App>) -> OpenApiRouter<Arc<App>> {
    let users = OpenApiRouter::new()
        .routes(routes!(inspect::hooks))
        .routes(routes!(inspect::test))
        .routes(routes!(decide::decide))
        .routes(routes!(decisions::decisions))
        .route_layer(from_fn_with_state(app.clone(), require_use));
    let operators = OpenApiRouter::new()
        .routes(routes!(reload::reload))
        .route_layer(from_fn_with_state(app.clone(), require_operate));
    let mut metrics = OpenApiRouter::new().routes(routes!(metrics::metrics));
    if !app.public_metrics {
        metrics = metrics.route_layer(from_fn_with_state(app.clone(), require_use));
    }
    OpenApiRouter::with_openapi(crate::openapi::frame())
        .merge(users)
        .merge(operators)
        .merge(metrics)
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
        .routes(routes!(openapi::document))
}

/// The whole service.
pub(crate) fn router(app: Arc<App>) -> Router {
    let (router, document) = documented(&app).split_for_parts();
    router
        .merge(page::router())
        .layer(axum::Extension(openapi::Document::of(document)))
        .method_not_allowed_fallback(wrong_method)
        .fallback(unknown_path)
        // From here on: the last is the outermost.
        .layer(CatchPanicLayer::custom(panicked))
        .layer(SetResponseHeaderLayer::if_not_present(CACHE_CONTROL, HeaderValue::from_static("no-store")))
        .layer(SetResponseHeaderLayer::overriding(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")))
        .layer(from_fn_with_state(app.clone(), observe))
        .with_state(app)
}

async fn unknown_path(uri: Uri) -> ApiError {
    let message = format!("there is nothing at {}: see /openapi.json", uri.path());
    ApiError::new(StatusCode::NOT_FOUND, "unknown_path", message)
}

async fn wrong_method(method: Method, uri: Uri) -> ApiError {
    let message = format!("{} does not answer to {method}: see /openapi.json", uri.path());
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", message)
}

/// A bug. Whoever asked gets no decision, and the service goes on.
fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    tracing::error!(target: "hookhost::http", "a request panicked");
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "something went wrong here: see the service's log")
        .into_response()
}
