//! The child processes of a thread.
//!
//! `execFileSync` waits in the operating system, where no termination of V8 reaches it. When the time of a hook is up, the
//! child that it waits for is killed, with what that has started.

use crate::turn::Rescue;

/// What kills the children of the calling thread. `None` where the system does not tell whose they are.
#[cfg(target_os = "linux")]
pub(super) fn killer() -> Option<Rescue> {
    use std::sync::Arc;

    let thread = nix::unistd::gettid();
    Some(Arc::new(move || kill_all(&format!("/proc/self/task/{thread}"))))
}

/// Kills the children of a task, and their children first: who is killed tells no more about them.
#[cfg(target_os = "linux")]
fn kill_all(task: &str) {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let Ok(children) = std::fs::read_to_string(format!("{task}/children")) else { return };
    for child in children.split_ascii_whitespace().filter_map(|child| child.parse().ok()) {
        let tasks = std::fs::read_dir(format!("/proc/{child}/task"));
        for task in tasks.into_iter().flatten().flatten() {
            kill_all(&task.path().to_string_lossy());
        }
        // It may have ended by itself.
        let _ = kill(Pid::from_raw(child), Signal::SIGKILL);
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn killer() -> Option<Rescue> {
    None
}
