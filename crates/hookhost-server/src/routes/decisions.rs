//! `GET /v1/decisions`: the latest decisions, and those to come.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures::stream::{self, Stream, StreamExt};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::timeout;

use crate::app::App;
use crate::error::ApiError;
use crate::feed::{News, Summary};
use crate::openapi::NotLetIn;
use crate::usage::Endless;

/// A stream ends after so long, since a token may end, too. Whoever watches connects again.
const LONGEST: Duration = Duration::from_secs(15 * 60);
/// So many may watch at once: each holds a connection.
const WATCHERS: usize = 64;

/// Watch decisions.
///
/// A stream of server-sent events: `decision` with a summary (the latest hundred first, oldest first), and `reload` when the
/// hooks were reloaded. It ends after a reload, and after fifteen minutes: connect again. It knows the decisions of this process
/// only.
#[utoipa::path(
    get, path = "/v1/decisions", tag = "decide", security(("token" = [])),
    responses(
        (status = 200, description = "Events", content_type = "text/event-stream", body = String),
        NotLetIn,
        (status = 503, description = "Too many are watching, or the service is about to end", body = ref("#/components/schemas/ErrorBody")),
    )
)]
pub(crate) async fn decisions(
    State(app): State<Arc<App>>,
) -> Result<(Extension<Endless>, Sse<impl Stream<Item = Result<Event, Infallible>>>), ApiError> {
    if app.is_draining() || app.feed.watchers() >= WATCHERS {
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "not_now", "nobody more can watch at the moment")
            .header(RETRY_AFTER, HeaderValue::from_static("5")));
    }
    let (kept, watcher) = app.feed.watch();
    let to_come = stream::unfold(Some(watcher), |watcher| async {
        let mut watcher = watcher?;
        loop {
            match watcher.recv().await {
                Ok(News::Decided(summary)) => return Some((decision_event(&summary), Some(watcher))),
                // The token may not be known any more.
                Ok(News::Reloaded) => return Some((Event::default().event("reload").data("{}"), None)),
                // Too slow: the oldest are left out.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    });
    let mut draining = app.draining.subscribe();
    let end = async move {
        let _ = timeout(LONGEST, draining.wait_for(|draining| *draining)).await;
    };
    let kept = stream::iter(kept.into_iter().map(|summary| decision_event(&summary)).collect::<Vec<_>>());
    let events = kept.chain(to_come).take_until(end).map(Ok);
    let stream = Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)));
    Ok((Extension(Endless), stream))
}

fn decision_event(summary: &Summary) -> Event {
    Event::default().event("decision").json_data(summary).unwrap_or_else(|_| Event::default().comment("lost"))
}
