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
    // On a thread of its own: the watchdog, which calls this, has all other deadlines too.
    Some(Arc::new(move || {
        let killing = std::thread::Builder::new().name("hookhost-children".to_owned());
        let killed = killing.spawn(move || kill_all(&format!("/proc/self/task/{thread}")));
        if let Err(error) = killed {
            tracing::warn!(target: "hookhost::engine", error = error.to_string(), "a hook's child is not killed");
        }
    }))
}

/// How many processes are killed in one go.
#[cfg(target_os = "linux")]
const MOST: usize = 1000;

/// Kills the children of a task, and theirs. Each is stopped first: what still runs could start others meanwhile.
#[cfg(target_os = "linux")]
fn kill_all(task: &str) {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let mut tasks = vec![std::path::PathBuf::from(task)];
    let mut found = Vec::new();
    while let Some(task) = tasks.pop() {
        let children = std::fs::read_to_string(task.join("children")).unwrap_or_default();
        for child in children.split_ascii_whitespace().filter_map(|child| child.parse().ok()) {
            if found.len() == MOST {
                break;
            }
            // It may have ended by itself.
            let _ = kill(Pid::from_raw(child), Signal::SIGSTOP);
            found.push(child);
            let threads = std::fs::read_dir(format!("/proc/{child}/task"));
            tasks.extend(threads.into_iter().flatten().flatten().map(|thread| thread.path()));
        }
    }
    for child in found {
        let _ = kill(Pid::from_raw(child), Signal::SIGKILL);
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn killer() -> Option<Rescue> {
    None
}
