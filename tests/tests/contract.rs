//! What the service answers is what its OpenAPI document says: schemathesis makes up requests, good and bad ones, and looks
//! at the answers. No status that is not documented, no server error, no body of another shape.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, reason = "tests")]

use std::path::Path;
use std::sync::Arc;

use hookhost::HookHost;
use hookhost_server::{CredentialSources, Role, Server};
use hookhost_tests::{WITHOUT_SCHEMATHESIS, copy_folder, schemathesis, workspace_root};

const TOKEN: &str = "operator-0123456789abcdef";

#[tokio::test(flavor = "multi_thread")]
async fn the_service_keeps_to_its_document() {
    if std::env::var_os(WITHOUT_SCHEMATHESIS).is_some() {
        eprintln!("skipped: there is no pip");
        return;
    }
    let mut command = schemathesis(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap_or_else(|fault| panic!("{fault}"));
    let project = tempfile::tempdir().unwrap();
    copy_folder(&workspace_root().join("hooks"), &project.path().join("hooks")).unwrap();
    let host = Arc::new(HookHost::builder().project(project.path()).build().await.unwrap());
    let credentials = CredentialSources::new().token("ops", Role::Operator, TOKEN);
    let server = Server::builder(host).credentials(credentials).build().unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/openapi.json", listener.local_addr().unwrap());
    let serving = tokio::spawn(async move { server.serve(listener, std::future::pending()).await });

    command.args(["run", &url, "--no-color", "--generation-deterministic", "--max-examples", "200"]);
    command.args(["--header", &format!("Authorization: Bearer {TOKEN}"), "--output-truncate", "false"]);
    // It has no end: the tests of the crate look at it.
    command.args(["--exclude-path", "/v1/decisions", "--request-timeout", "30"]);
    command.current_dir(project.path());
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    serving.abort();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    // Nothing found is good news only if it looked.
    assert!(told.contains("Tested: 7"), "{told}");
}
