//! `cargo xtask bench`: numbers about the limits, from an optimised build.

use std::process::Command;

use anyhow::Result;
use clap::ValueEnum;

use crate::needs;
use crate::run::run;
use crate::workspace::Workspace;

/// How the numbers are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Human,
    /// For programs: one JSON object on standard output.
    Json,
}

/// Runs the benches of hookhost-tests.
pub(crate) fn bench(workspace: &Workspace, format: Format) -> Result<()> {
    needs::ensure(workspace)?;
    run(&mut command(workspace, format))
}

fn command(workspace: &Workspace, format: Format) -> Command {
    // Not `--package hookhost-tests`: see `demo::build`.
    let mut bench = workspace.cargo(["bench", "--workspace", "--bench", "limits"]);
    if format == Format::Json {
        bench.args(["--", "--format", "json"]);
    }
    bench
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::shown;

    #[test]
    fn the_format_is_passed_on() {
        let workspace = Workspace::at(std::env::temp_dir());
        let typed = |format| shown(&command(&workspace, format));
        assert_eq!(typed(Format::Human), "cargo bench --workspace --bench limits");
        assert_eq!(typed(Format::Json), "cargo bench --workspace --bench limits -- --format json");
    }
}
