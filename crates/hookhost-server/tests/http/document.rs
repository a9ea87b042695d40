//! The OpenAPI document.

use std::fs;
use std::path::Path;

use crate::support::{ALLOW, Project};

/// What is in the repository is what the service says. `HOOKHOST_WRITE_OPENAPI=1` writes it.
#[tokio::test(flavor = "multi_thread")]
async fn the_document_is_the_one_that_is_committed() {
    let served = Project::of(ALLOW).open().await.get("/openapi.json").await;
    assert_eq!(served.headers["content-type"], "application/json");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/openapi.json");
    if std::env::var_os("HOOKHOST_WRITE_OPENAPI").is_some() {
        fs::write(&path, &served.text).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert_eq!(
        served.text, committed,
        "schemas/openapi.json differs from the handlers: run this test with HOOKHOST_WRITE_OPENAPI=1"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn every_reference_leads_somewhere() {
    let document = Project::of(ALLOW).open().await.get("/openapi.json").await.json();
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 20);
    for reference in references {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

fn collect(value: &serde_json::Value, references: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(fields) => {
            references.extend(fields.get("$ref").and_then(|it| it.as_str()).map(str::to_owned));
            fields.values().for_each(|field| collect(field, references));
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, references)),
        _ => {}
    }
}
