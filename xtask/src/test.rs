//! `cargo xtask test`: every test of the workspace.

use std::process::{Command, Stdio};

use anyhow::Result;

use crate::run::run;
use crate::workspace::Workspace;
use crate::{r#gen, needs, optional, postgres};

/// Runs the tests; `args` go to the test runner.
pub(crate) fn test(workspace: &Workspace, args: &[String]) -> Result<()> {
    r#gen::check(workspace)?;
    needs::ensure(workspace)?;

    let mut tests = match has_nextest(workspace) {
        true => workspace.cargo(["nextest", "run"]),
        false => workspace.cargo(["test"]),
    };
    if !names_a_package(args) {
        tests.arg("--workspace");
    }
    let notes = optional::excuses(&mut tests);
    tell(&notes);
    run(reviewed_snapshots_only(tests.args(args)))?;
    tell(&notes);

    if !args.is_empty() {
        return Ok(());
    }
    // nextest leaves out the documentation tests, and `cargo test` without arguments has run them.
    if has_nextest(workspace) {
        run(reviewed_snapshots_only(&mut workspace.cargo(["test", "--workspace", "--doc"])))?;
    }
    traces(workspace)?;
    stores(workspace)
}

/// The command with its traces, which the run above leaves out.
fn traces(workspace: &Workspace) -> Result<()> {
    let mut tests = match has_nextest(workspace) {
        true => workspace.cargo(["nextest", "run"]),
        false => workspace.cargo(["test"]),
    };
    // This one binary only: all others would be linked again.
    tests.args(["--workspace", "--features", "hookhost-cli/otel", "--test", "cli", "otel"]);
    run(reviewed_snapshots_only(&mut tests))
}

/// The stores with all of their databases.
///
/// The run above had them as the rest of the workspace uses them. Their features cannot be added there: some would also
/// reach the companions of V8, and those would be compiled a second time.
fn stores(workspace: &Workspace) -> Result<()> {
    let all = ["--package", "hookhost-stores", "--all-features"];
    let mut tests = match has_nextest(workspace) {
        true => workspace.cargo(["nextest", "run"]),
        false => workspace.cargo(["test", "--all-targets"]),
    };
    let note = postgres::excuse(&mut tests);
    let note = note.as_slice();
    tell(note);
    run(reviewed_snapshots_only(tests.args(all)))?;
    run(reviewed_snapshots_only(workspace.cargo(["test", "--doc"]).args(all)))?;
    tell(note);
    Ok(())
}

/// A snapshot that differs is a failure: nothing is accepted, and no `.snap.new` file is left behind.
fn reviewed_snapshots_only(command: &mut Command) -> &mut Command {
    command.env("INSTA_UPDATE", "no")
}

/// Before the tests and after them: what is skipped is easily missed.
fn tell(notes: &[String]) {
    for note in notes {
        eprintln!("{note}");
    }
}

fn has_nextest(workspace: &Workspace) -> bool {
    workspace
        .cargo(["nextest", "--version"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn names_a_package(args: &[String]) -> bool {
    args.iter().any(|arg| arg.starts_with("-p") || arg == "--package" || arg.starts_with("--package="))
}

#[cfg(test)]
mod tests {
    use super::names_a_package;

    #[test]
    fn a_named_package_replaces_the_whole_workspace() {
        let names = |args: &[&str]| names_a_package(&args.iter().map(|arg| arg.to_string()).collect::<Vec<_>>());
        for args in [
            &["-p", "hookhost-chain"][..],
            &["-phookhost-chain"],
            &["--package=hookhost-chain"],
            &["--package", "hookhost-chain"],
        ] {
            assert!(names(args), "{args:?}");
        }
        for args in [&["some_test"][..], &["--profile", "ci"], &["--no-fail-fast"], &[]] {
            assert!(!names(args), "{args:?}");
        }
    }
}
