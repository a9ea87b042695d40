//! The one place where a request is let in or not.

use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::address;
use super::credentials::Credentials;
use super::failures::Failures;
use super::role::{Identity, Right, Role};
use crate::app::App;
use crate::error::ApiError;

/// Knows who is let in.
pub(crate) struct Guard {
    credentials: RwLock<Arc<Credentials>>,
    failures: Failures,
    /// How many proxies of our own stand before the service.
    proxies: usize,
}

impl Guard {
    pub(crate) fn new(credentials: Credentials, proxies: usize) -> Self {
        Self { credentials: RwLock::new(Arc::new(credentials)), failures: Failures::new(), proxies }
    }

    fn credentials(&self) -> Arc<Credentials> {
        self.credentials.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// True if nobody has to show a token.
    pub(crate) fn is_open(&self) -> bool {
        self.credentials().is_empty()
    }

    /// Takes other credentials from now on.
    pub(crate) fn replace(&self, credentials: Credentials) {
        *self.credentials.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(credentials);
    }

    /// Who makes the request.
    fn identify(&self, request: &Request) -> Result<Identity, Refused> {
        let credentials = self.credentials();
        let peer = address::peer(request.extensions());
        if credentials.is_empty() {
            return match from_this_machine(peer, request.uri(), request.headers()) {
                Ok(()) => Ok(Identity { name: "local".to_owned(), role: Role::Operator }),
                Err(why) => Err(Refused::NotLocal(why)),
            };
        }
        let token = bearer(request.headers())?;
        credentials.identify(token).map_err(|why| {
            let client = peer.map(|peer| address::client(peer, request.headers(), self.proxies));
            match client.map(|client| self.failures.count(client)) {
                Some(Err(wait)) => Refused::TooMany { seconds: wait.as_secs() + 1 },
                _ => {
                    let client = client.map(tracing::field::display);
                    tracing::warn!(target: "hookhost::auth", client, why, "an unknown token was refused");
                    Refused::Unknown
                }
            }
        })
    }
}

/// Why somebody is not let in.
enum Refused {
    NoToken,
    Malformed,
    Unknown,
    TooMany {
        seconds: u64,
    },
    NotLocal(&'static str),
    /// Known, and not allowed to do this.
    Forbidden(Identity),
}

impl Refused {
    /// One word, for the metrics.
    fn reason(&self) -> &'static str {
        match self {
            Self::NoToken => "no_token",
            Self::Malformed => "malformed",
            Self::Unknown => "unknown_token",
            Self::TooMany { .. } => "too_many",
            Self::NotLocal(_) => "not_local",
            Self::Forbidden(_) => "forbidden",
        }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let (error, challenge) = match self {
            Self::NoToken => (
                ApiError::new(StatusCode::UNAUTHORIZED, "no_token", "send a token: `Authorization: Bearer <token>`"),
                r#"Bearer realm="hookhost""#,
            ),
            Self::Malformed => (
                ApiError::new(
                    StatusCode::UNAUTHORIZED,
                    "malformed_authorization",
                    "the Authorization header is not `Bearer <token>`",
                ),
                r#"Bearer realm="hookhost", error="invalid_request""#,
            ),
            Self::Unknown => (
                ApiError::new(StatusCode::UNAUTHORIZED, "unknown_token", "this token is unknown, or has expired"),
                r#"Bearer realm="hookhost", error="invalid_token""#,
            ),
            Self::TooMany { seconds } => {
                let message = format!("too many wrong tokens from this address: try again in {seconds} s");
                let error = ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_failures", message);
                return error.header(RETRY_AFTER, seconds.into()).into_response();
            }
            Self::NotLocal(why) => return ApiError::new(StatusCode::FORBIDDEN, "not_local", why).into_response(),
            Self::Forbidden(Identity { role, .. }) => {
                let message = format!("a token with the role {role} may not do this");
                return ApiError::new(StatusCode::FORBIDDEN, "forbidden", message).into_response();
            }
        };
        error.header(WWW_AUTHENTICATE, HeaderValue::from_static(challenge)).into_response()
    }
}

/// The token that the request shows.
fn bearer(headers: &HeaderMap) -> Result<&str, Refused> {
    let mut shown = headers.get_all(AUTHORIZATION).iter();
    let (first, another) = (shown.next().ok_or(Refused::NoToken)?, shown.next());
    let (scheme, token) = first.to_str().ok().and_then(|text| text.split_once(' ')).ok_or(Refused::Malformed)?;
    let token = token.trim();
    if another.is_some() || !scheme.eq_ignore_ascii_case("bearer") || token.is_empty() || token.contains(' ') {
        return Err(Refused::Malformed);
    }
    Ok(token)
}

/// What proxies add.
const FORWARDED: [&str; 6] =
    ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/// Without tokens, the service is open to this machine. A page of somebody else in a browser here is not of this machine:
/// it would call under its own name (`Host`, after its owner has let that name mean 127.0.0.1), or say where it comes from
/// (`Origin`).
fn from_this_machine(peer: Option<IpAddr>, uri: &Uri, headers: &HeaderMap) -> Result<(), &'static str> {
    if !peer.is_some_and(|peer| peer.is_loopback()) {
        return Err("no tokens are configured, so the service is open to its own machine only");
    }
    // A proxy on this machine brings the requests of others.
    if FORWARDED.iter().any(|name| headers.contains_key(*name)) {
        return Err("no tokens are configured, so the service answers to nobody behind a proxy");
    }
    let named = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = named(HOST).or_else(|| uri.authority().map(|authority| authority.as_str()));
    if !host.is_some_and(is_local_name) {
        return Err("no tokens are configured, so the service answers to `localhost` and to loopback addresses only");
    }
    match named(ORIGIN) {
        Some(origin) if origin.split_once("://").map(|(_, of)| of) != host => {
            Err("no tokens are configured, so the service answers to its own page only")
        }
        _ => Ok(()),
    }
}

