//! `cargo xtask check` and `cargo xtask ci`: what must hold before a change is merged.

use anyhow::{Result, bail};

use crate::run::run;
use crate::workspace::Workspace;
use crate::{r#gen, needs, test};

/// What can be said without running a test, the quickest answer first.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    run(&mut workspace.cargo(["fmt", "--all", "--check"]))?;
    r#gen::check(workspace)?;
    rooms_stay_apart(workspace)?;
    // Clippy runs build scripts, and one of them makes a V8 snapshot.
    needs::ensure(workspace)?;
    run(&mut workspace.cargo(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]))?;
    // The engine as the library has it by default, without `fetch`: the workspace as a whole never builds that.
    run(&mut workspace.cargo(["clippy", "--package", "hookhost-v8", "--all-targets", "--", "--deny", "warnings"]))?;
    // The stores with all of their databases: the workspace as a whole may not have them.
    let stores =
        ["clippy", "--package", "hookhost-stores", "--all-features", "--all-targets", "--", "--deny", "warnings"];
    run(&mut workspace.cargo(stores))?;
    // The service with its traces, which nothing else builds.
    let traces =
        ["clippy", "--workspace", "--features", "hookhost-cli/otel", "--all-targets", "--", "--deny", "warnings"];
    run(&mut workspace.cargo(traces))
}

/// What must not be below a crate, whatever its features.
const APART: [(&str, &[&str]); 5] = [
    ("hookhost-contract", NEITHER_V8_NOR_A_RUNTIME),
    ("hookhost-loader", NEITHER_V8_NOR_A_RUNTIME),
    ("hookhost-chain", NEITHER_V8_NOR_A_RUNTIME),
    ("xtask", NEITHER_V8_NOR_A_RUNTIME),
    ("hookhost-stores", &["v8", "deno_core"]),
];
const NEITHER_V8_NOR_A_RUNTIME: &[&str] = &["v8", "deno_core", "tokio"];

/// The crates that must build and test without V8, and most without a runtime: nothing below them may bring one in.
fn rooms_stay_apart(workspace: &Workspace) -> Result<()> {
    for (package, forbidden) in APART {
        let tree = workspace.cargo_output([
            "tree",
            "--locked",
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--format",
            "{p}",
            "--all-features",
            "--package",
            package,
        ])?;
        let tree = String::from_utf8_lossy(&tree);
        let names = tree.lines().filter_map(|line| line.split(' ').next());
        if let Some(name) = names.into_iter().find(|name| forbidden.contains(name)) {
            bail!("{package} depends on {name}: see ARCHITECTURE.md, \"Rooms and arrows\"");
        }
    }
    Ok(())
}

/// What CI runs.
pub(crate) fn ci(workspace: &Workspace) -> Result<()> {
    check(workspace)?;
    test::test(workspace, &[])
}
