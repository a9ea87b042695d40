//! What is noted of every request, and what every answer carries.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::CONNECTION;
use axum::http::{HeaderName, HeaderValue, Version};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

use crate::app::App;
use crate::auth::Identity;

/// Names a request in logs. A client may bring its own.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Names the request, counts it, and writes the line in the log.
pub(crate) async fn observe(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = request_id(&request);
    let route = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    let version = request.version();
    let span = tracing::info_span!(target: "hookhost::http", "request",
        request_id = id.to_str().unwrap_or_default(), method = method.as_str(), route);
    #[cfg(feature = "otel")]
    crate::otel::follow(&span, request.headers());

    app.metrics.in_flight.inc();
    let in_flight = InFlight(&app);
    let mut response = next.run(request).instrument(span.clone()).await;
    drop(in_flight);

    let (took, status) = (started.elapsed(), response.status());
    app.metrics.answered(&route, &method, status, took);
    let caller = response.extensions_mut().remove::<Identity>();
    // Probes come all the time, and say nothing.
    let is_probe = ["/healthz", "/readyz"].contains(&route.as_str());
    macro_rules! line {
        ($level:ident) => {
            tracing::$level!(target: "hookhost::http", parent: &span, status = status.as_u16(),
                duration_ms = took.as_secs_f64() * 1e3, caller = caller.as_ref().map(|caller| caller.name.as_str()),
                role = caller.as_ref().map(|caller| caller.role.as_str()), "answered")
        };
    }
    if is_probe {
        line!(debug)
    } else {
        line!(info)
    }
    response.headers_mut().insert(REQUEST_ID, id);
    if app.is_draining() && version <= Version::HTTP_11 {
        // The client opens its next connection elsewhere, and is not cut off in the middle of a request.
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Counts down even if the request is given up.
struct InFlight<'a>(&'a App);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.metrics.in_flight.dec();
    }
}

/// The client's own name for the request if it is a short word, which no log is spoiled by; else a new one.
fn request_id(request: &Request) -> HeaderValue {
    let given = request.headers().get(REQUEST_ID).filter(|id| {
        let id = id.as_bytes();
        (1..=128).contains(&id.len()) && id.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:/+=".contains(byte))
    });
    match given {
        Some(id) => id.clone(),
        None => HeaderValue::from_str(&uuid::Uuid::now_v7().to_string()).unwrap_or(HeaderValue::from_static("none")),
    }
}
