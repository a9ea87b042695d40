//! What a manifest's capabilities open, in each sandbox. Which answers need one is in `tests/cases/sandbox`.

use hookhost::{Action, Call, Capability, FailureCause, HookState, Point, Sandbox};
use serde_json::{Value, json};

use crate::support::{MANIFEST, Project, ask, cause};

/// A manifest with these capabilities.
fn manifest(capabilities: &[Capability]) -> String {
    json!({ "points": ["preInput", "preToolUse", "postToolUse", "preOutput"], "capabilities": capabilities })
        .to_string()
}

fn all_but(one: Capability) -> Vec<Capability> {
    Capability::ALL.iter().copied().filter(|capability| *capability != one).collect()
}

/// A hook that blocks, and says why as it reads `expression`.
fn telling(expression: &str) -> String {
    format!(
        "export default {{ run: async (point, payload, ctx) => ({{ action: 'block', reason: String({expression}) }}) }};"
    )
}

/// The reason of a hook that tells `expression`, or how it failed.
async fn told(capabilities: &[Capability], sandbox: Sandbox, expression: &str) -> Result<String, FailureCause> {
    let project = Project::of(&manifest(capabilities), &telling(expression));
    let host = project.builder().env_var("TOKEN", "t0ken").sandbox(sandbox).build().await.unwrap();
    let decision = ask(&host, "hello").await;
    assert_eq!(decision.action, Action::Block, "{decision:?}");
    cause(&decision).map_or_else(|| Ok(decision.reason.unwrap()), Err)
}

#[tokio::test]
async fn the_report_says_which_it_is_and_advisory_is_the_default() {
    let project = Project::of(MANIFEST, &telling("1"));
    assert_eq!(project.host().await.report().sandbox, Sandbox::Advisory);
    let host = project.builder().sandbox(Sandbox::Enforced).build().await.unwrap();
    assert_eq!(host.report().sandbox, Sandbox::Enforced);
    assert_eq!(serde_json::to_value(host.report()).unwrap()["sandbox"], json!("enforced"));
}

#[tokio::test]
async fn secrets_open_the_environment() {
    let read = "ctx.env.TOKEN";
    assert_eq!(told(&[Capability::Secrets], Sandbox::Enforced, read).await.as_deref(), Ok("t0ken"));
    assert_eq!(told(&all_but(Capability::Secrets), Sandbox::Enforced, read).await, Err(FailureCause::Rejected));
    assert_eq!(told(&[], Sandbox::Advisory, read).await.as_deref(), Ok("t0ken"));
}

#[cfg(feature = "fetch")]
#[tokio::test]
async fn network_opens_fetch() {
    use std::io::{Read, Write};

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let read = format!("await (await fetch('http://{}/')).text()", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let _ = write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello");
        }
    });
    assert_eq!(told(&[Capability::Network], Sandbox::Enforced, &read).await.as_deref(), Ok("hello"));
    assert_eq!(told(&all_but(Capability::Network), Sandbox::Enforced, &read).await, Err(FailureCause::Rejected));
    assert_eq!(told(&[], Sandbox::Advisory, &read).await.as_deref(), Ok("hello"));
}

/// What a hook reads is fixed by its points: these three are intent in both.
#[tokio::test]
async fn the_capabilities_to_read_open_nothing() {
    for (point, capability) in [
        (Point::PreInput, Capability::ReadsInput),
        (Point::PreToolUse, Capability::ReadsToolIo),
        (Point::PostToolUse, Capability::ReadsToolIo),
        (Point::PreOutput, Capability::ReadsOutput),
    ] {
        let payload = json!({ "text": "words", "toolName": "shell", "args": { "a": 1 }, "result": [2] });
        for sandbox in [Sandbox::Advisory, Sandbox::Enforced] {
            let project = Project::of(&manifest(&all_but(capability)), &telling("JSON.stringify(payload)"));
            let host = project.builder().sandbox(sandbox).build().await.unwrap();
            let decision = host.decide(Call::new(point.clone(), payload.as_object().unwrap().clone())).await;
            assert_eq!(cause(&decision), None, "{sandbox} {point}: {decision:?}");
            let read: Value = serde_json::from_str(&decision.reason.unwrap()).unwrap();
            assert_eq!(read, payload, "{sandbox} {point}");
        }
    }
}

#[tokio::test]
async fn a_local_hook_reads_the_project_and_no_further() {
    let module = |path: &str| format!("import reason from '{path}';\n{}", telling("reason"));
    let project = Project::new()
        .file("outside.mjs", "export default 'outside';")
        .file("agent/shared/inside.mjs", "export default 'inside';")
        .file("agent/hooks/inside/hook.json", MANIFEST)
        .file("agent/hooks/inside/index.mjs", &module("../../shared/inside.mjs"))
        .file("agent/hooks/outside/hook.json", MANIFEST)
        .file("agent/hooks/outside/index.mjs", &module("../../../outside.mjs"));
    for (sandbox, outside) in [(Sandbox::Advisory, "ready"), (Sandbox::Enforced, "failing")] {
        let builder = project.builder().project(project.path("agent")).sandbox(sandbox);
        let report = builder.build().await.unwrap().report();
        let states: Vec<_> = report.hooks.iter().map(|hook| hook.state.as_str()).collect();
        assert_eq!(states, ["ready", outside], "{sandbox}");
        if let HookState::Failing { failure } = &report.hooks[1].state {
            assert_eq!(failure.cause, FailureCause::LoadFailed);
            assert!(failure.message.contains("the sandbox lets this hook read files in there only"), "{failure}");
        }
    }
}

/// A folder that is linked in is its own boundary, and what is beside the link is not its own.
#[cfg(unix)]
#[tokio::test]
async fn a_hook_that_is_linked_in_reads_its_own_folder() {
    let module =
        format!("import own from './own.mjs';\n{}", telling("own + ' ' + (await import(payload.text)).default"));
    let project = Project::new()
        .file("agent/hooks/.keep", "")
        .file("agent/shared.mjs", "export default 'of the project';")
        .file("elsewhere/beside.mjs", "export default 'beside';")
        .file("elsewhere/guard/own.mjs", "export default 'own';")
        .file("elsewhere/guard/hook.json", MANIFEST)
        .file("elsewhere/guard/index.mjs", &module);
    std::os::unix::fs::symlink(project.path("elsewhere/guard"), project.path("agent/hooks/guard")).unwrap();
    let builder = project.builder().project(project.path("agent")).sandbox(Sandbox::Enforced);
    let host = builder.build().await.unwrap();
    assert_eq!(ask(&host, "./own.mjs").await.reason.as_deref(), Some("own own"));
    let shared = format!("{}", project.path("agent/shared.mjs").display());
    for outside in ["../beside.mjs", shared.as_str()] {
        let decision = ask(&host, outside).await;
        assert_eq!((decision.action, cause(&decision)), (Action::Block, Some(FailureCause::Rejected)), "{outside}");
    }
}
