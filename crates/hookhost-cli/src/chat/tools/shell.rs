//! Running commands.

use std::io;
use std::path::PathBuf;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use futures::future::join;
#[cfg(windows)]
use process_wrap::tokio::JobObject;
#[cfg(unix)]
use process_wrap::tokio::ProcessGroup;
use process_wrap::tokio::{ChildWrapper, CommandWrap};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;
use tokio::time::timeout;

use super::super::model::ToolSpec;
use super::spec;
use super::text::whole_characters;

pub(super) const SHELL: &str = "shell";

/// How long a command may run.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long the pipes of a command that has ended may stay open: a process that has left the group may hold them.
const GRACE: Duration = Duration::from_secs(1);
/// Of each output, so many bytes are kept.
const OUTPUT_BYTES: usize = 64 << 10;

/// The system's shell, in one folder.
///
/// It is no sandbox: a command can do and reach whatever the user can who runs this. It is only kept short, and knows
/// nothing of the environment, where keys are.
pub(super) struct Shell {
    folder: PathBuf,
    patience: Duration,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RunShell {
    command: String,
}

impl Shell {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder, patience: PATIENCE }
    }

    pub(super) fn spec(&self) -> ToolSpec {
        spec(
            SHELL,
            "Runs a command with the system's shell, for 30 s at most, and ends all that it has started. It starts in the \
             folder that the file tools call /workspace: use relative paths. Nothing can be typed.",
            json!({ "command": { "type": "string" } }),
            &["command"],
        )
    }

    /// `{"exitCode": 0, "stdout": "..", "stderr": ".."}`, with a `note` if an output was cut off. Dropped, it ends the
    /// command and all that the command has started.
    pub(super) async fn run(&self, RunShell { command }: RunShell) -> Result<Value, String> {
        let mut running = Running::start(self.command(&command)).map_err(|error| format!("cannot run it: {error}"))?;
        let (mut stdout, mut stderr) = (Output::default(), Output::default());
        let pipes = (running.child.stdout().take(), running.child.stderr().take());
        let ended = {
            let mut reading = pin!(join(stdout.read(pipes.0), stderr.read(pipes.1)));
            timeout(self.patience, async {
                let mut read = false;
                let status = loop {
                    tokio::select! {
                        status = running.ended() => break status,
                        _ = &mut reading, if !read => read = true,
                    }
                };
                if !read {
                    // What is still in the pipes is read; no more, if they stay open.
                    let _ = timeout(GRACE, reading).await;
                }
                status
            })
            .await
        };
        let notes: Vec<_> = [stdout.note("stdout"), stderr.note("stderr")].into_iter().flatten().collect();
        let mut result = json!({ "stdout": stdout.text(), "stderr": stderr.text() });
        if !notes.is_empty() {
            result["note"] = json!(notes.join("; "));
        }
        match ended {
            Ok(Ok(status)) => {
                result["exitCode"] = json!(exit_code(status));
                Ok(result)
            }
            Ok(Err(error)) => Err(format!("cannot tell how the command ended: {error}")),
            Err(_) => {
                let waited = self.patience.as_secs();
                Err(format!("the command was ended after {waited} s; run something shorter. So far: {result}"))
            }
        }
    }

    fn command(&self, command: &str) -> Command {
        #[cfg(not(windows))]
        let mut shell = {
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(command);
            shell
        };
        #[cfg(windows)]
        let mut shell = {
            let mut shell = Command::new("cmd");
            // Its quotes are not those that arguments are quoted with elsewhere.
            shell.arg("/C").raw_arg(command);
            shell
        };
        shell.current_dir(&self.folder).env_clear().env("HOME", &self.folder).env("LANG", "C.UTF-8");
        // Windows runs next to nothing without the other two.
        for name in ["PATH", "SystemRoot", "PATHEXT"] {
            if let Some(value) = std::env::var_os(name).filter(|_| name == "PATH" || cfg!(windows)) {
                shell.env(name, value);
            }
        }
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        shell
    }
}

/// A command and all that it starts, for as long as this is there.
struct Running {
    child: Box<dyn ChildWrapper>,
    is_over: bool,
}

impl Running {
    fn start(command: Command) -> io::Result<Self> {
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(JobObject);
        Ok(Self { child: command.spawn()?, is_over: false })
    }

    /// Waits for the shell itself, and ends what it has left running.
    async fn ended(&mut self) -> io::Result<ExitStatus> {
        // Not for the group: that would wait for what was left running.
        let status = self.child.inner_mut().wait().await;
        self.end();
        status
    }

