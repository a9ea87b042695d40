//! The Node tier through the front door: what it gives a hook of the host's process, and under which sandbox.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;

use hookhost::{Action, Call, Decision, FailureCause, HookHost, HookHostBuilder, Sandbox, Tier};
use serde_json::{Value, json};
use tempfile::TempDir;

/// What a hook of this project answers is the value of an expression.
fn project(hooks: &[(&str, Value, &str)]) -> TempDir {
    let project = tempfile::tempdir().unwrap();
    for (name, manifest, expression) in hooks {
        let folder = project.path().join("hooks").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("hook.json"), manifest.to_string()).unwrap();
        let source = format!(
            "export default {{ async run(point, payload, ctx) {{
               ctx.log(JSON.stringify(await ({expression}) ?? null));
               return {{ action: 'allow' }};
             }} }};"
        );
        fs::write(folder.join("index.mjs"), source).unwrap();
    }
    project
}

fn manifest(capabilities: &[&str]) -> Value {
    json!({ "points": ["preInput"], "capabilities": capabilities, "timeoutMs": 30000 })
}

fn builder(project: &Path) -> HookHostBuilder {
    HookHost::builder().project(project).tier(Tier::Node).strict(true)
}

async fn ask(host: &HookHost) -> Decision {
    host.decide(Call::pre_input("hello")).await
}

/// What each hook found.
fn found(decision: &Decision) -> Vec<Value> {
    assert_eq!(decision.action, Action::Allow, "{decision:?}");
    decision.logs.iter().map(|log| serde_json::from_str(&log.message).unwrap()).collect()
}

#[tokio::test]
async fn the_environment_is_the_processs_in_the_advisory_sandbox() {
    let project = project(&[("env", manifest(&[]), "process.env")]);
    let host = builder(project.path()).env_var("EXPOSED", "yes").build().await.unwrap();
    let env = &found(&ask(&host).await)[0];
    assert_eq!(env["PATH"], std::env::var("PATH").unwrap());
    assert_eq!(env["EXPOSED"], "yes");
}

#[tokio::test]
async fn the_environment_is_what_is_exposed_in_the_enforced_sandbox() {
    for (capabilities, env) in [(&[][..], json!({})), (&["secrets"][..], json!({ "EXPOSED": "yes" }))] {
        let project = project(&[("env", manifest(capabilities), "process.env")]);
        let host = builder(project.path()).env_var("EXPOSED", "yes").sandbox(Sandbox::Enforced).build().await.unwrap();
        assert_eq!(found(&ask(&host).await), [env]);
    }
}

#[tokio::test]
async fn what_a_hook_writes_into_its_environment_stays_with_it() {
    let project = project(&[
        ("a-writes", manifest(&[]), "(process.env.WRITTEN = 'by a', delete process.env.PATH, process.env.WRITTEN)"),
        ("b-reads", manifest(&[]), "[process.env.WRITTEN, typeof process.env.PATH]"),
    ]);
    let host = builder(project.path()).build().await.unwrap();
    assert_eq!(found(&ask(&host).await), [json!("by a"), json!([null, "string"])]);
    assert!(std::env::var_os("WRITTEN").is_none() && std::env::var_os("PATH").is_some());
    let again = builder(project.path()).build().await.unwrap();
    assert_eq!(found(&ask(&again).await)[1], json!([null, "string"]));
}

#[tokio::test]
async fn the_network_is_for_the_hosts_that_are_allowed() {
    let reach =
        "(async () => { try { await (await fetch(`http://127.0.0.1:${payload.text}/`)).text(); return 'reached' }
        catch (error) { return String(error.cause ?? error) } })()";
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        use std::io::{Read, Write};
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            let _ = stream.read(&mut request);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
    });
    for (allowed, reached) in [
        (json!(null), true),
        (json!([format!("127.0.0.1:{port}")]), true),
        (json!(["example.com"]), false),
        (json!([]), false),
    ] {
        let mut manifest = manifest(&["network"]);
        if !allowed.is_null() {
            manifest["allowNet"] = allowed.clone();
        }
        let project = project(&[("fetches", manifest, reach)]);
        let host = builder(project.path()).sandbox(Sandbox::Enforced).build().await.unwrap();
        let decision = host.decide(Call::pre_input(port.to_string())).await;
        let found = found(&decision)[0].as_str().unwrap().to_owned();
        assert_eq!(found == "reached", reached, "{allowed}: {found}");
    }
}