/// Whether a `Host` names this machine, with or without a port.
fn is_local_name(host: &str) -> bool {
    let Ok(authority) = host.parse::<axum::http::uri::Authority>() else { return false };
    let name = authority.host();
    let address = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// For routes that look, test and decide.
pub(crate) async fn require_use(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    require(&app, Right::Use, request, next).await
}

/// For routes that change what the service does.
pub(crate) async fn require_operate(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    require(&app, Right::Operate, request, next).await
}

/// Nothing of the body has been read yet.
async fn require(app: &App, right: Right, request: Request, next: Next) -> Response {
    let admitted = app.guard.identify(&request).and_then(|identity| match identity.role.may(right) {
        true => Ok(identity),
        false => {
            tracing::warn!(target: "hookhost::auth", name = identity.name, role = identity.role.as_str(), "a token may not do this");
            Err(Refused::Forbidden(identity))
        }
    });
    match admitted {
        Ok(identity) => {
            let mut response = next.run(request).await;
            // For the line in the log.
            response.extensions_mut().insert(identity);
            response
        }
        Err(refused) => {
            app.metrics.refused(refused.reason());
            refused.into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_somebody_else_is_not_of_this_machine() {
        let local = Some(IpAddr::from([127, 0, 0, 1]));
        let ask = |peer, headers: &[(&'static str, &str)]| {
            let headers =
                headers.iter().map(|(name, value)| (axum::http::HeaderName::from_static(name), value.parse().unwrap()));
            from_this_machine(peer, &Uri::from_static("/v1/decide"), &headers.collect()).is_ok()
        };
        assert!(ask(local, &[("host", "127.0.0.1:8787")]));
        assert!(ask(local, &[("host", "localhost")]));
        assert!(ask(local, &[("host", "[::1]:8787"), ("origin", "http://[::1]:8787")]));
        assert!(!ask(local, &[("host", "rebound.example:8787")]));
        assert!(!ask(local, &[("host", "localhost.example")]));
        assert!(!ask(local, &[("host", "127.0.0.1:8787"), ("origin", "https://page.example")]));
        assert!(!ask(local, &[("host", "127.0.0.1:8787"), ("origin", "http://localhost:3000")]));
        assert!(!ask(local, &[("host", "127.0.0.1:8787"), ("origin", "null")]));
        assert!(!ask(local, &[]));
        for name in ["forwarded", "via", "x-forwarded-for", "x-real-ip"] {
            assert!(!ask(local, &[("host", "127.0.0.1:8787"), (name, "192.0.2.1")]), "{name}");
        }
        assert!(!ask(Some(IpAddr::from([192, 0, 2, 1])), &[("host", "127.0.0.1:8787")]));
        assert!(!ask(None, &[("host", "127.0.0.1:8787")]));
    }

    #[test]
    fn only_one_bearer_token_is_a_token() {
        let token = |values: &[&str]| {
            let headers = values.iter().map(|value| (AUTHORIZATION, value.parse().unwrap())).collect();
            bearer(&headers).ok().map(str::to_owned)
        };
        assert_eq!(token(&["Bearer abc"]).as_deref(), Some("abc"));
        assert_eq!(token(&["bearer  abc "]).as_deref(), Some("abc"));
        for wrong in [&[][..], &["abc"], &["Basic abc"], &["Bearer "], &["Bearer a b"], &["Bearer a", "Bearer b"]] {
            assert_eq!(token(wrong), None, "{wrong:?}");
        }
    }
}
