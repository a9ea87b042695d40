//! Running other commands: shown before they start, timed, and their exit code passed on.

use std::process::{Command, ExitStatus};
use std::time::Instant;

use anyhow::{Context, Result};

/// A command that ended with something other than success.
#[derive(Debug)]
pub(crate) struct Failed {
    command: String,
    /// The exit code to pass on.
    pub(crate) code: u8,
}

impl Failed {
    pub(crate) fn new(command: &str, status: ExitStatus) -> Self {
        Self { command: command.to_owned(), code: passed_on(status.code()) }
    }
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` failed with exit code {}", self.command, self.code)
    }
}

impl std::error::Error for Failed {}

/// Every exit code that fits; 1 for those that do not and for a command that a signal ended.
fn passed_on(code: Option<i32>) -> u8 {
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// Runs a command in full view of the user.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    eprintln!("$ {shown}");
    let started = Instant::now();
    let status = command.status().with_context(|| format!("cannot start `{shown}`"))?;
    if !status.success() {
        return Err(Failed::new(&shown, status).into());
    }
    eprintln!("  {:.1} s\n", started.elapsed().as_secs_f64());
    Ok(())
}

/// A command as a user would type it.
pub(crate) fn shown(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(quoted).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &std::ffi::OsStr) -> String {
    let word = word.to_string_lossy();
    // Quoting refuses only a NUL, which no argument of a process can hold.
    shlex::try_quote(&word).map_or_else(|_| word.to_string(), std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_it_would_be_typed() {
        let mut command = Command::new("/somewhere/bin/cargo");
        command.args(["test", "-E", "test(a b)", "--workspace"]);
        assert_eq!(shown(&command), "cargo test -E 'test(a b)' --workspace");
    }

    #[test]
    fn exit_codes_are_passed_on() {
        assert_eq!(passed_on(Some(101)), 101);
        assert_eq!(passed_on(Some(-1)), 1);
        assert_eq!(passed_on(None), 1);
    }
}
