//! `/inspect/hooks`: what is there, and a try.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use hookhost::{Decision, Diagnostic, HookStatus, Sandbox, Severity};
use schemars::JsonSchema;
use serde::Serialize;

use super::decide::ask;
use crate::app::App;
use crate::body::JsonBody;
use crate::error::ApiError;
use crate::feed::Via;
use crate::openapi::{NotLetIn, NotUnderstood};
use crate::request::CallRequest;
use crate::tally::HookCounters;

/// What the service has loaded.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Inventory {
    /// The project's folder.
    project: String,
    /// What capabilities mean.
    sandbox: Sandbox,
    /// What hooks find around them: `web` or `node`.
    tier: &'static str,
    /// Every hook of the project and its packages: first those that are called, in that order, then those that are switched
    /// off.
    hooks: Vec<InspectedHook>,
    /// Folders that could not be loaded, and why.
    skipped: Vec<Diagnostic>,
    /// What else does not do what its author seems to expect.
    warnings: Vec<Diagnostic>,
}

/// A hook, and what it has answered.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct InspectedHook {
    #[serde(flatten)]
    status: HookStatus,
    counters: HookCounters,
}

/// List the hooks.
#[utoipa::path(
    get, path = "/inspect/hooks", tag = "inspect", security(("token" = [])),
    responses(
        (status = 200, description = "Every hook with its state and counters, and what was skipped", body = ref("#/components/schemas/Inventory")),
        NotLetIn,
    )
)]
pub(crate) async fn hooks(State(app): State<Arc<App>>) -> Json<Inventory> {
    let report = app.host.report();
    let hooks = report.hooks.into_iter();
    let hooks = hooks.map(|status| InspectedHook { counters: app.tally.of(&status.name), status }).collect();
    let (skipped, warnings) =
        report.load.diagnostics.into_iter().partition(|problem| problem.severity == Severity::Error);
    Json(Inventory {
        project: app.host.project().display().to_string(),
        sandbox: report.sandbox,
        tier: app.host.tier().as_str(),
        hooks,
        skipped,
        warnings,
    })
}

/// Try a call on one hook or on the whole chain.
///
/// The same as `/v1/decide`, and does not count as a call of the hooks.
#[utoipa::path(
    post, path = "/inspect/hooks/test", tag = "inspect", security(("token" = [])),
    request_body(content = ref("#/components/schemas/CallRequest"), content_type = "application/json"),
    responses(
        (status = 200, description = "The decision", body = ref("#/components/schemas/Decision")),
        NotUnderstood,
        NotLetIn,
    )
)]
pub(crate) async fn test(
    State(app): State<Arc<App>>,
    JsonBody(request): JsonBody<CallRequest>,
) -> Result<Json<Decision>, ApiError> {
    ask(&app, request, Via::Test).await.map(Json)
}
