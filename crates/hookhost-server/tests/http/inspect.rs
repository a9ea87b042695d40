//! `GET /inspect/hooks`.

use serde_json::{Value, json};

use crate::support::{ALLOW, BLOCK, INPUT, Project};

#[tokio::test(flavor = "multi_thread")]
async fn the_inventory_has_everything_that_was_found() {
    let project = Project::new()
        .hook("local", r#"{"points": ["preInput"], "label": "Local", "priority": 2}"#, BLOCK)
        .hook("broken", r#"{"points": ["preInputt"]}"#, ALLOW)
        .hook("sleeper", INPUT, ALLOW)
        .hook("cannot-start", r#"{"points": ["preOutput"]}"#, "throw new Error('no');")
        .file(
            "amodal.json",
            r#"{"hooks": {"disabled": ["sleeper"], "order": ["packed"]}, "packages": ["pack", "missing"]}"#,
        )
        .file("node_modules/pack/package.json", r#"{"name": "pack", "version": "1.0.0"}"#)
        .file("node_modules/pack/hooks/packed/hook.json", INPUT)
        .file("node_modules/pack/hooks/packed/index.mjs", ALLOW);
    let service = project.open().await;
    service.ask("hi").await;
    service.post("/inspect/hooks/test", json!({ "point": "preInput", "payload": {} })).await;

    let inventory = service.get("/inspect/hooks").await.json();
    let hooks: Vec<_> = inventory["hooks"].as_array().unwrap().iter().map(short).collect();
    let never = json!({ "calls": 0, "actions": {}, "failures": {}, "meanMs": 0.0, "maxMs": 0.0 });
    assert_eq!(hooks[0], json!(["packed", { "package": "pack" }, "ready", 1, { "allow": 1 }]));
    assert_eq!(hooks[1], json!(["cannot-start", "local", "failing", 0, {}]));
    assert_eq!(hooks[2], json!(["local", "local", "ready", 1, { "block": 1 }]), "tests do not count");
    assert_eq!(hooks[3], json!(["sleeper", "local", "disabled", 0, {}]));
    assert_eq!(inventory["hooks"][1]["counters"], never);
    assert_eq!(inventory["hooks"][1]["state"]["failure"]["cause"], "load_failed");
    assert_eq!(inventory["hooks"][2]["label"], "Local");
    assert_eq!((&inventory["tier"], &inventory["sandbox"]), (&json!("web"), &json!("advisory")));

    let skipped = &inventory["skipped"];
    assert_eq!(skipped.as_array().unwrap().len(), 1);
    assert_eq!((&skipped[0]["folder"], &skipped[0]["position"]["line"]), (&json!("hooks/broken"), &json!(1)));
    assert!(skipped[0]["message"].as_str().unwrap().contains("preInputt"), "{skipped}");
    assert_eq!(inventory["warnings"][0]["code"], "package_not_installed");
}

fn short(hook: &Value) -> Value {
    let counters = &hook["counters"];
    json!([hook["name"], hook["origin"], hook["state"]["is"], counters["calls"], counters["actions"]])
}
