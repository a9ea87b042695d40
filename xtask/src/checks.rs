//! `cargo xtask check` and `cargo xtask ci`: what must hold before a change is merged.

use anyhow::Result;

use crate::run::run;
use crate::workspace::Workspace;
use crate::{r#gen, test, v8};

/// What can be said without running a test, the quickest answer first.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    run(&mut workspace.cargo(["fmt", "--all", "--check"]))?;
    r#gen::check(workspace)?;
    // Clippy runs build scripts, and one of them makes a V8 snapshot.
    v8::ensure(workspace)?;
    run(&mut workspace.cargo(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]))
}

/// What CI runs.
pub(crate) fn ci(workspace: &Workspace) -> Result<()> {
    check(workspace)?;
    test::test(workspace, &[])
}
