//! What the report says of each hook.

use hookhost::{DiagnosticCode, FailPolicy, FailureCause, HookState, Mode, Point};
use serde_json::json;

use crate::support::{MANIFEST, Project, ask};

const ALLOWS: &str = "export default { run: () => ({ action: 'allow' }) };";

#[tokio::test]
async fn each_hook_has_its_state() {
    let project = Project::new()
        .hook("a-ready", MANIFEST, ALLOWS)
        .hook("b-failing", MANIFEST, "\nthrow new Error('no rules');")
        .hook("c-disabled", MANIFEST, "throw new Error('not even imported');")
        .hook("d-skipped", "{}", ALLOWS)
        .file("amodal.json", r#"{"hooks": {"disabled": ["c-disabled"]}}"#);
    let report = project.host().await.report();
    let states: Vec<_> = report.hooks.iter().map(|hook| (hook.name.as_str(), hook.state.as_str())).collect();
    assert_eq!(states, [("a-ready", "ready"), ("b-failing", "failing"), ("c-disabled", "disabled")]);

    let HookState::Failing { failure } = &report.hooks[1].state else { panic!("failing") };
    assert_eq!(failure.cause, FailureCause::LoadFailed);
    assert_eq!((failure.message.as_str(), failure.at.as_deref()), ("Error: no rules", Some("index.mjs:2:7")));

    let problems: Vec<_> = report.load.warnings().map(|problem| (problem.code, problem.hook.as_deref())).collect();
    assert_eq!(problems, [(DiagnosticCode::HookSkipped, Some("d-skipped"))]);
}

#[tokio::test]
async fn hooks_are_listed_in_the_order_in_which_they_are_called() {
    let project = Project::new()
        .hook("a", r#"{"points": ["preInput"], "priority": 3}"#, ALLOWS)
        .hook("b", r#"{"points": ["preInput"], "priority": -1}"#, ALLOWS)
        .hook("c", r#"{"points": ["preInput"], "priority": 9}"#, ALLOWS)
        .hook("off", r#"{"points": ["preInput"], "priority": -9}"#, ALLOWS)
        .file("amodal.json", r#"{"hooks": {"order": ["c"], "disabled": ["off"]}}"#);
    let host = project.host().await;
    assert_eq!(host.hook_names(), ["c", "b", "a"]);
    let listed: Vec<_> = host.report().hooks.into_iter().map(|hook| hook.name).collect();
    assert_eq!(listed, ["c", "b", "a", "off"]);
    let asked: Vec<_> = ask(&host, "").await.runs.into_iter().map(|run| run.hook).collect();
    assert_eq!(asked, ["c", "b", "a"]);
}

#[tokio::test]
async fn a_hook_is_described_as_its_manifest_has_it() {
    let manifest = r#"{
      "label": "The guard", "description": "Guards.", "points": ["preInput", "postTurn"], "priority": 2.5,
      "capabilities": ["reads_input"], "mode": "observe"
    }"#;
    let report = Project::of(manifest, ALLOWS).host().await.report();
    let hook = &report.hooks[0];
    assert_eq!((hook.label.as_deref(), hook.description.as_deref()), (Some("The guard"), Some("Guards.")));
    assert_eq!((hook.priority, hook.mode), (2.5, Mode::Observe));
    let policies = [(Point::PreInput, FailPolicy::Closed), (Point::PostTurn, FailPolicy::Open)];
    assert_eq!(hook.fail_policy, policies.into(), "one for each point");

    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["hooks"][0]["failPolicy"], json!({ "preInput": "closed", "postTurn": "open" }));
    assert_eq!(json["hooks"][0]["state"], json!({ "is": "ready" }));
    assert_eq!(json["hooks"][0]["origin"], json!("local"));
}
