//! The page at `/`, for people. Its files are in the program.

use std::sync::Arc;

use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use axum::routing::get;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::app::App;

/// Nothing but its own files, no script in the page, and nobody else's frame: payloads are hostile.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(super) fn router() -> Router<Arc<App>> {
    let mut router = Router::new();
    macro_rules! file {
        ($path:literal, $kind:literal, $name:literal) => {
            let answer = || async { ([(CONTENT_TYPE, $kind)], include_str!(concat!("../assets/", $name))) };
            router = router.route($path, get(answer));
        };
    }
    file!("/", "text/html; charset=utf-8", "index.html");
    file!("/assets/style.css", "text/css; charset=utf-8", "style.css");
    file!("/assets/page.js", "text/javascript; charset=utf-8", "page.js");
    file!("/assets/api.js", "text/javascript; charset=utf-8", "api.js");
    file!("/assets/decision.js", "text/javascript; charset=utf-8", "decision.js");
    file!("/assets/diff.js", "text/javascript; charset=utf-8", "diff.js");
    file!("/assets/dom.js", "text/javascript; charset=utf-8", "dom.js");
    file!("/assets/hooks.js", "text/javascript; charset=utf-8", "hooks.js");
    file!("/assets/live.js", "text/javascript; charset=utf-8", "live.js");
    router
        .layer(SetResponseHeaderLayer::overriding(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)))
        .layer(SetResponseHeaderLayer::overriding(REFERRER_POLICY, HeaderValue::from_static("no-referrer")))
        // After an update of the service the old page would not fit.
        .layer(SetResponseHeaderLayer::overriding(CACHE_CONTROL, HeaderValue::from_static("no-cache")))
}
