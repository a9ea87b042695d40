//! What the process that is the host has only once, and no hook may change.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use crate::Fault;

/// What of `/proc/self/status` belongs to the process and not to one of its threads.
const STATUS: [&str; 7] = ["Name", "Umask", "Uid", "Gid", "Groups", "SigIgn", "SigCgt"];

/// Signals that are caught from some time on without a hook's doing: SIGABRT by the engine, from the first host on, SIGCHLD by
/// tokio, from the first child on, and two that the C library keeps for itself, from the first thread on.
const LATE: u64 = 1 << 5 | 1 << 16 | 1 << 31 | 1 << 32;

/// The process at one time.
pub(crate) struct HostProcess {
    folder: PathBuf,
    variables: Vec<(OsString, OsString)>,
    /// Empty where there is no such file.
    status: Vec<String>,
    stdio: Vec<Option<PathBuf>>,
}

impl HostProcess {
    pub(crate) fn now() -> Result<Self, Fault> {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let lines = status.lines().filter_map(|line| line.split_once(':'));
        Ok(Self {
            folder: env::current_dir()?,
            variables: env::vars_os().collect(),
            status: lines.filter(|(name, _)| STATUS.contains(name)).map(|(name, value)| row(name, value)).collect(),
            stdio: (0..3).map(|number| fs::read_link(format!("/proc/self/fd/{number}")).ok()).collect(),
        })
    }

    /// What is otherwise now.
    pub(crate) fn changes(&self) -> Result<Vec<String>, Fault> {
        let now = Self::now()?;
        let mut changes = Vec::new();
        if now.folder != self.folder {
            changes.push(format!("the host's working directory is {}", now.folder.display()));
        }
        if now.variables != self.variables {
            changes.push("the host's environment is another".to_owned());
        }
        if now.stdio != self.stdio {
            changes.push(format!("the host's standard streams are {:?}", now.stdio));
        }
        let others = now.status.iter().filter(|row| !self.status.contains(row));
        changes.extend(others.map(|row| format!("of the host's process, {row} is new")));
        Ok(changes)
    }
}

fn row(name: &str, value: &str) -> String {
    let value = value.trim();
    match u64::from_str_radix(value, 16) {
        Ok(signals) if name.starts_with("Sig") => format!("{name} {:x}", signals & !LATE),
        _ => format!("{name} {value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told() {
        let mut before = HostProcess::now().unwrap();
        assert_eq!(before.changes().unwrap(), [""; 0]);
        before.folder = "/elsewhere".into();
        before.variables.clear();
        before.stdio.clear();
        assert_eq!(before.changes().unwrap().len(), 3);
    }

    #[test]
    fn what_comes_late_is_no_change() {
        assert_eq!(row("SigCgt", "\t0000000100010440"), "SigCgt 440");
        assert_eq!(row("Umask", "\t0022"), "Umask 0022");
    }
}
