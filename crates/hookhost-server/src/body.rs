//! Reading a request's body: how much, how long, and as what.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use axum::http::{HeaderMap, StatusCode};
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use tokio::time::{Instant, timeout_at};

use crate::app::App;
use crate::error::ApiError;

/// The largest body, in bytes.
pub(crate) const BODY_LIMIT: usize = 1 << 20;
/// So much of a larger one is still taken, and thrown away: a client that is cut off while it sends often never reads the
/// answer.
const PATIENCE: usize = 16 << 20;

/// A body of JSON.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        check_type(request.headers())?;
        let (parts, body) = request.into_parts();
        let bytes = read(&parts.headers, body, Instant::now() + app.body_timeout).await?;
        parse(&bytes).map(Self)
    }
}

/// A browser sends other types to anybody without asking first. So this is no formality.
fn check_type(headers: &HeaderMap) -> Result<(), ApiError> {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = given.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(ApiError::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "not_json",
        "the body is not said to be JSON: send `Content-Type: application/json`",
    ))
}

async fn read(headers: &HeaderMap, mut body: Body, deadline: Instant) -> Result<Bytes, ApiError> {
    let announced: Option<usize> =
        headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()).and_then(|length| length.parse().ok());
    if announced.is_some_and(|length| length > BODY_LIMIT) && headers.contains_key(EXPECT) {
        // It waits for a word before it sends anything.
        return Err(too_large());
    }
    let mut read = BytesMut::new();
    let mut length = 0;
    loop {
        let frame = match timeout_at(deadline, body.frame()).await {
            Err(_) if length > BODY_LIMIT => return Err(too_large()),
            Err(_) => {
                return Err(ApiError::new(
                    StatusCode::REQUEST_TIMEOUT,
                    "too_slow",
                    "the body took too long to come: send it at once",
                ));
            }
            Ok(None) if length > BODY_LIMIT => return Err(too_large()),
            Ok(None) => return Ok(read.freeze()),
            Ok(Some(Err(error))) => {
                return Err(ApiError::new(
                    StatusCode::BAD_REQUEST,
                    "bad_body",
                    format!("the body ended before it was complete: {error}"),
                ));
            }
            Ok(Some(Ok(frame))) => frame,
        };
        let Ok(data) = frame.into_data() else { continue };
        length += data.len();
        if length <= BODY_LIMIT {
            read.extend_from_slice(&data);
        } else if length > PATIENCE {
            return Err(too_large());
        }
    }
}

fn too_large() -> ApiError {
    ApiError::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "too_large",
        format!("the body is larger than {BODY_LIMIT} bytes, which is the limit"),
    )
}

/// Bad JSON is a 400, with its place; JSON that is not what was asked for is a 422, with its place and key.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let Object(value) = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        match error.inner().is_data() && path != "." {
            true => json_error(error.into_inner()).path(path),
            false => json_error(error.into_inner()),
        }
    })?;
    deserializer.end().map_err(json_error)?;
    Ok(value)
}

fn json_error(error: serde_json::Error) -> ApiError {
    let (line, column) = (error.line(), error.column());
    let error = match error.is_data() {
        true => ApiError::unprocessable("wrong_shape", error.to_string()),
        false => ApiError::new(StatusCode::BAD_REQUEST, "bad_json", format!("the body is not JSON: {error}")),
    };
    error.place(line, column)
}

/// An object. Left to itself, a derived reader takes a list for one, too: its fields, in the order of the source code.
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData)).map(Self)
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}
