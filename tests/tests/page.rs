//! The page of `hookhost serve`, in a real browser: `tests/page/page.test.mjs`. With `HOOKHOST_SCREENSHOTS=<folder>` it
//! leaves a picture of each test there.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, reason = "tests")]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use hookhost::HookHost;
use hookhost_server::{CredentialSources, Role, Server};
use hookhost_tests::{
    CHROMIUM, INSTALL_CHROMIUM, WITHOUT_CHROMIUM, chromium, copy_folder, install_npm, workspace_root,
};

const TOKEN: &str = "operator-0123456789abcdef";

#[tokio::test(flavor = "multi_thread")]
async fn the_page_shows_what_the_service_does() {
    let Some(chromium) = chromium() else {
        assert!(std::env::var_os(WITHOUT_CHROMIUM).is_some(), "no Chromium is found: {INSTALL_CHROMIUM}");
        eprintln!("skipped: no Chromium is found");
        return;
    };
    let corpus = workspace_root().join("tests/page");
    let installed = install_npm(Path::new(env!("CARGO_TARGET_TMPDIR")), &corpus, &[]).unwrap();
    let project = tempfile::tempdir().unwrap();
    copy_folder(&corpus.join("hooks"), &project.path().join("hooks")).unwrap();
    std::fs::copy(corpus.join("amodal.json"), project.path().join("amodal.json")).unwrap();
    let host = Arc::new(HookHost::builder().project(project.path()).build().await.unwrap());
    let credentials = CredentialSources::new().token("ops", Role::Operator, TOKEN);
    let server = Server::builder(host).credentials(credentials).build().unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let serving = tokio::spawn(async move { server.serve(listener, std::future::pending()).await });

    // Beside its packages, which is where it looks for them.
    let script = installed.join("page.test.mjs");
    std::fs::copy(corpus.join("page.test.mjs"), &script).unwrap();
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter=spec"]).arg(&script).current_dir(project.path());
    node.env("HOOKHOST_PAGE", url).env("HOOKHOST_TOKEN", TOKEN).env(CHROMIUM, chromium);
    let output = tokio::task::spawn_blocking(move || node.output().unwrap()).await.unwrap();
    serving.abort();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    // All of them ran: a runner that finds nothing is content too.
    let written = std::fs::read_to_string(&script).unwrap().matches("\ntest(").count();
    assert!(told.contains(&format!("pass {written}")), "{told}");
}
