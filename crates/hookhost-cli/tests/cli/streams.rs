//! Which stream gets what, colours, and a reader that goes away.

use std::io::Read;
use std::process::{Command, Stdio};

use hookhost_tests::workspace_root;

use crate::support::{Folder, MANIFEST, command, hookhost};

const CHATTY: &str = r#"
    console.log("while it was loaded");
    export default {
      run(_point, _payload, ctx) {
        ctx.log("through ctx.log");
        console.log("through console.log");
        console.error("through console.error");
        return { action: "allow" };
      },
    };"#;

fn chatty() -> Folder {
    Folder::new().hook("chatty", MANIFEST, CHATTY).file("call.json", "{}")
}

#[test]
fn a_hooks_log_is_part_of_the_answer_and_nothing_beside_it() {
    let ran = chatty().hookhost("run preInput --payload call.json --project agent --format json");
    let lines: Vec<_> = ran.json()["logs"].as_array().unwrap().iter().map(|log| log["message"].clone()).collect();
    assert_eq!(lines, ["through ctx.log", "through console.log", "through console.error"]);
    assert_eq!(ran.stderr, "");
}

#[test]
fn what_is_logged_goes_to_stderr() {
    let ran = chatty().hookhost("run preInput --payload call.json --project agent --format json --log trace");
    assert_eq!(ran.json()["action"], "allow", "stdout holds the answer alone");
    assert!(ran.stderr.contains("through ctx.log"), "{ran}");
    assert!(!ran.stderr.contains('\u{1b}'), "no colours in a file");
}

#[test]
fn a_hook_that_was_left_out_is_named_beside_the_answer() {
    let folder = chatty().hook("broken", "{}", "");
    let ran = folder.hookhost("run preInput --payload call.json --project agent --format json");
    assert_eq!(ran.json()["action"], "allow");
    insta::assert_snapshot!(ran.stderr);
}

#[test]
fn no_colours_where_there_is_no_terminal() {
    for line in [
        "list",
        "check --project fixtures/broken-project",
        "run preToolUse --payload fixtures/payloads/path-escape.json",
        "run preToolUse --payload nowhere.json",
        "--help",
    ] {
        let ran = hookhost(line);
        assert!(!ran.to_string().contains('\u{1b}'), "{ran}");
    }
}

#[test]
fn colours_where_they_are_wanted() {
    let coloured = |variable: Option<&str>| {
        let mut command = command(&workspace_root());
        command
            .args(["run", "preToolUse", "--payload", "fixtures/payloads/path-escape.json"])
            .env("CLICOLOR_FORCE", "1");
        if let Some(variable) = variable {
            command.env(variable, "1").env_remove("CLICOLOR_FORCE");
        }
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert!(coloured(None).starts_with("\u{1b}[1m\u{1b}[31mBLOCK\u{1b}[0m"), "{:?}", coloured(None));
    assert!(!coloured(Some("NO_COLOR")).contains('\u{1b}'));
}

/// `hookhost list | head -c1`.
#[test]
fn a_reader_that_goes_away_is_no_failure() {
    for line in [&["list"][..], &["list", "--format", "json"], &["completions", "bash"], &["--help"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hookhost"))
            .current_dir(workspace_root())
            .args(line)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Closed before anything is read: whatever is written finds nobody.
        drop(child.stdout.take());
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        let status = child.wait().unwrap();
        assert_eq!(said, "", "{line:?}");
        assert_eq!(status.code(), Some(0), "{line:?}");
    }
}

/// hookhost has a handler for this signal, for the threads of hooks.
#[cfg(unix)]
#[test]
fn an_abort_from_outside_ends_the_command() {
    use std::os::unix::process::ExitStatusExt as _;

    let hook = r#"
        import fs from "node:fs";
        export default {
          async run() {
            fs.writeFileSync("under-way", "");
            await new Promise((resolve) => setTimeout(resolve, 60_000));
            return { action: "allow" };
          },
        };"#;
    let manifest = r#"{"points": ["preInput"], "timeoutMs": 60000}"#;
    let folder = Folder::new().hook("slow", manifest, hook).file("call.json", "{}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hookhost"));
    command.current_dir(folder.path("")).args(["run", "preInput", "--payload", "call.json", "--project", "agent"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !folder.path("under-way").exists() {
        assert_eq!(child.try_wait().unwrap(), None, "the hook was not called");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-ABRT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().signal(), Some(6));
}