    fn end(&mut self) {
        // Once only: later the group's number may be another's.
        if !std::mem::replace(&mut self.is_over, true) {
            // It fails if nobody is left.
            let _ = self.child.start_kill();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// The beginning of an output, and how long all of it was.
#[derive(Default)]
struct Output {
    kept: Vec<u8>,
    length: usize,
}

impl Output {
    /// Reads to the end, so that nobody waits for room in a pipe.
    async fn read(&mut self, pipe: Option<impl AsyncRead + Unpin>) {
        let Some(mut pipe) = pipe else { return };
        let mut buffer = vec![0; 8 << 10];
        // A pipe that fails has ended.
        while let Ok(read @ 1..) = pipe.read(&mut buffer).await {
            self.length += read;
            let room = OUTPUT_BYTES - self.kept.len();
            self.kept.extend_from_slice(&buffer[..read.min(room)]);
        }
    }

    fn is_cut(&self) -> bool {
        self.length > self.kept.len()
    }

    fn note(&self, name: &str) -> Option<String> {
        let (kept, length) = (self.kept.len(), self.length);
        self.is_cut().then(|| format!("{name} is cut off: these are the first {kept} of {length} bytes"))
    }

    /// Bytes that are no text stand as U+FFFD.
    fn text(self) -> String {
        let is_cut = self.is_cut();
        whole_characters(self.kept, is_cut)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }
}

/// As the shell itself shows it: 128 and the signal's number, for a command that was killed.
fn exit_code(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Some(128 + signal);
    }
    status.code()
}

#[cfg(all(test, unix))]
mod tests {
    use std::error::Error;
    use std::fs;
    use std::path::Path;

    use tempfile::TempDir;

    use super::*;

    fn shell() -> Result<(TempDir, Shell), Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let shell = Shell::new(dunce::canonicalize(folder.path())?);
        Ok((folder, shell))
    }

    async fn run(shell: &Shell, command: &str) -> Result<Value, String> {
        shell.run(RunShell { command: command.to_owned() }).await
    }

    /// The number in a file, once it is there.
    async fn number_in(file: &Path) -> Option<u32> {
        let found = async {
            loop {
                // With the line's end, or it may be half a number.
                let text = fs::read_to_string(file).unwrap_or_default();
                if let Some(Ok(number)) = text.strip_suffix('\n').map(str::parse) {
                    return number;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(60), found).await.ok()
    }

    /// Waits until a process has ended, or waits for someone to ask how. It tells if that never happens.
    async fn has_ended(process: u32) -> bool {
        let ended = async {
            loop {
                let ps = Command::new("ps").args(["-o", "stat=", "-p", &process.to_string()]).output().await;
                let Ok(ps) = ps else { continue };
                let state = String::from_utf8_lossy(&ps.stdout).trim().to_owned();
                if state.is_empty() || state.starts_with('Z') {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(60), ended).await.is_ok()
    }

    #[tokio::test]
    async fn a_command_runs_in_the_folder_and_tells_how_it_ended() {
        let (folder, shell) = shell().unwrap();
        fs::write(folder.path().join("a.txt"), "").unwrap();
        let ran = run(&shell, "ls; echo wrong >&2; cat; exit 3").await.unwrap();
        assert_eq!(ran, json!({ "stdout": "a.txt\n", "stderr": "wrong\n", "exitCode": 3 }));
        assert_eq!(run(&shell, "kill -9 $$").await.unwrap()["exitCode"], 137);
        assert_eq!(run(&shell, "printf 'a\\377'").await.unwrap()["stdout"], "a\u{fffd}");
        assert!(run(&shell, "a\0b").await.is_err());
    }

    #[tokio::test]
    async fn the_environment_stays_outside() {
        let (_folder, shell) = shell().unwrap();
        let ran = run(&shell, "env").await.unwrap();
        let mut names: Vec<_> =
            ran["stdout"].as_str().unwrap().lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
        // What shells set themselves.
        names.retain(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name));
        names.sort_unstable();
        assert_eq!(names, ["HOME", "LANG", "PATH"]);
        assert_eq!(run(&shell, "echo $HOME").await.unwrap()["stdout"], format!("{}\n", shell.folder.display()));
    }

    #[tokio::test]
    async fn outputs_are_cut_off() {
        let (_folder, shell) = shell().unwrap();
        let ran = run(&shell, "head -c 100000 /dev/zero | tr '\\0' x; head -c 65536 /dev/zero | tr '\\0' y >&2")
            .await
            .unwrap();
        assert_eq!(ran["stdout"], "x".repeat(OUTPUT_BYTES));
        assert_eq!(ran["stderr"], "y".repeat(OUTPUT_BYTES));
        assert_eq!(ran["note"], "stdout is cut off: these are the first 65536 of 100000 bytes");
        assert_eq!(ran["exitCode"], 0);
    }

    #[tokio::test]
    async fn a_command_that_takes_too_long_is_ended() {
        let (_folder, shell) = shell().unwrap();
        let shell = Shell { patience: Duration::from_millis(50), ..shell };
        let error = run(&shell, "sleep 600 & wait").await.unwrap_err();
        assert!(error.starts_with("the command was ended after 0 s; run something shorter. So far: {"), "{error}");
    }

    #[tokio::test]
    async fn what_a_command_leaves_running_is_ended() {
        let (folder, shell) = shell().unwrap();
        let ran = run(&shell, "sleep 600 & echo $! > left; echo done").await.unwrap();
        assert_eq!(ran, json!({ "stdout": "done\n", "stderr": "", "exitCode": 0 }));
        assert!(has_ended(number_in(&folder.path().join("left")).await.unwrap()).await);
    }

    /// It has left the group, which is how a daemon starts, and holds the pipes.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_process_that_has_left_does_not_hold_up() {
        let (folder, shell) = shell().unwrap();
        let ran = run(&shell, "setsid sh -c 'echo $$ > left; exec sleep 600' & while ! test -s left; do :; done").await;
        let left = number_in(&folder.path().join("left")).await.unwrap();
        Command::new("kill").arg(left.to_string()).status().await.unwrap();
        assert_eq!(ran.unwrap()["exitCode"], 0);
    }

    #[tokio::test]
    async fn dropping_ends_the_whole_group() {
        let (folder, shell) = shell().unwrap();
        let (parent, child) = (folder.path().join("parent"), folder.path().join("child"));
        let command = run(&shell, "echo $$ > parent; sleep 600 & echo $! > child; wait");
        let started = async { (number_in(&parent).await, number_in(&child).await) };
        // The one that is not ready is dropped.
        let (parent, child) = tokio::select! {
            ran = command => panic!("the command has ended: {ran:?}"),
            started = started => started,
        };
        assert!(has_ended(parent.unwrap()).await);
        assert!(has_ended(child.unwrap()).await);
    }
}
