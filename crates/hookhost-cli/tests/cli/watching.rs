//! `hookhost dev` and `hookhost test --watch`: what they say when something changes on disk.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::support::Folder;

/// No test is about this limit: it only ends what hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command that goes on, with what it prints on either stream.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(folder: &Folder, line: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hookhost"))
            .args(line.split_whitespace())
            .current_dir(folder.path("agent"))
            .env_remove("GITHUB_ACTIONS")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (tell, lines) = mpsc::channel();
        let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let told = tell.clone();
        thread::spawn(move || {
            BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| told.send(line))
        });
        thread::spawn(move || {
            BufReader::new(stderr).lines().map_while(Result::ok).try_for_each(|line| tell.send(line))
        });
        Self { child, lines }
    }

    /// Waits for each of these texts, in whatever order they come. Returns what was printed until then.
    fn until(&self, texts: &[&str]) -> String {
        let begun = Instant::now();
        let mut printed = String::new();
        while !texts.iter().all(|text| printed.contains(text)) {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            match self.lines.recv_timeout(left) {
                Ok(line) => printed.push_str(&(line + "\n")),
                Err(_) => panic!("{texts:?} did not come; there was:\n{printed}"),
            }
        }
        printed
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn guard(reason: &str) -> String {
    format!("export default {{ run: () => ({{ action: 'block', reason: '{reason}' }}) }};")
}

fn fixture(reason: &str) -> String {
    format!(
        r#"{{ "point": "preInput", "hook": "guard", "payload": {{ "text": "" }}, "expect": {{ "action": "block", "reason": "{reason}" }} }}"#
    )
}

fn folder() -> Folder {
    Folder::new()
        .hook("guard", r#"{"points": ["preInput"]}"#, &guard("one"))
        .hook("other", r#"{"points": ["postTurn"]}"#, crate::support::HANDLER)
        .file("agent/t/guard.fixture.json", fixture("one"))
        .file(
            "agent/t/other.fixture.json",
            r#"{ "point": "postTurn", "hook": "other", "payload": {}, "expect": { "action": "allow" } }"#,
        )
}

const WAITING: &str = "waiting for a change";

#[test]
fn what_a_change_touches_is_run_again_and_nothing_else() {
    let folder = folder();
    let watching = Watching::start(&folder, "test --watch");
    watching.until(&["2 passed", WAITING]);

    fs::write(folder.path("agent/hooks/guard/index.mjs"), guard("two")).unwrap();
    let printed = watching.until(&["1 failed", WAITING]);
    assert!(!printed.contains("other.fixture.json"), "{printed}");

    fs::write(folder.path("agent/t/guard.fixture.json"), fixture("two")).unwrap();
    let printed = watching.until(&["1 passed", WAITING]);
    assert!(!printed.contains("other.fixture.json"), "{printed}");

    // A file that is new belongs to nobody yet: it is run.
    fs::write(folder.path("agent/t/new.fixture.json"), fixture("two")).unwrap();
    let printed = watching.until(&["new.fixture.json", WAITING]);
    assert!(printed.contains("1 passed"), "{printed}");

    // The project's settings touch everything.
    fs::write(folder.path("agent/amodal.json"), r#"{"hooks": {"disabled": ["other"]}}"#).unwrap();
    let printed = watching.until(&["1 error", WAITING]);
    assert!(printed.contains("2 passed") && printed.contains("`other` is switched off"), "{printed}");
}

#[test]
fn dev_reloads_what_is_edited_and_keeps_the_last_good_version() {
    let folder = folder();
    let watching = Watching::start(&folder, "dev");
    watching.until(&["ready    guard", "2 passed", WAITING]);

    fs::write(folder.path("agent/hooks/guard/index.mjs"), guard("two")).unwrap();
    let printed = watching.until(&["reloaded guard", "1 failed", WAITING]);
    assert!(!printed.contains("reloaded other"), "{printed}");

    fs::write(folder.path("agent/hooks/guard/index.mjs"), "export default {").unwrap();
    watching.until(&["kept     guard: the last good version, since load_failed: SyntaxError", WAITING]);

    // Back to what is running.
    fs::write(folder.path("agent/hooks/guard/index.mjs"), guard("two")).unwrap();
    watching.until(&["ready    guard", "1 failed", WAITING]);

    fs::write(folder.path("agent/hooks/guard/index.mjs"), guard("one")).unwrap();
    watching.until(&["reloaded guard", "1 passed", WAITING]);

    fs::write(folder.path("agent/amodal.json"), "{").unwrap();
    watching.until(&["everything stays as it was", "amodal.json"]);
    fs::write(folder.path("agent/amodal.json"), r#"{"hooks": {"disabled": ["other"]}}"#).unwrap();
    watching.until(&["removed  other"]);
}