#[tokio::test]
async fn a_sandboxed_hook_gets_no_process_and_no_foreign_file() {
    let project = project(&[(
        "tries",
        manifest(&["network", "secrets"]),
        "import('node:fs').then(async (fs) => {
           const { execSync } = await import('node:child_process');
           const tried = (what) => { try { what(); return 'done' } catch (error) { return 'refused' } };
           return [
             tried(() => fs.readFileSync(new URL('hook.json', import.meta.url))),
             tried(() => fs.readFileSync('/etc/hostname')),
             tried(() => fs.writeFileSync(new URL('written', import.meta.url), 'x')),
             tried(() => execSync('true')),
           ];
         })",
    )]);
    let host = builder(project.path()).sandbox(Sandbox::Enforced).build().await.unwrap();
    assert_eq!(found(&ask(&host).await), [json!(["done", "refused", "refused", "refused"])]);
    assert!(!project.path().join("hooks/tries/written").exists());
}

#[tokio::test]
async fn a_hook_that_ends_its_process_ends_itself() {
    let project = project(&[("exits", manifest(&[]), "payload.text === 'exit' ? process.exit(7) : 'here'")]);
    let host = builder(project.path()).build().await.unwrap();
    let decision = host.decide(Call::pre_input("exit")).await;
    let failure = decision.runs[0].failure.as_ref().unwrap();
    assert_eq!((decision.action, failure.cause), (Action::Block, FailureCause::Exited));
    assert!(failure.message.contains("process.exit(7)"), "{failure}");
    assert_eq!(found(&ask(&host).await), [json!("here")]);
}

#[cfg(unix)]
#[tokio::test]
async fn a_fault_of_the_engine_keeps_nothing_that_the_host_needs() {
    let fault = "import('node:crypto').then((crypto) =>
        payload.text === 'break' && crypto.createDiffieHellman(Buffer.alloc(0), Buffer.from([2])).generateKeys().length)";
    let project = project(&[("breaks", manifest(&[]), fault)]);
    let host = builder(project.path()).build().await.unwrap();
    let decision = host.decide(Call::pre_input("break")).await;
    let failure = decision.runs[0].failure.as_ref().unwrap();
    assert_eq!((decision.action, failure.cause), (Action::Block, FailureCause::Exited));
    assert!(failure.message.contains("a fault of the engine"), "{failure}");

    // Who changes it waits for everybody who is in it.
    let (done, changed) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        std::panic::set_hook(std::panic::take_hook());
        done.send(()).unwrap();
    });
    changed.recv_timeout(std::time::Duration::from_secs(30)).expect("the panic hook can be changed");
    assert_eq!(found(&ask(&host).await), [json!(false)], "another thread has taken over");
}

#[test]
fn the_web_tier_is_the_default_of_the_library() {
    assert_eq!(Tier::default(), Tier::Web);
    assert_eq!("web".parse(), Ok(Tier::Web));
    assert_eq!("deno".parse::<Tier>().unwrap_err().to_string(), "there is no tier `deno`; there are `web` and `node`");
}

#[tokio::test]
async fn a_process_has_one_tier() {
    let project = project(&[("any", manifest(&[]), "1")]);
    let _host = builder(project.path()).build().await.unwrap();
    let other = builder(project.path()).tier(Tier::Web).build().await.err().unwrap();
    assert!(other.to_string().contains("use one tier in a process"), "{other}");
}
