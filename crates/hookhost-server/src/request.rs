//! What a decision is asked for with.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use hookhost::{Call, Caller, HookHost, HookState, JsonObject, Point, plain_object, suggest};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use crate::body::Object;
use crate::error::ApiError;

/// A call that hooks are asked about.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CallRequest {
    /// Where in the turn the call is made.
    #[schemars(extend("enum" = Point::NAMES))]
    point: String,
    /// Ask only this hook. Left out: the whole chain.
    #[serde(default)]
    hook_name: Option<String>,
    /// What the hooks are asked about: an object, whose keys depend on the point.
    #[serde(deserialize_with = "payload")]
    payload: JsonObject,
    /// `ctx.scopeId`. Without it hooks see none.
    #[serde(default)]
    scope_id: Option<String>,
    /// `ctx.context`. Without it hooks see none.
    #[serde(default)]
    context: Option<BTreeMap<String, String>>,
    /// `ctx.caller`: who is behind the turn.
    #[serde(default, deserialize_with = "caller")]
    caller: Option<Caller>,
    /// `ctx.sessionId`.
    #[serde(default)]
    session_id: Option<String>,
    /// `ctx.turnId`.
    #[serde(default)]
    turn_id: Option<String>,
}

fn payload<'de, D: Deserializer<'de>>(deserializer: D) -> Result<JsonObject, D::Error> {
    Ok(plain_object(deserializer)?.unwrap_or_default())
}

fn caller<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Caller>, D::Error> {
    Ok(Option::<Object<Caller>>::deserialize(deserializer)?.map(|Object(caller)| caller))
}

impl CallRequest {
    /// The call, once it is sure that somebody can be asked.
    pub(crate) fn into_call(self, host: &HookHost) -> Result<Call, ApiError> {
        let point = point(&self.point)?;
        if let Some(hook) = &self.hook_name {
            expect_hook(host, hook, &point)?;
        }
        let mut call = Call::new(point, self.payload);
        call.only_hook = self.hook_name;
        call.scope_id = self.scope_id;
        call.context = self.context;
        call.caller = self.caller;
        call.session_id = self.session_id;
        call.turn_id = self.turn_id;
        Ok(call)
    }
}

fn point(name: &str) -> Result<Point, ApiError> {
    match name.parse::<Point>() {
        Ok(point) if !point.is_event() => Ok(point),
        Ok(_) => {
            let message = format!("`{name}` is an event, and decisions are made at the points of a turn");
            Err(ApiError::unprocessable("unknown_point", message).path("point").known(Point::NAMES))
        }
        Err(error) => {
            Err(ApiError::unprocessable("unknown_point", error.to_string()).path("point").known(Point::NAMES))
        }
    }
}

/// Asking a hook that would not be called says nothing about it.
fn expect_hook(host: &HookHost, name: &str, point: &Point) -> Result<(), ApiError> {
    let report = host.report();
    let called = || report.hooks.iter().filter(|hook| hook.state != HookState::Disabled).map(|hook| hook.name.as_str());
    let Some(hook) = report.hooks.iter().find(|hook| hook.name == name) else {
        let message = match suggest(name, called()) {
            Some(meant) => format!("there is no hook `{name}`; did you mean `{meant}`?"),
            None => format!("there is no hook `{name}`"),
        };
        let error = ApiError::new(StatusCode::NOT_FOUND, "unknown_hook", message);
        return Err(error.path("hookName").known(called()));
    };
    if hook.state == HookState::Disabled {
        let message = format!("hook `{name}` is switched off: take it out of hooks.disabled in amodal.json");
        return Err(ApiError::unprocessable("hook_disabled", message).path("hookName").known(called()));
    }
    if !hook.points.contains(point) {
        let message = format!("hook `{name}` is not called at {point}: its hook.json binds it to other points");
        let points = hook.points.iter().map(|point| point.as_str());
        return Err(ApiError::unprocessable("hook_not_bound", message).path("hookName").known(points));
    }
    Ok(())
}
