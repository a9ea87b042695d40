//! `POST /v1/reload`.

use hookhost_server::{CredentialSources, NewToken};
use reqwest::Method;
use serde_json::json;

use crate::support::{ALLOW, BLOCK, INPUT, Project, answer};

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_hook_is_in_use_when_the_answer_comes() {
    let project = Project::of(ALLOW).hook("other", r#"{"points": ["preOutput"]}"#, ALLOW);
    let service = project.open().await;
    assert_eq!(service.ask("hi").await.json()["action"], "allow");
    project.write("hooks/guard/index.mjs", BLOCK);
    let reload = service.post("/v1/reload", json!({})).await;
    assert_eq!(reload.status, 200);
    assert_eq!((&reload.json()["reloaded"], &reload.json()["unchanged"]), (&json!(["guard"]), &json!(["other"])));
    assert_eq!(service.ask("hi").await.json()["action"], "block");

    project.write("hooks/guard/index.mjs", "this is no JavaScript");
    assert_eq!(service.post("/v1/reload", json!({})).await.json()["kept"][0]["hook"], "guard");
    assert_eq!(service.ask("hi").await.json()["action"], "block", "the last good version goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_that_cannot_be_read_changes_nothing() {
    let project = Project::of(BLOCK);
    let service = project.open().await;
    project.write("amodal.json", "{ nonsense");
    let answer = service.post("/v1/reload", json!({})).await;
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (409, "reload_failed"));
    assert!(answer.text.contains("amodal.json"), "{answer:?}");
    assert_eq!(service.ask("hi").await.json()["action"], "block");
    assert!(service.get("/metrics").await.text.contains(r#"hookhost_reloads_total{result="failed"} 1"#));
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_read_again_and_never_lost() {
    let file =
        |digest: &str| json!({ "tokens": [{ "name": "ops", "role": "operator", "sha256": digest }] }).to_string();
    let made = || NewToken::make().map(|made| (made.token, made.sha256)).unwrap();
    let ((old, old_digest), (new, new_digest)) = (made(), made());
    let project = Project::of(ALLOW).file("tokens.json", &file(&old_digest));
    let path = project.path("tokens.json");
    let service = project.serve(|it| it.credentials(CredentialSources::new().file(path))).await;
    let reload =
        async |token: &str| answer(service.request(Method::POST, "/v1/reload").bearer_auth(token)).await.status;

    project.write("tokens.json", r#"{"tokens": []}"#);
    assert_eq!(reload(&old).await, 409, "an empty file would open the service");
    project.write("tokens.json", &file(&new_digest));
    assert_eq!(reload(&new).await, 401);
    assert_eq!(reload(&old).await, 200);
    assert_eq!((reload(&old).await, reload(&new).await), (reqwest::StatusCode::UNAUTHORIZED, reqwest::StatusCode::OK));
}

/// While hooks are exchanged again and again, each decision is that of one version or the other.
#[tokio::test(flavor = "multi_thread")]
async fn no_decision_is_lost_while_hooks_are_exchanged() {
    let version = |text: &str| format!("export default {{ run: () => ({{ action: 'block', reason: '{text}' }}) }};");
    let project = Project::new().hook("guard", INPUT, &version("a"));
    let service = project.open().await;
    let reloading = async {
        for text in ["b", "a", "b", "a", "b"] {
            project.write("hooks/guard/index.mjs", &version(text));
            assert_eq!(service.post("/v1/reload", json!({})).await.status, 200);
        }
    };
    let mut reloading = std::pin::pin!(reloading);
    loop {
        tokio::select! {
            () = &mut reloading => break,
            answer = service.ask("hi") => {
                let decision = answer.json();
                assert!(["a", "b"].contains(&decision["reason"].as_str().unwrap()), "{decision}");
            }
        }
    }
}
